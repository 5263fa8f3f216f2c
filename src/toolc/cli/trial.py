"""Calls of a built server's tools, each answer held against what the tool's contract promises.

The calls go the whole way: the SDK's client, in memory, and the server that the package comes to.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import anyio
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import MISSING_REQUIRED_CLIENT_CAPABILITY, CallToolResult, TextContent

from toolc.cli.wrong import WrongCall, wrong_calls
from toolc.report.summary import count
from toolc_runtime.application import Application
from toolc_runtime.context import Context
from toolc_runtime.errors import INTERNAL_ERROR
from toolc_runtime.facts import ServedExample
from toolc_runtime.jsonvalue import JsonObject, JsonValue, is_same
from toolc_runtime.package import Package, PackageError
from toolc_runtime.server import Catalog, LiveCatalog, build_server
from toolc_runtime.stubs import written
from toolc_runtime.tokens import tokens_in
from toolc_runtime.tool import Implementation, ServedTool
from toolc_runtime.validation import SchemaError, compile_schema

PATIENCE = 60.0
"""Seconds that a call may take."""

_REMARKS = ("error: ", "warning: ", "next: ")
"""How the texts begin in which a server without an envelope says more than the answer."""

_LOGGER = "toolc_runtime"
_CLIENT_LOGGER = "client"
"""The SDK's; it warns of each tool that its list does not show, as it cannot check its answers."""


class Failure(NamedTuple):
    """An answer that the contract does not allow."""

    call: str
    """Which call it was, in words; or what else of the tool is wrong."""
    arguments: JsonObject | None
    """None where it was no call."""
    message: str
    log: str = ""
    """What the server logged of it."""


class Trial(NamedTuple):
    """What the calls of one tool came to."""

    tool: str
    called: int
    """Examples that were called."""
    passed_over: int
    """Examples that were not, since the tool may change something."""
    refused: int
    """Wrong calls that were refused as they should be."""
    is_written: bool
    """Whether none of the calls met a handler that raises NotImplementedError."""
    failures: tuple[Failure, ...]
    remarks: tuple[str, ...]


class _AsksError(Exception):
    """A tool that answers with a question, which the client of a test has told it cannot ask."""


def _barred(package: Package, reached: list[str]) -> Package:
    """The package with handlers that only note the names of their tools in `reached`.

    It counts no calls either: more wrong ones come in a moment than a limit may allow.
    """

    def barred(tool: ServedTool) -> ServedTool:
        def handler(_arguments: JsonObject, _context: Context) -> None:
            reached.append(tool.name)

        implementation = Implementation(lambda arguments: arguments, handler)
        return ServedTool(tool.wire, lambda: implementation, replace(tool.facts, rate_limit=None))

    return replace(package, tools=tuple(map(barred, package.tools)))


async def try_tools(
    package: Package, names: Sequence[str], application: Application, *, calls_all: bool
) -> list[Trial]:
    """Try these tools of a package, one after the other, in their order.

    Examples are called of tools that only read, or of all with `calls_all`. Wrong calls go to a
    server without the handlers, so that none does harm that should have been refused.

    PackageError, with what was logged, where the application cannot be started.
    """
    tools = {tool.name: tool for tool in package.tools}
    unwritten = written(package)[1]
    reached: list[str] = []
    with _server_log() as log:
        async with (
            _client(package, application, log) as client,
            _client(_barred(package, reached), Application(), log) as barred,
        ):
            return [
                await _Trying(
                    tools[name], client, barred, reached, log, is_written=name not in unwritten
                ).run(calls_all)
                for name in names
            ]


@asynccontextmanager
async def _client(
    package: Package, application: Application, log: Sequence[str]
) -> AsyncIterator[Client]:
    live = LiveCatalog(Catalog.of(package))
    async with AsyncExitStack() as opened:
        try:
            server = build_server(live, package.facts, application)
            client = await opened.enter_async_context(Client(server))
        except PackageError as error:
            raise PackageError("\n".join([str(error), *log])) from None
        yield client


@contextmanager
def _server_log() -> Iterator[list[str]]:
    """What the server logs as errors meanwhile, which then stands nowhere else."""
    written: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.name == _LOGGER and record.levelno >= logging.ERROR:
                written.append(self.format(record))

    logger, listener = logging.getLogger(_LOGGER), Listener()
    client = logging.getLogger(_CLIENT_LOGGER)
    before = logger.propagate, client.disabled
    logger.propagate, client.disabled = False, True
    logger.addHandler(listener)
    try:
        yield written
    finally:
        logger.removeHandler(listener)
        logger.propagate, client.disabled = before


class _Trying:
    """The trial of one tool."""

    def __init__(
        self,
        tool: ServedTool,
        client: Client,
        barred: Client,
        reached: list[str],
        log: list[str],
        *,
        is_written: bool,
    ) -> None:
        self._tool = tool
        self._client = client
        self._barred = barred
        self._reached = reached
        self._log = log
        self._failures: list[Failure] = []
        self._remarks: list[str] = []
        self._is_written = is_written

    async def run(self, calls_all: bool) -> Trial:
        examples = [
            (number, example)
            for number, example in enumerate(self._tool.facts.examples, 1)
            if example.arguments is not None
        ]
        may_call = calls_all or only_reads(self._tool)
        if self._is_written and not await self._can_be_loaded():
            examples = []
        for number, example in examples if may_call else ():
            await self._try_example(_named(number, example), example)
        refused = await self._try_wrong_calls()
        return Trial(
            self._tool.name,
            len(examples) if may_call else 0,
            0 if may_call else len(examples),
            refused,
            self._is_written,
            tuple(self._failures),
            tuple(self._remarks),
        )

    async def _can_be_loaded(self) -> bool:
        """Whether the handler can be imported: a tool without examples has no other test of it."""
        self._log.clear()
        if await anyio.to_thread.run_sync(self._tool.load):
            return True
        log = "\n".join(self._log)
        self._is_written = not _says_not_written(log)
        if self._is_written:
            self._failures.append(Failure("its handler", None, "cannot be imported", log))
        return False

    async def _try_example(self, call: str, example: ServedExample) -> None:
        arguments = example.arguments or {}
        try:
            answer = await self._answer(self._client, arguments)
        except _AsksError:
            self._remarks.append(f"{call} asks somebody, whom a test has not")
            return
        log = "\n".join(self._log)
        if _says_not_written(log):
            self._is_written = False
            return
        problem = answer if isinstance(answer, str) else self._problem(answer, example)
        if problem:
            self._failures.append(Failure(call, arguments, problem, log))
        elif isinstance(answer, CallToolResult):
            self._remarks += [
                f"{call} {remark}" for remark in self._doubts(answer, example, arguments)
            ]

    async def _try_wrong_calls(self) -> int:
        """Each must be refused before the handler; how many were."""
        known = [row.arguments for row in self._tool.facts.examples if row.arguments is not None]
        try:
            calls = wrong_calls(self._tool.input_schema, known)
        except SchemaError as error:
            message = f"cannot be used: {error}"
            self._failures.append(Failure("its inputSchema", None, message))
            return 0
        problems = [(call, await self._try_wrong_call(call)) for call in calls]
        self._failures += [
            Failure(call.what, call.arguments, problem) for call, problem in problems if problem
        ]
        return sum(not problem for _, problem in problems)

    async def _try_wrong_call(self, call: WrongCall) -> str:
        """What is wrong with how a wrong call was answered; empty where nothing is."""
        self._reached.clear()
        answer = await self._answer(self._barred, call.arguments)
        if self._reached:
            return "reached the handler"
        return answer if isinstance(answer, str) else _unlike_refusal(answer)

    async def _answer(self, client: Client, arguments: JsonObject) -> CallToolResult | str:
        """The answer of a call, or why there is none."""
        self._log.clear()
        try:
            with anyio.fail_after(PATIENCE):
                return await client.call_tool(self._tool.name, arguments)
        except TimeoutError:
            return f"did not answer within {PATIENCE:g} seconds"
        except Exception as error:  # of the client's own, or the protocol error that it was sent
            if isinstance(error, MCPError) and error.code == MISSING_REQUIRED_CLIENT_CAPABILITY:
                raise _AsksError from None
            return f"has no answer that a client takes: {error}"

    def _problem(self, answer: CallToolResult, example: ServedExample) -> str:
        """What is wrong with the answer of an example; empty where nothing is."""
        if answer.is_error:
            return f"was answered with an error: {_text(answer)}"
        if self._tool.output_schema is not None:
            faults = compile_schema(self._tool.output_schema).faults(answer.structured_content)
            if faults:
                told = "; ".join(fault.message for fault in faults)
                return f"has an answer that its outputSchema refuses: {told}"
        if example.exact and example.has_result and not self._is_answer(answer, example.result):
            return f"has another answer than its result: {_text(answer)}"
        return ""

    def _is_answer(self, answer: CallToolResult, value: JsonValue) -> bool:
        """Whether an answer says `value` and nothing else, as structured content or as text."""
        structured = answer.structured_content
        if structured is not None:
            is_enveloped = self._tool.facts.envelope and isinstance(structured, dict)
            return is_same(structured.get("data") if is_enveloped else structured, value)
        text = _text(answer)
        if isinstance(value, str):
            return text == value
        read = _read(text)
        return read is not _NO_JSON and is_same(read, value)

    def _doubts(
        self, answer: CallToolResult, example: ServedExample, arguments: JsonObject
    ) -> Iterator[str]:
        is_meant = example.has_result and is_same(example.result, arguments)
        if arguments and not is_meant and self._is_answer(answer, arguments):
            yield "is answered with its own arguments"
        budget, tokens = self._tool.facts.budget, tokens_in(_text(answer))
        if budget is not None and tokens > budget:
            yield f"has an answer of about {tokens:,} tokens, and a budget of {budget:,}"


def only_reads(tool: ServedTool) -> bool:
    """Whether the tool says that it changes nothing; one that says nothing may."""
    annotations = tool.wire.get("annotations")
    return isinstance(annotations, dict) and annotations.get("readOnlyHint") is True


def _named(number: int, example: ServedExample) -> str:
    prompt = " ".join(example.prompt.split())
    return f"example {number}" + (f" ({json.dumps(prompt, ensure_ascii=False)})" if prompt else "")


def _says_not_written(log: str) -> bool:
    """Whether the last thing in a log is the exception of a handler that is still to be written."""
    return log.rpartition("\n")[2].startswith(NotImplementedError.__name__)


def _text(answer: CallToolResult) -> str:
    """The texts of an answer, but for what its server remarks behind them."""
    texts = [block.text for block in answer.content if isinstance(block, TextContent)]
    return "\n".join([*texts[:1], *(text for text in texts[1:] if not text.startswith(_REMARKS))])


_NO_JSON: Any = object()


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return _NO_JSON


_REFUSAL: tuple[tuple[Callable[[CallToolResult], bool], str], ...] = (
    (lambda answer: answer.is_error, "was answered as if it were right"),
    (lambda answer: answer.structured_content is None, "was answered with structured content"),
    (lambda answer: _code(answer) is not None, "was answered by an error of another shape"),
    (lambda answer: _code(answer) != INTERNAL_ERROR, "was not foreseen"),
)
"""What the answer of a wrong call is like, and what is said of one that is not."""


def _unlike_refusal(answer: CallToolResult) -> str:
    for holds, problem in _REFUSAL:
        if not holds(answer):
            return f"{problem}: {_text(answer)}"
    return ""


def _code(answer: CallToolResult) -> str | None:
    """The code of an error result in the shape that all have: one text, `{"error": {"code": …}}`."""
    told = _read(_text(answer)) if len(answer.content) == 1 else None
    error = told.get("error") if isinstance(told, dict) else None
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, str) else None


def describe(trial: Trial) -> str:
    """What was called, in a few words: `2 examples, 14 wrong calls refused`."""
    parts = []
    if not trial.is_written:
        parts.append("not written yet")
    elif trial.called:
        parts.append(count(trial.called, "example"))
    if trial.passed_over:
        parts.append(f"{count(trial.passed_over, 'example')} passed over")
    parts.append(f"{count(trial.refused, 'wrong call')} refused")
    if trial.failures:
        parts.append(count(len(trial.failures), "failure"))
    return ", ".join(parts)
