"""A command of the user's that runs beside a watch, and is started anew."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

_PATIENCE = 2.0
"""Seconds that a command has to end by itself before it is ended."""


class Command:
    """One command line, for the shell; at most one process of it at a time."""

    def __init__(self, text: str, folder: str) -> None:
        self.text = text
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def restart(self) -> None:
        self.stop()
        with uninterrupted():
            # A group of its own, so that what the shell starts ends with it.
            self._process = subprocess.Popen(
                self.text, shell=True, cwd=self._folder, start_new_session=os.name == "posix"
            )

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        _signal(process, signal.SIGTERM)
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            _signal(process, getattr(signal, "SIGKILL", signal.SIGTERM))
            process.wait()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Put off what would end this process: a child that nobody knows yet would outlive it."""
    came: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _: came.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for known, handler in before.items():
            signal.signal(known, handler)
        for number in came:
            signal.raise_signal(number)


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    try:
        if os.name == "posix":
            os.killpg(process.pid, number)
        elif process.poll() is None:
            process.terminate()
    except ProcessLookupError:
        return
