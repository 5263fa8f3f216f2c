"""Diagnostics as a JUnit report, which most CI systems show: a test case for each."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from toolc.model.diagnostic import Diagnostic, Severity
from toolc.model.document import SourceFile
from toolc.report.places import region, sentence_of
from toolc.report.summary import Summary
from toolc.report.visible import visible


def render(
    diagnostics: Collection[Diagnostic],
    sources: Mapping[str, SourceFile],
    summary: Summary | None = None,
    *,
    color: bool = False,
    prefix: str = "",
) -> str:
    """One test suite: a failure for each error and warning, a passed case for a run without any.

    Notes are cases that are skipped. `color` has no meaning here.
    """
    from xml.sax.saxutils import quoteattr

    failures = sum(one.severity > Severity.NOTE for one in diagnostics)
    skipped = len(diagnostics) - failures
    total = len(diagnostics) or 1
    seconds = f"{(summary.milliseconds if summary is not None else 0) / 1000:.3f}"
    counts = f'tests="{total}" failures="{failures}" skipped="{skipped}" time="{seconds}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="toolc" {counts}>',
        f'  <testsuite name="toolc" {counts}>',
    ]
    for one in diagnostics:
        place = region(one.site, sources)
        path = visible(prefix + one.path) if one.path else "the project"
        where = f"{path}:{place.line}:{place.column}" if place is not None else path
        case = f"    <testcase classname={quoteattr(path)} name={quoteattr(f'{one.code} {where}')}"
        if place is not None and one.path:
            case += f" file={quoteattr(path)} line={quoteattr(str(place.line))}"
        kind = "failure" if one.severity > Severity.NOTE else "skipped"
        said = quoteattr(sentence_of(one))
        type_ = f' type="{one.severity.name.lower()}"' if kind == "failure" else ""
        lines += [f"{case}>", f"      <{kind}{type_} message={said}/>", "    </testcase>"]
    if not diagnostics:
        lines.append('    <testcase classname="toolc" name="nothing found"/>')
    lines += ["  </testsuite>", "</testsuites>"]
    return "".join(line + "\n" for line in lines)
