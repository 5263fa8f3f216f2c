"""Values that an author wrote, against the schema they must fit: defaults, enums and examples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from toolc.check.equality import identity
from toolc.check.fitting import compile_parts, fits_plainly
from toolc.check.schemas import require_usable
from toolc.check.subject import Side, Subject
from toolc.check.walk import subschemas, value_at
from toolc.check.wording import shortened, shown
from toolc.model.document import JsonObject, JsonValue, Pointer
from toolc_runtime.jsonvalue import path_text

if TYPE_CHECKING:
    from toolc_runtime.validation import Fault


class _Claim(NamedTuple):
    """A value that a schema says it takes."""

    value: JsonValue
    place: Pointer
    pointer: Pointer
    """Of the subschema that must take it, and `schema` what it must fit there."""
    schema: JsonObject
    is_default: bool


_ENGINES_DIFFER = frozenset({"$schema", "$ref", "$dynamicRef", "pattern", "patternProperties"})


def check_defaults(subject: Subject) -> None:
    """A `default`, and each `enum` member and `const`, must be a value that the schema takes."""
    for side in subject.sides:
        if side.key in subject.unusable:
            continue
        doubtful: list[_Claim] = []
        for pointer, schema in _valued(subject, side):
            _check_distinct(subject, pointer)
            doubtful.extend(
                claim
                for claim in _claims(subject, pointer, schema)
                if not fits_plainly(claim.value, claim.schema)
            )
        if doubtful:
            _check_claims(subject, side, doubtful)
        _warn_required_defaults(subject, side)


def _valued(subject: Subject, side: Side) -> Iterator[tuple[Pointer, JsonObject]]:
    """The subschemas that hold an author's value; a built schema says which, a raw one is walked."""
    if side.is_raw:
        for pointer, schema in subschemas(side.schema, (side.key,)):
            if "default" in schema or pointer in subject.places.checked:
                yield pointer, schema
        return
    for pointer in subject.places.checked:
        if pointer[0] == side.key:
            built = value_at(side.schema, pointer[1:])
            assert isinstance(built, dict)
            yield pointer, built


def _claims(subject: Subject, pointer: Pointer, schema: JsonObject) -> Iterator[_Claim]:
    if "default" in schema:
        yield _Claim(schema["default"], (*pointer, "default"), pointer, schema, True)
    parameter = subject.places.checked.get(pointer)
    if parameter is None:
        return
    choosing = ("enum", "const", "default", *(("oneOf",) if parameter.values else ()))
    rest = {key: value for key, value in schema.items() if key not in choosing}
    for place, value in _choices(subject, pointer, schema):
        yield _Claim(value, place, pointer, rest, False)


def _choices(
    subject: Subject, pointer: Pointer, schema: JsonObject
) -> Iterator[tuple[Pointer, JsonValue]]:
    """The values that a parameter's schema names one by one, each with its place."""
    values = subject.places.checked[pointer].values
    members = schema.get("enum")
    if values:
        members = [value.value for value in values]
    if isinstance(members, list):
        for at, member in enumerate(members):
            yield (*pointer, "enum", at), member
    if "const" in schema:
        yield (*pointer, "const"), schema["const"]


def _check_distinct(subject: Subject, pointer: Pointer) -> None:
    """`enum` and `values` name something, and nothing twice."""
    parameter = subject.places.checked.get(pointer)
    if parameter is None:
        return
    members = parameter.keywords.get("enum")
    if parameter.values:
        members = [value.value for value in parameter.values]
    if not isinstance(members, list):
        return
    if not members:
        subject.report_in_schema(
            "M204", f"{subject.places.name(pointer)} has an empty enum", (*pointer, "enum")
        )
    first: dict[str, int] = {}
    for at, member in enumerate(members):
        before = first.setdefault(identity(member), at)
        if before != at:
            subject.report_in_schema(
                "M204",
                f"{subject.places.name(pointer)}: the value {shown(member)} stands twice",
                (*pointer, "enum", at),
                hint="take one of them away",
                related=((*pointer, "enum", before), "the first one"),
            )


def _check_claims(subject: Subject, side: Side, claims: Sequence[_Claim]) -> None:
    from toolc_runtime.validation import SchemaError

    parts: dict[tuple[Pointer, bool], JsonObject] = {}
    for claim in claims:
        parts[claim.pointer, claim.is_default] = claim.schema
    numbers = {part: str(number) for number, part in enumerate(parts)}
    try:
        validator = compile_parts(
            side.schema, [(pointer[1:], schema) for (pointer, _), schema in parts.items()]
        )
    except SchemaError:
        require_usable(subject, side)  # says why
        return
    for claim in claims:
        value: JsonValue = {numbers[claim.pointer, claim.is_default]: claim.value}
        for fault in validator.faults(value)[:1]:
            pointer = fault.pointer[1:]
            _report_claim(subject, claim, fault._replace(pointer=pointer))


def _report_claim(subject: Subject, claim: _Claim, fault: Fault) -> None:
    name, wanted = subject.places.name(claim.pointer), shortened(fault.expected)
    if not claim.is_default:
        subject.report_in_schema(
            "M204",
            f"{name} can never be {shown(claim.value)}: it must be {wanted}",
            claim.place,
            hint=f"take the value away, or change `{fault.keyword}`",
        )
        return
    if claim.value is None and claim.pointer not in subject.places.checked:
        subject.report_in_schema(
            "S406",
            f"{name} has the default null, which its schema refuses",
            claim.place,
            hint="take the default away, or let the type be null as well",
        )
        return
    place = claim.place
    if claim.value is None and subject.says_null_default(claim.pointer):
        place = (*claim.pointer, "nullDefault")
    subject.report_in_schema(
        "M204",
        f"{name} has the default {shown(claim.value)}, but must be {wanted}"
        + (f" at {path_text(fault.pointer)}" if fault.pointer else ""),
        place,
        hint="add `nullable = true`, or take the default away"
        if claim.value is None
        else f"change the default, or `{fault.keyword}`",
        related=((*claim.pointer, fault.keyword), f"`{fault.keyword}` stands here"),
    )


def _warn_required_defaults(subject: Subject, side: Side) -> None:
    if side.key != "inputSchema" or not isinstance(side.schema, dict):
        return
    properties, required = side.schema.get("properties"), side.schema.get("required")
    if not isinstance(properties, dict) or not isinstance(required, list):
        return
    for name in required:
        schema = properties.get(name) if isinstance(name, str) else None
        if isinstance(schema, dict) and "default" in schema:
            subject.report_in_schema(
                "M209",
                f'parameter "{name}" is required, so its default is never used',
                (side.key, "properties", str(name), "default"),
                hint="take one of the two away",
            )


def check_examples(subject: Subject) -> None:
    """`arguments` against `inputSchema`, `result` against `outputSchema`."""
    for side in subject.sides:
        key = "arguments" if side.key == "inputSchema" else "result"
        values = [
            (example.pointer, example.arguments if key == "arguments" else example.result)
            for example in subject.metadata.examples
            if (example.arguments is not None if key == "arguments" else example.has_result)
        ]
        if values and require_usable(subject, side):
            _check_examples(subject, side, key, values)


def _check_examples(
    subject: Subject, side: Side, key: str, values: Sequence[tuple[Pointer, JsonValue]]
) -> None:
    from toolc_runtime.validation import SchemaError

    validator = subject.compiled(side)
    assert not isinstance(validator, SchemaError)
    verb = "do" if key == "arguments" else "does"
    for pointer, value in values:
        faults = validator.faults(value)
        for fault in faults:
            subject.report_at(
                "M207",
                f"the example's {key} {verb} not fit `{side.key}`: {shortened(fault.message)}",
                (*pointer, key, *fault.pointer),
                hint="mend the example, or the schema",
            )
        if not faults and key == "result":
            problem = _refusal_by_clients(side.schema, value)
            if problem:
                subject.report_at(
                    "S409",
                    f"the official Python client would refuse this answer: {shortened(problem)}",
                    (*pointer, key),
                    hint="it checks answers with `jsonschema`, in Python's regular expressions",
                )


def _refusal_by_clients(schema: Any, answer: JsonValue) -> str:
    """What the official Python client has against an answer that fits: it checks each with
    `jsonschema`, whose patterns and dialects are not those of the servers' engine. A schema with
    none of these is left alone: importing it takes 100 ms."""
    if all(_ENGINES_DIFFER.isdisjoint(node) for _, node in subschemas(schema)):
        return ""
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import validator_for
    from referencing.exceptions import Unresolvable

    validator = validator_for(schema)
    try:
        validator.check_schema(schema)
        return next((error.message for error in validator(schema).iter_errors(answer)), "")
    except (SchemaError, Unresolvable, RecursionError, re.error) as error:
        return str(error).partition("\n")[0]
