"""How `tool_search` ranks: the scores of the Go reference, of thousands of tools at once.

What a word scores is looked up in the distinct texts of all tools. Of several words the hundredths are
added for all tools at once; only for the tools that come near the best sums are they then added as the
reference adds them, in floats.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import repeat
from operator import add, contains

from toolc_runtime.light import TYPE_CHECKING, NamedTuple
from toolc_runtime.likeness import Likeness
from toolc_runtime.tallies import (
    Postings,
    make_row,
    near_the_best,
    numbers_in,
    ordered,
    set_of,
    set_where,
    totals,
)

if TYPE_CHECKING:
    from toolc_runtime.tallies import Level, Row, Tools

_NAME_STARTS = 0.95
_NAME_PART = 0.92
_NAME_PART_STARTS = 0.9
_KEYWORD = 0.85
_IN_NAME = 0.8
_IN_KEYWORD = 0.7
_WORD = 0.6
_IN_DESCRIPTION = 0.5

_LIKE_NAME = 0.7
"""What a likeness between a word and a name is multiplied with; below, one to a keyword."""
_LIKE_KEYWORD = 0.6

# Go's unicode.IsSpace: Python's own notion also holds U+001C to U+001F.
_SPACE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B)))
_SPACE += "\u2028\u2029\u202f\u205f\u3000"
_split = re.compile(f"[^{_SPACE}]+").findall

_SEPARATORS = re.compile("[_-]")
_PUNCTUATION = ".,;:!?()[]{}\"'"

_LONGEST_QUERY = 2_000
"""Characters that are looked at."""

_MOST_WORDS = 50
"""Words of them that are."""

KEPT_WORDS = 256
"""Words whose scores are kept: most words of natural language come again and again."""

_KNOWN_WORDS = 100
"""The commonest words of the descriptions, whose scores are made with the index: queries have them too,
and to look up `in` or `to` takes the longest."""

_AT_ONCE = 100
"""Texts with a word whose tools are looked up before it is asked how many are left."""


class Searched(NamedTuple):
    """What a search looks at of a tool."""

    name: str
    description: str = ""
    keywords: tuple[str, ...] = ()


class Hit(NamedTuple):
    name: str
    score: float
    """Above 0, up to 1."""


class Ranking:
    """An index of tools. To make it takes a moment, so it is made once for many searches."""

    def __init__(self, tools: Iterable[Searched]) -> None:
        found = sorted(tools)
        self._names = [tool.name for tool in found]
        self._everyone = (1 << len(found)) - 1
        self._lower_names = [_lower(tool.name) for tool in found]
        descriptions = [_lower(tool.description) for tool in found]
        keywords = [[_lower(keyword) for keyword in tool.keywords] for tool in found]
        parts = [_SEPARATORS.split(name) for name in self._lower_names]
        lines = ["\n".join(row) for row in keywords]
        names = Postings([name] for name in self._lower_names)
        self._named = names.having
        self._name_heads = _Texts((row[:1] for row in parts), self._lower_names)
        self._name_parts = _Texts(parts, self._lower_names)
        self._keywords = _Texts(map(_split, lines), lines)
        self._described = _Texts(map(_split, descriptions), descriptions)
        whole_keywords = Postings(keywords)
        self._likenesses = (
            (_LIKE_NAME, Likeness(names.numbers), names.having),
            (_LIKE_KEYWORD, Likeness(whole_keywords.numbers), whole_keywords.having),
        )
        self._row_of = lru_cache(KEPT_WORDS)(self._score)
        for word in self._described.commonest[:_KNOWN_WORDS]:
            self._row_of(word)

    def search(self, query: str, limit: int) -> list[Hit]:
        """The best tools for `query`, at most `limit`: by score falling, then by name.

        A tool's score is the mean of what each word of the query scores, or 1 if the query is its
        name. Without a word all tools score 1.
        """
        text = _lower(query[:_LONGEST_QUERY]).strip(_SPACE)
        words = _split(text)[:_MOST_WORDS]
        if not words:
            return [Hit(name, 1.0) for name in self._names[:limit]]
        named = self._named([text])
        rows = [self._row_of(word) for word in words]
        near = near_the_best(rows, limit + named.bit_count(), self._everyone)
        means: dict[float, Tools] = {1.0: named}
        for total, tools in totals((row.levels for row in rows), near & ~named).items():
            mean = total / len(words)
            means[mean] = means.get(mean, 0) | tools
        return [Hit(self._names[number], score) for number, score in ordered(means, limit)]

    def _score(self, word: str) -> Row:
        return make_row(self._levels(word), self._everyone)

    def _levels(self, word: str) -> Iterator[Level]:
        """The scores of the tools with the word, falling, then of those with something like it."""
        names, keywords, described = self._name_parts, self._keywords, self._described
        if _SEPARATORS.search(word):
            holding = self._names_with(word)
            starts = [at for at in holding if self._lower_names[at].startswith(word)]
            yield set_of(starts), _NAME_STARTS
            in_name = set_of(holding)
        else:
            yield self._name_heads.starting(word), _NAME_STARTS
            yield names.equal(word), _NAME_PART
            yield names.starting(word), _NAME_PART_STARTS
            in_name = names.containing(word)
        yield keywords.equal(word), _KEYWORD
        yield in_name, _IN_NAME
        yield keywords.containing(word), _IN_KEYWORD
        yield described.said(word), _WORD
        yield described.containing(word), _IN_DESCRIPTION
        like: dict[float, Tools] = {}
        for weight, texts, having in self._likenesses:
            for likeness, found in texts.like(word).items():
                score = likeness * weight
                like[score] = like.get(score, 0) | having(found)
        for score in sorted(like, reverse=True):
            yield like[score], score

    def _names_with(self, word: str) -> list[int]:
        """The tools whose names contain a word that has a separator."""
        possible = self._everyone
        for part in filter(None, _SEPARATORS.split(word)):
            possible &= self._name_parts.containing(part)
        return [number for number in numbers_in(possible) if word in self._lower_names[number]]


def _lower(text: str) -> str:
    """`text` in small letters, each by itself: no final sigma, and no dot kept over a Turkish i."""
    return text.lower() if text.isascii() else text.replace("İ", "i").replace("Σ", "σ").lower()


class _Texts:
    """The distinct texts of tools, without white space, and which tools have each."""

    def __init__(self, texts_of_tools: Iterable[Iterable[str]], whole: Sequence[str]) -> None:
        """`whole` has each tool's texts in one, with something between them that is in none."""
        self._whole = whole
        self._everyone = (1 << len(whole)) - 1
        postings = Postings(texts_of_tools)
        self._having = postings.having
        self._sorted = sorted(postings.numbers)
        self.commonest = sorted(
            self._sorted, key=lambda text: len(postings.numbers[text]), reverse=True
        )
        self._bare: dict[str, list[str]] = {}
        """The texts by what they are without the punctuation around them."""
        self._with: dict[str, list[str]] = defaultdict(list)
        """The texts that have two letters in a row, those of most tools first."""
        for text in self.commonest:
            self._bare.setdefault(text.strip(_PUNCTUATION), []).append(text)
            for pair in {*map(add, text, text[1:])}:
                self._with[pair].append(text)

    def equal(self, word: str) -> Tools:
        return self._having([word])

    def starting(self, word: str) -> Tools:
        first = bisect_left(self._sorted, word)
        end = bisect_left(self._sorted, word + "\U0010ffff", first)
        return self._having(self._sorted[first:end])

    def said(self, word: str) -> Tools:
        """Those that have the word, whatever punctuation stands around it."""
        return self._having(self._bare.get(word, ()))

    def containing(self, word: str) -> Tools:
        if len(word) == 1 and len(self.commonest) > len(self._whole):
            return set_where(map(contains, self._whole, repeat(word)))
        texts = self._texts_with(word)
        found = 0
        for end in range(_AT_ONCE, len(texts) + _AT_ONCE, _AT_ONCE):
            found |= self._having(texts[end - _AT_ONCE : end])
            left = found ^ self._everyone
            if left.bit_count() < len(texts) - end:
                # Fewer tools than texts are left: look into them instead.
                whole = self._whole
                others = [number for number in numbers_in(left) if word in whole[number]]
                return found | set_of(others)
        return found

    def _texts_with(self, word: str) -> list[str]:
        pairs = [*map(add, word, word[1:])]
        texts = min((self._with.get(pair, []) for pair in pairs), key=len, default=self.commonest)
        return texts if len(word) == 2 else [text for text in texts if word in text]
