"""Handlers that ask the person in front of the client, in both eras of the protocol."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, make_dataclass
from typing import Any, Literal

import anyio
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ElicitationCapability, ElicitResult, ErrorData
from pydantic import BaseModel, field_validator

import toolc
from toolc_runtime import Context, create_server
from toolc_runtime.application import Application
from toolc_runtime.asking import MOST_QUESTIONS
from toolc_runtime.forms import form_schema, read_answer
from toolc_runtime.package import PackageError
from toolc_runtime.sealing import VARIABLE
from toolc_runtime.testing import make_context
from toolc_runtime.transports import http_app

ERAS = pytest.mark.parametrize("era", ["legacy", "auto"])

YES: dict[str, Any] = {}


@dataclass
class Colour:
    name: Literal["red", "green"]
    shade: int | None = None


@dataclass
class Person:
    name: str


class Guest(BaseModel):
    name: str

    @field_validator("name")
    @classmethod
    def _is_expected(cls, name: str) -> str:
        if name != "Ada":
            raise ValueError("nobody expects you")
        return name


class Model(BaseModel):
    size: float
    tags: list[Literal["a", "b"]] = []


def ask(
    era: str,
    handler: Callable[[Any, Context], Any],
    answers: Sequence[Any] | None,
    asked: list[Any] | None = None,
    **facts: Any,
) -> CallToolResult:
    """The result of a call whose client gives these answers: what forms hold, or None to decline.

    Without answers the client cannot ask. What it is asked goes into `asked`.
    """
    left = iter(answers or ())
    heard: list[Any] = [] if asked is None else asked

    async def answer(context: Any, params: Any) -> ElicitResult | ErrorData:
        heard.append((params.message, params.requested_schema))
        given = next(left)
        if isinstance(given, ElicitResult | ErrorData):
            return given
        if given is None:
            return ElicitResult(action="decline")
        return ElicitResult(action="accept", content=given)

    async def talk() -> CallToolResult:
        tool = toolc.build_tool("ask", {"description": "Ask", **facts})
        server = create_server([tool], {"ask": handler})
        callback = None if answers is None else answer
        async with Client(server, mode=era, elicitation_callback=callback) as client:
            return await client.call_tool("ask", {})

    return anyio.run(talk)


def text(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if block.type == "text")


def error(result: CallToolResult) -> Any:
    assert result.is_error
    return json.loads(text(result))["error"]


@ERAS
@pytest.mark.parametrize(
    ("answer", "told"), [(YES, "accept {}"), (None, "decline None"), ("cancel", "cancel None")]
)
def test_a_message_is_accepted_declined_or_left(era: str, answer: Any, told: str) -> None:
    async def handler(_: Any, context: Context) -> str:
        answer = await context.elicit("Delete all notes?")
        assert bool(answer) == (answer.action == "accept")
        return f"{answer.action} {answer.data}"

    asked: list[Any] = []
    given = ElicitResult(action="cancel") if answer == "cancel" else answer
    assert text(ask(era, handler, [given], asked)) == told
    assert asked == [("Delete all notes?", {"type": "object", "properties": {}})]


@ERAS
@pytest.mark.parametrize(
    ("form", "filled", "data"),
    [
        (Colour, {"name": "red"}, Colour("red")),
        (Colour, {"name": "green", "shade": 3}, Colour("green", 3)),
        (Person, {"name": "Ada"}, Person("Ada")),
        (Model, {"size": 1.5, "tags": ["a"]}, Model(size=1.5, tags=["a"])),
        ({"properties": {"n": {"type": "integer"}}}, {"n": 2}, {"n": 2}),
    ],
)
def test_what_is_filled_in_is_of_the_form_s_own_class(
    era: str, form: Any, filled: Any, data: Any
) -> None:
    got: list[Any] = []

    async def handler(_: Any, context: Context) -> None:
        got.append((await context.elicit("What?", form)).data)

    assert not ask(era, handler, [filled]).is_error
    assert got == [data]


def test_a_form_is_written_in_the_words_that_mcp_has() -> None:
    assert form_schema(Colour) == {
        "type": "object",
        "properties": {
            "name": {"enum": ["red", "green"], "title": "Name", "type": "string"},
            "shade": {"title": "Shade", "type": "integer"},
        },
        "required": ["name"],
    }


def test_what_may_be_none_can_be_left_out() -> None:
    form = make_dataclass("Form", [("sure", bool | None), ("name", str)])
    schema = form_schema(form)
    assert schema["required"] == ["name"]
    answer = read_answer(form, schema, {"action": "accept", "content": {"name": "Ada"}})
    assert answer.data == form(None, "Ada")


@pytest.mark.parametrize("form", [str, dict, list[int], {"type": "string"}])
def test_what_is_no_form(form: Any) -> None:
    with pytest.raises(TypeError, match="is no form"):
        form_schema(form)


@pytest.mark.parametrize("kind", [list[str], dict[str, int], Colour, int | str])
def test_a_form_has_plain_fields(kind: Any) -> None:
    with pytest.raises(TypeError, match="the field 'x' of a form cannot be"):
        form_schema(make_dataclass("Form", [("x", kind)]))


@ERAS
def test_answers_are_remembered_when_the_handler_runs_again(era: str) -> None:
    runs: list[int] = []

    async def handler(_: Any, context: Context) -> str:
        runs.append(1)
        name = await context.elicit("Your name?", Person)
        colour = await context.elicit("Your colour?", Colour)
        again = await context.elicit("Your name?", Person)
        assert name.data and colour.data and again.data
        return f"{name.data.name} {colour.data.name} {again.data.name}"

    asked: list[Any] = []
    answers = [{"name": "Ada"}, {"name": "red"}, {"name": "Bob"}]
    assert text(ask(era, handler, answers, asked)) == "Ada red Bob"
    assert [message for message, _ in asked] == ["Your name?", "Your colour?", "Your name?"]
    assert len(runs) == (1 if era == "legacy" else 4)


@ERAS
def test_a_question_that_reads_otherwise_each_time_is_known_by_its_key(era: str) -> None:
    runs: list[int] = []

    async def handler(_: Any, context: Context) -> str:
        runs.append(1)
        answer = await context.elicit(f"Run {len(runs)}: sure?", key="sure")
        return answer.action

    assert text(ask(era, handler, [YES])) == "accept"


def test_a_handler_that_never_stops_asking_is_stopped() -> None:
    runs: list[int] = []

    async def handler(_: Any, context: Context) -> None:
        runs.append(1)
        for number in range(len(runs)):
            await context.elicit(f"Question {number}?")

    async def talk() -> CallToolResult:
        async def answer(context: Any, params: Any) -> ElicitResult:
            return ElicitResult(action="accept", content={})

        tool = toolc.build_tool("ask", {"description": "Ask"})
        client = Client(
            create_server([tool], {"ask": handler}),
            elicitation_callback=answer,
            input_required_max_rounds=2 * MOST_QUESTIONS,
        )
        async with client:
            return await client.call_tool("ask", {})

    assert error(anyio.run(talk))["code"] == "INTERNAL_ERROR"
    assert len(runs) == MOST_QUESTIONS + 1


@ERAS
def test_a_sync_handler_asks_from_its_thread(era: str) -> None:
    def handler(_: Any, context: Context) -> str:
        colour = context.ask("Which?", Colour, key="colour").data
        assert colour is not None
        return f"{colour.name} {context.ask('Sure?').action}"

    asked: list[Any] = []
    assert text(ask(era, handler, [{"name": "red"}, None], asked)) == "red decline"
    assert [message for message, _ in asked] == ["Which?", "Sure?"]


def test_a_thread_of_the_handler_s_cannot_ask(caplog: Any) -> None:
    def handler(_: Any, context: Context) -> str:
        with ThreadPoolExecutor() as pool:
            return pool.submit(context.ask, "Sure?").result().action

    assert error(ask("auto", handler, [YES]))["code"] == "INTERNAL_ERROR"
    assert "TypeError: a handler asks in its own thread" in caplog.text


def test_a_sync_handler_asks_without_a_server() -> None:
    def handler(context: Context) -> str:
        return f"{context.ask('Which?', Colour).data} {context.ask('Sure?').action}"

    context = make_context(answers=[Colour("red"), None])
    assert handler(context) == "Colour(name='red', shade=None) decline"
    assert [question.message for question in context.asked] == ["Which?", "Sure?"]


@pytest.mark.parametrize("is_async", [True, False])
def test_who_does_not_wait_has_not_asked(is_async: bool, caplog: Any) -> None:
    def sync(_: Any, context: Context) -> str:
        return "deleted" if context.elicit("Sure?") else "kept"

    async def hasty(_: Any, context: Context) -> str:
        return sync(_, context)

    told = error(ask("auto", hasty if is_async else sync, [None]))
    assert told["code"] == "INTERNAL_ERROR"
    assert ("await context.elicit" if is_async else "asks by `context.ask") in caplog.text


def test_an_async_handler_does_not_hold_up_the_others(caplog: Any) -> None:
    async def handler(_: Any, context: Context) -> str:
        return context.ask("Sure?").action

    assert error(ask("auto", handler, [YES]))["code"] == "INTERNAL_ERROR"
    assert "asks by `await context.elicit" in caplog.text


def test_a_question_that_reads_otherwise_each_time_is_told_of(caplog: Any) -> None:
    runs: list[int] = []

    async def handler(_: Any, context: Context) -> str:
        runs.append(1)
        return (await context.elicit("Sure?" if len(runs) > 2 else f"Run {len(runs)}?")).action

    assert text(ask("auto", handler, [YES, YES, YES])) == "accept"
    assert "give it a `key`" in caplog.text


@ERAS
def test_a_handler_cannot_swallow_its_question(era: str) -> None:
    async def handler(_: Any, context: Context) -> str:
        try:
            return (await context.elicit("Sure?")).action
        except Exception:
            return "swallowed"

    assert text(ask(era, handler, [YES])) == "accept"


@ERAS
def test_questions_may_be_asked_at_the_same_time(era: str) -> None:
    async def handler(_: Any, context: Context) -> str:
        told: list[str] = []

        async def ask(question: str) -> None:
            told.append(f"{question} {(await context.elicit(question)).action}")

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, "One?")
            tasks.start_soon(ask, "Two?")
        return ", ".join(sorted(told))

    assert text(ask(era, handler, [YES, YES])) == "One? accept, Two? accept"


@ERAS
def test_what_does_not_fit_the_form_is_refused(era: str) -> None:
    async def handler(_: Any, context: Context) -> None:
        await context.elicit("Which?", Colour)

    told = error(ask(era, handler, [{"name": "blue"}]))
    assert told["code"] == "INVALID_INPUT"
    assert 'name: expected one of "red", "green"' in told["message"]


@ERAS
def test_what_the_form_s_class_refuses_is_refused(era: str) -> None:
    async def handler(_: Any, context: Context) -> None:
        await context.elicit("Who?", Guest)

    told = error(ask(era, handler, [{"name": "Eve"}]))
    assert told["code"] == "INVALID_INPUT"
    assert told["message"].endswith("does not fit it: name: Value error, nobody expects you")


def test_a_client_that_cannot_ask_is_told_so() -> None:
    async def handler(_: Any, context: Context) -> str:
        assert not context.client.can_elicit
        return (await context.elicit("Sure?")).action

    assert error(ask("legacy", handler, None))["code"] == "PERMISSION_DENIED"
    with pytest.RaisesGroup(
        pytest.RaisesExc(MCPError, match="elicitation"), flatten_subgroups=True
    ):
        ask("auto", handler, None)


@ERAS
@pytest.mark.parametrize(
    ("declared", "can"), [({}, True), ({"form": {}}, True), ({"url": {}}, False)]
)
def test_a_client_that_only_opens_pages_cannot_fill_in_forms(
    era: str, declared: Any, can: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    capability = ElicitationCapability.model_validate(declared)
    monkeypatch.setattr("mcp_types.ElicitationCapability", lambda **_: capability)

    async def handler(_: Any, context: Context) -> str:
        assert context.client.can_elicit is can
        return (await context.elicit("Sure?")).action

    if can:
        assert text(ask(era, handler, [YES])) == "accept"
    elif era == "legacy":
        assert error(ask(era, handler, [YES]))["code"] == "PERMISSION_DENIED"
    else:
        refused = pytest.RaisesExc(MCPError, match="not declared what this call needs: elicitation")
        with pytest.RaisesGroup(refused, flatten_subgroups=True):
            ask(era, handler, [YES])


def test_a_client_of_2025_that_refuses_to_ask() -> None:
    async def handler(_: Any, context: Context) -> str:
        return (await context.elicit("Sure?")).action

    told = error(ask("legacy", handler, [ErrorData(code=-32000, message="no window")]))
    assert told["code"] == "PERMISSION_DENIED"
    assert told["message"].endswith("the client has refused to ask: no window")


def test_a_server_without_sessions_cannot_ask_a_client_of_2025() -> None:
    from starlette.testclient import TestClient

    async def handler(_: Any, context: Context) -> str:
        return (await context.elicit("Sure?")).action

    server = create_server([toolc.build_tool("ask", {"description": "Ask"})], {"ask": handler})
    app = http_app(server, Application(), host="127.0.0.1", has_sessions=False)
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-11-25",
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask"}}
    with TestClient(app, base_url="http://127.0.0.1") as client:
        answer = client.post("/mcp", json=body, headers=headers).json()
    told = error(CallToolResult.model_validate(answer["result"]))
    assert told["code"] == "PERMISSION_DENIED"
    assert "the server keeps no sessions" in told["message"]


def test_time_stands_still_while_somebody_is_asked() -> None:
    async def handler(_: Any, context: Context) -> str:
        assert context.deadline is not None
        await context.elicit("Sure?")
        assert 0 < context.deadline - anyio.current_time() <= 0.2
        return "done"

    async def talk() -> CallToolResult:
        async def answer(context: Any, params: Any) -> ElicitResult:
            await anyio.sleep(0.5)
            return ElicitResult(action="accept", content={})

        tool = toolc.build_tool("ask", {"description": "Ask", "timeout": 0.2})
        server = create_server([tool], {"ask": handler})
        async with Client(server, mode="legacy", elicitation_callback=answer) as client:
            return await client.call_tool("ask", {})

    assert text(anyio.run(talk)) == "done"


@ERAS
def test_the_client_says_what_it_is(era: str) -> None:
    def handler(_: Any, context: Context) -> str:
        assert context.auth is None
        return f"{context.client.name} {context.client.can_elicit}"

    assert text(ask(era, handler, [])) == "mcp True"


class TestRate:
    """A tool that asks twice, and takes one call a day."""

    def runs(self, script: Callable[[Callable[..., Any]], Any]) -> list[str]:
        """What `script` makes runs of the tool come to: questions, codes of errors, the answer.

        It gets a function that begins a call, or goes on with the result of a run before.
        """
        yes: Any = ElicitResult(action="accept", content={})

        async def handler(_: Any, context: Context) -> str:
            await context.elicit("One?")
            await context.elicit("Two?")
            return "done"

        async def never(context: Any, params: Any) -> ElicitResult:
            raise AssertionError("nobody is asked")

        async def talk() -> list[str]:
            tool = toolc.build_tool("ask", {"description": "Ask", "rateLimit": "1/day"})
            server = create_server([tool], {"ask": handler})
            told: list[str] = []

            async def run(before: Any = None, *, is_answered: bool = True) -> Any:
                asked = before.input_requests if before and is_answered else {}
                result: Any = await client.session.call_tool(
                    "ask",
                    input_responses=dict.fromkeys(asked, yes),
                    request_state=before and before.request_state,
                    allow_input_required=True,
                )
                if result.result_type == "input_required":
                    (question,) = result.input_requests.values()
                    told.append(question.params.message)
                else:
                    told.append(error(result)["code"] if result.is_error else text(result))
                return result

            async with Client(server, elicitation_callback=never) as client:
                await script(run)
            return told

        return anyio.run(talk)

    def test_all_runs_of_a_call_count_once(self) -> None:
        async def script(run: Callable[..., Any]) -> None:
            await run(await run(await run()))
            await run()

        assert self.runs(script) == ["One?", "Two?", "done", "RATE_LIMITED"]

    def test_an_answer_that_is_sent_again_is_another_call(self) -> None:
        async def script(run: Callable[..., Any]) -> None:
            first = await run()
            await run(first)
            await run(first)

        assert self.runs(script) == ["One?", "Two?", "RATE_LIMITED"]

    def test_who_brings_no_answer_calls_again(self) -> None:
        async def script(run: Callable[..., Any]) -> None:
            await run(await run(), is_answered=False)

        assert self.runs(script) == ["One?", "RATE_LIMITED"]


class TestKeys:
    """Which servers take the answers to which others' questions."""

    def server(self) -> Server[Any]:
        async def handler(_: Any, context: Context) -> str:
            return (await context.elicit("Sure?")).action

        tool = toolc.build_tool("ask", {"description": "Ask"})
        return create_server([tool], {"ask": handler})

    def carry_over(self, asking: Server[Any], answering: Server[Any]) -> CallToolResult:
        """A question of one server, answered to another."""

        async def talk() -> CallToolResult:
            async with Client(asking, elicitation_callback=never) as one:
                asked: Any = await one.session.call_tool("ask", {}, allow_input_required=True)
            (name,) = asked.input_requests
            told: Any = {name: ElicitResult(action="accept", content={})}
            async with Client(answering, elicitation_callback=never) as other:
                return await other.call_tool(
                    "ask", {}, input_responses=told, request_state=asked.request_state
                )

        async def never(context: Any, params: Any) -> ElicitResult:
            raise AssertionError("nobody is asked")

        return anyio.run(talk)

    def test_each_server_has_its_own(self) -> None:
        refused = pytest.RaisesExc(MCPError, match="requestState")
        with pytest.RaisesGroup(refused, flatten_subgroups=True):
            self.carry_over(self.server(), self.server())

    def test_a_common_one_and_the_one_before_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(VARIABLE, "o" * 32)
        old = self.server()
        monkeypatch.setenv(VARIABLE, f"{'n' * 32}, {'o' * 32}")
        assert text(self.carry_over(old, self.server())) == "accept"

    def test_one_that_is_named_twice_is_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(VARIABLE, f"{'o' * 32},{'o' * 32}")
        assert text(self.carry_over(self.server(), self.server())) == "accept"

    def test_a_short_one_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(VARIABLE, "short")
        with pytest.raises(PackageError, match=f"{VARIABLE} has a key of 5 characters; 32 are"):
            self.server()
