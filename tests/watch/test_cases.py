"""Inputs drawn from public bug reports, group D (watching and building again), and the right
outcome of each."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import StartWatch, descriptions, outputs, write

ReadCase = Callable[[str], dict[str, str]]


@pytest.fixture
def read_case(shared: Callable[[str], Path]) -> ReadCase:
    cases = {case["id"]: case for case in json.loads(shared("cases/cases.json").read_text("utf-8"))}

    def read(name: str) -> dict[str, str]:
        files: dict[str, str] = cases[name]["input_files"]
        return files

    return read


def test_d01_the_steps_of_a_day(
    tmp_path: Path, read_case: ReadCase, start_watch: StartWatch
) -> None:
    source = tmp_path / "src/tools.yaml"
    text = read_case("d01-watch-basics")["src/tools.yaml"]
    write(source, text)
    # An output that lies in the watched folder, in one that is passed over.
    write(tmp_path / "toolc.toml", 'sources = ["src"]\noutput = "src/_build"\n')
    watch = start_watch()
    watch.event("ready")
    watch.built()
    write(source, text.replace("A.", "A2."))
    watch.built()  # and nothing between: what was written made no build
    assert descriptions(tmp_path, "src/_build") == {"a": "A2."}
    before = outputs(tmp_path, "src/_build")
    source.write_text("tools: [", "utf-8")
    (place,) = watch.failed()
    assert place.startswith("src/tools.yaml:1:")
    assert outputs(tmp_path, "src/_build") == before
    source.write_text(text.replace("A.", "A3."), "utf-8")
    assert watch.built()["mended"]
    before = outputs(tmp_path, "src/_build")
    source.touch()
    write(tmp_path / "src/last.yaml", text.replace("name: a", "name: last"))
    created = watch.built()["created"]
    assert sorted(created) == ["src/_build/contracts/last.py", "src/_build/handlers/last.py"]
    after = outputs(tmp_path, "src/_build")
    assert before["src/_build/contracts/a.py"] == after["src/_build/contracts/a.py"]
    assert watch.end() in (0, 130)


def test_d02_building_again(tmp_path: Path, read_case: ReadCase) -> None:
    files = read_case("d02-regenerate-and-stale")

    def build(version: str) -> dict[str, Any]:
        write(tmp_path / "tooldefs/tools.yaml", files[f"{version}/tools.yaml"])
        run = subprocess.run(
            [sys.executable, "-m", "toolc", "build", "--format", "json"],
            cwd=tmp_path,
            check=True,
            capture_output=True,
        )
        result: dict[str, Any] = json.loads(run.stdout)
        return result

    write(tmp_path / "toolc.toml", "")
    build("v1")
    edited = {}
    for name in ("a", "b"):
        handler = tmp_path / f"generated/handlers/{name}.py"
        edited[handler] = handler.read_text("utf-8") + "# mine\n"
        handler.write_text(edited[handler], "utf-8")
    built = build("v2")
    assert {path: path.read_text("utf-8") for path in edited} == edited
    assert "generated/contracts/a.py" in built["summary"]["updated"]  # the contract is what changed
    assert "generated/handlers/c.py" in built["summary"]["created"]
    orphans = [one["path"] for one in built["diagnostics"] if one["code"] == "G704"]
    assert orphans == ["generated/handlers/b.py"]
    for path in ("manifest.json", "catalog.json", "handler_types.py"):
        assert '"b"' not in (tmp_path / "generated" / path).read_text("utf-8")
    before = outputs(tmp_path)
    assert build("v2")["summary"]["written"] == 0
    assert outputs(tmp_path) == before
