"""The road of one call, without a server around it."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import LOG_LEVEL_META_KEY, ImageContent, TextContent

import toolc
from toolc_runtime import Arguments, Context, Result, ToolError, create_server
from toolc_runtime.testing import make_context
from toolc_runtime.tool import Implementation, ServedTool


def context(revision: str = "2026-07-28") -> Context:
    return make_context(protocol_version=revision)


def served(handler: Callable[..., Any], output: Any = None, **properties: Any) -> ServedTool:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": properties,
        "required": [name for name, item in properties.items() if "default" not in item],
        "additionalProperties": False,
    }
    wire: dict[str, Any] = {"name": "t", "inputSchema": schema}
    if output is not None:
        wire["outputSchema"] = output
    return ServedTool(wire, lambda: Implementation(lambda a: Arguments(a, schema), handler))


def call(
    tool: ServedTool, arguments: dict[str, Any] | None = None, revision: str = "2026-07-28"
) -> dict[str, Any]:
    return anyio.run(tool.call, arguments or {}, context(revision))


def answer(returned: Any, output: Any = None, revision: str = "2026-07-28") -> dict[str, Any]:
    result = call(served(lambda params, context: returned, output), revision=revision)
    assert result.pop("resultType") == "complete"
    return result


def error(result: dict[str, Any]) -> dict[str, Any]:
    assert result["isError"] is True
    assert "structuredContent" not in result
    (content,) = result["content"]
    told: dict[str, Any] = json.loads(content["text"])["error"]
    return told


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


OBJECT = {"type": "object", "properties": {"n": {"type": "integer"}}}
IMAGE = ImageContent(type="image", data="AA==", mime_type="image/png")


@pytest.mark.parametrize(
    ("returned", "result"),
    [
        ("hi", {"content": [text("hi")]}),
        (None, {"content": []}),
        ({"n": 1}, {"content": [text('{"n":1}')], "structuredContent": {"n": 1}}),
        ([1, "é"], {"content": [text('[1,"é"]')]}),
        ([], {"content": [text("[]")]}),
        (7, {"content": [text("7")]}),
        (TextContent(type="text", text="a"), {"content": [text("a")]}),
        (
            [TextContent(type="text", text="a"), IMAGE],
            {"content": [text("a"), {"type": "image", "data": "AA==", "mimeType": "image/png"}]},
        ),
        (
            Result("a", content=["b"], meta={"k": 1}),
            {"content": [text("a"), text("b")], "_meta": {"k": 1}},
        ),
    ],
)
def test_answers_without_an_output_schema(returned: Any, result: Any) -> None:
    assert answer(returned) == result


def test_answers_with_an_output_schema() -> None:
    assert answer({"n": 1}, OBJECT) == {"content": [text('{"n":1}')], "structuredContent": {"n": 1}}
    assert answer(Result({"n": 1}, content=[IMAGE]), OBJECT)["content"][1]["type"] == "image"


@pytest.mark.parametrize(
    ("revision", "structured"), [("2026-07-28", [1]), ("2025-11-25", {"result": [1]})]
)
def test_an_output_that_is_no_object_is_wrapped_for_those_who_cannot_take_it(
    revision: str, structured: Any
) -> None:
    result = answer([1], {"type": "array"}, revision)
    assert result["structuredContent"] == structured
    assert json.loads(result["content"][0]["text"]) == structured


@pytest.mark.parametrize(
    "returned",
    [{"n": "hunter2"}, "hunter2", {"n": float("nan")}, {"n": "\ud800"}, {"n": {1}}, object()],
)
@pytest.mark.parametrize("output", [OBJECT, None])
def test_an_answer_that_cannot_be_given_stays_in_the_log(
    returned: Any, output: Any, caplog: pytest.LogCaptureFixture
) -> None:
    is_json = "hunter2" in repr(returned)
    if is_json and output is None:
        assert "isError" not in call(served(lambda params, context: returned))
        return
    told = error(call(served(lambda params, context: returned, output)))
    assert told["code"] == "INTERNAL_ERROR"
    assert told["message"] == (
        "the tool's answer does not fit its own contract"
        if is_json
        else "the tool's answer cannot be written as JSON"
    )
    assert "hunter2" not in json.dumps(told)
    assert told["details"]["id"] in caplog.text


def test_faulty_arguments_are_told_all_at_once() -> None:
    tool = served(
        lambda params, context: None,
        words={"type": "array"},
        limit={"type": "integer", "default": 1},
    )
    told = error(call(tool, {"word": "dentist", "limit": "ten", "zz": 1}))
    assert told == {
        "code": "MISSING_REQUIRED",
        "message": 't needs "words"; unknown "word": did you mean "words"?; unknown "zz"; '
        'limit: expected an integer, got the string "ten"',
        "details": {
            "missing": ["words"],
            "unknown": [
                {"name": "word", "did_you_mean": "words"},
                {"name": "zz", "did_you_mean": None},
            ],
            "invalid": [
                {"parameter": "limit", "expected": "an integer", "got": 'the string "ten"'}
            ],
        },
        "schema_hint": {
            "required": ["words"],
            "optional": ["limit"],
            "parameters": {"words": {"type": "array"}, "limit": {"type": "integer", "default": 1}},
        },
    }
    assert error(call(tool, {"words": [], "limit": "x"})) == {
        "code": "INVALID_INPUT",
        "message": 't: limit: expected an integer, got the string "x"',
        "details": {
            "invalid": [{"parameter": "limit", "expected": "an integer", "got": 'the string "x"'}]
        },
        "suggestion": 'for example {"limit":1}',
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": float("nan")}, "t: n: nan is no JSON number"),
        ({"n": "\ud800"}, "t: n: text with a lone surrogate"),
        ({"\ud800": 1}, "t: the value: a key with a lone surrogate"),
    ],
)
def test_arguments_that_only_look_like_json(arguments: dict[str, Any], message: str) -> None:
    told = error(call(served(lambda params, context: None, n={"default": 1}), arguments))
    assert told == {"code": "INVALID_INPUT", "message": message}


def test_integral_floats_arrive_as_integers() -> None:
    tool = served(lambda params, context: repr(params.n), n={"type": "integer"})
    assert call(tool, {"n": 3.0})["content"] == [text("3")]


async def _async(params: Any, context: Context) -> str:
    return threading.current_thread().name


class CallsAsync:
    async def __call__(self, params: Any, context: Context) -> str:
        return threading.current_thread().name


def _sync(params: Any, context: Context) -> str:
    return threading.current_thread().name


def _sync_that_hands_out_an_awaitable(params: Any, context: Context) -> Any:
    return _async(params, context)


@pytest.mark.parametrize(
    ("handler", "on_loop"),
    [
        (_async, True),
        (partial(_async), True),
        (CallsAsync(), True),
        (_sync_that_hands_out_an_awaitable, True),
        (_sync, False),
        (partial(_sync), False),
    ],
)
def test_async_handlers_run_on_the_loop_and_others_in_a_thread(handler: Any, on_loop: bool) -> None:
    (content,) = call(served(handler))["content"]
    assert (content["text"] == threading.current_thread().name) is on_loop


def _raising(exception: BaseException) -> Callable[..., Any]:
    def handler(params: Any, context: Context) -> Any:
        raise exception

    return handler


def _raising_on_loop(exception: BaseException) -> Callable[..., Any]:
    async def handler(params: Any, context: Context) -> Any:
        raise exception

    return handler


@pytest.mark.parametrize("raising", [_raising, _raising_on_loop])
@pytest.mark.parametrize(
    ("exception", "message"),
    [
        (RuntimeError("hunter2"), "the tool failed unexpectedly"),
        (SystemExit("hunter2"), "the tool failed unexpectedly"),
        (StopIteration("hunter2"), "the tool failed unexpectedly"),
        (asyncio.CancelledError("hunter2"), "the tool failed unexpectedly"),
        (ExceptionGroup("hunter2", [ValueError("hunter2")]), "the tool failed unexpectedly"),
        (NotImplementedError("hunter2"), 'tool "t" is not implemented yet'),
    ],
)
def test_what_a_handler_raises_goes_to_the_log_and_not_to_the_client(
    raising: Any, exception: BaseException, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    told = error(call(served(raising(exception))))
    assert told["code"] == "INTERNAL_ERROR"
    assert told["message"] == message
    assert f"(id {told['details']['id']})" in caplog.text
    assert "hunter2" in caplog.text


def test_what_a_handler_tells() -> None:
    raised = ToolError("NOT_FOUND", 'no note "n1"', details={"id": "n1"}, suggestion="list first")
    assert str(raised) == 'NOT_FOUND: no note "n1"'
    assert error(call(served(_raising(raised)))) == {
        "code": "NOT_FOUND",
        "message": 'no note "n1"',
        "details": {"id": "n1"},
        "suggestion": "list first",
    }
    badly = ToolError("NOT_FOUND", "\ud800", details={1, 2})
    assert error(call(served(_raising(badly)))) == {"code": "NOT_FOUND", "message": "?"}


class Nameless(ToolError):
    def __init__(self) -> None:
        pass


@pytest.mark.parametrize(
    "raised",
    [Nameless(), ToolError("A", "b", suggestion=["c"])],  # type: ignore[arg-type]
)
def test_an_error_that_cannot_be_told(raised: ToolError, caplog: pytest.LogCaptureFixture) -> None:
    assert error(call(served(_raising(raised))))["code"] == "INTERNAL_ERROR"
    assert "AttributeError" in caplog.text
    assert type(raised).__name__ in caplog.text


CIRCLE: dict[str, Any] = {}
CIRCLE["inner"] = CIRCLE


class Unshowable:
    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize("era", ["legacy", "auto"])
@pytest.mark.parametrize(
    ("value", "told"),
    [
        (Unshowable(), "<Unshowable>"),
        (10**5000, "<int>"),
        ({1}, "{1}"),
        ("\ud800", "?"),
        (CIRCLE, "{'inner': {...}}"),
    ],
    ids=["no repr", "too long", "no JSON", "no UTF-8", "a circle"],
)
def test_a_log_does_not_fail_its_call(
    era: str, value: Any, told: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def handler(params: Any, context: Context) -> str:
        context.log.info("seen", value=value, number=1)
        return "done"

    heard: list[Any] = []

    async def hear(params: Any) -> None:
        heard.append(params.data)

    async def main() -> Any:
        tool = toolc.build_tool("t", {"description": "Work"})
        server = create_server([tool], {"t": handler})
        wanted: Any = {LOG_LEVEL_META_KEY: "debug"}
        async with Client(server, mode=era, logging_callback=hear) as client:
            return await client.call_tool("t", {}, meta=wanted)

    assert not anyio.run(main).is_error
    assert heard == [{"message": "seen", "value": told, "number": 1}]


def test_code_that_cannot_be_loaded_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    attempts: list[str] = []

    def load() -> Implementation:
        attempts.append(threading.current_thread().name)
        if len(attempts) < 3:
            raise [SystemExit(3), SyntaxError("hunter2")][len(attempts) - 1]
        return Implementation(dict, lambda params, context: "there")

    tool = ServedTool({"name": "t", "inputSchema": {"type": "object"}}, load)
    assert not tool.load()
    assert error(call(tool))["code"] == "INTERNAL_ERROR"
    assert "hunter2" in caplog.text
    assert call(tool)["content"] == call(tool)["content"] == [text("there")]
    assert len(attempts) == 3
    assert attempts[0] == threading.current_thread().name not in attempts[1:]


def test_concurrent_first_calls_load_once() -> None:
    loaded: list[None] = []

    def load() -> Implementation:
        loaded.append(None)
        return Implementation(dict, lambda params, context: None)

    tool = ServedTool({"name": "t", "inputSchema": {"type": "object"}}, load)

    async def calls() -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(tool.call, {}, context())

    anyio.run(calls)
    assert len(loaded) == 1


def test_a_schema_that_cannot_be_used_fails_its_tool_only() -> None:
    tool = served(lambda params, context: None, n={"$ref": "#/nowhere", "default": 1})
    assert error(call(tool))["code"] == "INTERNAL_ERROR"


def test_cancellation_passes_through() -> None:
    async def handler(params: Any, context: Context) -> None:
        await anyio.sleep_forever()

    async def main() -> bool:
        with anyio.move_on_after(0.01) as scope:
            await served(handler).call({}, context())
        return scope.cancelled_caught

    assert anyio.run(main)


def test_cancellation_of_the_task_alone_passes_through() -> None:
    async def handler(params: Any, context: Context) -> None:
        await anyio.sleep_forever()

    async def main() -> bool:
        task = asyncio.create_task(served(handler).call({}, context()))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert anyio.run(main)


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_something_cancelled_that_a_handler_awaits_is_no_end_of_the_session(era: str) -> None:
    async def handler(params: Any, context: Context) -> None:
        work = asyncio.create_task(asyncio.sleep(60))
        await asyncio.sleep(0)
        work.cancel()
        await work

    async def main() -> list[bool | None]:
        tool = toolc.build_tool("t", {"description": "Work"})
        async with Client(create_server([tool], {"t": handler}), mode=era) as client:
            return [(await client.call_tool("t", {})).is_error for _ in range(2)]

    assert anyio.run(main) == [True, True]


def test_a_cancelled_call_does_not_wait_for_its_thread() -> None:
    release = threading.Event()

    async def main() -> bool:
        with anyio.move_on_after(0.01) as scope:
            await served(lambda params, context: release.wait(30)).call({}, context())
        release.set()
        return scope.cancelled_caught

    assert anyio.run(main)


def test_a_context_logs_whether_or_not_somebody_listens(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "toolc_runtime.tools")
    log = context().log
    for write in (log.debug, log.info, log.warning, log.error):
        write("100 % done", size=3)
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        (level, "100 % done size=3") for level in ("DEBUG", "INFO", "WARNING", "ERROR")
    ]
