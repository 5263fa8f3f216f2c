"""Texts that a regular expression matches, as far as that can be had without solving it.

Look-arounds and anchors inside a pattern are passed over, so a text is a proposal: whoever asked for
it checks it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from random import Random
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any

LONGEST = 100_000
"""Characters and repetitions of a text that is still made."""

_WORD = ascii_lowercase + ascii_uppercase + digits + "_"
_POOL = _WORD + " -.,:;/+*!?'\"()[]{}<>@#$%&=|~^\\é"
"""What a class that only says what it is not chooses from."""

_MOST_OF_A_RANGE = 64

_CATEGORIES: dict[str, Callable[[str], bool]] = {
    "CATEGORY_DIGIT": lambda letter: letter in digits,
    "CATEGORY_NOT_DIGIT": lambda letter: letter not in digits,
    "CATEGORY_WORD": lambda letter: letter in _WORD,
    "CATEGORY_NOT_WORD": lambda letter: letter not in _WORD,
    "CATEGORY_SPACE": lambda letter: letter == " ",
    "CATEGORY_NOT_SPACE": lambda letter: letter != " ",
}

_NAMED_GROUP = re.compile(r"\(\?<(?![=!])")
"""How ECMA-262 begins a named group; Python has a `P` in it."""


class NoTextError(ValueError):
    """A pattern that cannot be read here, or whose texts are too long."""


def text_for(pattern: str, *, least: int = 0, seed: int = 0) -> str:
    """A text that `pattern` matches, probably; of at least `least` characters if that can be.

    The seed 0 takes the first of all choices, any other chooses by itself, the same each time.
    NoTextError where there is none.
    """
    try:
        parsed = import_module("re._parser").parse(_NAMED_GROUP.sub("(?P<", pattern))
    except (re.error, RecursionError, OverflowError) as error:
        raise NoTextError(str(error)) from None
    text = _Writer(seed, 0).write(parsed)
    lacking = max(least - len(text), 0 if text else 1)
    return _Writer(seed, lacking).write(parsed) if lacking else text


class _Writer:
    """Writes one text. `spare` repetitions beyond the fewest go to those that come first."""

    def __init__(self, seed: int, spare: int) -> None:
        self._random = Random(seed) if seed else None
        self._spare = spare
        self._groups: dict[int, str] = {}
        self._length = 0

    def write(self, parsed: Iterable[tuple[Any, Any]]) -> str:
        return "".join([self._part(operation.name, value) for operation, value in parsed])

    def _part(self, name: str, value: Any) -> str:
        if name == "LITERAL":
            return self._letter(chr(value))
        if name == "NOT_LITERAL":
            return self._letter([letter for letter in _POOL if letter != chr(value)])
        if name == "ANY":
            return self._letter(_POOL)
        if name == "IN":
            return self._letter(_class(value))
        if name == "BRANCH":
            return self.write(self._choice(value[1]))
        if name == "SUBPATTERN":
            written = self.write(value[3])
            if value[0] is not None:
                self._groups[value[0]] = written
            return written
        if name == "ATOMIC_GROUP":
            return self.write(value)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            return self._repeated(*value)
        if name == "GROUPREF":
            return self._groups.get(value, "")
        return ""  # anchors and look-arounds

    def _repeated(self, fewest: int, most: int, part: Any) -> str:
        more = min(self._spare, most - fewest)
        self._spare -= more
        self._pay(fewest + more)
        return "".join([self.write(part) for _ in range(fewest + more)])

    def _letter(self, letters: Sequence[str]) -> str:
        self._pay(1)
        return str(self._choice(letters))

    def _pay(self, price: int) -> None:
        self._length += price
        if self._length > LONGEST:
            raise NoTextError(f"more than {LONGEST} characters")

    def _choice(self, options: Sequence[Any]) -> Any:
        if not options:
            raise NoTextError("a class without letters")
        return options[0] if self._random is None else self._random.choice(options)


def _class(members: Sequence[tuple[Any, Any]]) -> list[str]:
    """The letters of a class that are chosen from, in its order."""
    if members and members[0][0].name == "NEGATE":
        return [letter for letter in _POOL if not _holds(members[1:], letter)]
    letters: list[str] = []
    for operation, value in members:
        if operation.name == "LITERAL":
            letters.append(chr(value))
        elif operation.name == "RANGE":
            first, last = value
            letters += map(chr, range(first, min(last, first + _MOST_OF_A_RANGE) + 1))
        else:
            letters += filter(_CATEGORIES[value.name], _POOL)
    return letters


def _holds(members: Iterable[tuple[Any, Any]], letter: str) -> bool:
    for operation, value in members:
        if operation.name == "LITERAL":
            found = letter == chr(value)
        elif operation.name == "RANGE":
            found = value[0] <= ord(letter) <= value[1]
        else:
            found = _CATEGORIES[value.name](letter)
        if found:
            return True
    return False
