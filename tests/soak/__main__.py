"""Soak a generated server: many clients, good and bad calls between each other, for a while.

Every good call must have its right answer, every bad one an error of its own, and when the clients
have ended, the server must hold what it held before: no task, thread, session, stream or file
descriptor more, and no more memory than in the beginning. Each line of `RUNS` is soaked by itself.

    python -m tests.soak --seconds 60 --clients 32

The exit code is 1 if something is wrong. Linux only, as what a process holds is read from /proc.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from operator import le
from pathlib import Path
from random import Random
from typing import NamedTuple

from .traffic import KINDS
from .wires import PATIENCE, HttpPeer, Peer, StdioPeer, descriptors, resident_bytes

HERE = Path(__file__).resolve().parent


class Run(NamedTuple):
    """A way to serve, and the era of the clients."""

    name: str
    options: tuple[str, ...]
    era: str


RUNS = (
    Run("stdio-2025", (), "legacy"),
    Run("stdio-2026", (), "modern"),
    Run("http-2025", ("--transport", "http", "--port", "0"), "legacy"),
    Run("http-2026", ("--transport", "http", "--port", "0"), "modern"),
    Run("http-stream-2025", ("--transport", "http", "--port", "0", "--stream"), "legacy"),
    Run("http-stream-2026", ("--transport", "http", "--port", "0", "--stream"), "modern"),
)

MOST_THREADS = 40 + 40 + 8
"""toolc_runtime's for handlers, anyio's for all else, and the process's own."""

MOST_GROWTH = 0.05
"""Of memory, from the first third after the warm-up to the last one."""

_WARM_UP = 0.2
"""The share of the time in which memory may grow as it likes."""

_SAMPLE = 0.25
"""Seconds between two looks at the memory."""

_FEWEST_SAMPLES = 60
"""With fewer, nothing is said of memory."""

_CALM = 1.0
"""Seconds after which what one client began has ended."""

_SETTLE = 15.0
"""Seconds in which what was begun must have ended once the clients are still."""

_MANY = 1_000_000

_LONGEST_LINE = 16 * 1024 * 1024

_MOST_SHOWN = 5


class Held(NamedTuple):
    """What a server holds when its clients are still."""

    tasks: int
    threads: int
    running: int
    sessions: int
    streams: int
    descriptors: int

    def is_within(self, before: Held) -> bool:
        """Whether nothing is held that was not `before`; threads wait for further work."""
        return all(map(le, self._replace(threads=0), before))


class Report(NamedTuple):
    """What came of a run."""

    run: Run
    calls: Counter[str]
    """How many were sent, by kind."""
    seconds: float
    before: Held
    after: Held
    memory: list[int]
    """Bytes, from the end of the warm-up on, in equal steps of time."""
    wrong: list[str]

    @property
    def first_third(self) -> float:
        return statistics.median(self.memory[: max(1, len(self.memory) // 3)])

    @property
    def last_third(self) -> float:
        return statistics.median(self.memory[-max(1, len(self.memory) // 3) :])

    @property
    def problems(self) -> list[str]:
        """What is wrong, in sentences; none where nothing is."""
        found = list(self.wrong)
        if not self.after.is_within(self.before):
            found.append(f"the server holds {self.after}, and held {self.before}")
        if self.after.threads > MOST_THREADS:
            found.append(f"{self.after.threads} threads, above {MOST_THREADS}")
        if len(self.memory) >= _FEWEST_SAMPLES and self.last_third > self.first_third * (
            1 + MOST_GROWTH
        ):
            found.append("memory grows")
        return found

    @property
    def line(self) -> str:
        count, mebibyte = self.calls.total(), 1024 * 1024
        return (
            f"{self.run.name:<17} {count:>8,} calls {count / self.seconds:>7,.0f}/s   "
            f"{self.first_third / mebibyte:6.1f} -> {self.last_third / mebibyte:6.1f} MiB   "
            f"threads {self.before.threads} -> {self.after.threads}, "
            f"tasks {self.before.tasks} -> {self.after.tasks}, "
            f"descriptors {self.before.descriptors} -> {self.after.descriptors}   "
            f"{len(self.problems)} problems"
        )


def main() -> int:
    parser = argparse.ArgumentParser("python -m tests.soak", description="Soak a generated server.")
    names = [run.name for run in RUNS]
    parser.add_argument("runs", nargs="*", metavar="RUN", help=f"of {', '.join(names)}; all")
    parser.add_argument("--seconds", type=float, default=60, help="how long each run takes")
    parser.add_argument("--clients", type=int, default=32, help="how many at once")
    parser.add_argument("--seed", type=int, default=0, help="of what they send")
    options = parser.parse_args()
    if unknown := [name for name in options.runs if name not in names]:
        parser.error(f"no run is called {unknown[0]}")
    are_right = True
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder))
        for run in RUNS:
            if options.runs and run.name not in options.runs:
                continue
            soaking = soak(run, Path(folder), options.seconds, options.clients, options.seed)
            report = asyncio.run(soaking)
            print(report.line, flush=True)
            for problem in report.problems[:_MOST_SHOWN]:
                print(f"    {problem}")
            are_right = are_right and not report.problems
    return 0 if are_right else 1


def build(folder: Path) -> None:
    """Copy the project to `folder` and build it there."""
    shutil.copy(HERE / "toolc.toml", folder)
    for name in ("tooldefs", "handlers"):
        shutil.copytree(HERE / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    options = ["--strict", "--quiet", "--project", str(folder)]
    subprocess.run([sys.executable, "-m", "toolc", "build", *options], check=True)


async def soak(run: Run, folder: Path, seconds: float, clients: int, seed: int) -> Report:
    """Serve the built project in `folder`, and have clients at it for so many seconds.

    Each sends every kind once, whatever the time.
    """
    calls: Counter[str] = Counter()
    wrong: list[str] = []
    memory: list[int] = []
    async with serving(run, folder) as (process, connect):
        probe = connect()
        await probe.begin()
        # Some things are made by the first who needs them, and stay.
        await talk(probe, Random(seed), "probe", 0, calls, wrong)
        await asyncio.sleep(_CALM)
        before = await held(probe, process.pid)
        peers = [connect() for _ in range(clients)]
        own = [peer for peer in peers if peer is not probe]  # over stdio they share one
        for peer in own:
            await peer.begin()
        started = time.monotonic()
        watching = asyncio.create_task(watch_memory(process.pid, memory))
        async with asyncio.TaskGroup() as group:
            for number, peer in enumerate(peers):
                random = Random(f"{seed}/{number}")
                group.create_task(talk(peer, random, f"t{number}", started + seconds, calls, wrong))
        took = time.monotonic() - started
        watching.cancel()
        # Each session has its tasks; of what was asked in it nothing is left.
        still = before._replace(tasks=_MANY, sessions=_MANY, descriptors=_MANY)
        idle = await settled(probe, process.pid, still)
        if not idle.is_within(still):
            wrong.append(f"with sessions that are still, the server holds {idle}")
        for peer in own:
            await peer.end()
            await peer.close()
        after = await settled(probe, process.pid, before)
        await probe.end()
        if isinstance(probe, StdioPeer):
            wrong += [f"a message that nobody waited for: {stray}" for stray in probe.strays]
        await probe.close()
    kept = memory[int(len(memory) * _WARM_UP) :]
    return Report(run, calls, took, before, after, kept, wrong)


async def talk(
    peer: Peer,
    random: Random,
    name: str,
    until: float,
    calls: Counter[str],
    wrong: list[str],
) -> None:
    """Send every kind once, then whatever comes, until the time is over."""
    kinds = [kind for kind in KINDS if kind.fits(peer)]
    weights = [kind.weight for kind in kinds]
    first = random.sample(kinds, len(kinds))
    number = 0
    while first or time.monotonic() < until:
        kind = first.pop() if first else random.choices(kinds, weights)[0]
        number += 1
        try:
            await kind.run(peer, random, f"{name}x{number}x")
        except Exception as error:  # whatever it is, it is no right answer
            wrong.append(f"{kind.name}: {type(error).__name__}: {error}")
        calls[kind.name] += 1


async def held(probe: Peer, pid: int) -> Held:
    answer = await probe.call("tell_state")
    return Held(**answer.message["result"]["structuredContent"], descriptors=descriptors(pid))


async def settled(probe: Peer, pid: int, before: Held) -> Held:
    """What the server holds once it holds no more than `before`, or has had its time."""
    until = time.monotonic() + _SETTLE
    while True:
        now = await held(probe, pid)
        if now.is_within(before) or time.monotonic() > until:
            return now
        await asyncio.sleep(0.2)


async def watch_memory(pid: int, memory: list[int]) -> None:
    while True:
        memory.append(resident_bytes(pid))
        await asyncio.sleep(_SAMPLE)


@asynccontextmanager
async def serving(
    run: Run, folder: Path
) -> AsyncIterator[tuple[asyncio.subprocess.Process, Callable[[], Peer]]]:
    """A server, and what connects a client to it; over stdio there is one for all."""
    log = folder / f"{run.name}.log"
    with log.open("wb") as file:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "soak_server", *run.options),
            cwd=folder,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=file,
            limit=_LONGEST_LINE,
        )
    try:
        if not run.options:
            peer = StdioPeer(process, run.era)
            yield process, lambda: peer
        else:
            while not (told := re.search(r":(\d+)/mcp", log.read_text(encoding="utf-8"))):
                assert process.returncode is None, log.read_text(encoding="utf-8")
                await asyncio.sleep(0.05)
            port, streams = int(told[1]), "--stream" in run.options
            yield process, lambda: HttpPeer(port, run.era, streams=streams)
    finally:
        if run.options and process.returncode is None:
            process.kill()
        elif process.stdin is not None:
            process.stdin.close()  # with which a stdio server ends
        await asyncio.wait_for(process.wait(), PATIENCE)


if __name__ == "__main__":
    sys.exit(main())
