"""Calls that a tool's input schema must refuse, made from the schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from toolc_runtime.jsonvalue import JsonObject, JsonValue, Pointer, path_text
from toolc_runtime.scalars import NoValueError
from toolc_runtime.validation import compile_schema
from toolc_runtime.values import make_value

MOST_CALLS = 200
"""Wrong calls of one tool."""

_UNKNOWN = "no_such_parameter"
_DEEPEST = 4
_LARGEST = 20_000
"""The most characters or items that a value has only to be too large."""


class WrongCall(NamedTuple):
    what: str
    """What is wrong with it: `limit above its maximum`."""
    arguments: JsonObject


class _Fault(NamedTuple):
    """One way to spoil a value: the first of the candidates that the schema refuses is taken."""

    what: str
    candidates: tuple[Any, ...]


def wrong_calls(schema: JsonObject, known: Iterable[JsonObject] = ()) -> list[WrongCall]:
    """Calls with one fault each, all of them refused by `schema`; at most MOST_CALLS.

    They are right calls, spoiled. `known` are arguments that may be right; what they leave out is
    made up. SchemaError where the schema cannot be used.
    """
    validator = compile_schema(schema)

    def found() -> Iterator[WrongCall]:
        told: set[str] = set()
        for fault in _faults(schema, _right_call(schema, known), schema, ()):
            refused = (made for made in fault.candidates if not validator.is_valid(made))
            arguments = next(refused, None)
            text = json.dumps(arguments)
            if arguments is not None and text not in told:
                told.add(text)
                yield WrongCall(fault.what, arguments)

    return list(islice(found(), MOST_CALLS))


def _right_call(schema: JsonObject, known: Iterable[JsonObject]) -> JsonObject:
    """Arguments that the schema takes, as many of them as can be had; empty where none are found."""
    validator = compile_schema(schema)
    base = _made_up(schema)
    for arguments in known:
        for full in ({**base, **arguments}, arguments):
            if validator.is_valid(full):
                return full
    return base


def _made_up(schema: JsonObject) -> JsonObject:
    """Arguments for the schema; where none are found, those that can be had one by one."""
    properties = schema.get("properties")
    names = list(properties) if isinstance(properties, dict) else []
    found: JsonObject = {}
    alone: list[JsonObject] = [{**schema, "required": [name]} for name in names]
    for wanted in (schema, *alone):
        try:
            made = make_value(wanted)
        except NoValueError:
            continue
        if isinstance(made, dict):
            found |= made
            if wanted is schema:
                break
    return found


def _faults(
    schema: JsonValue, value: JsonValue, root: JsonObject, place: Pointer
) -> Iterator[_Fault]:
    """What can be wrong at `place`, where `value` stands and `schema` applies."""
    nodes = list(_nodes(schema, root, 0))
    name = path_text(place)
    if place:
        kinds = {kind for node in nodes for kind in _listed(node.get("type"))}
        others = tuple(other for kind, other in _OTHERS if kind not in kinds)
        yield _Fault(f"{name} of another type", others)
    for node in nodes:
        for keyword, (words, spoil) in _SPOILERS.items():
            if keyword in node:
                yield _Fault(f"{name} {words}".lstrip(), tuple(spoil(node[keyword], value)))
    if isinstance(value, dict):
        yield from _object_faults(nodes, value, root, place)
    elif isinstance(value, list) and value and len(place) < _DEEPEST:
        first, *rest = value
        for node in nodes:
            for fault in _faults(node.get("items"), first, root, (*place, 0)):
                yield _Fault(fault.what, tuple([made, *rest] for made in fault.candidates))


def _object_faults(
    nodes: Iterable[Mapping[str, Any]], value: JsonObject, root: JsonObject, place: Pointer
) -> Iterator[_Fault]:
    required = dict.fromkeys(name for node in nodes for name in node.get("required", ()))
    for name in required:
        without = {key: item for key, item in value.items() if key != name}
        yield _Fault(f"{path_text((*place, name))} left out", (without,))
    within = f" in {path_text(place)}" if place else ""
    yield _Fault(f"an unknown parameter{within}", ({**value, _UNKNOWN: 1},))
    if len(place) >= _DEEPEST:
        return
    for node in nodes:
        for name, schema in node.get("properties", {}).items():
            if name in value:
                for fault in _faults(schema, value[name], root, (*place, name)):
                    spoiled = tuple({**value, name: made} for made in fault.candidates)
                    yield _Fault(fault.what, spoiled)


def _nodes(schema: JsonValue, root: JsonObject, level: int) -> Iterator[Mapping[str, Any]]:
    """The schemas that apply to the value of `schema`, or may: also the branches of its unions."""
    if not isinstance(schema, dict) or level > _DEEPEST:
        return
    yield schema
    reference = schema.get("$ref")
    if isinstance(reference, str):
        yield from _nodes(_target(reference, root), root, level + 1)
    for key in ("allOf", "anyOf", "oneOf"):
        branches = schema.get(key)
        for branch in branches if isinstance(branches, list) else ():
            yield from _nodes(branch, root, level + 1)


def _target(reference: str, root: JsonObject) -> JsonValue:
    """What a local reference leads to; None for any other."""
    node: Any = root if reference.startswith("#") else None
    for part in reference.split("/")[1:]:
        node = node.get(part) if isinstance(node, dict) else None
    return node  # type: ignore[no-any-return]


def _listed(kinds: JsonValue) -> list[Any]:
    return kinds if isinstance(kinds, list) else [kinds]


_OTHERS: tuple[tuple[str, Any], ...] = (
    ("object", {"wrong": "type"}),
    ("array", [{"wrong": "type"}]),
    ("boolean", True),
    ("string", "wrong type"),
    ("null", None),
)
"""A value of each type; those come first that nobody would take for another."""


def _texts_of_other_lengths(length: int) -> list[JsonValue]:
    return ["x" * length] if 0 <= length <= _LARGEST else []


def _too_many(limit: int, value: JsonValue) -> list[JsonValue]:
    if not isinstance(value, list) or limit >= _LARGEST:
        return []
    items = value or ["x"]
    return [[items[place % len(items)] for place in range(limit + 1)]]


def _too_few(limit: int, value: JsonValue) -> list[JsonValue]:
    return [value[: limit - 1]] if isinstance(value, list) and limit > 0 else []


def _too_many_properties(limit: int, value: JsonValue) -> list[JsonValue]:
    if not isinstance(value, dict) or limit >= _LARGEST:
        return []
    added = {f"further_{number}": next(iter(value.values()), "x") for number in range(limit + 1)}
    return [{**value, **added}]


def _too_few_properties(limit: int, value: JsonValue) -> list[JsonValue]:
    if not isinstance(value, dict) or limit < 1:
        return []
    return [dict(list(value.items())[: limit - 1])]


def _limit(limit: Any, _value: JsonValue) -> list[JsonValue]:
    return [] if isinstance(limit, bool) else [limit]


_SPOILERS: dict[str, tuple[str, Callable[[Any, JsonValue], list[JsonValue]]]] = {
    "minimum": ("below its minimum", lambda limit, _: [limit - 1]),
    "maximum": ("above its maximum", lambda limit, _: [limit + 1]),
    "exclusiveMinimum": ("at its lower limit", _limit),
    "exclusiveMaximum": ("at its upper limit", _limit),
    "multipleOf": ("between its steps", lambda step, _: [step * 1.5, step + 1]),
    "minLength": ("too short", lambda limit, _: _texts_of_other_lengths(limit - 1)),
    "maxLength": ("too long", lambda limit, _: _texts_of_other_lengths(limit + 1)),
    "pattern": ("against its pattern", lambda *_: ["", "\t", "no match", "?", "0"]),
    "format": ("not of its format", lambda *_: ["not of this format", "("]),
    "minItems": ("with too few items", _too_few),
    "maxItems": ("with too many items", _too_many),
    "uniqueItems": (
        "with an item twice",
        lambda _, value: [[value[0], *value]] if isinstance(value, list) and value else [],
    ),
    "minProperties": ("with too few properties", _too_few_properties),
    "maxProperties": ("with too many properties", _too_many_properties),
    "enum": ("none of its values", lambda *_: ["none_of_its_values", 98_765_432]),
    "const": ("another value", lambda *_: ["another_value", 98_765_432]),
}
"""By keyword: what is said of a value that breaks it, and candidates for one, from the keyword's
value and a right one."""
