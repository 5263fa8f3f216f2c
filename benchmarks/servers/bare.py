"""The bare low-level SDK server: the tools of a manifest, and one answer to every call.

    python bare.py MANIFEST (raw | typed) (stdio | PORT)

`raw` answers with the dicts that the manifest's JSON came to, `typed` with the SDK's own objects,
made once at the start. Neither validates arguments or results. Over HTTP answers are plain JSON, and
the schema of a called tool comes from the hook `get_tool_input_schema`, without which the SDK makes
the whole list at every call.
"""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool

path, kind, transport = sys.argv[1:]
tools = json.loads(Path(path).read_bytes())["tools"]
schemas = {tool["name"]: tool["inputSchema"] for tool in tools}
answer = {"notes": [{"id": "n7", "preview": "Dentist moved to Friday"}, {"id": "n8"}]}
if kind == "typed":
    tools = [Tool.model_validate(tool) for tool in tools]


async def list_tools(request: Any, params: Any) -> Any:
    if kind == "typed":
        return ListToolsResult(tools=tools)
    return {"tools": tools, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


async def call_tool(request: Any, params: Any) -> Any:
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    if kind == "typed":
        return CallToolResult(content=[TextContent(text=text)], structured_content=answer)
    content = [{"type": "text", "text": text}]
    return {"content": content, "structuredContent": answer, "resultType": "complete"}


server: Server[Any] = Server(
    "bare",
    version="1",
    on_list_tools=list_tools,
    on_call_tool=call_tool,
    get_tool_input_schema=schemas.get,
)


async def serve_stdio() -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if transport == "stdio":
    anyio.run(serve_stdio)
else:
    import uvicorn

    app = server.streamable_http_app(json_response=True)
    uvicorn.run(app, host="127.0.0.1", port=int(transport), log_level="warning", access_log=False)
