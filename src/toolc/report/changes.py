"""A plan for people: which files would change and how, and which stay as somebody edited them."""

from __future__ import annotations

from collections.abc import Iterator

from toolc.model.artifact import Change, Plan, Text, read_text
from toolc.report.visible import visible


def kept_files(plan: Plan) -> tuple[str, ...]:
    """The files that are not what the definitions ask for, and that a build leaves as they are
    because toolc did not write what is in them."""
    return tuple(found.path for found in plan.diagnostics if found.code == "G703")


def describe(plan: Plan) -> str:
    """One line a file: `create`, `update`, `delete` or `keep`, and the path."""
    changes = [f"{change.action.value}  {visible(change.path)}\n" for change in plan.changes]
    return "".join([*changes, *(f"keep    {visible(path)}\n" for path in kept_files(plan))])


def unified_diff(plan: Plan) -> str:
    """All changes as one patch, as `git apply` takes it: it passes over the lines at the end that
    name the files which are kept."""
    changes = [line for change in plan.changes for line in _diff(change)]
    return "".join([*changes, *(f"# kept: {visible(path)}\n" for path in kept_files(plan))])


def _diff(change: Change) -> Iterator[str]:
    import difflib

    lines = difflib.unified_diff(
        _lines(change.before),
        _lines(change.after),
        "/dev/null" if change.before is None else f"a/{visible(change.path)}",
        "/dev/null" if change.after is None else f"b/{visible(change.path)}",
    )
    for line in lines:
        yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"


def _lines(held: Text | None) -> list[str]:
    """The lines with their ends. Only a line feed ends one, as diff and git see it."""
    text = "" if held is None else read_text(held)
    if not text:
        return []
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
