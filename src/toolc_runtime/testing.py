"""For tests of handlers: a context to call one with, and calls of tools by the way that clients take.

Under pytest both are fixtures, `make_context` and `call` (see `toolc_pytest`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from toolc_runtime.context import AppT, Auth, ClientInfo, Context, T
from toolc_runtime.convert import to_json
from toolc_runtime.forms import Answer, Question
from toolc_runtime.jsonvalue import JsonObject, JsonValue
from toolc_runtime.revision import LATEST_REVISION

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client
    from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp_types import CallToolResult, ElicitResult


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


class Record:
    """What a handler said while it worked."""

    def __init__(self, answers: Iterable[Any] = ()) -> None:
        """`answers` are for its questions, in order; see `make_context`."""
        self.logged: list[Logged] = []
        """What went to `log`, in order."""
        self.told: list[Progress] = []
        """What went to `progress`, in order."""
        self.asked: list[Question] = []
        """What went to `elicit`, in order."""
        self._answers = iter(answers)

    def note(self, level: str, data: Any) -> None:
        """Keep a log message as the client gets it."""
        further = dict(data) if isinstance(data, dict) else {"message": data}
        self.logged.append(Logged(level, further.pop("message"), further))

    def answer(self, question: Question) -> JsonObject:
        """The next answer, as an `ElicitResult` has it; AssertionError where there is none."""
        self.asked.append(question)
        for given in self._answers:
            answer = given if isinstance(given, Answer) else _answer(given)
            content = {} if answer.data is None else {"content": to_json(answer.data)}
            return {"action": answer.action, **content}
        raise AssertionError(f"nobody answers the question {question.message!r}")


def _answer(given: Any) -> Answer[Any]:
    return Answer("decline") if given is None else Answer("accept", given)


class RecordingContext(Context[AppT]):
    """A context outside a server, which keeps what its handler says."""

    __slots__ = ("_record",)

    def __init__(self, record: Record, auth: Auth | None, **facts: Any) -> None:
        """`facts` are what a Context takes."""
        self._record = record
        super().__init__(line=_Recorder(record, auth), **facts)

    def _wait_for(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        try:
            work().send(None)  # it ends at once: all answers are there
        except StopIteration as ended:
            answer: T = ended.value
            return answer
        raise AssertionError("a record never waits")

    @property
    def logged(self) -> list[Logged]:
        """What went to `log`, in order."""
        return self._record.logged

    @property
    def told(self) -> list[Progress]:
        """What went to `progress`, in order."""
        return self._record.told

    @property
    def asked(self) -> list[Question]:
        """What went to `elicit` and `ask`, in order."""
        return self._record.asked


class _Recorder:
    """The line of a context that has no client."""

    def __init__(self, record: Record, auth: Auth | None) -> None:
        self._record = record
        self._auth = auth

    def auth(self) -> Auth | None:
        return self._auth

    def client(self) -> ClientInfo:
        return ClientInfo("test", "0", can_elicit=True)

    def run_before(self) -> None:
        return None

    async def ask(self, question: Question, key: str | None) -> JsonObject:
        return self._record.answer(question)

    def log(self, level: str, data: Any) -> None:
        self._record.note(level, data)

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        self._record.told.append(Progress(done, total, message))


def make_context(
    *,
    app: AppT | None = None,
    auth: Auth | None = None,
    answers: Iterable[Any] = (),
    tool: str = "test",
    request_id: str | int | None = 1,
    protocol_version: str = LATEST_REVISION,
    meta: Mapping[str, Any] | None = None,
) -> RecordingContext[AppT]:
    """A context to call a handler with: `await find_notes(params, make_context(app=App(…)))`.

    `answers` are for what the handler asks, in order: what the form then holds (a mapping, or an
    instance of the form's class; `{}` where it has no fields), None for a person who declines, or an
    `Answer`. A question without one is an AssertionError.
    """
    return RecordingContext(
        Record(answers),
        auth,
        app=app,
        tool=tool,
        request_id=request_id,
        protocol_version=protocol_version,
        meta=meta or {},
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
    logged: Sequence[Logged]
    """What the handler logged."""
    told: Sequence[Progress]
    """How far it said that it was."""
    asked: Sequence[Question]
    """What it asked."""


class ToolCaller:
    """Calls the tools of a generated folder by the SDK's client, in memory, from any thread.

    The code of the tools must be importable. As a context manager; the server starts with the first
    call, in a thread of its own.
    """

    def __init__(self, folder: Path, app: type[Any] | None = None) -> None:
        """`app` takes the place of the class that `[server] app` names."""
        self._folder = folder
        self._app = app
        self._record = Record()
        self._auth: Auth | None = None
        self._open = ExitStack()
        self._started: tuple[BlockingPortal, Client] | None = None

    def __enter__(self) -> ToolCaller:
        return self

    def __exit__(self, *_: object) -> None:
        self._started = None
        self._open.close()

    def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        auth: Auth | None = None,
        answers: Iterable[Any] = (),
    ) -> ToolAnswer:
        """The answer of a tool; `answers` are for what it asks, as `make_context` takes them.

        With `auth` the call is one over HTTP with a token that says so much; the application's
        `verify_token` is not asked.

        The SDK's exceptions pass: MCPError for a tool that is not there, RuntimeError for an answer
        that does not fit the tool's `outputSchema`. AssertionError for a question without an answer,
        PackageError where nothing is built.
        """
        portal, client = self._started or self._start()
        record = self._record = Record(answers)
        self._auth = auth
        try:
            result = portal.call(self._call, client, name, dict(arguments or {}))
        except ExceptionGroup as group:  # the SDK asks in a task group
            raise _lone(group) from None
        text = "\n".join(block.text for block in result.content if block.type == "text")
        return ToolAnswer(
            data=result.structured_content,
            text=text,
            is_error=bool(result.is_error),
            error=_error(text) if result.is_error else None,
            content=result.content,
            logged=record.logged,
            told=record.told,
            asked=record.asked,
        )

    async def _call(self, client: Client, name: str, arguments: dict[str, Any]) -> CallToolResult:
        from mcp_types import LOG_LEVEL_META_KEY

        async def tell(progress: float, total: float | None, message: str | None) -> None:
            self._record.told.append(Progress(progress, total, message))

        wants_all: Any = {LOG_LEVEL_META_KEY: "debug"}
        return await client.call_tool(name, arguments, progress_callback=tell, meta=wants_all)

    async def _identify(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Middleware: a request is made by whom `call` names, as the SDK has it over HTTP."""
        if self._auth is None:
            return await call_next(ctx)
        from mcp.server.auth.middleware.auth_context import auth_context_var
        from starlette.requests import Request

        user = _user(self._auth)
        scope = {"type": "http", "method": "POST", "path": "/mcp", "query_string": b""}
        before = auth_context_var.set(user)
        try:
            return await call_next(
                replace(ctx, request=Request({**scope, "headers": [], "user": user}))
            )
        finally:
            auth_context_var.reset(before)

    async def _answer(self, context: Any, params: Any) -> ElicitResult:
        from mcp_types import ElicitResult

        question = Question(params.message, params.requested_schema)
        return ElicitResult.model_validate(self._record.answer(question))

    async def _note(self, params: Any) -> None:
        self._record.note(params.level, params.data)

    def _start(self) -> tuple[BlockingPortal, Client]:
        from anyio.from_thread import start_blocking_portal
        from mcp import Client

        from toolc_runtime.application import Application, load_application
        from toolc_runtime.package import load_package
        from toolc_runtime.server import Catalog, LiveCatalog, build_server

        package = load_package(self._folder)
        own = self._app
        application = load_application(package.facts.app) if own is None else Application(own)
        server = build_server(LiveCatalog(Catalog.of(package)), package.facts, application)
        server.middleware.insert(0, self._identify)
        client = Client(server, elicitation_callback=self._answer, logging_callback=self._note)
        portal = self._open.enter_context(start_blocking_portal())
        connecting = portal.wrap_async_context_manager(client)
        self._started = portal, self._open.enter_context(connecting)
        return self._started


def _user(auth: Auth) -> AuthenticatedUser:
    """The SDK's form of who makes a call."""
    from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
    from mcp.server.auth.provider import AccessToken

    return AuthenticatedUser(
        AccessToken(
            token="test",
            client_id=auth.client_id,
            scopes=sorted(auth.scopes),
            subject=auth.subject,
            claims=dict(auth.claims),
        )
    )


def _lone(group: ExceptionGroup[Exception]) -> Exception:
    """The only exception in a group, as what it was raised as; the group where it holds several."""
    error: Exception = group
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def _error(text: str) -> JsonObject:
    """The error that an error result tells; its text as the message where it is another's."""
    try:
        told = json.loads(text)
    except ValueError:
        told = None
    error = told.get("error") if isinstance(told, dict) else None
    return error if isinstance(error, dict) else {"message": text}
