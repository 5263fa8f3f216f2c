"""Diagnostics for programs: one JSON object."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from toolc.model.diagnostic import Diagnostic, Related, Severity
from toolc.model.document import JsonObject, Site, SourceFile, pointer_text
from toolc.model.fix import Fix
from toolc.report.places import region
from toolc.report.summary import Summary, tally


def render(
    diagnostics: Collection[Diagnostic],
    sources: Mapping[str, SourceFile],
    summary: Summary | None = None,
    *,
    color: bool = False,
    prefix: str = "",
) -> str:
    """`{"diagnostics": […], "summary": {…} | null}`, indented, in ASCII, with a line end.

    Lines and columns are 1-based and count code points; `endColumn` is the column behind the
    last one. What is not known is null, as after an error the number of changed tools is.
    `pointer` is RFC 6901's. `fix` says what `toolc lint --fix` would do, or, where it is not safe,
    `--unsafe-fixes`. `color` has no meaning here.
    """
    import json

    report = {
        "diagnostics": [diagnostic_row(diagnostic, sources, prefix) for diagnostic in diagnostics],
        "summary": None if summary is None else _summary(summary, diagnostics),
    }
    return json.dumps(report, indent=2) + "\n"


def diagnostic_row(
    diagnostic: Diagnostic, sources: Mapping[str, SourceFile], prefix: str
) -> JsonObject:
    """One diagnostic, as `render` describes it."""
    pointer = diagnostic.pointer
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.name.lower(),
        "message": diagnostic.message,
        **_place(diagnostic.site, sources, prefix),
        "tool": diagnostic.tool or None,
        "pointer": None if pointer is None else pointer_text(pointer),
        "hint": diagnostic.hint or None,
        "related": [_related(related, sources, prefix) for related in diagnostic.related],
        "fix": None if diagnostic.fix is None else _fix(diagnostic.fix),
    }


def _related(related: Related, sources: Mapping[str, SourceFile], prefix: str) -> JsonObject:
    return {"message": related.message, **_place(related.site, sources, prefix)}


def _fix(fix: Fix) -> JsonObject:
    return {"title": fix.title, "safe": fix.is_safe}


def _place(site: Site | None, sources: Mapping[str, SourceFile], prefix: str) -> JsonObject:
    found = region(site, sources)
    line, column, end_line, end_column = found if found is not None else (None,) * 4
    return {
        "path": None if site is None else prefix + site.path,
        "line": line,
        "column": column,
        "endLine": end_line,
        "endColumn": end_column,
    }


def _summary(summary: Summary, diagnostics: Collection[Diagnostic]) -> JsonObject:
    figures = tally(diagnostics)
    compared = summary.verb in ("wrote", "would write") and not figures[Severity.ERROR]
    written = len(summary.created) + len(summary.updated) if summary.verb == "wrote" else 0
    return {
        "tools": summary.tools,
        "files": summary.files,
        **{f"{severity.name.lower()}s": number for severity, number in figures.items()},
        "changed": summary.changed if compared else None,
        "unchanged": summary.tools - summary.changed if compared else None,
        "written": written,
        "created": list(summary.created),
        "updated": list(summary.updated),
        "deleted": list(summary.deleted),
        "kept": list(summary.kept),
        "prompts": summary.prompts,
        "promptsFirst": summary.prompts_first,
        "milliseconds": summary.milliseconds,
    }
