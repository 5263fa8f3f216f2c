"""toolc's own ranking, for prompts as people write them: `ranking = "toolc"`.

Words that say nothing are left out, endings are cut, and a rare word counts more than a common one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from math import log
from operator import or_

from toolc_runtime.light import TYPE_CHECKING
from toolc_runtime.likeness import Likeness
from toolc_runtime.ranking import KEPT_WORDS, Hit, Searched
from toolc_runtime.tallies import Postings, make_row, near_the_best, ordered, set_of, totals

if TYPE_CHECKING:
    from toolc_runtime.tallies import Level, Tools

_NAME, _KEYWORD, _DESCRIPTION = 1.0, 0.8, 0.5
"""What a word weighs where it stands; the greatest of a tool counts."""

_ALIKE = 0.7
"""What its likeness is multiplied with where the word itself stands nowhere."""

_WHOLE_NAME = 0.1
"""How much of a score depends on how much of the tool's name is asked for."""

_LONGEST_QUERY = 2_000
"""Characters that are looked at."""

_MOST_WORDS = 50
"""Words of them that are."""

_HUMPS = re.compile("(?<=[a-z0-9])(?=[A-Z])")
_WORDS = re.compile(r"[^\W_]+")
_ENDINGS = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("s", ""))

_SAY_NOTHING = frozenset(
    """
    a about all also am an and any are as at be been but by can could did do does for from had has
    have he her here him his how i if in into is it its just let lets may me might must my need no
    not of on one only or our please shall she should so some than that the their them then there
    these they this those to up us use using want was we were what when where which who whose why
    will with would yes you your
    """.split()  # noqa: SIM905  (a list of a hundred lines is no easier to read)
)


class NaturalRanking:
    """An index of tools. To make it takes a moment, so it is made once for many searches."""

    def __init__(self, tools: Iterable[Searched]) -> None:
        found = sorted(tools)
        self._names = [tool.name for tool in found]
        self._everyone = (1 << len(found)) - 1
        self._named = Postings([tool.name.lower()] for tool in found).having
        name_stems = [{*stems(tool.name)} for tool in found]
        sizes: dict[int, list[int]] = {}
        for number, own in enumerate(name_stems):
            sizes.setdefault(len(own), []).append(number)
        self._sizes = {size: set_of(numbers) for size, numbers in sizes.items()}
        """The tools whose names have so many stems."""
        fields = (
            (_NAME, Postings(name_stems)),
            (_KEYWORD, Postings({*stems(" ".join(tool.keywords))} for tool in found)),
            (_DESCRIPTION, Postings({*stems(tool.description)} for tool in found)),
        )
        self._fields = [(weight, postings.having) for weight, postings in fields]
        self._in_names = fields[0][1].having
        self._weights_of = lru_cache(KEPT_WORDS)(self._weights)
        self._like = Likeness({stem for _, postings in fields for stem in postings.numbers})

    def search(self, query: str, limit: int) -> list[Hit]:
        """The best tools for `query`, at most `limit`: by score falling, then by name.

        A score is the share of the query's words, each as much as it is rare, that a tool has, by
        where it has them; 1 if the query is its name. Without a word all tools score 1.
        """
        query = query[:_LONGEST_QUERY].strip()
        asked = [*dict.fromkeys(telling(query))][:_MOST_WORDS]
        if not asked:
            return [Hit(name, 1.0) for name in self._names[:limit]]
        possible = 0.0
        rows = []
        for stem in asked:
            weights = self._weights_of(stem)
            number = reduce(or_, (tools for tools, _ in weights), 0).bit_count()
            rarity = log(1 + len(self._names) / max(number, 1))
            possible += rarity
            levels = ((tools, weight * rarity) for tools, weight in weights)
            rows.append(make_row(levels, self._everyone))
        named = self._named([query.lower()])
        near = near_the_best(rows, limit + named.bit_count(), self._everyone, 1 - _WHOLE_NAME)
        in_names = [((self._in_names([stem]), 1.0),) for stem in asked]
        scores: dict[float, Tools] = {1.0: named}
        for total, tools in totals((row.levels for row in rows), near & ~named).items():
            for asked_for, having in totals(in_names, tools).items():
                for size, sized in self._sizes.items():
                    whole = asked_for / max(size, 1)
                    score = total / possible * (1 - _WHOLE_NAME + _WHOLE_NAME * whole)
                    scores[score] = scores.get(score, 0) | having & sized
        return [Hit(self._names[number], score) for number, score in ordered(scores, limit)]

    def _weights(self, stem: str) -> list[Level]:
        """What the stem weighs in which tools; where it stands nowhere, as it may be misspelt, by
        those that are like it."""
        weights = [(having([stem]), weight) for weight, having in self._fields]
        if not any(tools for tools, _ in weights):
            like = self._like.like(stem)
            weights = [
                (self._having(like[likeness]), likeness * _ALIKE)
                for likeness in sorted(like, reverse=True)
            ]
        return weights

    def _having(self, some: Sequence[str]) -> Tools:
        """The tools that have one of these stems anywhere."""
        return reduce(or_, (having(some) for _, having in self._fields))


def telling(text: str) -> list[str]:
    """The stems of the words that say something; of all, where none does."""
    words = _words(text)
    return [_stem(word) for word in words if word not in _SAY_NOTHING] or list(map(_stem, words))


def stems(text: str) -> list[str]:
    """The words of a text without their endings: `createIssues` has `creat` and `issu`."""
    return [_stem(word) for word in _words(text)]


def _words(text: str) -> list[str]:
    return _WORDS.findall(_HUMPS.sub(" ", text).lower())


def _stem(word: str) -> str:
    """The same for most forms of an English word; not a word itself."""
    if len(word) <= 3 or word.endswith("ss"):
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending) + instead
            break
    word = word.removesuffix("e")
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word
