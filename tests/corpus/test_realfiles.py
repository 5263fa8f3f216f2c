"""187 real files of the reference's users: the same Tool, or what their older dialect is called."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from toolc import pipeline
from toolc.loader import decode
from toolc.model.project import Project
from toolc.model.tool import CompiledFile


def compile_real(folder: Path, name: str) -> CompiledFile:
    source, problems = decode(name.rpartition("/")[2], (folder / name).read_bytes())
    assert source is not None, problems
    return pipeline.compile_file(source, Project(descriptions="collapse"))


def test_what_the_reference_builds_is_the_same_tool(shared: Callable[[str], Path]) -> None:
    folder = shared("realfiles")
    built = 0
    for entry in json.loads((folder / "ORIGIN.json").read_text("utf-8")):
        expected = entry["reference"].get("tool")
        if expected is None:
            continue
        compiled = compile_real(folder, entry["file"])
        assert [tool.to_dict() for tool in compiled.tools] == [expected], entry["file"]
        assert compiled.tools[0].facts.discoverable == entry["reference"]["discoverable"]
        built += 1
    assert built == 103


def test_the_older_dialect_is_named_and_translated(shared: Callable[[str], Path]) -> None:
    folder = shared("realfiles")
    refused = 0
    for entry in json.loads((folder / "ORIGIN.json").read_text("utf-8")):
        if "tool" in entry["reference"]:
            continue
        compiled = compile_real(folder, entry["file"])
        assert not compiled.tools
        codes = {found.code for found in compiled.diagnostics}
        assert codes <= {"M107", "M108"} and "M107" in codes, entry["file"]
        for found in compiled.diagnostics:
            assert found.site is not None and found.site.span is not None
            assert "older dialect" in found.message
            assert found.hint
        refused += 1
    assert refused == 84
