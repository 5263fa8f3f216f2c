"""Each folder of `cases/` is a small project and the report that a person gets for it.

`expected.txt` is reviewed like code. `UPDATE_GOLDENS=1 pytest tests/diagnostics` writes it anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from toolc import pipeline
from toolc.builder.project import read_project
from toolc.loader import load
from toolc.model.codes import CODES
from toolc.model.document import SourceFile
from toolc.model.project import Project
from toolc.report import renderer

CASES = Path(__file__).parent / "cases"


def report(folder: Path) -> str:
    texts = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("expected.txt", "toolc.toml")
    }
    project = Project(sources=("",))
    settings = folder / "toolc.toml"
    if settings.exists():
        document, _ = load(SourceFile("toolc.toml", settings.read_text("utf-8")))
        assert document is not None
        project, problems = read_project(document)
        assert not problems
    program = pipeline.compile_project(texts, project)
    sources = {path: SourceFile(path, text) for path, text in texts.items()}
    return renderer("text")(program.diagnostics, sources)


@pytest.mark.parametrize("folder", sorted(CASES.iterdir()), ids=lambda folder: folder.name)
def test_report(folder: Path) -> None:
    expected = folder / "expected.txt"
    actual = report(folder)
    if os.environ.get("UPDATE_GOLDENS"):
        expected.write_text(actual, "utf-8", newline="\n")
    assert actual == expected.read_text("utf-8")


def test_every_code_of_the_compiler_has_a_case() -> None:
    """Loading, metadata and schema codes; what needs more than definitions is shown elsewhere."""
    shown = "".join(path.read_text("utf-8") for path in CASES.glob("*/expected.txt"))
    elsewhere = {"L101", "L102", "S410"}
    missing = {
        code
        for code in CODES
        if code[0] in "LMS" and code not in elsewhere and f"[{code}]" not in shown
    }
    assert not missing
