"""Answers that ask the client for something, since the revision 2026-07-28.

toolc has no word for them: a handler returns the SDK's `InputRequiredResult`, and finds what the
client brought along in the SDK's request.
"""

from __future__ import annotations

from typing import Any

from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequest,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
    TextContent,
)

from toolc_runtime import Context

Reply = str | InputRequiredResult


def elicitation(params: Any, context: Context) -> Reply:
    name = _brought(context, "user_name")
    if name is None:
        return _ask(user_name=_form("What is your name?", "name"))
    return f"Hello, {name['content']['name']}!"


def sampling(params: Any, context: Context) -> Reply:
    answer = _brought(context, "capital_question")
    if answer is None:
        return _ask(capital_question=_prompt("What is the capital of France?"))
    return str(answer["content"]["text"])


def roots(params: Any, context: Context) -> Reply:
    answer = _brought(context, "client_roots")
    if answer is None:
        return _ask(client_roots=ListRootsRequest())
    return "Roots: " + ", ".join(root["uri"] for root in answer["roots"])


def multiple(params: Any, context: Context) -> Reply:
    asked: dict[str, InputRequest] = {
        "user_name": _form("What is your name?", "name"),
        "greeting": _prompt("Generate a greeting"),
        "client_roots": ListRootsRequest(),
    }
    if any(_brought(context, key) is None for key in asked):
        return _ask("all at once", **asked)
    return "All three have arrived."


def confirmation(params: Any, context: Context) -> Reply:
    if _brought(context, "confirm") is None or _state(context) != "to be confirmed":
        return _ask("to be confirmed", confirm=_form("Please confirm", "ok", "boolean"))
    return "state-ok"


def two_questions(params: Any, context: Context) -> Reply:
    name, colour = _brought(context, "step1"), _brought(context, "step2")
    if colour is not None and _state(context) == "asked for the colour":
        return f"The colour is {colour['content']['color']}."
    if name is not None and _state(context) == "asked for the name":
        question = _form("Step 2: What is your favorite color?", "color")
        return _ask("asked for the colour", step2=question)
    return _ask("asked for the name", step1=_form("Step 1: What is your name?", "name"))


def whatever_is_declared(params: Any, context: Context) -> Reply:
    possible: dict[str, InputRequest] = {
        "elicitation": _form("What is your name?", "name"),
        "sampling": _prompt("Generate a greeting"),
        "roots": ListRootsRequest(),
    }
    declared = context.sdk.session.client_capabilities
    asked = {key: request for key, request in possible.items() if getattr(declared, key, None)}
    if not asked or any(_brought(context, key) for key in asked):
        return "There is nothing more to ask for."
    return _ask(**asked)


def _ask(state: str | None = None, /, **requests: InputRequest) -> InputRequiredResult:
    return InputRequiredResult(input_requests=requests, request_state=state)


def _form(message: str, name: str, kind: str = "string") -> ElicitRequest:
    schema = {"type": "object", "properties": {name: {"type": kind}}, "required": [name]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def _prompt(text: str) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=TextContent(type="text", text=text))
    return CreateMessageRequest(
        params=CreateMessageRequestParams(messages=[message], max_tokens=100)
    )


def _brought(context: Context, key: str) -> dict[str, Any] | None:
    """What the client brought along under `key`, as JSON."""
    responses = context.sdk.params.get("inputResponses") or {}
    response: dict[str, Any] | None = responses.get(key)
    return response


def _state(context: Context) -> str | None:
    """The state that the client brought back; the server has made sure that it is our own."""
    state: str | None = context.sdk.params.get("requestState")
    return state
