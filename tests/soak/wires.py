"""The client's end of a server, byte by byte: over HTTP and over stdio, in both eras of MCP.

The official client would not send what a soak has to send.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple, TypeAlias

PATIENCE = 60.0
"""Seconds that an answer may take, on a machine that does other things too."""

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "soak", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "soak", "version": "1"},
}

_MOST_IDLE = 2.0
"""Seconds; the server closes a connection that was idle for 5."""

Json: TypeAlias = Any


class Answer(NamedTuple):
    status: int
    """Of HTTP; over stdio 200."""
    message: Json
    """The JSON-RPC message; None where there was none."""
    told: list[Json]
    """The notifications that came with it."""


class Peer:
    """What both kinds of client share. A peer may be used by several tasks at once."""

    transport = ""

    def __init__(self, era: str, *, streams: bool) -> None:
        """`streams`: whether notifications can arrive while a call runs."""
        self.era = era
        self.streams = streams
        self._identities = count(1)

    def request(self, method: str, params: Mapping[str, Json] | None = None, **meta: Json) -> Json:
        """A request with an id of its own; `meta` goes into its `_meta`."""
        said = {**(META if self.era == "modern" else {}), **meta}
        held = {**(params or {}), **({"_meta": said} if said else {})}
        return {"jsonrpc": "2.0", "id": next(self._identities), "method": method, "params": held}

    def tool_call(self, tool: str, arguments: Mapping[str, Json], **meta: Json) -> Json:
        return self.request("tools/call", {"name": tool, "arguments": arguments}, **meta)

    async def call(self, tool: str, **arguments: Json) -> Answer:
        return await self.ask(self.tool_call(tool, arguments))

    async def begin(self) -> None:
        """Begin a session, where the era has one."""

    async def end(self) -> None:
        """End it; the peer can begin another."""

    async def ask(self, request: Json) -> Answer:
        """The answer to a request, by its id."""
        raise NotImplementedError

    async def ask_raw(self, text: bytes) -> Answer:
        """The answer to something that is no message."""
        raise NotImplementedError

    async def cancel(self, request: Json, after: float) -> Answer | None:
        """Send a request and take it back, as the era has it; what is answered, if anything is to be."""
        raise NotImplementedError

    async def close(self) -> None:
        """Leave."""


def encode(message: Json) -> bytes:
    """Lone surrogates become `\\ud800`, which is what a careless client sends."""
    return json.dumps(message).encode()


class HttpPeer(Peer):
    transport = "http"

    def __init__(self, port: int, era: str, *, streams: bool) -> None:
        super().__init__(era, streams=streams)
        self._port = port
        self._idle: list[tuple[float, asyncio.StreamReader, asyncio.StreamWriter]] = []
        """Connections to be used again, since when they are idle."""
        self.session = ""

    async def begin(self) -> None:
        if self.era == "modern":
            return
        request = self.request("initialize", INITIALIZE)
        answered = await self._exchange("POST", encode(request), {})
        self.session = answered[1]["mcp-session-id"]
        await self.notify("notifications/initialized", {})

    async def end(self) -> None:
        if self.session:
            status, _, _ = await self._exchange("DELETE", b"", self.headers())
            assert status == 200, f"DELETE was answered {status}"
            self.session = ""

    async def notify(self, method: str, params: Json) -> int:
        body = encode({"jsonrpc": "2.0", "method": method, "params": params})
        return (await self._exchange("POST", body, self.headers()))[0]

    def headers(self, request: Json = None) -> dict[str, str]:
        if self.era == "legacy":
            fixed = {"MCP-Protocol-Version": "2025-11-25"}
            return {**fixed, **({"Mcp-Session-Id": self.session} if self.session else {})}
        said = {"MCP-Protocol-Version": "2026-07-28"}
        if isinstance(request, dict):
            said["Mcp-Method"] = request["method"]
            if "name" in request["params"]:
                said["Mcp-Name"] = request["params"]["name"]
        return said

    async def ask(self, request: Json) -> Answer:
        return await self.post(encode(request), self.headers(request))

    async def ask_raw(self, text: bytes) -> Answer:
        return await self.post(text, self.headers(self.tool_call("echo", {})))

    async def post(self, body: bytes, headers: Mapping[str, str]) -> Answer:
        status, told, text = await self._exchange("POST", body, headers)
        if told.get("content-type", "").startswith("text/event-stream"):
            events = [
                json.loads(line[5:]) for line in text.split(b"\r\n") if line.startswith(b"data:")
            ]
            notified = [event for event in events if "method" in event]
            answers = [event for event in events if "method" not in event]
            assert len(answers) == 1, f"{len(answers)} answers in one stream"
            return Answer(status, answers[0], notified)
        is_json = told.get("content-type", "").startswith("application/json")
        return Answer(status, json.loads(text) if is_json else None, [])

    async def cancel(self, request: Json, after: float) -> Answer | None:
        if self.era == "modern":
            await self.leave(encode(request), self.headers(request), after)
            return None
        asked = asyncio.create_task(self.ask(request))
        await asyncio.sleep(after)
        await self.notify("notifications/cancelled", {"requestId": request["id"]})
        return await asked

    async def leave(
        self, body: bytes, headers: Mapping[str, str], after: float, *, share: float = 1.0
    ) -> None:
        """Send a request, or the first `share` of its body, and close the connection `after` seconds."""
        _, writer = await asyncio.open_connection("127.0.0.1", self._port)
        head = self._head("POST", body, headers)
        writer.write(head + body[: int(len(body) * share)])
        await writer.drain()
        await asyncio.sleep(after)
        await _close(writer)

    async def listen(self, after: float) -> None:
        """Open the session's stream of notifications, and close it `after` seconds."""
        _, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(self._head("GET", b"", self.headers()))
        await writer.drain()
        await asyncio.sleep(after)
        await _close(writer)

    def _head(self, method: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        fixed = {
            "Host": f"127.0.0.1:{self._port}",
            "Accept": "text/event-stream"
            if method == "GET"
            else "application/json, text/event-stream",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
        }
        lines = [f"{name}: {value}" for name, value in {**fixed, **headers}.items()]
        return "\r\n".join([f"{method} /mcp HTTP/1.1", *lines, "", ""]).encode()

    async def _exchange(
        self, method: str, body: bytes, headers: Mapping[str, str]
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of the answer."""
        sent = self._head(method, body, headers) + body
        while self._idle:
            since, reader, writer = self._idle.pop()
            if time.monotonic() - since < _MOST_IDLE:
                break
            await _close(writer)
        else:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            async with asyncio.timeout(PATIENCE):
                writer.write(sent)
                # Not before an answer begins: a body that is too large is refused unread.
                with suppress(ConnectionError):
                    await writer.drain()
                status, told, text = await _read_answer(reader)
        except BaseException:
            await _close(writer)
            raise
        if told.get("connection") == "close":
            await _close(writer)
        else:
            self._idle.append((time.monotonic(), reader, writer))
        return status, told, text

    async def close(self) -> None:
        while self._idle:
            await _close(self._idle.pop()[2])


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def _read_answer(reader: asyncio.StreamReader) -> tuple[int, dict[str, str], bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    told = {
        name.lower(): value.strip()
        for name, _, value in (line.partition(":") for line in head[1:] if line)
    }
    if told.get("transfer-encoding") != "chunked":
        text = await reader.readexactly(int(told.get("content-length", "0")))
    else:
        chunks = []
        while size := int(await reader.readline(), 16):
            chunks.append(await reader.readexactly(size))
            await reader.readline()
        await reader.readline()
        text = b"".join(chunks)
    return int(head[0].split(" ")[1]), told, text


class StdioPeer(Peer):
    transport = "stdio"

    def __init__(self, process: asyncio.subprocess.Process, era: str) -> None:
        super().__init__(era, streams=True)
        self._process = process
        self._asked: dict[Json, asyncio.Future[Json]] = {}
        self._told: dict[Json, list[Json]] = {}
        self._raw: deque[asyncio.Future[Json]] = deque()
        self._forgotten: set[Json] = set()
        self.strays: list[Json] = []
        """Messages that nobody waited for."""
        self._reading = asyncio.create_task(self._read())

    async def begin(self) -> None:
        if self.era == "legacy":
            await self.ask(self.request("initialize", INITIALIZE))
            await self._send(encode({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        else:
            await self.ask(self.request("tools/list"))

    async def ask(self, request: Json) -> Answer:
        waiting = self._asked[request["id"]] = asyncio.get_running_loop().create_future()
        told = self._told[request["id"]] = []
        await self._send(encode(request))
        try:
            return Answer(200, await asyncio.wait_for(waiting, PATIENCE), told)
        finally:
            del self._asked[request["id"]], self._told[request["id"]]

    async def ask_raw(self, text: bytes) -> Answer:
        waiting: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._raw.append(waiting)
        await self._send(text)
        return Answer(200, await asyncio.wait_for(waiting, PATIENCE), [])

    async def cancel(self, request: Json, after: float) -> Answer | None:
        self._forgotten.add(request["id"])
        await self._send(encode(request))
        await asyncio.sleep(after)
        params = {"requestId": request["id"]}
        await self._send(
            encode({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
        )
        return None

    async def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        await asyncio.wait_for(self._reading, PATIENCE)

    async def _send(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + b"\n")
        await self._process.stdin.drain()

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            message = json.loads(line)
            identity = message.get("id")
            if "method" in message:
                token = message["params"].get("progressToken")
                self._told.get(token, self.strays if token is not None else []).append(message)
            elif identity in self._asked:
                self._asked[identity].set_result(message)
            elif identity is None and self._raw:
                self._raw.popleft().set_result(message)
            elif identity not in self._forgotten:
                self.strays.append(message)


def resident_bytes(pid: int) -> int:
    """How much memory a process has."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def descriptors(pid: int) -> int:
    """How many file descriptors a process has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))
