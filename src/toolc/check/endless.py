"""Defaults that come back to themselves: whoever fills one in never ends."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from toolc.check.subject import MOST_ALIKE, Side, Subject
from toolc.check.walk import follow, subschemas, value_at
from toolc.check.wording import shown
from toolc.model.document import JsonObject, JsonValue, Pointer, pointer_text

_MOST_STEPS = 100_000
"""Through one schema. Definitions take some dozens; behind that, nothing more is looked for."""


class _Default(NamedTuple):
    pointer: Pointer
    schema: JsonObject


class _Part(NamedTuple):
    """A schema inside another, and what a default has for it."""

    schema: JsonValue
    value: JsonValue
    is_left_out: bool = False


def warn_of_endless_defaults(subject: Subject) -> None:
    """A default may leave out properties with defaults of their own, but not without end.

    JSON Schema allows it, since to it a default is a remark; a handler's arguments have theirs
    applied, and such a tool could only be called with the property written out.
    """
    for side in subject.sides:
        if side.key in subject.unusable or not (side.is_raw or _has_definitions(side.schema)):
            continue
        for circle in islice(_circles(side), MOST_ALIKE):
            # The same one whichever of the circle's types is looked at.
            pointer, schema = min(circle, key=lambda default: _written(subject, default))
            subject.report_in_schema(
                "M214",
                f"{subject.places.name(pointer)} has the default {shown(schema['default'])}, which, "
                "filled in with the defaults inside it, holds itself",
                (*pointer, "default"),
                hint="take it away, or give it what ends the circle",
            )


def _has_definitions(schema: JsonValue) -> bool:
    """Whether a schema that toolc built can recur: it names shared types under `$defs` only."""
    return isinstance(schema, dict) and "$defs" in schema


def _written(subject: Subject, default: _Default) -> str:
    _, place = subject.places.written(default.pointer)
    return pointer_text(place)


def _circles(side: Side) -> Iterator[list[_Default]]:
    """The defaults that need each other, circle by circle."""
    defaults = {
        id(schema): _Default(pointer, schema)
        for pointer, schema in subschemas(side.schema, (side.key,))
        if isinstance(schema.get("default"), (dict, list))
    }
    steps = iter(range(_MOST_STEPS))
    needs = {
        key: {id(other) for other in _filled_in(side.schema, default.schema, steps)}
        & defaults.keys()
        for key, default in defaults.items()
    }
    if not any(needs.values()):
        return
    from graphlib import CycleError, TopologicalSorter

    while True:
        try:
            TopologicalSorter(needs).prepare()
        except CycleError as error:
            circle: list[int] = error.args[1]
            yield [defaults[key] for key in circle]
            for key in circle:
                needs.pop(key, None)
        else:
            return


def _filled_in(
    document: JsonValue, schema: JsonObject, steps: Iterator[int]
) -> Iterator[JsonValue]:
    """The schemas whose defaults are applied to what the default of `schema` leaves out."""
    waiting = [_Part(schema, schema["default"])]
    seen: set[tuple[int, int]] = set()
    while waiting:
        part = waiting.pop()
        place = (id(part.schema), id(part.value))
        if part.is_left_out:
            yield part.schema
        elif isinstance(part.schema, dict) and place not in seen:
            seen.add(place)
            for inner in _parts(document, part.schema, part.value):
                if next(steps, None) is None:
                    return
                waiting.append(inner)


def _parts(document: JsonValue, schema: JsonObject, value: JsonValue) -> Iterator[_Part]:
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        place = follow(document, reference[1:])
        if place is not None:
            yield _Part(value_at(document, place), value)
    for keyword in ("allOf", "anyOf", "oneOf"):
        branches = schema.get(keyword)
        if isinstance(branches, list):
            yield from (_Part(branch, value) for branch in branches)
    properties = schema.get("properties")
    if isinstance(value, list):
        yield from (_Part(schema.get("items"), item) for item in value)
    elif isinstance(value, dict) and isinstance(properties, dict):
        for name, inner in properties.items():
            yield _Part(inner, value.get(name), is_left_out=name not in value)
