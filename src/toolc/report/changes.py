"""A plan for people: which files would change, and how."""

from __future__ import annotations

from collections.abc import Iterator

from toolc.model.artifact import Change, Plan
from toolc.report.visible import visible


def describe(plan: Plan) -> str:
    """One line a change: `create`, `update` or `delete`, and the path."""
    return "".join(f"{change.action.value}  {visible(change.path)}\n" for change in plan.changes)


def unified_diff(plan: Plan) -> str:
    """All changes as one patch, as `git apply` takes it."""
    return "".join(line for change in plan.changes for line in _diff(change))


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


def _lines(text: str | None) -> list[str]:
    """The lines with their ends. Only a line feed ends one, as diff and git see it."""
    if not text:
        return []
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
