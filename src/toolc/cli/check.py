"""`toolc check`: everything that a build does, but for writing."""

from __future__ import annotations

import os
from collections.abc import Sequence
from types import SimpleNamespace

from toolc import driver
from toolc.cli import UsageError
from toolc.cli.console import Console
from toolc.cli.main import FAILED
from toolc.cli.options import COMMON, STRICT, Option
from toolc.cli.session import compile_project, open_project
from toolc.files import find_sources
from toolc.loader import SUFFIXES
from toolc.model.diagnostic import Prompts, has_errors, in_order
from toolc.report.summary import Summary

OPTIONS = (
    Option(
        ("paths",), "only these definition files, or those in these folders", "PATH", number="*"
    ),
    Option(("--handlers",), "also import every handler and match it with its contract"),
    STRICT,
    *COMMON,
)


def run(options: SimpleNamespace) -> int:
    console = Console(options)
    opened = open_project(options, console)
    if opened is None:
        return FAILED
    only = definitions_of(options.paths, opened.root)
    if options.paths and not only:
        raise UsageError(f"no definition in {', '.join(map(repr, options.paths))}")
    build = compile_project(opened, console, only)
    for path in only:
        if path not in build.inputs or path == opened.project.path:
            raise UsageError(f"{path!r} is not among the project's sources")
    found, sources = [*build.diagnostics], dict(build.sources)
    prompts = Prompts()
    if not only:
        prompts = driver.ask_prompts(build)
        found = [*in_order((*found, *prompts.diagnostics))]
        with console.working("comparing"):
            found += driver.plan_build(build).diagnostics
    if options.handlers and build.project.python.enabled and not has_errors(found):
        from toolc.cli.handlers import check_handlers

        with console.working("importing the handlers"):
            problems, files = check_handlers(build)
        found += problems
        sources |= files
    summary = Summary(
        len(build.tools),
        build.files,
        console.milliseconds,
        prompts=prompts.number,
        prompts_first=prompts.first,
    )
    return console.report(found, sources, summary, root=build.root)


def definitions_of(paths: Sequence[str], root: str) -> tuple[str, ...]:
    """The definition files that a command line means by files and folders, as the project names
    them."""
    named = []
    for path in paths:
        if not os.path.exists(path):
            raise UsageError(f'"{path}" is not there')
        # The working folder may have been reached through a link, the project by its real name.
        way = os.path.relpath(os.path.realpath(path), os.path.realpath(root))
        named.append(way.replace(os.sep, "/"))
    return find_sources(root, named, SUFFIXES).paths
