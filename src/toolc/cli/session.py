"""What every command that compiles begins with: the project, opened or complained about."""

from __future__ import annotations

import os
from argparse import Namespace
from dataclasses import replace

from toolc import driver
from toolc.cli import UsageError
from toolc.cli.console import Console
from toolc.model.diagnostic import has_errors


def open_project(options: Namespace, console: Console) -> driver.Opened | None:
    """The project that the options mean; None where it cannot be used, which has been reported."""
    if options.project is not None and not os.path.exists(options.project):
        raise UsageError(f"--project: {options.project!r} is not there")
    opened = driver.open_project(os.getcwd(), options.project)
    if has_errors(opened.diagnostics):
        console.report(opened.diagnostics, opened.sources, None, root=opened.root)
        return None
    return opened


def compile_project(
    opened: driver.Opened, console: Console, only: tuple[str, ...] = ()
) -> driver.Build:
    """The project's build, with what opening it already showed among the diagnostics."""
    with console.working("compiling"):
        build = driver.compile_project(opened.root, opened.project, only)
    return replace(
        build,
        diagnostics=(*opened.diagnostics, *build.diagnostics),
        sources={**opened.sources, **build.sources},
    )
