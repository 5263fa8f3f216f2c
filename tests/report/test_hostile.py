"""Whatever stands in a definition, a report neither fails nor lets it act on the reader's screen."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc.model.diagnostic import Diagnostic, Related, Severity
from toolc.model.document import Site, SourceFile, Span
from toolc.report import renderer
from toolc.report.summary import Summary
from toolc.report.visible import visible, visible_lines

TEXTS = st.text(st.characters(exclude_categories=[]), max_size=200)


@st.composite
def reports(draw: st.DrawFn) -> tuple[Diagnostic, dict[str, SourceFile]]:
    source = SourceFile(draw(TEXTS), draw(TEXTS))

    def site() -> Site:
        offset = st.integers(0, len(source.text))
        start, end = sorted((draw(offset), draw(offset)))
        return Site(source.path, Span(start, end))

    related = Related(draw(TEXTS), site())
    diagnostic = Diagnostic(
        draw(st.sampled_from(["M301", "M105", "X999"])),
        draw(st.sampled_from(Severity)),
        draw(TEXTS),
        draw(st.sampled_from([site(), Site(source.path), None])),
        draw(TEXTS),
        (related, Related(draw(TEXTS), Site(draw(TEXTS)))),
        draw(TEXTS),
        draw(st.sampled_from([None, (), (draw(TEXTS), 0)])),
    )
    return diagnostic, {source.path: source}


@given(reports())
def test_no_report_fails_or_steers(report: tuple[Diagnostic, dict[str, SourceFile]]) -> None:
    diagnostic, sources = report
    summary = Summary(1, 1, 1, "wrote", 1, (diagnostic.path,))
    for name in ("text", "github"):
        text = renderer(name)([diagnostic], sources, summary)
        assert text.endswith("\n")
        assert text.replace("\n", "").isprintable()
    commands = renderer("github")([diagnostic], sources).splitlines()
    assert len(commands) == 1
    rows = json.loads(renderer("json")([diagnostic], sources, summary))["diagnostics"]
    assert [row["message"] for row in rows] == [diagnostic.message]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("検索 é \U0001f600", "検索 é \U0001f600"),
        ("a\x1b[31mb", r"a\x1b[31mb"),
        ("a\r\nb\tc", r"a\r\nb\tc"),
        ("\u202eevil\u2066", r"\u202eevil\u2066"),
        ("in\u200bvisible\ufeff", r"in\u200bvisible\ufeff"),
        ("\ud800\U000e0041", r"\ud800\U000e0041"),
        ("a\u00a0b", r"a\xa0b"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible_lines(text + "\n\t") == text_lines(shown)


def text_lines(shown: str) -> str:
    """`shown` as `visible_lines` has it, which leaves tabs and line feeds."""
    return shown.replace(r"\n", "\n").replace(r"\t", "\t") + "\n\t"
