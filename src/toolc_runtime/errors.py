"""What a model reads when a call goes wrong.

Every error result has one shape: `isError`, and one text that holds
`{"error": {"code", "message", "details"?, "suggestion"?, "suggestions"?, "schema_hint"?,
"warnings"?}}`; never structured content.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolc_runtime.convert import to_json
from toolc_runtime.jsonvalue import JsonObject, JsonValue, NotJsonError, clean_text, write_json

INVALID_INPUT = "INVALID_INPUT"
MISSING_REQUIRED = "MISSING_REQUIRED"
NOT_FOUND = "NOT_FOUND"
PERMISSION_DENIED = "PERMISSION_DENIED"
TIMEOUT = "TIMEOUT"
RATE_LIMITED = "RATE_LIMITED"
UNKNOWN_TOOL = "UNKNOWN_TOOL"
INTERNAL_ERROR = "INTERNAL_ERROR"


class ToolError(Exception):
    """Raised by a handler to tell the model what went wrong, in words meant for it.

    `code` is one of this module's or one that the tool declares. `details` is any JSON value, or
    what becomes one; `suggestion` says what to do instead.
    """

    def __init__(
        self, code: str, message: str, *, details: Any = None, suggestion: str | None = None
    ) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.details = details
        self.suggestion = suggestion

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


def error_result(
    code: str,
    message: str,
    *,
    details: JsonValue = None,
    suggestion: str | None = None,
    suggestions: JsonObject | None = None,
    schema_hint: JsonObject | None = None,
    warnings: Sequence[str] = (),
) -> JsonObject:
    """A `tools/call` result that says what went wrong; see `error_object`."""
    told = error_object(
        code,
        message,
        details=details,
        suggestion=suggestion,
        suggestions=suggestions,
        schema_hint=schema_hint,
        warnings=warnings,
    )
    return {
        "content": [{"type": "text", "text": write_json(told)}],
        "isError": True,
        "resultType": "complete",
    }


def error_object(
    code: str,
    message: str,
    *,
    details: JsonValue = None,
    suggestion: str | None = None,
    suggestions: JsonObject | None = None,
    schema_hint: JsonObject | None = None,
    warnings: Sequence[str] = (),
) -> JsonObject:
    """`{"error": {…}}`; absent parts are left out.

    `suggestions` are tools: `did_you_mean` (a name), `similar_tools` (a list). `schema_hint` has of
    a tool's parameters `required` and `optional` (names), `parameters` (the schemas of those
    concerned), `example` (arguments). `warnings` are sentences on how the arguments were taken.
    """
    error: JsonObject = {"code": clean_text(code), "message": clean_text(message)}
    if details is not None:
        error["details"] = details
    if suggestion is not None:
        error["suggestion"] = clean_text(suggestion)
    if suggestions is not None:
        error["suggestions"] = suggestions
    if schema_hint is not None:
        error["schema_hint"] = schema_hint
    if warnings:
        error["warnings"] = list(warnings)
    return {"error": error}


def raised_result(error: ToolError, warnings: Sequence[str] = ()) -> JsonObject:
    """The result of a handler's ToolError; details that no JSON can hold are left out."""
    return error_result(
        str(error.code),
        str(error.message),
        details=_details(error),
        suggestion=error.suggestion,
        warnings=warnings,
    )


def error_in_part(error: ToolError) -> JsonValue:
    """A ToolError beside an answer, as an error result has it: `code`, `message` and so on."""
    told = error_object(
        str(error.code), str(error.message), details=_details(error), suggestion=error.suggestion
    )
    return told["error"]


def _details(error: ToolError) -> JsonValue:
    try:
        return to_json(error.details)
    except NotJsonError:
        return None


def internal_result(identity: str, message: str, warnings: Sequence[str] = ()) -> JsonObject:
    """The result of anything unforeseen; `identity` is what the server's log has it under."""
    return error_result(INTERNAL_ERROR, message, details={"id": identity}, warnings=warnings)
