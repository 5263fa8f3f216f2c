"""Serving one client over standard input and output.

The SDK's transport starts a thread for each line, in both directions, and its writer serialises a
list of tools anew each time. Here the event loop reads and writes the pipes, and a stored list goes
out as the bytes that it is. Where it cannot, the SDK's transport is used: on Windows, and where stdin
or stdout is a file, a terminal, or one thing with another stream.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import stat
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from types import TracebackType
from typing import Any, Self

import anyio
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from pydantic_core import from_json, to_json

from toolc_runtime.listing import StoredTools

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of a message. One that is longer is refused, and not kept meanwhile."""

_LONGEST_REREAD = 1024 * 1024
"""Characters of an unreadable message that are looked through for its id."""

_MOST_WAITING = 100
"""Messages that are read ahead of the server; the client's writes wait then."""


def run_stdio(server: Server[Any]) -> None:
    """Serve the one client at the other end of stdin and stdout, until it leaves.

    SIGINT ends the process at once: a handler that works in a thread would sit it out.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        anyio.run(_serve_pipes if _are_pipes() else _serve_files, server)
    except* BrokenPipeError:
        pass  # the client left without a word, so there is nobody to tell


def _are_pipes() -> bool:
    """Whether stdin and stdout are pipes or sockets, each for itself.

    An event loop has to set them to not blocking. That holds for all who share one: a stderr that is
    stdout's pipe would lose what is written to it while the client is slow, and a terminal is the
    shell's too. A socket that is both is closed by asyncio when the client speaks.
    """
    if sys.platform == "win32":
        return False
    try:
        if (sys.stdin.fileno(), sys.stdout.fileno()) != (0, 1):
            return False
        streams = [os.fstat(descriptor) for descriptor in (0, 1, 2)]
    except (AttributeError, OSError, ValueError):
        return False
    are_pipes = [stat.S_ISFIFO(held.st_mode) or stat.S_ISSOCK(held.st_mode) for held in streams]
    different = {(held.st_dev, held.st_ino) for held in streams}
    return are_pipes[0] and are_pipes[1] and len(different) == len(streams)


async def _serve_pipes(server: Server[Any]) -> None:
    loop = asyncio.get_running_loop()
    with _wire() as (stdin, stdout):
        outgoing = Outgoing()
        incoming = Incoming(outgoing)
        outgoing.on_lost = incoming.end
        # The transports close these.
        await loop.connect_write_pipe(lambda: outgoing, os.fdopen(stdout, "wb", buffering=0))
        await loop.connect_read_pipe(lambda: incoming, os.fdopen(stdin, "rb", buffering=0))
        try:
            options = server.create_initialization_options()
            await server.run(incoming, outgoing, options)
        finally:
            await incoming.aclose()
            await outgoing.finish()


@contextmanager
def _wire() -> Iterator[tuple[int, int]]:
    """Descriptors of their own for the wire; meanwhile whoever reads stdin finds nothing there, and
    what is written to stdout goes to stderr."""
    kept = [(os.dup(descriptor), descriptor) for descriptor in (0, 1)]
    wire = os.dup(0), os.dup(1)
    were_blocking = [os.get_blocking(descriptor) for descriptor in wire]
    nothing = os.open(os.devnull, os.O_RDONLY)
    try:
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        # What has been printed so far would come out at the end, when it is the wire again.
        sys.stdout.flush()
        with redirect_stdout(sys.stderr):
            yield wire
    finally:
        os.close(nothing)
        for (copy, descriptor), was_blocking in zip(kept, were_blocking, strict=True):
            os.set_blocking(copy, was_blocking)
            os.dup2(copy, descriptor)
            os.close(copy)


class _Stream:
    """What the SDK enters, and closes when it leaves."""

    async def aclose(self) -> None:
        raise NotImplementedError

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()


class Incoming(_Stream, asyncio.Protocol):
    """The messages of the client, as the SDK's server reads them from a stream.

    A line that is no message is answered here, as the SDK leaves it without an answer.
    """

    def __init__(self, outgoing: Outgoing) -> None:
        self._outgoing = outgoing
        self._transport: asyncio.ReadTransport | None = None
        self._unfinished: list[bytes] = []
        self._size = 0
        self._messages: deque[SessionMessage] = deque()
        self._arrived: asyncio.Future[None] | None = None
        self._has_ended = False

    # What the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.ReadTransport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        *lines, rest = data.split(b"\n")
        for line in lines:
            self._line_ended(line)
        if rest:
            self._keep(rest)
        if len(self._messages) > _MOST_WAITING and self._transport is not None:
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        if self._size:
            self._line_ended(b"")
        self.end()

    def connection_lost(self, exc: Exception | None) -> None:
        self.end()

    def end(self) -> None:
        """There is no client any more."""
        self._has_ended = True
        self._wake()

    def _keep(self, part: bytes) -> None:
        """Keep the beginning of a line, as long as it is not too long."""
        self._size += len(part)
        if self._size <= LONGEST_LINE:
            self._unfinished.append(part)
        else:
            self._unfinished.clear()

    def _line_ended(self, last: bytes) -> None:
        line = last
        if self._size:
            self._keep(last)
            line = b"".join(self._unfinished)
            self._unfinished.clear()
        size, self._size = self._size, 0
        if size > LONGEST_LINE:
            said = f"The line is longer than {LONGEST_LINE} bytes"
            self._refuse(_error(INVALID_REQUEST, said))
            return
        try:
            message = read_message(line)
        except ValueError as error:
            self._refuse(refusal(error))
        else:
            self._messages.append(SessionMessage(message))

    def _refuse(self, answer: JSONRPCError) -> None:
        with suppress(anyio.BrokenResourceError):
            self._outgoing.write(answer)

    def _wake(self) -> None:
        if self._arrived is not None and not self._arrived.done():
            self._arrived.set_result(None)

    # What the SDK calls

    async def receive(self) -> SessionMessage:
        while not self._messages:
            if self._has_ended:
                raise anyio.EndOfStream
            if self._transport is not None:
                self._transport.resume_reading()
            self._arrived = asyncio.get_running_loop().create_future()
            try:
                await self._arrived
            finally:
                self._arrived = None
        return self._messages.popleft()

    async def aclose(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def __aiter__(self) -> Incoming:
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


class Outgoing(_Stream, asyncio.BaseProtocol):
    """The messages to the client, as the SDK's server writes them to a stream."""

    def __init__(self) -> None:
        self.on_lost: Callable[[], None] = lambda: None
        """Called when the client reads no longer."""
        self._transport: asyncio.WriteTransport | None = None
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._closed = asyncio.Event()

    # What the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport

    def pause_writing(self) -> None:
        self._may_write.clear()

    def resume_writing(self) -> None:
        self._may_write.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self._may_write.set()
        self._closed.set()
        self.on_lost()

    # What the SDK calls

    async def send(self, item: SessionMessage) -> None:
        self.write(item.message)
        if not self._may_write.is_set():
            await self._may_write.wait()

    def write(self, message: JSONRPCMessage) -> None:
        """Hand a message over at once; BrokenResourceError where nobody reads."""
        if self._transport is None or self._transport.is_closing():
            raise anyio.BrokenResourceError
        for part in write_message(message):
            self._transport.write(part)

    async def aclose(self) -> None:
        """The SDK closes its stream more than once, and before the last refusals: see `finish`."""

    async def finish(self) -> None:
        """Return when the client has all of it, or has gone."""
        if self._transport is not None:
            self._transport.close()
            await self._closed.wait()


def read_message(line: bytes) -> JSONRPCMessage:
    """The message of a line; ValueError (of pydantic's where there is more to say) if it is none."""
    try:
        value = from_json(line)
        if "method" in value:
            kind = JSONRPCRequest if "id" in value else JSONRPCNotification
            return kind.model_validate(value, by_name=False)
    except (ValueError, TypeError):
        pass  # what is wrong with it is told below
    text = line.decode("utf-8", "replace")
    return jsonrpc_message_adapter.validate_json(text, by_name=False)


def write_message(message: JSONRPCMessage) -> tuple[bytes, ...]:
    """The parts of a message's line; stored tools are one of them as they are, for they are large."""
    if isinstance(message, JSONRPCResponse):
        tools = message.result.get("tools")
        if isinstance(tools, StoredTools):
            others = {key: value for key, value in message.result.items() if key != "tools"}
            head = b'{"jsonrpc":"2.0","id":%b,"result":{%b"tools":' % (
                to_json(message.id),
                to_json(others)[1:-1] + b"," * bool(others),
            )
            return head, tools.encoded, b"}}\n"
    return (message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n",)


async def _serve_files(server: Server[Any]) -> None:
    """By the SDK's transport, which can read and write whatever there is."""
    from mcp.server.stdio import stdio_server

    # While stdio_server holds it, descriptor 1 is stderr's, but what stands in sys.stdout's buffer
    # would come out at the end, when it is the wire again: `print` goes to stderr outright.
    async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as tasks:
        send, receive = anyio.create_memory_object_stream[SessionMessage | Exception]()

        async def relay() -> None:
            async with send:
                async for item in incoming:
                    if isinstance(item, Exception):
                        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                            await outgoing.send(SessionMessage(refusal(item)))
                    else:
                        await send.send(item)

        tasks.start_soon(relay)
        with redirect_stdout(sys.stderr):
            await server.run(receive, outgoing, server.create_initialization_options())
        tasks.cancel_scope.cancel()


def refusal(unreadable: Exception) -> JSONRPCError:
    """The answer to a line that is no message; the SDK gives none, and its sender would wait.

    JSON-RPC 2.0 section 5.1: -32700 for what cannot be parsed, -32600 for what is no message (MCP
    has no batches); the id is null where none can be told.
    """
    is_json, value = _what_was_read(unreadable)
    identity = value.get("id") if isinstance(value, dict) else None
    if isinstance(identity, bool) or not isinstance(identity, (int, str)):
        identity = None
    if is_json:
        return _error(INVALID_REQUEST, "The line is not one JSON-RPC message", identity)
    return _error(PARSE_ERROR, "The line is not JSON that can be read", identity)


def _error(code: int, message: str, identity: str | int | None = None) -> JSONRPCError:
    error = ErrorData(code=code, message=message)
    return JSONRPCError(jsonrpc="2.0", id=identity, error=error)


def _what_was_read(unreadable: Exception) -> tuple[bool, object]:
    """Whether the SDK's parser took the line for JSON, and what it read, if that can be told."""
    if not isinstance(unreadable, ValidationError):
        return False, None
    for problem in unreadable.errors(include_url=False, include_context=False):
        read = problem["input"]
        if problem["type"] == "json_invalid":
            return False, _reread(str(read))
        if isinstance(read, (dict, list)):
            return True, read
    return True, None


def _reread(line: str) -> object:
    """What Python's parser makes of a line: it lets lone surrogates pass, so there may be an id."""
    if len(line) <= _LONGEST_REREAD:
        with suppress(ValueError, RecursionError):
            return json.loads(line)
    return None
