"""How things are measured: whole processes by the clock, in turns, and the median of each."""

from __future__ import annotations

import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from figure import NotMeasuredError
from projects import Project

FLOORS = Path(__file__).parent / "floors"

# A file as new as the cache that knows it has to be read again; after this long, none is. Seconds.
_SETTLED = 0.1


def _nothing() -> None:
    pass


class Task(NamedTuple):
    """Something to measure: `run` does it once and returns how long it took, in seconds."""

    run: Callable[[], float]
    before: Callable[[], object] = _nothing  # done before each run, off the clock


class Bench:
    """The settings of a run, and the projects that its rows share."""

    def __init__(
        self,
        folder: Path,
        *,
        runs: int,
        sizes: tuple[int, int, int] = (1_000, 10_000, 100_000),
        quick: bool = False,
        fast_python: str = "",
    ) -> None:
        self.folder = folder
        self.runs = runs
        self.small, self.middle, self.large = sizes
        self.quick = quick
        self.fast_python = fast_python
        self.python = sys.executable
        # As users run it: with compiled modules beside the sources.
        self.fast_environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("PYTHONDONTWRITEBYTECODE", "TOOLC_TOML")
        }
        # What a plain installation has, whatever else is installed here.
        self.environment = {**self.fast_environment, "TOOLC_TOML": "tomli"}
        self._remarks = itertools.count(1)
        self._projects: dict[tuple[int, str, bool], Project] = {}

    # Commands

    def toolc(self, *arguments: str, python: str = "") -> list[str]:
        return [python or self.python, "-m", "toolc", *arguments]

    def floor(self, script: str, *arguments: str) -> list[str]:
        return [self.python, str(FLOORS / script), *arguments]

    def bare_python(self) -> list[str]:
        return [self.python, "-c", "pass"]

    def seconds(self, command: Sequence[str], folder: Path, *, fast: bool = False) -> float:
        """How long a command takes, with `fast` also by what only `toolc[fast]` has;
        NotMeasuredError with its last words where it fails."""
        environment = self.fast_environment if fast else self.environment
        with tempfile.TemporaryFile() as output:
            start = time.perf_counter()
            done = subprocess.run(
                command, cwd=folder, env=environment, stdout=output, stderr=output
            )
            end = time.perf_counter()
            if done.returncode:
                output.seek(0)
                raise NotMeasuredError(_failure(command, output.read().decode(errors="replace")))
        return end - start

    def output(self, command: Sequence[str], folder: Path) -> str:
        """All that a command says, whatever its exit code."""
        done = subprocess.run(
            command,
            cwd=folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done.stdout

    def peak(self, command: Sequence[str], folder: Path) -> tuple[float, float]:
        """How long a command takes, and the peak of memory in bytes of its largest process."""
        done = subprocess.run(
            self.floor("peak.py", *command),
            cwd=folder,
            env=self.environment,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise NotMeasuredError(_failure(command, done.stderr))
        seconds, size = json.loads(done.stdout)
        return seconds, size

    def task(
        self,
        command: Sequence[str],
        folder: Path,
        before: Callable[[], object] = _nothing,
        *,
        fast: bool = False,
    ) -> Task:
        return Task(lambda: self.seconds(command, folder, fast=fast), before)

    # Measuring

    def medians(self, tasks: Mapping[str, Task]) -> dict[str, float]:
        """The tasks in turns, forwards and backwards, after one round that does not count; the
        median of each, in milliseconds."""
        taken: dict[str, list[float]] = {name: [] for name in tasks}
        for run in range(self.runs + 1):
            for name, task in list(tasks.items())[:: -1 if run % 2 else 1]:
                task.before()
                taken[name].append(task.run() * 1000)
        return {name: statistics.median(times[1:]) for name, times in taken.items()}

    # Projects

    def project(self, count: int, notation: str = "toml", *, stubs: bool = True) -> Project:
        """A project of `count` definitions, made when it is first asked for."""
        key = (count, notation, stubs)
        if key not in self._projects:
            name = f"{notation}-{count}-{'stubs' if stubs else 'manifest'}"
            project = Project(self.folder / name, count, notation, stubs)
            project.write()
            self._projects[key] = project
        return self._projects[key]

    def built(self, count: int, notation: str = "toml", *, stubs: bool = True) -> Project:
        """A project that a build finds up to date, and whose files are older than that build."""
        project = self.project(count, notation, stubs=stubs)
        self.seconds(self.toolc("build"), project.root)
        time.sleep(_SETTLED)
        self.seconds(self.toolc("build"), project.root)
        names = {tool["name"] for tool in json.loads(project.manifest.read_bytes())["tools"]}
        if len(names) != count:
            raise NotMeasuredError(f"the manifest has {len(names)} tools instead of {count}")
        return project

    def remark(self) -> str:
        """A text that no definition has had yet."""
        return f"Remark {next(self._remarks)}."


def create_files(within: Path, sizes: Mapping[str, int]) -> float:
    """Create files of these sizes in a new folder, and remove it; the seconds of creation alone."""
    with tempfile.TemporaryDirectory(dir=within) as fresh:
        for parent in {os.path.dirname(name) for name in sizes}:
            os.makedirs(os.path.join(fresh, parent), exist_ok=True)
        files = [(os.path.join(fresh, name), b"x" * size) for name, size in sizes.items()]
        os.sync()
        start = time.perf_counter()
        for path, data in files:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            os.write(descriptor, data)
            os.close(descriptor)
        return time.perf_counter() - start


def _failure(command: Sequence[str], output: str) -> str:
    """What to say of a command that failed: its name and its last line."""
    lines = output.strip().splitlines() or ["no output"]
    return f"`{' '.join([os.path.basename(command[0]), *command[1:]])}` failed: {lines[-1]}"
