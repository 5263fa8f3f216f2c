"""A diagnostic's place, as machines want it."""

from __future__ import annotations

from collections.abc import Mapping

from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Site, SourceFile
from toolc.report.spoken import spoken
from toolc.report.visible import visible
from toolc_runtime.light import NamedTuple


class Region(NamedTuple):
    """1-based lines and columns, in code points; the end is behind the last one."""

    line: int
    column: int
    end_line: int
    end_column: int


def region(site: Site | None, sources: Mapping[str, SourceFile]) -> Region | None:
    """Where in its file a place is; None where that is not known."""
    source = None if site is None else sources.get(site.path)
    if site is None or site.span is None or source is None:
        return None
    return Region(*source.line_column(site.span.start), *source.line_column(site.span.end))


def sentence_of(diagnostic: Diagnostic) -> str:
    """The message, and what to do about it, on one line."""
    about = (
        f'tool "{visible(diagnostic.tool)}": ' if not diagnostic.site and diagnostic.tool else ""
    )
    hint = f" ({visible(diagnostic.hint)})" if diagnostic.hint else ""
    return f"{about}{spoken(diagnostic)}{hint}"
