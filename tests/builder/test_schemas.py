"""Parameters -> JSON Schema, row by row."""

from __future__ import annotations

import json

import pytest

from toolc import api, pipeline
from toolc.model.document import JsonObject
from toolc.model.project import Project

ADDRESS = """
[types.Address]
type = "object"
properties = [{ name = "city", type = "string", required = true }]

[types.Tree]
type = "object"
properties = [{ name = "children", type = "array:Tree" }]

[types.Port]
type = "int"
minimum = 1

[fragments.paging]
parameters = [{ name = "cursor", type = "string" }, { name = "limit", type = "int" }]
"""

# A parameter `p`, written in TOML without its name -> its schema.
ROWS = [
    ('type = "string"', '{"type": "string"}'),
    ('type = "any"', "{}"),
    ('type = "object"', '{"type": "object"}'),
    ('type = "array:any"', '{"type": "array", "items": {}}'),
    ('type = "map:int"', '{"type": "object", "additionalProperties": {"type": "integer"}}'),
    ('type = "int | string"', '{"anyOf": [{"type": "integer"}, {"type": "string"}]}'),
    (
        'type = "array:int | null"',
        '{"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}',
    ),
    (
        'type = "array:(int | null)"',
        '{"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}',
    ),
    (
        'type = "string"\ndescription = "d"\nminLength = 1\ndefault = "x"',
        '{"type": "string", "description": "d", "minLength": 1, "default": "x"}',
    ),
    (
        'type = "string"\nminLength = 1\nnullable = true\nnullDefault = true\ndescription = "d"',
        '{"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}],'
        ' "description": "d", "default": null}',
    ),
    (
        'type = "string"\nenum = ["a", "b"]\nnullable = true',
        '{"anyOf": [{"type": "string"}, {"type": "null"}], "enum": ["a", "b", null]}',
    ),
    (
        'type = "string"\ndescription = "Order"\n'
        'values = [{ value = "asc", title = "Up", description = "oldest first" }, { value = "desc" }]',
        '{"type": "string", "description": "Order\\n- \\"asc\\": Up, oldest first\\n- \\"desc\\"",'
        ' "enum": ["asc", "desc"]}',
    ),
    (
        'type = "array:string"\nminItems = 1\nitems = { minLength = 2, description = "a word" }',
        '{"type": "array", "items": {"type": "string", "description": "a word", "minLength": 2},'
        ' "minItems": 1}',
    ),
    (
        'type = "array:array:int"\nitems = { minItems = 2, items = { minimum = 0 } }',
        '{"type": "array", "items": {"type": "array", "items": {"type": "integer", "minimum": 0},'
        ' "minItems": 2}}',
    ),
    (
        'type = "array:object"\nproperties = [{ name = "a", type = "int", required = true }]',
        '{"type": "array", "items": {"type": "object", "properties": {"a": {"type": "integer"}},'
        ' "required": ["a"], "additionalProperties": false}}',
    ),
    (
        'type = "object"\nadditionalProperties = "int"\nproperties = [{ name = "a", type = "any" }]',
        '{"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "integer"}}',
    ),
    (
        'type = "object"\nadditionalProperties = "absent"\nproperties = []',
        '{"type": "object", "properties": {}}',
    ),
    (
        'anyOf = [{ type = "int", minimum = 1 }, { type = "string" }]\ndescription = "d"',
        '{"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}], "description": "d"}',
    ),
    (
        'schema = \'{"type": ["string", "null"], "x-y": 1}\'\ndescription = "d"',
        '{"type": ["string", "null"], "x-y": 1, "description": "d"}',
    ),
    ('type = "string"\nheader = "Region"', '{"type": "string", "x-mcp-header": "Region"}'),
    (
        'type = "Address"\ndescription = "home"',
        '{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"],'
        ' "additionalProperties": false, "description": "home"}',
    ),
    ('type = "array:Port"', '{"type": "array", "items": {"type": "integer", "minimum": 1}}'),
    ('type = "array:Tree"', '{"type": "array", "items": {"$ref": "#/$defs/Tree"}}'),
]


def compile_parameter(text: str, project: Project) -> JsonObject:
    definition = f'description = "x"\n[[parameters]]\nname = "p"\n{text}\n'
    program = pipeline.compile_project({"_s.toml": ADDRESS, "t.toml": definition}, project)
    assert not program.diagnostics
    schema = program.tools[0].input_schema
    assert isinstance(schema["properties"], dict)
    assert isinstance(schema["properties"]["p"], dict)
    return schema["properties"]["p"]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[row[0].split("\n")[0] for row in ROWS])
def test_schema(text: str, expected: str) -> None:
    actual = compile_parameter(text, Project())
    # Key order is part of what is promised, so texts are compared.
    assert json.dumps(actual) == json.dumps(json.loads(expected))


@pytest.mark.parametrize(
    ("text", "project", "expected"),
    [
        ('type = "int | null"', Project(unions="list"), {"type": ["integer", "null"]}),
        ('type = "int"\nnullable = true', Project(unions="list"), {"type": ["integer", "null"]}),
        (
            'type = "int | object"',
            Project(unions="list"),
            {"anyOf": [{"type": "integer"}, {"type": "object"}]},
        ),
        (
            'type = "string"\nvalues = [{ value = "a", description = "first" }]',
            Project(enum_docs="oneOf"),
            {"type": "string", "oneOf": [{"const": "a", "description": "first"}]},
        ),
        ('type = "Port"', Project(hoist=True), {"$ref": "#/$defs/Port"}),
    ],
)
def test_schema_under_a_setting(text: str, project: Project, expected: dict[str, object]) -> None:
    assert compile_parameter(text, project) == expected


def test_recursive_types_become_definitions() -> None:
    program = pipeline.compile_project(
        {"_s.toml": ADDRESS, "t.toml": 'parameters = [{ name = "t", type = "Tree" }]'}, Project()
    )
    (tool,) = program.tools
    tree = {
        "type": "object",
        "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
        "additionalProperties": False,
    }
    assert tool.input_schema["$defs"] == {"Tree": tree}
    assert tool.facts.types == {
        ("inputSchema", "properties", "t"): "Tree",
        ("inputSchema", "$defs", "Tree"): "Tree",
        ("inputSchema", "$defs", "Tree", "properties", "children", "items"): "Tree",
    }


def test_fragments_keep_their_place() -> None:
    text = """parameters = [
      { name = "a", type = "int" },
      { include = "paging" },
      { name = "z", type = "int" },
    ]"""
    program = pipeline.compile_project({"_s.toml": ADDRESS, "t.toml": text}, Project())
    assert not program.diagnostics
    assert list(program.tools[0].input_schema["properties"]) == ["a", "cursor", "limit", "z"]  # type: ignore[arg-type]


# The keys of a whole definition -> a part of its Tool.
TOOLS = [
    ("", {"description": "", "inputSchema": {"type": "object", "properties": {}}}),
    ("inputSchema = { type = 'object' }", {"inputSchema": {"type": "object"}}),
    ('extraParameters = "warn"', {"inputSchema": {"additionalProperties": True}}),
    ('additionalProperties = "absent"', {"inputSchema": {"type": "object", "properties": {}}}),
    ("root = { minProperties = 1 }", {"inputSchema": {"minProperties": 1}}),
    (
        "annotations = { vendor = 1 }\nreadOnly = false",
        {"annotations": {"vendor": 1, "readOnlyHint": False}},
    ),
    ('taskSupport = "optional"', {"execution": {"taskSupport": "optional"}}),
    ("meta = '{\"a\": null}'\nui = {}", {"_meta": {"a": None, "ui": {}}}),
    ('wire = { category = "x" }', {"category": "x"}),
    (
        'output = [{ name = "a", type = "object", properties = [] }]',
        {"outputSchema": {"properties": {"a": {"type": "object", "properties": {}}}}},
    ),
    ("outputSchema = { type = 'array' }", {"outputSchema": {"type": "array"}}),
]


@pytest.mark.parametrize(("text", "expected"), TOOLS, ids=[row[0] or "empty" for row in TOOLS])
def test_tool(text: str, expected: dict[str, object]) -> None:
    wire = api.build_tool("t", text).to_wire()
    for key, value in expected.items():
        actual = wire[key]
        if key == "inputSchema" or key == "outputSchema":
            assert isinstance(value, dict) and isinstance(actual, dict)
            assert {part: actual[part] for part in value} == value
        else:
            assert actual == value


def test_an_absent_description_stays_absent_beside_a_raw_schema() -> None:
    wire = api.build_tool("t", "inputSchema = { type = 'object' }").to_wire()
    assert "description" not in wire
