"""The standard envelope of an answer: what stands around the data, and the schema of the whole."""

from __future__ import annotations

from toolc_runtime.light import TYPE_CHECKING
from toolc_runtime.revision import as_property

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolc_runtime.jsonvalue import JsonObject, JsonValue

_DATA = "data"

_BESIDE: JsonObject = {
    "metadata": {"type": "object"},
    "errors": {"type": "array"},
    "warnings": {"type": "array", "items": {"type": "string"}},
    "next_steps": {"type": "string"},
}


def envelope_schema(data: JsonValue) -> JsonObject:
    """The `outputSchema` of a tool whose data are of the schema `data`; None where any are.

    Only `data` is required, so that `without_empty` fits it too.
    """
    schema = as_property(True if data is None else data, _DATA)
    properties: JsonObject = schema["properties"]  # type: ignore[assignment]
    return {**schema, "properties": {**properties, **_BESIDE}}


def envelop(
    data: JsonValue,
    *,
    metadata: Mapping[str, JsonValue],
    errors: Sequence[JsonValue],
    warnings: Sequence[str],
    next_steps: str | None,
) -> JsonObject:
    """`data` in its envelope. `errors` are of parts: a call that failed has an error result."""
    made: JsonObject = {
        _DATA: data,
        "metadata": dict(metadata),
        "errors": list(errors),
        "warnings": list(warnings),
    }
    if next_steps:
        made["next_steps"] = next_steps
    return made


def without_empty(envelope: Mapping[str, JsonValue]) -> JsonObject:
    """`envelope` as a model reads it: `data`, and what beside it is not empty."""
    return {key: value for key, value in envelope.items() if key == _DATA or value}
