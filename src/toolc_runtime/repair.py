"""Arguments mended where their schema leaves them one meaning only.

Three things are mended, at any place: digits in a string where only a number may stand; JSON text
where only an array or an object may; and the name of a property that is the slip of a declared one.
A value that may be a string stays what it is.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any, NamedTuple

from toolc_runtime.jsonvalue import JsonObject, JsonValue, Pointer
from toolc_runtime.nearness import is_slip
from toolc_runtime.subschemas import Declared, referred
from toolc_runtime.wording import told_path

_DEEPEST = 20
"""Levels below which nothing is mended."""

_MOST_UNKNOWN = 50
"""Unknown names of a call that are compared with the declared ones; the others stay."""

_DIGITS = re.compile(r"0|-?[1-9][0-9]{0,17}")
"""An integer of 64 bits as JSON writes it. A leading zero, as in `007`, may mean something."""

_ALL = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_NONE: frozenset[str] = frozenset()
_NUMBERS = frozenset({"integer", "null", "number"})
_CONTAINERS = frozenset({"array", "null", "object"})

_KINDS: dict[type, str] = {
    bool: "boolean",
    dict: "object",
    int: "integer",
    list: "array",
    str: "string",
    type(None): "null",
}


class Mended(NamedTuple):
    arguments: JsonObject
    warnings: tuple[str, ...]
    """A sentence for each repair, without any value; none where nothing was mended."""


def mend(arguments: JsonObject, declared: Declared, schema: JsonObject, *, names: bool) -> Mended:
    """`arguments`, which do not fit `schema`, with what can be mended made anew.

    `declared` is of the same schema. With `names`, properties at the root are mended although the
    schema lets in any. What comes back need not fit either.
    """
    mender = _Mender(declared, schema, names)
    mended = mender.value(arguments, ())
    return Mended(mended, tuple(mender.told))


class _Mender:
    def __init__(self, declared: Declared, schema: JsonObject, names: bool) -> None:
        self.told: list[str] = []
        self._declared = declared
        self._kinds = _Kinds(schema)
        self._any_root_name = names
        self._close: dict[Pointer, list[str]] = {}

    def value(self, value: Any, pointer: Pointer) -> Any:
        if isinstance(value, str):
            return self._text(value, pointer)
        if len(pointer) >= _DEEPEST:
            return value
        if isinstance(value, dict):
            return self._object(value, pointer)
        if isinstance(value, list):
            return [self.value(item, (*pointer, place)) for place, item in enumerate(value)]
        return value

    def _object(self, value: JsonObject, pointer: Pointer) -> JsonObject:
        meant = self._meant_names(value, pointer)
        mended: JsonObject = {}
        for key, item in value.items():
            name = meant.get(key, key)
            mended[name] = self.value(item, (*pointer, name))
        return mended

    def _text(self, text: str, pointer: Pointer) -> Any:
        if _DIGITS.fullmatch(text):
            kinds = self._kinds.at(pointer)
            if "integer" in kinds and kinds <= _NUMBERS:
                self._tell(pointer, "digits in a string, taken as an integer")
                return int(text)
        elif text.lstrip(" \t\r\n")[:1] in ("[", "{"):
            kinds = self._kinds.at(pointer)
            if kinds and kinds <= _CONTAINERS:
                parsed = _parsed(text)
                kind = _KINDS.get(type(parsed), "")
                if kind in kinds:
                    self._tell(pointer, f"JSON text, taken as an {kind}")
                    return self.value(parsed, pointer)
        return text

    def _meant_names(self, value: JsonObject, pointer: Pointer) -> dict[str, str]:
        """Names of an object that are slips, to the declared ones that they can only mean."""
        names = self._declared.names(pointer)
        meant: dict[str, str] = {}
        for key in [key for key in value if key not in names]:
            close = self._close_names(key, pointer)
            if len(close) == 1 and close[0] not in value and self._is_refused(key, pointer):
                meant[key] = close[0]
        claims = Counter(meant.values())
        meant = {key: name for key, name in meant.items() if claims[name] == 1}
        for key, name in meant.items():
            self._tell((*pointer, key), f'no such parameter, taken as "{name}"')
        return meant

    def _close_names(self, key: str, pointer: Pointer) -> list[str]:
        """The declared names that `key` is a slip of."""
        place = (*_way(pointer), key)
        if place not in self._close:
            if len(self._close) >= _MOST_UNKNOWN:
                return []
            names = self._declared.names(pointer)
            self._close[place] = [name for name in names if is_slip(key, name)]
        return self._close[place]

    def _is_refused(self, key: str, pointer: Pointer) -> bool:
        """Whether a property of this name can have no value at all."""
        if not pointer and self._any_root_name:
            return True
        return not self._kinds.at((*pointer, key))

    def _tell(self, pointer: Pointer, what: str) -> None:
        self.told.append(f"{told_path(pointer, self._declared)}: {what}")


class _Kinds:
    """The kinds of value that a schema may let stand at a place.

    Never too few: a keyword that is not looked at could only forbid more. An integer is a number
    too, so `number` is both.
    """

    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._known: dict[tuple[int, Pointer], frozenset[str]] = {}

    def at(self, pointer: Pointer) -> frozenset[str]:
        return self._of(self._root, _way(pointer))

    def _of(self, schema: JsonValue, way: Pointer) -> frozenset[str]:
        """`way` leads on from `schema`; all places of an array are 0."""
        if schema is False:
            return _NONE
        if not isinstance(schema, dict):
            return _ALL
        key = (id(schema), way)
        kinds = self._known.get(key)
        if kinds is None:
            self._known[key] = _ALL  # for a reference that comes round to here
            kinds = self._known[key] = self._found(schema, way)
        return kinds

    def _found(self, schema: JsonObject, way: Pointer) -> frozenset[str]:
        if schema is not self._root and ("$id" in schema or "id" in schema):
            return _ALL  # its references are its own
        reference = schema.get("$ref")
        if isinstance(reference, str):
            # What stands beside it counts in some dialects only, and could only forbid more.
            return self._of(referred(reference, self._root), way)
        kinds = _own_kinds(schema)
        if way:
            if ("object" if isinstance(way[0], str) else "array") not in kinds:
                return _NONE
            kinds = self._below(schema, way)
        for part in _branches(schema, "allOf"):
            kinds &= self._of(part, way)
        for keyword in ("anyOf", "oneOf"):
            if branches := _branches(schema, keyword):
                kinds &= frozenset().union(*[self._of(branch, way) for branch in branches])
        return kinds

    def _below(self, schema: JsonObject, way: Pointer) -> frozenset[str]:
        part, rest = way[0], way[1:]
        if isinstance(part, str):
            properties = schema.get("properties")
            if isinstance(properties, dict) and part in properties:
                return self._of(properties[part], rest)
            inside = None if "patternProperties" in schema else schema.get("additionalProperties")
        else:
            inside = None if "prefixItems" in schema else schema.get("items")
        return self._of(inside, rest)


def _way(pointer: Pointer) -> Pointer:
    """`pointer` with 0 for every place of an array: what is mended is so in all of them."""
    return tuple([0 if isinstance(part, int) else part for part in pointer])


def _own_kinds(schema: JsonObject) -> frozenset[str]:
    kinds = _ALL
    types, members = schema.get("type"), schema.get("enum")
    if types is not None:
        named = {str(name) for name in (types if isinstance(types, list) else [types])}
        kinds = frozenset(named | {"integer"} if "number" in named else named)
    if isinstance(members, list):
        kinds &= frozenset([_KINDS.get(type(member), "number") for member in members])
    return kinds


def _branches(schema: JsonObject, keyword: str) -> list[JsonValue]:
    branches = schema.get(keyword)
    return branches if isinstance(branches, list) else []


def _parsed(text: str) -> Any:
    """What a JSON text holds; None for no JSON text, and for one that says a thing twice."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError
    return made
