"""What is said of the answers of one tool, right and wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
import pytest
from mcp_types import CallToolResult, TextContent

from toolc.cli import trial
from toolc.cli.trial import Trial, try_tools
from toolc_runtime import Context, ToolError
from toolc_runtime.application import Application
from toolc_runtime.envelope import envelope_schema
from toolc_runtime.errors import error_result
from toolc_runtime.facts import ServedExample, ServedFacts
from toolc_runtime.package import Package, PackageError, ServerFacts
from toolc_runtime.tool import Implementation, ServedTool

INPUT: dict[str, Any] = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 0}},
    "required": ["n"],
    "additionalProperties": False,
}
WRONG_CALLS = 4
SIZE: dict[str, Any] = {
    "type": "object",
    "properties": {"size": {"type": "integer"}},
    "required": ["size"],
}
READS = {"readOnlyHint": True}


def example(result: Any = ..., *, exact: bool = False) -> ServedExample:
    has_result = result is not ...
    return ServedExample("how  big?", {"n": 1}, result if has_result else None, has_result, exact)


def tried(
    handler: Callable[..., Any],
    *examples: ServedExample,
    output: Any = None,
    annotations: Any = READS,
    schema: Any = INPUT,
    budget: int | None = None,
    envelope: bool = False,
    calls_all: bool = False,
) -> Trial:
    wire: dict[str, Any] = {"name": "t", "inputSchema": schema, "annotations": annotations}
    if output is not None:
        wire["outputSchema"] = output
    facts = ServedFacts(examples=examples or (example(),), budget=budget, envelope=envelope)

    def load() -> Implementation:
        return Implementation(lambda arguments: arguments, handler)

    package = Package(ServerFacts("trial"), (ServedTool(wire, load, facts),), ())

    async def run() -> list[Trial]:
        return await try_tools(package, ["t"], Application(), calls_all=calls_all)

    (made,) = anyio.run(run)
    return made


def answering(value: Any) -> Callable[..., Any]:
    return lambda arguments, context: value


def raising(error: BaseException) -> Callable[..., Any]:
    def handler(arguments: Any, context: Any) -> Any:
        raise error

    return handler


@pytest.mark.parametrize(
    ("value", "output", "given"),
    [
        ({"size": 1}, SIZE, example()),
        ({"size": 1}, SIZE, example({"size": 2})),
        ({"size": 1}, SIZE, example({"size": 1.0}, exact=True)),
        ("large", None, example("large", exact=True)),
        ({"size": 1}, None, example({"size": 1}, exact=True)),
        ([1], None, example([1], exact=True)),
        ([1], {"type": "array"}, example([1], exact=True)),
        (None, None, example()),
    ],
)
def test_right_answers(value: Any, output: Any, given: ServedExample) -> None:
    assert tried(answering(value), given, output=output) == Trial(
        "t", called=1, passed_over=0, refused=WRONG_CALLS, is_written=True, failures=(), remarks=()
    )


NO_CONTENT = CallToolResult(content=[TextContent(type="text", text="large")])


@pytest.mark.parametrize(
    ("handler", "output", "given", "message", "log"),
    [
        (answering({"size": "large"}), SIZE, example(), "was answered with an error: ",
         'OutputError: size: expected an integer, got the string "large"'),
        (answering({"size": {1}}), SIZE, example(), "was answered with an error: ", "has no order"),
        (raising(RuntimeError("hunter2")), None, example(), "was answered with an error: ", "hunter2"),
        (raising(SystemExit(3)), None, example(), "was answered with an error: ", "SystemExit: 3"),
        (raising(ToolError("NOT_FOUND", "no n1")), None, example(),
         'was answered with an error: {"error":{"code":"NOT_FOUND","message":"no n1"}}', ""),
        (answering({"size": 1}), SIZE, example({"size": 2}, exact=True),
         'has another answer than its result: {"size":1}', ""),
        (answering(True), None, example(1, exact=True), "has another answer than its result: true", ""),
        (answering("1"), None, example({}, exact=True), "has another answer than its result: 1", ""),
        (answering("no"), None, example({}, exact=True), "has another answer than its result: no", ""),
        (answering(NO_CONTENT), SIZE, example(), "has no answer that a client takes: ", ""),
    ],
)  # fmt: skip
def test_wrong_answers(
    handler: Any, output: Any, given: ServedExample, message: str, log: str
) -> None:
    made = tried(handler, given, output=output)
    (failure,) = made.failures
    assert failure.call == 'example 1 ("how big?")'
    assert failure.arguments == {"n": 1}
    assert failure.message.startswith(message)
    assert log in failure.log
    assert bool(log) is bool(failure.log)
    assert (made.called, made.refused, made.is_written) == (1, WRONG_CALLS, True)


@pytest.mark.parametrize(("size", "failures"), [(1, 0), (2, 1)])
def test_an_answer_in_an_envelope(size: int, failures: int) -> None:
    output = envelope_schema(SIZE)
    given = example({"size": size}, exact=True)
    made = tried(answering({"size": 1}), given, output=output, envelope=True)
    assert len(made.failures) == failures


def test_an_answer_that_does_not_come(monkeypatch: pytest.MonkeyPatch) -> None:
    async def handler(arguments: Any, context: Any) -> None:
        await anyio.sleep_forever()

    monkeypatch.setattr(trial, "PATIENCE", 0.05)
    (failure,) = tried(handler).failures
    assert failure.message == "did not answer within 0.05 seconds"


def test_a_handler_that_is_not_written_yet() -> None:
    made = tried(raising(NotImplementedError("t")))
    assert (made.is_written, made.failures, made.refused) == (False, (), WRONG_CALLS)


@pytest.mark.parametrize(
    ("value", "given", "budget", "remarks"),
    [
        ({"n": 1}, example(), None, ("is answered with its own arguments",)),
        ('{"n": 1}', example(), None, ("is answered with its own arguments",)),
        ({"n": 1}, example({"n": 1}), None, ()),
        ({"n": 2}, example(), None, ()),
        ("x " * 101, example(), 101, ()),
        ("x " * 103, example(), 101, ("has an answer of about 102 tokens, and a budget of 101",)),
    ],
)
def test_doubts(value: Any, given: Any, budget: Any, remarks: tuple[str, ...]) -> None:
    made = tried(answering(value), given, budget=budget)
    assert made.remarks == tuple(f'example 1 ("how big?") {remark}' for remark in remarks)
    assert made.failures == ()


@pytest.mark.parametrize(
    "annotations", [None, {}, {"readOnlyHint": False}, {"idempotentHint": True}]
)
def test_what_may_change_something_is_not_called(annotations: Any) -> None:
    called: list[Any] = []

    def handler(arguments: Any, context: Any) -> None:
        called.append(arguments)

    made = tried(handler, annotations=annotations)
    assert (called, made.called, made.passed_over, made.refused) == ([], 0, 1, WRONG_CALLS)
    made = tried(handler, annotations=annotations, calls_all=True)
    assert (called, made.called, made.passed_over, made.refused) == ([{"n": 1}], 1, 0, WRONG_CALLS)


def test_an_example_without_arguments_is_no_call() -> None:
    made = tried(raising(RuntimeError()), ServedExample("how big?", None, {}, True))
    assert (made.called, made.passed_over, made.failures) == (0, 0, ())


def test_a_schema_that_cannot_be_used() -> None:
    made = tried(answering(1), example(), schema={"$ref": "#/nowhere"}, calls_all=True)
    assert [failure.call for failure in made.failures][-1] == "its inputSchema"


def test_a_wrong_call_that_reaches_the_handler(monkeypatch: pytest.MonkeyPatch) -> None:
    call = ServedTool.call

    async def mended(self: ServedTool, arguments: Any, context: Any) -> Any:
        return await call(self, {"n": 1}, context)

    monkeypatch.setattr(ServedTool, "call", mended)
    made = tried(answering(1))
    assert made.refused == 0
    assert {failure.message for failure in made.failures} == {"reached the handler"}
    assert [failure.call for failure in made.failures] == [
        "n left out",
        "an unknown parameter",
        "n of another type",
        "n below its minimum",
    ]


def text_result(text: str, **further: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return {"content": content, "resultType": "complete", "isError": True, **further}


RIGHT = json.dumps({"error": {"code": "INVALID_INPUT"}})


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (text_result(RIGHT), None),
        (text_result(RIGHT, isError=False), "was answered as if it were right: "),
        (text_result(RIGHT, structuredContent={}), "was answered with structured content: "),
        (text_result("wrong"), "was answered by an error of another shape: wrong"),
        (text_result('{"error": "wrong"}'), "was answered by an error of another shape: "),
        (text_result('{"error": {"code": 3}}'), "was answered by an error of another shape: "),
        (text_result(RIGHT, content=[]), "was answered by an error of another shape: "),
        (error_result("INTERNAL_ERROR", "failed"), "was not foreseen: "),
    ],
)
def test_how_a_wrong_call_is_refused(
    result: Any, message: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def call(*_: Any) -> Any:
        return result

    monkeypatch.setattr(ServedTool, "call", call)
    made = tried(answering(1), ServedExample())
    assert made.refused == (WRONG_CALLS if message is None else 0)
    assert len(made.failures) == (0 if message is None else WRONG_CALLS)
    assert all(failure.message.startswith(message or "") for failure in made.failures)


def test_a_crash_is_no_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    async def crash(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(ServedTool, "call", crash)
    messages = [failure.message for failure in tried(answering(1)).failures]
    assert len(messages) == WRONG_CALLS + 1
    assert all(message.startswith("has no answer that a client takes") for message in messages)


def test_an_example_that_asks_somebody_is_not_held_against_its_result() -> None:
    async def handler(arguments: Any, context: Context) -> str:
        return (await context.elicit("Sure?")).action

    trial = tried(handler, example("accept", exact=True))
    assert trial.failures == ()
    assert trial.remarks == ('example 1 ("how big?") asks somebody, whom a test has not',)


def test_an_application_that_does_not_start_says_why() -> None:
    class App:
        def __init__(self) -> None:
            raise OSError("no database")

    package = Package(ServerFacts("trial"), (), ())
    with pytest.raises(PackageError, match=r"could not be started\n(.|\n)*OSError: no database"):
        anyio.run(partial(try_tools, package, [], Application(App), calls_all=False))
