"""Builds with little to do: nothing changed, or one file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from bench import Bench
from figure import Figure, NotMeasuredError
from projects import Project

FLOOR = "bare Python: list and stat"


def no_op(bench: Bench, notation: str) -> Iterator[Figure]:
    """A build where nothing changed, against a bare Python that looks at the same files."""
    for count in (bench.small, bench.middle):
        project = bench.built(count, notation)
        tasks = {
            "build": bench.task(bench.toolc("build"), project.root),
            "floor": bench.task(bench.floor("stat_all.py", str(project.root)), project.root),
        }
        script = Path(bench.python).with_name("toolc")
        if script.exists():
            tasks["script"] = bench.task([str(script), "build"], project.root)
        medians = bench.medians(tasks)
        what, floor = f"{count:,} files, nothing changed", medians["floor"]
        yield Figure(what, "ms", medians["build"], floor, FLOOR, 1.5)
        what += ", by the console script"
        if "script" in tasks:
            yield Figure(what, "ms", medians["script"], floor, FLOOR)
        else:
            yield Figure(what, note=f"there is no {script}")


def one_change(bench: Bench, notation: str) -> Iterator[Figure]:
    """A build after one description changed, a different file each time."""
    for stubs in (True, False):
        for count, limit in ((bench.small, 2.5), (bench.middle, 2.0)):
            project = bench.built(count, notation, stubs=stubs)
            floor = bench.floor("stat_all.py", str(project.root))
            medians = bench.medians(
                {
                    "build": bench.task(
                        bench.toolc("build"), project.root, _next_change(bench, project)
                    ),
                    "floor": bench.task(floor, project.root),
                }
            )
            what = f"{count:,} files, one changed" + ("" if stubs else ", manifest only")
            yield Figure(what, "ms", medians["build"], medians["floor"], FLOOR, limit)


def _next_change(bench: Bench, project: Project) -> Callable[[], None]:
    """A function that makes one change more; each time the one before must have arrived."""
    last = ""
    number = 0

    def change() -> None:
        nonlocal last, number
        if last and last not in project.manifest.read_text("utf-8"):
            raise NotMeasuredError("a build left a change out of the manifest")
        last = bench.remark()
        number = (number + project.size // 3 + 1) % project.size
        project.save(number, last)
        os.sync()

    return change
