"""A server's HTTP side: its readiness, its checks, its end."""

from __future__ import annotations

import asyncio
import http.client
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol
from urllib.parse import urlsplit

import pytest

from toolc_runtime.command import _listen
from toolc_runtime.package import PackageError
from toolc_runtime.tool import count_failed
from toolc_runtime.transports import bind_socket

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
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


class StartHttp(Protocol):
    def __call__(self, log: Path, *options: str) -> AbstractContextManager[Any]: ...


@pytest.fixture(scope="module")
def server(start_http: StartHttp, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    log = tmp_path_factory.mktemp("plain") / "log"
    with start_http(log, "--allow-host", "notes.example") as server:
        yield server


def post(url: str, body: Any, **headers: str) -> tuple[int, str, str]:
    """Status, content type and text of an answer."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=20)
    fixed = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        text = body if isinstance(body, str) else json.dumps(body)
        connection.request("POST", place.path, text.encode(), {**fixed, **named})
        answer = connection.getresponse()
        return answer.status, answer.headers["Content-Type"] or "", answer.read().decode()
    finally:
        connection.close()


def test_all_code_is_imported_before_the_port_opens(server: Any) -> None:
    told = server.log.read_text(encoding="utf-8")
    assert told.index("hunter2 at import") < told.index(
        "notes 1.2.3 · 11 tools · http://127.0.0.1:"
    )


def test_handlers_that_cannot_be_loaded_are_counted_below_their_tracebacks(server: Any) -> None:
    told = server.log.read_text(encoding="utf-8")
    last, ready = told[: told.index(server.url)].splitlines()[-2:]
    assert last == "1 of 11 handlers cannot be loaded: broken"
    assert ready.startswith("notes 1.2.3")


def test_many_names_are_not_all_listed() -> None:
    line = count_failed([f"t{n}" for n in range(12)], 20)
    assert line == (
        "12 of 20 handlers cannot be loaded: t0, t1, t2, t3, t4, t5, t6, t7, t8, t9 and 2 more"
    )


@pytest.mark.parametrize(
    ("headers", "line"),
    [
        (
            {"Host": "foreign.example:8443"},
            "its Host names the host foreign.example. If that is a name of this server, start it "
            "with --allow-host foreign.example",
        ),
        (
            {"Origin": "https://other.example"},
            "its Origin names the host other.example. If that is a name of this server, start it "
            "with --allow-host other.example",
        ),
        ({"Origin": "null"}, "Invalid Origin header: null"),
    ],
)
def test_the_log_names_the_option_that_lets_a_host_in(
    server: Any, headers: dict[str, str], line: str
) -> None:
    post(server.url, INITIALIZE, **headers)
    assert line in server.log.read_text(encoding="utf-8")


def test_answers_are_json_unless_streams_are_asked_for(server: Any, http_server: Any) -> None:
    assert post(server.url, INITIALIZE)[:2] == (200, "application/json")
    assert post(http_server.url, INITIALIZE)[1].startswith("text/event-stream")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("localhost:1234", 200),
        ("[::1]:80", 200),
        ("notes.example", 200),
        ("notes.example:8443", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("", 421),
    ],
)
def test_only_known_names_of_the_server_are_served(server: Any, host: str, status: int) -> None:
    assert post(server.url, INITIALIZE, Host=host)[0] == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost:3000", 200),
        ("https://notes.example", 200),
        ("https://evil.example", 403),
        ("null", 403),
    ],
)
def test_only_known_origins_are_served(server: Any, origin: str, status: int) -> None:
    assert post(server.url, INITIALIZE, Origin=origin)[0] == status


def test_the_checks_hold_on_every_address(start_http: StartHttp, tmp_path: Path) -> None:
    with start_http(tmp_path / "log", "--host", "0.0.0.0") as everywhere:
        url = everywhere.url.replace("0.0.0.0", "127.0.0.1")
        assert post(url, INITIALIZE)[0] == 200
        assert post(url, INITIALIZE, Host="evil.example")[0] == 421


def modern_call(tool: str, /, **arguments: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """The body and the headers of a stateless `tools/call`."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": tool, "arguments": arguments, "_meta": meta}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {
        "MCP_Protocol_Version": "2026-07-28",
        "Mcp_Method": "tools/call",
        "Mcp_Name": tool,
    }
    return body, headers


def test_a_header_that_contradicts_its_argument_is_refused(server: Any) -> None:
    body, headers = modern_call("by_region", region="eu")
    assert post(server.url, body, **headers, Mcp_Param_Region="eu")[0] == 200
    assert post(server.url, body, **headers, Mcp_Param_Region="us")[0] == 400


@pytest.mark.parametrize("by_stream", [False, True])
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Mcp_Param_Region": "eu"}, 200),
        ({"Mcp_Param_Region": "us"}, 400),
        ({"Mcp_Param_Other": "us"}, 200),
    ],
)
def test_a_header_is_compared_through_execute_tool_where_one_is_sent(
    server: Any, http_server: Any, by_stream: bool, headers: dict[str, str], status: int
) -> None:
    url = (http_server if by_stream else server).url
    body, fixed = modern_call("execute_tool", name="by_region", parameters={"region": "eu"})
    answered, _, told = post(url, body, **fixed, **headers)
    assert answered == status
    assert ("Mcp-Param-Region header does not match" in told) is (status == 400)


@pytest.mark.parametrize("tag", ["\ud800", float("nan")])
def test_what_lenient_parsers_let_pass_is_refused_as_input(server: Any, tag: Any) -> None:
    body, headers = modern_call("describe", count=1, tag=tag)
    status, _, told = post(server.url, body, **headers)
    assert status == 200
    assert "INVALID_INPUT" in told


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_ends_it_quietly_though_a_client_listens(
    start_http: StartHttp, tmp_path: Path
) -> None:
    with start_http(tmp_path / "log") as server:
        post(server.url, INITIALIZE)
        before = server.log.read_text(encoding="utf-8")
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(timeout=20) == 130
        assert server.log.read_text(encoding="utf-8").removeprefix(before) in (
            "",
            "handlers: imported\n",  # what the import printed, at last out of stdout's buffer
        )


@pytest.mark.parametrize("options", [[], ["--stream"]])
def test_a_call_that_is_cut_short_leaves_no_traceback(
    start_http: StartHttp, tmp_path: Path, options: list[str]
) -> None:
    body, headers = modern_call("wait")
    with start_http(tmp_path / "log", *options) as server:
        place = urlsplit(server.url)
        fixed = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=20)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("POST", place.path, json.dumps(body), {**fixed, **named})
        post(server.url, INITIALIZE)  # by now the server has the call
        before = server.log.read_text(encoding="utf-8")
        server.process.terminate()
        server.process.wait(timeout=20)
        connection.close()
        told = server.log.read_text(encoding="utf-8").removeprefix(before)
    assert "wait: cancelled" in told
    assert "Cancel 1 running task(s)" in told
    assert "Traceback" not in told


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "notes_server", *options],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--host", "no.such.host.invalid"], "error: cannot listen on no.such.host.invalid:8000: "),
        (["--port", "99999"], "error: cannot listen on 127.0.0.1:99999: "),
    ],
)
def test_an_address_that_cannot_be(project_folder: Path, options: list[str], message: str) -> None:
    ended = run(project_folder, "--transport", "http", *options)
    assert ended.returncode == 2
    assert ended.stderr.startswith(message)
    assert len(ended.stderr.splitlines()) == 1


def test_a_port_that_is_taken(project_folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = run(project_folder, "--transport", "http", "--port", str(port))
    assert ended.returncode == 2
    assert ended.stderr == f"error: cannot listen on 127.0.0.1:{port}: Address already in use\n"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere two cannot be bound")
def test_of_two_servers_that_start_at_once_one_says_that_the_port_is_taken() -> None:
    first = bind_socket("127.0.0.1", 0)
    port: int = first.getsockname()[1]
    with first, bind_socket("127.0.0.1", port) as second:
        first.listen()
        with pytest.raises(PackageError, match=f"cannot listen on 127.0.0.1:{port}: Address"):
            _listen(second, SimpleNamespace(host="127.0.0.1", port=port))


def get(url: str, path: str, host: str) -> tuple[int, str]:
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=20)
    try:
        connection.request("GET", path, headers={"Host": host})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "10.1.2.3:8000"])
def test_its_health_is_told_to_everybody(server: Any, host: str) -> None:
    """A cluster asks by an address that no client uses."""
    assert get(server.url, "/healthz", host) == (200, "ok\n")


def test_several_processes_behind_one_port(start_http: StartHttp, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with start_http(log, "--workers", "2", "--allow-host", "notes.example") as server:
        assert "notes 1.2.3 · 2 processes · http://" in log.read_text(encoding="utf-8")
        assert get(server.url, "/healthz", "127.0.0.1") == (200, "ok\n")
        for _ in range(8):
            assert post(server.url, INITIALIZE, Host="notes.example")[:2] == (
                200,
                "application/json",
            )
        assert post(server.url, INITIALIZE, Host="evil.example")[0] == 421
        server.process.terminate()
        assert server.process.wait(20) == 0
        with pytest.raises(ConnectionRefusedError):
            get(server.url, "/healthz", "127.0.0.1")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_ends_several_processes_as_it_ends_one(
    start_http: StartHttp, tmp_path: Path
) -> None:
    with start_http(tmp_path / "log", "--workers", "2") as server:
        assert get(server.url, "/healthz", "127.0.0.1") == (200, "ok\n")
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(20) == 130


def test_small_answers_are_sent_at_once() -> None:
    """Without waiting for the client to acknowledge what came before, 40 ms later."""

    async def accepted() -> bool:
        loop = asyncio.get_running_loop()
        arrived: asyncio.Future[asyncio.BaseTransport] = loop.create_future()

        class Connection(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                arrived.set_result(transport)

        bound = bind_socket("127.0.0.1", 0)
        server = await loop.create_server(Connection, sock=bound)
        async with server:
            _, writer = await asyncio.open_connection(*bound.getsockname())
            connection: socket.socket = (await arrived).get_extra_info("socket")
            is_set = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            writer.close()
            return bool(is_set)

    assert asyncio.run(accepted())
