"""Rules on the names of tools."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from toolc.lint.lazy import expression
from toolc.lint.rule import Found, Kind, Rule, Set
from toolc.lint.subject import Index, Subject, words_of_name
from toolc.lint.words import ALL_VERBS, GENERIC_NAMES, GENERIC_THINGS, GENERIC_VERBS
from toolc.model.diagnostic import Severity

LONGEST_NAME = 64

_STYLES = (
    ("snake_case", expression(r"[a-z0-9]+(?:_[a-z0-9]+)+")),
    ("kebab-case", expression(r"[a-z0-9]+(?:-[a-z0-9]+)+")),
    ("camelCase", expression(r"[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+")),
    ("PascalCase", expression(r"(?:[A-Z][a-z0-9]*){2,}")),
)
"""A name of one small word is of all of them."""

_SNAKE = expression(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")

_SHARE = 0.8
"""How much of the names must be of one style before the others stand out."""


def style_of(name: str) -> str:
    """How a name joins its words; empty where it has one, or joins them in several ways."""
    return next((style for style, form in _STYLES if form.fullmatch(name)), "")


def find_generic(subject: Subject) -> Iterator[Found]:
    verb, *things = [word for word in subject.name_words if not word.isdigit()] or [""]
    if things:
        is_generic = verb in GENERIC_VERBS and GENERIC_THINGS.issuperset(things)
    else:
        is_generic = verb in GENERIC_NAMES
    if is_generic or subject.name_words in (["do", "it"], ["my", "tool"]):
        yield Found(
            ("name",),
            f'the name "{subject.name}" fits any tool',
            "name what is done, and to what: `run_query`, `send_invoice`",
        )


def find_no_verb(subject: Subject) -> Iterator[Found]:
    words = subject.name_words
    if words and not ALL_VERBS.intersection(words):
        yield Found(
            ("name",),
            f'the name "{subject.name}" has no verb',
            "say what it does: `get_`, `list_`, `create_`",
        )


def find_other_style(index: Index) -> Iterator[Found]:
    styles = {subject.name: style_of(subject.name) for subject in index.rows}
    counts = Counter(style for style in styles.values() if style)
    if not counts:
        return
    common, number = counts.most_common(1)[0]
    if number == counts.total() or number < _SHARE * counts.total():
        return
    for name, style in styles.items():
        if style not in ("", common):
            yield Found(
                ("name",),
                f'"{name}" is {style}, where {number} of {counts.total()} names are {common}',
                "keep to one style; `toolc mv` renames a tool and keeps its old name working",
                tool=name,
            )


def find_not_snake(subject: Subject) -> Iterator[Found]:
    name = subject.name
    if name.isascii() and not _SNAKE.fullmatch(name):
        yield Found(
            ("name",),
            f'"{name}" is {style_of(name) or "not snake_case"}',
            "snake_case is what most servers have, and what models write",
        )


def find_long(subject: Subject) -> Iterator[Found]:
    length = len(subject.name)
    if length > LONGEST_NAME:
        yield Found(
            ("name",),
            f"the name has {length} characters, more than {LONGEST_NAME}",
            "clients put the server's name before it, and cut or refuse what gets too long",
        )


_DIRECTION = frozenset({"to", "from", "into"})
"""Words with which the order says what is meant: `path_to_text`, `text_to_path`."""


def find_same_words(index: Index) -> Iterator[Found]:
    """Names that have the same words in another order: buckets, never pairs."""
    first: dict[tuple[str, ...], str] = {}
    for subject in index.rows:
        words = tuple(sorted(words_of_name(subject.name)))
        other = first.setdefault(words, subject.name)
        if _DIRECTION.intersection(words):
            continue
        if other != subject.name and words and _bare(other) != _bare(subject.name):
            yield Found(
                ("name",),
                f'"{subject.name}" and "{other}" are made of the same words',
                "a model takes one for the other; name the difference",
                tool=subject.name,
                related=((other, ("name",), f'"{other}"'),),
            )


def find_two_titles(subject: Subject) -> Iterator[Found]:
    title, other = subject.text("title"), subject.hints.get("title")
    if title and isinstance(other, str) and other and _bare(title) != _bare(other):
        yield Found(
            ("annotations", "title"),
            f'the tool has two titles: "{title}" and "{other}"',
            "clients differ in which one they show: keep `title`",
        )


def find_no_title(subject: Subject) -> Iterator[Found]:
    if not subject.text("title").strip() and not subject.hints.get("title"):
        yield Found(
            ("title",),
            f'"{subject.name}" has no title',
            "say in a few words what people are to read in a client's list",
        )


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()


RULES = (
    Rule(
        "D101",
        "generic-name",
        Kind.DESIGN,
        Severity.WARNING,
        "a name that fits any tool",
        "A model that has many tools at hand chooses by their names first.",
        wrong='name = "run"\ndescription = "Run a query against the database"\n',
        right='name = "run_query"\ndescription = "Run a query against the database"\n',
        look=find_generic,
    ),
    Rule(
        "D102",
        "no-verb",
        Kind.DESIGN,
        Severity.NOTE,
        "a name without a verb",
        "A name of nouns alone leaves open whether the tool reads, changes or deletes.",
        wrong='name = "invoice"\ndescription = "Fetch one invoice"\n',
        right='name = "get_invoice"\ndescription = "Fetch one invoice"\n',
        look=find_no_verb,
        set=Set.CHECKLIST,
    ),
    Rule(
        "D103",
        "mixed-styles",
        Kind.DESIGN,
        Severity.WARNING,
        "a name in another style than the rest of the project",
        "Models write the name that they expect: `listNotes` where the others are `list_notes`.",
        wrong="".join(
            f'[[tools]]\nname = "{name}"\ndescription = "Say one thing"\n'
            for name in ("get_note", "add_note", "list_notes", "move_note", "dropNote")
        ),
        right="".join(
            f'[[tools]]\nname = "{name}"\ndescription = "Say one thing"\n'
            for name in ("get_note", "add_note", "list_notes", "move_note", "drop_note")
        ),
        look_at_all=find_other_style,
    ),
    Rule(
        "D104",
        "not-snake-case",
        Kind.DESIGN,
        Severity.NOTE,
        "a name that is not snake_case",
        "Most servers use snake_case; it is what models write when they write a tool's name.",
        wrong='name = "getInvoice"\ndescription = "Fetch one invoice"\n',
        right='name = "get_invoice"\ndescription = "Fetch one invoice"\n',
        look=find_not_snake,
        set=Set.CHECKLIST,
    ),
    Rule(
        "D105",
        "long-name",
        Kind.DESIGN,
        Severity.WARNING,
        "a name of more than 64 characters",
        "Several clients refuse or cut names past 64 characters, with the server's name before them.",
        wrong=f'name = "get_{"x" * 61}"\ndescription = "Fetch one invoice"\n',
        right='name = "get_invoice"\ndescription = "Fetch one invoice"\n',
        look=find_long,
    ),
    Rule(
        "D106",
        "same-words",
        Kind.DESIGN,
        Severity.WARNING,
        "two names made of the same words",
        "Nothing in the names says which of the two is meant.",
        wrong="".join(
            f'[[tools]]\nname = "{name}"\ndescription = "Say one thing"\n'
            for name in ("list_tags_of_notes", "list_notes_of_tags")
        ),
        right="".join(
            f'[[tools]]\nname = "{name}"\ndescription = "Say one thing"\n'
            for name in ("list_tags_of_note", "list_notes_with_tag")
        ),
        look_at_all=find_same_words,
    ),
    Rule(
        "D107",
        "two-titles",
        Kind.DESIGN,
        Severity.WARNING,
        "a title, and another one among the hints",
        "Whoever approves a call reads the one or the other: clients differ.",
        wrong='title = "Get invoice"\ndescription = "Fetch one invoice"\n'
        '[annotations]\ntitle = "Delete invoice"\n',
        right='title = "Get invoice"\ndescription = "Fetch one invoice"\n',
        look=find_two_titles,
    ),
    Rule(
        "D108",
        "no-title",
        Kind.DESIGN,
        Severity.NOTE,
        "a tool without a title",
        "Clients show people the name in its place, which was made for models.",
        wrong='description = "Fetch one invoice"\n',
        right='title = "Get invoice"\ndescription = "Fetch one invoice"\n',
        look=find_no_title,
        set=Set.CHECKLIST,
    ),
)
