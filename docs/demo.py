"""Start the generated server, list its tools with the official client, and call some of them."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

ROOT = Path(__file__).resolve().parents[1]


async def run(data: str) -> None:
    """Talk to `python -m generated` as any client would: over stdio, in a process of its own."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "generated"],
        cwd=str(ROOT),
        env={**os.environ, "NOTEBOOK_DATA": data},
    )
    async with Client(server) as client:
        tools = (await client.list_tools()).tools
        print(f"{len(tools)} tools over MCP {client.protocol_version}:")
        for tool in tools:
            first = (tool.description or "").partition(". ")[0].rstrip(".")
            print(f"  {tool.name:20} {first}")
        await show(client, "add_note", {"title": "Dentist moved to Friday", "tags": ["health"]})
        await show(client, "find_notes", {"words": ["dentist"]})
        await show(client, "find_notes", {"word": "dentist"})
        # Not in the list: a model finds it, and calls it, by the two tools for that.
        await show(client, "tool_search", {"query": "fahrenheit", "max_results": 1})
        hidden = {"name": "convert_temperature", "parameters": {"celsius": 100}}
        await show(client, "execute_tool", hidden)


async def show(client: Client, name: str, arguments: dict[str, Any]) -> None:
    """Call a tool and print what came back: its result, or the error that a model would read."""
    result = await client.call_tool(name, arguments)
    print(f"\n{name} {arguments}")
    for content in result.content:
        print("  error:" if result.is_error else "  ->", getattr(content, "text", content.type))


def main() -> None:
    with tempfile.TemporaryDirectory() as data:
        asyncio.run(run(data))


if __name__ == "__main__":
    main()
