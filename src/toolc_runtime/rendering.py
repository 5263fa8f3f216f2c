"""From what a handler returns to a `tools/call` result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import pydantic_core

from toolc_runtime.convert import to_json
from toolc_runtime.envelope import envelop, without_empty
from toolc_runtime.errors import error_in_part
from toolc_runtime.jsonvalue import JsonObject, JsonValue, NotJsonError, write_json
from toolc_runtime.results import Result
from toolc_runtime.revision import wrap_result, wraps_output
from toolc_runtime.validation import Fault, Validator

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
    if isinstance(returned, Result):
        answer = returned
    elif _is_sdk_result(returned):
        result = sdk_result(returned, revision)
        if warnings and isinstance(blocks := result.get("content"), list):
            blocks.extend(_notes(warnings))
        return result
    elif not warnings and not envelope:
        # Most answers are data and nothing else.
        result = _of_data(returned, output_schema, output, revision)
        result["resultType"] = "complete"
        return result
    else:
        answer = Result(returned)
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
        result = _of_data(answer.data, output_schema, output, revision)
    result["content"] = [*result["content"], *map(_block, answer.content), *notes]  # type: ignore[misc]
    result["resultType"] = "complete"
    if meta:
        result["_meta"] = meta
    return result


def _of_data(
    data: Any, output_schema: JsonValue, output: Validator | None, revision: str
) -> JsonObject:
    """Content, and `structuredContent` where there is some."""
    if output is None:
        return _free_form(data)
    structured = to_json(data)
    _require(structured, output)
    if wraps_output(output_schema, revision):
        structured = wrap_result(structured)
    return {"content": [_json_text(structured)], "structuredContent": structured}


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
    text = _json_text(without_empty(structured))
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
    result: JsonObject = {"content": [_json_text(value)]}
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


def _json_text(value: JsonValue) -> JsonObject:
    """A value's compact JSON, as the SDK writes `structuredContent`: several times faster than `json`."""
    return _text(pydantic_core.to_json(value).decode())


def sdk_result(result: Any, revision: str) -> JsonObject:
    """The wire form of one of the SDK's own results of a call; NotJsonError for one that the revision
    does not have."""
    if result.result_type == "input_required" and revision < _INPUT_REQUIRED_SINCE:
        raise NotJsonError((), f"the revision {revision} has no form for an InputRequiredResult")
    dumped = result.model_dump(by_alias=True, exclude_none=True)
    return to_json(dumped)  # type: ignore[return-value]


def _is_sdk_result(value: Any) -> bool:
    return not _SDK_RESULTS.isdisjoint(_sdk_classes(type(value).__mro__))


def _is_block(value: Any) -> bool:
    """Whether `value` is one of the SDK's content blocks."""
    return hasattr(value, "type") and bool(_sdk_classes(type(value).__mro__))


@lru_cache(maxsize=1024)
def _sdk_classes(bases: tuple[type, ...]) -> frozenset[str]:
    """The names of those that are the SDK's."""
    return frozenset(
        base.__name__ for base in bases if base.__module__.split(".", 1)[0] == "mcp_types"
    )


def _block(value: Any) -> JsonValue:
    if isinstance(value, str):
        return to_json(_text(value))
    if _is_block(value):
        return to_json(value.model_dump(by_alias=True, mode="json", exclude_none=True))
    raise NotJsonError((), f"a {type(value).__name__} is no content block")
