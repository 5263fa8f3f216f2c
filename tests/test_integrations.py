"""What other programs run of toolc: pre-commit's hooks, and the steps of the GitHub Action."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from toolc.cli.main import main

ROOT = Path(__file__).resolve().parents[1]
HOOKS: Any = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
ACTION: Any = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project of `toolc init`, built."""
    monkeypatch.chdir(tmp_path)
    assert main(["init", "--quiet"]) == 0
    assert main(["build", "--quiet"]) == 0
    return tmp_path


def spoil(project: Path) -> None:
    """A definition that is not built, and of which something is said."""
    (project / "tooldefs/find_notes.toml").write_text('description = "Find notes"\n')


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_hooks(hook: Any, project: Path) -> None:
    program, *arguments = hook["entry"].split()
    assert program == "toolc"
    assert main(arguments) == 0
    spoil(project)
    assert main(arguments) == 1


@pytest.mark.skipif(shutil.which("bash") is None, reason="the steps are for bash")
@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("Lint the definitions", "", "::warning file=tooldefs/find_notes.toml,line=1,"),
        ("Lint the definitions", "--select D204 --exit-zero", "title=toolc D204::"),
        ("Check what is generated", "", "::error title=toolc build --check::"),
    ],
)
def test_steps(project: Path, name: str, options: str, said: str) -> None:
    step = STEPS[name]
    assert set(step["env"]) == {"OPTIONS"}
    commands = project / "runner/toolc/bin"
    commands.mkdir(parents=True)
    (commands / "toolc").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m toolc "$@"\n')
    (commands / "toolc").chmod(0o755)
    environment = {**os.environ, "RUNNER_TEMP": str(project / "runner"), "OPTIONS": options}

    def run() -> subprocess.CompletedProcess[str]:
        command = ["bash", "-eo", "pipefail", "-c", step["run"]]
        return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)

    assert run().returncode == 0
    spoil(project)
    ran = run()
    assert ran.returncode == (0 if "--exit-zero" in options else 1)
    assert said in ran.stdout


def test_inputs_reach_the_shell_as_variables_only() -> None:
    """What is put into a script's text is code; an input must not be."""
    for step in STEPS.values():
        assert "${{" not in step["run"]
