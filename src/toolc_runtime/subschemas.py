"""The parts of a schema that may have a say in a part of a value.

Local references (`#`, `#/…`) and the branches of `allOf`, `anyOf` and `oneOf` are followed, whichever
of them a value takes in the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import unquote

from toolc_runtime.jsonvalue import JsonObject, JsonValue, Pointer

_BRANCHES = ("allOf", "anyOf", "oneOf")


class Declared:
    """What a schema declares of the parts of a value, found place by place when it is asked."""

    def __init__(self, root: JsonValue) -> None:
        self._root = root
        self._applied: dict[Pointer, list[JsonObject]] = {}
        self._named: dict[Pointer, dict[str, None]] = {}

    def schemas(self, pointer: Pointer) -> list[JsonObject]:
        """All the object schemas that may have a say at `pointer`."""
        found = self._applied.get(pointer)
        if found is None:
            given: Sequence[JsonValue] = [self._root]
            if pointer:
                around, part = self.schemas(pointer[:-1]), pointer[-1]
                if isinstance(part, str):
                    given = list(schemas_of_key(part, around))
                else:
                    given = list(schemas_of_place(part, around))
            found = self._applied[pointer] = list(applied_schemas(given, self._root))
        return found

    def names(self, pointer: Pointer) -> Mapping[str, None]:
        """The properties that are declared for an object at `pointer`, in their order."""
        named = self._named.get(pointer)
        if named is None:
            named = self._named[pointer] = {}
            for schema in self.schemas(pointer):
                properties = schema.get("properties")
                if isinstance(properties, dict):
                    named.update(dict.fromkeys(properties))
        return named


def applied_schemas(schemas: Sequence[JsonValue], root: JsonValue) -> Iterator[JsonObject]:
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
            pending.append(referred(reference, root))


def schemas_of_key(key: str, applied: Sequence[JsonObject]) -> Iterator[JsonValue]:
    """What `applied`, the schemas of an object, say of its property `key`."""
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


def schemas_of_place(place: int, applied: Sequence[JsonObject]) -> Iterator[JsonValue]:
    """What `applied`, the schemas of an array, say of its item at `place`."""
    for schema in applied:
        items, prefix = schema.get("items"), schema.get("prefixItems")
        if isinstance(items, list):  # draft-07's form of prefixItems
            prefix, items = items, schema.get("additionalItems")
        if isinstance(prefix, list) and place < len(prefix):
            yield prefix[place]
        else:
            yield items


def referred(reference: str, root: JsonValue) -> JsonValue:
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
