from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc.generate.header import stamp, stamped_digest_is_valid

STAMPED = stamp('"""A module."""\n\nx = 1\n')


def test_the_header_is_one_line_of_ascii() -> None:
    header, body = STAMPED.split("\n", 1)
    assert header.startswith("# toolc: generated ")
    assert len(header.rsplit(" ", 1)[1]) == 16
    assert body == '"""A module."""\n\nx = 1\n'


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        (STAMPED, True),
        (STAMPED.replace("\n", "\r\n"), True),
        (STAMPED + "\n", False),
        (STAMPED.replace("x = 1", "x = 2"), False),
        (STAMPED.replace("generated ", "generated 0"), False),
        (STAMPED.split("\n", 1)[1], None),
        ("\ufeff" + STAMPED, None),
        ("", None),
        ("# toolc: generated ", False),
    ],
)
def test_an_edit_shows_and_a_checkout_does_not(text: str, valid: bool | None) -> None:
    assert stamped_digest_is_valid(text) is valid


@given(st.text().map(lambda text: text.replace("\r", "")))
def test_what_is_stamped_is_valid(body: str) -> None:
    assert stamped_digest_is_valid(stamp(body)) is True
    assert stamped_digest_is_valid(stamp(body).replace("\n", "\r\n")) is True
