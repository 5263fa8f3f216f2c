"""The wire of a stdio server, line by line: what the SDK alone would get wrong."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}


class Wire:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def send(self, line: str | dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write((line if isinstance(line, str) else json.dumps(line)) + "\n")
        self.process.stdin.flush()

    def receive(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self, line: str | dict[str, Any]) -> Any:
        self.send(line)
        return self.receive()

    def call(self, identity: int, tool: str, **arguments: Any) -> Any:
        params = {"name": tool, "arguments": arguments}
        return self.ask(
            {"jsonrpc": "2.0", "id": identity, "method": "tools/call", "params": params}
        )

    def end(self) -> tuple[str, str]:
        """What else came over stdout, and stderr, once stdin is closed."""
        return self.process.communicate(timeout=20)


TRANSPORTS = {
    "pipes": "",
    "the SDK's": "from toolc_runtime import stdio; stdio._are_pipes = lambda: False; ",
}
"""What is done before a server starts on each of the two transports."""

Running = Callable[[Path], AbstractContextManager[Wire]]


@pytest.fixture(params=TRANSPORTS)
def running(request: pytest.FixtureRequest) -> Running:
    return lambda folder: run(folder, TRANSPORTS[request.param])


@contextmanager
def run(folder: Path, before: str) -> Iterator[Wire]:
    code = f"{before}from toolc_runtime import main; raise SystemExit(main('notes_server'))"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    wire = Wire(process)
    try:
        assert wire.ask(INITIALIZE)["id"] == 0
        wire.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        yield wire
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            assert pipe is not None
            pipe.close()


def test_prints_never_reach_the_wire(running: Running, project_folder: Path) -> None:
    """Neither those of an import at the first call, nor a handler's, nor at the end."""
    with running(project_folder) as wire:
        assert wire.call(1, "describe", count=1)["result"]["content"]
        assert wire.call(2, "broken")["result"]["isError"] is True
        rest, errors = wire.end()
        assert rest == ""
        assert "handlers: imported" in errors
        assert "describe: printed by a handler" in errors
        assert wire.process.returncode == 0


def test_what_cannot_be_read_is_answered_and_the_server_lives_on(
    running: Running, project_folder: Path
) -> None:
    call = (
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"describe","arguments":%s}}'
    )
    with running(project_folder) as wire:
        for line, code, identity in [
            ("{nope", -32700, None),
            ("[" * 5000, -32700, None),
            (call % '{"count":1,"tag":"\\ud800"}', -32700, 7),
            ("[]", -32600, None),
            ('[{"jsonrpc":"2.0","id":2,"method":"ping"}]', -32600, None),
            ('{"jsonrpc":"2.0","id":5,"method":5}', -32600, 5),
            ('"text"', -32600, None),
        ]:
            answer = wire.ask(line)
            assert (answer["id"], answer["error"]["code"]) == (identity, code), line
        assert "count: nan is no JSON number" in json.dumps(wire.ask(call % '{"count":NaN}'))
        assert wire.ask({"jsonrpc": "2.0", "id": 9, "method": "ping"})["result"] == {}


@pytest.mark.parametrize("how", ["surrogate", "told badly", "nan"])
def test_an_answer_that_no_writer_can_write_kills_no_server(
    running: Running, project_folder: Path, how: str
) -> None:
    with running(project_folder) as wire:
        assert wire.call(1, "fail", how=how)["result"]["isError"] is True
        assert wire.call(2, "describe", count=1)["id"] == 2


def test_handlers_that_hang_leave_the_wire_alone(running: Running, project_folder: Path) -> None:
    with running(project_folder) as wire:
        wire.call(0, "rest", seconds=0)
        for identity in range(1, 46):
            params = {"name": "rest", "arguments": {"seconds": 1}}
            wire.send({"jsonrpc": "2.0", "id": identity, "method": "tools/call", "params": params})
        assert wire.ask({"jsonrpc": "2.0", "id": "ping", "method": "ping"})["id"] == "ping"


def test_the_list_has_vendors_keys(running: Running, project_folder: Path) -> None:
    with running(project_folder) as wire:
        listed = wire.ask({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})["result"]["tools"]
        (tool,) = (tool for tool in listed if tool["name"] == "describe")
        assert tool["x-vendor"] == {"tier": 1}
        assert listed == sorted(listed, key=lambda tool: tool["name"])


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_at_once_and_quietly(
    running: Running, project_folder: Path, number: signal.Signals
) -> None:
    with running(project_folder) as wire:
        wire.process.send_signal(number)
        assert wire.process.wait(timeout=20) == -number
        assert wire.process.stderr is not None
        assert wire.process.stderr.read() == ""


def test_a_client_that_goes_without_a_word(running: Running, project_folder: Path) -> None:
    with running(project_folder) as wire:
        assert wire.process.stdout is not None
        wire.process.stdout.close()
        wire.send({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert wire.process.stdin is not None
        wire.process.stdin.close()
        assert wire.process.wait(timeout=20) == 0
        assert wire.process.stderr is not None
        assert wire.process.stderr.read() == ""
