"""Calls that a schema must refuse: what is thought of, and that each really is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from toolc.cli.wrong import MOST_CALLS, wrong_calls


def closed(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


PLACE = closed(("city",), city={"type": "string"})


@pytest.mark.parametrize(
    ("schema", "whats"),
    [
        (closed(), ["an unknown parameter"]),
        ({"type": "object"}, []),
        (closed(("a",), a={}), ["a left out", "an unknown parameter"]),
        (closed(a={"type": "boolean"}), ["an unknown parameter", "a of another type"]),
        (closed(a={"type": "integer", "minimum": 1, "maximum": 9}),
         ["an unknown parameter", "a of another type", "a below its minimum", "a above its maximum"]),
        (closed(a={"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 9}),
         ["an unknown parameter", "a of another type", "a at its lower limit", "a at its upper limit"]),
        (closed(a={"type": "integer", "multipleOf": 5}),
         ["an unknown parameter", "a of another type", "a between its steps"]),
        (closed(a={"type": "string", "minLength": 2, "maxLength": 3}),
         ["an unknown parameter", "a of another type", "a too short", "a too long"]),
        (closed(a={"type": "string", "pattern": "^n[0-9]+$"}),
         ["an unknown parameter", "a of another type", "a against its pattern"]),
        (closed(a={"type": "string", "format": "date"}),
         ["an unknown parameter", "a of another type", "a not of its format"]),
        (closed(a={"enum": ["x", "y"]}),
         ["an unknown parameter", "a of another type", "a none of its values"]),
        (closed(a={"type": "array", "minItems": 1, "maxItems": 2, "uniqueItems": True}),
         ["an unknown parameter", "a of another type", "a with too few items",
          "a with too many items", "a with an item twice"]),
        (closed(a={"type": "array", "items": {"type": "integer", "minimum": 3}}),
         ["an unknown parameter", "a of another type", "a[0] of another type", "a[0] below its minimum"]),
        (closed(a=PLACE),
         ["an unknown parameter", "a of another type", "a.city left out", "an unknown parameter in a",
          "a.city of another type"]),
        (closed(a={"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]}),
         ["an unknown parameter", "a of another type", "a below its minimum"]),
        ({**closed(a={"$ref": "#/$defs/n"}), "$defs": {"n": {"type": "integer"}}},
         ["an unknown parameter", "a of another type"]),
        (closed(a={"type": "string", "minLength": 10_000_000}), ["an unknown parameter"]),
    ],
)  # fmt: skip
def test_what_is_thought_of(schema: dict[str, Any], whats: list[str]) -> None:
    calls = wrong_calls(schema)
    assert [call.what for call in calls] == whats
    assert not [
        call
        for call in calls
        if Draft202012Validator(
            schema, format_checker=Draft202012Validator.FORMAT_CHECKER
        ).is_valid(call.arguments)
    ]


def test_known_arguments_are_what_is_spoiled() -> None:
    schema = closed(("id",), id={"type": "string", "not": {"const": "text"}}, n={"type": "integer"})
    calls = {call.what: call.arguments for call in wrong_calls(schema, [{"id": 3}, {"id": "n7"}])}
    assert calls["n of another type"] == {"id": "n7", "n": {"wrong": "type"}}
    assert calls["id left out"] == {"n": 1}


def test_there_is_an_end() -> None:
    properties: dict[str, Any] = {f"p{n}": {"type": "integer"} for n in range(MOST_CALLS + 50)}
    schema = closed(**properties)
    assert len(wrong_calls(schema)) == MOST_CALLS
