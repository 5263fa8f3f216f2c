"""`benchmarks/run.py` measures a small project and prints its table; no figure is judged here."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS / "run.py"), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_a_quick_row_is_a_table_and_json(tmp_path: Path) -> None:
    done = run("--quick", "--runs", "1", "--json", "cold", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("row "))
    assert " ".join(lines[head].split()) == "row what unit toolc beside which is ratio goal"
    assert set(lines[head + 1]) == {"-", " "}
    assert lines[head + 2].startswith("cold  ")

    # Every cell stands below its heading.
    bare, go = [json.loads(line) for line in lines if line.startswith("{")]
    assert bare["name"] == "bare tomli and json" and "Go" in go["name"]
    columns = {name: lines[head].index(name) for name in ("what", "unit", "which is")}
    assert lines[head + 2].startswith(bare["what"], columns["what"])
    assert lines[head + 2].startswith("ms ", columns["unit"])
    assert lines[head + 2].startswith(bare["name"], columns["which is"])
    assert lines[head + 2].endswith("<= 1.6x")  # --quick gives no verdict

    for figure in (bare, go):
        assert figure["row"] == "cold" and figure["unit"] == "ms"
        assert figure["value"] > 0 and figure["beside"] > 0
        assert figure["ratio"] == figure["value"] / figure["beside"]
        assert figure["met"] is None
    assert (bare["goal"], go["goal"]) == (1.6, 1.2)


def test_servers_are_measured_side_by_side(tmp_path: Path) -> None:
    done = run("--quick", "--runs", "1", "--json", "serve-memory", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    figures = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    names = [figure["name"] for figure in figures]
    assert names[:3] == ["low-level, raw dicts", "low-level, typed objects", "MCPServer, functions"]
    assert all(figure["value"] > 0 and figure["beside"] > 0 for figure in figures)


def test_a_row_that_cannot_be_measured_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # no peer is installed there
    done = run("--quick", "--json", "stubs-peer", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    figure = json.loads(done.stdout.splitlines()[-1])
    assert figure["value"] is None and figure["met"] is None
    assert "datamodel-code-generator not installed" in figure["note"]


def test_an_unknown_row_is_refused(tmp_path: Path) -> None:
    done = run("hot", folder=tmp_path)
    assert done.returncode == 2
    assert "no row is called 'hot'" in done.stderr


def benchmark_module(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, BENCHMARKS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


VERDICTS = [
    # what was measured, and whether it meets its goal
    ({"value": 30, "beside": 20, "goal": 1.5}, True),
    ({"value": 31, "beside": 20, "goal": 1.5}, False),
    ({"value": 31, "beside": 20}, None),
    ({"value": 1, "beside": 20, "goal": 20, "is_speedup": True}, True),
    ({"value": 2, "beside": 20, "goal": 20, "is_speedup": True}, False),
    ({"value": 15, "goal": 15}, True),
    ({"value": 16, "goal": 15}, False),
    ({"goal": 15}, None),
]


@pytest.mark.parametrize(("measured", "met"), VERDICTS)
def test_a_goal_bounds_the_ratio_or_else_the_value(
    measured: dict[str, float], met: bool | None
) -> None:
    assert benchmark_module("figure").Figure("what", **measured).met is met
