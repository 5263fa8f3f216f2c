"""Rows of rules on schemas, whose examples have one parameter, `word`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from toolc.lint.rule import Found, Kind, Rule, Set
from toolc.lint.subject import Subject
from toolc.model.diagnostic import Severity

DESCRIBED = 'description = "Find notes that contain a word"\n'


def with_word(*lines: str, root: str = "") -> str:
    """A definition with an input schema of its own that has one parameter, `word`."""
    table = "".join(f"{line}\n" for line in lines)
    return (
        f'{DESCRIBED}\n[inputSchema]\ntype = "object"\nadditionalProperties = false\n{root}'
        f"\n[inputSchema.properties.word]\n{table}"
    )


WORD = 'description = "What is looked for"'


def schema_rule(
    code: str,
    name: str,
    title: str,
    why: str,
    wrong: str,
    right: str,
    look: Callable[[Subject], Iterator[Found]],
    of: Set = Set.CHECKLIST,
) -> Rule:
    """A row for a rule of design on schemas: a note of the checklist, or else a warning."""
    severity = Severity.NOTE if of is Set.CHECKLIST else Severity.WARNING
    return Rule(code, name, Kind.DESIGN, severity, title, why, wrong, right, look=look, set=of)
