"""Rules on how a model finds the tools that no list shows."""

from __future__ import annotations

from collections.abc import Iterator

from toolc.check.discovery import Searchable, Theft, ask, find_rivals, make_index
from toolc.lint.rule import Found, Kind, Rule, Set
from toolc.lint.subject import Index, Subject
from toolc.model.diagnostic import Severity
from toolc.model.document import Pointer
from toolc.model.fix import Fix, Remove


def find_unused_keywords(subject: Subject) -> Iterator[Found]:
    if subject.facts.keywords and not subject.facts.discoverable:
        yield Found(
            ("keywords",),
            f'the keywords of "{subject.name}" are of no use: it is in every list',
            "say `discoverable = true` to have it found instead of listed",
            fix=Fix("take the keywords away", (Remove(("keywords",)),)),
        )


def find_rival_tools(index: Index) -> Iterator[Found]:
    rows = {row.name: row for row in index.rows}
    if not any(row.is_hidden and row.prompts for row in index.rows):
        return
    tools = [
        Searchable(row.name, row.description, row.keywords, row.is_hidden, row.prompts)
        for row in index.rows
    ]
    asked = ask(tools, make_index(tools, index.project.server.ranking))
    for one, other in find_rivals(asked):
        if not (rows[one.tool].is_hidden or rows[other.tool].is_hidden):
            continue  # a model is shown both: nobody searches
        yield Found(
            _place(one),
            f'"{one.prompt}" finds "{one.thief}" before "{one.tool}", and a prompt of '
            f'"{other.tool}" finds "{other.thief}" before it',
            "give each words of its own, or make one tool of them; "
            "`toolc search --examples` shows what every prompt finds",
            tool=one.tool,
            related=((other.tool, _place(other), "the other prompt"),),
        )


def _place(theft: Theft) -> Pointer:
    return ("examples", theft.example, "prompt")


_RIGHT = 'description = "Find notes that contain a word"\n'


def _rivals(first: str, second: str) -> str:
    """Two hidden tools, for notes and for letters, with a prompt each."""
    return "".join(
        f'[[tools]]\nname = "find_{things}"\ndescription = "Find {things} that contain a word"\n'
        "discoverable = true\n"
        f'[[tools.examples]]\nprompt = "find {asked} about Delft"\n'
        for things, asked in (("notes", first), ("letters", second))
    )


RULES = (
    Rule(
        "D601",
        "unused-keywords",
        Kind.DESIGN,
        Severity.NOTE,
        "keywords of a tool that is in every list",
        "Only a search reads keywords, and what is listed is not searched for.",
        wrong=_RIGHT + 'keywords = ["note"]\n',
        right=_RIGHT + 'keywords = ["note"]\ndiscoverable = true\n',
        look=find_unused_keywords,
        set=Set.OPTIONAL,
    ),
    Rule(
        "D602",
        "rival-tools",
        Kind.DESIGN,
        Severity.NOTE,
        "two tools that come before each other",
        "A prompt of each finds the other before it: a model that takes what comes first calls the wrong "
        "one of the two. It is looked at where one of them is hidden, with the project's ranking.",
        wrong=_rivals("letters", "notes"),
        right=_rivals("notes", "letters"),
        look_at_all=find_rival_tools,
        set=Set.CHECKLIST,
    ),
)
