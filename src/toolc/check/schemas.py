"""Raw schemas: valid by their dialect, whole in themselves, and fit to be compiled."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from toolc.check.references import reference_faults
from toolc.check.subject import Side, Subject
from toolc.check.walk import subschemas

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

_DIALECTS = {
    "https://json-schema.org/draft/2020-12/schema": "Draft202012Validator",
    "https://json-schema.org/draft/2019-09/schema": "Draft201909Validator",
    "http://json-schema.org/draft-07/schema": "Draft7Validator",
    "http://json-schema.org/draft-06/schema": "Draft6Validator",
    "http://json-schema.org/draft-04/schema": "Draft4Validator",
}
_MOST_FAULTS = 20


def check_schemas(subject: Subject) -> None:
    for side in subject.sides():
        if side.is_raw:
            _check_schema(subject, side)
    root = subject.tool.input_schema
    if root.get("type") != "object":
        subject.report(
            "S405",
            'the root of "inputSchema" must have "type": "object": arguments are an object',
            ("inputSchema",),
            hint='add "type": "object" at the root',
        )


def _check_schema(subject: Subject, side: Side) -> None:
    import jsonschema_rs

    if isinstance(side.schema, dict) and not _dialect_is_known(subject, side):
        return
    schema: Any = side.schema
    if not jsonschema_rs.meta.is_valid(schema):
        _explain(subject, side)
        return
    faults = list(reference_faults(side.schema))
    for fault in faults:
        subject.report_in_schema(
            fault.code,
            fault.message,
            (side.key, *fault.pointer),
            hint="put what it names under `$defs` of the same schema, or write it in its place",
        )
    if not faults:
        _check_patterns(subject, side)


def _dialect_is_known(subject: Subject, side: Side) -> bool:
    assert isinstance(side.schema, dict)
    dialect = side.schema.get("$schema")
    if not isinstance(dialect, str) or dialect.rstrip("#") in _DIALECTS:
        return True
    subject.report_in_schema(
        "S407",
        f'"{side.key}" is written in a dialect that toolc does not know, and is not checked',
        (side.key, "$schema"),
        hint="MCP's own is https://json-schema.org/draft/2020-12/schema",
    )
    return False


def _explain(subject: Subject, side: Side) -> None:
    """Say where the metaschema refuses a schema. Only here is the slow validator worth its time."""
    import jsonschema

    dialect = side.schema.get("$schema") if isinstance(side.schema, dict) else None
    name = _DIALECTS.get(dialect.rstrip("#")) if isinstance(dialect, str) else None
    validator_class = getattr(jsonschema, name or "Draft202012Validator")
    metaschema: Validator = validator_class(validator_class.META_SCHEMA)
    reported: set[tuple[str | int, ...]] = set()
    for error in metaschema.iter_errors(side.schema):
        # 2020-12's metaschema is an allOf of vocabularies: the deepest error is the one that tells.
        while error.context:
            error = max(error.context, key=lambda inner: len(inner.absolute_path))
        pointer = tuple(error.absolute_path)
        if pointer in reported or len(reported) >= _MOST_FAULTS:
            continue
        reported.add(pointer)
        subject.report_in_schema(
            "S401",
            f'"{side.key}" is no valid JSON Schema: {_words(error)}',
            (side.key, *pointer),
            hint="mend it by the rules of its dialect",
        )


def _words(error: ValidationError) -> str:
    """What a metaschema has against a value: `"minLength" is -1, but must be at least 0`."""
    key = f'"{error.absolute_path[-1]}"' if error.absolute_path else "it"
    value = json.dumps(error.instance, ensure_ascii=False)
    shown = value if len(value) <= 60 else value[:57] + "…"
    wanted = json.dumps(error.validator_value, ensure_ascii=False)
    words = {
        "type": f"but must be of type {wanted}",
        "enum": f"but must be one of {wanted}",
        "minimum": f"but must be at least {wanted}",
        "exclusiveMinimum": f"but must be above {wanted}",
        "minItems": f"but must have at least {wanted} items",
        "uniqueItems": "but must hold no item twice",
    }
    return f"{key} is {shown}, {words.get(str(error.validator), 'which its dialect refuses')}"


def _check_patterns(subject: Subject, side: Side) -> None:
    from toolc_runtime.validation import SchemaError, compile_schema

    for pointer, schema in subschemas(side.schema):
        patterns = [("pattern", schema.get("pattern"))]
        within = schema.get("patternProperties")
        if isinstance(within, dict):
            patterns.extend(("patternProperties", pattern) for pattern in within)
        for key, pattern in patterns:
            if not isinstance(pattern, str):
                continue
            try:
                compile_schema({"pattern": pattern})
            except SchemaError:
                subject.report_in_schema(
                    "S408",
                    f'the pattern "{pattern}" is no regular expression',
                    (side.key, *pointer, key),
                    hint="JSON Schema takes ECMA-262 regular expressions",
                )
