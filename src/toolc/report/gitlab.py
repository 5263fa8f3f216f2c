"""Diagnostics for GitLab: a Code Quality report, which merge requests show beside the change."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from toolc.model.diagnostic import Diagnostic, Severity
from toolc.model.digest import text_sha256
from toolc.model.document import JsonObject, SourceFile
from toolc.report.places import region, sentence_of
from toolc.report.summary import Summary

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "minor", Severity.NOTE: "info"}


def render(
    diagnostics: Collection[Diagnostic],
    sources: Mapping[str, SourceFile],
    summary: Summary | None = None,
    *,
    color: bool = False,
    prefix: str = "",
) -> str:
    """A list of findings. A fingerprint depends on the code, the tool and the place in it, not on
    the line, so that a finding that moves is the same one. `color` and `summary` have no meaning
    here."""
    import json

    seen: dict[str, int] = {}
    rows = [_row(diagnostic, sources, prefix, seen) for diagnostic in diagnostics]
    return json.dumps(rows, indent=2) + "\n"


def _row(
    diagnostic: Diagnostic, sources: Mapping[str, SourceFile], prefix: str, seen: dict[str, int]
) -> JsonObject:
    path = prefix + diagnostic.path
    place = region(diagnostic.site, sources)
    about = repr((diagnostic.code, path, diagnostic.tool, diagnostic.pointer, diagnostic.message))
    number = seen[about] = seen.get(about, 0) + 1
    return {
        "description": sentence_of(diagnostic),
        "check_name": diagnostic.code,
        "fingerprint": text_sha256(f"{about}{number}"),
        "severity": _SEVERITIES[diagnostic.severity],
        "location": {"path": path, "lines": {"begin": place.line if place is not None else 1}},
    }
