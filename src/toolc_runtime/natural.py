"""toolc's own ranking, for prompts as people write them: `ranking = "toolc"`.

Words that say nothing are left out, endings are cut, and a rare word counts more than a common one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from heapq import nsmallest
from math import log

from toolc_runtime.ranking import Hit, Likeness, Searched

_NAME, _KEYWORD, _DESCRIPTION = 1.0, 0.8, 0.5
"""What a word weighs where it stands; the greatest of a tool counts."""

_ALIKE = 0.7
"""What its likeness is multiplied with where the word itself stands nowhere."""

_WHOLE_NAME = 0.1
"""How much of a score depends on how much of the tool's name is asked for."""

_LONGEST_QUERY = 2_000
"""Characters that are looked at."""

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
        ordered = sorted(tools)
        self._names = [tool.name for tool in ordered]
        self._name_stems = [frozenset(stems(tool.name)) for tool in ordered]
        self._weights: dict[str, dict[int, float]] = {}
        for number, tool in enumerate(ordered):
            fields = (
                (_DESCRIPTION, tool.description),
                (_KEYWORD, " ".join(tool.keywords)),
                (_NAME, tool.name),
            )
            for weight, text in fields:
                for stem in stems(text):
                    self._weights.setdefault(stem, {})[number] = weight
        self._like = Likeness({stem: list(found) for stem, found in self._weights.items()})

    def search(self, query: str, limit: int) -> list[Hit]:
        """The best tools for `query`, at most `limit`: by score falling, then by name.

        A score is the share of the query's words, each as much as it is rare, that a tool has, by
        where it has them; 1 if the query is its name. Without a word all tools score 1.
        """
        query = query[:_LONGEST_QUERY].strip()
        asked = tuple(dict.fromkeys(telling(query)))
        if not asked:
            return [Hit(name, 1.0) for name in self._names[:limit]]
        scores: dict[int, float] = {}
        possible = 0.0
        for stem in asked:
            weights = self._weights.get(stem) or self._alike(stem)
            rarity = log(1 + len(self._names) / max(len(weights), 1))
            possible += rarity
            for number, weight in weights.items():
                scores[number] = scores.get(number, 0) + weight * rarity
        for number, score in scores.items():
            own = self._name_stems[number]
            whole = len(own.intersection(asked)) / max(len(own), 1)
            scores[number] = score / possible * (1 - _WHOLE_NAME + _WHOLE_NAME * whole)
        for number, name in enumerate(self._names):
            if name.lower() == query.lower():
                scores[number] = 1.0
        best = nsmallest(limit, scores.items(), key=lambda item: (-item[1], item[0]))
        return [Hit(self._names[number], score) for number, score in best]

    def _alike(self, stem: str) -> Mapping[int, float]:
        """The tools that have words like one that stands nowhere, misspelt perhaps."""
        weights: dict[int, float] = {}
        for likeness, numbers in self._like.like(stem):
            for number in numbers:
                weights[number] = max(weights.get(number, 0), likeness * _ALIKE)
        return weights


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
