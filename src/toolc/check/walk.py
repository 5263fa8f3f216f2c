"""The schemas inside a schema: every position where JSON Schema has one, and nothing that is data."""

from __future__ import annotations

from collections.abc import Iterator

from toolc.model.document import JsonObject, JsonValue, Pointer

_ONE = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
_LIST = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
_MAP = frozenset(
    {"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
)

_HOLDERS = _ONE | _LIST | _MAP

_MOST_DIGITS = 9
"""Of a position in a list: no document has more items, and longer ones cost time to convert."""

IN_PLACE = frozenset(
    {
        "allOf",
        "anyOf",
        "dependencies",
        "dependentSchemas",
        "else",
        "if",
        "not",
        "oneOf",
        "then",
    }
)
"""Keywords whose schemas are asked about the very value that the schema around them is asked about."""


def value_at(document: JsonValue, pointer: Pointer) -> JsonValue:
    """What stands at `pointer`, which must lead somewhere."""
    node = document
    for part in pointer:
        node = node[part]  # type: ignore[index]
    return node


def follow(document: JsonValue, way: str) -> Pointer | None:
    """The place that a JSON pointer (RFC 6901) leads to; None where nothing stands there."""
    node = document
    place: list[str | int] = []
    for step in way.split("/")[1:]:
        part = step.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict) and part in node:
            node = node[part]
            place.append(part)
        elif isinstance(node, list) and _is_position(part, len(node)):
            node = node[int(part)]
            place.append(int(part))
        else:
            return None
    return tuple(place)


def _is_position(text: str, count: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS and int(text) < count


def inner_schemas(schema: JsonObject) -> Iterator[tuple[Pointer, JsonValue]]:
    """The schemas one level inside `schema`, each with the way to it: the keyword, and a name or
    a position where the keyword holds several."""
    for key, value in schema.items():
        if isinstance(value, dict):
            if key in _ONE:
                yield (key,), value
            elif key in _MAP:
                for name, item in value.items():
                    yield (key, name), item
        elif isinstance(value, list) and key in _LIST:
            for at, item in enumerate(value):
                yield (key, at), item


def subschemas(schema: JsonValue, pointer: Pointer = ()) -> Iterator[tuple[Pointer, JsonObject]]:
    """Each object schema of `schema`, itself first, with the way to it; drafts 6 to 2020-12.

    Iterative, so that no depth of a caller's can exhaust the stack.
    """
    waiting: list[tuple[Pointer, JsonValue]] = [(pointer, schema)]
    while waiting:
        place, node = waiting.pop()
        if not isinstance(node, dict):
            continue
        yield place, node
        if _HOLDERS.isdisjoint(node):  # as most are
            continue
        inner = [((*place, *way), value) for way, value in inner_schemas(node)]
        waiting.extend(reversed(inner))
