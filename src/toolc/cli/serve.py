"""`toolc serve`: run the server that the last build wrote."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace

from toolc import driver
from toolc.cli import UsageError
from toolc.cli.console import Console
from toolc.cli.handlers import python_environment
from toolc.cli.main import FAILED
from toolc.cli.options import COMMON, Option
from toolc.cli.session import compile_project, open_project
from toolc.model.diagnostic import has_errors
from toolc.report.summary import count

_HTTP_ONLY = ("host", "port", "allow_host", "workers", "stream")

OPTIONS = (
    Option(("--transport",), "how clients reach it (default: stdio)", choices=("stdio", "http")),
    Option(("--host",), "the address to listen on (http)", "HOST"),
    Option(("--port",), "the port to listen on (http)", "PORT"),
    Option(("--allow-host",), "a further name by which clients may reach it (http)", "NAME"),
    Option(("--workers",), "how many processes serve (http); they keep no sessions", "N"),
    Option(("--watch",), "build whenever something changes, and have the server reload"),
    Option(("--stream",), "answer with event streams, so that progress and logs arrive (http)"),
    *COMMON,
)


def run(options: SimpleNamespace) -> int:
    is_http = options.transport == "http"
    for name in _HTTP_ONLY:
        if getattr(options, name) and not is_http:
            raise UsageError(f"{_spelled(name)} needs `--transport http`")
    console = Console(options)
    opened = open_project(options, console)
    if opened is None:
        return FAILED
    python = opened.project.python
    if not python.enabled:
        raise UsageError("this project generates no Python: `python.enabled` is false")
    if not os.path.exists(os.path.join(opened.root, python.folder, "__main__.py")):
        raise UsageError(f"there is no server in {python.folder!r} yet; run `toolc build` first")
    server_options: list[str] = []
    for name in ("transport", *_HTTP_ONLY):
        value = getattr(options, name)
        if value:
            server_options += [_spelled(name)] if value is True else [_spelled(name), value]
    if options.watch:
        from toolc.cli.watch import serve

        return serve(options, tuple(server_options))
    command = [sys.executable, "-m", python.package, *server_options]
    outdated = _outdated(opened, console)
    if outdated:
        _say(outdated)
    if not is_http and sys.stdin is not None and sys.stdin.isatty():
        _say("serving on stdio, to a client that starts this command; Ctrl-C ends it")
        _say("for a URL: `toolc serve --transport http`")
    environment = python_environment(opened.root, opened.project)
    os.chdir(opened.root)
    return _become(command, environment)


def _spelled(name: str) -> str:
    """An option as it is typed."""
    return "--" + name.replace("_", "-")


def _outdated(opened: driver.Opened, console: Console) -> str:
    """In which way what is about to be served is not what the definitions ask for; empty where it
    is."""
    build = compile_project(opened, console)
    if has_errors(build.diagnostics):
        return "the definitions have errors (`toolc check` shows them); serving the last build"
    changes = driver.plan_build(build).changes
    if not changes:
        return ""
    number = count(len(changes), "file")
    return f"the definitions have changed since the last build ({number}); run `toolc build`"


def _say(text: str) -> None:
    """To stderr, since a client may listen on stdout."""
    if sys.stderr is not None:
        print(f"toolc: {text}", file=sys.stderr, flush=True)


def _become(command: list[str], environment: dict[str, str]) -> int:
    """Go on as another program: signals, streams and the exit code are then its own."""
    if os.name == "posix":
        os.execve(command[0], command, environment)

    import subprocess

    return subprocess.call(command, env=environment)
