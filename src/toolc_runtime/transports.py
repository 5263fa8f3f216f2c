"""Running a server over standard input and output, or over HTTP."""

from __future__ import annotations

import json
import signal
import socket
import sys
import threading
from contextlib import redirect_stdout, suppress
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

from toolc_runtime.application import Application

PATH = "/mcp"
HEALTH_PATH = "/healthz"

_LOCAL = ("127.0.0.1", "localhost", "[::1]")
_EVERYWHERE = frozenset({"", "0.0.0.0", "::"})

_PATIENCE = 2
"""Seconds that open HTTP requests get to finish when the server is told to stop."""

_LONGEST_REREAD = 1024 * 1024
"""Characters of an unreadable message that are looked through for its id."""


def run_stdio(server: Server[Any]) -> None:
    """Serve the one client at the other end of stdin and stdout, until it leaves.

    SIGINT ends the process at once, as the SDK's reader would sit it out until stdin closes.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        anyio.run(_serve_stdio, server)
    except* BrokenPipeError:
        pass  # the client left without a word, so there is nobody to tell


async def _serve_stdio(server: Server[Any]) -> None:
    # While stdio_server holds it, descriptor 1 is stderr's, but what stands in sys.stdout's buffer
    # would come out at the end, when it is the wire again: `print` goes to stderr outright.
    async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as tasks:
        send, receive = anyio.create_memory_object_stream[SessionMessage | Exception]()

        async def relay() -> None:
            async with send:
                async for item in incoming:
                    if isinstance(item, Exception):
                        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                            await outgoing.send(SessionMessage(_refusal(item)))
                    else:
                        await send.send(item)

        tasks.start_soon(relay)
        with redirect_stdout(sys.stderr):
            await server.run(receive, outgoing, server.create_initialization_options())
        tasks.cancel_scope.cancel()


def _refusal(unreadable: Exception) -> JSONRPCError:
    """The answer to a line that is no message; the SDK gives none, and its sender would wait.

    JSON-RPC 2.0 section 5.1: -32700 for what cannot be parsed, -32600 for what is no message (MCP
    has no batches); the id is null where none can be told.
    """
    is_json, value = _what_was_read(unreadable)
    identity = value.get("id") if isinstance(value, dict) else None
    if isinstance(identity, bool) or not isinstance(identity, (int, str)):
        identity = None
    if is_json:
        error = ErrorData(code=INVALID_REQUEST, message="The line is not one JSON-RPC message")
    else:
        error = ErrorData(code=PARSE_ERROR, message="The line is not JSON that can be read")
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


def bind_socket(host: str, port: int) -> socket.socket:
    """A bound socket that does not listen yet; port 0 takes a free one. OSError where it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # where it would let two servers share one port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError:
        bound.close()
        raise
    return bound


def run_http(
    server: Server[Any],
    bound: socket.socket,
    application: Application,
    *,
    host: str,
    names: tuple[str, ...] = (),
    stream: bool = False,
) -> bool:
    """Serve streamable HTTP at `/mcp` on a bound socket, until a signal ends it; False where the
    server's application could not be started, which has been logged.

    Requests must name the local host, `host` or one of `names` as theirs, whatever the address: it
    is what keeps web pages from reaching a server through a name of their own (DNS rebinding).
    With `stream`, answers are event streams where there is something to tell before the result:
    progress and log messages arrive, at a third more work.
    """
    import uvicorn

    app = http_app(server, application, host=host, names=names, stream=stream)
    try:
        uvicorn.Server(uvicorn.Config(app, **http_settings())).run(sockets=[bound])
    except SystemExit:  # uvicorn's way out when the lifespan does not begin
        return False
    return True


def http_app(
    server: Server[Any],
    application: Application,
    *,
    host: str,
    names: tuple[str, ...] = (),
    stream: bool = False,
    has_sessions: bool = True,
) -> Any:
    """The ASGI application of a server: MCP at `/mcp`, and `/healthz`, which says `ok` to whoever asks,
    under whatever name and without a token."""
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route

    async def tell_health(_request: Any) -> PlainTextResponse:
        return PlainTextResponse("ok\n", headers={"Cache-Control": "no-store"})

    auth = application.auth
    app = server.streamable_http_app(
        auth=auth,
        token_verifier=None if auth is None else application,
        streamable_http_path=PATH,
        json_response=not stream,
        stateless_http=not has_sessions,
        transport_security=_security(host, names),
        custom_starlette_routes=[Route(HEALTH_PATH, tell_health, methods=["GET"])],
    )

    async def tell_failures_once(scope: Any, receive: Any, send: Any) -> None:
        async def send_on(event: Any) -> None:
            # The log has why the application did not start; Starlette sends the traceback again.
            await send({**event, "message": ""} if event["type"].endswith(".failed") else event)

        await app(scope, receive, send_on if scope["type"] == "lifespan" else send)

    return tell_failures_once


def http_settings() -> dict[str, Any]:
    """How uvicorn is to run it."""
    return {
        "log_level": "warning",
        "access_log": False,
        "timeout_graceful_shutdown": _PATIENCE,
    }


def _security(host: str, names: tuple[str, ...]) -> TransportSecuritySettings:
    own = () if host in _EVERYWHERE else (f"[{host}]" if ":" in host else host,)
    allowed = tuple(dict.fromkeys((*_LOCAL, *own, *names)))
    return TransportSecuritySettings(
        allowed_hosts=[form for name in allowed for form in (name, f"{name}:*")],
        allowed_origins=[
            form
            for name in allowed
            for scheme in ("http", "https")
            for form in (f"{scheme}://{name}", f"{scheme}://{name}:*")
        ],
    )
