"""A Python value -> document."""

from __future__ import annotations

import datetime
from collections import OrderedDict
from decimal import Decimal
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc.loader import load_value
from toolc.loader.limits import MAX_EXPANSION
from toolc.model.document import Pointer, Site


class Kind(StrEnum):
    QUERY = "query"


def nested(levels: int) -> Any:
    value: Any = None
    for _ in range(levels):
        value = [value]
    return value


CYCLE: list[Any] = []
CYCLE.append([CYCLE, CYCLE])

SHARED: Any = "x"
for _ in range(30):
    SHARED = [SHARED, SHARED]


def test_a_value_is_copied_and_tuples_become_lists() -> None:
    value = {"a": (1, 2.5, None, True, "é😀"), "b": OrderedDict(c=[{}])}
    document, diagnostics = load_value(value)
    assert diagnostics == ()
    assert document is not None and document.source is None
    assert document.value == {"a": [1, 2.5, None, True, "é😀"], "b": {"c": [{}]}}
    assert document.value["b"] is not value["b"]
    assert document.site(("a",)) is None


@pytest.mark.parametrize(
    ("value", "code", "pointer", "part"),
    [
        (datetime.date(2024, 1, 1), "L106", (), "the value at the root is a date"),
        ({"a": [b"x"]}, "L106", ("a", 0), "the value at /a/0 is a bytes"),
        ({"a": {1}}, "L106", ("a",), "a set"),
        ({"a": Decimal(1)}, "L106", ("a",), "a Decimal"),
        ({"a": Kind.QUERY}, "L106", ("a",), "a Kind"),
        ([float("nan")], "L106", (0,), "nan"),
        ([float("-inf")], "L106", (0,), "-inf"),
        ([1 << 20_000], "L106", (0,), "digits"),
        ({"a": {1: 2}}, "L106", ("a",), "the key 1 at /a is not a text"),
        ({None: 2}, "L106", (), "the key None at the root is not a text"),
        ({"a": "x\0"}, "L103", ("a",), "the text at /a holds a NUL"),
        ({"a": "\ud800"}, "L103", ("a",), "the lone surrogate U+D800"),
        ({"\0": 1}, "L103", ("\0",), "the key at /\\u0000 holds a NUL"),
        (nested(201), "L109", (0,) * 200, "deeper than 200 levels"),
        (SHARED, "L109", None, "more than 1,000,000 values"),
        ("x" * (MAX_EXPANSION + 1), "L109", (), "more than 1,000,000 values"),
    ],
)
def test_what_json_does_not_have(
    value: object, code: str, pointer: Pointer | None, part: str
) -> None:
    document, (diagnostic,) = load_value(value, "database")
    assert document is None
    assert diagnostic.code == code
    assert part in diagnostic.message
    assert pointer is None or diagnostic.pointer == pointer
    assert diagnostic.site == Site("database")


def test_a_value_inside_itself() -> None:
    document, diagnostics = load_value(CYCLE)
    assert document is None
    assert [diagnostic.pointer for diagnostic in diagnostics] == [(0, 0), (0, 1)]
    assert all(diagnostic.site is None for diagnostic in diagnostics)


def test_depth_is_read_up_to_the_limit() -> None:
    assert load_value(nested(200))[1] == ()


@given(
    st.recursive(
        st.one_of(
            st.none(), st.floats(), st.text(), st.binary(), st.integers(), st.complex_numbers()
        ),
        lambda inner: st.one_of(
            st.lists(inner),
            st.tuples(inner),
            st.dictionaries(st.one_of(st.text(), st.integers()), inner),
        ),
    )
)
def test_any_value_is_a_document_or_an_error(value: object) -> None:
    document, diagnostics = load_value(value)
    assert (document is None) == bool(diagnostics)
