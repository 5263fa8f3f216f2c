"""A server that a watch runs, as the official client sees it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import ToolListChangedNotification

from .conftest import BROKEN, GENEROUS, StartWatch, Watch, tool, write

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


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def wait_until(is_so: Callable[[Seen], bool], port: int) -> None:
    for _ in Watch.clock():
        with suppress(Exception):  # it is not up yet, or no more
            if is_so(see(port)):
                return


def test_a_server_follows_what_is_built(project: Path, start_watch: StartWatch) -> None:
    port = free_port()
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


def test_an_application_that_changes_is_started_anew(
    project: Path, start_watch: StartWatch
) -> None:
    port = free_port()
    write(project / "toolc.toml", '[server]\napp = "app:make"\n')
    write(project / "app.py", "def make(): return 'before'\n")
    write(project / "tooldefs/one.toml", tool("one", "Do more"))
    write(project / "generated/handlers/one.py", "def one(params, context): return context.app\n")
    watch = start_watch("--json", "--serve", "--port", str(port))
    watch.event("ready")
    watch.built()
    assert watch.event("starting")["command"] == "the server"
    wait_until(lambda seen: seen.answer == "before", port)
    write(project / "app.py", "def make(): return 'after'\n")
    assert watch.event("starting")["command"] == "the server"
    wait_until(lambda seen: seen.answer == "after", port)


NO_APPLICATION = "[server] app = 'app:make': there is no 'make' in 'app'"


@pytest.fixture
def broken(project: Path) -> Path:
    """The project with an application that cannot be started."""
    write(project / "toolc.toml", '[server]\napp = "app:make"\n')
    write(project / "app.py", "")
    write(project / "tooldefs/one.toml", tool("one", "Do more"))
    write(project / "generated/handlers/one.py", "def one(params, context): return context.app\n")
    return project


def test_a_server_that_cannot_start_is_started_with_the_next_change(
    broken: Path, start_watch: StartWatch
) -> None:
    port = free_port()
    watch = start_watch("--json", "--serve", "--port", str(port))
    watch.event("ready")
    watch.built()
    changes = {
        "app.py": "made = 'anything else'\n",
        "generated/handlers/one.py": "def one(params, context): return f'{context.app}!'\n",
        "tooldefs/two.toml": tool("two", "Do something else"),
    }
    for path, text in {"": "", **changes}.items():
        if path:
            write(broken / path, text)
        if path.startswith("tooldefs/"):
            watch.built()
        assert watch.event("starting")["command"] == "the server"
        ended = watch.event("ended")
        assert (ended["command"], ended["code"]) == ("the server", 2)
    write(broken / "app.py", "def make(): return 'mended'\n")
    assert watch.event("starting")["command"] == "the server"
    wait_until(lambda seen: seen.answer == "mended!", port)
    assert watch.end() in (0, 130)
    assert watch.stderr.count(f"error: {NO_APPLICATION}") == 4


@pytest.mark.parametrize("transport", ["http", "stdio"])
def test_a_server_to_be_served_that_cannot_start(broken: Path, transport: str) -> None:
    command = [sys.executable, "-m", "toolc"]
    subprocess.run([*command, "build"], cwd=broken, check=True, capture_output=True)
    port = free_port()
    options = ["--transport", "http", "--port", str(port)] if transport == "http" else []
    said = broken / "said"
    with said.open("w") as log:
        process = subprocess.Popen(
            [*command, "serve", "--watch", *options],
            cwd=broken,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=log,
        )
    try:
        if transport == "stdio":  # its client waits for an answer that never comes
            assert process.wait(GENEROUS) == 2
            return
        for _ in Watch.clock():
            if "ended with exit code 2; the next change starts it anew" in said.read_text():
                break
        write(broken / "app.py", "def make(): return 'mended'\n")
        wait_until(lambda seen: seen.answer == "mended", port)
    finally:
        process.terminate()
        process.communicate(timeout=GENEROUS)
    assert NO_APPLICATION in said.read_text()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_server_over_stdio_tells_its_client(project: Path, mode: Any) -> None:
    command = [sys.executable, "-m", "toolc"]
    subprocess.run([*command, "build"], cwd=project, check=True, capture_output=True)
    said = project / "said"

    async def talk(log: TextIO) -> None:
        parameters = StdioServerParameters(
            command=command[0],
            args=[*command[1:], "serve", "--watch"],
            cwd=project,
            env=dict(os.environ),
        )
        told = anyio.Event()

        async def hear(message: Any) -> None:
            if isinstance(message, ToolListChangedNotification):
                told.set()

        async def listen(client: Client) -> None:
            async with client.listen(tools_list_changed=True) as heard:
                async for _ in heard:
                    told.set()

        async with (
            Client(stdio_client(parameters, errlog=log), mode=mode, message_handler=hear) as client,
            anyio.create_task_group() as tasks,
        ):
            if mode == "auto":
                tasks.start_soon(listen, client)
            await client.list_tools()
            while "watching" not in said.read_text():
                await anyio.sleep(0.01)
            write(project / "tooldefs/three.toml", tool("three"))
            with anyio.fail_after(GENEROUS):
                await told.wait()
            write(project / "tooldefs/one.toml", BROKEN)
            with anyio.fail_after(GENEROUS):
                while "tooldefs/one.toml:2:15" not in said.read_text():
                    await anyio.sleep(0.01)
            names = [one.name for one in (await client.list_tools()).tools]
            assert names == ["deep", "one", "three", "two"]
            tasks.cancel_scope.cancel()

    with said.open("w") as log:
        anyio.run(talk, log)
