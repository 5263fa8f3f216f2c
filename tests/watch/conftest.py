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
from typing import Any, TypeAlias

import pytest

PATIENCE = 20.0
"""Seconds that a test waits for what it expects."""

Event: TypeAlias = dict[str, Any]


class Watch:
    """A `toolc watch --json` at work in a project."""

    def __init__(self, root: Path, *options: str) -> None:
        self.root = root
        self._process = subprocess.Popen(
            [sys.executable, "-m", "toolc", "watch", "--json", *options],
            cwd=root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.first = self.expect("ready")
        self.next()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)

    def next(self, patience: float = PATIENCE) -> Event:
        """The next event; queue.Empty if there is none in time."""
        event: Event = json.loads(self._lines.get(timeout=patience))
        return event

    def expect(self, kind: str) -> Event:
        event = self.next()
        assert event["event"] == kind, event
        return event

    def is_silent(self) -> bool:
        """Whether nothing is told until another change is: a definition of its own."""
        self.write("tooldefs/marker.toml", f'description = "{time.time_ns()}"\n')
        event = self.next()
        touched = [*event["created"], *event["updated"]]
        return event["event"] == "built" and event["changed"] == 1 and bool(touched)

    def write(self, path: str, text: str) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")

    def save(self, path: str, text: str) -> None:
        """Save as most editors do: beside the file, and then in its place."""
        place = self.root / path
        beside = place.with_name(f".{place.name}.swp")
        beside.write_text(text, "utf-8")
        beside.replace(place)

    def end(self, number: int = signal.SIGINT) -> None:
        """End it, and see that it ends well."""
        self._process.send_signal(number)
        code = self._process.wait(PATIENCE)
        assert self._process.stderr is not None
        error = self._process.stderr.read()
        assert code in (0, 130), (code, error)
        assert "Traceback" not in error
        assert not list(self.root.rglob("*.tmp"))

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def manifest(self) -> dict[str, Any]:
        """The tools of the manifest, by name."""
        text = (self.root / "generated/manifest.json").read_text("utf-8")
        return {tool["name"]: tool for tool in json.loads(text)["tools"]}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with two tools, in a folder and in one below it."""
    (tmp_path / "tooldefs/sub").mkdir(parents=True)
    (tmp_path / "toolc.toml").write_text("")
    (tmp_path / "tooldefs/greet.toml").write_text('description = "Greet."\n')
    (tmp_path / "tooldefs/sub/wave.toml").write_text('description = "Wave."\n')
    return tmp_path


@pytest.fixture
def watch(project: Path) -> Iterator[Callable[..., Watch]]:
    started: list[Watch] = []

    def start(*options: str) -> Watch:
        started.append(Watch(project, *options))
        return started[-1]

    yield start
    for one in started:
        try:
            if one.is_running:
                one.end()
        finally:
            one.kill()


def stats(root: Path) -> dict[str, tuple[int, int]]:
    """Inode and time of change of every generated file."""
    return {
        path.name: (os.stat(path).st_ino, os.stat(path).st_mtime_ns)
        for path in (root / "generated").rglob("*.*")
        if "__pycache__" not in path.parts
    }
