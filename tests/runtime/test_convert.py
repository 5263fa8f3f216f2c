"""What handlers return, as JSON."""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from toolc_runtime import ABSENT, Absent
from toolc_runtime.convert import LONGEST_INTEGER, to_json
from toolc_runtime.jsonvalue import DEEPEST, NotJsonError, path_text, survey


class Colour(StrEnum):
    RED = "red"


class Size(IntEnum):
    BIG = 3


class Pair(Enum):
    BOTH = (1, 2)


@dataclass
class Point:
    x: int
    seen: date
    note: str | Absent = ABSENT


class Pixel(NamedTuple):
    x: int
    y: int


class Model(BaseModel):
    wire_name: int = Field(alias="wireName")
    when: date | None = None


@pytest.mark.parametrize(
    ("value", "made"),
    [
        (Point(1, date(2026, 11, 29)), {"x": 1, "seen": "2026-11-29"}),
        (Point(1, date(2026, 11, 29), "n"), {"x": 1, "seen": "2026-11-29", "note": "n"}),
        (Model(wireName=1, when=date(2026, 11, 29)), {"wireName": 1, "when": "2026-11-29"}),
        (datetime(2026, 11, 29, 14, 3, tzinfo=UTC), "2026-11-29T14:03:00+00:00"),
        (time(14, 3), "14:03:00"),
        (Decimal("1.10"), "1.10"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (PurePosixPath("a/b"), "a/b"),
        ([Colour.RED, Size.BIG, Pair.BOTH], ["red", 3, [1, 2]]),
        ({Colour.RED: 1}, {"red": 1}),
        (Pixel(1, 2), [1, 2]),
        (MappingProxyType({"a": (1,)}), {"a": [1]}),
        (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
    ],
)
def test_what_has_a_json_form(value: Any, made: Any) -> None:
    converted = to_json(value)
    assert converted == made
    assert json.loads(json.dumps(converted)) == made


class Circle:
    pass


def _circle() -> list[Any]:
    inner: list[Any] = []
    inner.append({"again": inner})
    return inner


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": [float("nan")]}, "a[0]: nan is no JSON number"),
        (float("inf"), "the value: inf is no JSON number"),
        ({"a": "\ud800"}, "a: text with a lone surrogate"),
        ({"\ud800": 1}, "the value: a key with a lone surrogate"),
        ({1: 2}, "the value: the key 1 is not a string"),
        ({"tags": {"a"}}, "tags: a set has no order; return a list"),
        ({"a": b"x"}, "a: bytes are no text; decode them, or encode them as base64"),
        ([Circle()], "[0]: a Circle has no JSON form"),
        ((n for n in "ab"), "the value: a generator has no JSON form"),
        (Point, "the value: a type has no JSON form"),
        (2**LONGEST_INTEGER, f"the value: an integer of more than {LONGEST_INTEGER} bits"),
        (_circle(), f"[0].again[0]: nested deeper than {DEEPEST} levels, or in a circle"),
    ],
)
def test_what_has_none(value: Any, message: str) -> None:
    with pytest.raises(NotJsonError) as caught:
        to_json(value)
    assert str(caught.value) == message


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(categories=None)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(_json)
def test_conversion_and_survey_agree_and_the_outcome_is_strict_json(value: Any) -> None:
    fault = survey(value).fault
    try:
        converted = to_json(value)
    except NotJsonError:
        assert fault is not None
    else:
        assert fault is None
        text = json.dumps(converted, allow_nan=False, ensure_ascii=False)
        assert json.loads(text.encode()) == converted == value


@pytest.mark.parametrize(
    ("value", "found"),
    [([{"a": 3.0}], True), ([{"a": 3.5, "b": 3}], False), (0.0, True), ("3.0", False)],
)
def test_a_survey_sees_integral_floats(value: Any, found: bool) -> None:
    assert survey(value) == (None, found)


def test_a_survey_bounds_the_depth() -> None:
    value: Any = 1
    for _ in range(5000):
        value = [value]
    assert str(survey(value).fault) == f"[0][0][0]: nested deeper than {DEEPEST} levels"


def test_paths() -> None:
    assert path_text(("notes", 0, "a-b", "a b", "")) == 'notes[0].a-b["a b"][""]'
    assert path_text(()) == ""
