"""Diagnostics as SARIF 2.1.0, which GitHub's code scanning and most viewers of findings read."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic, Severity
from toolc.model.digest import text_sha256
from toolc.model.document import JsonObject, JsonValue, Site, SourceFile
from toolc.report.places import region, sentence_of
from toolc.report.spoken import spoken
from toolc.report.summary import Summary

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(
    diagnostics: Collection[Diagnostic],
    sources: Mapping[str, SourceFile],
    summary: Summary | None = None,
    *,
    color: bool = False,
    prefix: str = "",
) -> str:
    """One run with its rules, and a result for each diagnostic. Columns count code points. A
    fingerprint does not depend on the line. `color` and `summary` have no meaning here."""
    import json

    from toolc import __version__

    codes = list(dict.fromkeys(diagnostic.code for diagnostic in diagnostics))
    driver: JsonObject = {
        "name": "toolc",
        "version": __version__,
        "rules": [_rule(code) for code in codes],
    }
    run: JsonObject = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, codes.index(one.code), sources, prefix) for one in diagnostics],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: str) -> JsonObject:
    row = CODES.get(code)
    return {"id": code, **({"shortDescription": {"text": row.title}} if row is not None else {})}


def _result(
    diagnostic: Diagnostic, index: int, sources: Mapping[str, SourceFile], prefix: str
) -> JsonObject:
    about = repr((diagnostic.code, diagnostic.path, diagnostic.tool, diagnostic.pointer))
    result: JsonObject = {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": sentence_of(diagnostic)},
        "partialFingerprints": {"toolc/v1": text_sha256(f"{about}{spoken(diagnostic)}")},
    }
    if diagnostic.site is not None:
        result["locations"] = [_location(diagnostic.site, sources, prefix)]
    related: list[JsonValue] = [
        {**_location(other.site, sources, prefix), "message": {"text": other.message}}
        for other in diagnostic.related
    ]
    if related:
        result["relatedLocations"] = related
    return result


def _location(site: Site, sources: Mapping[str, SourceFile], prefix: str) -> JsonObject:
    from urllib.parse import quote

    place: JsonObject = {"artifactLocation": {"uri": quote(prefix + site.path)}}
    found = region(site, sources)
    if found is not None:
        place["region"] = {
            "startLine": found.line,
            "startColumn": found.column,
            "endLine": found.end_line,
            "endColumn": found.end_column,
        }
    return {"physicalLocation": place}
