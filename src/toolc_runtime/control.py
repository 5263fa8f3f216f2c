"""How the program that started a server asks it to load its package anew.

The parent makes a pipe, lets the server inherit the read end, and names it in the environment under
`VARIABLE`: as a file descriptor, on Windows as a handle. Each time it writes `RELOAD`, the server
reloads. When it closes the write end, or ends in whatever way, the server ends too. The server is
to be started with the project's folder as its working folder.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

VARIABLE = "TOOLC_RELOAD_FD"

RELOAD = b"reload\n"


class Control:
    """The server's end of the pipe, read by a thread of its own from now on."""

    def __init__(self, descriptor: int) -> None:
        """OSError for a descriptor that is not open."""
        os.set_inheritable(descriptor, False)  # what a handler starts has no part in it
        self._descriptor = descriptor
        self._asked = threading.Event()
        threading.Thread(target=self._read, name="toolc-control", daemon=True).start()

    def wait(self) -> None:
        """Return when there is something to reload; what was asked for meanwhile is one reload."""
        self._asked.wait()
        self._asked.clear()

    def _read(self) -> None:
        # Nothing else is done on this thread: the server must end with its parent even while an
        # import hangs.
        while os.read(self._descriptor, 4096):
            self._asked.set()
        os.kill(os.getpid(), signal.SIGTERM)


def take_control() -> Control | None:
    """The control that this process was started with, if any; the environment then forgets it.

    ValueError and OSError where `VARIABLE` does not name an open pipe.
    """
    value = os.environ.pop(VARIABLE, None)
    if value is None:
        return None
    descriptor = int(value)
    if sys.platform == "win32":
        import msvcrt

        descriptor = msvcrt.open_osfhandle(descriptor, os.O_RDONLY)
    return Control(descriptor)
