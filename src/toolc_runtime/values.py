"""A value for a JSON Schema, made by going through it once.

At each fork the first attempt takes what stands first: an example, a default, the first branch, all
properties. What the validator then refuses is made again with other choices, a bounded number of
times. The same schema always comes to the same value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any
from urllib.parse import unquote

from toolc_runtime.flatten import Keywords, merge
from toolc_runtime.jsonvalue import JsonObject, JsonValue, is_same
from toolc_runtime.patterns import NoTextError, text_for
from toolc_runtime.scalars import SAMPLES, NoValueError, make_number, make_text
from toolc_runtime.validation import SchemaError, compile_schema

_ATTEMPTS = 60
_FIRST_CHOICES = 2
"""How many attempts take what stands first; the second passes examples and defaults over."""

_MOST_PARTS = 5_000
"""Values that one value may consist of."""

_THIN_AFTER = 500
"""Parts after which, as below `_THIN_BELOW` levels, nothing optional is made any more."""

_THIN_BELOW = 5
_DEEPEST = 60
_LONGEST_TEXT = 100_000
_LONGEST_LIST = 2_000
_MOST_APPLIED = 100
"""Schemas that may apply to one value."""

_APPLICATORS = frozenset({"$ref", "allOf", "anyOf", "oneOf", "if", "then", "else"})
_SCALARS = ("string", "integer", "number", "boolean", "null")

_GUESSES = ("text", "a", "A", "1", "a1", "A-1", "abc-123", "ABC123", "1.0.0", "/a", "#a", "a b")
"""For patterns that cannot be read here."""


def make_value(schema: JsonValue) -> JsonValue:
    """A value that `schema` takes, checked; NoValueError where none was found.

    It knows types, `enum`, `const`, formats, all bounds, `pattern` as far as `patterns` goes, local
    references, `allOf`, `anyOf`, `oneOf`, `if`, and what shapes objects and lists. Of the rest, as
    `not`, it hears only by the validator.
    """
    try:
        validator = compile_schema(schema)
    except SchemaError as error:
        raise NoValueError(str(error)) from None
    for attempt in range(_ATTEMPTS):
        try:
            value = _Maker(schema, attempt).value(schema, 0, 0)
        except (NoValueError, RecursionError):
            continue
        if validator.is_valid(value):
            return value
    raise NoValueError("its schema is too narrow for a guess")


class _Maker:
    """One attempt at a value.

    `depth` counts the levels from the root. `salt` tells the items of one list apart: another one
    makes another value of the same schema, as far as it has any.
    """

    def __init__(self, root: JsonValue, attempt: int) -> None:
        self._root = root
        self._takes_given = attempt == 0
        self._takes_first = attempt < _FIRST_CHOICES
        self._seed = 0 if self._takes_first else attempt * 10_000
        self._random = Random(attempt)
        self._parts = 0

    def value(self, schema: JsonValue, depth: int, salt: int) -> JsonValue:
        self._parts += 1
        if self._parts > _MOST_PARTS or depth > _DEEPEST:
            raise NoValueError("too large")
        flat = _Flattener(self, depth, salt).flatten(schema)
        if "const" in flat:
            return flat["const"]  # type: ignore[no-any-return]
        kinds = _kinds(flat)
        if "enum" in flat:
            members = [member for member in flat["enum"] if _is_of(member, kinds)]
            return self.choose(members, salt)  # type: ignore[no-any-return]
        if self._takes_given and salt == 0:
            given = [*flat.get("examples", ()), *([flat["default"]] if "default" in flat else ())]
            if given:
                return given[0]  # type: ignore[no-any-return]
        return self._made(self._kind(kinds, flat, depth, salt), flat, depth, salt)

    def target(self, reference: str) -> JsonValue:
        """What a reference leads to."""
        if reference != "#" and not reference.startswith("#/"):
            raise NoValueError(f"{reference!r} is no place in the schema")
        node: Any = self._root
        for part in reference[2:].split("/") if reference != "#" else ():
            key = unquote(part).replace("~1", "/").replace("~0", "~")
            try:
                node = node[int(key)] if isinstance(node, list) else node[key]
            except (KeyError, IndexError, TypeError, ValueError):
                raise NoValueError(f"{reference!r} leads nowhere") from None
        return node  # type: ignore[no-any-return]

    def choose(self, options: Sequence[Any], salt: int) -> Any:
        if not options:
            raise NoValueError("nothing to choose from")
        if self._takes_first:
            return options[salt % len(options)]
        return self._random.choice(options)

    def is_thin(self, depth: int) -> bool:
        """Whether the value is large enough, and only what must be there is still made."""
        return depth > _THIN_BELOW or self._parts > _THIN_AFTER

    def _wants_optional(self, depth: int) -> bool:
        if self.is_thin(depth):
            return False
        return self._takes_first or self._random.random() < 0.5

    def _kind(self, kinds: list[str], flat: Keywords, depth: int, salt: int) -> str:
        if not kinds:
            return _supposed(flat)
        if self.is_thin(depth):
            kinds = [kind for kind in kinds if kind in _SCALARS] or kinds
        return str(self.choose(sorted(kinds, key=lambda kind: kind == "null"), salt))

    def _made(self, kind: str, flat: Keywords, depth: int, salt: int) -> JsonValue:
        if kind == "object":
            return self._object(flat, depth, salt)
        if kind == "array":
            return self._array(flat, depth, salt)
        if kind == "string":
            return self._string(flat, salt)
        if kind in ("integer", "number"):
            return make_number(flat, salt, is_whole=kind == "integer")
        return None if kind == "null" else salt % 2 == 0

    def _string(self, flat: Keywords, salt: int) -> str:
        least, most = flat.get("minLength", 0), flat.get("maxLength")
        if least > _LONGEST_TEXT:
            raise NoValueError("too long a text")
        if "pattern" in flat:
            try:
                return text_for(flat["pattern"], least=least, seed=self._seed + salt)
            except NoTextError:
                return str(self.choose(_GUESSES, salt))
        sample = SAMPLES.get(flat.get("format"))
        return make_text(salt, least, most) if sample is None else sample(salt)

    def _array(self, flat: Keywords, depth: int, salt: int) -> list[JsonValue]:
        schemas = _Items(flat)
        least = max(flat.get("minItems", 0), len(schemas.sought))
        if least > _LONGEST_LIST:
            raise NoValueError("too long a list")
        count = max(least, len(schemas.first), 1) if self._wants_optional(depth) else least
        items: list[JsonValue] = []
        for place in range(min(count, flat.get("maxItems", count))):
            others = items if flat.get("uniqueItems") is True else []
            try:
                items.append(self._item(schemas.at(place), others, depth, salt))
            except NoValueError:
                if place < least:
                    raise
                break
        return items

    def _item(
        self, schema: JsonValue, others: Sequence[JsonValue], depth: int, salt: int
    ) -> JsonValue:
        """An item that is none of the others."""
        for further in range(len(others) + 20):
            item = self.value(schema, depth + 1, salt + further)
            if not any(is_same(item, other) for other in others):
                return item
        raise NoValueError("too few values that differ")

    def _object(self, flat: Keywords, depth: int, salt: int) -> JsonObject:
        properties = flat.get("properties", {})
        required = _required(flat)
        room = flat.get("maxProperties", _MOST_PARTS) - len(required)
        made: JsonObject = {}
        for name in dict.fromkeys((*properties, *required)):
            schema = properties[name] if name in properties else _further(flat, name)
            if name in required:
                made[name] = self.value(schema, depth + 1, salt)
            elif room > 0 and self._wants_optional(depth):
                try:
                    made[name] = self.value(schema, depth + 1, salt)
                    room -= 1
                except NoValueError:
                    continue
        self._fill(made, flat, depth, salt)
        return made

    def _fill(self, made: JsonObject, flat: Keywords, depth: int, salt: int) -> None:
        """Add properties that the schema does not name, where it asks for more of them."""
        least = flat.get("minProperties", 0)
        if least > _LONGEST_LIST:
            raise NoValueError("too many properties")
        is_map = isinstance(flat.get("additionalProperties"), dict) or "patternProperties" in flat
        if is_map and not flat.get("properties") and self._wants_optional(depth):
            least = max(least, min(1, flat.get("maxProperties", 1)))
        for number in range(least + 20):
            if len(made) >= least:
                return
            name = self._name(flat, depth, number)
            if name not in made:
                made[name] = self.value(_further(flat, name), depth + 1, salt + number)

    def _name(self, flat: Keywords, depth: int, number: int) -> str:
        """A name for a property that the schema does not name."""
        if "propertyNames" in flat:
            named: JsonValue = {"allOf": [flat["propertyNames"], {"type": "string"}]}
            return str(self.value(named, depth + 1, number))
        patterns = flat.get("patternProperties")
        if patterns and flat.get("additionalProperties") is False:
            try:
                return text_for(next(iter(patterns)), seed=self._seed + number)
            except NoTextError as error:
                raise NoValueError(str(error)) from None
        return f"key{number or ''}"


class _Flattener:
    """Gathers what applies to one value."""

    def __init__(self, maker: _Maker, depth: int, salt: int) -> None:
        self._maker = maker
        self._is_thin = maker.is_thin(depth)
        self._salt = salt
        self._count = 0

    def flatten(self, schema: JsonValue) -> Keywords:
        """The keywords of `schema` and of all that it refers to, with one branch of each union."""
        self._count += 1
        if schema is False or self._count > _MOST_APPLIED:
            raise NoValueError("nothing fits `false`")
        if not isinstance(schema, dict):
            return {}
        flat = {key: value for key, value in schema.items() if key not in _APPLICATORS}
        for part in self._applied(schema):
            flat = merge(flat, self.flatten(part))
        return flat

    def _applied(self, schema: Mapping[str, Any]) -> Iterator[JsonValue]:
        if "$ref" in schema:
            yield self._maker.target(schema["$ref"])
        yield from schema.get("allOf", ())
        for key in ("anyOf", "oneOf"):
            if key in schema:
                branches = schema[key]
                if self._is_thin:
                    lightest = min(map(_weight, branches))
                    branches = [branch for branch in branches if _weight(branch) == lightest]
                yield self._maker.choose(branches, self._salt)
        if "if" in schema:
            holds = [schema["if"], schema.get("then", True)]
            yield from self._maker.choose([holds, [schema.get("else", True)]], 0)


class _Items:
    """The schemas of a list's items, by place."""

    def __init__(self, flat: Keywords) -> None:
        self.first: Sequence[JsonValue] = flat.get("prefixItems", ())
        self._rest: Any = flat.get("items", True)
        if isinstance(self._rest, list):  # as before 2020-12
            self.first, self._rest = self._rest, flat.get("additionalItems", True)
        number = flat.get("minContains", 1) if "contains" in flat else 0
        self.sought = [flat.get("contains")] * min(number, _LONGEST_LIST + 1)
        """What the first items must fit besides."""

    def at(self, place: int) -> JsonValue:
        schema = self.first[place] if place < len(self.first) else self._rest
        if place < len(self.sought):
            return {"allOf": [schema, self.sought[place]]}
        return schema


def _required(flat: Keywords) -> list[str]:
    """The names that must be there, and those that these bring along."""
    required = dict.fromkeys(flat.get("required", ()))
    dependent = {**flat.get("dependencies", {}), **flat.get("dependentRequired", {})}
    for _ in dependent:
        for name, names in dependent.items():
            if name in required and isinstance(names, list):
                required.update(dict.fromkeys(names))
    return list(required)


def _further(flat: Keywords, name: str) -> JsonValue:
    """The schema of a property that `properties` does not name."""
    patterns = flat.get("patternProperties", {})
    matching = [schema for pattern, schema in patterns.items() if _matches(pattern, name)]
    if matching:
        return {"allOf": matching}
    return flat.get("additionalProperties", True)  # type: ignore[no-any-return]


def _matches(pattern: str, name: str) -> bool:
    try:
        return re.search(pattern, name) is not None
    except re.error:
        return False


def _weight(schema: JsonValue) -> int:
    """How much may hang on a branch: nothing below a scalar."""
    if not isinstance(schema, dict):
        return 1
    return int(not ("const" in schema or "enum" in schema or schema.get("type") in _SCALARS))


def _kinds(flat: Keywords) -> list[str]:
    """The types that are allowed; empty where all are."""
    said = flat.get("type", [])
    return [said] if isinstance(said, str) else list(said)


_KEYWORDS = {
    "object": ("properties", "required", "additionalProperties", "patternProperties",
               "propertyNames", "minProperties", "maxProperties"),
    "array": ("items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}  # fmt: skip
"""What is only said of values of one type."""


def _supposed(flat: Keywords) -> str:
    """The type that is meant where none is said."""
    for kind, keywords in _KEYWORDS.items():
        if any(keyword in flat for keyword in keywords):
            return kind
    return "string"


def _is_of(value: Any, kinds: Sequence[str]) -> bool:
    """Whether `value` is of one of these types; of any where there are none."""
    return not kinds or any(_TYPES[kind](value) for kind in kinds if kind in _TYPES)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "number": _is_number,
    "integer": lambda value: _is_number(value) and value == int(value),
}
