"""What a client does with a server, in every combination of transport and era: the table `ACTIONS` times
the table `LINES`. The client is the official one, the server a process that serves a built project and
reloads it. What each of these does in detail is tested elsewhere in this folder.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import ToolListChangedNotification

from .test_reload import Live, build

PROJECT = {
    "toolc.toml": """
        python.handlers = "handlers"
        [server]
        name = "live"
        """,
    "tooldefs/tools.toml": """
        [[tools]]
        name = "greet"
        description = "Greet somebody"
        handler = "handlers.tools:greet"
        parameters = [{ name = "name", type = "string", required = true }]
        output = [{ name = "greeting", type = "string", required = true }]

        [[tools]]
        name = "narrate"
        description = "Tell how far it is"
        handler = "handlers.tools:narrate"

        [[tools]]
        name = "wait"
        description = "Wait until it is cancelled"
        handler = "handlers.tools:wait"
        """,
    "handlers/tools.py": """
        import sys
        import anyio
        from toolc_runtime import ToolError

        def greet(params, context):
            if params.name == "Nobody":
                raise ToolError("NOT_FOUND", "nobody is there")
            return {"greeting": f"Hello, {params.name}"}

        async def narrate(params, context):
            context.log.info("half way", done=1)
            await context.progress(1, 2, "half way")
            return "done"

        async def wait(params, context):
            try:
                await anyio.sleep(60)
            finally:
                print("wait: cancelled", file=sys.stderr, flush=True)
        """,
}

PATIENCE = 30
"""Seconds, for what comes at once."""


class Line(NamedTuple):
    """A connected client, what it heard, and the project that it is served."""

    client: Client
    logs: list[tuple[str, Any]]
    changes: list[object]
    """Notifications that the list of tools has changed, as sessions have them."""
    live: Live


async def until(is_so: Callable[[], bool]) -> None:
    with anyio.fail_after(PATIENCE):
        while not is_so():
            await anyio.sleep(0.02)


async def names(line: Line) -> list[str]:
    listed = await line.client.list_tools(cache_mode="bypass")
    return [tool.name for tool in listed.tools]


async def list_tools(line: Line) -> None:
    assert {"greet", "narrate", "wait"} <= {*await names(line)}


async def call(line: Line) -> None:
    result: Any = await line.client.call_tool("greet", {"name": "Ada"})
    assert result.structured_content == {"greeting": "Hello, Ada"}
    assert json.loads(result.content[0].text) == {"greeting": "Hello, Ada"}


async def error_code(line: Line, arguments: dict[str, Any]) -> str:
    result: Any = await line.client.call_tool("greet", arguments)
    assert result.is_error
    return str(json.loads(result.content[0].text)["error"]["code"])


async def error_of_a_tool(line: Line) -> None:
    assert await error_code(line, {"name": "Nobody"}) == "NOT_FOUND"


async def wrong_arguments(line: Line) -> None:
    assert await error_code(line, {"nam": "Ada"}) == "MISSING_REQUIRED"


async def unknown_tool(line: Line) -> None:
    with pytest.raises(MCPError, match="Unknown tool: gret") as refused:
        await line.client.call_tool("gret", {})
    assert refused.value.code == -32602


async def progress(line: Line) -> None:
    told: list[Any] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    await line.client.call_tool("narrate", {}, progress_callback=note)
    assert told == [(1, 2, "half way")]


async def log_messages(line: Line) -> None:
    line.logs.clear()
    await line.client.call_tool("narrate", {})
    await until(lambda: bool(line.logs))
    assert line.logs == [("info", {"message": "half way", "done": 1})]


async def cancel(line: Line) -> None:
    before = line.live.log.count("wait: cancelled")
    with anyio.move_on_after(0.2):
        await line.client.call_tool("wait", {})
    await until(lambda: line.live.log.count("wait: cancelled") > before)
    await call(line)


async def list_changed(line: Line) -> None:
    async def change() -> None:
        more = {"tooldefs/more.toml": 'description = "New"\nhandler = "handlers.tools:greet"\n'}
        await anyio.to_thread.run_sync(build, line.live.folder, more)
        await anyio.to_thread.run_sync(line.live.reload)

    if line.client.protocol_version == "2025-11-25":
        await change()
        await until(lambda: bool(line.changes))
    else:
        async with line.client.listen(tools_list_changed=True) as heard:
            await change()
            with anyio.fail_after(PATIENCE):
                assert type(await anext(aiter(heard))).__name__ == "ToolsListChanged"
    assert "more" in await names(line)


ACTIONS: dict[str, Callable[[Line], Awaitable[None]]] = {
    "list": list_tools,
    "call": call,
    "error of a tool": error_of_a_tool,
    "wrong arguments": wrong_arguments,
    "unknown tool": unknown_tool,
    "progress": progress,
    "log messages": log_messages,
    "cancel": cancel,
    "list changed": list_changed,
}

LINES = {
    # name: the server's options, the client's mode, the revision that both agree on
    "stdio-2025": ((), "legacy", "2025-11-25"),
    "stdio-2026": ((), "auto", "2026-07-28"),
    "http-2025": (("--transport", "http", "--port", "0", "--stream"), "legacy", "2025-11-25"),
    "http-2026": (("--transport", "http", "--port", "0", "--stream"), "auto", "2026-07-28"),
}


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


@contextmanager
def connected(
    portal: BlockingPortal, server: Any, mode: Any, revision: str, live: Live
) -> Iterator[Line]:
    logs: list[tuple[str, Any]] = []
    changes: list[object] = []

    async def note(params: Any) -> None:
        logs.append((params.level, params.data))

    async def hear(message: Any) -> None:
        if isinstance(message, ToolListChangedNotification):
            changes.append(message)

    asked: Any = {"log_level": "info"} if mode == "auto" else {}
    client = Client(server, mode=mode, logging_callback=note, message_handler=hear, **asked)
    with portal.wrap_async_context_manager(client) as entered:
        assert entered.protocol_version == revision
        yield Line(entered, logs, changes, live)
        live.close()  # the server ends with it, and the client need not wait


@pytest.fixture(scope="module", params=LINES)
def line(
    request: pytest.FixtureRequest, portal: BlockingPortal, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Line]:
    options, mode, revision = LINES[request.param]
    folder: Path = tmp_path_factory.mktemp(request.param) / "project"
    build(folder, PROJECT)
    live = Live(folder)
    with ExitStack() as stack:
        stack.callback(live.close)
        log = stack.enter_context(live.log_file.open("w"))
        command, *arguments = live.command(*options)
        server: Any
        if options:
            stack.enter_context(subprocess.Popen([command, *arguments], stderr=log))
            stack.callback(live.close)
            server = live.wait_for(r"http://\S+/mcp")
        else:
            environment = dict(os.environ)
            server = stdio_client(
                StdioServerParameters(command=command, args=arguments, env=environment), errlog=log
            )
        yield stack.enter_context(connected(portal, server, mode, revision, live))


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes")
@pytest.mark.parametrize("action", ACTIONS)
def test_action(line: Line, portal: BlockingPortal, action: str) -> None:
    portal.call(ACTIONS[action], line)
