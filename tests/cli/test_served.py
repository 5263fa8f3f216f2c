"""The server that runs beside toolc."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolc import driver
from toolc.cli.served import ServedProcess

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")

SERVER = """
import signal, sys, time
from toolc_runtime.control import take_control
if sys.argv[1] == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if sys.argv[1] == "brief":
    sys.exit(7)
control = take_control()
log = open("log", "a")
while True:
    print(sys.argv[1], file=log, flush=True)
    control.wait()
"""
"""In place of a generated one: says its option at the start and at each reload."""


class Served:
    """Servers of one project, and what they have said."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started: list[ServedProcess] = []

    def start(self, option: str) -> ServedProcess:
        opened = driver.open_project(str(self._folder))
        process = ServedProcess(opened.root, opened.project, [option])
        self._started.append(process)
        process.start()
        return process

    def wait_for(self, *lines: str) -> None:
        log = self._folder / "log"
        deadline = time.monotonic() + 60
        while not log.exists() or log.read_text().split() != list(lines):
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def end(self) -> None:
        for process in self._started:
            process.stop()


@pytest.fixture
def served(project: Path) -> Iterator[Served]:
    (project / "generated/__main__.py").write_text(SERVER)
    served = Served(project)
    yield served
    served.end()


def test_it_runs_and_reloads_until_it_is_stopped(served: Served) -> None:
    process = served.start("a")
    served.wait_for("a")
    process.reload()
    served.wait_for("a", "a")
    assert process.poll() is None
    process.stop()
    assert process.poll() == -signal.SIGTERM


def test_another_start_takes_the_place_of_the_first(served: Served) -> None:
    process = served.start("a")
    served.wait_for("a")
    process.start()
    served.wait_for("a", "a")
    assert process.poll() is None


def test_one_that_does_not_listen_is_killed(served: Served) -> None:
    process = served.start("stubborn")
    served.wait_for("stubborn")
    process.stop()
    assert process.poll() == -signal.SIGKILL


def test_one_that_has_ended_is_nothing_to_reload_or_stop(served: Served) -> None:
    process = served.start("brief")
    while process.poll() is None:
        time.sleep(0.02)
    assert process.poll() == 7
    assert (process.ended(), process.ended()) == (7, None)
    assert not process.is_running
    process.reload()
    process.stop()
    assert process.poll() == 7


def test_nothing_is_left_open(served: Served) -> None:
    before = os.listdir("/dev/fd")
    process = served.start("a")
    process.stop()
    process.stop()
    assert os.listdir("/dev/fd") == before


def test_before_the_start(project: Path) -> None:
    opened = driver.open_project(str(project))
    process = ServedProcess(opened.root, opened.project)
    process.reload()
    process.stop()
    assert process.poll() is None
