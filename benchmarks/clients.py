"""Servers under measurement, and the least client that can talk to them."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from figure import NotMeasuredError

HANDSHAKE, STATELESS = "2025-11-25", "2026-07-28"
"""A revision of each era of the protocol."""

_READY = 60.0  # seconds to wait for a port to open
_CLIENT = {"name": "benchmark", "version": "1"}


class Messages:
    """The messages of a client that speaks one revision."""

    def __init__(self, revision: str) -> None:
        self.revision = revision
        self._last = 0

    def opening(self) -> list[bytes]:
        """What is sent before anything else: a request and a notification, or nothing."""
        if self.revision == STATELESS:
            return []
        params = {"protocolVersion": self.revision, "capabilities": {}, "clientInfo": _CLIENT}
        done = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        return [self.request("initialize", params), json.dumps(done).encode()]

    def request(self, method: str, params: dict[str, Any]) -> bytes:
        self._last += 1
        if self.revision == STATELESS:
            about = "io.modelcontextprotocol/"
            meta = {
                f"{about}protocolVersion": self.revision,
                f"{about}clientInfo": _CLIENT,
                f"{about}clientCapabilities": {},
            }
            params = {**params, "_meta": meta}
        message = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}
        return json.dumps(message).encode()


class Server:
    """A running server, asked one thing at a time."""

    def __init__(self, process: subprocess.Popen[bytes], messages: Messages) -> None:
        self.process = process
        self._messages = messages

    def ask(self, method: str, params: dict[str, Any]) -> bytes:
        """The answer as it came."""
        raise NotImplementedError

    def result(self, method: str, params: dict[str, Any]) -> Any:
        """What is answered; NotMeasuredError for an error."""
        answer = json.loads(self.ask(method, params))
        if "result" not in answer or answer["result"].get("isError"):
            raise NotMeasuredError(f"{method} was answered {json.dumps(answer)[:200]}")
        return answer["result"]

    def cpu(self) -> float:
        """The seconds of CPU that its process has used so far, all threads and the kernel's part."""
        if sys.platform != "linux":
            raise NotMeasuredError("the CPU of a server is read as Linux tells it")
        return time.clock_gettime((~self.process.pid << 3) | 2)  # the kernel's clock of a process

    def memory(self) -> int:
        """Bytes of its process that are in memory now."""
        try:
            lines = Path(f"/proc/{self.process.pid}/status").read_text("ascii").splitlines()
        except OSError:
            raise NotMeasuredError("memory is read from /proc, which is not here") from None
        (line,) = (line for line in lines if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024


class StdioServer(Server):
    def open(self) -> None:
        for message in self._messages.opening():
            self._send(message)
            if b'"id"' in message:
                self.receive()

    def ask(self, method: str, params: dict[str, Any]) -> bytes:
        self._send(self._messages.request(method, params))
        return self.receive()

    def receive(self) -> bytes:
        """The next line."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise NotMeasuredError("a server ended")
        return line

    def _send(self, message: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(message + b"\n")
        self.process.stdin.flush()


class HttpServer(Server):
    """One connection that is kept open."""

    def __init__(self, process: subprocess.Popen[bytes], messages: Messages, port: int) -> None:
        super().__init__(process, messages)
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._session: dict[str, str] = {}

    def open(self) -> None:
        for message in self._messages.opening():
            self._post(message, {})

    def ask(self, method: str, params: dict[str, Any]) -> bytes:
        headers = {"MCP-Protocol-Version": self._messages.revision, **self._session}
        if self._messages.revision == STATELESS:
            headers["Mcp-Method"] = method
            if "name" in params:
                headers["Mcp-Name"] = params["name"]
        return self._post(self._messages.request(method, params), headers)

    def _post(self, message: bytes, headers: dict[str, str]) -> bytes:
        kinds = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        said = {**kinds, **self._session, **headers}
        try:
            self._connection.request("POST", "/mcp", message, said)
            response = self._connection.getresponse()
        except (ConnectionError, http.client.BadStatusLine):
            # Closed by the server, which has waited while others were started.
            self._connection.close()
            self._connection.request("POST", "/mcp", message, said)
            response = self._connection.getresponse()
        if (session := response.headers.get("Mcp-Session-Id")) is not None:
            self._session = {"Mcp-Session-Id": session}
        return response.read()


@contextlib.contextmanager
def stdio(
    command: Sequence[str], folder: Path, environment: dict[str, str], revision: str = HANDSHAKE
) -> Iterator[StdioServer]:
    """A server on stdin and stdout, past its handshake, for the time of a `with`."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with process, contextlib.ExitStack() as stack:
        stack.callback(process.kill)
        server = StdioServer(process, Messages(revision))
        server.open()
        yield server


@contextlib.contextmanager
def http_server(
    command: Sequence[str], folder: Path, environment: dict[str, str], revision: str = STATELESS
) -> Iterator[HttpServer]:
    """The same over HTTP; `{port}` in the command stands for a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [part.replace("{port}", str(port)) for part in command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with process, contextlib.ExitStack() as stack:
        stack.callback(process.kill)
        _wait_for(port, process)
        server = HttpServer(process, Messages(revision), port)
        server.open()
        yield server


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _READY
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise NotMeasuredError("a server did not open its port")
