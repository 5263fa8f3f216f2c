"""From what a handler returns to a `tools/call` result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from toolc_runtime.convert import to_json
from toolc_runtime.envelope import envelop, without_empty
from toolc_runtime.errors import ToolError, error_in_part
from toolc_runtime.jsonvalue import JsonObject, JsonValue, NotJsonError, write_json
from toolc_runtime.revision import wrap_result, wraps_output
from toolc_runtime.validation import Fault, Validator

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Result(Generic[T]):
    """An answer with more than its data.

    `content` are further content blocks (the SDK's, or strings), behind the text of the data;
    `meta` is the result's `_meta`. `metadata` are flags for programs (`total`, `has_more`),
    `warnings` sentences on this answer, `next_steps` says what to call next; `complete=False` puts
    `complete: false` among the metadata. `errors` are what failed of a call that did the rest; where
    nothing was done, raise instead.

    A tool with an `envelope` answers all of these in it. Without one, errors, warnings and next steps
    are texts behind the content, and the metadata go into `_meta`.
    """

    data: T
    content: Sequence[Any] = ()
    meta: Mapping[str, Any] | None = None
    metadata: Mapping[str, Any] | None = None
    warnings: Sequence[str] = ()
    next_steps: str | None = None
    complete: bool = True
    errors: Sequence[ToolError] = ()


Reply: TypeAlias = T | Result[T]
"""What a handler returns: `Reply[T]` is a `T`, or a `Result[T]` around one."""

_PLAIN = frozenset({dict, list, str, type(None)})

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
    envelope: bool = False,
    warnings: Sequence[str] = (),
) -> JsonObject:
    """The `tools/call` result of `returned`, for a client that speaks `revision`.

    With an output schema (`output` is its validator) the data become `structuredContent`, wrapped
    where the revision wants an object, and the same JSON as text. Without one, text and content
    blocks go as they are, None is no content, and any other value its JSON as text; an object is
    `structuredContent` as well. With `envelope`, `structuredContent` is the data in their envelope,
    which is what the schema describes, and the text is the same without its empty fields.

    `warnings` are the runtime's own; they come before the handler's. The SDK's own results of a call
    go as they are, schema or not, with the warnings behind their content.

    NotJsonError for what has no JSON form, OutputError for data that the schema refuses.
    """
    if _is_sdk_result(returned):
        result = sdk_result(returned, revision)
        if warnings and isinstance(blocks := result.get("content"), list):
            blocks.extend(_notes(warnings))
        return result
    answer = returned if isinstance(returned, Result) else Result(returned)
    said = _sentences(warnings, answer.warnings)
    errors = [error_in_part(error) for error in answer.errors]
    metadata = _metadata(answer)
    meta = _object(answer.meta)
    notes: list[JsonValue] = []
    if envelope:
        result = _enveloped(answer, metadata, errors, said, output)
    else:
        notes = _notes(said, answer.next_steps, errors)
        meta = {**metadata, **meta}
        if output is None:
            result = _free_form(answer.data)
        else:
            result = _typed(answer.data, output_schema, output, revision)
    result["content"] = [*result["content"], *map(_block, answer.content), *notes]  # type: ignore[misc]
    result["resultType"] = "complete"
    if meta:
        result["_meta"] = meta
    return result


def _typed(data: Any, output_schema: JsonValue, output: Validator, revision: str) -> JsonObject:
    structured = to_json(data)
    _require(structured, output)
    if wraps_output(output_schema, revision):
        structured = wrap_result(structured)
    return {"content": [_text(write_json(structured))], "structuredContent": structured}


def _enveloped(
    answer: Result[Any],
    metadata: JsonObject,
    errors: Sequence[JsonValue],
    warnings: Sequence[str],
    output: Validator | None,
) -> JsonObject:
    blocks = _blocks(answer.data)
    structured = envelop(
        None if blocks else to_json(answer.data),
        metadata=metadata,
        errors=errors,
        warnings=warnings,
        next_steps=to_json(answer.next_steps),  # type: ignore[arg-type]
    )
    if output is not None:
        _require(structured, output)
    text = _text(write_json(without_empty(structured)))
    return {"content": [text, *blocks], "structuredContent": structured}


def _require(structured: JsonValue, output: Validator) -> None:
    if not output.is_valid(structured):
        raise OutputError(output.faults(structured))


def _metadata(answer: Result[Any]) -> JsonObject:
    metadata = _object(answer.metadata)
    return metadata if answer.complete else {**metadata, "complete": False}


def _object(value: Mapping[str, Any] | None) -> JsonObject:
    return {} if value is None else to_json(value)  # type: ignore[return-value]


def _sentences(*groups: Sequence[str]) -> list[str]:
    """All sentences in their order; a text alone, which is a sequence too, is one of them."""
    if not any(groups):
        return []
    listed = [[group] if isinstance(group, str) else group for group in groups]
    return to_json([sentence for group in listed for sentence in group])  # type: ignore[return-value]


def _notes(
    warnings: Sequence[str], next_steps: str | None = None, errors: Sequence[JsonValue] = ()
) -> list[JsonValue]:
    """What a model reads behind the content where there is no envelope."""
    lines = [f"error: {write_json(error)}" for error in errors]
    lines += [f"warning: {text}" for text in warnings]
    if next_steps:
        lines.append(f"next: {next_steps}")
    return [_block(line) for line in lines]


def _free_form(data: Any) -> JsonObject:
    if data is None:
        return {"content": []}
    if isinstance(data, str):
        return {"content": [_block(data)]}
    if blocks := _blocks(data):
        return {"content": blocks}
    value = to_json(data)
    result: JsonObject = {"content": [_text(write_json(value))]}
    if isinstance(value, dict):
        result["structuredContent"] = value
    return result


def _blocks(data: Any) -> list[JsonValue]:
    """The content blocks that `data` are; none where they are anything else."""
    if _is_block(data):
        return [_block(data)]
    if isinstance(data, (list, tuple)) and all(map(_is_block, data)):
        return [_block(item) for item in data]
    return []


def _text(text: str) -> JsonObject:
    return {"type": "text", "text": text}


def sdk_result(result: Any, revision: str) -> JsonObject:
    """The wire form of one of the SDK's own results of a call; NotJsonError for one that the revision
    does not have."""
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
    if type(value) in _PLAIN:
        return set()
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
