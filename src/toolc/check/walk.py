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
        inner: list[tuple[Pointer, JsonValue]] = []
        for key, value in node.items():
            if isinstance(value, dict):
                if key in _ONE:
                    inner.append(((*place, key), value))
                elif key in _MAP:
                    inner.extend(((*place, key, name), item) for name, item in value.items())
            elif isinstance(value, list) and key in _LIST:
                inner.extend(((*place, key, at), item) for at, item in enumerate(value))
        waiting.extend(reversed(inner))
