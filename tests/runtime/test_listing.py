"""Lists of tools: their pages, and their bytes in the answers."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from pydantic_core import to_json

from toolc.model.tool import Facts, Tool
from toolc_runtime import create_server, listing
from toolc_runtime.application import Application
from toolc_runtime.listing import Listing, StoredTools
from toolc_runtime.package import ServerFacts
from toolc_runtime.server import Catalog, LiveCatalog, build_server
from toolc_runtime.tool import Implementation, ServedTool
from toolc_runtime.transports import http_app

NAMES = [f"tool_{number:02}" for number in range(30)]


def tool(name: str, description: str = "Does it.", *, hidden: bool = False) -> Tool:
    schema: Any = {
        "type": "object",
        "properties": {"a": {"type": ["string", "null"], "default": None}},
    }
    return Tool(name, schema, description=description, facts=Facts(discoverable=hidden))


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "LONGEST_PAGE", 1000)


def pages_of(held: Listing) -> list[StoredTools]:
    found: list[StoredTools] = []
    cursor: str | None = None
    while True:
        page, cursor = held.page(cursor)
        found.append(page)
        if cursor is None:
            return found


@pytest.mark.usefixtures("small_pages")
@pytest.mark.parametrize("count", [0, 1, 8, 30])
def test_pages_hold_all_tools_in_order_and_are_no_longer_than_they_may_be(count: int) -> None:
    tools = [tool(name).to_wire() for name in NAMES[:count]]
    pages = pages_of(Listing(tools))
    assert [held for page in pages for held in page] == tools
    assert [held for page in pages for held in json.loads(page.encoded)] == tools
    lengths = [len(page.encoded) for page in pages]
    firsts = [len(to_json(page[0])) for page in pages[1:]]
    assert all(length <= 1000 for length in lengths)
    assert all(length + 1 + first > 1000 for length, first in zip(lengths, firsts, strict=False))
    assert len(pages) == (5 if count == 30 else 2 if count == 8 else 1)


@pytest.mark.usefixtures("small_pages")
def test_a_tool_that_is_longer_than_a_page_is_a_page() -> None:
    tools = [tool("a").to_wire(), tool("b", "Long. " * 300).to_wire(), tool("c").to_wire()]
    assert [len(page) for page in pages_of(Listing(tools))] == [1, 1, 1]


def test_some_thousand_tools_are_one_page() -> None:
    assert (
        len(pages_of(Listing([tool(f"t{at}", "word " * 100).to_wire() for at in range(5000)]))) == 1
    )


@pytest.mark.usefixtures("small_pages")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_client_walks_through_the_pages(mode: Any) -> None:
    tools = [tool(name) for name in NAMES]
    server = create_server(tools, dict.fromkeys(NAMES, print))

    async def walk() -> list[str]:
        async with Client(server, mode=mode) as client:
            names: list[str] = []
            cursor = None
            while True:
                listed = await client.list_tools(cursor=cursor)
                names += [held.name for held in listed.tools]
                cursor = listed.next_cursor
                if cursor is None:
                    return names

    assert anyio.run(walk) == NAMES


UNKNOWN = "Unknown cursor: the tools have changed since it was given, or it never was"


@pytest.mark.usefixtures("small_pages")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_cursor_is_good_for_the_list_that_gave_it(mode: Any) -> None:
    """It outlives a reload that changes nothing, and nothing else."""

    def catalog(description: str) -> Catalog:
        wires = [tool(name, description).to_wire() for name in NAMES]
        return Catalog([ServedTool(wire, lambda: Implementation(dict, print)) for wire in wires])

    live = LiveCatalog(catalog("Before."))
    server = build_server(live, ServerFacts("s"))

    async def walk() -> None:
        async with Client(server, mode=mode) as client:
            first = await client.list_tools()
            live.swap(catalog("Before."))
            second = await client.list_tools(cursor=first.next_cursor)
            assert second.tools[0].name == NAMES[len(first.tools)]
            live.swap(catalog("Afterwards."))
            for cursor in (first.next_cursor, "2", ""):
                with pytest.raises(MCPError, match=UNKNOWN) as raised:
                    await client.list_tools(cursor=cursor)
                assert raised.value.error.code == -32602

    anyio.run(walk)


META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
HEADERS = {
    "host": "127.0.0.1",
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
}


async def post(app: Any, message: Any, **headers: str) -> tuple[dict[str, str], bytes]:
    """The headers and the body of the application's answer to a POST."""
    started: list[Any] = []
    body = b""
    named = {**HEADERS, **{name.replace("_", "-"): value for name, value in headers.items()}}
    asked = [{"type": "http.request", "body": json.dumps(message).encode(), "more_body": False}]

    async def receive() -> Any:
        if not asked:
            await anyio.sleep_forever()
        return asked.pop()

    async def send(message: Any) -> None:
        nonlocal body
        if message["type"] == "http.response.start":
            started.append(message)
        body += message.get("body", b"")

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/mcp",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in named.items()],
    }
    await app(scope, receive, send)
    (start,) = started
    return {name.decode(): value.decode() for name, value in start["headers"]}, body


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("stream", [False, True])
def test_the_bytes_of_a_list_are_put_into_answers_over_http(
    revision: str, stream: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = b'[{"name":"as stored","a":null}]'
    monkeypatch.setattr(StoredTools, "encoded", stored)
    server = create_server([tool("a")], {"a": print})
    app = http_app(server, Application(), host="127.0.0.1", stream=stream)

    async def talk() -> tuple[dict[str, str], bytes]:
        async with server.session_manager.run():
            if revision == "2026-07-28":
                asked = {
                    "jsonrpc": "2.0",
                    "id": 1,
                    "method": "tools/list",
                    "params": {"_meta": META},
                }
                named = {"mcp_protocol_version": revision, "mcp_method": "tools/list"}
                return await post(app, asked, **named)
            about = {"name": "t", "version": "1"}
            params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": about}
            opening = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
            headers, _ = await post(app, opening)
            named = {
                "mcp_protocol_version": revision,
                "mcp_session_id": headers["mcp-session-id"],
            }
            await post(app, {"jsonrpc": "2.0", "method": "notifications/initialized"}, **named)
            return await post(app, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, **named)

    headers, body = anyio.run(talk)
    if "content-length" in headers:
        assert int(headers["content-length"]) == len(body)
    text = body.decode()
    if headers["content-type"].startswith("text/event-stream"):
        (text,) = (line[6:] for line in text.splitlines() if line.startswith("data: {"))
    assert json.loads(text)["result"]["tools"] == json.loads(stored)


def test_a_middleware_that_leaves_tools_out_is_heard() -> None:
    """An author's own, around the stored lists: nothing is put in that it has taken out."""
    server = create_server([tool("a"), tool("b")], {"a": print, "b": print})

    async def hide_b(ctx: Any, call_next: Any) -> Any:
        result = await call_next(ctx)
        if ctx.method != "tools/list":
            return result
        return {**result, "tools": [held for held in result["tools"] if held["name"] != "b"]}

    server.middleware.insert(0, hide_b)
    app = http_app(server, Application(), host="127.0.0.1")
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}
    named = {"mcp_protocol_version": "2026-07-28", "mcp_method": "tools/list"}

    async def talk() -> bytes:
        async with server.session_manager.run():
            return (await post(app, asked, **named))[1]

    listed = json.loads(anyio.run(talk))["result"]["tools"]
    assert [held["name"] for held in listed] == ["a"]


def test_an_answer_without_a_list_is_left_alone() -> None:
    """Not even where a tool's answer looks like an empty list of tools."""
    server = create_server([tool("a")], {"a": lambda arguments, context: {"tools": []}})
    app = http_app(server, Application(), host="127.0.0.1")
    params = {"name": "a", "arguments": {}, "_meta": META}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    named = {"mcp_protocol_version": "2026-07-28", "mcp_method": "tools/call", "mcp_name": "a"}

    async def talk() -> bytes:
        async with server.session_manager.run():
            return (await post(app, asked, **named))[1]

    assert json.loads(anyio.run(talk))["result"]["structuredContent"] == {"tools": []}


def test_a_foreign_host_and_a_bad_accept_header_get_no_list() -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}
    named = {"mcp_protocol_version": "2026-07-28", "mcp_method": "tools/list"}

    async def talk(**wrong: str) -> bytes:
        server = create_server([tool("a")], {"a": print})
        app = http_app(server, Application(), host="127.0.0.1")
        async with server.session_manager.run():
            return (await post(app, asked, **named, **wrong))[1]

    assert b"tools" in anyio.run(talk)
    assert b"tools" not in anyio.run(partial(talk, host="evil.example"))
    assert b"tools" not in anyio.run(partial(talk, accept="text/html"))
