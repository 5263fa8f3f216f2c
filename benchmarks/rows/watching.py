"""`toolc watch`: from a save to the manifest, and what it costs while nobody saves."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from bench import Bench
from figure import Figure, NotMeasuredError
from projects import Project

# Seconds.
_READY = 300.0  # to wait for the first build
_ARRIVAL = 30.0  # to wait for a save to arrive
_PAUSE = 0.1  # between two saves
_RESTED = 21.0  # from the last save until a watch is at rest
_LOOK = 0.0001  # between two looks at the manifest


def watching(bench: Bench) -> Iterator[Figure]:
    """A save under `toolc watch` until the manifest is replaced, and its use of the CPU at rest."""
    saves = 5 if bench.quick else 20 * bench.runs
    for count, limit in ((bench.small, 15), (bench.middle, 35)):
        project = bench.built(count)
        with _watch(bench, project) as process:
            times = [_save(bench, project, number) for number in range(saves)]
            time.sleep(1.0 if bench.quick else _RESTED)
            rest = _cpu_at_rest(process.pid, 1.0 if bench.quick else 30.0)
        what = f"{count:,} files, save to manifest"
        yield Figure(f"{what}, median of {saves}", "ms", statistics.median(times), goal=limit)
        p99 = statistics.quantiles(times, n=100, method="inclusive")[98]
        yield Figure(f"{what}, p99", "ms", p99, goal=3 * limit)
        yield Figure(f"{count:,} files, CPU at rest", "%", rest, goal=1)


@contextlib.contextmanager
def _watch(bench: Bench, project: Project) -> Iterator[subprocess.Popen[str]]:
    """`toolc watch` in a project, from when it says that it is ready."""
    process = subprocess.Popen(
        bench.toolc("watch", "--json"),
        cwd=project.root,
        env=bench.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=_pass_on, args=(process.stdout, lines), daemon=True).start()
        _wait_until_ready(lines)
        yield process
    finally:
        process.terminate()
        process.wait()


def _pass_on(stream: IO[str], lines: queue.SimpleQueue[str]) -> None:
    """Keep the pipe empty; an empty line says that it ended."""
    for line in stream:
        lines.put(line)
    lines.put("")


def _wait_until_ready(lines: queue.SimpleQueue[str]) -> None:
    while True:
        try:
            line = lines.get(timeout=_READY)
        except queue.Empty:
            raise NotMeasuredError(f"toolc watch was not ready after {_READY:.0f} s") from None
        if not line:
            raise NotMeasuredError("toolc watch --json is not available")
        if json.loads(line).get("event") == "ready":
            return


def _save(bench: Bench, project: Project, number: int) -> float:
    """Milliseconds from a save to another manifest; the remark must stand in it."""
    path = str(project.manifest)
    before = os.stat(path)
    remark = bench.remark()
    saved = project.save(number * 7 % project.size, remark)
    while True:
        now = os.stat(path)
        seen = time.perf_counter()
        if (now.st_ino, now.st_mtime_ns) != (before.st_ino, before.st_mtime_ns):
            break
        if seen - saved > _ARRIVAL:
            raise NotMeasuredError(f"a save had not arrived after {_ARRIVAL:.0f} s")
        time.sleep(_LOOK)
    time.sleep(_PAUSE)
    if remark not in project.manifest.read_text("utf-8"):
        raise NotMeasuredError("toolc watch wrote a manifest without the change")
    return (seen - saved) * 1000


def _cpu_at_rest(pid: int, seconds: float) -> float:
    """Percent of one CPU that a process and its descendants use while nothing happens."""
    before = _cpu_seconds(pid)
    time.sleep(seconds)
    return (_cpu_seconds(pid) - before) / seconds * 100


def _cpu_seconds(pid: int) -> float:
    if not os.path.exists("/proc/self/stat"):
        raise NotMeasuredError("the CPU at rest is read from /proc, which is not here")
    used: dict[int, int] = {}
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            fields = stat.read_text().rpartition(")")[2].split()
            process = int(stat.parent.name)
            parents[process] = int(fields[1])
            # utime and stime, and those of the children that ended
            used[process] = sum(map(int, fields[11:15]))
    total, family = 0, [pid]
    while family:
        one = family.pop()
        total += used.get(one, 0)
        family += [child for child, parent in parents.items() if parent == one]
    return total / os.sysconf("SC_CLK_TCK")
