"""`toolc build` in a real folder: what it writes, what it says, and its exit code."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolc.cli.profile import STAGES
from toolc.loader.limits import MAX_BYTES

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

Tree = Callable[[Path], dict[str, str]]


def test_again_writes_nothing(project: Path, toolc: Toolc, tree: Tree) -> None:
    before = tree(project)
    ran = toolc("build")
    assert ran.code == 0
    assert ran.out.startswith("1 tool from 1 file: all up to date in ")
    assert tree(project) == before


@pytest.mark.parametrize(
    ("option", "code", "part"),
    [
        ("--check", 1, "2 tools from 2 files: 1 changed, 1 up to date; would write "),
        ("--dry-run", 0, "create  handlers/second.py\n"),
        ("--diff", 0, "+++ b/handlers/second.py\n"),
    ],
)
def test_without_writing(
    project: Path, toolc: Toolc, option: str, code: int, part: str, tree: Tree
) -> None:
    toolc("new", "second")
    before = tree(project)
    ran = toolc("build", option)
    assert ran.code == code
    assert part in ran.out
    assert tree(project) == before


def test_a_diff_is_a_patch(project: Path, toolc: Toolc) -> None:
    toolc("new", "second")
    patch = toolc("build", "--diff").out
    applied = subprocess.run(["git", "apply", "-"], input=patch.encode(), cwd=project, check=False)
    assert applied.returncode == 0
    assert toolc("build", "--check").code == 0


def test_an_error_writes_nothing(project: Path, toolc: Toolc, tree: Tree) -> None:
    (project / "tooldefs/bad.toml").write_text("keywrods = []\n")
    toolc("new", "second")
    before = tree(project)
    ran = toolc("build")
    assert ran.code == 1
    assert 'tooldefs/bad.toml:1:1: error[M102]: unknown key "keywrods"' in ran.out
    assert ran.out.endswith("1 error in 1 of 3 files; nothing written\n")
    assert tree(project) == before


def test_an_edited_file_is_kept_unless_forced(project: Path, toolc: Toolc) -> None:
    contract = project / "generated/contracts/greet.py"
    contract.write_text(contract.read_text() + "# mine\n")
    kept = toolc("build")
    assert kept.code == 0
    assert "generated/contracts/greet.py: warning[G703]: edited by hand" in kept.out
    assert toolc("build", "--strict").code == 1
    forced = toolc("build", "--force")
    assert "wrote generated/contracts/greet.py" in forced.out
    assert "# mine" not in contract.read_text()


def test_a_tool_that_goes(project: Path, toolc: Toolc) -> None:
    toolc("new", "second")
    toolc("build")
    (project / "tooldefs/greet.toml").unlink()
    orphaned = toolc("build")
    assert "handlers/greet.py: warning[G704]: its tool is gone" in orphaned.out
    assert "`toolc clean --orphans` deletes mere stubs" in orphaned.out
    assert (project / "generated/contracts/greet.py").exists()
    (project / "handlers/greet.py").unlink()
    assert "deleted generated/contracts/greet.py" in toolc("build").out


def test_release(project: Path, toolc: Toolc, tree: Tree) -> None:
    toolc("new", "second")
    before = tree(project)
    assert "handlers/second.py: error[G706]" in toolc("build", "--release").out
    assert tree(project) == before
    toolc("build")
    assert toolc("build", "--check").code == 0
    assert toolc("build", "--check", "--release").code == 1


def test_what_cannot_be_written(project: Path, toolc: Toolc, tree: Tree) -> None:
    shutil.rmtree(project / "generated/contracts")
    (project / "generated/contracts").write_text("in the way\n")
    before = tree(project)
    ran = toolc("build")
    assert ran.code == 2
    assert "error[G705]" in ran.out
    assert ran.out.endswith("; nothing written\n")
    assert tree(project) == before


def test_a_machine_that_refuses_is_no_error_of_the_definitions(folder: Path, toolc: Toolc) -> None:
    (folder / "toolc.toml").write_text('sources = ["a/defs", "defs"]\n')
    (folder / "a").write_text("in the way\n")
    assert toolc("new", "x").code == 2
    (folder / "toolc.toml").write_text('sources = ["defs"]\n')
    (folder / "defs/x.toml").mkdir(parents=True)
    assert toolc("build").code == 1


def test_a_link_out_of_the_output(project: Path, toolc: Toolc) -> None:
    (project / "victim").write_text("untouched\n")
    (project / "generated/manifest.json").unlink()
    (project / "generated/manifest.json").symlink_to(project / "victim")
    ran = toolc("build")
    assert ran.code == 1
    assert "generated/manifest.json: error[G702]" in ran.out
    assert (project / "victim").read_text() == "untouched\n"


def test_json(project: Path, toolc: Toolc) -> None:
    (project / "tooldefs/bad.yaml").write_text("title: é\n\U0001f600: 1\nkeywrods: []\n")
    report = json.loads(toolc("build", "--format", "json").out)
    found = next(row for row in report["diagnostics"] if row["code"] == "M102")
    assert (found["path"], found["line"], found["column"]) == ("tooldefs/bad.yaml", 3, 1)
    assert report["summary"]["errors"] == 1
    assert report["summary"]["written"] == 0


def test_github(project: Path, toolc: Toolc, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "tooldefs/bad.toml").write_text("keywrods = []\n")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(project.parent))
    ran = toolc("build", "--format", "github")
    assert f"::error file={project.name}/tooldefs/bad.toml,line=1," in ran.out


def test_quiet(project: Path, toolc: Toolc) -> None:
    assert toolc("build", "-q") == (0, "", "")
    (project / "tooldefs/bad.toml").write_text("keywrods = []\n")
    assert "error[M102]" in toolc("build", "-q").out


def test_from_a_folder_below_and_by_path(
    project: Path, toolc: Toolc, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "tooldefs/bad.toml").write_text("keywrods = []\n")
    monkeypatch.chdir(project / "handlers")
    assert toolc("build").out.startswith("../tooldefs/bad.toml:1:1: error")
    monkeypatch.chdir(project.parent)
    for way in (project.name, f"{project.name}/toolc.toml"):
        ran = toolc("build", "--project", way)
        assert ran.out.startswith(f"{project.name}/tooldefs/bad.toml:1:1: error")


def test_a_broken_project_file(project: Path, toolc: Toolc) -> None:
    (project / "toolc.toml").write_text("outptu = 1\n")
    ran = toolc("build")
    assert ran.code == 1
    assert ran.out.startswith("toolc.toml:1:1: error[P602]")
    assert ran.out.endswith("\n1 error; nothing written\n")
    assert toolc("check").out.endswith("\n1 error\n")
    report = json.loads(toolc("build", "--format", "json").out)
    assert (report["summary"]["errors"], report["summary"]["changed"]) == (1, None)


def test_a_project_file_that_cannot_be_read(project: Path, toolc: Toolc) -> None:
    ran = toolc("build", "--project", "handlers")
    assert ran.out.splitlines()[:2] == [
        "handlers/toolc.toml: error[P601]: the project file is not there",
        "  = name a toolc.toml, or a pyproject.toml with [tool.toolc]",
    ]
    (project / "toolc.toml").write_bytes(b"#" * (MAX_BYTES + 1))
    ran = toolc("build")
    assert ran.code == 1
    assert ran.out.startswith(
        f"toolc.toml: error[P601]: the project file has more than the {MAX_BYTES:,}"
    )
    assert "[tool.toolc]" not in ran.out


def test_no_project_file(folder: Path, toolc: Toolc) -> None:
    (folder / "tooldefs").mkdir()
    assert toolc("new", "x").code == 0
    assert toolc("build").code == 0


@pytest.mark.parametrize("options", [[], ["--format", "json"], ["--check"], ["--no-cache"]])
def test_profile_says_where_the_time_went(project: Path, toolc: Toolc, options: list[str]) -> None:
    (project / "tooldefs/second.toml").write_text('description = "Second."\n')
    without = toolc("build", "--dry-run", *options)
    ran = toolc("build", "--profile", *options)
    head, *rows, last = ran.err.splitlines()
    assert head.split() == ["ms", "share"]
    figures = {row.rsplit(maxsplit=2)[0]: float(row.split()[-2].replace(",", "")) for row in rows}
    assert tuple(figures) == (*STAGES, "all")
    assert figures["all"] == pytest.approx(sum(figures.values()) / 2, abs=1)
    assert without.err == ""
    assert "share" not in ran.out
    assert f" read, {2 if '--no-cache' in options else 1} compiled" in last
    assert last.endswith(" written") == ("--check" not in options)


def test_profile_of_a_project_that_cannot_be_opened(project: Path, toolc: Toolc) -> None:
    (project / "toolc.toml").write_text("output = \n")
    ran = toolc("build", "--profile")
    assert ran.code == 1
    assert "opening" in ran.err
