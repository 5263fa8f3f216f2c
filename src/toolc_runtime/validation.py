"""JSON values against JSON Schema, and what is wrong with them in plain words.

One validator for defaults and examples at build time and for arguments and results at run time, so
that the four never disagree. Nothing is ever fetched, and a pattern cannot run for long.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from toolc_runtime.formats import CHECKS
from toolc_runtime.jsonvalue import JsonObject, JsonValue, Pointer, path_text
from toolc_runtime.wording import expectation, join_expectations, show, show_value

if TYPE_CHECKING:
    import jsonschema_rs

MOST_FAULTS = 50
"""How many faults of one value are told; the rest adds nothing and can be a million items."""

_BACKTRACKS = 100_000
"""Steps that a pattern with lookaround or backreferences may take; the others run in linear time."""

_DEEPEST_BRANCHED = 24
"""Levels of lists and objects that a value may have where a schema may branch at each of them."""

_DEEPEST_EXPLAINED = 10
"""Up to how many of them all that is wrong is told then."""

_COMPILED_BYTES = 4 * 1024 * 1024
"""What one compiled pattern may weigh: `(a{1,1000}){1,1000}` is refused rather than built."""

_UNKNOWN_DIALECT = "Unknown meta-schema"

_MISSING = ("required", "dependentRequired", "dependencies")
_UNKNOWN = ("additionalProperties", "unevaluatedProperties")
_BRANCHED = ("anyOf", "oneOf")


class SchemaError(ValueError):
    """A schema that cannot be used: it is not one, or it refers to what is not there."""


class Fault(NamedTuple):
    """One thing that is wrong with a value.

    `pointer` leads to the part concerned, for a missing or unknown property to where that property
    is or would be. `expected` and `got` are phrases without a verb; `message` joins them.
    """

    pointer: Pointer
    keyword: str
    expected: str
    got: str

    @property
    def is_unknown(self) -> bool:
        """Whether it is about a property that the schema does not let in."""
        return self.keyword in _UNKNOWN

    @property
    def message(self) -> str:
        """`limit: expected an integer, got the string "ten"`; secret-looking values are not told."""
        place = path_text(self.pointer)
        if self.keyword == "required":
            return f"{place} is required"
        if self.is_unknown:
            return f"{place} is unknown"
        told = f"expected {self.expected}, got {self.got}"
        return f"{place}: {told}" if place else told


class Validator:
    """One compiled schema."""

    def __init__(self, compiled: jsonschema_rs.Validator, *, may_branch: bool = False) -> None:
        """`may_branch` says that the schema has unions and references: one that refers twice to
        itself takes twice as long with each level of a value."""
        self._compiled = compiled
        self._may_branch = may_branch

    def is_valid(self, value: JsonValue) -> bool:
        if self._may_branch and _is_deeper(value, _DEEPEST_BRANCHED):
            return False
        return self._compiled.is_valid(value)

    def faults(self, value: JsonValue) -> list[Fault]:
        """All that is wrong with `value`, in the schema's order; at most MOST_FAULTS."""
        if self._may_branch and _is_deeper(value, _DEEPEST_EXPLAINED):
            if self.is_valid(value):
                return []
            expected = (
                f"what fits the schema in at most {_DEEPEST_BRANCHED} levels of lists and objects "
                f"(past {_DEEPEST_EXPLAINED} it is not told in detail what does not)"
            )
            return [Fault((), "depth", expected, show(value, ()))]
        errors = self._compiled.iter_errors(value)
        faults = islice((fault for error in errors for fault in _faults_of(error)), MOST_FAULTS)
        return [fault._replace(pointer=_exact(value, fault.pointer)) for fault in faults]


def _is_deeper(value: JsonValue, levels: int) -> bool:
    """Whether a value has more levels of lists and objects than that."""
    rows: list[JsonValue] = [value]
    for _ in range(levels + 1):
        rows = [
            item
            for row in rows
            if isinstance(row, (dict, list))
            for item in (row.values() if isinstance(row, dict) else row)
        ]
        if not rows:
            return False
    return True


_UNIONS = frozenset({"anyOf", "oneOf", "allOf", "if"})
_REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})


def _may_branch(schema: JsonValue) -> bool:
    """Whether a schema has both, wherever; a property of such a name counts as well."""
    keys: set[str] = set()
    pending = [schema]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            keys.update(node)
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)
    return not (_UNIONS.isdisjoint(keys) or _REFERENCES.isdisjoint(keys))


def _exact(value: JsonValue, pointer: Pointer) -> Pointer:
    """A fault's `pointer` as `value` has it, as far as it leads somewhere.

    jsonschema_rs takes a key that is all digits for a position, and leaves out an empty one.
    """
    node = value
    exact: list[str | int] = []
    for part in pointer:
        while isinstance(node, dict) and (key := _key(node, part)) is None and "" in node:
            exact.append("")
            node = node[""]
        if isinstance(node, dict):
            part = str(part) if key is None else key
            node = node.get(part)
        elif isinstance(node, list) and isinstance(part, int) and part < len(node):
            node = node[part]
        exact.append(part)
    return tuple(exact)


def _key(node: JsonObject, part: str | int) -> str | None:
    """The key of an object that a part of a pointer means; `01` may have become 1."""
    if str(part) in node:
        return str(part)
    if isinstance(part, int):
        return next((key for key in node if key.isdecimal() and key.lstrip("0") == str(part)), None)
    return None


def compile_schema(schema: JsonValue) -> Validator:
    """A validator for `schema`, in the dialect that its `$schema` names.

    2020-12 where it names none, or one that nobody knows. SchemaError where the schema is not
    valid in its dialect, a pattern is no regular expression or too large, or a reference leads
    nowhere or out of the document.
    """
    import jsonschema_rs

    if not isinstance(schema, (dict, bool)):
        raise SchemaError(f"a schema is an object or a boolean, not {show_value(schema)}")
    try:
        return Validator(_compile(schema), may_branch=_may_branch(schema))
    except jsonschema_rs.ValidationError as error:
        if error.message.startswith(_UNKNOWN_DIALECT) and isinstance(schema, dict):
            without = {key: value for key, value in schema.items() if key != "$schema"}
            if len(without) < len(schema):
                return compile_schema(without)
        place = path_text(tuple(error.instance_path))
        raise SchemaError(f"{place}: {error.message}" if place else error.message) from None
    except (ValueError, UnicodeEncodeError) as error:
        raise SchemaError(str(error)) from None


def _compile(schema: JsonObject | bool) -> jsonschema_rs.Validator:
    import jsonschema_rs

    return jsonschema_rs.validator_for(
        schema,
        offline=True,
        validate_formats=True,
        formats=CHECKS,
        pattern_options=jsonschema_rs.FancyRegexOptions(
            backtrack_limit=_BACKTRACKS, size_limit=_COMPILED_BYTES
        ),
    )


def _faults_of(error: jsonschema_rs.ValidationError) -> Iterator[Fault]:
    pointer: Pointer = tuple(error.instance_path)
    kind: Any = error.kind
    if kind.name in _MISSING:
        yield Fault((*pointer, kind.property), "required", "a value", "none")
    elif kind.name in _UNKNOWN:
        for name in kind.unexpected:
            yield Fault((*pointer, name), kind.name, "no such property", "one")
    elif kind.name in _BRANCHED:
        yield from _faults_of_branches(error, pointer)
    else:
        key_error = kind.error if kind.name == "propertyNames" else error
        expected = expectation(kind)
        yield Fault(pointer, kind.name, expected, show(key_error.instance, pointer))


def _faults_of_branches(error: jsonschema_rs.ValidationError, here: Pointer) -> Iterator[Fault]:
    """What to say of a value that no branch of a union takes.

    Where each branch refuses the value as a whole, or lacks one property, what they would accept;
    where one of them takes its kind and finds fault with its parts, these faults. Of several such,
    the one with the fewest is most likely meant.
    """
    kind: Any = error.kind
    got = show(error.instance, here)
    branches = [_reduced(branch, here) for branch in kind.context]
    if any(not branch for branch in branches):
        yield Fault(here, kind.name, "what exactly one of the allowed forms takes", got)
        return
    if all(_lacks_one(branch, here) for branch in branches):
        names = [f'the property "{branch[0].pointer[-1]}"' for branch in branches]
        yield Fault(here, kind.name, join_expectations(names), got)
        return
    deeper = [branch for branch in branches if not _refuses_whole(branch, here)]
    if deeper:
        yield from min(deeper, key=_distance)
        return
    expected = join_expectations([branch[0].expected for branch in branches])
    yield Fault(here, kind.name, expected, got)


def _reduced(branch: list[jsonschema_rs.ValidationError], here: Pointer) -> list[Fault]:
    """A branch's faults; its type alone where that does not fit, for nothing else matters then."""
    faults = [fault for error in branch for fault in _faults_of(error)]
    wrong_type = [fault for fault in faults if fault.keyword == "type" and fault.pointer == here]
    return wrong_type[:1] or faults


def _refuses_whole(branch: list[Fault], here: Pointer) -> bool:
    return len(branch) == 1 and branch[0].pointer == here


def _lacks_one(branch: list[Fault], here: Pointer) -> bool:
    return len(branch) == 1 and branch[0].keyword == "required" and branch[0].pointer[:-1] == here


def _distance(branch: list[Fault]) -> tuple[bool, int]:
    """A branch that a `const` or `enum` tells apart from the value is not the one that was meant."""
    return any(fault.keyword in ("const", "enum") for fault in branch), len(branch)
