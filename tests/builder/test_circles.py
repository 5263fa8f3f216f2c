"""Names that lead back to themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc.builder.circles import circular


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ({}, set()),
        ({"a": ["b"], "b": ["missing"]}, set()),
        ({"a": ["a"]}, {"a"}),
        ({"a": ["b"], "b": ["c"], "c": ["b"], "d": ["a"]}, {"b", "c"}),
        ({"a": ["b"], "b": ["a", "c"], "c": ["d"], "d": ["c"]}, {"a", "b", "c", "d"}),
    ],
)
def test_circular(edges: dict[str, list[str]], expected: set[str]) -> None:
    assert circular(edges) == expected


def test_a_long_chain_and_a_long_circle() -> None:
    chain = {str(number): [str(number + 1)] for number in range(50_000)}
    assert circular(chain) == frozenset()
    assert len(circular({**chain, "50000": ["0"]})) == 50_001


NAMES = st.sampled_from("abcdef")


@given(st.dictionaries(NAMES, st.lists(NAMES, max_size=3)))
def test_it_is_what_can_be_reached_from_itself(edges: dict[str, list[str]]) -> None:
    def reached(start: str) -> set[str]:
        found: set[str] = set()
        waiting = [other for other in edges[start] if other in edges]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting.extend(other for other in edges[name] if other in edges)
        return found

    assert circular(edges) == {name for name in edges if name in reached(name)}
