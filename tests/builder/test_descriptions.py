"""The three ways to take a description."""

from __future__ import annotations

import pytest

from toolc.builder.descriptions import settle

ROWS = [
    ("trim", "  one  two \n", "one  two"),
    ("trim", "First.\n\n    - a\n      - b\n", "First.\n\n- a\n  - b"),
    ("trim", "a\n\tb\n\tc", "a\nb\nc"),
    ("trim", "a  \n  b  \n", "a  \nb"),
    ("trim", "  - item\n    - sub\n", "- item\n  - sub"),
    ("trim", "\n  - item\n    - sub\n", "- item\n  - sub"),
    ("keep", "  one\n two ", "  one\n two "),
    ("collapse", "  one\n\t two\u00a0three ", "one two three"),
    ("collapse", "a\x1cb\u200b c", "a\x1cb\u200b c"),
]


@pytest.mark.parametrize(("mode", "text", "expected"), ROWS)
def test_settle(mode: str, text: str, expected: str) -> None:
    assert settle(text, mode) == expected
