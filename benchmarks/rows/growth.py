"""How time and memory of cold builds grow with the number of tools."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

from bench import Bench, create_files
from figure import Figure

_PEAK = "peak is that of the largest process, not the sum of all"


def growth(bench: Bench) -> Iterator[Figure]:
    """Cold builds of 1,000, 10,000 and 100,000 tools, without and with Python."""
    start = bench.medians({"start": bench.task(bench.bare_python(), bench.folder)})["start"]
    for stubs, memory in ((False, 2), (True, 4)):
        yield from _growth(bench, start, memory, stubs=stubs)


def _growth(bench: Bench, start: float, memory: float, *, stubs: bool) -> Iterator[Figure]:
    kind = "with Python" if stubs else "manifest only"
    sizes = (bench.small, bench.middle, bench.large)
    projects = {size: bench.project(size, stubs=stubs) for size in sizes}
    taken: dict[int, list[tuple[float, float]]] = {size: [] for size in sizes}
    for _ in range(bench.runs):
        for size, project in projects.items():
            project.clear()
            taken[size].append(bench.peak(bench.toolc("build"), project.root))
    times = {size: median(time for time, _ in taken[size]) * 1000 for size in sizes}
    peaks = {size: median(peak for _, peak in taken[size]) for size in sizes}
    for size in sizes:
        rate = f"{size / times[size] * 1000:,.0f} tools a second"
        note = f"{rate}, peak {peaks[size] / 2**20:,.0f} MiB"
        yield Figure(f"{size:,} tools, {kind}", "ms", times[size], note=note)
    first, middle, last = sizes

    def exponent(of: dict[int, float], start: int = first) -> float:
        return math.log(of[last] / of[start]) / math.log(last / start)

    started = {size: time - start for size, time in times.items()}
    span = f"{first:,} to {last:,}, {kind}"
    # What toolc imports weighs on the smallest build only, and makes the exponent smaller.
    note = f"from {middle:,} on: exponent {exponent(started, middle):.2f}"
    yield Figure(f"time, {span}", "exponent", exponent(started), goal=1.05, note=note)
    if stubs:
        creations = {
            size: create_files(bench.folder, projects[size].written_sizes()) * 1000
            for size in (first, last)
        }
        aside = {size: max(started[size] - creations[size], 1) for size in (first, last)}
        what = f"time, {span}, creation aside"
        note = f"creation alone, one run: exponent {exponent(creations):.2f}"
        yield Figure(what, "exponent", exponent(aside), note=note)
    grown = (peaks[last] - peaks[first]) / (last - first) / 1024
    yield Figure(f"memory, {span}", "KB/tool", grown, goal=memory, note=_PEAK)
