"""From what a handler returns to a `tools/call` result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from toolc_runtime.convert import to_json
from toolc_runtime.jsonvalue import JsonObject, JsonValue, NotJsonError, write_json
from toolc_runtime.revision import wrap_result, wraps_output
from toolc_runtime.validation import Fault, Validator

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Result(Generic[T]):
    """An answer with more than its data.

    `content` are further content blocks (the SDK's, or strings), behind the text of the data;
    `meta` is the result's `_meta`.
    """

    data: T
    content: Sequence[Any] = ()
    meta: Mapping[str, Any] | None = None


Reply: TypeAlias = T | Result[T]
"""What a handler returns: `Reply[T]` is a `T`, or a `Result[T]` around one."""

_SDK_RESULTS = frozenset({"CallToolResult", "InputRequiredResult"})

_INPUT_REQUIRED_SINCE = "2026-07-28"


class OutputError(Exception):
    """A handler's data that its tool's `outputSchema` refuses."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(fault.message for fault in faults))


def render(
    returned: Any,
    *,
    output_schema: JsonValue,
    output: Validator | None,
    revision: str,
    warnings: Sequence[str] = (),
) -> JsonObject:
    """The `tools/call` result of `returned`, for a client that speaks `revision`.

    With an output schema (`output` is its validator) the data become `structuredContent`, wrapped
    where the revision wants an object, and the same JSON as text. Without one, text and content
    blocks go as they are, None is no content, and any other value its JSON as text; an object is
    `structuredContent` as well. The SDK's own results of a call go as they are, schema or not.

    Each warning is a further text behind the content.

    NotJsonError for what has no JSON form, OutputError for data that the schema refuses.
    """
    result = _rendered(returned, output_schema, output, revision)
    if warnings and isinstance(content := result.get("content"), list):
        result["content"] = [*content, *[_text(f"warning: {warning}") for warning in warnings]]
    return result


def _rendered(
    returned: Any, output_schema: JsonValue, output: Validator | None, revision: str
) -> JsonObject:
    if _is_sdk_result(returned):
        return _sdk_result(returned, revision)
    answer = returned if isinstance(returned, Result) else Result(returned)
    if output is not None:
        structured = to_json(answer.data)
        if not output.is_valid(structured):
            raise OutputError(output.faults(structured))
        if wraps_output(output_schema, revision):
            structured = wrap_result(structured)
        content: list[JsonValue] = [_text(write_json(structured))]
        result: JsonObject = {"content": content, "structuredContent": structured}
    else:
        result = _free_form(answer.data)
    result["content"] = [*result["content"], *map(_block, answer.content)]  # type: ignore[misc]
    result["resultType"] = "complete"
    if answer.meta is not None:
        result["_meta"] = to_json(answer.meta)
    return result


def _free_form(data: Any) -> JsonObject:
    if data is None:
        return {"content": []}
    if isinstance(data, str) or _is_block(data):
        return {"content": [_block(data)]}
    if isinstance(data, (list, tuple)) and data and all(map(_is_block, data)):
        return {"content": [_block(item) for item in data]}
    value = to_json(data)
    result: JsonObject = {"content": [_text(write_json(value))]}
    if isinstance(value, dict):
        result["structuredContent"] = value
    return result


def _text(text: str) -> JsonObject:
    return {"type": "text", "text": text}


def _sdk_result(result: Any, revision: str) -> JsonObject:
    if result.result_type == "input_required" and revision < _INPUT_REQUIRED_SINCE:
        raise NotJsonError((), f"the revision {revision} has no form for an InputRequiredResult")
    dumped = result.model_dump(by_alias=True, exclude_none=True)
    return to_json(dumped)  # type: ignore[return-value]


def _is_sdk_result(value: Any) -> bool:
    return not _SDK_RESULTS.isdisjoint(_sdk_classes(value))


def _is_block(value: Any) -> bool:
    """Whether `value` is one of the SDK's content blocks."""
    return hasattr(value, "type") and bool(_sdk_classes(value))


def _sdk_classes(value: Any) -> set[str]:
    """The SDK's classes that `value` is of; a handler that makes one has loaded the SDK."""
    return {
        base.__name__
        for base in type(value).__mro__
        if base.__module__.split(".", 1)[0] == "mcp_types"
    }


def _block(value: Any) -> JsonValue:
    if isinstance(value, str):
        return to_json(_text(value))
    if _is_block(value):
        return to_json(value.model_dump(by_alias=True, mode="json", exclude_none=True))
    raise NotJsonError((), f"a {type(value).__name__} is no content block")
