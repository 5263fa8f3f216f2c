"""How `tool_search` ranks: the scores of the Go reference, of thousands of tools at once.

What a word scores is looked up in the distinct texts of all tools, each with the numbers of the tools
that have it, and kept as a byte a tool: hundredths, which all scores but those of likenesses are. Of
several words the bytes of all tools are added at once, as one integer; only tools that come near the
best sums are then scored one by one, in floats, added as the reference adds them.
"""

from __future__ import annotations

import re
import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from heapq import nlargest
from itertools import accumulate, chain, compress, repeat
from math import ceil
from operator import contains

from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

    Numbers: TypeAlias = "Sequence[int]"
    """Which tools: their numbers by name, from 0."""

    Having: TypeAlias = "Mapping[str, Numbers]"
    """Texts to the tools that have them."""

# In hundredths.
_NAME_STARTS = 95
_NAME_PART = 92
_NAME_PART_STARTS = 90
_KEYWORD = 85
_IN_NAME = 80
_IN_KEYWORD = 70
_WORD = 60
_IN_DESCRIPTION = 50

_LIKE_NAME = 0.7
"""What a likeness between a word and a name is multiplied with; below, one to a keyword."""
_LIKE_KEYWORD = 0.6
_LEAST_LIKENESS = 0.6
"""Only what is more alike than this counts."""

# Go's unicode.IsSpace: Python's own notion also holds U+001C to U+001F.
_SPACE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B)))
_SPACE += "\u2028\u2029\u202f\u205f\u3000"
_split = re.compile(f"[^{_SPACE}]+").findall

_SEPARATORS = re.compile("[_-]")
_PUNCTUATION = ".,;:!?()[]{}\"'"

_LONGEST_QUERY = 2_000
"""Characters that are looked at."""

_MOST_WORDS = 50
"""Words of them that are. A sum of as many scores in hundredths fits two bytes."""

_KEPT_WORDS = 256
"""Words whose scores are kept: most words of natural language come again and again."""

_SHORT = 2
"""Letters of a word that stands in so many texts that it is faster to look through all tools."""


class Searched(NamedTuple):
    """What a search looks at of a tool."""

    name: str
    description: str = ""
    keywords: tuple[str, ...] = ()


class Hit(NamedTuple):
    name: str
    score: float
    """Above 0, up to 1."""


class _Row(NamedTuple):
    """What one word scores with each tool."""

    hundredths: bytes
    """A byte a tool; rounded up for those of `like`."""
    like: dict[int, float]
    """The exact scores of the tools that are only like the word."""
    wide: int
    """`hundredths` with two bytes for each, as one integer."""


class Ranking:
    """An index of tools. To make it takes a moment, so it is made once for many searches."""

    def __init__(self, tools: Iterable[Searched]) -> None:
        ordered = sorted(tools)
        self._names = [tool.name for tool in ordered]
        names = [_lower(tool.name) for tool in ordered]
        descriptions = [_lower(tool.description) for tool in ordered]
        keywords = [[_lower(keyword) for keyword in tool.keywords] for tool in ordered]
        parts = [_SEPARATORS.split(name) for name in names]
        described = _having(map(_split, descriptions))
        self._named = _having([name] for name in names)
        self._whole_names = _Texts(self._named, names)
        self._name_heads = _Texts(_having(row[:1] for row in parts), names)
        self._name_parts = _Texts(_having(parts), names)
        lines = ["\n".join(row) for row in keywords]
        self._keywords = _Texts(_having(map(_split, lines)), lines)
        self._described = _Texts(described, descriptions)
        self._words = _stripped(described)
        self._like_names = Likeness(self._named)
        self._like_keywords = Likeness(_having(keywords))
        self._row_of = lru_cache(_KEPT_WORDS)(self._score)

    def search(self, query: str, limit: int) -> list[Hit]:
        """The best tools for `query`, at most `limit`: by score falling, then by name.

        A tool's score is the mean of what each word of the query scores, or 1 if the query is its
        name. Without a word all tools score 1.
        """
        text = _lower(query[:_LONGEST_QUERY]).strip(_SPACE)
        words = _split(text)[:_MOST_WORDS]
        if not words:
            return [Hit(name, 1.0) for name in self._names[:limit]]
        named = self._named.get(text, ())
        rows = [self._row_of(word) for word in words]
        near = [n for n in self._near_the_best(rows, limit + len(named)) if n not in named]
        scores = _means(rows, near)
        best = [(number, 1.0) for number in named]
        best += [(near[place], scores[place]) for place in _greatest(scores, limit)]
        return [Hit(self._names[number], score) for number, score in best[:limit]]

    def _near_the_best(self, rows: Sequence[_Row], limit: int) -> Numbers:
        """The tools whose sums, rounded up, could be those of the best `limit`."""
        added = sum(row.wide for row in rows)
        sums = array("H", added.to_bytes(2 * len(self._names), "little"))
        if sys.byteorder == "big":
            sums.byteswap()
        rounded = sum(bool(row.like) for row in rows)
        least = max(min(nlargest(limit, sums), default=0) - rounded, 1)
        return [number for number, total in enumerate(sums) if total >= least]

    def _score(self, word: str) -> _Row:
        # A part of a name is as good as the name for looking into, and there are fewer of them.
        has_separator = _SEPARATORS.search(word)
        begins = self._whole_names if has_separator else self._name_heads
        holds = self._whole_names if has_separator else self._name_parts
        rising = (
            (_IN_DESCRIPTION, self._described.containing(word)),
            (_WORD, self._words.get(word, ())),
            (_IN_KEYWORD, self._keywords.containing(word)),
            (_IN_NAME, holds.containing(word)),
            (_KEYWORD, self._keywords.equal(word)),
            (_NAME_PART_STARTS, self._name_parts.starting(word)),
            (_NAME_PART, self._name_parts.equal(word)),
            (_NAME_STARTS, begins.starting(word)),
        )
        hundredths = bytearray(len(self._names))
        for score, numbers in rising:
            for number in numbers:
                hundredths[number] = score
        like = self._like(word, hundredths) if 0 in hundredths else {}
        for number, exact in like.items():
            hundredths[number] = ceil(exact * 100)
        wide = bytearray(2 * len(hundredths))
        wide[::2] = hundredths
        return _Row(bytes(hundredths), like, int.from_bytes(wide, "little"))

    def _like(self, word: str, hundredths: bytearray) -> dict[int, float]:
        """What the likeness of names and keywords to `word` scores where nothing else does."""
        scores: dict[int, float] = {}
        weights = ((_LIKE_NAME, self._like_names), (_LIKE_KEYWORD, self._like_keywords))
        for weight, texts in weights:
            for likeness, numbers in texts.like(word):
                for number in numbers:
                    if not hundredths[number]:
                        scores[number] = max(scores.get(number, 0), likeness * weight)
        return scores


def _lower(text: str) -> str:
    """`text` in small letters, each by itself: no final sigma, and no dot kept over a Turkish i."""
    return text.lower() if text.isascii() else text.replace("İ", "i").replace("Σ", "σ").lower()


def _having(texts_of_tools: Iterable[Iterable[str]]) -> dict[str, list[int]]:
    having: dict[str, list[int]] = {}
    for number, texts in enumerate(texts_of_tools):
        for text in texts:
            having.setdefault(text, []).append(number)
    return having


def _stripped(having: Having) -> dict[str, Numbers]:
    """The same for words without the punctuation around them."""
    found: dict[str, Numbers] = {}
    for text, numbers in having.items():
        word = text.strip(_PUNCTUATION)
        found[word] = [*found[word], *numbers] if word in found else numbers
    return found


def _greatest(scores: Sequence[float], limit: int) -> list[int]:
    """The places of the greatest scores, at most `limit`: by score falling, then by place."""
    least = min(nlargest(limit, scores), default=0)
    above = [place for place, score in enumerate(scores) if score > least]
    equal = [place for place, score in enumerate(scores) if score == least]
    return [*sorted(above, key=scores.__getitem__, reverse=True), *equal][:limit]


def _means(rows: Sequence[_Row], numbers: Numbers) -> list[float]:
    """The exact scores of some tools."""
    known: dict[tuple[int, ...], float] = {}
    liked = set().union(*(row.like for row in rows))
    scores = []
    columns = zip(*(map(row.hundredths.__getitem__, numbers) for row in rows), strict=True)
    for number, hundredths in zip(numbers, columns, strict=True):
        if number in liked:
            exact = [
                row.like.get(number, hundredth / 100)
                for row, hundredth in zip(rows, hundredths, strict=True)
            ]
            scores.append(_mean(exact))
        else:
            if hundredths not in known:
                known[hundredths] = _mean([hundredth / 100 for hundredth in hundredths])
            scores.append(known[hundredths])
    return scores


def _mean(scores: Sequence[float]) -> float:
    total = 0.0
    for score in scores:  # not by `sum`, which since Python 3.12 is more exact than the reference
        total += score
    return total / len(scores)


class _Texts:
    """Distinct texts, and which tools have each."""

    def __init__(self, having: Having, whole: Sequence[str]) -> None:
        """`whole` has each tool's texts in one, with white space between them."""
        self._whole = whole
        self._texts = sorted(having)
        self._numbers = [having[text] for text in self._texts]
        self._joined = "\n".join(self._texts)
        lengths = (len(text) + 1 for text in self._texts)
        self._starts = list(accumulate(lengths, initial=0))

    def equal(self, word: str) -> Numbers:
        place = bisect_left(self._texts, word)
        is_there = place < len(self._texts) and self._texts[place] == word
        return self._numbers[place] if is_there else ()

    def starting(self, word: str) -> Iterable[int]:
        first = bisect_left(self._texts, word)
        end = bisect_left(self._texts, word + chr(sys.maxunicode), first)
        return chain.from_iterable(self._numbers[first:end])

    def containing(self, word: str) -> Iterable[int]:
        if len(word) <= _SHORT:
            return compress(range(len(self._whole)), map(contains, self._whole, repeat(word)))
        return chain.from_iterable(self._numbers[place] for place in self._places(word))

    def _places(self, word: str) -> Iterator[int]:
        at = self._joined.find(word)
        while at >= 0:
            place = bisect_right(self._starts, at) - 1
            yield place
            at = self._joined.find(word, self._starts[place + 1])


class Likeness:
    """Texts, and which of them are like a word: 1 - Levenshtein distance / length of the longer.

    Lengths and distances are those of the UTF-8 bytes.
    """

    def __init__(self, having: Having) -> None:
        self._having = {_utf8(text): numbers for text, numbers in having.items() if text}
        by_length: dict[int, list[bytes]] = {}
        for text in self._having:
            by_length.setdefault(len(text), []).append(text)
        self._columns = [_Columns(texts) for texts in by_length.values()]

    def like(self, word: str) -> Iterator[tuple[float, Numbers]]:
        """The likenesses that are enough to count, and the tools of each."""
        written = _utf8(word)
        for columns in self._columns:
            longer = max(columns.length, len(written))
            apart = abs(columns.length - len(written))
            if 1 - apart / longer > _LEAST_LIKENESS and (most := _farthest(longer)):
                for text, distance in columns.near(written, most):
                    yield 1 - distance / longer, self._having[text]


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

    def __init__(self, texts: Sequence[bytes]) -> None:
        self._texts = texts
        self.length = len(texts[0])
        self._width = self.length + 1
        self._bottoms = int(b"1".rjust(self._width, b"0") * len(texts), 2)
        self._rows = self._bottoms * ((1 << self.length) - 1)
        self._everywhere = (1 << self._width * len(texts)) - 1
        # Reversed: the first text has the lowest bits, and its first byte the lowest of them.
        written = b"".join(text + b"\0" for text in texts)[::-1]
        self._places = {byte: _places(written, byte) & self._rows for byte in set(written)}

    def near(self, word: bytes, most: int) -> Iterator[tuple[bytes, int]]:
        """The texts at most so far from `word`, and their distances.

        `most` is less than half the longer of both lengths: numbers up to twice that fit a column.
        """
        bottoms, rows, everywhere = self._bottoms, self._rows, self._everywhere
        ends = bottoms << self.length - 1
        more, less = rows, 0  # between neighbours in a column
        distances = ends * self.length  # from the ends of the columns on, a number for each
        for byte in word:
            equal = self._places.get(byte, 0)
            diagonal = (((equal & more) + more) ^ more) | equal | less
            lost = diagonal & more  # from a column to its next state
            gained = less | ((diagonal | more) ^ everywhere)
            distances += (gained & ends) - (lost & ends)
            gained = gained << 1 | bottoms
            more = (lost << 1 | ((diagonal | gained) ^ everywhere)) & rows
            less = gained & diagonal
        # Where a distance is greater than `most`, this sum reaches the bit between columns.
        distances >>= self.length - 1
        sums = distances + bottoms * ((1 << self.length) - 1 - most)
        between = bottoms << self.length
        near = between ^ (between & sums)
        while near:
            lowest = near & -near
            near ^= lowest
            place = lowest.bit_length() // self._width - 1
            distance = distances >> place * self._width & ((1 << self._width) - 1)
            yield self._texts[place], distance


def _places(written: bytes, byte: int) -> int:
    """An integer with a bit set for each place of `byte`; the last place is the lowest bit."""
    flags = bytearray(b"0" * 256)
    flags[byte] = ord("1")
    return int(written.translate(flags), 2)
