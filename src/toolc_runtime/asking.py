"""Questions of one call on their way to the client and back, in both eras of the protocol.

Before 2026-07-28 a question is a request to the client, sent while the handler waits. Since then it
is the call's answer: the client asks, and calls again with what it was told, and the handler begins
anew. What was told before comes along in `requestState`, which the server has sealed.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import NoBackChannelError
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from toolc_runtime.errors import PERMISSION_DENIED, ToolError
from toolc_runtime.forms import AskedError, Question
from toolc_runtime.jsonvalue import JsonObject, write_json

logger = logging.getLogger("toolc_runtime")

MOST_QUESTIONS = 32
"""How many answers one call may gather: a handler that asks anew each time would never end."""

_STATE = "toolc.answers"


class Questions:
    """What one call has asked, and what it was told."""

    def __init__(self, request: ServerRequestContext[Any, Any]) -> None:
        self._request = request
        self._is_modern = request.protocol_version in MODERN_PROTOCOL_VERSIONS
        self._told: JsonObject = _brought_along(request) if self._is_modern else {}
        self._asked: dict[str, int] = {}
        self._used: set[str] = set()

    async def ask(self, question: Question, key: str | None) -> Mapping[str, Any]:
        """The client's `ElicitResult` as JSON.

        The same question, or the same `key`, has the same answer when the handler runs again.
        AskedError where the client is to be asked first; ToolError PERMISSION_DENIED where it cannot.
        """
        if not self._is_modern:
            return await self._ask_now(question)
        name = self._name(question, key)
        if name in self._told:
            self._used.add(name)
            return self._told[name]  # type: ignore[return-value]
        if len(self._told) >= MOST_QUESTIONS:
            raise RuntimeError(
                f"a call may ask {MOST_QUESTIONS} questions: does each run ask others?"
            )
        if self._told.keys() - self._used:
            logger.warning(
                "a question of this call reads otherwise in each run, so that it is asked again: "
                "give it a `key`"
            )
        request = ElicitRequest(
            params=ElicitRequestFormParams(
                message=question.message, requested_schema=question.schema
            )
        )
        state = write_json({_STATE: {"told": self._told, "asked": name}})
        raise AskedError(InputRequiredResult(input_requests={name: request}, request_state=state))

    async def _ask_now(self, question: Question) -> Mapping[str, Any]:
        session = self._request.session
        if getattr(session.client_capabilities, "elicitation", None) is None:
            raise ToolError(
                PERMISSION_DENIED,
                "this has to be asked, and the client has not said that it can ask",
            )
        try:
            result = await session.elicit_form(
                question.message, question.schema, self._request.request_id
            )
        except NoBackChannelError:
            raise ToolError(
                PERMISSION_DENIED,
                "this has to be asked, and there is no way to the client while it waits",
                suggestion="the server's --stream opens one",
            ) from None
        return result.model_dump(mode="json", include={"action", "content"})

    def _name(self, question: Question, key: str | None) -> str:
        """What a question is known by in every run of the handler."""
        if key is None:
            text = write_json([question.message, question.schema])
            key = sha256(text.encode()).hexdigest()[:12]
        number = self._asked[key] = self._asked.get(key, 0) + 1
        return key if number == 1 else f"{key}.{number}"


def _brought_along(request: ServerRequestContext[Any, Any]) -> JsonObject:
    """What the client was told so far; an answer to what this call never asked does not count."""
    params = request.params or {}
    try:
        state = json.loads(params.get("requestState") or "")[_STATE]
    except (ValueError, KeyError, TypeError):  # none, or one that the handler itself has made
        return {}
    told: JsonObject = state["told"]
    response = (params.get("inputResponses") or {}).get(state["asked"])
    if isinstance(response, dict) and "action" in response:
        told[state["asked"]] = {
            key: response[key] for key in ("action", "content") if key in response
        }
    return told
