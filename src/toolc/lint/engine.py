"""Rules held against tools: what they find, told at the places where it was written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from toolc.lint.rule import Found, Rule
from toolc.lint.selection import Selection
from toolc.lint.subject import Index, Row, Subject
from toolc.model.diagnostic import Diagnostic, Related, in_order
from toolc.model.document import Pointer, Site
from toolc.model.project import Project
from toolc_runtime.light import NamedTuple

SiteOf = Callable[[Pointer, bool], "Site | None"]
"""`(pointer, key)`: where a value of a tool's wire form was written, or its key."""


class Linted(NamedTuple):
    """A tool to be linted."""

    subject: Subject
    path: str
    site: SiteOf


def lint(tools: Sequence[Linted], selection: Selection, project: Project) -> tuple[Diagnostic, ...]:
    """What the selected rules say of some tools, in the order of files and places."""
    sites = {tool.subject.name: (tool.path, tool.site) for tool in tools}
    found = [one for tool in tools for one in lint_one(tool, selection)]
    found += lint_together([tool.subject.row for tool in tools], sites.get, selection, project)
    return in_order(found)


def lint_one(tool: Linted, selection: Selection) -> Iterator[Diagnostic]:
    """What the rules say that look at one tool."""
    for rule in selection.rules:
        if rule.look is not None and selection.is_told(rule, tool.path):
            for one in rule.look(tool.subject):
                site = tool.site(one.pointer, one.key)
                yield _told(one, rule, selection, tool.subject.name, site, ())


def lint_together(
    rows: Iterable[Row],
    place_of: Callable[[str], tuple[str, SiteOf] | None],
    selection: Selection,
    project: Project,
) -> Iterator[Diagnostic]:
    """What the rules say that compare tools; `place_of` gives the file of a tool by its name, and
    the way to its places."""
    index = Index(tuple(rows), project)
    for rule in selection.rules:
        for one in () if rule.look_at_all is None else rule.look_at_all(index):
            place = place_of(one.tool)
            if place is None or not selection.is_told(rule, place[0]):
                continue
            related = []
            for name, pointer, said in one.related:
                other = place_of(name)
                site = None if other is None else other[1](pointer, False)
                if site is not None:
                    related.append(Related(said, site))
            site = place[1](one.pointer, one.key)
            yield _told(one, rule, selection, one.tool, site, tuple(related))


def _told(
    found: Found,
    rule: Rule,
    selection: Selection,
    tool: str,
    site: Site | None,
    related: tuple[Related, ...],
) -> Diagnostic:
    severity = selection.severity(rule)
    return Diagnostic(
        rule.code, severity, found.message, site, found.hint, related, tool, found.pointer
    )
