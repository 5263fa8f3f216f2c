"""`toolc` as its users meet it: in a folder, with arguments, an exit code and two streams."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from toolc.cli.main import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def toolc(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ran]:
    """Run a command in this process."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)

    def run(*arguments: str) -> Ran:
        try:
            code = main(list(arguments))
        except SystemExit as end:  # argparse's way out
            code = int(end.code or 0)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def project(folder: Path, toolc: Callable[..., Ran]) -> Path:
    """The project that `toolc init` writes, built, as the working folder."""
    assert toolc("init").code == 0
    assert toolc("build").code == 0
    return folder


@pytest.fixture
def spawn() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Run a command, or with `code` some Python, in a process of its own."""

    def run(
        *arguments: str, cwd: Path, code: str | None = None, **environment: str
    ) -> subprocess.CompletedProcess[bytes]:
        start = ["-c", code] if code is not None else ["-m", "toolc"]
        return subprocess.run(
            [sys.executable, *start, *arguments],
            cwd=cwd,
            env={**os.environ, **environment},
            capture_output=True,
            timeout=60,
            check=False,
        )

    return run


@pytest.fixture
def tree() -> Callable[[Path], dict[str, str]]:
    """Every file below a folder with its text; what Python and toolc cache is left out."""

    def read(folder: Path) -> dict[str, str]:
        return {
            path.relative_to(folder).as_posix(): path.read_bytes().decode()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not {"__pycache__", ".toolc_cache"}.intersection(path.parts)
        }

    return read
