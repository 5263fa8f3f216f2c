"""From validated arguments to parameter objects."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc_runtime import ABSENT, Absent, Arguments, Each, Either, Later, Record, Values
from toolc_runtime.integers import narrow_integers
from toolc_runtime.validation import compile_schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    city: str
    class_: str = "second"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trip:
    from_: str
    stops: list[Stop] = field(default_factory=list)
    note: str | None | Absent = ABSENT
    extra: dict[str, Any] = field(default_factory=dict)


STOP = Record(Stop, names={"class": "class_"})
TRIP = Record(Trip, names={"from": "from_"}, nested={"stops": Each(STOP)}, open=True)


def test_names_nesting_and_defaults() -> None:
    trip = TRIP.bind({"from": "Delft", "stops": [{"city": "Leiden", "class": "first"}]})
    assert trip == Trip(from_="Delft", stops=[Stop(city="Leiden", class_="first")])
    assert trip.note is ABSENT
    assert not trip.note
    assert repr(trip.note) == "ABSENT"


def test_absent_and_null_are_two_things() -> None:
    assert TRIP.bind({"from": "Delft", "note": None}).note is None


def test_type_checkers_narrow_absence() -> None:
    note: str | None | Absent = TRIP.bind({"from": "Delft", "note": "x"}).note
    if note is not ABSENT and note is not None:
        assert note.upper() == "X"


def test_default_lists_are_made_anew() -> None:
    first, second = TRIP.bind({"from": "a"}), TRIP.bind({"from": "a"})
    first.stops.append(Stop(city="x"))
    assert second.stops == []


@pytest.mark.parametrize("key", ["from_", "extra", "speed"])
def test_further_keys_of_an_open_object_go_into_extra(key: str) -> None:
    trip = TRIP.bind({"from": "Delft", key: 1})
    assert trip == Trip(from_="Delft", extra={key: 1})


def test_further_keys_have_a_shape_too() -> None:
    shape = Record(Trip, names={"from": "from_"}, open=True, extra=STOP)
    assert shape.bind({"from": "a", "b": {"city": "c"}}).extra == {"b": Stop(city="c")}


def test_without_open_further_keys_are_left_out() -> None:
    assert STOP.bind({"city": "Delft", "speed": 1}) == Stop(city="Delft")


@dataclass(frozen=True)
class Node:
    name: str
    children: list[Node] = field(default_factory=list)


NODE: Record[Node] = Record(Node, nested={"children": Each(Later(lambda: NODE))})


def test_recursion() -> None:
    bound = NODE.bind({"name": "a", "children": [{"name": "b", "children": [{"name": "c"}]}]})
    assert bound == Node("a", [Node("b", [Node("c")])])


@pytest.mark.parametrize(
    ("shape", "value", "bound"),
    [
        (Values(STOP), {"a": {"city": "b"}}, {"a": Stop(city="b")}),
        (Either(STOP, Each(STOP)), [{"city": "b"}], [Stop(city="b")]),
        (Either(Each(STOP), STOP), {"city": "b"}, Stop(city="b")),
        (Either(Either(Each(STOP)), Later(lambda: STOP)), {"city": "b"}, Stop(city="b")),
        (Either(STOP, Each(STOP)), "text", "text"),
        (Each(Each(STOP)), [[{"city": "b"}], None], [[Stop(city="b")], None]),
    ],
)
def test_shapes(shape: Any, value: Any, bound: Any) -> None:
    assert shape.bind(value) == bound


@given(st.none() | st.booleans() | st.integers() | st.text())
def test_a_value_of_another_kind_passes(value: Any) -> None:
    for shape in (STOP, Each(STOP), Values(STOP), Either(STOP, Each(STOP)), Later(lambda: STOP)):
        assert shape.bind(value) is value


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "limit": {"type": "integer", "default": 20},
        "tags": {"type": "array", "default": []},
        "two words": {"type": "string"},
        "items": {"type": "string"},
        "note": {"type": "string"},
        "any": True,
    },
}


def test_arguments_without_a_contract() -> None:
    arguments = Arguments({"two words": "x", "items": "y", "odd": 1}, SCHEMA)
    assert dict(arguments) == {"limit": 20, "tags": [], "two words": "x", "items": "y", "odd": 1}
    assert arguments.limit == 20
    assert arguments.odd == 1
    assert arguments["items"] == "y"
    assert callable(arguments.items)
    assert arguments.note is None
    assert "note" not in arguments
    assert len(arguments) == 5
    assert "'limit': 20" in repr(arguments)
    with pytest.raises(AttributeError, match="there is no parameter 'speed'"):
        _ = arguments.speed
    with pytest.raises(TypeError):
        arguments["limit"] = 3


def test_a_mapping_stays_one_whatever_a_tool_declares() -> None:
    given: dict[str, Any] = {"keys": 1, "items": [2], "values": 3, "get": 4}
    arguments = Arguments({**given}, {"properties": dict.fromkeys(given, True)})
    assert dict(arguments) == {**arguments} == dict(arguments.items()) == given
    assert arguments.get("get") == 4
    assert list(arguments.keys()) == list(given)


def test_arguments_can_be_copied() -> None:
    assert copy(Arguments({"odd": 1}, SCHEMA)).odd == 1


def test_defaults_are_copied_for_each_call() -> None:
    Arguments({}, SCHEMA)["tags"].append("x")
    assert Arguments({}, SCHEMA)["tags"] == []


INTEGER, NUMBER, TEXT = {"type": "integer"}, {"type": "number"}, {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "value", "narrowed"),
    [
        (INTEGER, 3.0, 3),
        (NUMBER, 3.0, 3.0),
        ({}, 3.0, 3.0),
        ({"type": ["integer", "null"]}, 3.0, 3),
        ({"type": ["integer", "number"]}, 3.0, 3.0),
        ({"anyOf": [INTEGER, TEXT]}, 3.0, 3),
        ({"anyOf": [INTEGER, NUMBER]}, 3.0, 3.0),
        ({"allOf": [{"$ref": "#/$defs/n"}], "$defs": {"n": INTEGER}}, 3.0, 3),
        ({"oneOf": [{"$ref": "#/$defs/a~1b%20c"}], "$defs": {"a/b c": INTEGER}}, 3.0, 3),
        ({"items": INTEGER}, [1.0, 2.0], [1, 2]),
        ({"prefixItems": [NUMBER, INTEGER], "items": INTEGER}, [1.0, 2.0, 3.0], [1.0, 2, 3]),
        ({"items": [INTEGER], "additionalItems": NUMBER}, [1.0, 2.0], [1, 2.0]),
        (
            {"properties": {"a": INTEGER}, "additionalProperties": NUMBER},
            {"a": 1.0, "b": 1.0},
            {"a": 1, "b": 1.0},
        ),
        ({"patternProperties": {"^a": INTEGER}}, {"a": 1.0}, {"a": 1}),
        (
            {"properties": {"n": {"$ref": "#"}, "v": INTEGER}},
            {"n": {"n": {"v": 2.0}}},
            {"n": {"n": {"v": 2}}},
        ),
        ({"$ref": "#"}, 3.0, 3.0),
        ({"$ref": "#/nowhere/0"}, 3.0, 3.0),
        ({"$ref": "https://example.org"}, 3.0, 3.0),
        (INTEGER, 1e300, int(1e300)),
        (True, {"a": [1.0]}, {"a": [1.0]}),
    ],
)
def test_integral_floats_become_integers_where_the_schema_says_so(
    schema: Any, value: Any, narrowed: Any
) -> None:
    assert repr(narrow_integers(value, schema)) == repr(narrowed)


@given(st.recursive(st.floats(allow_nan=False) | st.integers() | st.text(), st.lists))
def test_narrowing_changes_no_value(value: Any) -> None:
    schema: dict[str, Any] = {"anyOf": [INTEGER, TEXT, {"items": {"$ref": "#"}}]}
    narrowed = narrow_integers(value, schema)
    assert narrowed == value
    assert compile_schema(schema).is_valid(narrowed) == compile_schema(schema).is_valid(value)
