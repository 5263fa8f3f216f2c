"""Rules on what a tool says of itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolc.lint.rule import Found, Kind, Rule
from toolc.lint.subject import Subject, words_of_name
from toolc.model.diagnostic import Severity

_FILLERS = frozenset({"a", "an", "the", "this", "of", "to", "tool", "it", "its"})

_PLACEHOLDER = re.compile(
    r"^\W*(TODO|FIXME|TBD|XXX)\b|\b(TODO|FIXME|TBD):|\b[Ll]orem ipsum\b|^(?:description|string)[.]?$"
)


def find_missing(subject: Subject) -> Iterator[Found]:
    if not subject.description.strip():
        yield Found(
            ("description",),
            f'"{subject.name}" has no description',
            "say what it does, when to use it, and what its limits are",
        )


def find_repeated_name(subject: Subject) -> Iterator[Found]:
    said = [word for word in words_of_name(subject.description) if word not in _FILLERS]
    named = [word for word in subject.name_words if word not in _FILLERS]
    if said and sorted(said) == sorted(named):
        yield Found(
            ("description",),
            f'the description of "{subject.name}" only repeats its name',
            "say what the name does not: when to use it, what it answers, what its limits are",
        )


def find_placeholder(subject: Subject) -> Iterator[Found]:
    for pointer, text in subject.texts:
        if (found := _PLACEHOLDER.search(text)) is not None:
            yield Found(pointer, f'"{found[0]}" stands where a description is due', "write it")


RULES = (
    Rule(
        "D201",
        "no-description",
        Kind.DESIGN,
        Severity.WARNING,
        "a tool has no description",
        "A model chooses a tool by its description; without one it has a name to guess by.",
        wrong='title = "Find notes"\n',
        right='description = "Find notes that contain all the given words"\n',
        look=find_missing,
    ),
    Rule(
        "D202",
        "description-repeats-name",
        Kind.DESIGN,
        Severity.WARNING,
        "a description only repeats the name",
        "It costs tokens in every conversation and tells a model nothing that it does not know.",
        wrong='description = "The example"\n',
        right='description = "Find notes that contain all the given words"\n',
        look=find_repeated_name,
    ),
    Rule(
        "D203",
        "placeholder",
        Kind.DESIGN,
        Severity.WARNING,
        "a placeholder stands in the place of a text",
        "Models take it for the description, and people for a promise.",
        wrong='description = "TODO: say what it does"\n',
        right='description = "Find notes that contain all the given words"\n',
        look=find_placeholder,
    ),
)
