"""Rules held against tools: what they find, told at the places where it was written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from toolc.edits import value_at
from toolc.lint.clients.profile import Clients
from toolc.lint.rule import Found, Rule
from toolc.lint.selection import Selection
from toolc.lint.subject import Index, Row, Subject
from toolc.model.diagnostic import Diagnostic, Related, in_order
from toolc.model.document import Document, Pointer, Site
from toolc.model.fix import Cut, Fix, Put, Rewrite, Step
from toolc.model.project import Project
from toolc_runtime.light import NamedTuple

SiteOf = Callable[[Pointer, bool], "Site | None"]
"""`(pointer, key)`: where a value of a tool's wire form was written, or its key."""

PlaceOf = Callable[[Pointer], "tuple[Document, Pointer] | None"]
"""The document that says what stands at a pointer, and where in it; None where none does."""

SettingSite = Callable[[Pointer], "Site | None"]
"""Where the project says a setting, such as `("server", "instructions")`."""


def _nowhere(_pointer: Pointer) -> None:
    return None


class Linted(NamedTuple):
    """A tool to be linted."""

    subject: Subject
    path: str
    site: SiteOf
    place: PlaceOf = _nowhere


class Place(NamedTuple):
    """Where a tool, or the project, says what it says."""

    path: str
    site: SiteOf


def lint(
    tools: Sequence[Linted],
    selection: Selection,
    project: Project,
    setting: SettingSite | None = None,
) -> tuple[Diagnostic, ...]:
    """What the selected rules say of some tools, in the order of files and places.

    Without `setting`, a finding on a setting names the project file only.
    """
    places = {tool.subject.name: Place(tool.path, tool.site) for tool in tools}
    places[""] = project_place(project, setting)
    looking = selection.looking()
    found = [one for tool in tools for one in lint_one(tool, selection, looking)]
    found += lint_together([tool.subject.row for tool in tools], places.get, selection, project)
    return in_order(found)


def project_place(project: Project, setting: SettingSite | None) -> Place:
    """The place of a finding that is about no tool, but about the project's settings."""

    def site(pointer: Pointer, _key: bool) -> Site | None:
        said = setting(pointer) if setting is not None else None
        return said or (Site(project.path) if project.path else None)

    return Place(project.path, site)


def lint_one(tool: Linted, selection: Selection, looking: Iterable[Rule]) -> Iterator[Diagnostic]:
    """What the rules say that look at one tool; `looking` is `selection.looking()`."""
    own = Place(tool.path, tool.site)
    for rule in looking:
        if not selection.is_told(rule, tool.path):
            continue
        for one in _found_in(rule, tool.subject, selection.clients):
            others = {"": own}
            told = _told(one, rule, selection, tool.subject.name, own, others.get)
            fix = None if one.fix is None else _placed(one.fix, tool)
            yield told if fix is None else told._replace(fix=fix)


def _found_in(rule: Rule, subject: Subject, clients: Clients) -> Iterable[Found]:
    if rule.look is not None:
        return rule.look(subject)
    return () if rule.look_for is None else rule.look_for(subject, clients)


def lint_together(
    rows: Iterable[Row],
    place_of: Callable[[str], Place | None],
    selection: Selection,
    project: Project,
) -> Iterator[Diagnostic]:
    """What the rules say that compare tools; `place_of` gives the place of a tool by its name, and
    that of the project for an empty one."""
    index = Index(tuple(rows), project)
    for rule in selection.rules:
        for one in _found_in_all(rule, index, selection):
            place = place_of(one.tool)
            if place is not None and selection.is_told(rule, place.path):
                yield _told(one, rule, selection, one.tool, place, place_of)


def _found_in_all(rule: Rule, index: Index, selection: Selection) -> Iterator[Found]:
    if rule.look_at_all is not None:
        yield from rule.look_at_all(index)
    if rule.look_for_all is not None and selection.clients:
        yield from rule.look_for_all(index, selection.clients)


def _told(
    found: Found,
    rule: Rule,
    selection: Selection,
    tool: str,
    place: Place,
    place_of: Callable[[str], Place | None],
) -> Diagnostic:
    site = place.site(found.pointer, found.key)
    related = []
    for name, pointer, said in found.related:
        other = place_of(name)
        other_site = None if other is None else other.site(pointer, False)
        if other_site is not None and other_site != site:
            related.append(Related(said, other_site))
    return Diagnostic(
        rule.code,
        selection.severity(rule, found),
        found.message,
        site,
        found.hint,
        tuple(related),
        tool,
        found.pointer,
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
