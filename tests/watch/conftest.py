"""A running `toolc watch`, heard line by line, and ended as its users end it."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Event = dict[str, Any]
StartWatch = Callable[..., "Watch"]

GENEROUS = 30.0
"""Seconds after which something that should have happened has not."""


class Watch:
    """One process of `toolc watch`, which prints events unless it is started otherwise."""

    def __init__(self, root: Path, arguments: tuple[str, ...], environment: dict[str, str]) -> None:
        self.root = root
        self._fillers = 0
        # Ctrl-C may come between the opening of a file and the code that closes it, in Python's own
        # imports too; what leaks without that, the tests in process show.
        warnings = ("-W", "error", "-W", "ignore::ResourceWarning")
        self.process = subprocess.Popen(
            [sys.executable, *warnings, "-m", "toolc", "watch", *arguments],
            cwd=root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **environment},
            start_new_session=True,
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._errors: list[str] = []
        self._threads = [
            threading.Thread(target=self._read_lines, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _read_lines(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.decode().rstrip("\n"))
        self._lines.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self._errors.extend(line.decode() for line in self.process.stderr)

    def line(self) -> str:
        """The next line of stdout."""
        try:
            line = self._lines.get(timeout=GENEROUS)
        except queue.Empty:
            raise AssertionError("nothing was said" + self.stderr) from None
        assert line is not None, f"it ended{self.stderr}"
        return line

    def line_with(self, text: str) -> str:
        """The next line that holds `text`; those before it are passed over."""
        while text not in (line := self.line()):
            pass
        return line

    def event(self, kind: str) -> Event:
        """The next event, which is to be of this kind."""
        event: Event = json.loads(self.line())
        assert event["event"] == kind, event
        return event

    def built(self) -> Event:
        event = self.event("built")
        assert not [one for one in event["diagnostics"] if one["severity"] == "error"]
        return event

    def failed(self) -> list[str]:
        """`path:line:column` of each error of a failed build, or `path` of one without a place."""
        event = self.event("failed")
        assert not (event["created"] or event["updated"] or event["deleted"])
        return [
            f"{one['path']}:{one['line']}:{one['column']}" if one["line"] else one["path"]
            for one in event["diagnostics"]
            if one["severity"] == "error"
        ]

    def is_silent(self) -> bool:
        """Whether nothing is said of what was done before: the next that is heard is an answer to
        a definition that is written now."""
        self._fillers += 1
        name = f"filler_{self._fillers}"
        write(self.root / f"tooldefs/{name}.toml", tool(name))
        event = self.event("built")
        return sorted(event["created"]) == [
            f"generated/contracts/{name}.py",
            f"generated/handlers/{name}.py",
        ]

    @staticmethod
    def clock() -> Iterator[None]:
        """Something to wait with: a short while a step, and an error when it took too long."""
        for _ in range(round(GENEROUS * 100)):
            time.sleep(0.01)
            yield
        raise AssertionError("it did not happen")

    @property
    def stderr(self) -> str:
        return "".join(self._errors)

    def end(self, number: int = signal.SIGINT) -> int:
        """Send a signal; the exit code."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        """The exit code, once it has ended."""
        code = self.process.wait(GENEROUS)
        for thread in self._threads:
            thread.join(GENEROUS)
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return code

    def kill(self) -> None:
        """Make sure that it has ended, whatever became of the test."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.wait()


@pytest.fixture
def start_watch(tmp_path: Path) -> Iterator[StartWatch]:
    """Start `toolc watch --json` in the test's folder, or with other arguments. What was started
    is ended by Ctrl-C after the test, quickly, quietly, and with nothing left half done."""
    started: list[Watch] = []

    def start(*arguments: str, cwd: Path | None = None, **environment: str) -> Watch:
        watch = Watch(cwd or tmp_path, arguments or ("--json",), environment)
        started.append(watch)
        return watch

    yield start
    try:
        for watch in started:
            if watch.process.poll() is None:
                assert watch.end() in (0, 130)
            assert "Traceback" not in watch.stderr, watch.stderr
            assert leftovers(watch.root) == []
    finally:
        for watch in started:
            watch.kill()


@pytest.fixture
def watch(project: Path, start_watch: StartWatch) -> Watch:
    """A watch over `project`, past its first build."""
    watch = start_watch()
    watch.event("ready")
    watch.built()
    return watch


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the tools `one` and `two`, and `deep` in a folder."""
    write(tmp_path / "toolc.toml", "")
    for name, path in {"one": "one", "two": "two", "deep": "sub/deep"}.items():
        write(tmp_path / f"tooldefs/{path}.toml", tool(name))
    return tmp_path


def tool(name: str, description: str = "") -> str:
    """A definition's text."""
    return f'name = "{name}"\ndescription = "{description or f"Do {name}"}"\n'


BROKEN = 'name = "one"\ndescription = \n'
"""A definition that lacks a value, at 2:15."""


def write(path: Path, text: str) -> None:
    """Save as most editors do: whole, under another name first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.saving")
    beside.write_text(text, "utf-8")
    beside.replace(path)


def descriptions(root: Path, output: str = "generated") -> dict[str, str]:
    """By name: what the manifest says of each tool."""
    manifest = json.loads((root / output / "manifest.json").read_text("utf-8"))
    return {one["name"]: one["description"] for one in manifest["tools"]}


def outputs(root: Path, output: str = "generated") -> dict[str, tuple[bytes, int]]:
    """By path: content and time of modification of everything that was written."""
    return {
        path.relative_to(root).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted((root / output).rglob("*"))
        if path.is_file()
    }


def leftovers(root: Path) -> list[str]:
    """What a build has not cleared away."""
    return [
        path.name
        for path in root.rglob("*")
        if path.name.endswith(".tmp") or path.name == "journal"
    ]
