"""A command of the user's that runs beside a watch, and is started anew."""

from __future__ import annotations

import os
import signal
import subprocess

_PATIENCE = 2.0
"""Seconds that a command has to end by itself before it is ended."""


class Command:
    """One command line, for the shell; at most one process of it at a time."""

    def __init__(self, text: str, folder: str, *, to_stderr: bool = False) -> None:
        """`to_stderr`: stdout is for something else, and what the command prints goes to stderr."""
        self.text = text
        self._folder = folder
        self._stdout = 2 if to_stderr else None
        self._process: subprocess.Popen[bytes] | None = None

    def restart(self) -> None:
        self.stop()
        # A group of its own, so that what the shell starts ends with it.
        self._process = subprocess.Popen(
            self.text,
            shell=True,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=self._stdout,
            start_new_session=os.name == "posix",
        )

    def ended(self) -> int | None:
        """The exit code of a process that has ended by itself (negative: by that signal), once."""
        code = None if self._process is None else self._process.poll()
        if code is not None:
            self.stop()  # it may have left others behind
        return code

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


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    try:
        if os.name == "posix":
            os.killpg(process.pid, number)
        elif process.poll() is None:
            process.terminate()
    except ProcessLookupError:
        return
