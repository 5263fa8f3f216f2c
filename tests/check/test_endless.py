"""Defaults that hold themselves: what is warned of, and what only looks like it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolc import pipeline
from toolc.model.project import Project

NODE = {"$ref": "#/$defs/Node"}


def warned(properties: dict[str, Any], node: dict[str, Any]) -> list[tuple[str | int, ...] | None]:
    """The places below `inputSchema` that are warned of; `node` has the properties of `Node`."""
    schema = {
        "type": "object",
        "properties": properties,
        "$defs": {"Node": {"type": "object", "properties": node}},
    }
    definition = json.dumps({"description": "x", "inputSchema": schema})
    program = pipeline.compile_project({"t.json": definition}, Project())
    assert {found.code for found in program.diagnostics} <= {"M214"}
    return [found.pointer and found.pointer[1:] for found in program.diagnostics]


CHILD = ("$defs", "Node", "properties", "child", "default")


@pytest.mark.parametrize(
    ("child", "place"),
    [
        ({**NODE, "default": {}}, CHILD),
        ({"allOf": [NODE], "default": {}}, CHILD),
        ({"anyOf": [NODE, {"type": "null"}], "default": {}}, CHILD),
        ({"type": "array", "items": NODE, "default": [{}]}, CHILD),
        ({**NODE, "default": {"other": {}}}, CHILD),
        ({"type": "object", "properties": {"a": NODE}, "default": {"a": {}}}, CHILD),
        # It is written out, or not there, or not of this kind.
        ({"anyOf": [NODE, {"type": "null"}], "default": {"child": None}}, None),
        ({"anyOf": [NODE, {"type": "null"}], "default": None}, None),
        ({"type": "array", "items": NODE, "default": []}, None),
        ({"type": "array", "items": NODE, "default": [{"child": []}]}, None),
        ({"type": "object", "properties": {"a": NODE}, "default": {}}, None),
        ({**NODE}, None),
    ],
)
def test_a_default_inside_the_type_that_it_is_of(
    child: dict[str, Any], place: tuple[str, ...] | None
) -> None:
    found = warned({"a": NODE}, {"child": child, "other": NODE})
    assert found == ([] if place is None else [place])


def test_a_circle_is_told_once_and_each_circle() -> None:
    node = {"a": {**NODE, "default": {"b": {}}}, "b": {**NODE, "default": {"a": {}}}}
    assert len(warned({}, node)) == 2
    outside = {"in": {**NODE, "default": {}}}
    assert warned(outside, {"child": {**NODE, "default": {}}}) == [CHILD]


def test_the_root_may_be_the_type() -> None:
    root = {"$ref": "#", "default": {}}
    assert warned({"again": root}, {}) == [("properties", "again", "default")]
