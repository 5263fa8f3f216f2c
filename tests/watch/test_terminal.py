"""What stands on a terminal: reports, and below them one line that says how things are."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .conftest import BROKEN, GENEROUS, tool, write

StartTerminal = Callable[..., "Terminal"]


class Terminal:
    """`toolc watch` on a terminal of its own."""

    def __init__(self, root: Path, *arguments: str) -> None:
        self._terminal, other = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "toolc", "watch", *arguments],
            cwd=root,
            stdin=other,
            stdout=other,
            stderr=other,
            start_new_session=True,
            env={**os.environ, "NO_COLOR": "", "COLUMNS": "80"},
        )
        os.close(other)
        self.text = ""

    def until(self, pattern: str) -> str:
        """What is printed, up to and with the next match."""
        while not (found := re.search(pattern, self.text, re.DOTALL)):
            ready, _, _ = select.select([self._terminal], [], [], GENEROUS)
            assert ready, self.text
            self.text += os.read(self._terminal, 65536).decode()
        seen, self.text = self.text[: found.end()], self.text[found.end() :]
        return seen

    def close(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
            self.process.wait(GENEROUS)
        os.close(self._terminal)


@pytest.fixture
def start_terminal(project: Path) -> Iterator[StartTerminal]:
    started: list[Terminal] = []

    def start(*arguments: str) -> Terminal:
        started.append(Terminal(project, *arguments))
        return started[-1]

    yield start
    for terminal in started:
        terminal.close()


STATUS = r"watching · 3 tools · last build [^·]+ · \d\d:\d\d:\d\d"


def test_the_status_line(project: Path, start_terminal: StartTerminal) -> None:
    terminal = start_terminal()
    terminal.until(STATUS)
    write(project / "tooldefs/one.toml", 'name = "one"\ndescription = "\x1b[2J\x07" oops\n')
    seen = terminal.until(r"broken · 1 error · [^\r]+\d\d:\d\d:\d\d")
    # The line goes, the report takes its place in colours, and the line comes back below.
    assert seen.startswith("\r\x1b[K")
    assert "\x1b[31m" in seen or "\x1b[1;31m" in seen
    assert "\x1b[2J" not in seen and "\x07" not in seen  # what a definition holds steers nothing
    write(project / "tooldefs/one.toml", tool("one"))
    assert "mended\r\n" in terminal.until(STATUS)


def test_clear(project: Path, start_terminal: StartTerminal) -> None:
    terminal = start_terminal("--clear")
    assert "\x1b[2J\x1b[H" in terminal.until(STATUS)
    write(project / "tooldefs/one.toml", BROKEN)
    assert "\x1b[2J\x1b[H" in terminal.until("broken · ")


def test_a_command_has_the_terminal_for_itself(start_terminal: StartTerminal) -> None:
    terminal = start_terminal("--exec", "echo spoken; exit 3")
    assert "last build" not in terminal.until("spoken\r\n.*ended with exit code 3")


def test_a_server_has_the_terminal_for_itself(start_terminal: StartTerminal) -> None:
    terminal = start_terminal("--serve", "--port", "0")
    assert "last build" not in terminal.until("3 tools · http://[^\r]+\r\n")


def test_the_line_is_gone_at_the_end(start_terminal: StartTerminal) -> None:
    terminal = start_terminal()
    terminal.until(STATUS)
    os.killpg(terminal.process.pid, signal.SIGINT)
    assert terminal.until("\r\x1b\\[K$").count("\n") == 0
    assert terminal.process.wait(GENEROUS) == 130
