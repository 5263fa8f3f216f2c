"""Raw schemas: valid by their dialect, whole in themselves, and fit to be compiled."""

from __future__ import annotations

from collections.abc import Iterator

from toolc.check.dialects import DEFAULT_DIALECT, dialect_of, known_dialect
from toolc.check.references import Fault, reference_faults
from toolc.check.subject import Side, Subject
from toolc.check.walk import subschemas
from toolc.check.wording import shortened, shown
from toolc.model.document import JsonValue, Pointer
from toolc_runtime.jsonvalue import path_text

_DIALECT_HINT = "mend it by the rules of its dialect"
_PATTERN_HINT = "write it in the syntax of Rust's regular expressions, which lack some of ECMA-262"

_TYPES = '"array", "boolean", "integer", "null", "number", "object", "string"'

_ABOUT_REFERENCES = ("Resource ", "Anchor ", "Pointer ", "Invalid URI reference ")
"""How the validator's complaints about a reference begin."""


def check_schemas(subject: Subject) -> None:
    for side in subject.sides:
        if side.is_raw:
            _check_raw(subject, side)
    root = subject.tool.input_schema
    if root.get("type") != "object":
        subject.report(
            "S405",
            'the root of "inputSchema" must have "type": "object": arguments are an object',
            ("inputSchema",),
            hint='add "type": "object" at the root',
        )


def require_usable(subject: Subject, side: Side) -> bool:
    """Whether values can be checked against a side; why not is reported, unless it was before."""
    if side.key not in subject.unusable and isinstance(subject.compiled(side), Exception):
        _report(subject, side, _schema_faults(subject, side))
    return side.key not in subject.unusable


def _check_raw(subject: Subject, side: Side) -> None:
    named = side.schema.get("$schema") if isinstance(side.schema, dict) else None
    if isinstance(named, str) and known_dialect(named) is None:
        subject.report_in_schema(
            "S407",
            f'"{side.key}" is written in a dialect that toolc does not know, and is read as 2020-12',
            (side.key, "$schema"),
            hint=f"MCP's own is {DEFAULT_DIALECT}",
        )
    _report(subject, side, _schema_faults(subject, side))


def _report(subject: Subject, side: Side, faults: list[Fault]) -> None:
    for fault in faults:
        pointer = (side.key, *fault.pointer)
        subject.report_in_schema(fault.code, fault.message, pointer, hint=fault.hint)
        subject.unusable.add(side.key)


def _schema_faults(subject: Subject, side: Side) -> list[Fault]:
    """Compiling a schema is the judge of it; a schema that cannot be compiled has one fault at least.

    The references are looked at anyway: a validator follows only those that it needs.
    """
    dialect = dialect_of(side.schema)
    faults = list(reference_faults(side.schema, dialect))
    compiled = subject.compiled(side)
    if isinstance(compiled, Exception):
        faults.extend(_pattern_faults(side.schema))
        known = {fault.pointer for fault in faults}
        faults.extend(
            fault
            for fault in _metaschema_faults(subject, side, dialect)
            if fault.pointer not in known
        )
        if not faults:
            reason = str(compiled)
            code = "S402" if reason.startswith(_ABOUT_REFERENCES) else "S401"
            message = f'"{side.key}" cannot be used: {shortened(reason)}'
            faults.append(Fault(code, (), message, _DIALECT_HINT))
    return faults


def _metaschema_faults(subject: Subject, side: Side, dialect: str) -> Iterator[Fault]:
    """What a dialect's metaschema has against a schema; what it says of formats is told apart."""
    from toolc_runtime.validation import compile_schema

    metaschema = compile_schema({"$schema": dialect, "$ref": dialect})
    for fault in metaschema.faults(side.schema):
        if fault.keyword in ("format", "propertyNames"):
            continue
        pointer = fault.pointer
        name, key = subject.places.name((side.key, *pointer)), _key(pointer)
        if fault.keyword == "required":
            words = f"{key} is missing"
        else:
            wanted = shortened(fault.expected)
            if pointer[-1:] == ("type",) and fault.keyword == "anyOf":
                wanted = f"one of {_TYPES}, or a list of several"
            words = f"{key} is {fault.got}, but must be {wanted}"
        message = f"{name} is no valid JSON Schema: {words}"
        yield Fault("S401", pointer, message, _DIALECT_HINT)


def _key(pointer: Pointer) -> str:
    """The last keyword on the way, with the positions behind it: `"required[1]"`."""
    at = len(pointer) - 1
    while at > 0 and isinstance(pointer[at], int):
        at -= 1
    return f'"{path_text(pointer[at:])}"' if pointer else "it"


def _pattern_faults(schema: JsonValue) -> Iterator[Fault]:
    from toolc_runtime.validation import SchemaError, compile_schema

    refused: dict[str, bool] = {}
    for place, node in subschemas(schema):
        patterns: list[tuple[Pointer, JsonValue]] = [((*place, "pattern"), node.get("pattern"))]
        within = node.get("patternProperties")
        if isinstance(within, dict):
            patterns.extend(((*place, "patternProperties", name), name) for name in within)
        for pointer, pattern in patterns:
            if not isinstance(pattern, str):
                continue
            if pattern not in refused:
                try:
                    compile_schema({"pattern": pattern})
                    refused[pattern] = False
                except SchemaError:
                    refused[pattern] = True
            if refused[pattern]:
                yield Fault(
                    "S408",
                    pointer,
                    f"the pattern {shown(pattern, 60)} cannot be compiled by the engine that "
                    "servers made by toolc use (Rust's)",
                    _PATTERN_HINT,
                )
