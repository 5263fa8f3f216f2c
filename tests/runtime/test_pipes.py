"""The pipes of a stdio server: where they are used, and what the event loop makes of their bytes."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.message import SessionMessage
from mcp_types import ElicitResult, JSONRPCResponse, jsonrpc_message_adapter

from toolc.model.tool import Tool
from toolc_runtime import create_server, stdio
from toolc_runtime.listing import StoredTools

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
PING: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
PONG = {"jsonrpc": "2.0", "id": 1, "result": {}}

SAY_WHETHER = """
import sys
from toolc_runtime.stdio import _are_pipes
sys.stderr.write(f"pipes: {_are_pipes()}")
"""


def server(project_folder: Path, **streams: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "notes_server"], cwd=project_folder, **streams)


def says_pipes(**streams: Any) -> bool:
    """Whether a process with these streams would use its pipes; `stderr` must be readable."""
    process = subprocess.Popen([sys.executable, "-c", SAY_WHETHER], **streams)
    return b"pipes: True" in b"".join(filter(None, process.communicate(timeout=60)))


PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_where_pipes_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert says_pipes(**PIPES)
    with (tmp_path / "file").open("w+b") as file:
        assert not says_pipes(**{**PIPES, "stdin": file})
        assert not says_pipes(**{**PIPES, "stdout": file})
    assert not says_pipes(**{**PIPES, "stdin": subprocess.DEVNULL})
    assert not says_pipes(**{**PIPES, "stderr": subprocess.STDOUT})
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert not says_pipes(**{**PIPES, "stdin": theirs, "stdout": theirs})
    monkeypatch.setattr(sys, "platform", "win32")
    assert not stdio._are_pipes()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_sockets_as_some_clients_give_them(project_folder: Path) -> None:
    ours, theirs = zip(*(socket.socketpair() for _ in range(2)), strict=True)
    process = server(project_folder, stdin=theirs[0], stdout=theirs[1])
    for end in theirs:
        end.close()
    with ours[0], ours[1], ours[1].makefile("rb") as answers, process:
        ours[0].sendall(json.dumps(INITIALIZE).encode() + b"\n" + json.dumps(PING).encode())
        assert json.loads(answers.readline())["id"] == 0
        ours[0].shutdown(socket.SHUT_WR)  # the last line counts without its end
        assert json.loads(answers.readline()) == PONG
        assert answers.readline() == b""
    assert process.returncode == 0


def test_files_as_stdin_and_stdout(project_folder: Path, tmp_path: Path) -> None:
    asked, answered = tmp_path / "asked", tmp_path / "answered"
    asked.write_text(f"{json.dumps(INITIALIZE)}\nnope\n", encoding="utf-8")
    with asked.open("rb") as stdin, answered.open("wb") as stdout:
        assert server(project_folder, stdin=stdin, stdout=stdout).wait(timeout=60) == 0
    # One answer need not wait for the other.
    lines = answered.read_text("utf-8").splitlines()
    answers = {answer["id"]: answer for answer in map(json.loads, lines)}
    assert answers.keys() == {0, None}
    assert "result" in answers[0]
    assert answers[None]["error"]["code"] == -32700


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_a_program_has_its_streams_back_afterwards(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import os, sys, toolc_runtime\n"
        "print('before')\n"
        "toolc_runtime.serve([], {})\n"
        "print('and on', os.get_blocking(1), sys.stdin.read())\n",
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONUNBUFFERED": ""}
    done = subprocess.run(
        [sys.executable, str(program)], input=b"", capture_output=True, env=environment
    )
    assert done.stdout.split() == [b"and", b"on", b"True"], done.stderr
    assert done.stderr.split() == [b"before"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_a_client_that_reads_slowly_gets_all(project_folder: Path) -> None:
    """More than a pipe holds, read only when the server has seen the end of its input."""
    process = server(project_folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    asked = [{**PING, "id": at, "method": "tools/list"} for at in range(1, 30)]
    assert process.stdin is not None and process.stdout is not None
    with process:
        for message in (INITIALIZE, *asked):
            process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 0
        lines = [json.loads(process.stdout.readline()) for _ in asked]
        process.stdin.close()
    assert {line["id"] for line in lines} == set(range(1, 30))
    assert all(line["result"]["tools"] for line in lines)


class Sent(stdio.Outgoing):
    """Keeps what would be written."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[Any] = []

    def write(self, message: Any) -> None:
        self.messages.append(json.loads(b"".join(stdio.write_message(message))))


def read(*chunks: bytes) -> tuple[list[Any], list[Any]]:
    """The messages that bytes come to, and the answers to what is none."""

    async def receive() -> list[Any]:
        for chunk in chunks:
            incoming.data_received(chunk)
        incoming.eof_received()
        return [item.message async for item in incoming]

    sent = Sent()
    incoming = stdio.Incoming(sent)
    return anyio.run(receive), sent.messages


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_lines_may_come_in_any_pieces(size: int) -> None:
    text = "".join(
        json.dumps({**PING, "id": at, "params": {"text": "é€😀" * at}}, ensure_ascii=False) + end
        for at, end in enumerate(["\n", "\r\n", "\n", ""])
    ).encode()
    messages, refused = read(*(text[at : at + size] for at in range(0, len(text), size)))
    assert [message.id for message in messages] == [0, 1, 2, 3]
    assert [message.params["text"] for message in messages] == ["", "é€😀", "é€😀" * 2, "é€😀" * 3]
    assert refused == []


def test_a_line_that_is_too_long_is_refused_and_the_next_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stdio, "LONGEST_LINE", 100)
    ping = json.dumps(PING).encode()
    messages, refused = read(b"[" * 60, b"[" * 60, b"[" * 60, b"\n" + ping + b"\n", b"[" * 101)
    assert [message.id for message in messages] == [1]
    assert [answer["error"]["code"] for answer in refused] == [-32600, -32600]
    assert refused[0]["error"]["message"] == "The line is longer than 100 bytes"


MESSAGES = [
    {"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"a": [1, 2.5, None, True, "x"]}},
    {"jsonrpc": "2.0", "id": "one", "method": "m"},
    {"jsonrpc": "2.0", "method": "m", "params": {}},
    {"jsonrpc": "2.0", "id": None, "method": "m"},
    {"jsonrpc": "2.0", "id": 1, "result": {}},
    {"jsonrpc": "2.0", "id": None, "error": {"code": -1, "message": "m"}},
]


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_is_what_the_sdk_takes_it_for(message: dict[str, Any]) -> None:
    line = json.dumps(message)
    meant = jsonrpc_message_adapter.validate_json(line, by_name=False)
    assert stdio.read_message(line.encode()) == meant


def test_bytes_that_are_no_utf_8_become_replacement_characters() -> None:
    (message,), refused = read(b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"\xff"}}\n')
    assert message.params == {"a": "\N{REPLACEMENT CHARACTER}"}
    assert refused == []


@pytest.mark.parametrize("others", [{}, {"ttlMs": 0, "_meta": {"a": None}}])
def test_stored_tools_are_written_as_their_bytes(others: dict[str, Any]) -> None:
    tools = StoredTools([{"name": "a", "default": None}])
    tools.encoded = b'[{"name":"as stored"}]'
    answer = JSONRPCResponse(jsonrpc="2.0", id="x", result={"tools": tools, **others})
    assert json.loads(b"".join(stdio.write_message(answer))) == {
        "jsonrpc": "2.0",
        "id": "x",
        "result": {"tools": [{"name": "as stored"}], **others},
    }


def test_more_messages_than_are_read_ahead_make_the_client_wait() -> None:
    calls: list[str] = []

    class Reading(asyncio.ReadTransport):
        def pause_reading(self) -> None:
            calls.append("pause")

        def resume_reading(self) -> None:
            calls.append("resume")

        def close(self) -> None:
            calls.append("close")

    async def talk() -> None:
        incoming = stdio.Incoming(Sent())
        incoming.connection_made(Reading())
        incoming.data_received(json.dumps(PING).encode() + b"\n")
        assert calls == []
        incoming.data_received((json.dumps(PING).encode() + b"\n") * 200)
        assert calls == ["pause"]
        for _ in range(201):
            assert isinstance(await incoming.receive(), SessionMessage)
        incoming.end()
        with pytest.raises(anyio.EndOfStream):
            await incoming.receive()

    anyio.run(talk)


ASKING = '''
import anyio
from mcp_types import CallToolResult, TextContent
from toolc.model.tool import Tool
import toolc_runtime

given_up = []


async def ask(arguments, context):
    """Asks the person, in the middle of the call."""
    schema = {"type": "object", "properties": {"colour": {"type": "string"}}}
    session = context.sdk.session
    answer = await session.elicit_form("Which?", schema, related_request_id=context.request_id)
    await context.progress(1, 2, "asked")
    return answer.content["colour"]


async def hang(arguments, context):
    try:
        await anyio.sleep_forever()
    finally:
        given_up.append(context.request_id)


async def count(arguments, context):
    return str(len(given_up))


handlers = {"ask": ask, "hang": hang, "count": count}
tools = [Tool(name, {"type": "object"}) for name in handlers]
toolc_runtime.serve(tools, handlers)
'''


def test_a_handler_asks_the_client_and_a_client_gives_up(tmp_path: Path) -> None:
    """Requests in both directions, progress, and a cancelled call, by the official client."""
    program = tmp_path / "program.py"
    program.write_text(ASKING, encoding="utf-8")
    told = []

    async def answer(context: Any, params: Any) -> ElicitResult:
        return ElicitResult(action="accept", content={"colour": "green"})

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async def talk() -> None:
        parameters = StdioServerParameters(
            command=sys.executable, args=[str(program)], env=dict(os.environ)
        )
        async with Client(parameters, mode="legacy", elicitation_callback=answer) as client:
            result: Any = await client.call_tool("ask", {}, progress_callback=note)
            assert result.content[0].text == "green"
            with anyio.move_on_after(0.5):
                await client.call_tool("hang", {})
            result = await client.call_tool("count", {})
            assert result.content[0].text == "1"

    anyio.run(talk)
    assert told == [(1, 2, "asked")]


def test_the_sdk_hands_stored_tools_to_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """It copies results on their way; if it ever copied what is in them, no bytes were spliced."""

    async def talk() -> Any:
        outgoing = stdio.Outgoing()
        written: list[Any] = []
        monkeypatch.setattr(outgoing, "write", written.append)
        incoming = stdio.Incoming(outgoing)
        for message in (INITIALIZE, {"jsonrpc": "2.0", "method": "notifications/initialized"}):
            incoming.data_received(json.dumps(message).encode() + b"\n")
        incoming.data_received(json.dumps({**PING, "method": "tools/list"}).encode() + b"\n")
        server = create_server([Tool("a", {"type": "object"})], {"a": print})
        async with anyio.create_task_group() as tasks:
            options = server.create_initialization_options()
            tasks.start_soon(server.run, incoming, outgoing, options)
            while len(written) < 2:
                await anyio.sleep(0.01)
            tasks.cancel_scope.cancel()
        return written[1].result["tools"]

    assert type(anyio.run(talk)) is StoredTools
