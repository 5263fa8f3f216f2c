"""What toolc has no word for: the SDK's own request context, and the SDK's own results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    TextContent,
)

from toolc.model.tool import Tool
from toolc_runtime import Arguments, Context, create_server

SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def connect(handler: Callable[[Arguments, Context], Any], **options: Any) -> Client:
    """A client of one tool, `ask`; no `output` of it is ever checked against what an SDK result holds."""
    tool = Tool(name="ask", input_schema={"type": "object"}, output_schema={"type": "object"})
    return Client(create_server([tool], {"ask": handler}, name="asking"), **options)


def call(client: Client) -> CallToolResult:
    async def talk() -> CallToolResult:
        async with client:
            return await client.call_tool("ask", {})

    return anyio.run(talk)


async def answer(_context: Any, _params: Any) -> ElicitResult:
    """A user who says a name."""
    return ElicitResult(action="accept", content={"name": "Ada"})


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_result_of_the_sdk_goes_as_it_is(mode: Any) -> None:
    returned = CallToolResult(
        content=[TextContent(type="text", text="no")],
        structured_content={"none": None},
        is_error=True,
        _meta={"k": 1},
    )
    result = call(connect(lambda params, context: returned, mode=mode))
    assert result.is_error
    assert result.structured_content == {"none": None}
    assert (result.meta or {})["k"] == 1


@pytest.mark.parametrize("held", [float("nan"), "\ud800", {1, 2}])
def test_what_json_cannot_hold_stays_in_the_log(held: Any, caplog: Any) -> None:
    returned = CallToolResult(content=[], structured_content={"held": held})
    result = call(connect(lambda params, context: returned))
    assert isinstance(result.content[0], TextContent)
    assert "INTERNAL_ERROR" in result.content[0].text
    assert "held" in caplog.text


async def greet_by_request(_params: Arguments, context: Context) -> CallToolResult:
    """As before 2026-07-28: a request to the client in the middle of the call."""
    got = await context.sdk.session.elicit_form("Your name?", SCHEMA, context.request_id)
    return CallToolResult(content=[], structured_content=got.content)


def greet_by_rounds(_params: Arguments, context: Context) -> CallToolResult | InputRequiredResult:
    """As since 2026-07-28: the client calls once more, with what was asked for."""
    told = context.sdk.params
    if "inputResponses" in told:
        held = {**told["inputResponses"]["who"]["content"], "state": told["requestState"]}
        return CallToolResult(content=[], structured_content=held)
    form = ElicitRequestFormParams(message="Your name?", requested_schema=SCHEMA)
    return InputRequiredResult(
        input_requests={"who": ElicitRequest(params=form)}, request_state="first round"
    )


def test_a_question_before_2026() -> None:
    client = connect(greet_by_request, mode="legacy", elicitation_callback=answer)
    assert call(client).structured_content == {"name": "Ada"}


def test_a_question_since_2026() -> None:
    client = connect(greet_by_rounds, elicitation_callback=answer)
    assert call(client).structured_content == {"name": "Ada", "state": "first round"}


def test_the_state_of_a_round_is_sealed() -> None:
    async def talk() -> None:
        async with connect(greet_by_rounds, elicitation_callback=answer) as client:
            ask = client.session.call_tool
            first = await ask("ask", {}, allow_input_required=True)
            assert isinstance(first, InputRequiredResult)
            assert first.request_state is not None
            assert "first round" not in first.request_state
            responses: Any = {"who": await answer(None, None)}
            with pytest.raises(MCPError, match="Invalid or expired requestState"):
                await ask(
                    "ask",
                    {},
                    input_responses=responses,
                    request_state=first.request_state + "x",
                    allow_input_required=True,
                )

    anyio.run(talk)


def test_nothing_is_asked_of_a_client_that_has_not_declared_it() -> None:
    async def talk() -> None:
        async with connect(greet_by_rounds) as client:
            with pytest.raises(MCPError) as caught:
                await client.call_tool("ask", {})
            assert caught.value.error.code == MISSING_REQUIRED_CLIENT_CAPABILITY
            assert caught.value.error.data == {
                "requiredCapabilities": {"elicitation": {"form": {}}}
            }

    anyio.run(talk)


def test_rounds_are_no_answer_before_2026(caplog: Any) -> None:
    client = connect(greet_by_rounds, mode="legacy", elicitation_callback=answer)
    assert call(client).is_error
    assert "the revision 2025-11-25 has no form for an InputRequiredResult" in caplog.text
