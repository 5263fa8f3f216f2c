"""What a handler learns of the call it serves, and how it speaks while it works."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Generator, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, overload

from toolc_runtime.absent import ABSENT, Absent
from toolc_runtime.convert import shown, to_json
from toolc_runtime.jsonvalue import JsonValue

if TYPE_CHECKING:
    import anyio
    from typing_extensions import TypeVar

    from toolc_runtime.forms import Answer, Question

    AppT = TypeVar("AppT", default=Any)
    """The application's state; a plain `Context` may have any."""
else:
    from typing import TypeVar

    AppT = TypeVar("AppT")

FormT = TypeVar("FormT")
T = TypeVar("T")

LOGGER = "toolc_runtime.tools"
"""Parent of the loggers, one a tool, that write what handlers log."""

_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


class Auth(NamedTuple):
    """Who makes a call, as the bearer token of its HTTP request says."""

    subject: str | None = None
    """The person or program behind it, where the token tells."""
    scopes: frozenset[str] = frozenset()
    """What it may do."""
    client_id: str = ""
    claims: Mapping[str, Any] = MappingProxyType({})
    """What else the token says."""


class ClientInfo(NamedTuple):
    """The program that makes a call."""

    name: str | None
    """None where it does not say."""
    version: str | None
    can_elicit: bool
    """Whether it can ask the person in front of it; `Context.elicit` needs that."""


class Line(Protocol):
    """The way to the client while one of its calls is being served."""

    def auth(self) -> Auth | None:
        """Who makes the call; None without a token."""

    def client(self) -> ClientInfo:
        """The client."""

    def run_before(self) -> str | None:
        """The run (see `AskedError`) to whose question the call brings the answer; None for any other."""

    async def ask(self, question: Question, key: str | None) -> Mapping[str, Any]:
        """The client's `ElicitResult` as JSON; see `asking.Questions`."""

    def log(self, level: str, data: Any) -> None:
        """Hand a log message over to be sent, from any thread; a client may not want it."""

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Tell how far the call is, if the client asked for that."""


class Log:
    """Messages to the server's log, and to the client where it takes them. Usable from threads."""

    def __init__(self, tool: str, line: Line) -> None:
        self._tool = tool
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
        written = "".join(f" {name}={shown(item)}" for name, item in data.items())
        logging.getLogger(f"{LOGGER}.{self._tool}").log(_LEVELS[level], "%s%s", message, written)
        if (line := self._line) is not None:
            line.log(level, {"message": message, **data} if data else message)


class Clock:
    """The time that one call has, which stands still while somebody is asked."""

    def __init__(self, scope: anyio.CancelScope) -> None:
        self._scope = scope
        self._stops = 0
        self._left = inf

    @property
    def deadline(self) -> float:
        """When it runs out; infinite while it stands still."""
        return self._scope.deadline

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """It stands still; several may ask for that at a time."""
        from anyio import current_time

        if not self._stops:
            self._left = self._scope.deadline - current_time()
            self._scope.deadline = inf
        self._stops += 1
        try:
            yield
        finally:
            self._stops -= 1
            if not self._stops:
                self._scope.deadline = current_time() + self._left


class Asking(Coroutine[Any, Any, T]):
    """An answer to wait for. It is neither true nor false: who forgets `await` has not asked."""

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self._work = work

    def __await__(self) -> Generator[Any, Any, T]:
        return self._work.__await__()

    def send(self, value: Any) -> Any:
        return self._work.send(value)

    def throw(self, *error: Any) -> Any:
        return self._work.throw(*error)

    def close(self) -> None:
        self._work.close()

    def __bool__(self) -> bool:
        self.close()
        raise TypeError("nobody has been asked yet: `await context.elicit(…)`")


class Context(Generic[AppT]):
    """One call of a tool, given to its handler beside the parameters.

    `app` is the state of the author's application, `Context[App]` says of which type; None where
    there is none. `log` writes messages, `request_id` and `meta` are the request's own,
    `protocol_version` is the MCP revision that the client speaks. `sdk` is the SDK's own request
    context (`mcp.server.context.ServerRequestContext`), for what toolc has no word for; None outside
    a server.
    """

    __slots__ = (
        "_clock",
        "_has_ended",
        "_line",
        "app",
        "has_begun",
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
        app: Any = None,
        sdk: Any = None,
    ) -> None:
        self.app: AppT = app
        self.log = Log(tool, line)
        self.request_id = request_id
        self.protocol_version = protocol_version
        self.meta = meta
        self.sdk = sdk
        self.put_aside: JsonValue | Absent = ABSENT
        """What `partial` was last given."""
        self.has_begun = False
        """Whether its handler's turn has come: other calls may go first."""
        self._line = line
        self._has_ended = False
        self._clock: Clock | None = None

    @property
    def auth(self) -> Auth | None:
        """Who makes the call: `subject`, `scopes`, `client_id`, `claims` of its bearer token.

        None where no token is asked for, as over stdio.
        """
        return self._line.auth()

    @property
    def client(self) -> ClientInfo:
        """The program that makes the call: `name`, `version`, `can_elicit`."""
        return self._line.client()

    @property
    def deadline(self) -> float | None:
        """When the call's time runs out, in seconds of the event loop's clock.

        `anyio.current_time()` tells that, in a thread `time.monotonic()`. None without a `timeout`.
        """
        return None if self._clock is None else self._clock.deadline

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

    @overload
    def elicit(
        self, message: str, form: type[FormT], /, *, key: str | None = None
    ) -> Asking[Answer[FormT]]: ...
    @overload
    def elicit(
        self, message: str, form: Mapping[str, Any] | None = None, /, *, key: str | None = None
    ) -> Asking[Answer[dict[str, Any]]]: ...
    def elicit(
        self, message: str, form: Any = None, /, *, key: str | None = None
    ) -> Asking[Answer[Any]]:
        """Ask the person in front of the client: `answer = await context.elicit("Sure?")`.

        `form` is what there is to fill in: a dataclass or a pydantic model of plain fields, or a JSON
        Schema of one; without it the person accepts or declines the message. The answer is true if
        the person accepted; its `data` are the form's. The call's time stands still meanwhile.

        **Do nothing that changes anything before the last question.** With a client of 2026-07-28 the
        handler begins anew with every answer; a question that was answered is not asked again. It is
        known by its text and form, or by `key` where these differ from run to run.

        ToolError PERMISSION_DENIED where the client cannot ask, INVALID_INPUT where what it brings does
        not fit the form. TypeError in a handler that is not async, which has no `await`: see `ask`.
        """
        if not _is_on_loop():
            raise TypeError("a handler that is not async asks by `context.ask(…)`")
        return Asking(self._elicit(message, form, key))

    @overload
    def ask(
        self, message: str, form: type[FormT], /, *, key: str | None = None
    ) -> Answer[FormT]: ...
    @overload
    def ask(
        self, message: str, form: Mapping[str, Any] | None = None, /, *, key: str | None = None
    ) -> Answer[dict[str, Any]]: ...
    def ask(self, message: str, form: Any = None, /, *, key: str | None = None) -> Answer[Any]:
        """The same for a handler that is not async: `answer = context.ask("Sure?")`.

        TypeError in one that is, and in a thread that the handler has started.
        """
        return self._wait_for(partial(self._elicit, message, form, key))

    def _wait_for(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What work of the event loop comes to, in a handler's thread."""
        from anyio.from_thread import check_cancelled, run

        if _is_on_loop():
            raise TypeError("an async handler asks by `await context.elicit(…)`")
        try:
            check_cancelled()
        except RuntimeError:  # no thread of anyio's
            raise TypeError("a handler asks in its own thread, not in one that it starts") from None
        return run(work)

    async def _elicit(self, message: str, form: Any, key: str | None) -> Answer[Any]:
        from toolc_runtime.forms import Question, form_schema, read_answer

        schema = form_schema(form)
        question = Question(message, schema)
        with nullcontext() if self._clock is None else self._clock.stopped():
            response = await self._line.ask(question, key)
        return read_answer(form, schema, response)

    @property
    def run_before(self) -> str | None:
        """For the runtime: see `Line`."""
        return self._line.run_before()

    def bound(self, clock: Clock) -> None:
        """Called by the runtime: this is the time that the call has."""
        self._clock = clock

    def end(self) -> None:
        """Called by the runtime when nobody waits any more: from now on the client hears nothing."""
        self._has_ended = True
        self.log.leave_client()


def _is_on_loop() -> bool:
    from anyio import get_current_task

    try:
        get_current_task()
    except RuntimeError:
        return False
    return True


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
