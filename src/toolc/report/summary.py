"""The last line of a run: what came of it, how much was written, and how long it took."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from toolc.model.artifact import Action, Plan
from toolc.model.diagnostic import Diagnostic, Severity
from toolc.report.changes import kept_files
from toolc.report.visible import visible
from toolc_runtime.light import NamedTuple

_LISTED = 5  # more names than this do not help whoever reads the line
_ELSEWHERE = "GP"  # diagnostics of these families lie in outputs and in the project file

_DELETING = ("deleted", "would delete")


class Summary(NamedTuple):
    """The figures of a run. Paths are POSIX and relative to the project root."""

    tools: int
    files: int
    milliseconds: int
    verb: str = ""
    """`wrote` or `would write`; `deleted` or `would delete` for a command that only deletes; empty
    for one that only looks."""
    changed: int = 0
    """How many tools differ from what the last build wrote of them."""
    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    """Files that are not what the definitions ask for, and stay so."""
    prompts: int = 0
    """How many of the definitions' prompts were asked of `tool_search`, and how many of them found
    their tool first."""
    prompts_first: int = 0

    def with_plan(self, plan: Plan) -> Summary:
        """This summary with the files that `plan` creates, updates, deletes and keeps."""
        created, updated, deleted = (
            tuple(change.path for change in plan.changes if change.action is action)
            for action in (Action.CREATE, Action.UPDATE, Action.DELETE)
        )
        return self._replace(
            created=created, updated=updated, deleted=deleted, kept=kept_files(plan)
        )


def count(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def tally(diagnostics: Iterable[Diagnostic]) -> dict[Severity, int]:
    """How many diagnostics there are of each severity, the gravest first."""
    figures = {Severity.ERROR: 0, Severity.WARNING: 0, Severity.NOTE: 0}
    for diagnostic in diagnostics:
        figures[diagnostic.severity] += 1
    return figures


def sentences(summary: Summary, diagnostics: Collection[Diagnostic]) -> list[str]:
    """The summary as lines of English: what was found out by the way, and what came of it all."""
    by_the_way = [about_prompts(summary.prompts, summary.prompts_first)] if summary.prompts else []
    return [*by_the_way, _sentence(summary, diagnostics)]


def about_prompts(number: int, first: int, *, where: str = " (`toolc search --examples`)") -> str:
    """How many prompts find their tool first; `where` the others are shown."""
    finding = f"{first:,} find{'s' if first == 1 else ''} their tool first"
    rest = number - first
    missing = f", {rest:,} do{'es' if rest == 1 else ''} not{where}"
    return f"{count(number, 'prompt')}: {finding}{missing if rest else ''}"


def _sentence(summary: Summary, diagnostics: Collection[Diagnostic]) -> str:
    """The summary as one line of English."""
    figures = tally(diagnostics)
    if figures[Severity.ERROR]:
        return _failure(summary, diagnostics, figures)
    return _success(summary, figures)


def _failure(
    summary: Summary, diagnostics: Iterable[Diagnostic], figures: dict[Severity, int]
) -> str:
    text = count(figures[Severity.ERROR], "error")
    if figures[Severity.WARNING]:
        text += " and " + count(figures[Severity.WARNING], "warning")
    faulty = {
        diagnostic.path
        for diagnostic in diagnostics
        if diagnostic.severity > Severity.NOTE
        and diagnostic.path
        and diagnostic.code[:1] not in _ELSEWHERE
    }
    if faulty:
        text += f" in {len(faulty):,} of {count(max(summary.files, len(faulty)), 'file')}"
    if summary.verb == "wrote":
        text += "; " + (_written(summary) or "nothing written")
    elif summary.verb == "deleted":
        text += "; " + (_deleted(summary) or "nothing deleted")
    return text


def _success(summary: Summary, figures: dict[Severity, int]) -> str:
    if summary.verb in _DELETING:
        text = _deleted(summary) or "nothing to delete"
        if summary.kept:
            text += f"; kept {_names(summary.kept)}"
        return _with_warnings(f"{text} in {duration(summary.milliseconds)}", figures)
    written = _written(summary)
    if not summary.verb:
        outcomes = ["no errors"]
    elif summary.kept:
        # What is kept is behind its definition, and nobody counts whose it is.
        outcomes = [f"{summary.changed:,} changed"] if summary.changed else []
        outcomes += [written or "nothing to write", f"kept {_names(summary.kept)}"]
    elif not written:
        return _with_warnings(
            f"{up_to_date(summary.tools, summary.files)} in {duration(summary.milliseconds)}",
            figures,
        )
    elif not summary.changed:
        outcomes = [f"{summary.tools:,} up to date", written]
    else:
        unchanged = summary.tools - summary.changed
        outcomes = [f"{summary.changed:,} changed, {unchanged:,} up to date", written]
    text = f"{count(summary.tools, 'tool')} from {count(summary.files, 'file')}: "
    text += "; ".join(outcomes) + f" in {duration(summary.milliseconds)}"
    return _with_warnings(text, figures)


def up_to_date(tools: int, files: int) -> str:
    """What is said of a build with nothing to do, but for the time."""
    return f"{count(tools, 'tool')} from {count(files, 'file')}: all up to date"


def _with_warnings(text: str, figures: dict[Severity, int]) -> str:
    if not figures[Severity.WARNING]:
        return text
    return f"{text}; {count(figures[Severity.WARNING], 'warning')}"


def _written(summary: Summary) -> str:
    """`wrote a, b (new); deleted c`; empty where nothing was to be written."""
    parts = []
    written = [*summary.updated, *(f"{path} (new)" for path in summary.created)]
    if written:
        parts.append(f"{summary.verb} {_names(written)}")
    if summary.deleted:
        verb = "deleted" if summary.verb == "wrote" else "would delete"
        parts.append(f"{verb} {_names(summary.deleted)}")
    return "; ".join(parts)


def _deleted(summary: Summary) -> str:
    """`deleted 3 files`; empty where nothing was to be deleted."""
    if not summary.deleted:
        return ""
    return f"{summary.verb} {count(len(summary.deleted), 'file')}"


def _names(paths: Collection[str]) -> str:
    shown = ", ".join(visible(path) for path in list(paths)[:_LISTED])
    rest = len(paths) - _LISTED
    return f"{shown} and {rest:,} more" if rest > 0 else shown


def duration(milliseconds: int) -> str:
    """`12 ms`, `1.2 s`."""
    return f"{milliseconds} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"
