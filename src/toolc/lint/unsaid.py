"""Rules on what a schema leaves unsaid, or to the words beside it."""

from __future__ import annotations

from collections.abc import Iterator

from toolc.lint.examples import DESCRIBED, WORD, schema_rule, with_word
from toolc.lint.lazy import expression
from toolc.lint.parameters import is_explained, said_of, silent
from toolc.lint.rule import Found
from toolc.lint.subject import Property, Subject
from toolc.lint.values import NARROWING

_WRAPPED = ("outputSchema", "properties", "result")
"""What SDKs put around an answer that is no object."""


def find_undescribed_parts(subject: Subject) -> Iterator[Found]:
    """One finding a tool, at the first: what is in a parameter or an answer, and a parameter that only
    the tool's own description speaks of. Of one that nothing speaks of D301 does."""
    rows = [
        row
        for row in silent((*subject.inputs, *subject.outputs), subject)
        if (row.pointer[0] != "inputSchema" or row.depth > 1 or is_explained(row.name, subject))
        and row.pointer != _WRAPPED
    ]
    if rows:
        yield Found(
            rows[0].pointer,
            said_of(rows, "has no description of its own", "have no description of their own"),
            "say beside each what belongs there: some clients show a model nothing else",
            key=True,
        )


_TYPING = frozenset(
    (
        *("type", "enum", "const", "properties", "items"),
        *("$ref", "$dynamicRef", "anyOf", "oneOf", "allOf", "not", "if"),
    )
)
"""Keywords that say what is taken."""


def find_untyped(subject: Subject) -> Iterator[Found]:
    for row in subject.inputs:
        if _TYPING.isdisjoint(row.schema) and not _is_part_of_variant(row):
            yield Found(
                row.pointer,
                f'"{row.name}" has no type',
                "say `type`, in a list if there are several; a model guesses otherwise",
                key=True,
            )


def _is_part_of_variant(row: Property) -> bool:
    """Whether it only says more of what is typed elsewhere."""
    return any(part in ("allOf", "anyOf", "oneOf", "if", "then", "else") for part in row.pointer)


def find_untyped_items(subject: Subject) -> Iterator[Found]:
    for row in subject.values:
        if "array" in row.types and not row.schema.get("items") and "prefixItems" not in row.schema:
            yield Found(
                row.pointer,
                f'nothing says what is in the list "{row.name}"',
                "give it `items`: several clients refuse a list without them",
                key=True,
            )


_DATED = expression(
    r"(?i)\bISO[ -]?8601\b|\bRFC[ -]?3339\b|\bYYYY-MM-DD\b"
    r"|\b(?:date and time|timestamp|due date|date) in\b"
)
_DATE_NAMES = expression(r"(?:^|_|[a-z](?=D))(?:[dD]ate|datetime)$")
_DATED_OTHERWISE = expression(
    r"(?i)\b(?:relative|unix|epoch|seconds|milliseconds|inequality|offsets? from|now-\d)\b"
)
"""What no `format` takes beside a date, or in its place."""
_FORMED = frozenset({"format", "pattern", "enum", "const"})


def find_unformatted_date(subject: Subject) -> Iterator[Found]:
    for row in subject.inputs:
        if row.types != ("string",) or not _FORMED.isdisjoint(row.schema):
            continue
        is_date = _DATED.search(row.description) or _DATE_NAMES.search(row.name)
        if is_date and not _DATED_OTHERWISE.search(row.description):
            yield Found(
                row.pointer,
                f'the date "{row.name}" has no `format`',
                "say `date`, or `date-time`: then one that is written otherwise is refused",
                key=True,
            )


_SAID_DEFAULT = expression(
    r"(?i)\b(?:defaults? (?:is|to)|default:|\(default)\s*"
    r"(?!(?:the|an?|all|current|each|from|just|no|only|this|your|[a-z]+ing)\s)\S"
)
"""A default that can be written down: `the current branch` cannot."""
_SAID_BOUND = expression(
    r"(?i)\b(?:between \d+ and \d+|from \d+ to \d+|\d+\s*(?:-|–|to)\s*\d+\b(?=\s*[).]|$)"
    r"|(?:at most|up to|maximum(?: of| is)?:?|max\.?:?|no more than) \d+"
    r"|(?:at least|minimum(?: of| is)?:?) \d+)"
)
_ANY_BOUND = NARROWING | {"const", "pattern"}


def find_said_only(subject: Subject) -> Iterator[Found]:
    for row in subject.inputs:
        if not row.types or "$ref" in row.schema:
            continue
        if "default" not in row.schema and not row.is_required:
            found = _SAID_DEFAULT.search(row.description)
            if found is not None:
                yield Found(
                    (*row.pointer, "description"),
                    f'the default of "{row.name}" stands in its description only',
                    "say `default` beside it: a server fills it in, and a client shows it",
                )
        if {"integer", "number"}.isdisjoint(row.types) or not _ANY_BOUND.isdisjoint(row.schema):
            continue
        found = _SAID_BOUND.search(row.description)
        if found is not None:
            yield Found(
                (*row.pointer, "description"),
                f'the bounds of "{row.name}" stand in its description only: {found[0]}',
                "say `minimum` and `maximum`: then a wrong number is refused, and told",
            )


_COUNTS = expression(
    r"(?i)^(?:limit|count|size|top_?k|take|per_?page|(?:page|batch)_?size|(?:max|num|maximum)_?(?:results|items"
    r"|rows|records|count|entries)|results?_?(?:limit|count|per_?page))$"
)


def find_boundless_limit(subject: Subject) -> Iterator[Found]:
    for row in subject.parameters:
        is_count = _COUNTS.match(row.name) and not {"integer", "number"}.isdisjoint(row.types)
        if is_count and {"maximum", "exclusiveMaximum", "enum", "const"}.isdisjoint(row.schema):
            yield Found(
                row.pointer,
                f'"{row.name}" has no maximum',
                "say `maximum`: a model that wants everything asks for a million",
                key=True,
            )


RULES = (
    schema_rule(
        "D313",
        "no-own-description",
        "a parameter, or a part of one or of an answer, without a description of its own",
        "What the tool's description says of it is far from where a model fills it in, and some clients "
        "show the schema alone.",
        'description = "Find notes that contain a word"\n'
        '\n[[parameters]]\nname = "word"\ntype = "string"\n',
        with_word('type = "string"', WORD),
        find_undescribed_parts,
    ),
    schema_rule(
        "D314",
        "untyped-parameter",
        "a parameter without a type",
        "A model guesses whether a number is meant or a text, and nothing checks it.",
        with_word(WORD),
        with_word('type = "string"', WORD),
        find_untyped,
    ),
    schema_rule(
        "D315",
        "untyped-items",
        "a list of which nothing says what is in it",
        "A model has to guess the form of the items, and several clients refuse the schema.",
        with_word('type = "array"', WORD),
        with_word('type = "array"', 'items = { type = "string" }', WORD),
        find_untyped_items,
    ),
    schema_rule(
        "D327",
        "unformatted-date",
        "a date without a format",
        "03/04 is March or April; with `format` a wrong one is refused, and told.",
        with_word('type = "string"', 'description = "The day, as ISO 8601 has it"'),
        with_word('type = "string"', 'format = "date"', 'description = "The day"'),
        find_unformatted_date,
    ),
    schema_rule(
        "D328",
        "said-in-prose-only",
        "a default or bounds that only the description says",
        "Nothing fills it in, and nothing refuses what is out of bounds.",
        with_word('type = "integer"', 'description = "How many, between 1 and 50 (default: 20)"'),
        with_word(
            'type = "integer"',
            "minimum = 1",
            "maximum = 50",
            "default = 20",
            'description = "How many"',
        ),
        find_said_only,
    ),
    schema_rule(
        "D329",
        "limit-without-maximum",
        "a number of answers without a maximum",
        "One call can ask for more than a context holds.",
        f'{DESCRIBED}\n[[parameters]]\nname = "limit"\ntype = "int"\ndescription = "How many"\n',
        f'{DESCRIBED}\n[[parameters]]\nname = "limit"\ntype = "int"\nmaximum = 50\n'
        'description = "How many"\n',
        find_boundless_limit,
    ),
)
