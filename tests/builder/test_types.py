"""The type grammar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc.builder.types import TypeSyntaxError, names_in, parse_type
from toolc.model.metadata import ArrayOf, MapOf, Named, Scalar, TypeExpression, Union

INT, STRING, NULL = Scalar("integer"), Scalar("string"), Scalar("null")

ROWS: list[tuple[str, TypeExpression]] = [
    ("int", INT),
    ("float", Scalar("number")),
    ("array:int", ArrayOf(INT)),
    ("array:map:int", ArrayOf(MapOf(INT))),
    ("array:int|string", Union((ArrayOf(INT), STRING))),
    ("array:(int | string)", ArrayOf(Union((INT, STRING)))),
    ("( int )", INT),
    ("int | (string | null)", Union((INT, STRING, NULL))),
    ("map:Address", MapOf(Named("Address"))),
]


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_parse(text: str, expected: TypeExpression) -> None:
    assert parse_type(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", " int", "int ", "array:", "array", "array: int", "int |", "| int", "(int", "int)", "a b"]
    + ["int[]", "array:" * 100 + "int", "int" + "|int" * 1000, "größe", "1st"],
)
def test_refused(text: str) -> None:
    with pytest.raises(TypeSyntaxError):
        parse_type(text)


def test_names_in_order() -> None:
    assert list(names_in(parse_type("A | array:B | map:(C | A)"))) == ["A", "B", "C", "A"]


@given(st.text(alphabet="abint:|() map", max_size=40))
def test_parsing_ends_in_a_type_or_a_message(text: str) -> None:
    try:
        parse_type(text)
    except TypeSyntaxError as error:
        assert str(error)
