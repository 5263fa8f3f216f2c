"""Commands that do next to nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from bench import Bench
from figure import Figure, NotMeasuredError


def start_up(bench: Bench) -> Iterator[Figure]:
    """The start of toolc, against that of Python."""
    project = bench.built(10)
    one = os.path.relpath(project.definition_path(0), project.root)
    commands = {
        "toolc --version": ["--version"],
        "toolc --help": ["--help"],
        "toolc check, one file of ten": ["check", one],
    }
    tasks = {what: bench.task(bench.toolc(*rest), project.root) for what, rest in commands.items()}
    tasks["floor"] = bench.task(bench.bare_python(), project.root)
    medians = bench.medians(tasks)
    for what in commands:
        yield Figure(what, "ms", medians[what], medians["floor"], "bare Python")


def stages(bench: Bench) -> Iterator[Figure]:
    """Where the time of a cold build goes, as `toolc build --profile` says."""
    project = bench.project(bench.middle)
    project.clear()
    start = time.perf_counter()
    said = bench.output(bench.toolc("build", "--profile"), project.root)
    taken = (time.perf_counter() - start) * 1000
    if "unrecognized arguments: --profile" in said or "unknown option" in said:
        raise NotMeasuredError("toolc build has no --profile")
    yield Figure(f"{project.size:,} files, cold, one run", "ms", taken, note=said)
