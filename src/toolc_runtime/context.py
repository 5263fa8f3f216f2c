"""What a handler learns of the call it serves, and how it speaks while it works."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Protocol

from toolc_runtime.absent import ABSENT, Absent
from toolc_runtime.convert import to_json
from toolc_runtime.jsonvalue import JsonValue

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
        self._line: Line | None = line

    def debug(self, message: str, /, **data: Any) -> None:
        self._write("debug", message, data)

    def info(self, message: str, /, **data: Any) -> None:
        self._write("info", message, data)

    def warning(self, message: str, /, **data: Any) -> None:
        self._write("warning", message, data)

    def error(self, message: str, /, **data: Any) -> None:
        self._write("error", message, data)

    def leave_client(self) -> None:
        """Write to the server's log alone from now on: no message may follow the answer of its call."""
        self._line = None

    def _write(self, level: str, message: str, data: Mapping[str, Any]) -> None:
        written = "".join(f" {name}={item!r}" for name, item in data.items())
        self._logger.log(_LEVELS[level], "%s%s", message, written)
        if (line := self._line) is not None:
            line.log(level, {"message": message, **data} if data else message)


class Context:
    """One call of a tool, given to its handler beside the parameters.

    `log` writes messages, `request_id` and `meta` are the request's own, `protocol_version` is the
    MCP revision that the client speaks. `deadline` is when the call's time runs out, in seconds of
    the event loop's clock (`anyio.current_time()`; `time.monotonic()` in a thread), None where it
    has no `timeout`. `sdk` is the SDK's own request context
    (`mcp.server.context.ServerRequestContext`), for what toolc has no word for; None outside a server.
    """

    __slots__ = (
        "_has_ended",
        "_line",
        "deadline",
        "log",
        "meta",
        "protocol_version",
        "put_aside",
        "request_id",
        "sdk",
    )

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
        self.deadline: float | None = None
        self.put_aside: JsonValue | Absent = ABSENT
        """What `partial` was last given."""
        self._line = line
        self._has_ended = False

    @property
    def cancelled(self) -> bool:
        """Whether the client has cancelled the call, or its time has run out. Usable from threads.

        Python cannot stop a thread: a handler that works in one looks here now and then, and
        returns when nobody waits for its answer any more.
        """
        return self._has_ended or _is_task_cancelled()

    def partial(self, data: Any) -> None:
        """Put aside what there is so far: it is the answer if the call's time runs out.

        `data` is what the handler would return; it is copied, so it may be changed afterwards. Each
        call replaces what the one before put aside. Usable from threads. NotJsonError for what has
        no JSON form.
        """
        self.put_aside = to_json(data)

    async def progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Tell the client, if it asked, that `done` of `total` is done; `done` only ever grows.

        From a sync handler: `anyio.from_thread.run(context.progress, 3, 10)`.
        """
        if not self._has_ended:
            await self._line.progress(done, total, message)

    def end(self) -> None:
        """Called by the runtime when nobody waits any more: from now on the client hears nothing."""
        self._has_ended = True
        self.log.leave_client()


def _is_task_cancelled() -> bool:
    """Whether the task that waits for this thread, one of anyio's, is cancelled."""
    from anyio.from_thread import check_cancelled

    try:
        check_cancelled()
    except RuntimeError:  # another thread, or the event loop's own
        return False
    except BaseException:  # the backend's own exception, which only a loop would know by name
        return True
    return False
