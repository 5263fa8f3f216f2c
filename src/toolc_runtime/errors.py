"""What a model reads when a call goes wrong.

Every error result has one shape: `isError`, and one text that holds
`{"error": {"code", "message", "details"?, "suggestion"?}}`; never structured content.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from toolc_runtime.convert import to_json
from toolc_runtime.jsonvalue import (
    JsonObject,
    JsonValue,
    NotJsonError,
    clean_text,
    path_text,
    write_json,
)
from toolc_runtime.validation import Fault

INVALID_INPUT = "INVALID_INPUT"
MISSING_REQUIRED = "MISSING_REQUIRED"
NOT_FOUND = "NOT_FOUND"
PERMISSION_DENIED = "PERMISSION_DENIED"
TIMEOUT = "TIMEOUT"
RATE_LIMITED = "RATE_LIMITED"
UNKNOWN_TOOL = "UNKNOWN_TOOL"
INTERNAL_ERROR = "INTERNAL_ERROR"

_LONGEST_NAME = 100
"""Characters of an unknown parameter's name that an answer repeats."""


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
    code: str, message: str, *, details: JsonValue = None, suggestion: str | None = None
) -> JsonObject:
    """A `tools/call` result that says what went wrong; see `error_object`."""
    told = error_object(code, message, details=details, suggestion=suggestion)
    return {
        "content": [{"type": "text", "text": write_json(told)}],
        "isError": True,
        "resultType": "complete",
    }


def error_object(
    code: str, message: str, *, details: JsonValue = None, suggestion: str | None = None
) -> JsonObject:
    """`{"error": {…}}`; absent parts are left out."""
    error: JsonObject = {"code": clean_text(code), "message": clean_text(message)}
    if details is not None:
        error["details"] = details
    if suggestion is not None:
        error["suggestion"] = clean_text(suggestion)
    return {"error": error}


def raised_result(error: ToolError) -> JsonObject:
    """The result of a handler's ToolError; details that no JSON can hold are left out."""
    try:
        details = to_json(error.details)
    except NotJsonError:
        details = None
    return error_result(
        str(error.code), str(error.message), details=details, suggestion=error.suggestion
    )


def internal_result(identity: str, message: str) -> JsonObject:
    """The result of anything unforeseen; `identity` is what the server's log has it under."""
    return error_result(INTERNAL_ERROR, message, details={"id": identity})


def argument_result(
    tool: str, faults: Sequence[Fault], schema: Mapping[str, JsonValue]
) -> JsonObject:
    """The result of arguments that do not fit `schema`, all faults at once.

    Details: `missing` (names), `unknown` (`name`, `did_you_mean`), `invalid` (`parameter`,
    `expected`, `got`); names of nested parameters are paths like `stops[0].city`.
    """
    missing = [path_text(fault.pointer) for fault in faults if fault.keyword == "required"]
    unknown = [_unknown(fault, schema) for fault in faults if fault.is_unknown]
    invalid = [fault for fault in faults if fault.keyword != "required" and not fault.is_unknown]
    told: JsonObject = {
        "missing": list(missing),
        "unknown": list(unknown),
        "invalid": [
            {
                "parameter": path_text(fault.pointer),
                "expected": fault.expected,
                "got": fault.got,
            }
            for fault in invalid
        ],
    }
    return error_result(
        MISSING_REQUIRED if missing else INVALID_INPUT,
        _sentence(tool, missing, unknown, invalid),
        details={key: value for key, value in told.items() if value},
    )


def _unknown(fault: Fault, schema: Mapping[str, JsonValue]) -> JsonObject:
    """An unknown parameter and the declared one nearest to it; nested ones have no guess."""
    properties = schema.get("properties")
    known = list(properties) if isinstance(properties, dict) and len(fault.pointer) == 1 else []
    name = clean_text(str(fault.pointer[-1]))[:_LONGEST_NAME]
    near = get_close_matches(name, known, n=1)
    return {
        "name": path_text((*fault.pointer[:-1], name)),
        "did_you_mean": near[0] if near else None,
    }


def _sentence(
    tool: str, missing: Sequence[str], unknown: Sequence[JsonObject], invalid: Sequence[Fault]
) -> str:
    parts: list[str] = []
    if missing:
        parts.append(f"{tool} needs " + ", ".join(f'"{name}"' for name in missing))
    for row in unknown:
        guess = row["did_you_mean"]
        asked = f': did you mean "{guess}"?' if guess is not None else ""
        parts.append(f'unknown "{row["name"]}"{asked}')
    parts.extend(fault.message for fault in invalid)
    text = "; ".join(parts)
    return text if missing else f"{tool}: {text}"
