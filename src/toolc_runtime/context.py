"""What a handler learns of the call it serves, and how it speaks while it works."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Protocol

LOGGER = "toolc_runtime.tools"
"""Parent of the loggers, one a tool, that write what handlers log."""

_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


class Line(Protocol):
    """The way to the client while one of its calls is being served."""

    def log(self, level: str, data: Any) -> None:
        """Hand a log message over to be sent, from any thread; a client may not want it."""

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Tell how far the call is, if the client asked for that."""


class Log:
    """Messages to the server's log, and to the client where it takes them. Usable from threads."""

    def __init__(self, tool: str, line: Line) -> None:
        self._logger = logging.getLogger(f"{LOGGER}.{tool}")
        self._line = line

    def debug(self, message: str, /, **data: Any) -> None:
        self._write("debug", message, data)

    def info(self, message: str, /, **data: Any) -> None:
        self._write("info", message, data)

    def warning(self, message: str, /, **data: Any) -> None:
        self._write("warning", message, data)

    def error(self, message: str, /, **data: Any) -> None:
        self._write("error", message, data)

    def _write(self, level: str, message: str, data: Mapping[str, Any]) -> None:
        written = "".join(f" {name}={item!r}" for name, item in data.items())
        self._logger.log(_LEVELS[level], "%s%s", message, written)
        self._line.log(level, {"message": message, **data} if data else message)


class Context:
    """One call of a tool, given to its handler beside the parameters.

    `log` writes messages, `request_id` and `meta` are the request's own, `protocol_version` is the
    MCP revision that the client speaks. `sdk` is the SDK's own request context
    (`mcp.server.context.ServerRequestContext`), for what toolc has no word for; None outside a server.
    """

    __slots__ = ("_line", "log", "meta", "protocol_version", "request_id", "sdk")

    def __init__(
        self,
        *,
        tool: str,
        request_id: str | int | None,
        protocol_version: str,
        meta: Mapping[str, Any],
        line: Line,
        sdk: Any = None,
    ) -> None:
        self.log = Log(tool, line)
        self.request_id = request_id
        self.protocol_version = protocol_version
        self.meta = meta
        self.sdk = sdk
        self._line = line

    async def progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Tell the client, if it asked, that `done` of `total` is done; `done` only ever grows.

        From a sync handler: `anyio.from_thread.run(context.progress, 3, 10)`.
        """
        await self._line.progress(done, total, message)
