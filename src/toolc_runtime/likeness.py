"""Which of many texts are like a word: their Levenshtein distances to it, computed all at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from toolc_runtime.tallies import numbers_in

_LEAST_LIKENESS = 0.6
"""Only what is more alike than this counts."""

_FEW_LACKING = 2
"""Letters of a word that a like text may lack, up to which it is worth to look for those first."""


class Likeness:
    """Texts, and which of them are like a word: 1 - Levenshtein distance / length of the longer.

    Lengths and distances are those of the UTF-8 bytes.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        by_length: dict[int, list[str]] = {}
        for text in filter(None, texts):
            by_length.setdefault(len(_utf8(text)), []).append(text)
        self._columns = [_Columns(texts) for texts in by_length.values()]

    def like(self, word: str) -> dict[float, list[str]]:
        """The texts that are alike enough to count, by their likeness."""
        written = _utf8(word)
        found: dict[float, list[str]] = {}
        for columns in self._columns:
            longer = max(columns.length, len(written))
            most = _farthest(longer)
            is_possible = 0 < most >= abs(columns.length - len(written))
            if is_possible and columns.may_be_near(written, most):
                for text, distance in columns.near(written, most):
                    found.setdefault(1 - distance / longer, []).append(text)
        return found


@cache
def _farthest(longer: int) -> int:
    """The greatest distance at which texts, the longer of them of this length, are still alike."""
    distances = range(1, longer)
    return max((d for d in distances if 1 - d / longer > _LEAST_LIKENESS), default=0)


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


class _Columns:
    """Texts of one length, whose Levenshtein distances to a word are computed all at once.

    Each text is a column of the matrix of distances, kept as the differences between neighbours: a
    bit says where the next is one more, another where it is one less (G. Myers 1999; H. Hyyrö 2003
    for the distance of whole texts). All columns stand in one integer, with a bit between them that
    takes what an addition carries over.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        written = [_utf8(text) for text in texts]
        self._texts = texts
        self.length = len(written[0])
        self._width = self.length + 1
        self._bottoms = int(b"1".rjust(self._width, b"0") * len(texts), 2)
        self._rows = self._bottoms * ((1 << self.length) - 1)
        self._pairs = [
            (size, self._bottoms * firsts, self._bottoms * seconds)
            for size, firsts, seconds in _pairs(self.length)
        ]
        # Reversed: the first text has the lowest bits, and its first byte the lowest of them.
        joined = b"".join(text + b"\0" for text in written)[::-1]
        self._places = {byte: _places(joined, byte) & self._rows for byte in set(joined)}
        self._everyone = (1 << len(texts)) - 1
        self._without = {
            byte: int("".join(["0" if byte in text else "1" for text in written]), 2)
            for byte in set(joined)
        }

    def may_be_near(self, word: bytes, most: int) -> bool:
        """Whether some text has enough of the word's letters for a distance of at most so much."""
        spare = len(word) - (max(self.length, len(word)) - most)
        if spare > _FEW_LACKING:
            return True
        lacking = [0] * (spare + 1)  # the texts that lack one letter at least, two, and so on
        for byte in word:
            without = self._without.get(byte, self._everyone)
            for number in range(spare, 0, -1):
                lacking[number] |= lacking[number - 1] & without
            lacking[0] |= without
        return lacking[spare] != self._everyone

    def near(self, word: bytes, most: int) -> Iterator[tuple[str, int]]:
        """The texts at most so far from `word`, and their distances; `most` is at least the
        difference of the lengths."""
        rows, below_first = self._rows, self._rows ^ self._bottoms
        more, less = rows, 0  # between neighbours in a column
        for byte in word:
            equal = self._places.get(byte, 0)
            diagonal = (((equal & more) + more) ^ more) | equal | less
            lost = diagonal & more  # from a column to its next state
            not_gained = ((diagonal | more) ^ less) << 1 & below_first
            neither = not_gained & diagonal
            more = (lost << 1 | (not_gained ^ neither)) & rows
            less = diagonal ^ neither
        # A column begins with the word's length, and ends with the distance.
        steps = self._count(more) + self._count(rows ^ (less & rows))
        added = len(word) - self.length
        # Where there are more steps than `most` allows, this sum reaches the bit between columns.
        between = self._bottoms << self.length
        near = between ^ (between & (steps + between - self._bottoms * (1 + most - added)))
        for bit in numbers_in(near):
            place = bit // self._width
            number = steps >> place * self._width & ((1 << self._width) - 1)
            yield self._texts[place], number + added

    def _count(self, flags: int) -> int:
        """How many bits each column has, as a number at its bottom: neighbours are added, pairs of
        them, and so on."""
        for size, firsts, seconds in self._pairs:
            flags = (flags & firsts) + (flags >> size & seconds)
        return flags


def _pairs(length: int) -> Iterator[tuple[int, int, int]]:
    """How to add up the bits of a column: the size of a number, and masks of the numbers that stay
    where they are, and of those that are added to them."""
    size, column = 1, (2 << length) - 1
    while size < length:
        numbers = sum((1 << size) - 1 << at for at in range(0, length, 2 * size))
        yield size, numbers & column, numbers & column >> size
        size *= 2


def _places(written: bytes, byte: int) -> int:
    """An integer with a bit set for each place of `byte`; the last place is the lowest bit."""
    flags = bytearray(b"0" * 256)
    flags[byte] = ord("1")
    return int(written.translate(flags), 2)
