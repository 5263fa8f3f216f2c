"""A server that runs beside toolc and reloads when it is told to."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress

from toolc.cli.handlers import import_folders, python_environment
from toolc.model.project import Project
from toolc_runtime.control import RELOAD, VARIABLE

_PATIENCE = 2
"""Seconds that a server gets to end by itself."""


class ServedProcess:
    """The server of a project's last build, as a child process. It never outlives this one.

    stdin, stdout and stderr are this process's own, so over stdio the server speaks to whoever
    started toolc.
    """

    def __init__(self, root: str, project: Project, options: Sequence[str] = ()) -> None:
        """`options` are the server's own, as they are typed: `--transport`, `http`."""
        self._root = root
        self._command = [sys.executable, "-m", project.python.package, *options]
        self._environment = python_environment(root, project)
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: int | None = None
        self._application = application_file(root, project)
        self._seen: tuple[int, int] | None = None
        """The application's file, as the server was started with it."""

    def start(self) -> None:
        """Start it; one that still runs is stopped first. OSError where it cannot be started."""
        self.stop()
        self._seen = _stamp(self._application)
        theirs, self._pipe = os.pipe()
        try:
            self._process = self._spawn(theirs)
        finally:
            os.close(theirs)

    def reload(self) -> None:
        """Have it load the package anew, as soon as it can; without one that runs, nothing."""
        if self._pipe is not None:
            with suppress(BrokenPipeError):  # it has ended: `poll` knows how
                os.write(self._pipe, RELOAD)

    def has_new_application(self) -> bool:
        """Whether the file of the author's application is another than at the start, or than when
        this was asked last: a reload does not load it."""
        before, self._seen = self._seen, _stamp(self._application)
        return before != self._seen

    def poll(self) -> int | None:
        """Its exit code, negative for a signal; None while it runs, and before the first start."""
        return None if self._process is None else self._process.poll()

    @property
    def is_running(self) -> bool:
        """Whether it has been started, and not stopped since, nor told by `ended`."""
        return self._pipe is not None

    def ended(self) -> int | None:
        """The exit code of one that has ended by itself, once."""
        code = self.poll() if self.is_running else None
        if code is not None:
            self.stop()
        return code

    def stop(self) -> None:
        """End it, by force where it takes longer than 2 seconds; returns when it has ended."""
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _spawn(self, pipe: int) -> subprocess.Popen[bytes]:
        if sys.platform == "win32":
            import msvcrt

            handle = msvcrt.get_osfhandle(pipe)
            os.set_handle_inheritable(handle, True)
            environment = {**self._environment, VARIABLE: str(handle)}
            return subprocess.Popen(self._command, cwd=self._root, env=environment, close_fds=False)
        else:
            environment = {**self._environment, VARIABLE: str(pipe)}
            return subprocess.Popen(
                self._command, cwd=self._root, env=environment, pass_fds=(pipe,)
            )


def application_file(root: str, project: Project) -> str:
    """Where the author's application stands; empty where there is none in the project."""
    module = project.server.app.partition(":")[0].replace(".", "/")
    if not module:
        return ""
    places = (
        os.path.join(folder, module + tail)
        for folder in import_folders(root, project)
        for tail in (".py", "/__init__.py")
    )
    return next(filter(os.path.isfile, places), "")


def _stamp(path: str) -> tuple[int, int] | None:
    """What tells one version of a file from another; None for no file, as while it is saved."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
