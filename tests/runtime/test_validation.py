"""What is valid, and the words for what is not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolc_runtime.formats import ASSERTED
from toolc_runtime.validation import MOST_FAULTS, SchemaError, compile_schema

DIALECTS = (
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
)

INTEGER, TEXT = {"type": "integer"}, {"type": "string"}
TREE: dict[str, Any] = {
    "properties": {"n": {"$ref": "#"}, "v": INTEGER},
    "additionalProperties": False,
}


def messages(schema: Any, value: Any) -> list[str]:
    return [fault.message for fault in compile_schema(schema).faults(value)]


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (INTEGER, "ten", 'expected an integer, got the string "ten"'),
        ({"type": ["string", "null"]}, 5, "expected a string or null, got the number 5"),
        (
            {"type": ["string", "array", "null"]},
            True,
            "expected a string, an array or null, got true",
        ),
        ({"enum": ["a", 1, None]}, "b", 'expected one of "a", 1, null, got the string "b"'),
        ({"const": {"a": 1}}, None, 'expected exactly {"a": 1}, got null'),
        ({"minimum": 1}, 0, "expected at least 1, got the number 0"),
        ({"maximum": 10**30}, 10**31, f"expected at most {10**30}, got the number {10**31}"),
        ({"exclusiveMinimum": 0}, 0, "expected more than 0, got the number 0"),
        ({"exclusiveMaximum": 1.5}, 2, "expected less than 1.5, got the number 2"),
        ({"multipleOf": 5}, 7, "expected a multiple of 5, got the number 7"),
        ({"minLength": 1}, "", 'expected at least 1 character, got the string ""'),
        ({"maxLength": 2}, "abc", 'expected at most 2 characters, got the string "abc"'),
        ({"pattern": "^a+$"}, "b", 'expected text that matches ^a+$, got the string "b"'),
        ({"minItems": 2}, [1], "expected at least 2 items, got an array of 1 item"),
        ({"maxItems": 1}, [1, 2], "expected at most 1 item, got an array of 2 items"),
        ({"uniqueItems": True}, [1, 1], "expected items that all differ, got an array of 2 items"),
        (
            {"minProperties": 1},
            {},
            "expected at least 1 of its properties, got an object with 0 keys",
        ),
        (
            {"propertyNames": {"maxLength": 1}},
            {"ab": 1},
            'expected keys that are at most 1 character, got the string "ab"',
        ),
        ({"format": "date"}, "x", 'expected a date (like "2026-11-29"), got the string "x"'),
        ({"not": TEXT}, "x", 'expected a value of another kind, got the string "x"'),
        (
            {"contains": TEXT},
            [1],
            "expected an array with the items that `contains` asks for, got an array of 1 item",
        ),
        (False, 1, "expected nothing here, got the number 1"),
        ({"required": ["a"]}, {}, "a is required"),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "b is required"),
        (TREE, {"n": {"n": {"x y": 1}}}, 'n.n["x y"] is unknown'),
        (
            {"properties": {"a": {"items": INTEGER}}},
            {"a": [1, "b"]},
            'a[1]: expected an integer, got the string "b"',
        ),
        ({"unevaluatedProperties": False}, {"a": 1}, "a is unknown"),
    ],
)
def test_one_fault_in_words(schema: Any, value: Any, expected: str) -> None:
    assert messages(schema, value) == [expected]


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"anyOf": [TEXT, {"type": "null"}]}, 5, ["expected a string or null, got the number 5"]),
        (
            {"anyOf": [{"type": "string", "maxLength": 2}, {"type": "null"}]},
            "abc",
            ['expected at most 2 characters or null, got the string "abc"'],
        ),
        (
            {"oneOf": [{"const": "a"}, {"const": "b"}]},
            "c",
            ['expected exactly "a" or exactly "b", got the string "c"'],
        ),
        (
            {"anyOf": [TEXT, {"type": "object", "properties": {"a": INTEGER}, "required": ["b"]}]},
            {"a": "x"},
            ["b is required", 'a: expected an integer, got the string "x"'],
        ),
        (
            {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {},
            ['expected the property "a" or the property "b", got an object with 0 keys'],
        ),
        (
            {
                "oneOf": [
                    {"properties": {"kind": {"const": "a"}, "x": INTEGER}},
                    {"properties": {"kind": {"const": "b"}, "x": INTEGER, "y": INTEGER}},
                ]
            },
            {"kind": "b", "x": "s", "y": "t"},
            [
                'x: expected an integer, got the string "s"',
                'y: expected an integer, got the string "t"',
            ],
        ),
        (
            {"oneOf": [TEXT, {"maxLength": 3}]},
            "a",
            ['expected what exactly one of the allowed forms takes, got the string "a"'],
        ),
    ],
)
def test_of_a_union_the_branch_that_was_meant(schema: Any, value: Any, expected: list[str]) -> None:
    assert messages(schema, value) == expected


def test_all_faults_at_once() -> None:
    schema = {
        "properties": {"a": INTEGER, "b": TEXT},
        "required": ["c"],
        "additionalProperties": False,
    }
    assert messages(schema, {"a": "x", "b": 1, "d": 1, "e": 1}) == [
        'a: expected an integer, got the string "x"',
        "b: expected a string, got the number 1",
        "d is unknown",
        "e is unknown",
        "c is required",
    ]


def test_but_not_a_million() -> None:
    assert len(messages({"items": INTEGER}, ["x"] * 1000)) == MOST_FAULTS


@pytest.mark.parametrize(
    "name",
    ["password", "api_key", "apiKey", "clientSecret", "access-token", "Authorization", "pin"],
)
def test_a_secret_looking_value_is_never_repeated(name: str) -> None:
    schema = {"properties": {name: {"type": "object", "additionalProperties": {"maxLength": 3}}}}
    assert messages(schema, {name: "hunter2"}) == [f"{name}: expected an object, got a string"]
    assert "hunter2" not in str(messages(schema, {name: {"inner": "hunter2"}}))


def test_containers_and_long_values_are_not_repeated_either() -> None:
    assert messages(INTEGER, {"password": "hunter2"}) == [
        "expected an integer, got an object with 1 key"
    ]
    (message,) = messages(INTEGER, "x" * 10_000)
    assert len(message) < 120
    assert message.endswith('…"')


FORMATS = {
    "date-time": (
        ["2026-11-29T14:03:11Z", "2026-11-29t14:03:11.5+02:00"],
        ["2026-11-29", "2026-02-30T00:00:00Z", "2026-11-29T14:03:11"],
    ),
    "date": (["2026-11-29", "2024-02-29"], ["2026-02-29", "29-11-2026", "2026-1-1"]),
    "time": (["14:03:11Z", "14:03:11.5+02:00"], ["14:03", "24:00:00Z", "14:03:11"]),
    "email": (["ada@example.org"], ["ada", "@example.org", "a b@example.org"]),
    "hostname": (["example.org", "a"], ["-a", "a_b", "a" * 64]),
    "ipv4": (["192.0.2.1"], ["192.0.2", "192.0.2.256", "01.2.3.4"]),
    "ipv6": (["2001:db8::1", "::"], ["2001:db8::1::2", "fe80::1%eth0"]),
    "uri": (["https://example.org/a?b#c", "urn:x:y"], ["example.org", "/a", "https://a b"]),
    "uuid": (
        ["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"],
        ["123e4567e89b12d3a456426614174000", "x", "123e4567-e89b-12d3-a456-42661417400g"],
    ),
    "regex": (["^a+$"], ["("]),
}


def test_the_table_of_formats_is_tested_whole() -> None:
    assert FORMATS.keys() == ASSERTED.keys()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", FORMATS)
def test_asserted_formats_are_asserted_in_every_dialect(name: str, dialect: str) -> None:
    validator = compile_schema({"$schema": dialect, "format": name})
    right, wrong = FORMATS[name]
    assert [text for text in right if not validator.is_valid(text)] == []
    assert [text for text in wrong if validator.is_valid(text)] == []
    assert validator.is_valid(5)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "name",
    ["duration", "iri", "uri-reference", "uri-template", "json-pointer", "idn-email", "int32", "x"],
)
def test_other_formats_are_not(name: str, dialect: str) -> None:
    assert compile_schema({"$schema": dialect, "format": name}).is_valid("! \\ {")


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "strng"}, "strng"),
        ({"pattern": "("}, "regex"),
        ({"$ref": "#/$defs/nowhere"}, "nowhere"),
        ({"$ref": "https://example.invalid/schema"}, "disabled"),
        ({"$schema": 3}, "3 is not of type"),
        ({"pattern": "((a{1,1000}){1,1000}){1,100}"}, "regex"),
        ({"title": "\ud800"}, "surrogates"),
        ([], "a schema is an object or a boolean, not an array of 0 items"),
    ],
)
def test_a_schema_that_cannot_be_used(schema: Any, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        compile_schema(schema)


def test_an_unknown_dialect_is_read_as_2020_12() -> None:
    schema = {"$schema": "https://example.org/mine", "prefixItems": [INTEGER]}
    assert messages(schema, ["x"]) == ['[0]: expected an integer, got the string "x"']


def test_the_dialect_is_the_schemas_own() -> None:
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "prefixItems": [INTEGER]}
    assert messages(schema, ["x"]) == []


def test_a_pattern_that_backtracks_without_end_is_given_up() -> None:
    (message,) = messages({"pattern": r"^(a|aa)+(?!b)\1$"}, "a" * 80 + "c")
    assert message.startswith("expected text that its pattern can be matched against in time")


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
_keywords: dict[str, Any] = {
    "type": st.sampled_from(["string", "integer", "object", "array", "null", ["string", "null"]]),
    "enum": st.lists(_json, max_size=3),
    "const": _json,
    "minimum": st.integers(),
    "maxLength": st.integers(0, 3),
    "minItems": st.integers(0, 3),
    "required": st.lists(st.text(max_size=2), max_size=2, unique=True),
    "format": st.sampled_from(["date", "uuid", "x"]),
    "pattern": st.sampled_from(["^a", "b$"]),
}
_schemas: st.SearchStrategy[Any] = st.recursive(
    st.booleans() | st.fixed_dictionaries({}, optional=_keywords),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            **_keywords,
            "anyOf": st.lists(inner, min_size=1, max_size=3),
            "oneOf": st.lists(inner, min_size=1, max_size=3),
            "items": inner,
            "properties": st.dictionaries(st.text(max_size=2), inner, max_size=2),
            "additionalProperties": inner,
            "propertyNames": inner,
            "not": inner,
        },
    ),
    max_leaves=6,
)


@settings(max_examples=200)
@given(_schemas, _json)
def test_there_are_faults_exactly_where_a_value_is_not_valid(schema: Any, value: Any) -> None:
    validator = compile_schema(schema)
    faults = validator.faults(value)
    assert bool(faults) is not validator.is_valid(value)
    assert all(fault.message and fault.expected and fault.got for fault in faults)


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        ({"1": "x"}, ("1",)),
        ({"01": "x"}, ("01",)),
        ({"a": {"": ["x"]}}, ("a", "", 0)),
    ],
)
def test_a_pointer_has_the_keys_that_the_value_has(
    value: Any, pointer: tuple[str | int, ...]
) -> None:
    schema: Any = {
        "additionalProperties": {
            "type": ["integer", "object"],
            "additionalProperties": {"items": {"type": "integer"}},
        }
    }
    (fault,) = compile_schema(schema).faults(value)
    assert fault.pointer == pointer


BRANCH: dict[str, Any] = {
    "type": "object",
    "properties": {"a": {"$ref": "#/$defs/node"}},
    "required": ["a"],
}
FORKED: dict[str, Any] = {
    "$defs": {"node": {"anyOf": [BRANCH, BRANCH, {"const": 1}]}},
    "$ref": "#/$defs/node",
}
"""A schema in which each level of a value is looked at twice."""


def nested(levels: int, leaf: Any) -> Any:
    value = leaf
    for _ in range(levels):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    ("levels", "leaf", "is_valid"), [(3, 1, True), (3, 2, False), (24, 1, True), (90, 1, False)]
)
def test_a_schema_that_branches_at_each_level(levels: int, leaf: int, is_valid: bool) -> None:
    validator, value = compile_schema(FORKED), nested(levels, leaf)
    assert validator.is_valid(value) is is_valid
    assert (validator.faults(value) == []) is is_valid


def test_what_is_told_of_a_value_that_nests_too_deeply() -> None:
    (message,) = messages(FORKED, nested(90, 2))
    assert message == (
        "expected what fits the schema in at most 24 levels of lists and objects (past 10 it is not "
        "told in detail what does not), got an object with 1 key"
    )


def test_other_schemas_take_any_depth() -> None:
    tree: dict[str, Any] = {"properties": {"a": {"$ref": "#"}}}
    assert compile_schema(tree).is_valid(nested(90, 1))
