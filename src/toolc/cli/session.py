"""What every command that compiles begins with: the project, opened or complained about."""

from __future__ import annotations

import os
from types import SimpleNamespace

from toolc import driver
from toolc.cli import UsageError
from toolc.cli.console import Console
from toolc.files import PROJECT_FILE
from toolc.loader import SUFFIXES
from toolc.model.diagnostic import has_errors
from toolc.model.project import Project
from toolc.report.summary import Summary


def open_project(
    options: SimpleNamespace, console: Console, *, verb: str = ""
) -> driver.Opened | None:
    """The project that the options mean; None where it cannot be used, which has been reported.

    `verb` is the summary's: `wrote` for a command that then has written nothing. UsageError where
    there is neither a project file nor the folder that a project has without one.
    """
    opened = find_project(options)
    if has_errors(opened.diagnostics):
        summary = Summary(0, 0, console.milliseconds, verb)
        console.report(opened.diagnostics, opened.sources, summary, root=opened.root)
        return None
    return opened


def find_project(options: SimpleNamespace, *, required: bool = True) -> driver.Opened:
    """The project that the options mean, whatever is wrong with it. UsageError as above; where it is
    not `required`, the defaults take the place of a project that is not there."""
    if options.project is not None and not os.path.exists(options.project):
        raise UsageError(f"--project: {options.project!r} is not there")
    opened = driver.open_project(os.getcwd(), options.project)
    if has_errors(opened.diagnostics) or opened.project.path or not required:
        return opened
    if not any(
        os.path.lexists(os.path.join(opened.root, source)) for source in opened.project.sources
    ):
        raise UsageError(f"no {PROJECT_FILE} here or above; run `toolc init`")
    return opened


def definitions_folder(root: str, project: Project) -> str:
    """The first of the project's sources that is a folder, or that can become one."""
    for source in project.sources:
        if not os.path.isfile(os.path.join(root, source)) and not source.endswith(SUFFIXES):
            return os.path.normpath(source).replace(os.sep, "/")
    named = ", ".join(map(repr, project.sources))
    raise UsageError(f"none of the project's sources is a folder: {named}")


def compile_project(
    opened: driver.Opened, console: Console, only: tuple[str, ...] = ()
) -> driver.Build:
    """The project's build, with what opening it already showed among the diagnostics."""
    with console.working("compiling"):
        build = driver.compile_project(opened.root, opened.project, only)
    return build._replace(
        diagnostics=(*opened.diagnostics, *build.diagnostics),
        sources={**opened.sources, **build.sources},
    )
