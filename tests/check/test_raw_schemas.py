"""Raw schemas: what is refused, at which keyword, and that nothing is built that cannot be used."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolc import pipeline
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import SourceFile, pointer_text
from toolc.model.project import Project
from toolc.model.tool import Tool
from toolc_runtime.validation import compile_schema

DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"


def compile_raw(
    schema: dict[str, Any], **further: Any
) -> tuple[tuple[Tool, ...], tuple[Diagnostic, ...]]:
    metadata = {"description": "x", "inputSchema": {"type": "object", **schema}, **further}
    compiled = pipeline.compile_file(SourceFile("t.json", json.dumps(metadata)), Project())
    return compiled.tools, compiled.diagnostics


def said(diagnostics: tuple[Diagnostic, ...]) -> list[tuple[str, str]]:
    """Codes, and the places below `inputSchema`."""
    return [(found.code, pointer_text((found.pointer or ())[1:])) for found in diagnostics]


def nested(levels: int, innermost: dict[str, Any]) -> dict[str, Any]:
    for _ in range(levels):
        innermost = {"anyOf": [innermost]}
    return innermost


REFUSED: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    # The metaschema, in each dialect
    ({"properties": {"a": {"type": "strin"}}}, [("S401", "/properties/a/type")]),
    ({"properties": {"a": {"type": ["string"] * 2}}}, [("S401", "/properties/a/type")]),
    (nested(90, {"minLength": -1}), [("S401", "/anyOf/0" * 90 + "/minLength")]),
    ({"required": ["a", 5]}, [("S401", "/required/1")]),
    ({"properties": {"1": {"type": "strin"}}}, [("S401", "/properties/1/type")]),
    ({"properties": {"": {"type": "strin"}}}, [("S401", "/properties//type")]),
    ({"$schema": DRAFT_7, "properties": {"a": {"type": "strin"}}}, [("S401", "/properties/a/type")]),
    ({"$schema": DRAFT_7.replace("http:", "https:"), "enum": 1}, [("S401", "/enum")]),
    ({"$schema": DRAFT_2019, "minProperties": -1}, [("S401", "/minProperties")]),
    ({"$schema": DRAFT_4, "exclusiveMaximum": True}, [("S401", "/maximum")]),
    # A dialect that is not known is read as 2020-12
    ({"$schema": "urn:x", "minLength": "1"}, [("S407", "/$schema"), ("S401", "/minLength")]),
    ({"$schema": "urn:x", "items": {"$ref": "urn:y"}}, [("S407", "/$schema"), ("S402", "/items/$ref")]),
    ({"$schema": "https://json-schema.org/draft-99/schema"}, [("S407", "/$schema")]),
    # Patterns
    ({"properties": {"a": {"pattern": "["}}}, [("S408", "/properties/a/pattern")]),
    ({"$schema": DRAFT_7, "properties": {"a": {"pattern": "["}}}, [("S408", "/properties/a/pattern")]),
    ({"patternProperties": {"a": {}, "(": {}}}, [("S408", "/patternProperties/(")]),
    # What compiles in no other way is told as a whole
    ({"items": {"$ref": "#/const"}, "const": {"type": "strin"}}, [("S401", "")]),
    ({"properties": {"type": {"type": "string"}, "a": {"$ref": "#/properties"}}}, [("S401", "")]),
    ({"$id": ":::"}, [("S402", "")]),
    # References
    ({"$id": "::: :"}, [("S402", "/$id")]),
    ({"properties": {"a": {"$ref": "http://json-schema.org/geo"}}}, [("S402", "/properties/a/$ref")]),
    ({"properties": {"a": {"$dynamicRef": "http://evil/geo#x"}}}, [("S402", "/properties/a/$dynamicRef")]),
    ({"items": {"$ref": "#/allOf/" + "9" * 5000}, "allOf": [{}]}, [("S402", "/items/$ref")]),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "expected"), REFUSED)
def test_refused(schema: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    tools, diagnostics = compile_raw(schema)
    assert said(diagnostics) == expected
    assert bool(tools) == all(code == "S407" for code, _ in expected)


def test_a_metaschema_names_the_part_and_the_value() -> None:
    _, diagnostics = compile_raw(
        {"properties": {"a": {"type": "strin", "minLength": -(10**400)}}, "required": "a"}
    )
    assert sorted(found.message for found in diagnostics) == [
        '"inputSchema" is no valid JSON Schema: "required" is the string "a", but must be an array',
        'parameter "a" is no valid JSON Schema: "minLength" is the number -1' + "0" * 57 + "…, "
        "but must be at least 0",
        'parameter "a" is no valid JSON Schema: "type" is the string "strin", but must be one of "array", '
        '"boolean", "integer", "null", "number", "object", "string", or a list of several',
    ]


@pytest.mark.parametrize("pattern", [r"(?<n>a)\k<n>", "[^]"])
def test_a_pattern_of_another_engine_is_not_called_wrong(pattern: str) -> None:
    _, (found,) = compile_raw({"properties": {"a": {"pattern": pattern}}})
    assert found.code == "S408"
    assert "engine that servers made by toolc use" in found.message


def test_many_findings_of_a_kind_are_counted() -> None:
    schema = {"properties": {f"p{number}": {"$ref": "#/nope"} for number in range(3000)}}
    _, diagnostics = compile_raw(schema)
    assert len(diagnostics) == 20
    assert diagnostics[-1].message == '$ref "#/nope" goes nowhere (and 2,980 more like it)'


def test_examples_are_not_checked_against_a_broken_side() -> None:
    _, diagnostics = compile_raw(
        {"properties": {"a": {"type": "strin"}}},
        outputSchema={"type": "object", "required": ["b"]},
        examples=[{"arguments": {"a": 1}, "result": {}}],
    )
    assert [found.code for found in diagnostics] == ["S401", "M207"]


KEYWORDS = st.sampled_from(
    ["$ref", "$dynamicRef", "$recursiveRef", "$id", "$anchor", "$dynamicAnchor", "$defs", "$schema"]
    + ["type", "properties", "items", "anyOf", "allOf", "not", "if", "enum", "const", "default"]
    + ["pattern", "minimum", "maximum", "required", "definitions", "x-mcp-header", "a", "1"]
)
LEAVES = st.sampled_from(
    [None, True, 0, -1, 2.5, 10**400, "a", "string", "strin", "object", "[", "#", "#a", "#/$defs/a"]
    + ["#/properties/a", "#/properties", "#/anyOf/0", "http://evil/x", "urn:x", "b.json", ":::"]
    + [DRAFT_7, DRAFT_2020, DRAFT_2019, "#/a~2", "#/%zz", "http://[x", ""]
)
SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYWORDS, inner, max_size=4),
    max_leaves=16,
)


@settings(max_examples=500)
@given(st.dictionaries(KEYWORDS, SCHEMAS, max_size=5))
def test_what_is_built_can_be_used(schema: dict[str, Any]) -> None:
    tools, diagnostics = compile_raw(schema, examples=[{"arguments": {"a": 1}}])
    for tool in tools:
        compile_schema(tool.input_schema)
    assert tools or diagnostics
