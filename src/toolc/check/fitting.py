"""Values against parts of a schema: the common ones decided at sight, the rest by a validator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from toolc.check.dialects import definitions_keyword, dialect_of, identifier_keyword
from toolc.check.references import REFERENCES
from toolc.check.walk import subschemas
from toolc.model.document import JsonObject, JsonValue, Pointer, pointer_text

if TYPE_CHECKING:
    from toolc_runtime.validation import Validator

_KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
"""The Python types whose every value is of a JSON type; bool is no number here, as in JSON."""

_ANNOTATIONS = frozenset(
    {
        "$comment",
        "default",
        "deprecated",
        "description",
        "examples",
        "readOnly",
        "title",
        "writeOnly",
        "x-mcp-header",
    }
)
"""Keywords that never refuse a value."""

_BASE = "urn:toolc:schema"


def fits_plainly(value: JsonValue, schema: JsonObject) -> bool:
    """Whether a value fits beyond doubt; False says nothing.

    For scalars, and decided keyword by keyword: no compiled validator is worth its time there.
    """
    if isinstance(value, (dict, list)):
        return False
    for keyword, wanted in schema.items():
        if keyword not in _ANNOTATIONS:
            lets_pass = _AT_SIGHT.get(keyword)
            if lets_pass is None or not lets_pass(value, wanted):
                return False
    return True


def _is_of_type(value: JsonValue, wanted: JsonValue) -> bool:
    names = wanted if isinstance(wanted, list) else [wanted]
    return any(isinstance(name, str) and type(value) in _KINDS.get(name, ()) for name in names)


def _is_member(value: JsonValue, wanted: JsonValue) -> bool:
    # Of texts only: Python takes True for 1, JSON does not.
    return isinstance(value, str) and isinstance(wanted, list) and value in wanted


def _is_branch(value: JsonValue, wanted: JsonValue) -> bool:
    return isinstance(wanted, list) and any(
        isinstance(branch, dict) and fits_plainly(value, branch) for branch in wanted
    )


def _is_at_least(value: JsonValue, wanted: JsonValue) -> bool:
    return not _is_number(value) or (_is_number(wanted) and value >= wanted)  # type: ignore[operator]


def _is_at_most(value: JsonValue, wanted: JsonValue) -> bool:
    return not _is_number(value) or (_is_number(wanted) and value <= wanted)  # type: ignore[operator]


def _is_number(value: JsonValue) -> bool:
    return type(value) in (int, float)


_AT_SIGHT: Mapping[str, Callable[[JsonValue, JsonValue], bool]] = {
    "type": _is_of_type,
    "enum": _is_member,
    "anyOf": _is_branch,
    "minimum": _is_at_least,
    "maximum": _is_at_most,
}


def compile_parts(document: JsonValue, parts: Sequence[tuple[Pointer, JsonObject]]) -> Validator:
    """One validator for many subschemas of a document: a value for the third is given to it as
    `{"2": value}`.

    `parts` are the subschemas, each with its pointer in `document`. Raises SchemaError.
    """
    from toolc_runtime.validation import compile_schema

    dialect = dialect_of(document)
    properties: JsonObject = {}
    whole: JsonObject = {"$schema": dialect, "properties": properties}
    if not any(_refers(schema) for _, schema in parts):
        properties.update((str(number), schema) for number, (_, schema) in enumerate(parts))
        return compile_schema(whole)
    # References mean the document that they stand in, so it comes along, once, under a name.
    assert isinstance(document, dict)
    key = identifier_keyword(dialect)
    named = document.get(key)
    base = named.partition("#")[0] if isinstance(named, str) else ""
    base = base or _BASE
    whole[definitions_keyword(dialect)] = {"document": {**document, key: base}}
    for number, (pointer, _) in enumerate(parts):
        properties[str(number)] = {"$ref": f"{base}#{quote(pointer_text(pointer))}"}
    return compile_schema(whole)


def _refers(schema: JsonObject) -> bool:
    return any(keyword in node for _, node in subschemas(schema) for keyword in REFERENCES)
