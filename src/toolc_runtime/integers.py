"""Integral floats as the integers that they mean.

JSON has one kind of number: `3.0` is valid where a schema wants an integer, and some clients send it.
A handler that was promised an `int` gets one.
"""

from __future__ import annotations

from typing import Any

from toolc_runtime.jsonvalue import JsonObject, JsonValue
from toolc_runtime.subschemas import applied_schemas, schemas_of_key, schemas_of_place


def narrow_integers(value: Any, schema: JsonValue) -> Any:
    """`value` with each integral float an `int` where `schema` allows an integer and no number.

    `value` is valid against `schema`. Local references (`#`, `#/…`) are followed. Lists and objects
    are made anew, so nothing of `value` is changed.
    """
    return _narrow(value, [schema], schema)


def _narrow(value: Any, schemas: list[JsonValue], root: JsonValue) -> Any:
    if isinstance(value, float):
        if value.is_integer() and _wants_integer(list(applied_schemas(schemas, root))):
            return int(value)
        return value
    if isinstance(value, dict):
        applied = list(applied_schemas(schemas, root))
        return {
            key: _narrow(item, list(schemas_of_key(key, applied)), root)
            for key, item in value.items()
        }
    if isinstance(value, list):
        applied = list(applied_schemas(schemas, root))
        return [
            _narrow(item, list(schemas_of_place(place, applied)), root)
            for place, item in enumerate(value)
        ]
    return value


def _wants_integer(applied: list[JsonObject]) -> bool:
    named: list[JsonValue] = []
    for schema in applied:
        types = schema.get("type")
        named.extend(types if isinstance(types, list) else [types])
    return "integer" in named and "number" not in named
