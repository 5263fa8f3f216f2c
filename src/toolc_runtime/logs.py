"""Log messages and progress on their way to a client, in both eras of the protocol."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from math import isfinite
from typing import TYPE_CHECKING, Any, get_args

import anyio
import anyio.from_thread
from mcp.server.context import ServerRequestContext
from mcp_types import (
    LOG_LEVEL_META_KEY,
    EmptyResult,
    LoggingLevel,
    LoggingMessageNotification,
    LoggingMessageNotificationParams,
    SetLevelRequestParams,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from toolc_runtime.context import Auth, ClientInfo
from toolc_runtime.convert import shown, to_json
from toolc_runtime.forms import can_ask
from toolc_runtime.jsonvalue import JsonValue, clean_text

if TYPE_CHECKING:
    from toolc_runtime.application import Running
    from toolc_runtime.asking import Questions
    from toolc_runtime.forms import Question

_LEVELS: tuple[LoggingLevel, ...] = get_args(LoggingLevel)
"""Ascending."""

_UNASKED: LoggingLevel = "info"
"""From which level on a client of the handshake era gets messages before it has said what it wants."""

_MOST_SESSIONS = 10_000
"""How many sessions' levels are remembered; past that all start anew."""


class LogLevels:
    """What the clients of the handshake era asked for with `logging/setLevel`, by session.

    Since 2026-07-28 each request says for itself what it wants, and nothing is sent unasked.
    """

    def __init__(self) -> None:
        self._asked: dict[str, LoggingLevel] = {}

    async def set_level(
        self, request: ServerRequestContext[Any, Any], params: SetLevelRequestParams
    ) -> EmptyResult:
        """The handler of `logging/setLevel`."""
        if len(self._asked) >= _MOST_SESSIONS:
            self._asked.clear()
        self._asked[_session(request)] = params.level
        return EmptyResult()

    def allows(self, level: LoggingLevel, request: ServerRequestContext[Any, Any]) -> bool:
        """Whether the client of `request` wants messages of `level`."""
        if request.protocol_version in MODERN_PROTOCOL_VERSIONS:
            lowest = (request.meta or {}).get(LOG_LEVEL_META_KEY)
        else:
            lowest = self._asked.get(_session(request), _UNASKED)
        return lowest in _LEVELS and _LEVELS.index(level) >= _LEVELS.index(lowest)


def _session(request: ServerRequestContext[Any, Any]) -> str:
    """The HTTP session of a request; stdio has one client and so one session."""
    if request.request is None:
        return ""
    return str(request.request.headers.get("mcp-session-id", ""))


class ClientLine:
    """One call's way to its client (see `context.Line`).

    Messages are taken from any thread and sent in order by a task of the server's, which is
    started by the first of them: most calls log nothing.
    """

    def __init__(
        self,
        tool: str,
        request: ServerRequestContext[Any, Any],
        running: Running,
        levels: LogLevels,
    ) -> None:
        self._tool = tool
        self._request = request
        self._running = running
        self._levels = levels
        self._unsent: list[LoggingMessageNotification] = []
        self._sending: anyio.Event | None = None
        self._questions: Questions | None = None

    def log(self, level: str, data: Any) -> None:
        known: LoggingLevel = level  # type: ignore[assignment]
        if not self._levels.allows(known, self._request):
            return
        message = LoggingMessageNotification(
            params=LoggingMessageNotificationParams(
                level=known, data=_loggable(data), logger=self._tool
            )
        )
        if threading.get_ident() == self._running.thread:
            self._post(message)
            return
        with suppress(RuntimeError):  # a thread that outlived the server has nobody to tell
            anyio.from_thread.run_sync(self._post, message, token=self._running.loop)

    def auth(self) -> Auth | None:
        # Of this request: in a session the SDK's context variable has the token that began it.
        scope = getattr(self._request.request, "scope", {})
        token = getattr(scope.get("user"), "access_token", None)
        if token is None:
            return None
        claims = token.claims or {}
        return Auth(token.subject, frozenset(token.scopes), token.client_id, claims)

    def client(self) -> ClientInfo:
        session = self._request.session
        said = None if session.client_params is None else session.client_params.client_info
        name, version = (None, None) if said is None else (said.name, said.version)
        return ClientInfo(name, version, can_ask(session.client_capabilities))

    def run_before(self) -> str | None:
        if not (self._request.params or {}).get("requestState"):
            return None
        from toolc_runtime.asking import run_before

        return run_before(self._request)

    async def ask(self, question: Question, key: str | None) -> Mapping[str, Any]:
        if self._questions is None:
            from toolc_runtime.asking import Questions

            self._questions = Questions(self._request)
        await self.flush()
        return await self._questions.ask(question, key)

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        if not all(isfinite(number) for number in (done, total) if number is not None):
            raise ValueError(f"progress is told in finite numbers, not {done} of {total}")
        text = None if message is None else clean_text(message)
        await self.flush()
        await self._request.session.report_progress(done, total, text)

    @property
    def has_unsent(self) -> bool:
        """Whether a message is on its way."""
        return self._sending is not None

    async def flush(self) -> None:
        """Wait until all messages so far are sent: none may follow the call's answer."""
        if self._sending is not None:
            await self._sending.wait()

    def _post(self, message: LoggingMessageNotification) -> None:
        self._unsent.append(message)
        if self._sending is None:
            self._sending = anyio.Event()
            self._running.tasks.start_soon(self._send, self._sending)

    async def _send(self, sent: anyio.Event) -> None:
        try:
            while self._unsent:
                await self._request.session.send_notification(
                    self._unsent.pop(0), self._request.request_id
                )
        finally:
            self._sending = None
            sent.set()


def _loggable(data: Any) -> JsonValue:
    """`data` as JSON; what has no JSON form, of a message's data each by itself, as text: a log must
    not fail its call."""
    try:
        return to_json(data)
    except Exception:
        if isinstance(data, dict):
            return {clean_text(key): _json_or_text(item) for key, item in data.items()}
        return _json_or_text(data)


def _json_or_text(value: Any) -> JsonValue:
    try:
        return to_json(value)
    except Exception:
        return clean_text(value if isinstance(value, str) else shown(value))
