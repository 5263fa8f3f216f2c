"""Requests to the client in the middle of a call, as up to the revision 2025-11-25.

toolc has no word for them: the handlers speak to the SDK's session.
"""

from __future__ import annotations

import warnings
from typing import Any

from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types import SamplingMessage, TextContent

from toolc_runtime import Context, ToolError

JsonSchema = dict[str, Any]


async def sampling(params: Any, context: Context) -> str:
    session = _session(context, "sampling")
    prompt = TextContent(type="text", text=params.prompt)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        made = await session.create_message(
            [SamplingMessage(role="user", content=prompt)],
            max_tokens=100,
            related_request_id=context.request_id,
        )
    text = made.content.text if isinstance(made.content, TextContent) else made.content.type
    return f"LLM response: {text}"


async def elicitation(params: Any, context: Context) -> str:
    answer = await _ask(
        context,
        params.message,
        {
            "username": {"type": "string", "description": "User's response"},
            "email": {"type": "string", "description": "User's email address"},
        },
        required=["username", "email"],
    )
    return f"User response: {answer}"


async def elicitation_defaults(params: Any, context: Context) -> str:
    answer = await _ask(
        context,
        "Please look through these values",
        {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {
                "type": "string",
                "enum": ["active", "inactive", "pending"],
                "default": "active",
            },
            "verified": {"type": "boolean", "default": True},
        },
    )
    return f"Elicitation completed: {answer}"


async def elicitation_choices(params: Any, context: Context) -> str:
    plain = ["option1", "option2", "option3"]
    answer = await _ask(
        context,
        "Please choose",
        {
            "untitledSingle": {"type": "string", "enum": plain},
            "titledSingle": {"type": "string", "oneOf": _titled("Option")},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
            "titledMulti": {"type": "array", "items": {"anyOf": _titled("Choice")}},
        },
    )
    return f"Elicitation completed: {answer}"


def _titled(noun: str) -> list[JsonSchema]:
    ranks = ("First", "Second", "Third")
    return [
        {"const": f"value{place}", "title": f"{rank} {noun}"}
        for place, rank in enumerate(ranks, start=1)
    ]


async def _ask(
    context: Context,
    message: str,
    properties: dict[str, JsonSchema],
    required: list[str] | None = None,
) -> str:
    session = _session(context, "elicitation")
    schema = {"type": "object", "properties": properties, "required": required or []}
    answer = await session.elicit_form(message, schema, context.request_id)
    return f"action={answer.action}, content={answer.content}"


def _session(context: Context, capability: str) -> ServerSession:
    """The SDK's session, where its client takes requests and has declared `capability`."""
    session: ServerSession = context.sdk.session
    if not session.can_send_request or not getattr(session.client_capabilities, capability, None):
        raise ToolError("NOT_SUPPORTED", f"the client takes no requests for {capability}")
    return session
