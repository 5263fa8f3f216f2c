"""Rules held against tools: what they find, told at the places where it was written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from toolc.lint.rule import Found, Rule
from toolc.lint.selection import Selection
from toolc.lint.subject import Index, Subject
from toolc.model.diagnostic import Diagnostic, Related, in_order
from toolc.model.document import Pointer, Site
from toolc.model.project import Project
from toolc_runtime.light import NamedTuple


class Linted(NamedTuple):
    """A tool to be linted, and the way from a place in its wire form to where that was written."""

    subject: Subject
    path: str
    site: Callable[[Pointer, bool], Site | None]
    """`(pointer, key)`: the value's own place, or the key's."""


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
    )
