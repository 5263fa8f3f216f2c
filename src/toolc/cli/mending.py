"""`toolc lint` as an editor: fixes and suppressions, written to the definitions or printed as a patch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace

from toolc import driver, files
from toolc.cli import UsageError
from toolc.cli.console import Console
from toolc.cli.main import FAILED, OK
from toolc.cli.session import compile_project
from toolc.lint.adopt import add_ignores
from toolc.lint.fixes import fix_all
from toolc.lint.project import Workshop, definitions
from toolc.lint.selection import Selection
from toolc.loader.text import BYTE_ORDER_MARK
from toolc.model.artifact import Action, Change, Owner, Plan
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import SourceFile
from toolc.report.changes import unified_diff
from toolc.report.visible import visible


def edit(
    options: SimpleNamespace,
    console: Console,
    opened: driver.Opened,
    selection: Selection,
    only: tuple[str, ...],
) -> int | None:
    """Mend or suppress what is found, on the disk or in a patch; None where the rest is to be told."""
    build = compile_project(opened, console, only)
    before = definitions(build.sources, build.project)
    attachments = driver.Reader(build.root).read_attachment
    workshop = Workshop(build.project, selection, attachments, is_whole=not only)
    with console.working("editing"):
        if options.add_ignores:
            outcome = add_ignores(before, workshop.look, workshop.is_right)
        else:
            unsafe = options.unsafe_fixes
            outcome = fix_all(before, workshop.look, workshop.is_right, unsafe=unsafe)
    plan = Plan(_changes(build.root, before, outcome.changed(before)), 0)
    verb = "ignored" if options.add_ignores else "mended"
    if options.diff:
        console.emit(unified_diff(plan))
        return FAILED if plan.changes else OK
    folders = {change.path.rpartition("/")[0] or "." for change in plan.changes}
    problems = files.commit(build.root, plan, sorted(folders)).problems
    if problems:
        return console.report(problems, build.sources, None, root=build.root)
    for text in _account(outcome.made, verb):
        console.say(text)
    for text in _account(outcome.refused, f"laid out so that it cannot be {verb}:"):
        console.say(text)
    return None


def _changes(
    root: str, before: Mapping[str, SourceFile], after: Mapping[str, str]
) -> tuple[Change, ...]:
    """What is to be written; a byte order mark stays. UsageError where a file has changed since it was
    read."""
    standing, _ = files.read_standing(root, after)
    changes = []
    for path, text in after.items():
        old = standing.get(path, "")
        mark = BYTE_ORDER_MARK if old.startswith(BYTE_ORDER_MARK) else ""
        if old != mark + before[path].text:
            raise UsageError(f"{path!r} has changed meanwhile; nothing is written")
        changes.append(Change(Action.UPDATE, path, old, mark + text, Owner.HUMAN))
    return tuple(changes)


def _account(found: Sequence[Diagnostic], verb: str) -> list[str]:
    """A line for each file and code: how often, and by what."""
    counts: dict[tuple[str, str, str], int] = {}
    for one in found:
        title = one.fix.title if one.fix is not None and verb != "ignored" else ""
        key = one.path, one.code, title
        counts[key] = counts.get(key, 0) + 1
    return [
        f"{visible(path)}: {verb} {code}"
        + (f" {number} times" if number > 1 else "")
        + (f" ({visible(title)})" if title else "")
        for (path, code, title), number in counts.items()
    ]
