"""Values made from schemas: rows of what is asked and what comes, and that they always fit."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolc_runtime.formats import ASSERTED
from toolc_runtime.jsonvalue import is_same
from toolc_runtime.patterns import NoTextError, text_for
from toolc_runtime.scalars import NoValueError
from toolc_runtime.validation import compile_schema
from toolc_runtime.values import make_value

NODE: dict[str, Any] = {
    "$ref": "#/$defs/node",
    "$defs": {
        "node": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
            },
            "required": ["name", "next"],
        }
    },
}
TREE: dict[str, Any] = {
    "type": "object",
    "properties": {"children": {"type": "array", "items": {"$ref": "#"}}},
    "required": ["children"],
}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (True, "text"),
        ({}, "text"),
        ({"type": "string"}, "text"),
        ({"type": "string", "minLength": 6}, "textxx"),
        ({"type": "string", "maxLength": 1}, "a"),
        ({"type": "string", "maxLength": 0}, ""),
        ({"type": "string", "format": "date"}, "2026-01-15"),
        ({"type": "string", "pattern": "^[A-Z]{2}-[0-9]+$"}, "AA-0"),
        ({"type": "string", "pattern": "^n[0-9]*$", "minLength": 3}, "n00"),
        ({"type": "integer"}, 1),
        ({"type": "integer", "minimum": 10}, 10),
        ({"type": "integer", "exclusiveMinimum": 10}, 11),
        ({"type": "integer", "maximum": -3}, -3),
        ({"type": "integer", "minimum": 4, "multipleOf": 5}, 5),
        ({"type": "integer", "minimum": 2.5, "maximum": 3.5}, 3),
        ({"type": "integer", "multipleOf": 1.5}, 3),
        ({"type": "number"}, 1.5),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.1}, 0.05),
        ({"type": "number", "multipleOf": 0.1}, 0.1),
        ({"minimum": 7}, 7.5),
        ({"type": "boolean"}, True),
        ({"type": "null"}, None),
        ({"type": ["null", "integer"]}, 1),
        ({"const": {"a": [1]}}, {"a": [1]}),
        ({"enum": ["low", "high"]}, "low"),
        ({"type": "integer", "enum": ["low", 2]}, 2),
        ({"type": "string", "examples": ["n7"], "default": "n0"}, "n7"),
        ({"type": "string", "default": "n0"}, "n0"),
        ({"type": "string", "default": 3}, "text"),
        ({"type": "array"}, ["text"]),
        ({"type": "array", "maxItems": 0}, []),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 2}, [1, 1]),
        (
            {"type": "array", "items": {"type": "integer"}, "minItems": 3, "uniqueItems": True},
            [1, 2, 3],
        ),
        (
            {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2, "uniqueItems": True},
            ["a", "b"],
        ),
        ({"prefixItems": [{"type": "integer"}, {"type": "null"}], "items": False}, [1, None]),
        ({"type": "array", "contains": {"const": 3}, "minContains": 2}, [3, 3]),
        ({"type": "object"}, {}),
        ({"properties": {"a": {"type": "integer"}, "b": {}}, "required": ["b"]}, {"a": 1, "b": "text"}),
        ({"properties": {"a": False, "b": {}}}, {"b": "text"}),
        ({"properties": {"a": {}, "b": {}}, "required": ["b"], "maxProperties": 1}, {"b": "text"}),
        ({"required": ["a"], "dependentRequired": {"a": ["b"]}}, {"a": "text", "b": "text"}),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, {"key": 1}),
        ({"type": "object", "minProperties": 2}, {"key": "text", "key1": "text 2"}),
        (
            {"patternProperties": {"^x_": {"type": "integer"}}, "additionalProperties": False},
            {"x_": 1},
        ),
        ({"minProperties": 1, "propertyNames": {"enum": ["only"]}}, {"only": "text"}),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, 1),
        ({"oneOf": [False, {"type": "integer"}]}, 1),
        ({"allOf": [{"minimum": 3}, {"type": "integer", "maximum": 4}]}, 3),
        ({"type": "number", "allOf": [{"type": "integer"}]}, 1),
        ({"enum": [1, 2], "allOf": [{"enum": [2, 3]}]}, 2),
        ({"type": "string", "not": {"const": "text"}, "enum": ["text", "other"]}, "other"),
        (
            {
                "properties": {"kind": {"enum": ["a", "b"]}},
                "required": ["kind"],
                "if": {"properties": {"kind": {"const": "a"}}},
                "then": {"required": ["size"]},
            },
            {"kind": "a", "size": "text"},
        ),
        (TREE, {"children": [{"children": [{"children": [{"children": []}]}]}]}),
    ],
)  # fmt: skip
def test_a_value_for_a_schema(schema: Any, value: Any) -> None:
    made = make_value(schema)
    if schema is TREE:  # how deep it goes is nobody's promise
        assert compile_schema(schema).is_valid(made)
    else:
        assert made == value


def test_a_schema_in_a_circle_comes_to_an_end() -> None:
    assert compile_schema(NODE).is_valid(make_value(NODE))


@pytest.mark.parametrize("name", ASSERTED)
def test_every_format_has_values_that_differ(name: str) -> None:
    items: Any = {"type": "string", "format": name}
    schema: Any = {"type": "array", "items": items, "minItems": 20, "uniqueItems": True}
    assert compile_schema(schema).is_valid(make_value(schema))


@pytest.mark.parametrize(
    "schema",
    [
        False,
        {"type": "integer", "minimum": 3, "maximum": 2},
        {"type": "string", "minLength": 10_000_000},
        {"type": "array", "minItems": 10_000_000},
        {"type": "object", "minProperties": 10_000_000},
        {"enum": [1], "type": "string"},
        {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#"}}},
        {"allOf": [{"type": "string"}, {"type": "integer"}]},
        {"$ref": "#/nowhere"},
        {"not": {}},
        {"type": "boolean", "uniqueItems": True, "const": 3},
    ],
)
def test_where_there_is_none(schema: Any) -> None:
    with pytest.raises(NoValueError):
        make_value(schema)


def bounded(low: str, high: str, numbers: st.SearchStrategy[int]) -> st.SearchStrategy[Any]:
    return st.tuples(numbers, numbers).map(lambda pair: {low: min(pair), high: max(pair)})


SIZES = st.integers(0, 6)
TEXTS = bounded("minLength", "maxLength", SIZES).map(lambda said: {"type": "string", **said})
WHOLE = bounded("minimum", "maximum", st.integers(-50, 50)).map(
    lambda said: {"type": "integer", **said}
)
NUMBERS = st.tuples(st.floats(-1e6, 1e6), st.floats(0.001, 1e6)).map(
    lambda pair: {"type": "number", "exclusiveMinimum": pair[0], "maximum": pair[0] + pair[1]}
)
STEPS = st.integers(1, 9).map(lambda step: {"type": "integer", "multipleOf": step, "minimum": -5})
FORMATS = st.sampled_from(list(ASSERTED)).map(lambda name: {"type": "string", "format": name})
OTHERS = st.sampled_from(
    [{}, {"type": "boolean"}, {"type": "null"}, {"enum": ["a", 1]}, {"const": None}]
)
SCALARS = st.one_of(TEXTS, WHOLE, NUMBERS, STEPS, FORMATS, OTHERS)


def lists(items: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.tuples(items, bounded("minItems", "maxItems", SIZES)).map(
        lambda pair: {"type": "array", "items": pair[0], **pair[1]}
    )


def objects(items: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    names = st.sampled_from(["a", "b", "c"])
    return st.tuples(st.dictionaries(names, items), st.sets(names), st.booleans()).map(
        lambda said: {
            "type": "object",
            "properties": said[0],
            "required": sorted(said[1] & said[0].keys()),
            "additionalProperties": said[2],
        }
    )


def joined(items: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.tuples(st.sampled_from(["anyOf", "allOf"]), items).map(
        lambda said: {said[0]: [said[1]]}
    )


SCHEMAS = st.recursive(
    SCALARS, lambda items: st.one_of(lists(items), objects(items), joined(items)), max_leaves=8
)


@given(SCHEMAS)
def test_it_fits_and_is_the_same_each_time(schema: Any) -> None:
    made = make_value(schema)
    # Another engine than the one that it has been checked with.
    Draft202012Validator(schema).validate(made)
    assert json.dumps(made) == json.dumps(make_value(schema))


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("", ""),
        ("^abc$", "abc"),
        ("^a.c", "aac"),
        ("[^a-z]", "A"),
        ("^(?:yes|no)$", "yes"),
        (r"^\d{4}-\d\d$", "0000-00"),
        (r"^\w+@\w+\.(?<top>com|org)$", "a@a.com"),
        (r"^(a|b)\1$", "aa"),
        (r"^\S\s\D\W$", "a a "),
        ("^[^x]$", "a"),
        ("a*", "a"),
    ],
)
def test_texts_of_patterns(pattern: str, text: str) -> None:
    assert text_for(pattern) == text


@given(st.integers(0, 50), st.integers(0, 20))
def test_every_seed_has_a_text(seed: int, least: int) -> None:
    text = text_for("^[a-f]{2,}(?:-[0-9]{1,3})?$", least=least, seed=seed)
    assert re.search("^[a-f]{2,}(?:-[0-9]{1,3})?$", text)
    assert len(text) >= least


@pytest.mark.parametrize("pattern", ["(", "a{200000}", "(a{1000}){1000}", r"^\p{L}+$", r"[^\s\S]"])
def test_patterns_without_a_text(pattern: str) -> None:
    with pytest.raises(NoTextError):
        text_for(pattern)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ([1], [True], False),
        ({"a": [1, {}]}, {"a": [1.0, {}]}, True),
        ({"a": 1}, {"a": 1, "b": 1}, False),
        ([], {}, False),
        (None, False, False),
        ("1", 1, False),
    ],
)
def test_sameness(first: Any, second: Any, same: bool) -> None:
    assert is_same(first, second) is same
    assert is_same(second, first) is same
