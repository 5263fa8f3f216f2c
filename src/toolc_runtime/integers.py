"""Integral floats as the integers that they mean.

JSON has one kind of number: `3.0` is valid where a schema wants an integer, and some clients send it.
A handler that was promised an `int` gets one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from toolc_runtime.jsonvalue import JsonObject, JsonValue

_BRANCHES = ("allOf", "anyOf", "oneOf")


def narrow_integers(value: Any, schema: JsonValue) -> Any:
    """`value` with each integral float an `int` where `schema` allows an integer and no number.

    `value` is valid against `schema`. Local references (`#`, `#/…`) are followed. Lists and objects
    are made anew, so nothing of `value` is changed.
    """
    return _narrow(value, [schema], schema)


def _narrow(value: Any, schemas: list[JsonValue], root: JsonValue) -> Any:
    if isinstance(value, float):
        if value.is_integer() and _wants_integer(list(_applied(schemas, root))):
            return int(value)
        return value
    if isinstance(value, dict):
        applied = list(_applied(schemas, root))
        return {
            key: _narrow(item, list(_schemas_of_key(key, applied)), root)
            for key, item in value.items()
        }
    if isinstance(value, list):
        applied = list(_applied(schemas, root))
        return [
            _narrow(item, list(_schemas_of_place(place, applied)), root)
            for place, item in enumerate(value)
        ]
    return value


def _wants_integer(applied: list[JsonObject]) -> bool:
    named: list[JsonValue] = []
    for schema in applied:
        types = schema.get("type")
        named.extend(types if isinstance(types, list) else [types])
    return "integer" in named and "number" not in named


def _applied(schemas: list[JsonValue], root: JsonValue) -> Iterator[JsonObject]:
    """The object schemas that may have a say: those given, what they refer to, their branches."""
    pending = list(schemas)
    seen: set[int] = set()
    while pending:
        schema = pending.pop()
        if not isinstance(schema, dict) or id(schema) in seen:
            continue
        seen.add(id(schema))
        yield schema
        for keyword in _BRANCHES:
            branches = schema.get(keyword)
            if isinstance(branches, list):
                pending.extend(branches)
        if isinstance(reference := schema.get("$ref"), str):
            pending.append(_referred(reference, root))


def _schemas_of_key(key: str, applied: list[JsonObject]) -> Iterator[JsonValue]:
    for schema in applied:
        properties = schema.get("properties")
        if isinstance(properties, dict) and key in properties:
            yield properties[key]
            continue
        # All of them rather than those whose pattern fits: a client's keys are never run through
        # an author's pattern here, and where two patterns differ in kind nothing is narrowed.
        patterns = schema.get("patternProperties")
        if isinstance(patterns, dict):
            yield from patterns.values()
        yield schema.get("additionalProperties")


def _schemas_of_place(place: int, applied: list[JsonObject]) -> Iterator[JsonValue]:
    for schema in applied:
        items, prefix = schema.get("items"), schema.get("prefixItems")
        if isinstance(items, list):  # draft-07's form of prefixItems
            prefix, items = items, schema.get("additionalItems")
        if isinstance(prefix, list) and place < len(prefix):
            yield prefix[place]
        else:
            yield items


def _referred(reference: str, root: JsonValue) -> JsonValue:
    """What a local reference points to; None for any other, which validation alone resolves."""
    if reference != "#" and not reference.startswith("#/"):
        return None
    target = root
    for part in unquote(reference[1:]).split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        if isinstance(target, dict):
            target = target.get(part)
        elif isinstance(target, list) and part.isdecimal() and int(part) < len(target):
            target = target[int(part)]
        else:
            return None
    return target
