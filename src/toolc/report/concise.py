"""Diagnostics on one line each, as compilers have written them for fifty years."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from toolc.model.diagnostic import Diagnostic
from toolc.model.document import SourceFile
from toolc.report.places import region, sentence_of
from toolc.report.summary import Summary, sentences
from toolc.report.visible import visible


def render(
    diagnostics: Collection[Diagnostic],
    sources: Mapping[str, SourceFile],
    summary: Summary | None = None,
    *,
    color: bool = False,
    prefix: str = "",
) -> str:
    """`path:line:column: severity[CODE]: message (hint)`, then the summary. `color` has no meaning here."""
    lines = [_line(diagnostic, sources, prefix) for diagnostic in diagnostics]
    if summary is not None:
        lines.extend(sentences(summary, diagnostics))
    return "".join(line + "\n" for line in lines)


def _line(diagnostic: Diagnostic, sources: Mapping[str, SourceFile], prefix: str) -> str:
    place = ""
    if diagnostic.site is not None:
        place = visible(prefix + diagnostic.site.path)
        if (found := region(diagnostic.site, sources)) is not None:
            place += f":{found.line}:{found.column}"
        place += ": "
    severity = diagnostic.severity.name.lower()
    return f"{place}{severity}[{diagnostic.code}]: {sentence_of(diagnostic)}"
