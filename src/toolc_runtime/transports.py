"""Running a server over HTTP."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings

from toolc_runtime.application import Application
from toolc_runtime.listing import SplicedLists

PATH = "/mcp"
HEALTH_PATH = "/healthz"

_LOCAL = ("127.0.0.1", "localhost", "[::1]")
_EVERYWHERE = frozenset({"", "0.0.0.0", "::"})

_PATIENCE = 2
"""Seconds that open HTTP requests get to finish when the server is told to stop."""


def bind_socket(host: str, port: int) -> socket.socket:
    """A bound socket that does not listen yet; port 0 takes a free one. OSError where it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named, as asyncio sends small answers at once only where it is (TCP_NODELAY).
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
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
    on_start: Callable[[], None] = lambda: None,
) -> bool:
    """Serve streamable HTTP at `/mcp` on a bound socket, until a signal ends it; False where the
    server's application could not be started, which has been logged.

    Requests must name the local host, `host` or one of `names` as theirs, whatever the address: it
    is what keeps web pages from reaching a server through a name of their own (DNS rebinding).
    With `stream`, answers are event streams where there is something to tell before the result:
    progress and log messages arrive, at a third more work. `on_start` is called when the application
    runs and the port is open.
    """
    import uvicorn

    class Serving(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            on_start()

    app = http_app(server, application, host=host, names=names, stream=stream)
    try:
        Serving(uvicorn.Config(app, **http_settings())).run(sockets=[bound])
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
    served = server.streamable_http_app(
        auth=auth,
        token_verifier=None if auth is None else application,
        streamable_http_path=PATH,
        json_response=not stream,
        stateless_http=not has_sessions,
        transport_security=_security(host, names),
        custom_starlette_routes=[Route(HEALTH_PATH, tell_health, methods=["GET"])],
    )
    app = SplicedLists(served, server)

    async def tell_failures_once(scope: Any, receive: Any, send: Any) -> None:
        def send_on(event: Any) -> Any:
            # The log has why the application did not start; Starlette sends the traceback again.
            return send({**event, "message": ""} if event["type"].endswith(".failed") else event)

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
