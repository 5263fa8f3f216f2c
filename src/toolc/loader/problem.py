"""What a loader has to say about a text: offsets only, so that it needs no file."""

from __future__ import annotations

from collections.abc import Iterable

from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic, Related
from toolc.model.document import Pointer, Site, Span, pointer_text
from toolc_runtime.light import NamedTuple

_SHOWN = 60


class Duplicate(NamedTuple):
    """A key's name, where it stands first and again, and the way to it."""

    name: str
    first: Span
    second: Span
    pointer: Pointer


class Problem(NamedTuple):
    """One finding in a text; `related` are other stretches of it, each with what it is."""

    code: str
    message: str
    span: Span
    hint: str = ""
    related: tuple[tuple[str, Span], ...] = ()
    pointer: Pointer | None = None


def to_diagnostics(problems: Iterable[Problem], path: str) -> tuple[Diagnostic, ...]:
    """The findings in the text of the file at `path`, in their order."""
    return tuple(
        Diagnostic(
            problem.code,
            CODES[problem.code].severity,
            problem.message,
            Site(path, problem.span),
            problem.hint,
            tuple(Related(message, Site(path, span)) for message, span in problem.related),
            pointer=problem.pointer,
        )
        for problem in problems
    )


def file_problem(code: str, path: str, message: str, hint: str = "") -> Diagnostic:
    """A finding about a file as a whole, or about one that has no text to point into."""
    return Diagnostic(code, CODES[code].severity, message, Site(path), hint)


def duplicate_key(name: str, first: Span, second: Span, pointer: Pointer | None = None) -> Problem:
    """A key that stands twice in one table, object or mapping: the same words in every notation."""
    return Problem(
        "L105",
        f"the key {quoted(name)} stands twice",
        second,
        "keep one of the two",
        (("it stands here first", first),),
        pointer,
    )


def quoted(text: str) -> str:
    """`text` in double quotes, on one line and shortened: for messages and hints, never for code."""
    return '"' + shown(text.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def shown(text: str) -> str:
    """`text` as it stands, on one line and shortened: a number or a word of the author's."""
    if len(text) > _SHOWN:
        text = text[: _SHOWN - 1] + "…"
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else _escape(character) for character in text
    )


def _escape(character: str) -> str:
    return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(character, f"\\u{ord(character):04x}")


def pointer_name(pointer: Pointer) -> str:
    """`pointer` in a message: `/parameters/0/name`, or "the root"."""
    return shown(pointer_text(pointer)) or "the root"


def character_name(character: str) -> str:
    """`U+0007` for what cannot be shown, the character in quotes otherwise."""
    if character.isprintable() and not character.isspace():
        return f'"{character}"'
    return f"U+{ord(character):04X}"
