"""The small server of `project/`, in a process of its own."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

PROJECT = Path(__file__).parent / "project"


class HttpServer(NamedTuple):
    """A server on a free port of 127.0.0.1; `log` holds what it wrote to stdout and stderr."""

    url: str
    log: Path
    process: subprocess.Popen[bytes]


@contextmanager
def running_http(
    log: Path, *options: str, folder: Path = PROJECT, package: str = "notes_server"
) -> Iterator[HttpServer]:
    """A server that says that it is there, for the time of a `with`."""
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", package, "--transport", "http", "--port", "0", *options],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
        )
    try:
        while not (told := re.search(r"http://\S+/mcp", log.read_text(encoding="utf-8"))):
            assert process.poll() is None, log.read_text(encoding="utf-8")
            time.sleep(0.02)
        yield HttpServer(told[0], log, process)
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="session", autouse=True)
def interruptible_children() -> Iterator[None]:
    """Where SIGINT is ignored, as in the background of a shell, children would ignore it too."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def project_folder() -> Path:
    return PROJECT


@pytest.fixture(scope="session")
def start_http() -> Callable[..., AbstractContextManager[HttpServer]]:
    return running_http


@pytest.fixture(scope="session")
def http_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    """A server that streams, so that progress and log messages are there to be tested."""
    with running_http(tmp_path_factory.mktemp("http") / "log", "--stream") as server:
        yield server
