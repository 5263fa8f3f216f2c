"""Diagnostics for GitHub Actions: workflow commands, which the runner turns into annotations."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from toolc.model.diagnostic import Diagnostic, Severity
from toolc.model.document import SourceFile
from toolc.report.spoken import spoken
from toolc.report.summary import Summary, sentences
from toolc.report.visible import visible

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}

# What actions/toolkit's `core` escapes in a command's data, and besides in its properties.
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def render(
    diagnostics: Collection[Diagnostic],
    sources: Mapping[str, SourceFile],
    summary: Summary | None = None,
    *,
    color: bool = False,
    prefix: str = "",
) -> str:
    """One workflow command a diagnostic, then the summary as a plain line.

    `prefix` is the way from the workspace to the project: GitHub looks files up from there. The
    columns of a stretch of several lines are left out, as GitHub asks. `color` has no meaning here.
    """
    lines = [_command(diagnostic, sources, prefix) for diagnostic in diagnostics]
    if summary is not None:
        lines.extend(sentences(summary, diagnostics))
    return "".join(line + "\n" for line in lines)


def _command(diagnostic: Diagnostic, sources: Mapping[str, SourceFile], prefix: str) -> str:
    properties: dict[str, object] = {}
    site = diagnostic.site
    if site is not None:
        properties["file"] = visible(prefix + site.path)
        source = sources.get(site.path)
        if source is not None and site.span is not None:
            line, column = source.line_column(site.span.start)
            end_line, end_column = source.line_column(site.span.end)
            properties |= {"line": line, "endLine": end_line}
            if line == end_line:
                properties |= {"col": column, "endColumn": end_column}
    properties["title"] = f"toolc {diagnostic.code}"
    values = ",".join(
        f"{key}={str(value).translate(_PROPERTY)}" for key, value in properties.items()
    )
    parts = [spoken(diagnostic)]
    if diagnostic.site is None and diagnostic.tool:
        parts[0] = f'tool "{visible(diagnostic.tool)}": {parts[0]}'
    if diagnostic.hint:
        parts.append(visible(diagnostic.hint))
    return f"::{_COMMANDS[diagnostic.severity]} {values}::" + "\n".join(parts).translate(_DATA)
