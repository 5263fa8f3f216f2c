"""Rules held against tools: what they find, told at the places where it was written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from toolc.lint.rule import Found, Rule
from toolc.lint.selection import Selection
from toolc.lint.subject import Index, Subject
from toolc.model.diagnostic import Diagnostic, Related, in_order
from toolc.model.document import Pointer, Site
from toolc.model.project import Project
from toolc.model.tool import Facts
from toolc_runtime.light import NamedTuple


class Linted(NamedTuple):
    """A tool to be linted, and the way from a place in its wire form to where that was written."""

    subject: Subject
    path: str
    site: Callable[[Pointer, bool], Site | None]
    """`(pointer, key)`: the value's own place, or the key's."""


def lint(
    tools: Sequence[Linted],
    selection: Selection,
    project: Project,
    site: Callable[[Pointer], Site | None] | None = None,
) -> tuple[Diagnostic, ...]:
    """What the selected rules say of some tools, in the order of files and places.

    `site` is the way from a setting to where the project says it, such as
    `("server", "instructions")`; without it, a finding on a setting names the project file only.
    """
    by_name = {tool.subject.name: tool for tool in tools}
    found: list[Diagnostic] = []
    for tool in tools:
        found += _lint_one(tool, selection)
    index = Index([tool.subject for tool in tools], project)
    for rule in selection.rules:
        for one in _found_in_all(rule, index, selection):
            tool = by_name[one.tool] if one.tool else _server(project, site)
            if selection.is_told(rule, tool.path):
                found.append(_told(one, rule, tool, selection, by_name))
    return in_order(found)


def _found_in_all(rule: Rule, index: Index, selection: Selection) -> Iterator[Found]:
    if rule.look_at_all is not None:
        yield from rule.look_at_all(index)
    if rule.look_for_all is not None and selection.clients:
        yield from rule.look_for_all(index, selection.clients)


def _server(project: Project, site: Callable[[Pointer], Site | None] | None) -> Linted:
    """What a finding on no tool is about."""

    def place(pointer: Pointer, _key: bool) -> Site | None:
        said = site(pointer) if site is not None else None
        return said or (Site(project.path) if project.path else None)

    return Linted(Subject({}, Facts(), project), project.path, place)


def _lint_one(tool: Linted, selection: Selection) -> Iterator[Diagnostic]:
    for rule in selection.rules:
        if not selection.is_told(rule, tool.path):
            continue
        if rule.look is not None:
            for one in rule.look(tool.subject):
                yield _told(one, rule, tool, selection, {})
        if rule.look_for is not None and selection.clients:
            for one in rule.look_for(tool.subject, selection.clients):
                yield _told(one, rule, tool, selection, {"": tool})


def _told(
    found: Found, rule: Rule, tool: Linted, selection: Selection, others: dict[str, Linted]
) -> Diagnostic:
    own = tool.site(found.pointer, found.key)
    related = []
    for name, pointer, said in found.related:
        site = others[name].site(pointer, False) if name in others else None
        if site is not None and site != own:
            related.append(Related(said, site))
    return Diagnostic(
        rule.code,
        selection.severity(rule, found),
        found.message,
        own,
        found.hint,
        tuple(related),
        tool.subject.name,
        found.pointer,
    )
