"""Questions of one call on their way to the client and back, in both eras of the protocol.

Before 2026-07-28 a question is a request to the client, sent while the handler waits. Since then it
is the call's answer: the client asks, and calls again with what it was told, and the handler begins
anew. What was told before comes along in `requestState`, which the server has sealed.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from toolc_runtime.errors import PERMISSION_DENIED, ToolError
from toolc_runtime.forms import AskedError, Question, can_ask
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
        run = secrets.token_urlsafe(9)
        state = write_json({_STATE: {"told": self._told, "asked": name, "run": run}})
        asked = InputRequiredResult(input_requests={name: request}, request_state=state)
        raise AskedError(asked, run)

    async def _ask_now(self, question: Question) -> Mapping[str, Any]:
        session = self._request.session
        if session.client_params is None:  # whoever it said that to, it was not this session
            raise ToolError(
                PERMISSION_DENIED,
                "this has to be asked, and the server keeps no sessions to ask a client in",
                suggestion="serve by one process, with --stream; a client of 2026-07-28 needs neither",
            )
        if not can_ask(session.client_capabilities):
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
        except MCPError as error:
            raise ToolError(
                PERMISSION_DENIED,
                f"this has to be asked, and the client has refused to ask: {error.error.message}",
            ) from None
        return result.model_dump(mode="json", include={"action", "content"})

    def _name(self, question: Question, key: str | None) -> str:
        """What a question is known by in every run of the handler."""
        if key is None:
            text = write_json([question.message, question.schema])
            key = sha256(text.encode()).hexdigest()[:12]
        number = self._asked[key] = self._asked.get(key, 0) + 1
        return key if number == 1 else f"{key}.{number}"


def run_before(request: ServerRequestContext[Any, Any]) -> str | None:
    """The run (see `AskedError`) to whose question the call brings the answer; None for any other."""
    state = _state(request)
    return None if state is None or _answer(request, state) is None else state.get("run")


def _brought_along(request: ServerRequestContext[Any, Any]) -> JsonObject:
    """What the client was told so far; an answer to what this call never asked does not count."""
    state = _state(request)
    if state is None:
        return {}
    told: JsonObject = state["told"]
    if (answer := _answer(request, state)) is not None:
        told[state["asked"]] = {key: answer[key] for key in ("action", "content") if key in answer}
    return told


def _state(request: ServerRequestContext[Any, Any]) -> Any:
    """What the run before has sealed; None where there was none, or a handler that seals its own."""
    try:
        return json.loads((request.params or {}).get("requestState") or "")[_STATE]
    except (ValueError, KeyError, TypeError):
        return None


def _answer(request: ServerRequestContext[Any, Any], state: Any) -> JsonObject | None:
    """The answer to what the run before has asked."""
    response = ((request.params or {}).get("inputResponses") or {}).get(state["asked"])
    return response if isinstance(response, dict) and "action" in response else None
