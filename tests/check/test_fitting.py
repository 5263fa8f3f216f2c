"""Values against parts of schemas: at sight, and by one validator for a whole document."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc.check.fitting import compile_parts, fits_plainly
from toolc_runtime.validation import compile_schema

NULLABLE = {"anyOf": [{"type": "string"}, {"type": "null"}]}

AT_SIGHT: list[tuple[Any, dict[str, Any], bool]] = [
    ("x", {}, True),
    ("x", {"type": "string", "description": "d", "default": 1}, True),
    ("x", {"type": "string", "minimum": 3}, True),
    (True, {"type": "boolean", "maximum": 0}, True),
    (3, {"type": "integer", "minimum": 3, "maximum": 3.5}, True),
    (2, {"type": "integer", "minimum": 3}, False),
    (3, {"type": "integer", "minimum": "3"}, False),
    (True, {"type": "integer"}, False),
    (3.0, {"type": "integer"}, False),  # it does fit, but not at sight
    (None, {"type": ["string", "null"]}, True),
    (None, {"type": "string"}, False),
    (5, {"type": ["string", "integer"]}, True),
    (None, NULLABLE, True),
    ("x", NULLABLE, True),
    (5, NULLABLE, False),
    (None, {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}], "title": "A"}, True),
    (None, {"oneOf": [{"type": "null"}, {"type": "null"}]}, False),
    ("x", {"enum": ["x", 1]}, True),
    (1, {"enum": [True]}, False),
    ("x", {"type": "string", "pattern": "x"}, False),
    ([], {"type": "array"}, False),
    ("x", {"type": 5}, False),
    ("x", {"anyOf": 5, "enum": 5}, False),
]


@pytest.mark.parametrize(("value", "schema", "expected"), AT_SIGHT)
def test_at_sight(value: Any, schema: dict[str, Any], expected: bool) -> None:
    assert fits_plainly(value, schema) is expected


SCALARS = st.sampled_from([None, True, False, 0, 1, 1.0, -3, 2.5, "", "a", 10**30])
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null"])
SCHEMAS = st.recursive(
    st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
            "enum": st.lists(SCALARS, max_size=3),
            "minimum": st.integers(-3, 3),
            "maximum": st.integers(-3, 3),
            "minLength": st.integers(0, 2),
            "const": SCALARS,
        },
    ),
    lambda inner: st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=2)}),
    max_leaves=3,
)


@given(SCALARS, SCHEMAS)
def test_what_fits_at_sight_is_valid(value: Any, schema: dict[str, Any]) -> None:
    if fits_plainly(value, schema):
        assert compile_schema(schema).is_valid(value)


DOCUMENTS: list[dict[str, Any]] = [
    {"properties": {"a%/ b": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}},
    {
        "$id": "https://e.com/root.json#",
        "properties": {"a%/ b": {"$ref": "n.json"}},
        "$defs": {"n": {"$id": "n.json", "type": "integer"}},
    },
    {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a%/ b": {"$ref": "#n"}},
        "definitions": {"n": {"$id": "#n", "type": "integer"}},
    },
    {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "id": "root.json",
        "properties": {"a%/ b": {"$ref": "root.json#/definitions/n"}},
        "definitions": {"n": {"type": "integer"}},
    },
    {"$schema": "urn:unknown", "properties": {"a%/ b": {"type": "integer"}}},
]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_part_means_what_it_means_in_its_document(document: dict[str, Any]) -> None:
    pointer = ("properties", "a%/ b")
    validator = compile_parts(
        document, [((), document), (pointer, document["properties"]["a%/ b"])]
    )
    assert validator.is_valid({"1": 5})
    (fault,) = validator.faults({"1": "x"})
    assert (fault.pointer[1:], fault.keyword) == ((), "type")
    (fault,) = validator.faults({"0": {"a%/ b": "x"}})
    assert fault.pointer[1:] == ("a%/ b",)
