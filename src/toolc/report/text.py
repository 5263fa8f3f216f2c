"""Diagnostics for people: the place, the message, the source line with a caret, and the hint."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Site, SourceFile, pointer_text
from toolc.report.spoken import spoken
from toolc.report.summary import Summary, sentences
from toolc.report.visible import visible, visible_character
from toolc_runtime.light import NamedTuple

_TAB = 4  # columns between tab stops
_WIDTH = 100  # code points of a source line that are shown
_BEFORE = 30  # of these, how many stand before the place where a longer line is cut

_STYLES = {
    "path": "1",
    "gutter": "34",
    "hint": "36",
    "error": "1;31",
    "warning": "1;33",
    "note": "1;36",
    "related": "34",
}
"""ANSI's Select Graphic Rendition parameters by what they are used for."""

_Paint = Callable[[str, str], str]


class _Mark(NamedTuple):
    """An underlined stretch of one source line: 1-based line, 0-based half-open columns."""

    line: int
    start: int
    end: int
    symbol: str
    style: str
    label: str


def render(
    diagnostics: Collection[Diagnostic],
    sources: Mapping[str, SourceFile],
    summary: Summary | None = None,
    *,
    color: bool = False,
    prefix: str = "",
) -> str:
    """The report as text, one block a diagnostic, in the order given.

    `sources` holds the texts to quote by path; a diagnostic whose file is missing there is shown
    without its line. `prefix` is put before every path (the way from the reader's folder to the
    project). With `color` the text holds ANSI escapes, all of them toolc's own.
    """
    paint: _Paint = _painted if color else _plain
    lines: list[str] = []
    for diagnostic in diagnostics:
        lines.extend(_diagnostic_lines(diagnostic, sources, prefix, paint))
    if summary is not None:
        lines.extend(sentences(summary, diagnostics))
    return "".join(line + "\n" for line in lines)


def _plain(text: str, style: str) -> str:
    return text


def _painted(text: str, style: str) -> str:
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def _diagnostic_lines(
    diagnostic: Diagnostic, sources: Mapping[str, SourceFile], prefix: str, paint: _Paint
) -> Iterator[str]:
    severity = diagnostic.severity.name.lower()
    label = paint(f"{severity}[{diagnostic.code}]", severity)
    yield f"{_subject(diagnostic, sources, prefix, paint)}{label}: {spoken(diagnostic)}"

    site, source = diagnostic.site, None
    if site is not None and site.span is not None:
        source = sources.get(site.path)
    marks = []
    if site is not None and source is not None:
        marks.append(_mark(source, site, "^", severity, ""))
    nearby = [
        related
        for related in diagnostic.related
        if source is not None and related.site.path == source.path and related.site.span
    ]
    if source is not None:
        marks += [_mark(source, near.site, "-", "related", near.message) for near in nearby]
    gutter = _gutter(marks)
    if source is not None:
        yield from _block(source, marks, gutter, paint)
    if diagnostic.hint:
        yield f"{gutter} {paint('=', 'gutter')} {paint(visible(diagnostic.hint), 'hint')}"
    for related in diagnostic.related:
        if related not in nearby:
            yield from _related_lines(related.message, related.site, sources, prefix, paint)


def _subject(
    diagnostic: Diagnostic, sources: Mapping[str, SourceFile], prefix: str, paint: _Paint
) -> str:
    """What the diagnostic is about, down to its colon: a place, or the tool and the way into it."""
    if diagnostic.site is not None:
        return paint(_place(diagnostic.site, sources, prefix), "path") + ": "
    words = []
    if diagnostic.tool:
        words.append(f'tool "{visible(diagnostic.tool)}"')
    if diagnostic.pointer:
        words.append(visible(pointer_text(diagnostic.pointer)))
    return paint(" ".join(words), "path") + ": " if words else ""


def _place(site: Site, sources: Mapping[str, SourceFile], prefix: str) -> str:
    """`path:line:column`, or the path alone where there is no text to count in."""
    path = visible(prefix + site.path)
    source = sources.get(site.path)
    if site.span is None or source is None:
        return path
    line, column = source.line_column(site.span.start)
    return f"{path}:{line}:{column}"


def _related_lines(
    message: str, site: Site, sources: Mapping[str, SourceFile], prefix: str, paint: _Paint
) -> Iterator[str]:
    place = paint(_place(site, sources, prefix), "path")
    yield f"{place}: {paint('note', 'note')}: {visible(message)}"
    source = sources.get(site.path)
    if source is not None and site.span is not None:
        marks = [_mark(source, site, "-", "related", "")]
        yield from _block(source, marks, _gutter(marks), paint)


def _mark(source: SourceFile, site: Site, symbol: str, style: str, label: str) -> _Mark:
    """The first line of `site`'s stretch; a stretch of many lines is underlined to its line's end."""
    assert site.span is not None
    line, column = source.line_column(site.span.start)
    start = column - 1
    length = len(source.line_text(line))
    end = min(start + site.span.end - site.span.start, max(length, start))
    return _Mark(line, start, end, symbol, style, label)


def _gutter(marks: Iterable[_Mark]) -> str:
    return " " * max((len(str(mark.line)) for mark in marks), default=1)


def _block(source: SourceFile, marks: Iterable[_Mark], gutter: str, paint: _Paint) -> Iterator[str]:
    """The lines of `marks` in the order of the file, each with its underlining below it."""
    bar = paint("|", "gutter")
    yield f"{gutter} {bar}"
    shown: tuple[int, str] | None = None
    for mark in sorted(marks, key=lambda mark: (mark.line, mark.start)):
        text, before, width = _excerpt(source.line_text(mark.line), mark.start, mark.end)
        if shown != (mark.line, text):
            shown = (mark.line, text)
            number = paint(str(mark.line).rjust(len(gutter)), "gutter")
            yield f"{number} {bar} {text}".rstrip()
        underline = mark.symbol * max(width, 1)
        if mark.label:
            underline += f" {visible(mark.label)}"
        yield f"{gutter} {bar} {' ' * before}{paint(underline, mark.style)}"


def _excerpt(line: str, start: int, end: int) -> tuple[str, int, int]:
    """A source line as it is shown, and where `line[start:end]` stands in it, in columns.

    Answers (text, columns before the stretch, columns of the stretch). A line longer than
    `_WIDTH` is cut to a window around the stretch.
    """
    first, last = 0, len(line)
    if last > _WIDTH:
        first = max(0, min(start - _BEFORE, last - _WIDTH))
        last = first + _WIDTH
    cells = ["…"] if first else []
    column = len(cells)
    before = after = None
    for index in range(first, last):
        if index == start:
            before = column
        if index == end:
            after = column
        shown, width = _cell(line[index], column)
        cells.append(shown)
        column += width
    before = column if before is None else before
    after = column if after is None else after
    if last < len(line):
        cells.append("…")
    return "".join(cells), before, after - before


def _cell(character: str, column: int) -> tuple[str, int]:
    """One character as it is shown at `column`, and how many columns it takes there."""
    if character == "\t":
        width = _TAB - column % _TAB
        return " " * width, width
    if not character.isprintable():
        shown = visible_character(character)
        return shown, len(shown)
    if character.isascii():
        return character, 1

    import unicodedata

    if unicodedata.category(character) in ("Mn", "Me"):
        return character, 0
    return character, 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
