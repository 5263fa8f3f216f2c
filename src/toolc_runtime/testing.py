"""For tests of handlers: a context to call one with, and calls of tools by the way that clients take.

Under pytest both are fixtures, `make_context` and `call` (see `toolc_pytest`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from toolc_runtime.context import Context
from toolc_runtime.jsonvalue import JsonObject, JsonValue
from toolc_runtime.revision import LATEST_REVISION

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client


class Logged(NamedTuple):
    """A message that a handler logged."""

    level: str
    message: str
    data: Mapping[str, Any]


class Progress(NamedTuple):
    """How far a handler said that it was."""

    done: float
    total: float | None
    message: str | None


class RecordingContext(Context):
    """A context outside a server, which keeps what its handler says."""

    __slots__ = ("logged", "told")

    def __init__(
        self,
        *,
        tool: str = "test",
        request_id: str | int | None = 1,
        protocol_version: str = LATEST_REVISION,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        self.logged: list[Logged] = []
        """What went to `log`, in order."""
        self.told: list[Progress] = []
        """What went to `progress`, in order."""
        super().__init__(
            tool=tool,
            request_id=request_id,
            protocol_version=protocol_version,
            meta=meta or {},
            line=_Recorder(self.logged, self.told),
        )


class _Recorder:
    """The line of a context that has no client."""

    def __init__(self, logged: list[Logged], told: list[Progress]) -> None:
        self._logged = logged
        self._told = told

    def log(self, level: str, data: Any) -> None:
        further = dict(data) if isinstance(data, dict) else {"message": data}
        self._logged.append(Logged(level, further.pop("message"), further))

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        self._told.append(Progress(done, total, message))


def make_context(
    *,
    tool: str = "test",
    request_id: str | int | None = 1,
    protocol_version: str = LATEST_REVISION,
    meta: Mapping[str, Any] | None = None,
) -> RecordingContext:
    """A context to call a handler with: `await find_notes(params, make_context())`."""
    return RecordingContext(
        tool=tool, request_id=request_id, protocol_version=protocol_version, meta=meta
    )


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a client gets of a call."""

    data: JsonValue
    """The structured content; None where there is none."""
    text: str
    """The texts of the content, joined by line feeds."""
    is_error: bool
    error: JsonObject | None
    """What `{"error": …}` holds: `code`, `message` and so on; None where it is no error."""
    content: Sequence[Any]
    """The content blocks, the SDK's."""


class ToolCaller:
    """Calls the tools of a generated folder by the SDK's client, in memory, from any thread.

    The code of the tools must be importable. As a context manager; the server starts with the first
    call, in a thread of its own.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open = ExitStack()
        self._started: tuple[BlockingPortal, Client] | None = None

    def __enter__(self) -> ToolCaller:
        return self

    def __exit__(self, *_: object) -> None:
        self._started = None
        self._open.close()

    def call(self, name: str, arguments: Mapping[str, Any] | None = None) -> ToolAnswer:
        """The answer of a tool.

        The SDK's exceptions pass: MCPError for a tool that is not there, RuntimeError for an answer
        that does not fit the tool's `outputSchema`. PackageError where nothing is built.
        """
        portal, client = self._started or self._start()
        result = portal.call(client.call_tool, name, dict(arguments or {}))
        text = "\n".join(block.text for block in result.content if block.type == "text")
        return ToolAnswer(
            data=result.structured_content,
            text=text,
            is_error=bool(result.is_error),
            error=_error(text) if result.is_error else None,
            content=result.content,
        )

    def _start(self) -> tuple[BlockingPortal, Client]:
        from anyio.from_thread import start_blocking_portal
        from mcp import Client

        from toolc_runtime.package import load_package
        from toolc_runtime.server import Catalog, LiveCatalog, build_server

        package = load_package(self._folder)
        live = LiveCatalog(Catalog(package.tools, package.facts.ui_dir, package.facts.ranking))
        portal = self._open.enter_context(start_blocking_portal())
        connecting = portal.wrap_async_context_manager(Client(build_server(live, package.facts)))
        self._started = portal, self._open.enter_context(connecting)
        return self._started


def _error(text: str) -> JsonObject:
    """The error that an error result tells; its text as the message where it is another's."""
    try:
        told = json.loads(text)
    except ValueError:
        told = None
    error = told.get("error") if isinstance(told, dict) else None
    return error if isinstance(error, dict) else {"message": text}
