"""Numbers and texts inside the bounds of a schema. A `salt` tells apart several of one schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from fractions import Fraction
from math import ceil, floor
from typing import Any, NamedTuple

_FIRST_DAY = date(2026, 1, 15)


class NoValueError(ValueError):
    """A schema that no value was found for."""


class _Bound(NamedTuple):
    """One end of a range, and whether it is outside."""

    limit: Fraction
    is_open: bool


def make_number(flat: Mapping[str, Any], salt: int, *, is_whole: bool) -> int | float:
    """A number for these keywords; NoValueError where the range holds none."""
    low = _bound(flat, "minimum", "exclusiveMinimum")
    high = _bound(flat, "maximum", "exclusiveMaximum")
    step = _step(flat.get("multipleOf"), is_whole)
    found = _between(low, high, salt) if step is None else _stepped(low, high, step, salt)
    return int(found) if found.denominator == 1 else float(found)


def make_text(salt: int, least: int, most: int | None) -> str:
    """A text of `least` to `most` characters."""
    text = f"text {salt + 1}" if salt else "text"
    if most is not None and len(text) > most:
        text = _letters(salt)[-most:] if most else ""
    return text + "x" * (least - len(text))


def _letters(number: int) -> str:
    """A number in letters: `a`, `b`, …, `z`, `ba`."""
    last = chr(ord("a") + number % 26)
    return _letters(number // 26) + last if number >= 26 else last


def _bound(flat: Mapping[str, Any], closed: str, opened: str) -> _Bound | None:
    """The narrower one of the two keywords that may limit one end."""
    bounds = []
    exclusive = flat.get(opened)
    if closed in flat:
        # `true` is how draft-04 says that the other keyword's limit is outside.
        bounds.append(_Bound(_exact(flat[closed]), exclusive is True))
    if exclusive is not None and not isinstance(exclusive, bool):
        bounds.append(_Bound(_exact(exclusive), True))
    if not bounds:
        return None
    if closed == "minimum":
        return max(bounds)
    return min(bounds, key=lambda bound: (bound.limit, not bound.is_open))


def _exact(number: float) -> Fraction:
    """A number as it is written: 0.1 is a tenth."""
    return Fraction(repr(number))


def _step(multiple: float | None, is_whole: bool) -> Fraction | None:
    if not multiple:
        return Fraction(1) if is_whole else None
    step = _exact(multiple)
    return Fraction(step.numerator) if is_whole else step


def _stepped(low: _Bound | None, high: _Bound | None, step: Fraction, salt: int) -> Fraction:
    """A multiple of `step` in the range, near to where people count from."""
    first = last = None
    if low is not None:
        first = floor(low.limit / step) + 1 if low.is_open else ceil(low.limit / step)
    if high is not None:
        last = ceil(high.limit / step) - 1 if high.is_open else floor(high.limit / step)
    if first is None:
        if last is not None and last < 1:
            return (last - salt) * step
        first = 1
    if last is None:
        return (max(first, 1) + salt) * step
    if first > last:
        raise NoValueError("no number is in range")
    start = 1 if first <= 1 <= last else first
    number = start + salt
    return (number if number <= last else first + salt % (last - first + 1)) * step


def _between(low: _Bound | None, high: _Bound | None, salt: int) -> Fraction:
    """A number in the range; preferably one that is no integer."""
    preferred = Fraction(3, 2) + salt
    aside = Fraction(1, 2) + salt
    if low is not None and high is not None:
        if low.limit > high.limit:
            raise NoValueError("no number is in range")
        return low.limit + (high.limit - low.limit) / (salt + 2)
    if low is not None:
        return max(preferred, low.limit + aside)
    return preferred if high is None else min(preferred, high.limit - aside)


def _day(salt: int) -> str:
    return (_FIRST_DAY + timedelta(days=salt)).isoformat()


SAMPLES: dict[Any, Callable[[int], str]] = {
    "date-time": lambda salt: f"{_day(salt)}T14:03:11Z",
    "date": _day,
    "time": lambda salt: f"{salt // 60 % 24:02}:{salt % 60:02}:00Z",
    "duration": lambda salt: f"P{salt + 1}D",
    "email": lambda salt: f"ada{salt or ''}@example.org",
    "idn-email": lambda salt: f"ada{salt or ''}@example.org",
    "hostname": lambda salt: f"host{salt or ''}.example.org",
    "idn-hostname": lambda salt: f"host{salt or ''}.example.org",
    "ipv4": lambda salt: f"192.0.{salt // 250 % 250}.{salt % 250 + 1}",
    "ipv6": lambda salt: f"2001:db8::{salt % 0xFFFF + 1:x}",
    "uri": lambda salt: f"https://example.org/{salt or ''}",
    "iri": lambda salt: f"https://example.org/{salt or ''}",
    "uri-reference": lambda salt: f"/{salt or ''}",
    "iri-reference": lambda salt: f"/{salt or ''}",
    "uri-template": lambda salt: f"/{salt or ''}{{id}}",
    "uuid": lambda salt: f"123e4567-e89b-12d3-a456-{426614174000 + salt:012}",
    "regex": lambda salt: f"a{salt or ''}",
    "json-pointer": lambda salt: f"/{salt}",
    "relative-json-pointer": lambda salt: str(salt),
}
"""A text of each format that JSON Schema names, by salt."""
