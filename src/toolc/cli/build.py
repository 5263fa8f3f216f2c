"""`toolc build`: compile, compare with the disk, and write what differs."""

from __future__ import annotations

from types import SimpleNamespace

from toolc import driver
from toolc.cli.console import Console
from toolc.cli.main import FAILED
from toolc.cli.options import COMMON, STRICT, Option
from toolc.cli.session import compile_project, open_project
from toolc.model.artifact import Plan
from toolc.model.diagnostic import Diagnostic, has_errors
from toolc.model.project import CATALOG_FILE
from toolc.plan import changed_tools
from toolc.report.changes import describe, kept_files, unified_diff
from toolc.report.summary import Summary

OPTIONS = (
    Option(("--check",), "write nothing; fail where a file is not what the definitions ask for"),
    Option(("--diff",), "write nothing; print the changes as a patch"),
    Option(("--dry-run",), "write nothing; list the changes"),
    Option(("--force",), "also replace generated files that were edited by hand"),
    Option(("--release",), "also fail on handlers that are still stubs"),
    STRICT,
    *COMMON,
)


def run(options: SimpleNamespace) -> int:
    console = Console(options)
    opened = open_project(options, console, verb="wrote")
    if opened is None:
        return FAILED
    build = compile_project(opened, console)
    with console.working("comparing"):
        plan = driver.plan_build(build, force=options.force)
    found = [*build.diagnostics, *plan.diagnostics]
    if options.release and not has_errors(found):
        from toolc.cli.handlers import find_stubs

        found += find_stubs(build, plan)
    if has_errors(found):
        return report(console, build, Plan((), 0), found, "wrote")
    if options.check or options.diff or options.dry_run:
        if options.diff:
            console.emit(unified_diff(plan))
        elif options.dry_run:
            console.emit(describe(plan))
        code = report(console, build, plan, found, "would write", to_stderr=options.diff)
        is_current = not plan.changes and not kept_files(plan)
        return code if is_current or not options.check else FAILED
    return write(console, build, plan, found)


def write(console: Console, build: driver.Build, plan: Plan, found: list[Diagnostic]) -> int:
    """Commit a plan and report; the exit code."""
    with console.working("writing"):
        problems = driver.commit(build, plan)
    if problems:
        left = {change.path for change in driver.plan_build(build).changes}
        done = tuple(change for change in plan.changes if change.path not in left)
        plan = Plan(done, plan.unchanged, plan.diagnostics)
    return report(console, build, plan, [*found, *problems], "wrote")


def report(
    console: Console,
    build: driver.Build,
    plan: Plan,
    found: list[Diagnostic],
    verb: str,
    *,
    to_stderr: bool = False,
) -> int:
    """Print what was found and what came of the plan; the exit code."""
    changed = changed_tools(plan, build.project.data_path(CATALOG_FILE))
    summary = Summary(len(build.tools), build.files, console.milliseconds, verb, changed)
    return console.report(
        found, build.sources, summary.with_plan(plan), root=build.root, to_stderr=to_stderr
    )
