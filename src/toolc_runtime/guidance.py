"""What a model reads to call a tool rightly the next time, or to find the tool that it meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from toolc_runtime.errors import INVALID_INPUT, MISSING_REQUIRED, error_result
from toolc_runtime.facts import ServedExample
from toolc_runtime.jsonvalue import (
    JsonObject,
    JsonValue,
    Pointer,
    clean_text,
    path_text,
    write_json,
)
from toolc_runtime.nearness import likely, nearest
from toolc_runtime.subschemas import Declared, referred
from toolc_runtime.validation import Fault
from toolc_runtime.wording import HIDDEN, LONGEST_NAME, looks_secret, told_pointer

_LONGEST_SCHEMA = 2000
"""Characters of a parameter's schema in an answer; a longer one is told less deeply."""

_DEEPEST_SCHEMA = 6

_LONGEST_EXAMPLE = 1000
"""Characters of a whole call that is shown as an example."""

_LONGEST_SUGGESTION = 200

_MOST_GUESSES = 20
"""Unknown parameters of an open tool for which a near name is looked for."""

_UNTOLD = frozenset(
    {"$comment", "$defs", "definitions", "deprecated", "description", "examples", "title"}
)
"""Keywords that a schema in an answer does without."""

_NAMED_SCHEMAS = frozenset({"dependentSchemas", "patternProperties", "properties"})
_SCHEMAS = frozenset(
    {
        "additionalProperties",
        "allOf",
        "anyOf",
        "contains",
        "else",
        "if",
        "items",
        "not",
        "oneOf",
        "prefixItems",
        "propertyNames",
        "then",
    }
)


class UnknownTool(NamedTuple):
    """What to say of a tool that is not there."""

    message: str
    suggestions: JsonObject | None
    """`did_you_mean`, a name, where one is near enough; `similar_tools`, the near ones."""


def unknown_tool(name: str, known: Iterable[str]) -> UnknownTool:
    """What to say of `name` where the caller may know of the tools `known`."""
    shown = clean_text(name)[:LONGEST_NAME]
    near = nearest(shown, known)
    if not near:
        return UnknownTool(f"Unknown tool: {shown}", None)
    guess = likely(shown, near[:1])
    others = near if guess is None else near[1:]
    message = f"Unknown tool: {shown}"
    if guess is not None:
        message += f'; did you mean "{guess}"?'
    if others:
        message += "; similar: " + ", ".join(f'"{other}"' for other in others)
    suggestions: JsonObject = {} if guess is None else {"did_you_mean": guess}
    return UnknownTool(message, {**suggestions, "similar_tools": [*near]})


def unknown_warnings(arguments: JsonObject, schema: JsonObject, declared: Declared) -> list[str]:
    """A warning for each of the arguments that an open tool has no parameter for."""
    if "patternProperties" in schema:
        return []
    names = declared.names(())
    unknown = [name for name in arguments if name not in names]
    guesses = [likely(name, names) for name in unknown[:_MOST_GUESSES]]
    return [
        f'unknown parameter "{name[:LONGEST_NAME]}" ignored'
        + (f'; did you mean "{guess}"?' if guess is not None else "")
        for name, guess in zip_longest(unknown, guesses)
    ]


def argument_result(
    tool: str,
    faults: Sequence[Fault],
    schema: JsonObject,
    declared: Declared,
    *,
    examples: Sequence[ServedExample] = (),
    old_names: Mapping[Pointer, str] | None = None,
) -> JsonObject:
    """The result of arguments that do not fit `schema`, all faults at once.

    Details: `missing` (names), `unknown` (`name`, `did_you_mean`), `invalid` (`parameter`,
    `expected`, `got`); names of nested parameters are paths like `stops[0].city`. Where one is
    missing or unknown, `schema_hint` has the names of all parameters and the schemas of those
    concerned. `old_names` are those by which parameters were sent, by where these stand now.
    """
    sent = [_as_sent(fault, declared, old_names or {}) for fault in faults]
    missing = [path_text(fault.pointer) for fault in sent if fault.keyword == "required"]
    unknown = [
        _unknown(fault, declared.names(real.pointer[:-1]))
        for fault, real in zip(sent, faults, strict=True)
        if fault.is_unknown
    ]
    invalid = [fault for fault in sent if fault.keyword != "required" and not fault.is_unknown]
    told: JsonObject = {
        "missing": [*missing],
        "unknown": [*unknown],
        "invalid": [
            {
                "parameter": path_text(fault.pointer),
                "expected": fault.expected,
                "got": fault.got,
            }
            for fault in invalid
        ],
    }
    concerned = _concerned(faults, declared)
    example = _example(concerned, examples)
    hint = _schema_hint(concerned, schema, declared) if missing or unknown else None
    suggestion = None
    if hint is not None and example is not None:
        hint["example"] = example
    else:
        suggestion = _suggestion(faults, _known_values(concerned, example or {}, declared))
    return error_result(
        MISSING_REQUIRED if missing else INVALID_INPUT,
        _sentence(tool, missing, unknown, invalid),
        details={key: value for key, value in told.items() if value},
        suggestion=suggestion,
        schema_hint=hint,
    )


def _as_sent(fault: Fault, declared: Declared, old_names: Mapping[Pointer, str]) -> Fault:
    """`fault` by the names that were sent, and without what may be secret."""
    pointer = told_pointer(fault.pointer, declared)
    if not old_names:
        return fault._replace(pointer=pointer)
    around = [fault.pointer[: at + 1] for at in range(len(pointer))]
    sent = tuple([old_names.get(at, part) for at, part in zip(around, pointer, strict=True)])
    is_secret = any(looks_secret(old_names[at]) for at in around if at in old_names)
    return fault._replace(pointer=sent, got="a value" if is_secret else fault.got)


def _unknown(fault: Fault, names: Iterable[str]) -> JsonObject:
    """An unknown parameter and the declared one nearest to it."""
    name = str(fault.pointer[-1])
    return {
        "name": path_text(fault.pointer),
        "did_you_mean": None if name == HIDDEN else likely(name, names),
    }


def _sentence(
    tool: str, missing: Sequence[str], unknown: Sequence[JsonObject], invalid: Sequence[Fault]
) -> str:
    parts: list[str] = []
    if missing:
        parts.append(f"{tool} needs " + ", ".join(f'"{name}"' for name in missing))
    for row in unknown:
        guess = row["did_you_mean"]
        asked = f': did you mean "{guess}"?' if guess is not None else ""
        parts.append(f'unknown "{row["name"]}"{asked}')
    parts.extend(fault.message for fault in invalid)
    text = "; ".join(parts)
    return text if missing else f"{tool}: {text}"


def _concerned(faults: Sequence[Fault], declared: Declared) -> list[str]:
    """The parameters that the faults are about, or that were meant; in their order."""
    names = declared.names(())
    found: set[str] = set()
    for fault in faults:
        name = str(fault.pointer[0]) if fault.pointer else None
        if name is not None and fault.is_unknown and len(fault.pointer) == 1:
            name = likely(name, names)
        if name is not None and name in names:
            found.add(name)
    return [name for name in names if name in found]


def _schema_hint(concerned: Sequence[str], schema: JsonObject, declared: Declared) -> JsonObject:
    required = schema.get("required")
    needed = (
        [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
    )
    hint: JsonObject = {
        "required": [*needed],
        "optional": [name for name in declared.names(()) if name not in needed],
    }
    if concerned:
        hint["parameters"] = {
            name: _brief(_schema_of((name,), declared), schema) for name in concerned
        }
    return hint


def _schema_of(pointer: Pointer, declared: Declared) -> JsonObject:
    return next(iter(declared.schemas(pointer)), {})


def _brief(schema: JsonObject, root: JsonObject) -> JsonValue:
    """`schema` without words for readers, references expanded, as deep as there is room for."""
    best = _cut(schema, root, 0)
    for depth in range(1, _DEEPEST_SCHEMA + 1):
        deeper = _cut(schema, root, depth)
        if len(write_json(deeper)) > _LONGEST_SCHEMA:
            break
        best = deeper
    return best


def _cut(schema: JsonValue, root: JsonObject, depth: int) -> JsonValue:
    """`schema` down to `depth`; below it stand types alone."""
    if not isinstance(schema, dict):
        return schema
    if depth == 0:
        return {"type": schema["type"]} if "type" in schema else {}
    if isinstance(reference := schema.get("$ref"), str):
        target = referred(reference, root)
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        return _cut({**target, **beside} if isinstance(target, dict) else beside, root, depth - 1)
    made: JsonObject = {}
    for key, value in schema.items():
        if key in _UNTOLD or key.startswith("x-"):
            continue
        if key in _NAMED_SCHEMAS and isinstance(value, dict):
            made[key] = {name: _cut(item, root, depth - 1) for name, item in value.items()}
        elif key in _SCHEMAS and isinstance(value, list):
            made[key] = [_cut(item, root, depth - 1) for item in value]
        else:
            made[key] = _cut(value, root, depth - 1) if key in _SCHEMAS else value
    return made


def _example(concerned: Sequence[str], examples: Sequence[ServedExample]) -> JsonObject | None:
    """The arguments of that example which has the most of the parameters concerned."""
    safe = [_object_without_secrets(row.arguments) for row in examples if row.arguments]
    short = [row for row in safe if row and len(write_json(row)) <= _LONGEST_EXAMPLE]
    return max(short, key=lambda row: len(row.keys() & {*concerned}), default=None)


def _suggestion(faults: Sequence[Fault], values: JsonObject) -> str | None:
    """A call in short, of the `values` that are known; None where one that is needed is not."""
    needed = {fault.pointer[0] for fault in faults if fault.keyword == "required"}
    text = write_json(values)
    if not values or not needed <= values.keys() or len(text) > _LONGEST_SUGGESTION:
        return None
    return f"for example {text}"


def _known_values(concerned: Sequence[str], example: JsonObject, declared: Declared) -> JsonObject:
    """A value of each parameter of which the definition tells one, but for secret-looking ones."""
    known: JsonObject = {}
    for name in concerned:
        schema = _schema_of((name,), declared)
        given = schema.get("examples")
        if looks_secret(name):
            continue
        if name in example:
            known[name] = example[name]
        elif isinstance(given, list) and given:
            known[name] = _without_secrets(given[0])
        elif schema.get("default") is not None:
            known[name] = _without_secrets(schema["default"])
    return known


def _object_without_secrets(value: JsonObject) -> JsonObject:
    """`value` without what stands under a secret-looking name."""
    return {key: _without_secrets(item) for key, item in value.items() if not looks_secret(key)}


def _without_secrets(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return _object_without_secrets(value)
    if isinstance(value, list):
        return [_without_secrets(item) for item in value]
    return value
