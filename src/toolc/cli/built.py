"""The last build of a project, for commands that run it."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace

from toolc import driver
from toolc.cli import UsageError
from toolc.cli.console import Console
from toolc.cli.session import compile_project, open_project
from toolc.model.diagnostic import has_errors
from toolc.report.summary import count


def open_built(options: SimpleNamespace, console: Console) -> driver.Opened | None:
    """The project that the options mean, built; None where it cannot be used, which has been reported.

    UsageError where it has no server.
    """
    opened = open_project(options, console)
    if opened is None:
        return None
    python = opened.project.python
    if not python.enabled:
        raise UsageError("this project generates no Python: `python.enabled` is false")
    if not os.path.exists(os.path.join(opened.root, python.folder, "__main__.py")):
        raise UsageError(f"there is no server in {python.folder!r} yet; run `toolc build` first")
    return opened


def say_if_outdated(opened: driver.Opened, console: Console, doing: str) -> None:
    """Tell in which way the last build, which is used for `doing`, is not what the definitions ask for."""
    build = compile_project(opened, console)
    if has_errors(build.diagnostics):
        say(f"the definitions have errors (`toolc check` shows them); {doing} the last build")
        return
    changes = driver.plan_build(build).changes
    if changes:
        number = count(len(changes), "file")
        say(f"the definitions have changed since the last build ({number}); run `toolc build`")


def say(text: str) -> None:
    """To stderr, since programs may read stdout."""
    if sys.stderr is not None:
        print(f"toolc: {text}", file=sys.stderr, flush=True)
