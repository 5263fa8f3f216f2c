"""Rules held against tools: what they find, told at the places where it was written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from toolc.edits import value_at
from toolc.lint.rule import Found, Rule
from toolc.lint.selection import Selection
from toolc.lint.subject import Index, Subject
from toolc.model.diagnostic import Diagnostic, Related, in_order
from toolc.model.document import Document, Pointer, Site
from toolc.model.fix import Cut, Fix, Put, Rewrite, Step
from toolc.model.project import Project
from toolc_runtime.light import NamedTuple


def _nowhere(_pointer: Pointer) -> None:
    return None


class Linted(NamedTuple):
    """A tool to be linted, and the way from a place in its wire form to where that was written."""

    subject: Subject
    path: str
    site: Callable[[Pointer, bool], Site | None]
    """`(pointer, key)`: the value's own place, or the key's."""
    place: Callable[[Pointer], tuple[Document, Pointer] | None] = _nowhere
    """The document that says what stands at a pointer, and where in it; None where none does."""


def lint(tools: Sequence[Linted], selection: Selection, project: Project) -> tuple[Diagnostic, ...]:
    """What the selected rules say of some tools, in the order of files and places."""
    by_name = {tool.subject.name: tool for tool in tools}
    found: list[Diagnostic] = []
    for tool in tools:
        found += _lint_one(tool, selection)
    index = Index([tool.subject for tool in tools], project)
    for rule in selection.rules:
        if rule.look_at_all is not None:
            for one in rule.look_at_all(index):
                tool = by_name[one.tool]
                if selection.is_told(rule, tool.path):
                    found.append(_told(one, rule, tool, selection, by_name))
    return in_order(found)


def _lint_one(tool: Linted, selection: Selection) -> Iterator[Diagnostic]:
    for rule in selection.rules:
        if rule.look is None or not selection.is_told(rule, tool.path):
            continue
        for one in rule.look(tool.subject):
            yield _told(one, rule, tool, selection, {})


def _told(
    found: Found, rule: Rule, tool: Linted, selection: Selection, others: dict[str, Linted]
) -> Diagnostic:
    related = []
    for name, pointer, said in found.related:
        site = others[name].site(pointer, False) if name in others else None
        if site is not None:
            related.append(Related(said, site))
    return Diagnostic(
        rule.code,
        selection.severity(rule),
        found.message,
        tool.site(found.pointer, found.key),
        found.hint,
        tuple(related),
        tool.subject.name,
        found.pointer,
        None if found.fix is None else _placed(found.fix, tool),
    )


def _placed(fix: Fix, tool: Linted) -> Fix | None:
    """A fix in terms of the author's file; None where that does not say what is to be changed.

    What other tools share is changed only in letters that are wrong whoever uses them.
    """
    steps: list[Step] = []
    paths: set[str] = set()
    for step in fix.steps:
        if isinstance(step, Cut):
            return None
        place = tool.place(step.pointer)
        if place is None and isinstance(step, Put) and step.beside:
            beside = tool.place((*step.pointer[:-1], step.beside))
            if beside is not None:
                step = step._replace(beside=str(beside[1][-1]))
                place = beside[0], (*beside[1][:-1], step.pointer[-1])
        if place is None or place[0].source is None:
            return None
        document, pointer = place
        paths.add(place[0].source.path)
        steps.append(step._replace(pointer=pointer))
        if isinstance(step, Rewrite):
            text = value_at(document.value, pointer)
            if not isinstance(text, str) or "".join(step.letters(text)) == text:
                return None
        elif place[0].source.path != tool.path:
            return None
    return fix._replace(steps=tuple(steps), path=paths.pop()) if len(paths) == 1 else None
