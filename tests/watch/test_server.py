"""A server that a watch runs, as the official client sees it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import anyio
from mcp import Client

from .conftest import StartWatch, Watch, tool, write

HANDLER = """from toolc_runtime import Context
from ..contracts.one import OneParams


def one(params: OneParams, context: Context) -> str:
    return "{answer}"
"""


class Seen(NamedTuple):
    server: str
    description: str | None
    answer: str
    """Of a tool whose handler has been written; a stub's would be an error, with a traceback."""


def see(port: int) -> Seen:
    """What a client sees of the server, and what the tool `one` answers."""

    async def talk() -> Seen:
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            assert client.server_info is not None
            tools = {one.name: one for one in (await client.list_tools()).tools}
            text = ""
            if tools["one"].description == "Do more":
                result = await client.call_tool("one", {})
                text = getattr(result.content[0], "text", "")
            return Seen(client.server_info.name, tools["one"].description, text)

    return anyio.run(talk)


def wait_until(is_so: Callable[[Seen], bool], port: int) -> None:
    for _ in Watch.clock():
        with suppress(Exception):  # it is not up yet, or no more
            if is_so(see(port)):
                return


def test_a_server_follows_what_is_built(project: Path, start_watch: StartWatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    watch = start_watch("--json", "--serve", "--port", str(port))
    watch.event("ready")
    watch.built()
    assert watch.event("starting")["command"] == "the server"
    wait_until(lambda seen: seen.description == "Do one", port)
    write(project / "generated/handlers/one.py", HANDLER.format(answer="done"))
    write(project / "tooldefs/one.toml", tool("one", "Do more"))
    watch.built()
    wait_until(lambda seen: seen.answer == "done", port)
    write(project / "generated/handlers/one.py", HANDLER.format(answer="done again"))
    wait_until(lambda seen: seen.answer == "done again", port)
    write(project / "toolc.toml", '[server]\nname = "other"\n')
    watch.built()
    assert watch.event("starting")["command"] == "the server"
    wait_until(lambda seen: seen.server == "other", port)
