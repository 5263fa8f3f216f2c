"""JSON Schema to Python types: each row a property's schema and what its field looks like."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from toolc.generate.parameters import parameter_names
from toolc.generate.pymodule import Module
from toolc.generate.pytypes import (
    read_arguments,
    read_result,
    read_shared_types,
)
from toolc.model.document import JsonObject, JsonValue, Pointer
from toolc.model.tool import Facts, Tool

from .conftest import Contract, Run

NOTE: JsonObject = {"type": "object", "properties": {"id": {"type": "string"}}}
TAG: JsonObject = {"type": "object", "properties": {"tag": {"type": "string"}}}
DEFS: JsonObject = {
    "Note": NOTE,
    "word": {"type": "string"},
    "json": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/json"}}]},
    "tree": {
        "type": "object",
        "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/tree"}}},
    },
    "a/b c": {"type": "integer"},
}


def field_of(schema: JsonValue, *, required: bool = True) -> str:
    """The field of a tool's only parameter `p`, as the class has it."""
    names: list[JsonValue] = ["p"] if required else []
    tool = Tool(
        "t", {"type": "object", "properties": {"p": schema}, "required": names, "$defs": DEFS}
    )
    module = Module()
    read_arguments(tool, "TParams", module)
    (field,) = module.definitions[-1].fields
    return f"{field.annotation} = {field.default}" if field.default else field.annotation


@pytest.mark.parametrize(
    ("schema", "annotation"),
    [
        ({"type": "string"}, "str"),
        ({"type": "integer"}, "int"),
        ({"type": "number"}, "float"),
        ({"type": "boolean"}, "bool"),
        ({"type": "null"}, "None"),
        ({}, "Any"),
        (True, "Any"),
        (False, "Any"),
        ({"description": "anything"}, "Any"),
        ({"type": "nonsense"}, "Any"),
        ({"type": ["string", "null"]}, "str | None"),
        ({"type": ["string", "integer"]}, "str | int"),
        # arrays
        ({"type": "array"}, "list[Any]"),
        ({"type": "array", "items": {"type": "string"}}, "list[str]"),
        ({"items": {"type": ["string", "null"]}}, "list[str | None]"),
        ({"type": "array", "items": [{"type": "string"}]}, "list[Any]"),
        ({"type": "array", "prefixItems": [{}], "items": {"type": "string"}}, "list[Any]"),
        # objects
        ({"type": "object"}, "dict[str, Any]"),
        ({"type": "object", "properties": {}}, "dict[str, Any]"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "dict[str, int]"),
        ({"type": "object", "additionalProperties": True}, "dict[str, Any]"),
        ({"type": "object", "patternProperties": {"^x": {}}}, "dict[str, Any]"),
        (NOTE, "TParamsP"),
        ({"properties": {"id": {"type": "string"}}}, "TParamsP"),
        ({"type": "array", "items": NOTE}, "list[TParamsPItem]"),
        ({"type": "object", "additionalProperties": NOTE}, "dict[str, TParamsPValue]"),
        # closed values
        ({"enum": ["a", "-a", ""]}, 'Literal["a", "-a", ""]'),
        ({"type": "string", "enum": ["a", "a"]}, 'Literal["a"]'),
        ({"enum": ["a", 1, True, None]}, 'Literal["a", 1, True] | None'),
        ({"type": "number", "enum": [1.5, 2]}, "float"),
        ({"enum": [["a"]]}, "Any"),
        ({"const": "a"}, 'Literal["a"]'),
        ({"const": None}, "None"),
        ({"oneOf": [{"const": "a"}, {"const": "b"}]}, 'Literal["a", "b"]'),
        # unions
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "str | None"),
        ({"anyOf": [{"type": "string"}, {"type": "string", "minLength": 1}]}, "str"),
        ({"anyOf": [{"type": "string"}, {}]}, "Any"),
        ({"anyOf": [NOTE, {"type": "array", "items": TAG}]}, "TParamsP | list[TParamsPItem]"),
        ({"anyOf": [NOTE, TAG, {"type": "null"}]}, "dict[str, Any] | None"),
        ({"anyOf": [NOTE, {"$ref": "#/$defs/Note"}]}, "dict[str, Any]"),
        ({"anyOf": []}, "Any"),
        # allOf
        ({"allOf": [{"type": "string"}]}, "str"),
        ({"allOf": [NOTE, TAG]}, "TParamsP"),
        ({"allOf": [{"type": "string"}, {"minLength": 1}]}, "Any"),
        ({"type": "string", "allOf": [{"minLength": 1}]}, "str"),
        # references
        ({"$ref": "#/$defs/word"}, "str"),
        ({"$ref": "#/$defs/Note"}, "TParamsNote"),
        ({"$ref": "#/$defs/json"}, "str | list[Any]"),
        ({"$ref": "#/$defs/tree"}, "TParamsTree"),
        ({"$ref": "#/$defs/a~1b%20c"}, "int"),
        ({"$ref": "#"}, "TParams"),
        ({"$ref": "#/properties/p"}, "Any"),
        ({"$ref": "#/$defs/gone"}, "Any"),
        ({"$ref": "#anchor"}, "Any"),
        ({"$ref": "https://example.com/schema"}, "Any"),
    ],
)
def test_annotations(schema: JsonValue, annotation: str) -> None:
    assert field_of(schema) == annotation


@pytest.mark.parametrize(
    ("schema", "field"),
    [
        ({"type": "string"}, "str | None = None"),
        ({"type": ["string", "null"]}, "str | None | Absent = ABSENT"),
        ({}, "Any | Absent = ABSENT"),
        (NOTE, "TParamsP | None = None"),
        ({"type": "integer", "default": 20}, "int = 20"),
        ({"type": "integer", "default": 20.0}, "int = 20"),
        ({"type": "number", "default": 0.5}, "float = 0.5"),
        ({"type": ["integer", "number"], "default": 20.0}, "int | float = 20.0"),
        ({"type": "boolean", "default": True}, "bool = True"),
        ({"type": ["string", "null"], "default": None}, "str | None = None"),
        ({"type": "string", "default": None}, "str | None = None"),
        ({"enum": ["a", "b"], "default": "b"}, 'Literal["a", "b"] = "b"'),
        ({"type": "array", "default": []}, "list[Any] = field(default_factory=list)"),
        ({"type": "object", "default": {}}, "dict[str, Any] = field(default_factory=dict)"),
        (
            {"type": "array", "items": {"type": "string"}, "default": ["a"]},
            'list[str] = field(default_factory=lambda: ["a"])',
        ),
        (
            {"type": ["array", "null"], "items": {"type": "number"}, "default": [1]},
            "list[float] | None = field(default_factory=lambda: [1.0])",
        ),
        (
            {"type": ["array", "null"], "items": {"enum": ["a"]}, "default": ["a"]},
            'list[Literal["a"]] | None'
            ' = field(default_factory=lambda: cast(list[Literal["a"]], ["a"]))',
        ),
        (
            NOTE | {"default": {"id": "n1"}},
            'TParamsP = field(default_factory=lambda: PARAMS_P.bind({"id": "n1"}))',
        ),
        (
            {"type": "array", "items": NOTE, "default": [{}]},
            "list[TParamsPItem] = field(default_factory=lambda: [PARAMS_PItem.bind({})])",
        ),
        (
            {"type": "array", "items": NOTE, "default": []},
            "list[TParamsPItem] = field(default_factory=list)",
        ),
        (
            {"type": "object", "additionalProperties": NOTE, "default": {"a": {}}},
            "dict[str, TParamsPValue]"
            ' = field(default_factory=lambda: {"a": PARAMS_PValue.bind({})})',
        ),
    ],
)
def test_optional_parameters(schema: JsonValue, field: str) -> None:
    assert field_of(schema, required=False) == field


def test_a_required_parameter_has_no_default() -> None:
    assert field_of({"type": "string", "default": "a"}) == "str"


def shapes_of(tool: Tool) -> list[str]:
    module = Module()
    read_arguments(tool, "TParams", module)
    return [
        f"{constant}: {annotation} = {expression}" if constant in module.ahead else expression
        for constant, annotation, expression in module.shapes
    ]


@pytest.mark.parametrize(
    ("schema", "shapes"),
    [
        ({"properties": {"a": {"type": "string"}}}, ["Record(TParams)"]),
        ({"properties": {"from": {}}}, ['Record(TParams, names={"from": "from_"})']),
        ({"additionalProperties": True}, ["Record(TParams, open=True)"]),
        ({"additionalProperties": False}, ["Record(TParams)"]),
        ({"patternProperties": {"^x": NOTE}}, ["Record(TParams, open=True)"]),
        (
            {"additionalProperties": NOTE},
            ["Record(TParamsValue)", "Record(TParams, open=True, extra=PARAMS_Value)"],
        ),
        (
            {"properties": {"n": {"type": "array", "items": {"type": "array", "items": NOTE}}}},
            [
                "Record(TParamsNItemItem)",
                'Record(TParams, nested={"n": Each(Each(PARAMS_NItemItem))})',
            ],
        ),
        (
            {"properties": {"n": {"anyOf": [{"type": "array", "items": NOTE}, TAG]}}},
            [
                "Record(TParamsNItem)",
                "Record(TParamsN)",
                'Record(TParams, nested={"n": Either(Each(PARAMS_NItem), PARAMS_N)})',
            ],
        ),
        (
            {"properties": {"a b": NOTE, "a_b": TAG}},
            [
                "Record(TParamsAB)",
                "Record(TParamsAB2)",
                'Record(TParams, names={"a b": "a_b__c8687a"},'
                ' nested={"a b": PARAMS_AB, "a_b": PARAMS_AB2})',
            ],
        ),
        (
            {"properties": {"up": {"$ref": "#"}}},
            ['PARAMS: Record[TParams] = Record(TParams, nested={"up": Later(lambda: PARAMS)})'],
        ),
    ],
)
def test_shapes(schema: dict[str, JsonValue], shapes: list[str]) -> None:
    assert shapes_of(Tool("t", {"type": "object", **schema})) == shapes


def test_a_tool_that_takes_further_arguments_has_a_place_for_them() -> None:
    tool = Tool("t", {"type": "object"}, facts=Facts(extra_parameters="warn"))
    assert shapes_of(tool) == ["Record(TParams, open=True)"]


def test_parameters_of_branches_are_there_and_none_is_required() -> None:
    tool = Tool(
        "t",
        {
            "type": "object",
            "properties": {"kind": {"enum": ["a", "b"]}},
            "required": ["kind", "undescribed"],
            "oneOf": [
                {"properties": {"x": {"const": "a"}, "y": {"type": "integer"}}, "required": ["y"]},
                {"properties": {"x": {"const": "b"}}},
            ],
            "then": {"properties": {"z": {"type": "string"}}},
        },
    )
    module = Module()
    read_arguments(tool, "TParams", module)
    assert [(field.wire, field.annotation) for field in module.definitions[-1].fields] == [
        ("kind", 'Literal["a", "b"]'),
        ("x", 'Literal["a", "b"] | None'),
        ("y", "int | None"),
        ("z", "str | None"),
        ("undescribed", "Any"),
    ]
    assert list(parameter_names(tool)) == ["kind", "x", "y", "z", "undescribed"]


def definitions_of(schema: JsonValue) -> list[str]:
    module = Module()
    read_result(Tool("t", {"type": "object"}, output_schema=schema), "TResult", module)
    return [
        f"{made.kind} {made.name}: "
        + (made.alias or ", ".join(f"{field.wire}: {field.annotation}" for field in made.fields))
        for made in module.definitions
    ]


@pytest.mark.parametrize(
    ("schema", "definitions"),
    [
        ({"type": "array", "items": {"type": "string"}}, ["alias TResult: list[str]"]),
        ({"type": "object"}, ["alias TResult: dict[str, Any]"]),
        (True, ["alias TResult: Any"]),
        ({"type": "null"}, ["alias TResult: None"]),
        (NOTE | {"required": ["id"]}, ["typed_dict TResult: id: str"]),
        (
            {"type": "object", "properties": {"notes": {"type": "array", "items": NOTE}}},
            [
                "typed_dict TResultNotesItem: id: NotRequired[str]",
                "typed_dict TResult: notes: NotRequired[list[TResultNotesItem]]",
            ],
        ),
        (
            {"type": "object", "properties": {"a-b": {}, "class": {"$ref": "#"}}},
            ['typed_dict_call TResult: a-b: NotRequired[Any], class: NotRequired["TResult"]'],
        ),
        (
            {"anyOf": [NOTE, TAG]},
            [
                "typed_dict TResult2: id: NotRequired[str]",
                "typed_dict TResult3: tag: NotRequired[str]",
                "alias TResult: TResult2 | TResult3",
            ],
        ),
    ],
)
def test_results(schema: JsonValue, definitions: list[str]) -> None:
    assert definitions_of(schema) == definitions


def test_a_class_s_name_is_no_trap_for_a_parameter_of_that_name() -> None:
    tool = Tool("t", {"type": "object", "properties": {"p": NOTE, "TParamsP": {"type": "string"}}})
    module = Module()
    read_arguments(tool, "TParams", module)
    fields = {field.identifier: field.annotation for field in module.definitions[-1].fields}
    assert fields == {"p": "Any", "TParamsP": "str | None"}


def asking(**asked: str) -> Tool:
    pointers: dict[Pointer, str] = {
        ("inputSchema", "properties", wire): name for wire, name in asked.items()
    }
    properties: dict[str, JsonValue] = {"from": {"type": "string"}, "since": {"type": "string"}}
    return Tool(
        "t", {"type": "object", "properties": properties}, facts=Facts(identifiers=pointers)
    )


@pytest.mark.parametrize(
    ("asked", "names", "faults"),
    [
        ({"from": "start"}, {"from": "start", "since": "since"}, []),
        ({"from": "from_"}, {"from": "from_", "since": "since"}, []),
        ({"from": "since"}, {"from": "from_", "since": "since"}, ["since"]),
        ({"from": "class"}, {"from": "from_", "since": "since"}, ["class"]),
        ({"from": "a b"}, {"from": "from_", "since": "since"}, ["a b"]),
        ({"from": "x", "since": "x"}, {"from": "x", "since": "since"}, ["x"]),
    ],
)
def test_an_author_s_own_identifiers(
    asked: dict[str, str], names: dict[str, str], faults: list[str]
) -> None:
    tool = asking(**asked)
    assert parameter_names(tool) == names
    module = Module()
    read_arguments(tool, "TParams", module)
    assert [fault.asked for fault in module.faults] == faults


def test_a_shared_type_is_one_class_for_all_tools() -> None:
    types: dict[Pointer, str] = {
        ("inputSchema", "properties", "note"): "Note",
        ("outputSchema", "properties", "note"): "Note",
        ("inputSchema", "properties", "word"): "Word",
    }
    schema: dict[str, JsonValue] = {
        "type": "object",
        "properties": {"note": NOTE, "word": {"type": "string"}},
    }
    tools = [Tool(name, schema, output_schema=schema, facts=Facts(types=types)) for name in "ab"]
    shared = read_shared_types(tools)
    assert shared is not None
    assert [made.name for made in shared.definitions] == ["Note", "NoteResult"]
    assert [line.constant for line in shared.shapes] == ["PARAMS_Note"]
    module = Module()
    read_arguments(tools[0], "AParams", module)
    assert [field.annotation for field in module.definitions[-1].fields] == [
        "_types.Note | None",
        "str | None",
    ]
    assert module.shapes[-1].expression == 'Record(AParams, nested={"note": _types.PARAMS_Note})'
    assert read_shared_types([Tool("c", {"type": "object"})]) is None


def deep(levels: int) -> JsonValue:
    schema: JsonValue = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"x": schema}}
    return schema


def doubling(levels: int) -> dict[str, JsonValue]:
    """Definitions of which each mentions the next one twice."""
    defs: dict[str, JsonValue] = {f"d{levels}": {"type": "string"}}
    for level in range(levels):
        next_one: dict[str, JsonValue] = {"$ref": f"#/$defs/d{level + 1}"}
        mapping: JsonValue = {"type": "object", "additionalProperties": next_one}
        defs[f"d{level}"] = {"anyOf": [{"type": "array", "items": next_one}, mapping]}
    return defs


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"x": deep(400)}},
        {"properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": doubling(200)},
        {"properties": {"x": {"enum": [f"value {n}" for n in range(5000)]}}},
        {
            "properties": {"x": {"$ref": "#/$defs/d0"}},
            "$defs": {
                f"d{n}": {"type": "object", "properties": {"x": {"$ref": f"#/$defs/d{n + 1}"}}}
                for n in range(500)
            },
        },
    ],
    ids=["deep", "doubling", "wide", "chain"],
)
def test_no_schema_is_too_much(schema: dict[str, Any], contract: Contract, run: Run) -> None:
    tool = Tool("t", {"type": "object", **schema}, output_schema={"type": "object", **schema})
    text = contract(tool)
    assert len(text) < 400_000
    module: ModuleType = run(text)
    assert module.PARAMS.bind({"x": "anything"}).x == "anything"
