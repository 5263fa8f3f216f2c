"""`toolc serve`: run the server that the last build wrote."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace

from toolc.cli import UsageError
from toolc.cli.built import open_built, say, say_if_outdated
from toolc.cli.console import Console
from toolc.cli.handlers import python_environment
from toolc.cli.main import FAILED
from toolc.cli.options import COMMON, Option

_HTTP_ONLY = ("host", "port", "allow_host", "workers", "stream")

OPTIONS = (
    Option(("--transport",), "how clients reach it (default: stdio)", choices=("stdio", "http")),
    Option(("--host",), "the address to listen on (http)", "HOST"),
    Option(("--port",), "the port to listen on (http)", "PORT"),
    Option(("--allow-host",), "a further name by which clients may reach it (http)", "NAME"),
    Option(("--workers",), "how many processes serve (http); they keep no sessions", "N"),
    Option(("--watch",), "build whenever something changes, and have the server reload"),
    Option(("--stream",), "answer with event streams, so that progress and logs arrive (http)"),
    Option(("--mock",), "answer with examples and made-up values, without the handlers"),
    *COMMON,
)


def run(options: SimpleNamespace) -> int:
    is_http = options.transport == "http"
    for name in _HTTP_ONLY:
        if getattr(options, name) and not is_http:
            raise UsageError(f"{_spelled(name)} needs `--transport http`")
    console = Console(options)
    opened = open_built(options, console)
    if opened is None:
        return FAILED
    server_options: list[str] = []
    for name in ("transport", *_HTTP_ONLY, "mock"):
        value = getattr(options, name)
        if value:
            server_options += [_spelled(name)] if value is True else [_spelled(name), value]
    if options.watch and options.workers:
        raise UsageError("--watch serves by one process, so that --workers has no meaning")
    if options.watch:
        from toolc.cli.watch import serve

        return serve(options, tuple(server_options))
    command = [sys.executable, "-m", opened.project.python.package, *server_options]
    say_if_outdated(opened, console, "serving")
    if not is_http and sys.stdin is not None and sys.stdin.isatty():
        say("serving on stdio, to a client that starts this command; Ctrl-C ends it")
        say("for a URL: `toolc serve --transport http`")
    environment = python_environment(opened.root, opened.project)
    os.chdir(opened.root)
    return _become(command, environment)


def _spelled(name: str) -> str:
    """An option as it is typed."""
    return "--" + name.replace("_", "-")


def _become(command: list[str], environment: dict[str, str]) -> int:
    """Go on as another program: signals, streams and the exit code are then its own."""
    if os.name == "posix":
        os.execve(command[0], command, environment)

    import subprocess

    return subprocess.call(command, env=environment)
