"""Defaults, enums, examples and headers: what is said of the definitions that hold them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolc import pipeline
from toolc.model.project import Project

SHARED = """
[types.Pattern]
type = "string"
pattern = "["

[types.Behind]
type = "Pattern"
default = "x"

[types.Remote]
schema = { "$ref" = "http://evil/x" }

[types.Raw]
schema = { type = "strng" }

[types.Size]
type = "object"
properties = [{ name = "size", type = "number", header = "bad name" }]

[types.Inner]
type = "object"
properties = [{ name = "id", type = "string", default = 5 }]

[fragments.page]
parameters = [{ name = "limit", type = "int", default = "x" }]
"""


def messages(
    definition: dict[str, Any], project: Project | None = None, shared: str = ""
) -> list[tuple[str, int, str]]:
    """Code, line in its file, and message of all that is said."""
    sources = {"_shared.toml": shared, "t.json": json.dumps({"description": "x", **definition})}
    program = pipeline.compile_project(sources, project or Project())
    return [
        (found.code, sources[found.path][: found.site.span.start].count("\n") + 1, found.message)
        for found in program.diagnostics
        if found.code != "L111" and found.site is not None and found.site.span is not None
    ]


def test_one_problem_does_not_hide_another() -> None:
    definition = {
        "name": "bad name",
        "parameters": [{"name": "a", "type": "string", "default": 3}],
        "examples": [{"arguments": {"a": 3}}],
    }
    assert [code for code, _, _ in messages(definition)] == ["M301", "M204", "M207"]


@pytest.mark.parametrize(
    ("type_name", "expected"),
    [
        ("Pattern", [("S408", 4)]),
        ("Behind", [("S408", 4)]),
        ("Remote", [("S402", 11)]),
        ("Raw", [("S401", 14)]),
        ("Size", [("S404", 18)]),
        ("Inner", [("M204", 22)]),
    ],
)
@pytest.mark.parametrize("further", [{}, {"nullable": True}])
def test_a_fault_in_a_shared_type_is_found_where_it_was_written(
    type_name: str, expected: list[tuple[str, int]], further: dict[str, Any]
) -> None:
    rows = [{"name": "a", "type": type_name, **further}]
    said = [(code, line) for code, line, _ in messages({"parameters": rows}, shared=SHARED)]
    assert set(expected) <= set(said)


def test_what_is_said_of_a_shared_definition_is_the_same_for_all_uses() -> None:
    rows: list[dict[str, Any]] = [
        {"name": "one", "type": "Inner"},
        {"name": "two", "type": "array:Inner"},
        {"include": "page"},
        {"name": "three", "type": "object", "properties": [{"include": "page"}]},
    ]
    said = [row for row in messages({"parameters": rows}, shared=SHARED) if row[0] == "M204"]
    assert said == [
        ("M204", 22, '"id" of the shared type "Inner" has the default 5, but must be a string'),
        ("M204", 25, 'parameter "limit" has the default "x", but must be an integer'),
    ]


def test_a_default_of_its_own_on_a_shared_type_is_the_parameters() -> None:
    shared = '[types.Colour]\ntype = "string"\n'
    rows = [{"name": "a", "type": "Colour", "default": 5}]
    assert messages({"parameters": rows}, shared=shared) == [
        ("M204", 1, 'parameter "a" has the default 5, but must be a string')
    ]


@pytest.mark.parametrize("enum_docs", ["description", "oneOf"])
@pytest.mark.parametrize(
    "row",
    [
        {"enum": ["a", "b", "a"]},
        {"values": [{"value": "a"}, {"value": "b"}, {"value": "a"}]},
        {"values": [{"value": "a"}, {"value": "a"}], "nullable": True},
    ],
)
def test_a_value_stands_once(enum_docs: str, row: dict[str, Any]) -> None:
    rows = [{"name": "p", "type": "string", **row}]
    ((code, _, message),) = messages({"parameters": rows}, Project(enum_docs=enum_docs))
    assert (code, message) == ("M204", 'parameter "p": the value "a" stands twice')


@pytest.mark.parametrize(
    ("enum", "twice"), [([1, 1.0], "1.0"), ([True, 1], None), (["1", 1], None), ([{}, {}], "{}")]
)
def test_equal_values_are_those_of_json(enum: list[Any], twice: str | None) -> None:
    said = messages({"parameters": [{"name": "p", "type": "any", "enum": enum}]})
    assert [message for _, _, message in said] == (
        [] if twice is None else [f'parameter "p": the value {twice} stands twice']
    )


@pytest.mark.parametrize("enum_docs", ["description", "oneOf"])
def test_a_value_must_be_one_of_the_type(enum_docs: str) -> None:
    rows = [{"name": "p", "type": "string", "values": [{"value": "a"}, {"value": 3}]}]
    said = messages({"parameters": rows}, Project(enum_docs=enum_docs))
    assert [message for _, _, message in said] == [
        'parameter "p" can never be 3: it must be a string'
    ]


def nested_header(name: str, header: str) -> dict[str, Any]:
    row = {"name": "id", "type": "string", "header": header}
    return {"name": name, "type": "object", "properties": [row]}


def test_a_header_is_taken_whatever_its_case_and_wherever_it_stands() -> None:
    rows = [nested_header("a", "X-Id"), nested_header("b", "x-id"), nested_header("c", "X-Other")]
    assert [message for _, _, message in messages({"parameters": rows})] == [
        'parameter "b.id": x-mcp-header "x-id" is that of "a.id" already'
    ]


def test_a_keyword_for_other_values_says_nothing() -> None:
    row = {"type": "string", "minimum": 3, "default": "x"}
    assert messages({"inputSchema": {"type": "object", "properties": {"a": row}}}) == []


def test_a_default_is_checked_through_references() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A", "default": {"b": 1}}, "b": {"type": "string"}},
        "$defs": {"A": {"properties": {"b": {"$ref": "#/properties/b"}}}},
    }
    ((code, _, message),) = messages({"inputSchema": schema})
    assert code == "M204"
    assert message == 'parameter "a" has the default {"b": 1}, but must be a string at b'


def test_a_hoisted_default_is_checked() -> None:
    shared = '[types.Colour]\ntype = "string"\nenum = ["red"]\n'
    rows = [{"name": "a", "type": "Colour", "default": "blue"}]
    ((code, _, message),) = messages({"parameters": rows}, Project(hoist=True), shared)
    assert (code, message) == (
        "M204",
        'parameter "a" has the default "blue", but must be one of "red"',
    )


def test_a_long_value_is_shortened() -> None:
    rows = [{"name": "a", "type": "int", "maximum": 5, "default": 10**400}]
    ((_, _, message),) = messages({"parameters": rows})
    assert message == f'parameter "a" has the default 1{"0" * 38}…, but must be at most 5'


def test_a_fault_of_root_is_at_the_key() -> None:
    sources = {"t.toml": 'description = "x"\nroot = { minProperties = -1 }\n'}
    (found,) = pipeline.compile_project(sources, Project()).diagnostics
    assert found.code == "S401"
    assert found.pointer == ("root", "minProperties")
