"""`toolc completion`: the shells read the scripts, and bash completes by its own."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Spawn = Callable[..., "subprocess.CompletedProcess[bytes]"]


def complete(spawn: Spawn, folder: Path, *words: str) -> list[str]:
    script = spawn("completion", "bash", cwd=folder).stdout.decode()
    typed = " ".join(f"'{word}'" for word in words)
    script += (
        f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; _toolc\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    ran = subprocess.run(["bash", "-c", script], capture_output=True, check=True)
    assert ran.stderr == b""
    return ran.stdout.decode().split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash(spawn: Spawn, tmp_path: Path) -> None:
    assert complete(spawn, tmp_path, "toolc", "b") == ["build"]
    assert complete(spawn, tmp_path, "toolc", "build", "--d") == ["--diff", "--dry-run"]
    assert complete(spawn, tmp_path, "toolc", "check", "--format", "js") == ["json"]
    assert complete(spawn, tmp_path, "toolc", "new", "--format", "js") == ["json"]
    assert complete(spawn, tmp_path, "toolc", "completion", "z") == ["zsh"]
    assert complete(spawn, tmp_path, "toolc", "schema", "p") == ["project"]
    assert complete(spawn, tmp_path, "toolc", "show", "--revision", "2024") == ["2024-11-05"]
    assert complete(spawn, tmp_path, "toolc", "check", "some-file") == []


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_other_shells_read_their_scripts(tmp_path: Path, shell: str, spawn: Spawn) -> None:
    script = spawn("completion", shell, cwd=tmp_path).stdout
    assert b"--dry-run" in script or b"-l dry-run" in script
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    ran = subprocess.run([shell, "-n"], input=script, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
