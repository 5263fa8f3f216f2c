"""Scores of thousands of tools at once: a set of tools is an integer, with a bit for each.

The bit of a tool is its number by name, from 0. An operation on such integers takes a microsecond for
ten thousand tools, where a loop over them would take a thousand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from math import ceil

from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

    Tools: TypeAlias = int
    """A set of tools."""

    Level: TypeAlias = "tuple[Tools, float]"
    """Some tools, and what a word scores with each of them."""

_UNITS = 100
"""Sums are made of scores in units of a hundredth, rounded up."""

_COMMON = 16
"""Tools that have a text, from which on their set is made once and for all."""

_DIGITS = bytes.maketrans(b"\0\1", b"01")
_BITS = [[bit for bit in range(8) if byte >> bit & 1] for byte in range(256)]


class Row(NamedTuple):
    """What one word scores with each tool."""

    levels: tuple[Level, ...]
    """No tool is in two of them; in none, it scores 0."""
    planes: tuple[Tools, ...]
    """The scores in units: plane n has the tools whose score has bit n."""
    is_rounded: bool
    """Whether some score is no whole number of units."""


def set_of(numbers: Sequence[int]) -> Tools:
    if not numbers:
        return 0
    written = bytearray((max(numbers) >> 3) + 1)
    for number in numbers:
        written[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(written, "little")


def set_where(flags: Iterable[bool]) -> Tools:
    """The tools of whom it is true; there is a flag for each."""
    return int(bytes(flags)[::-1].translate(_DIGITS) or b"0", 2)


def numbers_in(tools: Tools) -> Iterator[int]:
    """Rising."""
    written = tools.to_bytes(-(-tools.bit_length() // 8), "little")
    size = len(written)
    while written := written.lstrip(b"\0"):
        start = 8 * (size - len(written))
        for bit in _BITS[written[0]]:
            yield start + bit
        written = written[1:]


class Postings:
    """Which tools have each of some texts."""

    def __init__(self, texts_of_tools: Iterable[Iterable[str]]) -> None:
        self.numbers: dict[str, list[int]] = defaultdict(list)
        for number, texts in enumerate(texts_of_tools):
            for text in texts:
                self.numbers[text].append(number)
        self._common = {
            text: set_of(numbers)
            for text, numbers in self.numbers.items()
            if len(numbers) >= _COMMON
        }

    def having(self, texts: Iterable[str]) -> Tools:
        """The tools that have one of these texts."""
        found, few = 0, []
        for text in texts:
            common = self._common.get(text)
            if common is not None:
                found |= common
            else:
                few.append(self.numbers.get(text, ()))
        return found | set_of([*chain.from_iterable(few)])


def make_row(levels: Iterable[Level], everyone: Tools) -> Row:
    """The row of a word. A tool scores by the first of `levels` that has it; no further ones are
    asked for when all tools have scored."""
    taken, is_rounded = 0, False
    kept: list[Level] = []
    planes: list[Tools] = []
    for tools, score in levels:
        own = tools & (taken ^ everyone)
        if own:
            kept.append((own, score))
            taken |= own
            units = ceil(score * _UNITS)
            is_rounded = is_rounded or units != score * _UNITS
            planes += [0] * (units.bit_length() - len(planes))
            for bit in range(units.bit_length()):
                if units >> bit & 1:
                    planes[bit] |= own
            if taken == everyone:
                break
    return Row(tuple(kept), tuple(planes), is_rounded)


def near_the_best(rows: Sequence[Row], limit: int, everyone: Tools, share: float = 1.0) -> Tools:
    """The tools that score, and whose sums over the rows could be `share` of that of the best
    `limit`, or more."""
    sums: list[Tools] = []
    for row in rows:
        _add(sums, row.planes)
    rounded = sum(row.is_rounded for row in rows)
    least = int((_greatest(sums, limit, everyone) - rounded) * share)
    return _at_least(sums, max(least, 1), everyone)


def _add(sums: list[Tools], planes: Sequence[Tools]) -> None:
    """Add a number to each tool's sum; both are written in planes."""
    carried = 0
    for at in range(max(len(sums), len(planes))):
        if at == len(sums):
            sums.append(0)
        one, two = sums[at], planes[at] if at < len(planes) else 0
        if not (two or carried):
            continue
        either = one ^ two
        sums[at] = either ^ carried
        carried = one & two | either & carried
    if carried:
        sums.append(carried)


def _greatest(sums: Sequence[Tools], rank: int, everyone: Tools) -> int:
    """The greatest number that so many of the sums reach."""
    above, equal, number = 0, everyone, 0
    for at in reversed(range(len(sums))):
        has_bit = equal & sums[at]
        if (above | has_bit).bit_count() >= rank:
            equal = has_bit
            number |= 1 << at
        else:
            above |= has_bit
            equal ^= has_bit
    return number


def _at_least(sums: Sequence[Tools], least: int, everyone: Tools) -> Tools:
    """The tools whose sums reach `least`."""
    above, equal = 0, everyone
    for at in reversed(range(max(len(sums), least.bit_length()))):
        has_bit = equal & sums[at] if at < len(sums) else 0
        if least >> at & 1:
            equal = has_bit
        else:
            above |= has_bit
            equal ^= has_bit
    return above | equal


def totals(levels_of_rows: Iterable[Iterable[Level]], tools: Tools) -> dict[float, Tools]:
    """The exact sums over the rows, added from the first to the last, and which of `tools` have each."""
    found: dict[float, Tools] = {0.0: tools}
    for levels in levels_of_rows:
        before, found = found, {}
        for total, rest in before.items():
            for having, score in levels:
                here = rest & having
                if here:
                    found[total + score] = found.get(total + score, 0) | here
                    rest ^= here
                    if not rest:
                        break
            if rest:
                found[total] = found.get(total, 0) | rest
    return found


def ordered(scores: Mapping[float, Tools], limit: int) -> Iterator[tuple[int, float]]:
    """The best tools, at most `limit`, with their scores: by score falling, then by number."""
    falling = sorted(scores.items(), key=lambda item: item[0], reverse=True)
    all_of_them = ((number, score) for score, tools in falling for number in numbers_in(tools))
    return islice(all_of_them, limit)
