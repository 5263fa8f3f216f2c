"""The limits of a tool's calls: time, places, rate and budget."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent

from toolc import api
from toolc_runtime import Context, create_server
from toolc_runtime.absent import ABSENT
from toolc_runtime.facts import ServedFacts
from toolc_runtime.jsonvalue import NotJsonError
from toolc_runtime.limits import Place, RateLimit, estimate_tokens
from toolc_runtime.testing import make_context
from toolc_runtime.tool import Implementation, ServedTool

SHORT = 0.01
"""Seconds that a test lets pass."""


def served(handler: Callable[..., Any], hints: Any = None, **facts: Any) -> ServedTool:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    wire: dict[str, Any] = {"name": "t", "inputSchema": schema, "annotations": hints or {}}
    return ServedTool(wire, lambda: Implementation(dict, handler), ServedFacts(**facts))


def error(result: Any) -> dict[str, Any]:
    assert result["isError"] is True
    (content,) = result["content"]
    told: dict[str, Any] = json.loads(content["text"])["error"]
    return told


def texts(result: Any) -> list[str]:
    assert "isError" not in result
    return [block["text"] for block in result["content"]]


async def forever(params: Any, context: Context) -> None:
    await anyio.sleep_forever()


def work_until_given_up(context: Context) -> None:
    """As a handler in a thread does it that looks now and then; at most 10 seconds."""
    for _ in range(10_000):
        if context.cancelled:
            return
        time.sleep(0.001)
    raise AssertionError("nobody told")


# Budget


@pytest.mark.parametrize(
    ("blocks", "tokens"),
    [
        ([], 0),
        ([{"type": "text", "text": "four"}], 1),
        ([{"type": "text", "text": "four words of English"}], 4),
        ([{"type": "text", "text": "été"}, {"type": "text", "text": "ab"}], 3),
        ([{"type": "image", "data": "A" * 99}, {"type": "text", "text": "a"}], 1),
    ],
)
def test_the_weight_of_an_answer(blocks: Any, tokens: int) -> None:
    assert estimate_tokens({"content": blocks}) == tokens


@pytest.mark.parametrize(("budget", "is_over"), [(1, True), (2, False), (None, False)])
def test_an_answer_above_the_budget_is_whole_and_warned_of(
    budget: int | None, is_over: bool, caplog: pytest.LogCaptureFixture
) -> None:
    tool = served(lambda params, context: "1234", budget=budget)
    first, *warnings = texts(anyio.run(tool.call, {}, make_context()))
    assert first == "1234"
    assert warnings == (
        ["warning: this answer weighs about 2 tokens, above the budget of 1: ask for less"]
        if is_over
        else []
    )
    assert ("its budget is 1" in caplog.text) is is_over


# Rate


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        # the moment of a call, and what it must wait
        ("2/s", [(0, 0), (0.5, 0), (0.75, 0.25), (1, 0), (1.25, 0.25), (9, 0), (9, 0), (9, 1)]),
        ("1/sec", [(5, 0), (5.5, 0.5)]),
        ("1/second", [(5, 0), (5, 1)]),
        ("1/min", [(5, 0), (6, 59), (65, 0)]),
        ("1/minute", [(5, 0), (6, 59)]),
        ("1/h", [(0, 0), (1, 3599)]),
        ("1/hour", [(0, 0), (1, 3599)]),
        ("1/d", [(0, 0), (1, 86399)]),
        ("1/day", [(0, 0), (1, 86399)]),
    ],
)
def test_a_rate_holds_in_every_span(text: str, calls: list[tuple[float, float]]) -> None:
    now = 0.0
    limit = RateLimit(text, lambda: now)
    for moment, wait in calls:
        now = moment
        assert limit.take() == wait, moment


@pytest.mark.parametrize("text", ["", "60", "/min", "0/min", "-1/min", "1.5/min", "60/week"])
def test_what_is_no_rate(text: str) -> None:
    with pytest.raises(ValueError, match="no rate limit"):
        RateLimit(text)


def test_one_call_too_many() -> None:
    tool = served(lambda params, context: "done", rate_limit="1/day")

    async def calls() -> list[Any]:
        faulty = await tool.call({"n": "one"}, make_context())
        assert error(faulty)["code"] == "INVALID_INPUT"
        return [await tool.call({}, make_context()) for _ in range(2)]

    first, second = anyio.run(calls)
    assert texts(first) == ["done"]
    told = error(second)
    seconds = told["details"]["retry_after"]
    assert 86000 < seconds <= 86400
    assert told == {
        "code": "RATE_LIMITED",
        "message": "t takes at most 1 call a day",
        "details": {"retry_after": seconds},
        "suggestion": f"call it again in {seconds} seconds",
    }


def test_a_thread_that_was_given_up_is_one_of_those_that_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("toolc_runtime.tool.MOST_THREADS", 1)
    release = threading.Event()
    begun: list[str] = []

    def tool(name: str, **facts: Any) -> ServedTool:
        def handler(params: Any, context: Context) -> str:
            begun.append(name)
            release.wait(30)
            return name

        return served(handler, **facts)

    async def calls() -> list[Any]:
        first = await tool("first", timeout=0.05).call({}, make_context())
        second = await tool("second", timeout=0.05).call({}, make_context())
        release.set()
        return [first, second, await tool("third").call({}, make_context())]

    first, second, third = anyio.run(calls)
    assert (error(first)["code"], error(second)["code"]) == ("TIMEOUT", "TIMEOUT")
    assert [error(one)["details"]["began"] for one in (first, second)] == [True, False]
    assert texts(third) == ["third"]
    assert begun == ["first", "third"]


# Time


@pytest.mark.parametrize(
    ("hints", "suggestion"),
    [
        ({"readOnlyHint": True}, "ask for less, or call it again later"),
        ({"idempotentHint": True}, "ask for less, or call it again later"),
        (
            {"readOnlyHint": False},
            "look whether it has done its work all the same before you call it again",
        ),
        ({}, "look whether it has done its work all the same before you call it again"),
    ],
)
def test_a_call_whose_time_runs_out(hints: Any, suggestion: str) -> None:
    assert error(anyio.run(served(forever, hints, timeout=SHORT).call, {}, make_context())) == {
        "code": "TIMEOUT",
        "message": "t did not answer within 0.01 seconds",
        "details": {"timeout": 0.01, "began": True},
        "suggestion": suggestion,
    }


def test_a_call_within_its_time_knows_when_it_ends() -> None:
    async def handler(params: Any, context: Context) -> str:
        assert context.deadline is not None
        left = context.deadline - anyio.current_time()
        return f"{59 < left <= 60} {context.cancelled}"

    assert texts(anyio.run(served(handler, timeout=60).call, {}, make_context())) == ["True False"]


def test_a_call_without_a_timeout_has_no_deadline() -> None:
    told = anyio.run(served(lambda params, context: str(context.deadline)).call, {}, make_context())
    assert texts(told) == ["None"]


def test_a_thread_is_left_to_itself_and_learns_of_it() -> None:
    told = make_context()
    answered, ended = threading.Event(), threading.Event()

    def handler(params: Any, context: Context) -> str:
        context.log.info("before")
        work_until_given_up(context)
        answered.wait(10)
        context.log.info("after")
        ended.set()
        return "nobody reads this"

    async def main() -> None:
        result = await served(handler, timeout=SHORT).call({}, told)
        assert error(result)["code"] == "TIMEOUT"
        answered.set()
        assert await anyio.to_thread.run_sync(ended.wait, 10)

    anyio.run(main)
    assert [message for _, message, _ in told.logged] == ["before"]


async def in_part(params: Any, context: Context) -> dict[str, Any]:
    found: list[str] = []
    for name in ("a", "b"):
        found.append(name)
        context.partial({"found": found})
    found.append("not put aside")
    await anyio.sleep_forever()
    return {"found": found}


def in_part_in_a_thread(params: Any, context: Context) -> None:
    context.partial({"found": ["a", "b"]})
    work_until_given_up(context)


WARNING = "t was given up after 0.01 seconds: this is what it had by then"


@pytest.mark.parametrize("handler", [in_part, in_part_in_a_thread])
def test_what_was_put_aside_is_the_answer(handler: Any) -> None:
    result = anyio.run(served(handler, timeout=SHORT).call, {}, make_context())
    assert texts(result) == ['{"found":["a","b"]}', f"warning: {WARNING}"]
    assert result["structuredContent"] == {"found": ["a", "b"]}
    assert result["_meta"] == {"partial": True, "complete": False}


def test_what_was_put_aside_comes_in_an_envelope() -> None:
    result = anyio.run(served(in_part, timeout=SHORT, envelope=True).call, {}, make_context())
    assert result["structuredContent"] == {
        "data": {"found": ["a", "b"]},
        "metadata": {"partial": True, "complete": False},
        "errors": [],
        "warnings": [WARNING],
    }


def test_what_is_put_aside_must_be_json() -> None:
    told = make_context()
    with pytest.raises(NotJsonError):
        told.partial({1, 2})
    assert told.put_aside is ABSENT


def test_a_handler_may_answer_when_it_is_cancelled() -> None:
    async def handler(params: Any, context: Context) -> str:
        with suppress(anyio.get_cancelled_exc_class()):
            await anyio.sleep_forever()
        return "in the last moment"

    assert texts(anyio.run(served(handler, timeout=SHORT).call, {}, make_context())) == [
        "in the last moment"
    ]


def test_a_thread_of_a_handler_learns_that_the_client_cancelled() -> None:
    """The handler waits for its thread, whatever happens: the thread must learn of it before."""
    begun, seen = threading.Event(), threading.Event()

    def work(context: Context) -> None:
        begun.set()
        work_until_given_up(context)
        seen.set()

    async def handler(params: Any, context: Context) -> None:
        await anyio.to_thread.run_sync(work, context)

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(served(handler).call, {}, make_context())
            await anyio.to_thread.run_sync(begun.wait, 10)
            assert not seen.is_set()
            tasks.cancel_scope.cancel()

    anyio.run(main)
    assert seen.is_set()


def test_progress_ends_with_the_call() -> None:
    told = make_context()

    async def main() -> None:
        await told.progress(1)
        told.end()
        await told.progress(2)
        assert told.cancelled

    anyio.run(main)
    assert told.told == [(1, None, None)]


# Places


def crowd(handler: Any, calls: int, concurrency: int | None) -> None:
    tool = served(handler, concurrency=concurrency)

    async def main() -> None:
        with anyio.fail_after(10):
            async with anyio.create_task_group() as tasks:
                for _ in range(calls):
                    tasks.start_soon(tool.call, {}, make_context())

    anyio.run(main)


@pytest.mark.parametrize(("concurrency", "most"), [(1, 1), (2, 2), (None, 5)])
def test_so_many_run_at_once(concurrency: int | None, most: int) -> None:
    running, seen = 0, [0]

    async def handler(params: Any, context: Context) -> None:
        nonlocal running
        running += 1
        seen.append(running)
        for _ in range(20):
            await anyio.sleep(0)
        running -= 1

    crowd(handler, 5, concurrency)
    assert len(seen) == 6
    assert max(seen) == most


def test_so_many_threads_run_at_once() -> None:
    lock, pair = threading.Lock(), threading.Barrier(2, timeout=10)
    running, seen = 0, [0]

    def handler(params: Any, context: Context) -> None:
        nonlocal running
        with lock:
            running += 1
            seen.append(running)
        pair.wait()
        with lock:
            running -= 1

    crowd(handler, 6, 2)
    assert len(seen) == 7
    assert max(seen) == 2


def test_a_thread_that_was_left_to_itself_keeps_its_place() -> None:
    release = threading.Event()
    tool = served(lambda params, context: str(release.wait(10)), timeout=0.05, concurrency=1)

    async def main() -> None:
        given_up = error(await tool.call({}, make_context()))
        assert (given_up["code"], given_up["details"]["began"]) == ("TIMEOUT", True)
        assert error(await tool.call({}, make_context())) == {
            "code": "TIMEOUT",
            "message": "t did not begin within 0.05 seconds: other calls came first",
            "details": {"timeout": 0.05, "began": False},
            "suggestion": "call it again later",
        }
        release.set()
        with anyio.fail_after(10):
            while "isError" in (result := await tool.call({}, make_context())):
                pass
        assert texts(result) == ["True"]

    anyio.run(main)


def test_a_place_is_given_back_when_call_and_thread_have_left_it() -> None:
    given: list[int] = []
    begun, release = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        release.wait(10)

    async def main() -> None:
        place = Place(lambda: given.append(threading.get_ident()))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(anyio.to_thread.run_sync, place.run, work)
            await anyio.to_thread.run_sync(begun.wait, 10)
            place.leave()
            assert not given
            release.set()
        assert given == [threading.get_ident()]
        assert place.run(lambda: "too late") is None

    anyio.run(main)


# What a client sees of it


@pytest.fixture(params=["legacy", "auto"])
def connect(request: pytest.FixtureRequest) -> Callable[..., Client]:
    """A client of one tool, `t`, in either era of the protocol."""

    def connect(definition: str, handler: Any) -> Client:
        tool = api.build_tool("t", definition)
        return Client(create_server([tool], {"t": handler}), mode=request.param)

    return connect


def call(client: Client) -> CallToolResult:
    async def talk() -> CallToolResult:
        async with client:
            return await client.call_tool("t", {})

    return anyio.run(talk)


def test_a_client_is_told_that_time_ran_out(connect: Callable[..., Client]) -> None:
    result = call(connect("timeout = 0.01\noutput = [{ name = 'n', type = 'int' }]", forever))
    assert result.is_error
    assert result.structured_content is None
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert json.loads(content.text)["error"]["code"] == "TIMEOUT"


def test_a_client_gets_what_was_put_aside(connect: Callable[..., Client]) -> None:
    """The client itself holds it to the output schema."""
    definition = (
        "timeout = 0.01\nenvelope = true\n"
        "output = [{ name = 'found', type = 'array:string', required = true }]"
    )
    result = call(connect(definition, in_part))
    assert not result.is_error
    assert result.structured_content["data"] == {"found": ["a", "b"]}
    assert result.structured_content["metadata"] == {"partial": True, "complete": False}


def test_an_envelope_of_nothing_arrives_whole(connect: Callable[..., Client]) -> None:
    result = call(connect("envelope = true", lambda params, context: None))
    assert result.structured_content == {
        "data": None,
        "metadata": {},
        "errors": [],
        "warnings": [],
    }


def test_a_thread_learns_that_its_client_cancelled(connect: Callable[..., Client]) -> None:
    begun, seen = threading.Event(), threading.Event()

    def handler(params: Any, context: Context) -> None:
        begun.set()
        work_until_given_up(context)
        seen.set()

    async def talk() -> None:
        async with connect("", handler) as client:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(partial(client.call_tool, "t", {}))
                assert await anyio.to_thread.run_sync(begun.wait, 10)
                tasks.cancel_scope.cancel()
            assert await anyio.to_thread.run_sync(seen.wait, 10)

    anyio.run(talk)
    assert seen.wait(10)


def test_an_answer_above_the_budget_is_logged(
    connect: Callable[..., Client], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "toolc_runtime")
    result = call(connect("budget = 1", lambda params, context: "1234"))
    assert len(result.content) == 2
    assert "tool 't': an answer weighs about 2 tokens, its budget is 1" in caplog.text
