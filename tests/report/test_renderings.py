"""Every rendering is a file under `cases/`, reviewed like code.

`TOOLC_UPDATE_GOLDEN=1 pytest tests/report` writes them anew.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from toolc.model.diagnostic import Diagnostic, Related, Severity
from toolc.model.document import Site, SourceFile, Span
from toolc.report import FORMATS, renderer
from toolc.report.summary import Summary

CASES = Path(__file__).parent / "cases"

NOTES = SourceFile(
    "tooldefs/find_notes.toml",
    'title = "Find notes"\n'
    "\n"
    'keywrods = ["note"]\n'
    "[[parameters]]\n"
    'name = "limit"\n'
    "default = 100\n"
    "minimum = 1\n"
    "maximum = 50\n",
)
OTHER = SourceFile("tooldefs/other.yaml", "tools:\n  - name: find_notes\n    title: Other\n")
WIDE = SourceFile(
    "tooldefs/wide.yaml",
    "title: 検索 \U0001f600 bad\n"
    "\tdescription:\tbad\r\n"
    "accents: e\u0301e\u0301 bad\n"
    "override: \u202eevil\x1b[31m bad\n"
    f"long: {'x' * 150}bad{'y' * 150}\n"
    f"longer: {'x' * 150}bad\n",
)
SOURCES = {source.path: source for source in (NOTES, OTHER, WIDE)}


def at(source: SourceFile, text: str, occurrence: int = 0) -> Site:
    """The place of `text` in `source`."""
    start = -1
    for _ in range(occurrence + 1):
        start = source.text.index(text, start + 1)
    return Site(source.path, Span(start, start + len(text)))


def error(
    code: str,
    message: str,
    site: Site | None = None,
    hint: str = "",
    related: tuple[Related, ...] = (),
) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, site, hint, related)


class Case(NamedTuple):
    diagnostics: tuple[Diagnostic, ...]
    summary: Summary | None = None
    color: bool = False
    prefix: str = ""
    sources: Mapping[str, SourceFile] = SOURCES


DEFAULT = Diagnostic(
    "M204",
    Severity.ERROR,
    'parameter "limit" has the default 100, above its maximum 50',
    at(NOTES, "100"),
    "lower the default or raise `maximum`",
    (Related("the maximum", at(NOTES, "50")),),
    "find_notes",
    ("parameters", 0, "default"),
)
KEYWORDS = error("M102", 'unknown key "keywrods"; did you mean "keywords"?', at(NOTES, "keywrods"))
TWICE = Diagnostic(
    "M302",
    Severity.ERROR,
    'the tool "find_notes" is defined twice',
    at(OTHER, "find_notes"),
    "give one of them another name",
    (
        Related("the first is named by its file", Site(NOTES.path)),
        Related("and has a title", at(NOTES, '"Find notes"')),
    ),
    "find_notes",
)
POLICY = Diagnostic(
    "M301", Severity.ERROR, 'the tool name "find notes" holds " "', at(OTHER, "find_notes")
)
PLACELESS = Diagnostic(
    "M105",
    Severity.ERROR,
    '"title" is the number 1, not a string',
    None,
    "",
    (),
    "find_notes",
    ("a/b", 0),
)
UNREADABLE = error(
    "L101", "the file cannot be used: permission denied", Site("tooldefs/secret.toml")
)
EDITED = Diagnostic(
    "G703",
    Severity.WARNING,
    "edited by hand, so it was kept",
    Site("generated/server.py"),
    "`toolc build --force` writes it anew",
)
NOTE = Diagnostic("M103", Severity.NOTE, "other readers ignore `read_only`", at(OTHER, "title"))
HOSTILE = Diagnostic(
    "M105",
    Severity.ERROR,
    "message \x1b[2J\r\n::error::x \u202e \u200b \ud800",
    Site("tooldefs/a\x1b%b,c:d.toml"),
    "hint\n::warning::y",
    (Related("label\x07", at(WIDE, "evil")),),
    "tool\x1b",
)
COLUMNS = tuple(
    error("M105", "here", at(WIDE, "bad", occurrence))
    for occurrence in range(WIDE.text.count("bad"))
)
STRETCHES = (
    error("L104", "a stretch of three lines", at(NOTES, "[[parameters]]\nname = ")),
    error("L104", "an empty stretch", Site(NOTES.path, Span(0, 0))),
    error("L104", "the end of the file", Site(NOTES.path, Span(*[len(NOTES.text)] * 2))),
    error(
        "M104",
        "two marks on a line, the related one first",
        at(NOTES, '"note"'),
        related=(Related("this", at(NOTES, "keywrods")), Related("above", at(NOTES, "title"))),
    ),
)
BUILT = Summary(9, 9, 38, "wrote", 1, ("handlers/find_notes.py",), ("generated/manifest.json",))
KEPT = BUILT._replace(kept=("generated/server.py",))

RENDERED = {
    "errors": Case((KEYWORDS, DEFAULT), Summary(9, 9, 38, "wrote")),
    "kinds": Case((TWICE, POLICY, PLACELESS, UNREADABLE, EDITED, NOTE), Summary(1, 3, 2)),
    "warned": Case((DEFAULT, UNREADABLE._replace(severity=Severity.WARNING)), Summary(9, 9, 38)),
    "built": Case((), BUILT),
    "kept": Case((EDITED,), KEPT),
    "columns": Case(COLUMNS),
    "stretches": Case(STRETCHES),
    "hostile": Case((HOSTILE,)),
    "color": Case((DEFAULT, TWICE, EDITED), color=True),
    "prefix": Case((DEFAULT, TWICE), prefix="../notes/"),
    "sourceless": Case((DEFAULT,), sources={}),
    "nothing": Case(()),
}


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("name", RENDERED)
def test_rendering(name: str, format_name: str) -> None:
    case = RENDERED[name]
    rendered = renderer(format_name)(
        case.diagnostics, case.sources, case.summary, color=case.color, prefix=case.prefix
    )
    golden = CASES / f"{name}.{format_name}"
    if os.environ.get("TOOLC_UPDATE_GOLDEN"):
        golden.write_bytes(rendered.encode("utf-8", "surrogatepass"))
    assert rendered == golden.read_bytes().decode("utf-8", "surrogatepass")
