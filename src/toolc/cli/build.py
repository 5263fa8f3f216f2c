"""`toolc build`: compile, compare with the disk, and write what differs."""

from __future__ import annotations

import time

from toolc.cli.console import Console
from toolc.cli.main import FAILED
from toolc.cli.options import COMMON, STRICT, Option
from toolc.cli.session import compile_project, open_project
from toolc.driver import has_changed
from toolc.model.artifact import Plan
from toolc.model.diagnostic import Diagnostic, has_errors
from toolc.report.changes import describe, kept_files, unified_diff
from toolc.report.summary import Summary
from toolc.workspace import Built, Stages, Workspace, open_workspace
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from types import SimpleNamespace

OPTIONS = (
    Option(("--check",), "write nothing; fail where a file is not what the definitions ask for"),
    Option(("--diff",), "write nothing; print the changes as a patch"),
    Option(("--dry-run",), "write nothing; list the changes"),
    Option(("--force",), "also replace generated files that were edited by hand"),
    Option(("--release",), "also fail on handlers that are still stubs"),
    Option(("--explain",), "say of each definition why it was compiled, or that it was not"),
    Option(("--no-cache",), "compile everything, and keep nothing for the next build"),
    Option(("--profile",), "print where the time went, on stderr"),
    STRICT,
    *COMMON,
)


def run(options: SimpleNamespace) -> int:
    if not options.profile:
        return build(options, Stages())

    from toolc.cli.profile import Clock

    clock = Clock()
    code = build(options, clock)
    clock.tell()
    return code


def build(options: SimpleNamespace, stages: Stages) -> int:
    """Build the project that the options mean; the exit code."""
    console = Console(options)
    with stages("opening"):
        opened = open_project(options, console, verb="wrote")
    if opened is None:
        return FAILED
    workspace, changes, now = open_workspace(
        opened.root,
        use_cache=not options.no_cache,
        clock=time.time_ns,
        stages=stages,
        looked=options.looked,
    )
    with workspace.lock(console.say_waiting), console.working("compiling"):
        if has_changed(opened):  # while another build was at work
            opened = open_project(options, console, verb="wrote")
            if opened is None:
                return FAILED
        built = workspace.build(opened, changes, force=options.force, now=now)
        built = workspace.ask_prompts(built)
        found = [*built.diagnostics, *built.plan.diagnostics]
        if options.release and not has_errors(found):
            from toolc.cli.handlers import find_stubs

            found += find_stubs(compile_project(opened, console), built.plan)
        if options.explain:
            console.say(explain(built, workspace.definitions))
        if has_errors(found):
            return report(console, built, Plan((), 0), found, "wrote")
        if options.check or options.diff or options.dry_run:
            return show(console, built, found, options)
        return write(console, workspace, built, found)


def show(console: Console, built: Built, found: list[Diagnostic], options: SimpleNamespace) -> int:
    """Print what a build would do; the exit code."""
    if options.diff:
        console.emit(unified_diff(built.plan))
    elif options.dry_run:
        console.emit(describe(built.plan))
    code = report(console, built, built.plan, found, "would write", to_stderr=options.diff)
    is_current = not built.plan.changes and not kept_files(built.plan)
    return code if is_current or not options.check else FAILED


def write(console: Console, workspace: Workspace, built: Built, found: list[Diagnostic]) -> int:
    """Commit a plan and report; the exit code."""
    plan = built.plan
    problems = workspace.commit(built)
    if problems:
        failed = {problem.path for problem in problems}
        done = tuple(change for change in plan.changes if change.path not in failed)
        plan = Plan(done if workspace.has_written else (), plan.unchanged, plan.diagnostics)
    code = report(console, built, plan, [*found, *problems], "wrote")
    workspace.save(built)
    return code


def explain(built: Built, definitions: tuple[str, ...]) -> str:
    """A line a definition: why it was compiled, or that it was not."""
    return "\n".join(
        f"{path}: compiled: {built.reasons[path]}"
        if path in built.reasons
        else f"{path}: as it was"
        for path in definitions
    )


def report(
    console: Console,
    built: Built,
    plan: Plan,
    found: list[Diagnostic],
    verb: str,
    *,
    to_stderr: bool = False,
) -> int:
    """Print what was found and what came of the plan; the exit code."""
    summary = Summary(
        built.tools,
        built.files,
        console.milliseconds,
        verb,
        built.changed,
        prompts=built.prompts.number,
        prompts_first=built.prompts.first,
    )
    return console.report(
        found, built.sources, summary.with_plan(plan), root=built.root, to_stderr=to_stderr
    )
