"""A watch as a process: how it ends, what it starts, where it prints."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import BROKEN, StartWatch, Watch, descriptions, tool, write

# A command that says how it was ended, or does not let itself be.
OBEDIENT = "echo up >> log; exec sleep 600"
STUBBORN = "trap '' TERM; echo $$ > pid; echo up >> log; while :; do sleep 0.05; done"


def wait_for(path: Path, text: str) -> None:
    """Until a file holds `text`."""
    clock = Watch.clock()
    while not (path.exists() and text in path.read_text("utf-8")):
        next(clock)


def is_running(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_while_idle(watch: Watch, number: int) -> None:
    assert watch.end(number) == 130
    assert watch.stderr == ""


def test_it_ends_while_it_builds(project: Path, start_watch: StartWatch) -> None:
    for number in range(1_000):
        write(project / f"tooldefs/many/t{number}.toml", tool(f"t{number}"))
    watch = start_watch()
    clock = Watch.clock()
    while not (project / ".toolc_cache").exists():  # it is past its start, and far from its end
        next(clock)
    assert watch.end() == 130
    assert "Traceback" not in watch.stderr
    subprocess.run([sys.executable, "-m", "toolc", "build", "-q"], cwd=project, check=True)
    assert len(descriptions(project)) == 1_003


@pytest.mark.parametrize("reader", ["head -1", "{ read first; read second; echo $first; }"])
def test_it_ends_when_nobody_reads(project: Path, reader: str) -> None:
    run = subprocess.run(
        f"'{sys.executable}' -m toolc watch | {reader}",
        shell=True,
        cwd=project,
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert run.stdout == b"watching tooldefs; Ctrl-C ends it\n"
    assert run.stderr == b""


def test_a_command_starts_anew_after_good_builds(project: Path, start_watch: StartWatch) -> None:
    write(project / "tooldefs/one.toml", BROKEN)
    watch = start_watch("--json", "--exec", OBEDIENT)
    watch.event("ready")
    watch.failed()
    assert not (project / "log").exists()
    write(project / "tooldefs/one.toml", tool("one"))
    watch.built()
    assert watch.event("starting")["command"] == OBEDIENT
    wait_for(project / "log", "up\n")
    write(project / "tooldefs/one.toml", BROKEN)
    watch.failed()
    write(project / "tooldefs/one.toml", tool("one"))
    assert watch.built()["mended"]  # nothing is written: what runs is what was built
    write(project / "tooldefs/one.toml", tool("one", "Anew"))
    watch.built()
    watch.event("starting")
    wait_for(project / "log", "up\nup\n")
    watch.end()
    assert (project / "log").read_text("utf-8") == "up\nup\n"


def test_a_command_that_ends_by_itself(project: Path, start_watch: StartWatch) -> None:
    watch = start_watch("--json", "--exec", "echo spoken; exit 3")
    watch.event("ready")
    watch.built()
    watch.event("starting")
    assert watch.event("ended")["code"] == 3
    write(project / "tooldefs/one.toml", tool("one", "Anew"))
    watch.built()
    watch.event("starting")
    assert watch.event("ended")["code"] == 3
    watch.end()
    assert watch.stderr == "spoken\nspoken\n"  # stdout is for the events


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stubborn_command_ends_too(project: Path, start_watch: StartWatch, number: int) -> None:
    watch = start_watch("--json", "--exec", STUBBORN)
    watch.event("ready")
    wait_for(project / "log", "up\n")
    command = int((project / "pid").read_text("utf-8"))
    assert is_running(command)
    assert watch.end(number) == 130
    assert not is_running(command)


def test_lines_for_people(project: Path, start_watch: StartWatch) -> None:
    watch = start_watch("--exec", "echo spoken; exit 3")
    assert watch.line() == "watching tooldefs; Ctrl-C ends it"
    assert watch.line().startswith("3 tools from 3 files: 3 changed")
    assert watch.line() == "starting echo spoken; exit 3"
    assert watch.line() == "spoken"
    assert watch.line() == "echo spoken; exit 3 ended with exit code 3"
    write(project / "tooldefs/one.toml", 'description = "\x1b[2J" oops\n')
    seen = [watch.line()]
    while "nothing written" not in seen[-1]:
        seen.append(watch.line())
    assert seen[0].startswith("tooldefs/one.toml:1:")
    write(project / "tooldefs/one.toml", tool("one"))
    assert watch.line() == "mended"
    assert "\x1b" not in "".join(seen)


def test_quiet(project: Path, start_watch: StartWatch) -> None:
    watch = start_watch("--quiet")
    wait_for(project / "generated/manifest.json", "Do one")
    write(project / "tooldefs/one.toml", BROKEN)
    assert watch.line().startswith("tooldefs/one.toml:2:15: error")


def test_polling(project: Path, start_watch: StartWatch) -> None:
    watch = start_watch("--json", "--poll")
    assert watch.event("ready")["polling"]
    watch.built()
    write(project / "tooldefs/one.toml", tool("one", "Anew"))
    watch.built()
    assert descriptions(project)["one"] == "Anew"
    write(project / "tooldefs/more/new.toml", tool("new"))
    assert "generated/contracts/new.py" in watch.built()["created"]
