"""Arguments that a tool with `repair = "safe"` takes as they can only have been meant."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolc_runtime import Arguments
from toolc_runtime.facts import ServedFacts
from toolc_runtime.repair import mend
from toolc_runtime.subschemas import Declared
from toolc_runtime.testing import make_context
from toolc_runtime.tool import Implementation, ServedTool
from toolc_runtime.validation import compile_schema

CONTEXT = make_context()


def call(schema: Any, arguments: Any, **facts: Any) -> dict[str, Any]:
    """The answer of a tool that tells what arguments reached it."""
    served = ServedTool(
        {"name": "t", "inputSchema": schema},
        lambda: Implementation(
            lambda given: Arguments(given, {}), lambda params, context: json.dumps(dict(params))
        ),
        ServedFacts(**{"repair": "safe", **facts}),
    )
    return anyio.run(served.call, arguments, CONTEXT)


def texts(result: dict[str, Any]) -> list[str]:
    return [content["text"] for content in result["content"]]


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


INTEGER, NUMBER, TEXT = {"type": "integer"}, {"type": "number"}, {"type": "string"}
EITHER = {"type": ["integer", "string"]}
MAYBE = {"anyOf": [INTEGER, {"type": "null"}]}
WORDS = {"type": "array", "items": TEXT}
STOP = closed(city=TEXT, zip_code=TEXT, days=INTEGER)
STOPS = {"type": "array", "items": STOP}


@pytest.mark.parametrize(
    ("schema", "sent", "taken", "warnings"),
    [
        (INTEGER, "20", 20, ["n: digits in a string, taken as an integer"]),
        (NUMBER, "-5", -5, ["n: digits in a string, taken as an integer"]),
        (MAYBE, "0", 0, ["n: digits in a string, taken as an integer"]),
        ({"type": ["integer", "null"]}, "7", 7, ["n: digits in a string, taken as an integer"]),
        ({"enum": [1, 2]}, "2", 2, ["n: digits in a string, taken as an integer"]),
        (
            {"allOf": [{"type": ["integer", "string"]}, NUMBER]},
            "7",
            7,
            ["n: digits in a string, taken as an integer"],
        ),
        (WORDS, '["a", "7"]', ["a", "7"], ["n: JSON text, taken as an array"]),
        (STOP, ' {"city": "7"}', {"city": "7"}, ["n: JSON text, taken as an object"]),
        (
            {"anyOf": [STOPS, STOP, {"type": "null"}]},
            '[{"city": "a"}]',
            [{"city": "a"}],
            ["n: JSON text, taken as an array"],
        ),
        (
            STOP,
            {"ZipCode": "2311", "day": "3"},
            {"zip_code": "2311", "days": 3},
            [
                'n.ZipCode: no such parameter, taken as "zip_code"',
                'n.day: no such parameter, taken as "days"',
                "n.days: digits in a string, taken as an integer",
            ],
        ),
        (
            STOPS,
            '[{"city": "a"}, {"City": "b", "days": "2"}]',
            [{"city": "a"}, {"city": "b", "days": 2}],
            [
                "n: JSON text, taken as an array",
                'n[1].City: no such parameter, taken as "city"',
                "n[1].days: digits in a string, taken as an integer",
            ],
        ),
        (
            {"type": "object", "additionalProperties": INTEGER},
            {"a": "1"},
            {"a": 1},
            ["n.a: digits in a string, taken as an integer"],
        ),
        (STOP, '{"days": 3.0}', {"days": 3}, ["n: JSON text, taken as an object"]),
    ],
)
def test_what_is_mended(schema: Any, sent: Any, taken: Any, warnings: list[str]) -> None:
    arguments = {"n": sent}
    before = deepcopy(arguments)
    first, *rest = texts(call(closed(n=schema), arguments))
    assert json.loads(first) == {"n": taken}
    assert rest == [f"warning: {warning}" for warning in warnings]
    assert arguments == before


@pytest.mark.parametrize(
    ("schema", "sent"),
    [
        (INTEGER, "007"),
        (INTEGER, "+5"),
        (INTEGER, " 5"),
        (INTEGER, "5.0"),
        (INTEGER, "٣"),
        (INTEGER, "9" * 19),
        (NUMBER, "1.5"),
        (NUMBER, "1e3"),
        (INTEGER, True),
        ({"type": "boolean"}, "true"),
        ({"type": "null"}, "null"),
        ({"type": ["integer", "boolean"]}, "1"),
        ({"anyOf": [{"type": "string", "maxLength": 1}, INTEGER]}, "20"),
        ({"type": ["array", "string"], "maxLength": 1}, "[20]"),
        ({"type": ["array", "integer"]}, "[20]"),
        ({"type": "array", "prefixItems": [EITHER], "items": INTEGER}, ["20", "5"]),
        (
            {"patternProperties": {"^m": EITHER}, "additionalProperties": INTEGER},
            {"m": "20", "a": "5"},
        ),
        (WORDS, "dentist"),
        (WORDS, '{"a": 1}'),
        (WORDS, "[1"),
        ({"type": "array"}, "[NaN]"),
        ({"type": "array"}, r'["\ud800"]'),
        ({"type": "array"}, "[" * 100 + "]" * 100),
        (WORDS, "[" * 100_000),
        (STOP, '{"city": "a", "city": "b"}'),
        (STOP, {"City": "a", "CITY": "b"}),
        (STOP, {"City": "a", "city": "b"}),
        (STOP, {"town": "a"}),
        (closed(min_x=INTEGER, max_x=INTEGER), {"min_y": 1}),
        (closed(line1=TEXT, line2=TEXT), {"line1": "a", "line3": "b"}),
        (closed(tags=TEXT, taps=TEXT), {"tabs": "a"}),
        ({"type": "integer", "maximum": 3}, "4"),
    ],
)
def test_what_may_mean_something_else_is_refused_as_it_was_sent(schema: Any, sent: Any) -> None:
    arguments = {"n": sent}
    result = call(closed(n=schema), arguments)
    assert result["isError"] is True
    assert result == call(closed(n=schema), arguments, repair="off")


def test_names_at_the_root() -> None:
    schema = {**closed(words=WORDS, limit=INTEGER), "required": ["words"]}
    first, *rest = texts(call(schema, {"Words": '["a"]', "limit": 3.0}))
    assert first == '{"words": ["a"], "limit": 3}'
    assert rest == [
        'warning: Words: no such parameter, taken as "words"',
        "warning: words: JSON text, taken as an array",
    ]


def test_names_of_an_open_tool_are_mended_where_it_warns() -> None:
    schema = {**closed(words=WORDS), "required": ["words"], "additionalProperties": True}
    sent = {"Words": ["a"], "x": 1}
    first, *rest = texts(call(schema, sent, extra_parameters="warn"))
    assert first == '{"words": ["a"], "x": 1}'
    assert rest == [
        'warning: Words: no such parameter, taken as "words"',
        'warning: unknown parameter "x" ignored',
    ]
    assert call(schema, sent, extra_parameters="allow")["isError"] is True


def test_old_names_and_repairs_together() -> None:
    schema = {**closed(words=WORDS, limit=INTEGER), "required": ["words"]}
    aliases = {"terms": "words"}
    first, *rest = texts(call(schema, {"terms": '["a"]'}, parameter_aliases=aliases))
    assert first == '{"words": ["a"]}'
    assert rest == [
        'warning: "terms" is the old name of "words"',
        "warning: words: JSON text, taken as an array",
    ]


def test_what_cannot_be_mended_whole_is_told_as_it_was_sent() -> None:
    (text,) = texts(call(closed(a=INTEGER, b=INTEGER), {"a": "1", "b": "x"}))
    assert json.loads(text)["error"]["message"] == (
        't: a: expected an integer, got the string "1"; b: expected an integer, got the string "x"'
    )


def test_of_many_repairs_some_are_named() -> None:
    schema = closed(ids={"type": "array", "items": INTEGER})
    first, *rest = texts(call(schema, {"ids": ["7"] * 200}))
    assert json.loads(first) == {"ids": [7] * 200}
    assert len(rest) == 21
    assert rest[-1] == "warning: and 180 more of this kind"


def test_a_schema_that_goes_round_in_a_circle() -> None:
    node = {"$ref": "#/$defs/node"}
    schema: Any = {
        **closed(node=node),
        "$defs": {"node": closed(n=INTEGER, next={"anyOf": [node, {"allOf": [node]}]})},
    }
    value: Any = {"n": "1"}
    for _ in range(6):
        value = {"n": "1", "next": value}
    _, *warnings = texts(call(schema, {"node": value}))
    assert warnings[-1] == (
        f"warning: node{'.next' * 6}.n: digits in a string, taken as an integer"
    )


def test_deep_down_nothing_is_mended() -> None:
    node = {"$ref": "#/$defs/node"}
    schema = {**closed(node=node), "$defs": {"node": closed(n=INTEGER, next=node)}}
    value: Any = {"n": "1"}
    for _ in range(90):
        value = {"next": value}
    assert call(schema, {"node": value})["isError"] is True


# What follows is about any schema, so that it holds for those that nobody thought of.

_leaf = (
    st.sampled_from(["", "a", "20", "-3", "007", "[1]", '{"a": 1}', '{"A": "1"}', "[", "null"])
    | st.integers(-3, 30)
    | st.sampled_from([None, True, 2.0, 2.5])
)
_names = st.sampled_from(["words", "Words", "word", "limit", "max_items", "maxItems", "a", "A"])
_json = st.recursive(
    _leaf,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_names, inner, max_size=3),
    max_leaves=8,
)
_kind = st.sampled_from(["string", "integer", "number", "array", "object", "null", "boolean"])


def _schemas(*references: str) -> st.SearchStrategy[Any]:
    return st.recursive(
        st.fixed_dictionaries(
            {},
            optional={
                "type": _kind | st.lists(_kind, min_size=1, max_size=2, unique=True),
                "enum": st.lists(_leaf, min_size=1, max_size=3),
                "minimum": st.integers(0, 5),
                "maxLength": st.integers(0, 3),
                "$ref": st.sampled_from(references),
            },
        )
        | st.booleans(),
        lambda inner: st.fixed_dictionaries(
            {},
            optional={
                "type": _kind,
                "properties": st.dictionaries(_names, inner, max_size=3),
                "additionalProperties": inner,
                "patternProperties": st.fixed_dictionaries({"^m": inner}),
                "required": st.lists(_names, max_size=1),
                "items": inner,
                "prefixItems": st.lists(inner, min_size=1, max_size=2),
                "anyOf": st.lists(inner, min_size=1, max_size=2),
                "oneOf": st.lists(inner, min_size=1, max_size=2),
                "allOf": st.lists(inner, min_size=1, max_size=2),
                "not": inner,
            },
        ),
        max_leaves=10,
    )


_simple = st.sampled_from([INTEGER, NUMBER, MAYBE, WORDS, STOPS, closed(a=INTEGER, words=NUMBER)])
_any_schema = _schemas("#", "#/$defs/d")
_of_a_property = (
    _simple
    | st.fixed_dictionaries({"allOf": st.lists(_simple | _any_schema, min_size=2, max_size=2)})
    | st.fixed_dictionaries({"anyOf": st.lists(_simple | _any_schema, min_size=2, max_size=2)})
    | _any_schema
)
_roots = st.fixed_dictionaries(
    {
        "type": st.just("object"),
        "properties": st.fixed_dictionaries(
            {"words": _of_a_property},
            optional={"limit": _of_a_property, "max_items": _of_a_property},
        ),
        "additionalProperties": st.booleans(),
        "$defs": st.fixed_dictionaries({"d": _schemas("#")}),
    },
)
_texts = st.sampled_from(["20", "-3", "[]", '["20"]', '{"a": "1"}', '{"A": 1}', "a"])
_arguments = st.dictionaries(_names, _texts | _json, max_size=4)
_extra = st.sampled_from(["forbid", "warn", "allow"])


def _is_usable(schema: Any) -> bool:
    from toolc_runtime.validation import SchemaError

    try:
        compile_schema(schema)
    except SchemaError:
        return False
    return True


@given(schema=_roots.filter(_is_usable), arguments=_arguments, extra=_extra)
def test_a_valid_call_is_never_changed(schema: Any, arguments: Any, extra: str) -> None:
    result = call(schema, deepcopy(arguments), extra_parameters=extra)
    if compile_schema(schema).is_valid(arguments):
        assert json.loads(texts(result)[0]) == arguments
        assert all("unknown parameter" in text for text in texts(result)[1:])


def _places(value: Any, pointer: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield pointer
    if isinstance(value, (dict, list)):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for part, item in parts:
            yield from _places(item, (*pointer, part))


def _at(value: Any, pointer: tuple[Any, ...]) -> Any:
    for part in pointer:
        value = value[part]
    return value


def _with(value: Any, pointer: tuple[Any, ...], item: Any) -> Any:
    changed = deepcopy(value)
    _at(changed, pointer[:-1])[pointer[-1]] = item
    return changed


@settings(max_examples=500)
@given(schema=_roots.filter(_is_usable), arguments=_arguments, names=st.booleans())
def test_a_value_is_changed_only_where_no_text_can_stand(
    schema: Any, arguments: Any, names: bool
) -> None:
    mended = mend(arguments, Declared(schema), schema, names=names)
    validator = compile_schema(schema)
    if mended.arguments == arguments or not validator.is_valid(mended.arguments):
        return
    before, after = set(_places(arguments)), set(_places(mended.arguments))
    for pointer in before & after - {()}:
        was, now = _at(arguments, pointer), _at(mended.arguments, pointer)
        if isinstance(was, str) and was != now:
            texts_there = [_with(mended.arguments, pointer, text) for text in (was, "", "a", "[1]")]
            assert not any(map(validator.is_valid, texts_there))


@given(schema=_roots.filter(_is_usable), arguments=_arguments, extra=_extra)
def test_what_is_taken_is_valid_and_what_is_refused_is_told_as_without_repairs(
    schema: Any, arguments: Any, extra: str
) -> None:
    result = call(schema, deepcopy(arguments), extra_parameters=extra)
    if "isError" in result:
        assert result == call(schema, arguments, extra_parameters=extra, repair="off")
    else:
        taken = json.loads(texts(result)[0])
        assert compile_schema(schema).is_valid(taken)
        assert taken == arguments or len(texts(result)) > 1


@given(
    text=st.sampled_from(["20", "-3", "[1]", '{"a": 1}', "a"]),
    beside=st.sampled_from([INTEGER, WORDS, STOP, {"type": "null"}, NUMBER]),
    union=st.sampled_from(["anyOf", "oneOf", "types"]),
    nested=st.booleans(),
)
def test_a_text_where_a_text_may_stand_is_never_changed(
    text: str, beside: Any, union: str, nested: bool
) -> None:
    """Although the call is repaired in another place."""
    either: Any = {union: [TEXT, beside]}
    if union == "types":
        either = {"type": ["string", beside["type"]]}
    value: Any = text
    if nested:
        either, value = closed(inner={"type": "array", "items": either}), {"inner": [text]}
    first, *rest = texts(call(closed(either=either, n=INTEGER), {"either": value, "n": "5"}))
    assert json.loads(first) == {"either": value, "n": 5}
    assert rest == ["warning: n: digits in a string, taken as an integer"]
