"""Builds that are killed in their midst.

A process that has built a project before forks off each of them, so that hundreds take no time. It
reads `[root, calls, seconds]` from each line of its input, and answers with the child's wait status.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

CALLS = ("open", "write", "replace", "link", "unlink", "mkdir", "chmod")
"""What changes the disk, as far as it is called by its name in `os`."""


class Killer:
    """Runs builds, and kills them. `root` is a project to learn from, which is built to its end."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def __enter__(self) -> Killer:
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(self._root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.communicate()

    def build(self, root: Path, *, calls: int = -1, seconds: float = -1) -> bool:
        """Build a project, killed at the call of that number, counted from 0, or after some time;
        whether it got so far."""
        assert self._process.poll() is None, f"it ended with {self._process.returncode}"
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([str(root), calls, seconds]) + "\n")
        self._process.stdin.flush()
        return os.WIFSIGNALED(int(self._process.stdout.readline()))


def serve(root: str) -> None:
    from toolc.cli.main import main

    answers, null = os.fdopen(os.dup(1), "w"), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.chdir(root)
    main(["build"])
    for line in sys.stdin:
        root, calls, seconds = json.loads(line)
        child = os.fork()
        if child == 0:
            os.chdir(root)
            _count(calls)
            os._exit(main(["build"]))
        if seconds >= 0:
            threading.Event().wait(seconds)
            os.kill(child, signal.SIGKILL)
        print(os.waitpid(child, 0)[1], file=answers, flush=True)


def _count(calls: int) -> None:
    """Have this process killed at the call of that number; a write is done by half then."""
    left = calls

    def counted(name: str) -> Any:
        call = getattr(os, name)

        def wrapped(*arguments: Any, **options: Any) -> Any:
            nonlocal left
            if left == 0:
                if name == "write":
                    call(arguments[0], arguments[1][: len(arguments[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            left -= 1
            return call(*arguments, **options)

        return wrapped

    for name in CALLS:
        setattr(os, name, counted(name))


if __name__ == "__main__":
    serve(sys.argv[1])
