"""`$ref`: inside the document, to something that is there, and never round in a circle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import unquote

from toolc.check.walk import subschemas
from toolc.model.document import JsonObject, JsonValue, Pointer

_METASCHEMAS = ("http://json-schema.org/", "https://json-schema.org/")
_SAME_INSTANCE = ("allOf", "anyOf", "oneOf")


class Fault(NamedTuple):
    code: str
    pointer: Pointer
    message: str


def reference_faults(schema: JsonValue) -> Iterator[Fault]:
    """What is wrong with the references of a schema; `pointer` is where each `$ref` stands."""
    nodes = dict(subschemas(schema))
    references = {place: node["$ref"] for place, node in nodes.items() if "$ref" in node}
    if not references:
        return
    targets: dict[Pointer, Pointer] = {}
    names = _names(nodes)
    for place, reference in references.items():
        if not isinstance(reference, str):
            continue  # the metaschema's to refuse
        found = _resolve(reference, schema, names)
        if isinstance(found, str):
            yield Fault("S402", (*place, "$ref"), found)
        elif found is not None:
            targets[place] = found
    for place in references:
        if _returns(place, nodes, targets):
            yield Fault(
                "S403",
                (*place, "$ref"),
                f'$ref "{references[place]}" comes back to itself with no schema between',
            )


def _names(nodes: Mapping[Pointer, JsonObject]) -> dict[str, Pointer]:
    """Anchors (`#name`) and identifiers (`$id`) that the document gives to its own parts."""
    names: dict[str, Pointer] = {}
    for place, node in nodes.items():
        for key, prefix in (("$anchor", "#"), ("$dynamicAnchor", "#"), ("$id", "")):
            name = node.get(key)
            if isinstance(name, str):
                names.setdefault(prefix + name, place)
    return names


def _resolve(
    reference: str, schema: JsonValue, names: Mapping[str, Pointer]
) -> Pointer | str | None:
    """The place that a reference means, what is wrong with it, or None where it is one of
    JSON Schema's own metaschemas."""
    if reference in names:
        return names[reference]
    base, _, fragment = reference.partition("#")
    if base.startswith(_METASCHEMAS):
        return None
    start: Pointer = ()
    if base:
        if base not in names:
            return f'$ref "{reference}" leaves the document; nothing is ever fetched'
        start = names[base]
    if fragment and not fragment.startswith("/"):
        return f'$ref "{reference}" names an anchor that is not there'
    parts = [
        unquote(part).replace("~1", "/").replace("~0", "~") for part in fragment.split("/")[1:]
    ]
    node: JsonValue = schema
    place: list[str | int] = []
    for part in (*start, *parts):
        if isinstance(node, dict) and str(part) in node:
            node = node[str(part)]
            place.append(str(part))
        elif isinstance(node, list) and str(part).isdecimal() and int(part) < len(node):
            node = node[int(part)]
            place.append(int(part))
        else:
            return f'$ref "{reference}" goes nowhere'
    if not isinstance(node, (dict, bool)):
        return f'$ref "{reference}" points to something that is no schema'
    return tuple(place)


def _returns(
    start: Pointer, nodes: Mapping[Pointer, JsonObject], targets: Mapping[Pointer, Pointer]
) -> bool:
    """Whether validating a value at `start` would ask for the same value at `start` again."""
    seen: set[Pointer] = set()
    waiting = [targets[start]] if start in targets else []
    while waiting:
        place = waiting.pop()
        if place == start:
            return True
        if place in seen:
            continue
        seen.add(place)
        if place in targets:
            waiting.append(targets[place])
        node = nodes.get(place, {})
        for key in _SAME_INSTANCE:
            branches = node.get(key)
            if isinstance(branches, list):
                waiting.extend((*place, key, at) for at in range(len(branches)))
    return False
