"""Several processes that serve one generated folder behind one port."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from toolc_runtime.command import open_folder, set_up_logging, settle
from toolc_runtime.package import load_code
from toolc_runtime.sealing import make_key
from toolc_runtime.server import build_server
from toolc_runtime.tool import count_failed
from toolc_runtime.transports import http_app, http_settings

_VARIABLE = "TOOLC_WORKER"
"""In the environment of the processes: what they are to serve, and how, as JSON."""


def run_workers(
    folder: Path,
    bound: socket.socket,
    count: int,
    *,
    host: str,
    names: tuple[str, ...] = (),
    stream: bool = False,
    mock: bool = False,
) -> bool:
    """Serve a generated folder by `count` processes on a bound socket, until a signal ends them; False
    where they could not start, which has been logged.

    One that dies is replaced. No session is kept, since the next request may reach another process;
    what a handler gives a client to bring back, all of them can read. KeyboardInterrupt after Ctrl-C.
    """
    told = {
        "folder": str(folder),
        "host": host,
        "names": names,
        "stream": stream,
        "mock": mock,
        "key": make_key(),
    }
    os.environ[_VARIABLE] = json.dumps(told)
    config = uvicorn.Config(f"{__name__}:make_app", factory=True, workers=count, **http_settings())
    supervisor = _Supervisor(config, [bound])
    supervisor.run()
    if supervisor.is_interrupted:
        raise KeyboardInterrupt
    return all(process.exitcode != STARTUP_FAILURE for process in supervisor.processes)


class _Supervisor(Multiprocess):
    """uvicorn's, which remembers that somebody pressed Ctrl-C."""

    is_interrupted = False

    def handle_int(self) -> None:
        self.is_interrupted = True
        super().handle_int()


def make_app() -> Any:
    """The application of one of the processes, with all of its code imported."""
    set_up_logging()
    told = json.loads(os.environ.pop(_VARIABLE))
    served = open_folder(Path(told["folder"]), mock=told["mock"])
    package = served.package
    failed = load_code(package)
    if failed:
        sys.stderr.write(f"{count_failed(failed, len(package.tools))}\n")
    settle()
    server = build_server(served.live, package.facts, served.application, state_key=told["key"])
    return http_app(
        server,
        served.application,
        host=told["host"],
        names=tuple(told["names"]),
        stream=told["stream"],
        has_sessions=False,
    )
