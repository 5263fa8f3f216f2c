"""One served tool: its wire form, and the road of a call through it."""

from __future__ import annotations

import asyncio
import inspect
import logging
import traceback
from collections.abc import Awaitable, Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property, partial
from importlib import invalidate_caches
from math import inf
from typing import Any, NamedTuple
from uuid import uuid4

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

from toolc_runtime.checking import Checked, Refusal, check_closely
from toolc_runtime.context import Context
from toolc_runtime.errors import ToolError, internal_result, raised_result
from toolc_runtime.facts import NO_FACTS, ServedExample, ServedFacts
from toolc_runtime.forms import AskedError, first_asked
from toolc_runtime.integers import narrow_integers
from toolc_runtime.jsonvalue import JsonObject, JsonValue, NotJsonError, survey, write_json
from toolc_runtime.limits import Limits, Place, estimate_tokens
from toolc_runtime.oldnames import mentions
from toolc_runtime.rendering import OutputError, render, sdk_result
from toolc_runtime.validation import SchemaError, Validator, compile_schema

logger = logging.getLogger("toolc_runtime")

MOST_THREADS = 40
"""How many sync handlers run at once, those of calls that were given up too; the others wait."""

_MOST_NAMES = 10
"""Of handlers that cannot be loaded, in the line that counts them."""

_UNFORESEEN = "the tool failed unexpectedly"

_threads: RunVar[_Threads] = RunVar("toolc_runtime.handlers")


class Implementation(NamedTuple):
    """The code behind a tool: how its arguments become parameters, and who takes them."""

    bind: Callable[[JsonObject], Any]
    handler: Callable[[Any, Context], Any]


class Code:
    """The code behind a tool, imported when a call first needs it."""

    __slots__ = ("_load", "_lock", "is_async", "loaded")

    def __init__(self, load: Callable[[], Implementation]) -> None:
        """`load` may raise anything."""
        self._load = load
        self._lock: anyio.Lock | None = None
        self.loaded: Implementation | None = None
        self.is_async = False
        """Whether the handler that was loaded is awaited; any other has a thread."""

    def load(self) -> None:
        """Import it now, on this thread; what that raises passes, and the next time tries again."""
        loaded = self._load()
        self.is_async = _is_async(loaded.handler)
        self.loaded = loaded

    async def ready(self) -> Implementation:
        """The code, imported in a thread if need be."""
        if self.loaded is None:
            # Not before: without an event loop a lock takes long to make, and there is one a tool.
            self._lock = self._lock or anyio.Lock()
            async with self._lock:
                if self.loaded is None:
                    # It may have been written since Python last looked into its folder.
                    invalidate_caches()
                    await anyio.to_thread.run_sync(self.load)
        assert self.loaded is not None
        return self.loaded


class ServedTool:
    """A tool as a server has it. Validators and code are made when a call first needs them."""

    def __init__(
        self,
        wire: JsonObject,
        load: Callable[[], Implementation] | Code,
        facts: ServedFacts = NO_FACTS,
    ) -> None:
        """`wire` is the tool's revision-free form; `load` imports its code and may raise anything."""
        self.wire = wire
        self.facts = facts
        self.name = str(wire["name"])
        self.input_schema: JsonObject = wire["inputSchema"]  # type: ignore[assignment]
        self.output_schema: JsonValue = wire.get("outputSchema")
        self._plain_names = _plain_names(self.input_schema, facts)
        self._nested_old_names = frozenset().union(*facts.nested_aliases.values())
        self._code = load if isinstance(load, Code) else Code(load)

    def with_wire(self, wire: JsonObject) -> ServedTool:
        """The same code behind another form of the tool; this tool itself where it is the same.

        Examples stay as far as they fit the other form.
        """
        if wire == self.wire:
            return self
        other = ServedTool(wire, self._code, self.facts)
        if self.facts.examples and other.input_schema != self.input_schema:
            other.facts = replace(
                self.facts, examples=tuple(filter(other.fits, self.facts.examples))
            )
        return other

    def fits(self, example: ServedExample) -> bool:
        """Whether the tool takes the arguments of an example; also where its schema cannot be used."""
        try:
            return example.arguments is None or self._input.is_valid(example.arguments)
        except SchemaError:
            return True

    @cached_property
    def fault(self) -> NotJsonError | None:
        """Why JSON cannot carry the tool."""
        return survey(self.wire).fault

    @cached_property
    def _input(self) -> Validator:
        return compile_schema(self.input_schema)

    @cached_property
    def _output(self) -> Validator | None:
        return None if self.output_schema is None else compile_schema(self.output_schema)

    @cached_property
    def _limits(self) -> Limits:
        hints = self.wire.get("annotations")
        given = hints if isinstance(hints, dict) else {}
        is_repeatable = True in (given.get("readOnlyHint"), given.get("idempotentHint"))
        return Limits(self.name, self.facts, is_repeatable=is_repeatable)

    @cached_property
    def mirrored_schema(self) -> JsonObject | None:
        """The input schema if it has a header mirror an argument (`x-mcp-header`); None if not."""
        return self.input_schema if '"x-mcp-header"' in write_json(self.input_schema) else None

    @property
    def is_loaded(self) -> bool:
        """Whether the code has been imported."""
        return self._code.loaded is not None

    def load(self) -> bool:
        """Import the code now, on this thread; False, with the reason in the log, if it cannot be.

        The next call tries again.
        """
        try:
            self._code.load()
        except (Exception, SystemExit):
            logger.exception("tool %r: its code cannot be loaded", self.name)
            return False
        return True

    async def call(self, arguments: JsonObject, context: Context) -> JsonObject:
        """The `tools/call` result of `arguments`; every failure but cancellation is a result too.

        SystemExit is one of them: a handler that wraps a command line must not end the server. So is
        the cancellation of something else that a handler awaits: it would end the client's session.
        """
        warnings: Sequence[str] = ()
        try:
            checked = self._check(arguments)
            if isinstance(checked, Refusal):
                return checked.result
            warnings = checked.warnings
            return await self._answer(checked.arguments, context, warnings)
        except ToolError as error:
            return self._raised(error, warnings)
        except AskedError as asked:
            return self._question(asked, context)
        except BaseExceptionGroup as group:
            if (question := first_asked(group)) is not None:
                return self._question(question, context)
            if not isinstance(group, Exception):
                raise
            return self._internal(group, _UNFORESEEN, warnings)
        except NotImplementedError as error:
            message = f'tool "{self.name}" is not implemented yet'
            return self._internal(error, message, warnings)
        except NotJsonError as error:
            return self._internal(error, "the tool's answer cannot be written as JSON", warnings)
        except OutputError as error:
            message = "the tool's answer does not fit its own contract"
            return self._internal(error, message, warnings)
        except anyio.get_cancelled_exc_class() as error:
            if _is_cancelled():
                raise
            return self._internal(error, _UNFORESEEN, warnings)
        except (Exception, SystemExit) as error:
            return self._internal(error, _UNFORESEEN, warnings)

    async def _answer(
        self, arguments: JsonObject, context: Context, warnings: Sequence[str] = ()
    ) -> JsonObject:
        """The result of arguments that fit, within the tool's limits; an answer tells `warnings`."""
        self._limits.admit(context)
        implementation = self._code.loaded or await self._code.ready()
        params = implementation.bind(arguments)
        invoke = _await if self._code.is_async else _run_in_thread
        work = partial(invoke, implementation.handler, params, context)
        returned = await self._limits.run(work, context)

        def write(said: Sequence[str]) -> JsonObject:
            return render(
                returned,
                output_schema=self.output_schema,
                output=self._output,
                revision=context.protocol_version,
                envelope=self.facts.envelope,
                warnings=said,
            )

        result = write(warnings)
        budget = self.facts.budget
        if budget is not None and (too_long := self._over_budget(result, budget)):
            return write([*warnings, too_long])
        return result

    def _question(self, asked: AskedError, context: Context) -> JsonObject:
        """The result of a call that can go on when its client has an answer."""
        self._limits.expect(asked.run)
        return sdk_result(asked.result, context.protocol_version)

    def _over_budget(self, result: JsonObject, budget: int) -> str:
        """What to say of an answer above the tool's budget; nothing of another. It is never cut."""
        if (weight := estimate_tokens(result)) <= budget:
            return ""
        logger.warning(
            "tool %r: an answer weighs about %d tokens, its budget is %d", self.name, weight, budget
        )
        return (
            f"this answer weighs about {weight} tokens, above the budget of {budget}: ask for less"
        )

    def _check(self, arguments: JsonObject) -> Checked | Refusal:
        """The arguments as the schema has them, or why they cannot be taken."""
        found = survey(arguments)
        names = self._plain_names
        is_plain = names is None or arguments.keys() <= names
        if self._nested_old_names:
            is_plain = is_plain and not mentions(arguments, self._nested_old_names)
        if found.fault is not None or not is_plain or not self._input.is_valid(arguments):
            return check_closely(self.name, arguments, self.input_schema, self._input, self.facts)
        if found.has_integral_float:
            return Checked(narrow_integers(arguments, self.input_schema))
        return Checked(arguments)

    def _raised(self, error: ToolError, warnings: Sequence[str]) -> JsonObject:
        """An answer that tells a handler's error."""
        try:
            return raised_result(error, warnings)
        except Exception as fault:  # of one that lacks a part, or has one of another kind
            return self._internal(fault, _UNFORESEEN, warnings)

    def _internal(self, error: BaseException, message: str, warnings: Sequence[str]) -> JsonObject:
        """An answer that says nothing of `error`, which goes to the log under the answer's id."""
        identity = uuid4().hex[:12]
        written = "".join(traceback.format_exception(error))
        logger.error("tool %r failed (id %s)\n%s", self.name, identity, written.rstrip())
        return internal_result(identity, message, warnings)


def _is_cancelled() -> bool:
    """Whether the task that runs is cancelled, by a scope of anyio's or by itself."""
    if anyio.current_effective_deadline() == -inf:
        return True
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _plain_names(schema: JsonObject, facts: ServedFacts) -> AbstractSet[str] | None:
    """The names of arguments of which there is nothing to say; None where that is so of all."""
    if not facts.parameter_aliases and facts.extra_parameters != "warn":
        return None
    properties = schema.get("properties")
    return properties.keys() if isinstance(properties, dict) else frozenset()


def count_tools(number: int) -> str:
    """`1 tool`, `2 tools`."""
    return f"{number} tool{'' if number == 1 else 's'}"


def count_failed(names: Sequence[str], total: int) -> str:
    """What is said below the tracebacks of handlers that cannot be loaded, which may be long."""
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    shown = ", ".join(names[:_MOST_NAMES])
    return f"{len(names)} of {total} handlers cannot be loaded: {shown}{more}"


def _await(
    handler: Callable[[Any, Context], Awaitable[Any]], params: Any, context: Context, _place: Place
) -> Awaitable[Any]:
    """An async handler at work on the event loop."""
    context.has_begun = True
    return handler(params, context)


async def _run_in_thread(
    handler: Callable[[Any, Context], Any], params: Any, context: Context, place: Place
) -> Any:
    """What any other handler returns.

    A call that is given up does not wait for its thread: Python cannot stop one. The thread keeps
    the call's place until it ends, and its own among all threads.
    """
    threads = _handler_threads()
    await threads.free.acquire()
    context.has_begun = True
    own = Place(threads.free.release)
    try:
        returned = await anyio.to_thread.run_sync(
            place.run,
            partial(own.run, partial(handler, params, context)),
            abandon_on_cancel=True,
            limiter=threads.limiter,
        )
    finally:
        own.leave()
    return await returned if inspect.isawaitable(returned) else returned


class _Threads:
    """Threads for handlers alone: out of the common ones, a few that hang would take stdio's."""

    def __init__(self) -> None:
        self.free = anyio.Semaphore(MOST_THREADS, fast_acquire=True)
        self.limiter = anyio.CapacityLimiter(MOST_THREADS)
        """It has no part in a thread whose call was given up, as `free` has."""


def _handler_threads() -> _Threads:
    try:
        return _threads.get()
    except LookupError:
        _threads.set(_Threads())
        return _threads.get()


def _is_async(handler: Callable[[Any, Context], Any]) -> bool:
    function = handler.func if isinstance(handler, partial) else handler
    call = getattr(function, "__call__", None)  # noqa: B004  (an object with an async __call__)
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)
