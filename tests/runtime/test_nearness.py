"""Which name may have been meant, and which can only have been meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc_runtime.nearness import _is_one_edit, edit_distance, is_slip, likely, nearest

TOOLS = ["add_note", "find_files", "find_notes", "list_tags", "updateNote", "weather_lookup"]


@pytest.mark.parametrize(
    ("name", "guess", "near"),
    [
        ("find_notes", "find_notes", ["find_notes", "find_files"]),
        ("findNotes", "find_notes", ["find_notes", "find_files"]),
        ("FIND-NOTES", "find_notes", ["find_notes", "find_files"]),
        ("notes_find", "find_notes", ["find_notes"]),
        ("find_ntoes", "find_notes", ["find_notes", "find_files"]),
        ("update_note", "updateNote", ["updateNote", "add_note"]),
        ("list_tag", "list_tags", ["list_tags"]),
        ("get_weather", None, ["weather_lookup"]),
        ("delete_everything", None, []),
        ("", None, []),
        ("_", None, []),
    ],
)
def test_the_tools_that_may_have_been_meant(name: str, guess: str | None, near: list[str]) -> None:
    assert likely(name, TOOLS) == guess
    found = nearest(name, TOOLS)
    assert found[: len(near)] == near
    assert bool(found) is bool(near)


def test_no_more_than_five_and_the_likest_first() -> None:
    names = [f"find_note_{place}" for place in range(10_000)]
    assert nearest("find_note_4711", names)[0] == "find_note_4711"
    assert len(nearest("find_note", names)) == 5


@pytest.mark.parametrize(
    ("name", "other", "expected"),
    [
        ("Words", "words", True),
        ("max-items", "max_items", True),
        ("maxItems", "max_items", True),
        ("word", "words", True),
        ("wrods", "words", True),
        ("wosds", "words", True),
        ("max_reslts", "max_results", True),
        ("Word", "words", False),
        ("wds", "words", False),
        ("min_x", "min_y", False),
        ("line1", "line2", False),
        ("line", "line1", False),
        ("port8080", "port8081", False),
        ("a", "b", False),
        ("id", "ids", False),
        ("words", "limit", False),
        ("", "a", False),
    ],
)
def test_a_slip_leaves_no_doubt(name: str, other: str, expected: bool) -> None:
    assert is_slip(name, other) is expected
    assert is_slip(other, name) is expected


@pytest.mark.parametrize(
    ("one", "two", "distance"),
    [("", "", 0), ("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abcd", "bd", 2)],
)
def test_the_distance_of_two_words(one: str, two: str, distance: int) -> None:
    assert edit_distance(one, two) == distance


@given(st.text(max_size=8), st.text(max_size=8))
def test_a_distance_is_the_same_from_both_ends(one: str, two: str) -> None:
    assert edit_distance(one, two) == edit_distance(two, one)
    assert (edit_distance(one, two) == 0) is (one == two)
    assert edit_distance(one, two) <= max(len(one), len(two))


@given(st.text("ab1", max_size=6), st.text("ab1", max_size=6))
def test_one_edit_is_a_distance_of_one(one: str, two: str) -> None:
    assert _is_one_edit(one, two) is (edit_distance(one, two) == 1)
