"""The linter: all files anew, and after one changed."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Iterator

from bench import Bench
from figure import Figure
from projects import Project

_ZERO = "--exit-zero"  # the measured tools are so many, and so alike, that something is said


def lint(bench: Bench) -> Iterator[Figure]:
    """The whole command, cold and with one of the files changed since it ran last."""
    times: dict[int, float] = {}
    for count, cold_goal, one_goal in ((bench.small, 500, 100), (bench.middle, None, None)):
        project = bench.project(count, stubs=False)
        command = bench.toolc("lint", _ZERO)
        cold = bench.medians({"cold": bench.task(command, project.root, _forget(project))})
        one = bench.medians({"one": bench.task(command, project.root, _change(bench, project))})
        times[count] = cold["cold"]
        yield Figure(f"{count:,} files", "ms", cold["cold"], goal=cold_goal)
        yield Figure(f"{count:,} files, one changed", "ms", one["one"], goal=one_goal)
    start = bench.medians({"start": bench.task(bench.bare_python(), bench.folder)})["start"]
    first, last = bench.small, bench.middle
    exponent = math.log((times[last] - start) / (times[first] - start)) / math.log(last / first)
    yield Figure(f"time, {first:,} to {last:,}", "exponent", exponent, goal=1.05)


def _forget(project: Project) -> Callable[[], None]:
    return lambda: shutil.rmtree(project.root / ".toolc_cache", ignore_errors=True)


def _change(bench: Bench, project: Project) -> Callable[[], None]:
    """A function that changes one description more, a different file each time."""
    number = 0

    def change() -> None:
        nonlocal number
        number = (number + project.size // 3 + 1) % project.size
        project.save(number, bench.remark())

    return change
