"""Syntax errors in the words of somebody who writes a tool definition.

Each notation has a table of signs: what its parser says and what stands at the place decide the
words. The modules with the tables are imported when a text is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from toolc.loader.limits import offset_span
from toolc.loader.problem import Problem, character_name, quoted, shown
from toolc.model.document import Span

ALONE = r"(?=[ \t]*(?:[,\]}#\r\n]|$))"
"""Behind a word that is the whole of a value."""


def behind_text(quote: str) -> str:
    """The pattern of what stands behind a text in quotes that one inside it has ended too early.

    A letter right behind it, as in `'reader's'`; or anything, as in `'readers' books'`, where one
    more quote follows on the line.
    """
    rest = rf"[^{quote}\r\n]+{quote}[^{quote}\r\n]*(?=[\r\n]|\Z)"
    return rf"(?<={quote})\w[^\r\n]*|(?:(?<={quote})|(?<={quote} )){rest}"


class Sign(NamedTuple):
    """One row: two patterns, and what to say where both match.

    In `message` and `hint`, {0} is what `stands` matched, {1} the same in quotes, and {2} the name
    of the character at the place.
    """

    says: str
    stands: str
    message: str
    hint: str
    code: str = "L104"


def read_sign(signs: Iterable[Sign], said: str, text: str, offset: int) -> Problem | None:
    """What the first sign that fits has to say about `offset`; None where none does."""
    for sign in signs:
        if re.search(sign.says, said) is None:
            continue
        match = re.compile(sign.stands, re.DOTALL).match(text, offset)
        if match is None:
            continue
        character = character_name(text[offset]) if offset < len(text) else "the end"
        words = (shown(match[0]), quoted(match[0]), character)
        span = Span(*match.span()) if match[0].strip() else offset_span(text, offset)
        return Problem(sign.code, sign.message.format(*words), span, sign.hint.format(*words))
    return None
