"""What authors have decided to keep as it is: comments in TOML and YAML, a key in JSON.

`# toolc: ignore[D202] the name says it all` behind a value, or on a line of its own above, has the rules
that it names say nothing of what begins on that line, nor of a value of several lines that ends there.
In JSON, which has no comments, an object can hold `"x-toolc-ignore": ["D202"]`, one code, or the codes
with reasons, for all that is in it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence

from toolc.edits import line_around, remove_lines
from toolc.lint.lazy import expression
from toolc.lint.rule import Kind, Rule
from toolc.model.diagnostic import Diagnostic, Severity
from toolc.model.document import Document, Site, SourceFile, Span
from toolc.model.fix import Cut, Fix, Remove, Step
from toolc_runtime.light import NamedTuple

KEY = "x-toolc-ignore"

UNUSED = Rule(
    "D001",
    "unused-suppression",
    Kind.DESIGN,
    Severity.WARNING,
    "a suppression that suppresses nothing",
    "It hides what may be wrong there tomorrow.",
    wrong='# toolc: ignore[D201] it has none\ndescription = "Find notes that contain a word"\n',
    right='description = "Find notes that contain a word"\n',
)

_COMMENT = expression(r"#[ \t]*toolc:[ \t]*ignore\b(?:\[([^\]\n]*)\])?")
_OWN_CODE = expression(r"[A-Z]{2,}\d+")
"""A code of rules that toolc does not have: a project's own."""
_NEXT = expression(r"[ \t]*(?:#[ \t]*toolc:|\r?\n|\Z)")


class Suppression(NamedTuple):
    """A rule that says nothing about a stretch of a file."""

    code: str
    """Empty where none is named."""
    covered: Span
    """Findings that begin in it are meant."""
    site: Site
    """Where the code is written."""
    without: Fix | None = None
    """What takes it away."""


TAKE_AWAY = Fix("take the suppression away", (), is_safe=True, keeps_tools=True)
"""The fix of an unused suppression; its steps are those of the suppression."""


def may_suppress(text: str) -> bool:
    """Whether a look for suppressions in a file can find any; most files have none."""
    return "toolc:" in text or KEY in text


def find_suppressions(document: Document) -> tuple[Suppression, ...]:
    """All suppressions of a document, in the order of their places."""
    if document.source is None:
        return ()
    if document.source.path.endswith(".json"):
        return tuple(_keys(document, document.source))
    if "toolc:" not in document.source.text:
        return ()
    return tuple(_comments(document, document.source))


def without_suppressed(
    found: Iterable[Diagnostic], documents: Iterable[Document | None], asked: Collection[str]
) -> tuple[Diagnostic, ...]:
    """What is left of the findings in some documents, and what is said of their suppressions."""
    by_path = {
        document.source.path: find_suppressions(document)
        for document in documents
        if document is not None and document.source is not None
    }
    of_path: dict[str, list[Diagnostic]] = {path: [] for path, rows in by_path.items() if rows}
    kept: list[Diagnostic] = []
    for one in found:
        of_path.get(one.path, kept).append(one)
    for path, some in of_path.items():
        kept += apply(some, by_path[path], asked)
    return tuple(kept)


def apply(
    found: Iterable[Diagnostic], suppressions: Sequence[Suppression], asked: Collection[str]
) -> tuple[Diagnostic, ...]:
    """What is left of the findings of one file, and a finding for each suppression without effect.

    `asked` are the codes of the rules that have spoken: of others nobody knows whether they would.
    Without UNUSED among them nothing is said of suppressions.
    """
    if UNUSED.code not in asked:
        asked = ()
    used: set[int] = set()
    kept = []
    for one in found:
        start = one.site.span.start if one.site is not None and one.site.span is not None else -1
        covering = [
            at
            for at, row in enumerate(suppressions)
            if row.code == one.code and row.covered.start <= start < row.covered.end
        ]
        used.update(covering)
        if not covering:
            kept.append(one)
    unused = [
        Diagnostic(
            UNUSED.code,
            UNUSED.severity,
            *said,
            # What nobody knows may be a slip of the pen.
            fix=row.without if row.code in asked else None,
        )
        for at, row in enumerate(suppressions)
        if at not in used and asked and (said := _of_no_use(row, asked)) is not None
    ]
    return (*kept, *unused)


def _of_no_use(row: Suppression, asked: Collection[str]) -> tuple[str, Site, str] | None:
    """What is to be said of a suppression without effect, and where; None where nobody can tell."""
    if row.code in asked:
        return f"nothing here is found by {row.code}", row.site, "take the suppression away"
    if not row.code:
        hint = "write the codes into brackets: `# toolc: ignore[D204]`"
        return "the suppression names no rule", row.site, hint
    if _OWN_CODE.fullmatch(row.code) or is_code(row.code):
        return None
    hint = "rules are named by their codes here; `toolc explain` lists them"
    return f'no rule has the code "{row.code}"', row.site, hint


def is_code(text: str) -> bool:
    """Whether toolc says anything under a code."""
    from toolc.lint.table import BY_CODE  # which has UNUSED of here
    from toolc.model.codes import CODES

    return text in BY_CODE or text in CODES


def _comments(document: Document, source: SourceFile) -> Iterator[Suppression]:
    strings = _string_starts(document)
    for found in _COMMENT.finditer(source.text):
        at = bisect_right(strings, (found.start(), len(source.text))) - 1
        if at >= 0 and strings[at][0] <= found.start() < strings[at][1]:
            continue  # it is part of a text, which is no place for an author to decide anything
        covered = _covered(document, source, found.start())
        codes = [*re.finditer(r"[\w-]+", found[1] or "")]
        if not codes:
            site = Site(source.path, Span(found.start(), found.end()))
            step = Cut(_cut_comment(source.text, found))
            yield Suppression("", covered, site, _without(source, step))
        for code in codes:
            start = found.start(1) + code.start()
            site = Site(source.path, Span(start, start + len(code[0])))
            whole = len(codes) == 1
            cut = _cut_comment(source.text, found) if whole else _cut_code(found, code)
            yield Suppression(code[0], covered, site, _without(source, Cut(cut)))


def _without(source: SourceFile, step: Step) -> Fix:
    return TAKE_AWAY._replace(steps=(step,), path=source.path)


def _cut_code(comment: re.Match[str], code: re.Match[str]) -> Span:
    """One of a comment's codes, with the comma that it needs no more."""
    start = comment.start(1)
    behind = re.compile(r"\s*,\s*").match(comment[1], code.end())
    if behind is not None:
        return Span(start + code.start(), start + behind.end())
    before = re.search(r"[\s,]*\Z", comment[1][: code.start()])
    return Span(start + (before.start() if before else code.start()), start + code.end())


def _cut_comment(text: str, comment: re.Match[str]) -> Span:
    """A suppression with its reason and the blanks before it; with its line where it has one of its
    own."""
    following = _NEXT.search(text, comment.end())
    end = len(text) if following is None else following.start()
    first, line_end = line_around(text, comment.start())
    before = text[first : comment.start()]
    if end < line_end and text[end:line_end].strip():
        return Span(
            comment.start(), end + len(text[end:line_end]) - len(text[end:line_end].lstrip())
        )
    if before.strip():
        return Span(first + len(before.rstrip()), line_end)
    return remove_lines(text, first, line_end).span


def _string_starts(document: Document) -> list[tuple[int, int]]:
    """The spans of all texts and keys of a document, sorted."""
    spans: set[tuple[int, int]] = set()
    for pointer, place in document.places.items():
        if place.key is not None:
            spans.add((place.key.start, place.key.end))
        value = document.value
        try:
            for part in pointer:
                value = value[part]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            continue
        if isinstance(value, str):
            spans.add((place.value.start, place.value.end))
    return sorted(spans)


def _covered(document: Document, source: SourceFile, start: int) -> Span:
    """The line of a comment, and a value of several lines in front of it; with the next line that
    says something, where it stands alone."""
    text = source.text
    first = text.rfind("\n", 0, start) + 1
    end = text.find("\n", start)
    end = len(text) if end < 0 else end + 1
    if text[first:start].strip():
        return Span(_start_of_value(document, text, first, start), end)
    while end < len(text):
        following = text.find("\n", end)
        following = len(text) if following < 0 else following + 1
        line = text[end:following].strip()
        end = following
        if line and not line.startswith("#"):
            break
    return Span(first, end)


_CLOSED = {'"': '"', "'": "'", "[": "]", "{": "}"}


def _start_of_value(document: Document, text: str, line: int, comment: int) -> int:
    """Where the value begins that ends right before a comment; the line, if it begins there."""
    end = len(text[:comment].rstrip(" \t,"))
    if text[end - 1] not in _CLOSED.values():
        return line
    starts = [
        place.value.start
        for place in document.places.values()
        if place.value.end == end and _CLOSED.get(text[place.value.start]) == text[end - 1]
    ]
    return min((line, *starts))


def _keys(document: Document, source: SourceFile) -> Iterator[Suppression]:
    if f'"{KEY}"' not in source.text:
        return
    for pointer, place in document.places.items():
        if not pointer or pointer[-1] != KEY:
            continue
        holder = document.places[pointer[:-1]].value
        value = document.value
        for part in pointer:
            value = value[part]  # type: ignore[index]
        codes = [value] if isinstance(value, str) else value
        for at, code in enumerate(codes if isinstance(codes, (list, dict)) else ()):
            way = (*pointer, at) if isinstance(codes, list) else (*pointer, str(code))
            shown = document.places.get(way, place).value
            if isinstance(code, str):
                without = Remove(
                    way if isinstance(value, (list, dict)) and len(value) > 1 else pointer
                )
                site = Site(source.path, shown)
                yield Suppression(code, holder, site, _without(source, without))
