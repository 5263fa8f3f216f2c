"""The soak in small: every kind of traffic once, from few clients. `make soak` is the whole of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("run", ["stdio-2025", "stdio-2026", "http-2025", "http-stream-2026"])
def test_every_kind_is_answered_and_nothing_stays(run: str) -> None:
    command = [sys.executable, "-m", "tests.soak", "--seconds", "0", "--clients", "2", run]
    ended = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.startswith(run)
    assert "0 problems" in ended.stdout
