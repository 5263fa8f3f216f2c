"""`toolc serve`: run the server that the last build wrote."""

from __future__ import annotations

import os
import sys
from argparse import Namespace

from toolc.cli import UsageError
from toolc.cli.console import Console
from toolc.cli.handlers import python_environment
from toolc.cli.main import FAILED
from toolc.cli.options import COMMON, Option
from toolc.cli.session import open_project

_PASSED_ON = ("transport", "host", "port", "allow_host")

OPTIONS = (
    Option(("--transport",), "how clients reach it (default: stdio)", choices=("stdio", "http")),
    Option(("--host",), "the address to listen on (http)", "HOST"),
    Option(("--port",), "the port to listen on (http)", "PORT"),
    Option(("--allow-host",), "a further name by which clients may reach it (http)", "NAME"),
    Option(("--stream",), "answer with event streams, so that progress and logs arrive (http)"),
    *COMMON,
)


def run(options: Namespace) -> int:
    opened = open_project(options, Console(options))
    if opened is None:
        return FAILED
    python = opened.project.python
    if not python.enabled:
        raise UsageError("this project generates no Python: `python.enabled` is false")
    if not os.path.exists(os.path.join(opened.root, python.folder, "__main__.py")):
        raise UsageError(f"there is no server in {python.folder!r} yet; run `toolc build` first")
    command = [sys.executable, "-m", python.package]
    for name in _PASSED_ON:
        if getattr(options, name) is not None:
            command += [f"--{name.replace('_', '-')}", getattr(options, name)]
    if options.stream:
        command.append("--stream")
    environment = python_environment(opened.root, opened.project)
    os.chdir(opened.root)
    return _become(command, environment)


def _become(command: list[str], environment: dict[str, str]) -> int:
    """Go on as another program: signals, streams and the exit code are then its own."""
    if os.name == "posix":
        os.execve(command[0], command, environment)

    import subprocess

    return subprocess.call(command, env=environment)
