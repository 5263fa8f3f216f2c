"""`toolc test`: hold the built tools to their contracts, by calling them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING

from toolc.cli import UsageError
from toolc.cli.built import open_built, say_if_outdated
from toolc.cli.console import Console
from toolc.cli.handlers import import_folders
from toolc.cli.main import FAILED, OK
from toolc.cli.options import COLOR, PROJECT, QUIET, Option
from toolc.cli.tools import find_tool
from toolc.report.summary import count, duration

if TYPE_CHECKING:
    from toolc.cli.trial import Failure, Trial
    from toolc_runtime.package import Package

OPTIONS = (
    Option(("names",), "only these tools", "NAME", number="*"),
    Option(("--all",), "call the examples of tools too that may change something"),
    Option(("--json",), "print what came of it as a JSON list, a tool each"),
    PROJECT,
    COLOR,
    QUIET,
)


def run(options: SimpleNamespace) -> int:
    options.format = "text"
    console = Console(options)
    opened = open_built(options, console)
    if opened is None:
        return FAILED
    say_if_outdated(opened, console, "testing")
    os.chdir(opened.root)
    sys.path[:0] = import_folders(opened.root, opened.project)
    folder = os.path.join(opened.root, opened.project.python.folder)
    with console.working("testing"):
        trials = _try(folder, options.names, calls_all=options.all)
    if options.json:
        console.emit(json.dumps([_row(trial) for trial in trials], indent=2) + "\n")
    else:
        shown = [trial for trial in trials if trial.failures or trial.remarks or not console.quiet]
        width = max((len(trial.tool) for trial in shown), default=0)
        console.emit("".join(line + "\n" for trial in shown for line in _lines(trial, width)))
        console.say(f"{_summary(trials)} in {duration(console.milliseconds)}")
    return FAILED if any(trial.failures for trial in trials) else OK


def _try(folder: str, names: Sequence[str], *, calls_all: bool) -> list[Trial]:
    """The trials of these tools, or of all; what their code prints goes to stderr."""
    from contextlib import redirect_stdout
    from functools import partial
    from pathlib import Path

    try:
        import anyio

        from toolc.cli.trial import try_tools
        from toolc_runtime.application import load_application
        from toolc_runtime.package import PackageError, load_package
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("anyio", "mcp"):
            raise
        raise UsageError(
            f'{error.name} is not installed; a test needs: pip install "toolc[serve]"'
        ) from None
    try:
        package = load_package(Path(folder))
        chosen = _chosen(package, names)
        with redirect_stdout(sys.stderr):
            application = load_application(package.facts.app)
            trying = partial(try_tools, package, chosen, application, calls_all=calls_all)
            return anyio.run(trying)
    except PackageError as error:
        raise UsageError(str(error)) from None


def _chosen(package: Package, names: Sequence[str]) -> list[str]:
    """The names of the tools that are meant, each once, in the order of the manifest."""
    wanted = {find_tool(package.tools, name).name for name in names}
    return [tool.name for tool in package.tools if not names or tool.name in wanted]


def _lines(trial: Trial, width: int) -> Iterator[str]:
    from toolc.cli.trial import describe

    mark = "✗" if trial.failures else "✓" if trial.is_written else "·"
    yield f"{mark} {trial.tool:{width}}  {describe(trial)}"
    for failure in trial.failures:
        yield from _failure_lines(failure)
    for remark in trial.remarks:
        yield f"    {remark}"


def _failure_lines(failure: Failure) -> Iterator[str]:
    yield f"    {failure.call} {failure.message}"
    if failure.arguments is not None:
        yield f"      {json.dumps(failure.arguments, ensure_ascii=False)}"
    for line in failure.log.splitlines():
        yield f"      {line}"


def _summary(trials: Sequence[Trial]) -> str:
    failed = sum(bool(trial.failures) for trial in trials)
    unwritten = sum(not trial.is_written and not trial.failures for trial in trials)
    passed = len(trials) - failed - unwritten
    text = f"{count(len(trials), 'tool')}: {passed:,} passed"
    if failed:
        text += f", {failed:,} failed"
    if unwritten:
        text += f", {unwritten:,} not written yet"
    passed_over = sum(trial.passed_over for trial in trials)
    if passed_over:
        text += (
            f"; {count(passed_over, 'example')} passed over, of tools that are not read-only "
            "(`--all` calls them)"
        )
    return text


def _row(trial: Trial) -> dict[str, object]:
    return {
        "tool": trial.tool,
        "outcome": "failed" if trial.failures else "passed" if trial.is_written else "unwritten",
        "examples": {"called": trial.called, "passedOver": trial.passed_over},
        "wrongCallsRefused": trial.refused,
        "failures": [failure._asdict() for failure in trial.failures],
        "remarks": list(trial.remarks),
    }
