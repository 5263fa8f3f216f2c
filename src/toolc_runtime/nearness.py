"""How near two names are: which one may have been meant, and which one can only have been meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from heapq import nlargest

_LONGEST_NAME = 64
"""Characters of a name that are compared."""

_MOST_COMPARED = 20
"""Names that are compared letter by letter: those that share the most with the one that was given."""

_LIKE = 0.45
"""The likeness from which on two names have something to do with each other."""

_MEANT = 0.6
"""The likeness from which on the one may have been meant by the other."""

_SHORTEST_WORD = 3
"""Letters of a word in which one wrong letter leaves no doubt."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")


def nearest(name: str, known: Iterable[str], *, most: int = 5, least: float = _LIKE) -> list[str]:
    """At most `most` of the names in `known` that are like `name`, the likest first.

    They are so by their letters, whatever their case and their `_` and `-`, or by the words that
    both have. Ten thousand names take some hundredths of a second.
    """
    wanted = f"^{_fold(name[:_LONGEST_NAME])}$"
    pairs = {wanted[at : at + 2] for at in range(len(wanted) - 1)}

    def shared(other: str) -> float:
        folded = f"^{_fold(other)}$"
        return sum([pair in folded for pair in pairs]) / (len(pairs) + len(folded))

    promising = nlargest(_MOST_COMPARED, known, key=shared)
    rows = sorted((-likeness(name, other), other) for other in promising)
    return [other for score, other in rows[:most] if -score >= least]


def likely(name: str, known: Iterable[str]) -> str | None:
    """The one of `known` that may have been meant by `name`."""
    near = nearest(name, known, most=1, least=_MEANT)
    return near[0] if near else None


def likeness(name: str, other: str) -> float:
    """1 for names that differ in case, `_` and `-` only, 0 for those that have nothing in common."""
    name, other = name[:_LONGEST_NAME], other[:_LONGEST_NAME]
    one, two = _fold(name), _fold(other)
    if one == two:
        return 1.0
    by_letters = 1 - edit_distance(one, two) / max(len(one), len(two))
    return max(by_letters, 0.95 * _shared_words(_words(name), _words(other)))


def is_slip(name: str, other: str) -> bool:
    """Whether `name` is `other` but for case, `_` and `-`, or but for one edit.

    An edit counts in a word of three letters or more, and never in a number: `min_x` is another
    name than `min_y`, and `line1` than `line2`.
    """
    if _fold(name) == _fold(other):
        return True
    if not _is_one_edit(name, other):
        return False
    mine, others = _words(name), _words(other)
    differing = [pair for pair in zip(mine, others, strict=False) if pair[0] != pair[1]]
    return (
        len(mine) == len(others)
        and len(differing) == 1
        and all(word.isalpha() and len(word) >= _SHORTEST_WORD for word in differing[0])
    )


def edit_distance(one: str, two: str) -> int:
    """How many letters to add, drop, replace, or change places with the next, from `one` to `two`."""
    before: list[int] = []
    last = list(range(len(two) + 1))
    for row, letter in enumerate(one, 1):
        current = [row]
        for column, other in enumerate(two, 1):
            cost = min(last[column] + 1, current[-1] + 1, last[column - 1] + (letter != other))
            if before and column > 1 and letter == two[column - 2] and one[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        before, last = last, current
    return last[-1]


def _is_one_edit(one: str, two: str) -> bool:
    """Whether their distance is 1; told from where they first differ, and so without comparing all."""
    if one == two or abs(len(one) - len(two)) > 1:
        return False
    same = 0
    while one[same : same + 1] == two[same : same + 1]:
        same += 1
    rest, other = one[same:], two[same:]
    return (
        rest[1:] == other[1:]
        or rest[1:] == other
        or rest == other[1:]
        or (rest[1::-1] == other[:2] and rest[2:] == other[2:])
    )


def _fold(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def _words(name: str) -> list[str]:
    """`findNotes`, `find_notes` and `find-notes` are `find` and `notes`."""
    return [word.lower() for word in _WORD.findall(name)]


def _shared_words(one: Sequence[str], two: Sequence[str]) -> float:
    """The part of their letters that two names have in words that both have."""
    letters = sum(map(len, {*one})) + sum(map(len, {*two}))
    return 2 * sum(map(len, {*one} & {*two})) / letters if letters else 0.0
