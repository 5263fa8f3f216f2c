"""Whether a regular expression can be matched in so many ways that an engine never ends.

An expression becomes a machine whose steps take one character each. It backtracks without end where a
state comes back to itself in two ways on the same text: with each further round the ways double.
"""

from __future__ import annotations

import re
import warnings

from toolc.lint.lazy import expression
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_MOST_STATES = 400
"""Of a machine; a larger one is not looked into."""

_MOST_PAIRS = 20 * _MOST_STATES
"""Of states that one text leads to."""

_MOST_COPIES = 3
"""Of a part that is repeated a known number of times; more would change nothing but the size."""

_MOST_WAYS = 2_000
"""From a state on to the next character."""

_LONG = 16
"""A repetition of fewer times does no harm."""


def backtracks(pattern: str) -> bool:
    """Whether a text of some length can keep a backtracking engine busy for years: `(a+)+$`."""
    if not _may_repeat_twice(pattern):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = _parser().parse(pattern)
        machine = _Machine()
        machine.add(parsed, machine.state())
        return machine.is_ambiguous() or _repeats_alternatives(pattern)
    except _TooManyWaysError:
        return True
    except (re.error, RecursionError, OverflowError, _TooLargeError):
        return False


def _may_repeat_twice(pattern: str) -> bool:
    """A repeated group is needed; most patterns have none."""
    return _REPEATED.search(pattern) is not None


_REPEATED = expression(r"\)[*+{]")


def _parser() -> Any:
    """Python's own parser of regular expressions; it has no public name."""
    from importlib import import_module

    return import_module("re._parser")


_ONE = r"(?:\[[^\]]*\]|\\.|[^()|\\\[\]*+?{}])"
_ALTERNATIVES = expression(rf"\((?:\?:)?({_ONE}(?:\|{_ONE})+)\)[*+]")


def _repeats_alternatives(pattern: str) -> bool:
    """Whether alternatives of one character each, which Python's parser makes one set of, overlap."""
    for found in _ALTERNATIVES.finditer(pattern):
        taken: frozenset[int] = frozenset()
        for part in re.findall(_ONE, found[1]):
            ((operator, value),) = _parser().parse(part)
            letters = _letters(str(operator), value) or frozenset()
            if taken & letters:
                return True
            taken |= letters
    return False


class _TooLargeError(Exception):
    pass


class _TooManyWaysError(Exception):
    """There are far more ways to the next character than states: on the same text, then."""


class _Machine:
    """States, and the steps between them: with a character of a set, or without one."""

    def __init__(self) -> None:
        self.free: list[list[int]] = []
        """Without a character; a state twice where there are two such ways."""
        self.steps: list[list[tuple[Any, int]]] = []

    def state(self) -> int:
        if len(self.free) >= _MOST_STATES:
            raise _TooLargeError
        self.free.append([])
        self.steps.append([])
        return len(self.free) - 1

    def add(self, items: Any, start: int) -> int:
        """The state behind `items`, which begin at `start`."""
        for operator, value in items:
            start = self._add_one(str(operator), value, start)
        return start

    def _add_one(self, operator: str, value: Any, start: int) -> int:
        if operator in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            return self._repeat(start, *value)
        if operator == "SUBPATTERN":
            return self.add(value[-1], start)
        if operator == "ATOMIC_GROUP":
            return self.add(value, start)
        if operator == "BRANCH":
            end = self.state()
            for branch in value[1]:
                first = self.state()
                self.free[start].append(first)
                self.free[self.add(branch, first)].append(end)
            return end
        end = self.state()
        letters = _letters(operator, value)
        if letters is not None:
            self.steps[start].append((letters, end))
            return end
        if operator in ("ASSERT", "ASSERT_NOT"):
            self.add(value[1], self.state())
        self.free[start].append(end)
        return end

    def _repeat(self, start: int, least: int, most: int, inner: Any) -> int:
        for _ in range(min(least, _MOST_COPIES)):
            start = self.add(inner, start)
        if most <= _LONG:
            for _ in range(min(most - least, _MOST_COPIES)):
                end = self.add(inner, start)
                self.free[start].append(end)
                start = end
            return start
        loop, end = self.state(), self.state()
        self.free[start].append(loop)
        first = self.state()
        self.free[loop] += [first, end]
        self.free[self.add(inner, first)].append(loop)
        return end

    def is_ambiguous(self) -> bool:
        """Whether some state comes back to itself in two ways on one text."""
        moves = [self._moves(state) for state in range(len(self.free))]
        pairs: dict[tuple[int, int], set[tuple[int, int]]] = {}
        for state, some in enumerate(moves):
            if some:
                self._pairs_from((state, state), moves, pairs)
        return any(
            _returns_split(state, pairs) for state in range(len(moves)) if (state, state) in pairs
        )

    def _moves(self, state: int) -> list[tuple[Any, int]]:
        """The steps with a character from a state, each as often as there are ways to it."""
        found: list[tuple[Any, int]] = []
        rows: list[tuple[int, tuple[int, ...]]] = [(state, (state,))]
        seen = 0
        while rows:
            at, path = rows.pop()
            seen += 1
            if seen > _MOST_WAYS:
                raise _TooManyWaysError
            found += self.steps[at]
            # Twice, since a part that may be empty leads back to where it began.
            rows += [(to, (*path, to)) for to in self.free[at] if path.count(to) < 2]
        return found

    def _pairs_from(
        self,
        start: tuple[int, int],
        moves: list[list[tuple[Any, int]]],
        pairs: dict[tuple[int, int], set[tuple[int, int]]],
    ) -> None:
        rows = [start]
        while rows:
            pair = rows.pop()
            if pair in pairs:
                continue
            left, right = pair
            reached = set()
            for at, (letters, to) in enumerate(moves[left]):
                for other_at, (others, other) in enumerate(moves[right]):
                    if left == right and other_at < at:
                        continue
                    if left == right and at == other_at:
                        reached.add((to, to))
                    elif letters & others:
                        # Two ways to one state are as good as two states.
                        reached.add((to, other) if to != other else (to, ~other))
            pairs[pair] = reached
            if len(pairs) > _MOST_PAIRS:
                raise _TooLargeError
            rows += [(one, two) for one, two in reached if two >= 0]


def _returns_split(state: int, pairs: dict[tuple[int, int], set[tuple[int, int]]]) -> bool:
    """Whether from a state, on one text, two ways lead apart and come together in it again."""
    rows: list[tuple[tuple[int, int], bool]] = [((state, state), False)]
    seen = set()
    while rows:
        pair, is_split = rows.pop()
        for left, right in pairs.get(pair, ()):
            apart = is_split or right < 0 or left != right
            following = (left, ~right if right < 0 else right)
            if following == (state, state) and apart:
                return True
            if (following, apart) not in seen:
                seen.add((following, apart))
                rows.append((following, apart))
    return False


_SAMPLE = frozenset(range(32, 127)) | {9, 10, 13, 0xE9, 0x4E2D}
"""The characters that stand for all."""


def _letters(operator: str, value: Any) -> frozenset[int] | None:
    """The characters of the sample that an item takes; None for what takes none."""
    if operator == "LITERAL":
        return frozenset([value])
    if operator == "NOT_LITERAL":
        return _SAMPLE - {value}
    if operator == "ANY":
        return _SAMPLE - {10}
    if operator == "IN":
        return _set(value)
    if operator == "CATEGORY":
        return _category(str(value))
    return None


def _set(items: Any) -> frozenset[int]:
    taken: frozenset[int] = frozenset()
    is_negated = False
    for operator, value in items:
        name = str(operator)
        if name == "NEGATE":
            is_negated = True
        elif name == "LITERAL":
            taken |= {value}
        elif name == "RANGE":
            low, high = value
            taken |= {one for one in _SAMPLE if low <= one <= high} | {low, high}
        elif name == "CATEGORY":
            taken |= _category(str(value))
    return _SAMPLE - taken if is_negated else taken


_CLASSES = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}


def _category(name: str) -> frozenset[int]:
    words = name.split("_")
    form = re.compile(_CLASSES.get(words[-1], r"(?!)"))
    taken = frozenset(one for one in _SAMPLE if form.match(chr(one)))
    return _SAMPLE - taken if "NOT" in words else taken
