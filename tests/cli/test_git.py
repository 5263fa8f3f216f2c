"""What git does to a project's files never looks like an edit by hand, and loses nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

Toolc = Callable[..., Any]

IDENTITY = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"))
}


def git(folder: Path, *arguments: str, fails: bool = False) -> None:
    ran = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**os.environ, **IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull},
        capture_output=True,
        check=False,
    )
    assert (ran.returncode != 0) == fails, ran.stdout + ran.stderr


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.fixture
def repository(project: Path) -> Path:
    (project / ".gitignore").write_text("__pycache__/\n")
    git(project, "init", "--quiet", "--initial-branch", "main")
    commit(project, "first")
    return project


def test_a_clone_and_a_checkout_with_crlf(
    repository: Path, toolc: Toolc, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = repository.parent / "clone"
    git(repository, "clone", "--quiet", "--config", "core.autocrlf=true", ".", str(clone))
    monkeypatch.chdir(clone)
    assert b"\r\n" in (clone / "generated/contracts/greet.py").read_bytes()
    assert b"\r\n" in (clone / "tooldefs/greet.toml").read_bytes()
    checked = toolc("build", "--check", "--strict")
    assert checked.code == 0, checked.out
    edit(clone / "tooldefs/greet.toml", "How often", "How many times")
    built = toolc("build", "--strict")
    assert built.code == 0, built.out
    assert "1 changed" in built.out


def diverge(repository: Path, toolc: Toolc) -> None:
    """Two branches that change one tool's definition in different places, both built."""
    git(repository, "switch", "--quiet", "--create", "other")
    edit(repository / "tooldefs/greet.toml", "How often", "How many times")
    assert toolc("new", "second").code == 0
    assert toolc("build").code == 0
    edit(repository / "handlers/second.py", "raise NotImplementedError", "return ")
    commit(repository, "other")
    git(repository, "switch", "--quiet", "main")
    edit(repository / "tooldefs/greet.toml", "Who is greeted", "Who is to be greeted")
    assert toolc("build", "--strict").code == 0
    commit(repository, "main")


def test_switching_branches(repository: Path, toolc: Toolc) -> None:
    diverge(repository, toolc)
    for branch in ("other", "main", "other"):
        git(repository, "switch", "--quiet", branch)
        assert toolc("build", "--check", "--strict").code == 0


@pytest.mark.parametrize("way", ["merge", "rebase"])
@pytest.mark.parametrize("style", ["merge", "diff3"])
def test_a_conflict_is_resolved_by_a_build(
    repository: Path, toolc: Toolc, way: str, style: str
) -> None:
    git(repository, "config", "merge.conflictStyle", style)
    diverge(repository, toolc)
    git(repository, way, "other", fails=True)
    assert "<<<<<<<" in (repository / "generated/manifest.json").read_text()
    assert "<<<<<<<" in (repository / "generated/contracts/greet.py").read_text()
    built = toolc("build", "--strict")
    assert built.code == 0, built.out
    contract = (repository / "generated/contracts/greet.py").read_text()
    assert "How many times" in contract
    assert "Who is to be greeted" in contract
    assert "return " in (repository / "handlers/second.py").read_text()
    assert toolc("build", "--check", "--strict").code == 0


def test_an_edit_by_hand_survives_a_conflict_elsewhere(repository: Path, toolc: Toolc) -> None:
    diverge(repository, toolc)
    server = repository / "generated/__main__.py"
    server.write_text(server.read_text() + "# mine\n")
    commit(repository, "edited")
    git(repository, "merge", "other", fails=True)
    built = toolc("build")
    assert "generated/__main__.py: warning[G703]" in built.out
    assert server.read_text().endswith("# mine\n")
