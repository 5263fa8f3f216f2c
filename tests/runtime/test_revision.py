"""Tools under each revision of MCP, and back."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc_runtime import LATEST_REVISION, REVISIONS, project
from toolc_runtime.revision import missing, restore
from toolc_runtime.validation import compile_schema

INPUT: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
FULL: dict[str, Any] = {
    "name": "find",
    "title": "Find",
    "description": "Finds.",
    "inputSchema": INPUT,
    "outputSchema": {"type": "array", "items": {"type": "string"}},
    "annotations": {"readOnlyHint": True},
    "execution": {"taskSupport": "optional"},
    "icons": [{"src": "https://example.org/a.png"}],
    "_meta": {"ui": {"resourceUri": "ui://find"}},
    "x-vendor": {"tier": 1},
}
WRAPPED = {
    "type": "object",
    "properties": {"result": {"type": "array", "items": {"type": "string"}}},
    "required": ["result"],
}


@pytest.mark.parametrize(
    ("revision", "keys", "noted"),
    [
        (
            "2024-11-05",
            ["name", "description", "inputSchema", "x-vendor"],
            ["title", "outputSchema", "annotations", "execution", "icons", "_meta"],
        ),
        (
            "2025-03-26",
            ["name", "description", "inputSchema", "annotations", "x-vendor"],
            ["outputSchema", "execution", "icons", "_meta", "title"],
        ),
        (
            "2025-06-18",
            ["name", "title", "description", "inputSchema", "outputSchema", "annotations"]
            + ["_meta", "x-vendor"],
            ["outputSchema", "execution", "icons"],
        ),
        ("2025-11-25", list(FULL), ["outputSchema"]),
        ("2026-07-28", [key for key in FULL if key != "execution"], ["execution"]),
    ],
)
def test_each_revision_holds_its_own_keys(revision: str, keys: list[str], noted: list[str]) -> None:
    tool, notes = project(FULL, revision)
    assert sorted(tool) == sorted(keys)
    assert [note.key for note in notes] == noted


def test_a_title_moves_into_the_annotations_of_2025_03_26() -> None:
    tool, notes = project(FULL, "2025-03-26")
    assert tool["annotations"] == {"title": "Find", "readOnlyHint": True}
    assert notes[-1].message == "title was moved to annotations.title"
    alone, _ = project({"name": "a", "title": "A", "inputSchema": INPUT}, "2025-03-26")
    assert alone["annotations"] == {"title": "A"}


def test_a_title_in_the_annotations_stays() -> None:
    tool, notes = project({**FULL, "annotations": {"title": "Own"}}, "2025-03-26")
    assert tool["annotations"] == {"title": "Own"}
    assert notes[-1].message == "title was left out: annotations.title is set already"


@pytest.mark.parametrize("revision", ["2025-06-18", "2025-11-25"])
def test_an_output_that_is_no_object_is_wrapped(revision: str) -> None:
    tool, notes = project(FULL, revision)
    assert tool["outputSchema"] == WRAPPED
    assert notes[0].key == "outputSchema"


@pytest.mark.parametrize(
    ("schema", "result"),
    [
        ({"$ref": "#"}, {"$ref": "#/properties/result"}),
        (
            {"items": {"$ref": "#/$defs/a~1b"}, "$defs": {"a/b": {}}},
            {"items": {"$ref": "#/properties/result/$defs/a~1b"}, "$defs": {"a/b": {}}},
        ),
        ({"$ref": "#anchor"}, {"$ref": "#anchor"}),
        ({"$ref": "https://example.org/#/a"}, {"$ref": "https://example.org/#/a"}),
        (
            {"$id": "https://example.org/x", "items": {"$ref": "#/a"}},
            {"$id": "https://example.org/x", "items": {"$ref": "#/a"}},
        ),
        (
            {"anyOf": [{"$id": "#anchor", "$ref": "#/a"}]},
            {"anyOf": [{"$id": "#anchor", "$ref": "#/properties/result/a"}]},
        ),
        (
            {"enum": [{"$ref": "#/a"}], "default": {"$ref": "#"}},
            {"enum": [{"$ref": "#/a"}], "default": {"$ref": "#"}},
        ),
        (
            {"properties": {"default": {"$ref": "#/a"}, "$ref": {"type": "string"}}},
            {
                "properties": {
                    "default": {"$ref": "#/properties/result/a"},
                    "$ref": {"type": "string"},
                }
            },
        ),
        ({"type": ["object", "null"]}, {"type": ["object", "null"]}),
        (True, {}),
        (False, {"not": {}}),
    ],
)
def test_references_follow_a_wrapped_output(schema: Any, result: Any) -> None:
    before = deepcopy(schema)
    tool, _ = project({"name": "a", "inputSchema": INPUT, "outputSchema": schema}, "2025-11-25")
    assert tool["outputSchema"] == {
        "type": "object",
        "properties": {"result": result},
        "required": ["result"],
    }
    assert schema == before


def test_a_wrapped_recursive_output_means_the_same() -> None:
    tree: dict[str, Any] = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "array",
        "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/leaf"}]},
        "definitions": {"leaf": {"type": "integer"}},
    }
    tool, _ = project({"name": "a", "inputSchema": INPUT, "outputSchema": tree}, "2025-11-25")
    wrapped = tool["outputSchema"]
    assert isinstance(wrapped, dict)
    assert next(iter(wrapped)) == "$schema"
    assert "$schema" not in json.dumps(wrapped["properties"])
    cases: list[tuple[Any, bool]] = [([1, [2]], True), ([1, ["x"]], False), ("x", False)]
    for value, valid in cases:
        assert compile_schema(tree).is_valid(value) is valid
        assert compile_schema(wrapped).is_valid({"result": value}) is valid


def test_what_stays_as_it_is_is_shared() -> None:
    before = deepcopy(FULL)
    tool, _ = project(FULL, "2025-03-26")
    assert before == FULL
    assert tool["inputSchema"] is INPUT


def test_an_unknown_revision_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"unknown MCP revision '2023-01-01'.*2026-07-28"):
        project(FULL, "2023-01-01")


def test_the_newest_comes_first() -> None:
    assert LATEST_REVISION == REVISIONS[0] == max(REVISIONS)


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=6,
)
_schemas = st.recursive(
    st.just(True)
    | st.fixed_dictionaries({}, optional={"type": st.sampled_from(["object", "array"])})
    | st.fixed_dictionaries({"$ref": st.sampled_from(["#", "#/a", "#b", "x"])}),
    lambda inner: st.fixed_dictionaries(
        {"type": st.sampled_from(["object", "array"])},
        optional={"items": inner, "properties": st.dictionaries(st.text(max_size=2), inner)},
    ),
    max_leaves=6,
)
_wires = st.fixed_dictionaries(
    {"name": st.text(), "inputSchema": _schemas},
    optional={
        "title": st.text(),
        "description": st.text(),
        "outputSchema": _schemas,
        "annotations": st.dictionaries(st.sampled_from(["title", "readOnlyHint"]), st.text()),
        "execution": st.dictionaries(st.text(max_size=3), _values, max_size=2),
        "icons": st.lists(st.dictionaries(st.text(max_size=3), _values, max_size=2), max_size=2),
        "_meta": st.dictionaries(st.text(max_size=3), _values, max_size=2),
        "x-vendor": _values,
        "vendor": _values,
    },
)


@given(_wires, st.sampled_from(REVISIONS))
def test_a_projection_and_what_it_lacks_give_the_tool_back(
    wire: dict[str, Any], revision: str
) -> None:
    before = deepcopy(wire)
    projected, _ = project(wire, revision)
    lacking = json.loads(json.dumps(missing(wire, projected)))
    assert restore(json.loads(json.dumps(projected)), lacking) == before == wire
    assert project(restore(projected, lacking), revision)[0] == projected
