"""Values that an author wrote, against the schema they must fit: defaults, enums and examples."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from toolc.check.subject import Side, Subject
from toolc.check.walk import subschemas
from toolc.model.document import JsonObject, JsonValue, Pointer
from toolc.model.findings import Findings
from toolc_runtime.jsonvalue import path_text

if TYPE_CHECKING:
    from toolc_runtime.validation import Fault

_SIMPLE: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}


def check_defaults(subject: Subject) -> None:
    """A `default`, and each `enum` member and `const`, must be a value that the schema takes."""
    if subject.findings.has_errors:
        return
    for side in subject.sides():
        for pointer, schema in _valued(subject, side):
            if "default" in schema:
                _check_default(subject, side, pointer, schema)
            if pointer in subject.checked:
                _check_choices(subject, side, pointer, schema)
        _warn_required_defaults(subject, side)


def _valued(subject: Subject, side: Side) -> Iterator[tuple[Pointer, JsonObject]]:
    """The subschemas that hold an author's value; a built schema says which, a raw one is walked."""
    if side.is_raw:
        for pointer, schema in subschemas(side.schema, (side.key,)):
            if "default" in schema or pointer in subject.checked:
                yield pointer, schema
        return
    for pointer in subject.checked:
        if pointer[0] == side.key:
            yield pointer, _at(side.schema, pointer[1:])


def _at(schema: JsonValue, pointer: Pointer) -> JsonObject:
    node = schema
    for part in pointer:
        node = node[part]  # type: ignore[index]
    assert isinstance(node, dict)
    return node


def _check_default(subject: Subject, side: Side, pointer: Pointer, schema: JsonObject) -> None:
    value = schema["default"]
    if _plainly_fits(value, schema):
        return
    fault = _fault(value, schema, side)
    if fault is None:
        return
    name = _name(pointer)
    parameter = subject.checked.get(pointer)
    if value is None and parameter is None:
        subject.report_in_schema(
            "S406",
            f"{name} has the default null, which its schema refuses",
            (*pointer, "default"),
            hint="take the default away, or let the type be null as well",
        )
        return
    # TOML says it by `nullDefault`; the place falls back to it where there is no `default`.
    written = "nullDefault" if value is None and subject.says_null_default(pointer) else "default"
    subject.report_in_schema(
        "M204",
        f"{name} has the default {_shown(value)}, but must be {fault.expected}"
        + (f" at {path_text(fault.pointer)}" if fault.pointer else ""),
        (*pointer, written),
        hint="add `nullable = true`, or take the default away"
        if value is None
        else f"change the default, or `{fault.keyword}`",
        related=((*pointer, fault.keyword), f"`{fault.keyword}` stands here"),
    )


def _check_choices(subject: Subject, side: Side, pointer: Pointer, schema: JsonObject) -> None:
    """Members of `enum`, and `const`, that the rest of the schema can never let through."""
    rest = {key: value for key, value in schema.items() if key not in ("enum", "const", "default")}
    choices: list[tuple[Pointer, JsonValue]] = []
    members = schema.get("enum")
    if isinstance(members, list):
        if not members:
            subject.report_in_schema(
                "M204", f"{_name(pointer)} has an empty enum", (*pointer, "enum")
            )
        choices.extend(((*pointer, "enum", at), member) for at, member in enumerate(members))
    if "const" in schema:
        choices.append(((*pointer, "const"), schema["const"]))
    for place, value in choices:
        if _plainly_fits(value, rest):
            continue
        fault = _fault(value, rest, side)
        if fault is not None:
            subject.report_in_schema(
                "M204",
                f"{_name(pointer)} can never be {_shown(value)}: it must be {fault.expected}",
                place,
                hint=f"take the value away, or change `{fault.keyword}`",
            )


def _plainly_fits(value: JsonValue, schema: JsonObject) -> bool:
    """Whether a value fits beyond doubt: the common case, decided without compiling anything."""
    kind = schema.get("type")
    if not isinstance(kind, str) or type(value) not in _SIMPLE.get(kind, ()):
        return False
    for keyword, bound in schema.items():
        if keyword in ("type", "description", "default", "title", "x-mcp-header"):
            continue
        # Python takes True for 1; JSON does not.
        if keyword == "enum" and isinstance(bound, list) and type(value) is str and value in bound:
            continue
        if keyword == "minimum" and value >= bound:  # type: ignore[operator]
            continue
        if keyword == "maximum" and value <= bound:  # type: ignore[operator]
            continue
        return False
    return True


def _fault(value: JsonValue, schema: JsonObject, side: Side) -> Fault | None:
    """The first thing that `schema` holds against `value`."""
    from toolc_runtime.validation import SchemaError, compile_schema

    whole: JsonObject = dict(schema)
    if isinstance(side.schema, dict):
        for key in ("$defs", "definitions", "$schema"):
            if key in side.schema:
                whole.setdefault(key, side.schema[key])
    try:
        validator = compile_schema(whole)
    except SchemaError:
        return None  # a reference to elsewhere in the document; the whole is checked as such
    return next(iter(validator.faults(value)), None)


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
    examples = subject.metadata.examples
    if not examples or subject.findings.has_errors:
        return
    from toolc_runtime.validation import compile_schema

    checks = [
        ("arguments", "inputSchema", subject.tool.input_schema),
        ("result", "outputSchema", subject.tool.output_schema),
    ]
    for key, side, schema in checks:
        if schema is None:
            continue
        validator = compile_schema(schema)
        for example in examples:
            value = example.arguments if key == "arguments" else example.result
            if value is None and not (key == "result" and example.has_result):
                continue
            for fault in validator.faults(value):
                _report_example(
                    subject.findings, key, side, example.pointer, fault.pointer, fault.message
                )


def _report_example(
    findings: Findings, key: str, side: str, example: Pointer, place: Pointer, message: str
) -> None:
    findings.add(
        "M207",
        f"the example's {key} do not fit `{side}`: {message}"
        if key == "arguments"
        else f"the example's {key} does not fit `{side}`: {message}",
        (*example, key, *place),
        hint="mend the example, or the schema",
    )


def _name(pointer: Pointer) -> str:
    names = [str(part) for before, part in pairwise(pointer) if before == "properties"]
    return f'parameter "{".".join(names)}"' if names else f'"{pointer[0]}"'


def _shown(value: JsonValue) -> str:
    """A value as JSON writes it, shortened."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:37] + "…"
