"""Colours and progress: on a terminal only, and only where they are wanted."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ERROR = "keywrods = []\n"

SLOW = """
import sys, time
from toolc import driver
from toolc.cli.main import main
compile_project = driver.compile_project
def slow(*arguments):
    time.sleep(0.6)
    return compile_project(*arguments)
driver.compile_project = slow
sys.exit(main(sys.argv[1:]))
"""


def on_terminal(
    *command: str, cwd: Path, environment: Mapping[str, str] = {}, stdin_too: bool = False
) -> str:
    """What a command writes to a terminal that is both of its output streams."""
    ours, theirs = os.openpty()
    kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=cwd,
        env={**kept, **environment},
        stdin=theirs if stdin_too else subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    written = b""
    try:
        while chunk := os.read(ours, 65536):
            written += chunk
    except OSError:  # Linux's way of saying that the other side is gone
        pass
    os.close(ours)
    process.wait(timeout=60)
    return written.decode()


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    (tmp_path / "tooldefs").mkdir()
    (tmp_path / "tooldefs/a.toml").write_text(ERROR)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "environment", "colored"),
    [
        ([], {}, True),
        ([], {"NO_COLOR": "1"}, False),
        ([], {"NO_COLOR": ""}, True),
        (["--color", "never"], {}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--format", "json"], {}, False),
        (["--format", "github"], {}, False),
    ],
)
def test_color_on_a_terminal(
    faulty: Path, arguments: list[str], environment: dict[str, str], colored: bool
) -> None:
    written = on_terminal("-m", "toolc", "check", *arguments, cwd=faulty, environment=environment)
    assert "M102" in written
    assert ("\x1b[" in written) == colored


def test_no_color_elsewhere(faulty: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "toolc", "check"], cwd=faulty, capture_output=True, check=False
    )
    assert ran.returncode == 1
    assert b"\x1b" not in ran.stdout


def test_progress_of_a_long_run(faulty: Path) -> None:
    written = on_terminal("-c", SLOW, "check", cwd=faulty)
    assert "\rcompiling … 0." in written
    # The line is blanked before anything else is printed.
    assert written.index("\r   ") < written.index("M102")


@pytest.mark.parametrize("option", [["--quiet"], ["--format", "json"]])
def test_no_progress_where_it_is_not_wanted(faulty: Path, option: list[str]) -> None:
    assert "compiling" not in on_terminal("-c", SLOW, "check", *option, cwd=faulty)


def test_no_progress_of_a_short_run(faulty: Path) -> None:
    assert "compiling" not in on_terminal("-m", "toolc", "check", cwd=faulty)


def test_serving_on_a_terminal_says_so(tmp_path: Path) -> None:
    # The server itself is left out: on a terminal it would wait for a client.
    serve = (
        "import sys; from toolc.cli import main, serve\n"
        "serve._become = lambda *_: 0\n"
        "sys.exit(main.main(['serve']))"
    )
    for command in ("init", "build"):
        subprocess.run([sys.executable, "-m", "toolc", command], cwd=tmp_path, check=True)
    written = on_terminal("-c", serve, cwd=tmp_path, stdin_too=True)
    assert "toolc: serving on stdio, to a client that starts this command; Ctrl-C ends" in written
    assert "`toolc serve --transport http`" in written
    assert on_terminal("-c", serve, cwd=tmp_path) == ""
