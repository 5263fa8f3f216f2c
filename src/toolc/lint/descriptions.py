"""Rules on what a tool says of itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolc.lint.rule import Found, Kind, Rule, Set
from toolc.lint.subject import Index, Subject, words_of_name
from toolc.lint.words import VERBS
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


SHORTEST = 3
"""Words of a description that can say something."""

LONGEST = 2_048
"""Characters of a description; clients that cut longer ones tell nobody."""


_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Letters of scripts that put no spaces between words."""


def _words_in(text: str) -> int:
    """How many words a text has; of scripts without spaces, two letters count as one."""
    spaced = _UNSPACED.sub(" ", text)
    return len(re.findall(r"[\w']+", spaced)) + (len(_UNSPACED.findall(text)) + 1) // 2


def find_short(subject: Subject) -> Iterator[Found]:
    number = _words_in(subject.description)
    if 0 < number < SHORTEST:
        yield Found(
            ("description",),
            f"the description has {number} {'word' if number == 1 else 'words'}",
            "say what it does, when to use it, and what its limits are",
        )


def find_long(subject: Subject) -> Iterator[Found]:
    length = len(subject.description)
    if length > LONGEST:
        yield Found(
            ("description",),
            f"the description has {length:,} characters, more than {LONGEST:,}",
            "put what is about one parameter there, and leave out what the schema says",
        )


_WHEN = re.compile(
    r"\b(use|call|prefer|choose|when|if you|instead|before|after|first|only|don't|do not|for example"
    r"|e\.g\.|such as|useful)\b",
    re.IGNORECASE,
)


def find_no_when(subject: Subject) -> Iterator[Found]:
    if len(subject.description.split()) >= SHORTEST and not _WHEN.search(subject.description):
        yield Found(
            ("description",),
            f'the description of "{subject.name}" does not say when to use it',
            'add a sentence: "Use it …"',
        )


_TYPE_WORDS = {
    "integer": re.compile(r"^(?:an?\s+|the\s+)?(?:integer|whole number)\b", re.IGNORECASE),
    "boolean": re.compile(r"^(?:an?\s+|the\s+)?boolean\b", re.IGNORECASE),
    "array": re.compile(
        r"^(?:an?\s+|the\s+)?(?:list|array) of\b(?! (?:key|name)[- ]value)", re.IGNORECASE
    ),
    "object": re.compile(r"^(?:an?\s+|the\s+)?(?:dictionary|mapping|json object)\b", re.IGNORECASE),
}
_FITTING = {
    "integer": {"integer", "number", "array"},
    "boolean": {"boolean", "array"},
    "array": {"array"},
    "object": {"object", "array"},
}


def find_other_type(subject: Subject) -> Iterator[Found]:
    """Prose that begins with another type than the schema has; a text may hold any of them."""
    for row in subject.inputs:
        if not row.types or "enum" in row.schema or "anyOf" in row.schema:
            continue
        for kind, form in _TYPE_WORDS.items():
            if not form.search(row.description) or _FITTING[kind].intersection(row.types):
                continue
            if not ("string" in row.types and _WRITTEN_OUT.search(row.description)):
                yield Found(
                    (*row.pointer, "type"),
                    f'"{row.name}" is described as {_A[kind]}, and is a {" or ".join(row.types)}',
                    "a model believes the one or the other: make them agree",
                )


_WRITTEN_OUT = re.compile(
    r"\b(?:comma|space|semicolon|newline|pipe|line)s?\b|\bseparat|\bdelimited\b|\bJSON\b",
    re.IGNORECASE,
)
"""How a text holds a list, where a description says so."""


_A = {"integer": "an integer", "boolean": "a boolean", "array": "a list", "object": "an object"}

_DEFAULT = re.compile(
    r"\bdefaults?(?:\s+(?:is|to|value is)|\s*[:=])\s*[`'\"]?"
    r"(-?\d{1,3}(?:,\d{3})+|-?\d+(?:\.\d+)?|true|false)\b",
    re.IGNORECASE,
)


def find_other_default(subject: Subject) -> Iterator[Found]:
    for row in subject.inputs:
        value, found = row.schema.get("default"), _DEFAULT.search(row.description)
        if found is None or isinstance(value, (str, list, dict)) or value is None:
            continue
        said = found[1].lower()
        known = str(value).lower() if isinstance(value, bool) else f"{value:g}"
        same = said == known if isinstance(value, bool) else _number(said) == value
        if not same:
            yield Found(
                (*row.pointer, "default"),
                f'"{row.name}" has the default {known}, and its description says {said}',
                "make them agree; the schema's need not be repeated",
            )


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


_OPTIONAL = re.compile(r"^\W*optional\b|\(optional\)|\[optional\]", re.IGNORECASE)
_REQUIRED = re.compile(r"^\W*required\s*(?:[.:,;)\]]|$)|\(required\)|\[required\]", re.IGNORECASE)
_DEPENDS = re.compile(r"\b(?:if|when|unless|only|for|with|depend\w*)\b", re.IGNORECASE)
_FIRST = 120
"""Characters of a description in which it says whether it is needed; what follows is on its parts."""


def find_other_need(subject: Subject) -> Iterator[Found]:
    for row in subject.parameters:
        text = row.description[:_FIRST]
        is_optional, is_needed = _OPTIONAL.search(text), _REQUIRED.search(text)
        if is_optional and is_needed:
            continue
        if row.is_required and is_optional:
            said = "optional, and is required"
        elif not row.is_required and is_needed and not _DEPENDS.search(_before(text, is_needed)):
            said = "required, and is optional"
        else:
            continue
        yield Found(
            (*row.pointer, "description"),
            f'"{row.name}" is described as {said}',
            "make them agree",
        )


def _before(text: str, found: re.Match[str]) -> str:
    """What qualifies a marker: the words in front of it, and the one behind."""
    return text[: found.start()] + " ".join(text[found.end() :].split()[:2])


_CHOICES = re.compile(
    r"\b(?:one of|must be one of|allowed values(?: are)?|valid values(?: are)?|possible values(?: are)?"
    r"|options(?: are)?)\s*:?\s*[\[(]?\s*"
    r"((?:[`'\"][\w.-]+[`'\"]\s*(?:,|\||/|or|and)\s*(?:or\s+)?){1,20}[`'\"][\w.-]+[`'\"])",
    re.IGNORECASE,
)


_OPEN = re.compile(r"\betc\b|\.\.\.|\bcomma|\bseparated\b|\blist of\b|\bor any\b", re.IGNORECASE)
"""What makes a list of values one that has others besides, or a text hold several of them."""


def find_listed_values(subject: Subject) -> Iterator[Found]:
    names = {row.name for row in subject.inputs}
    for row in subject.inputs:
        if row.types != ("string",) or {"enum", "const", "pattern", "examples"}.intersection(
            row.schema
        ):
            continue
        found = _CHOICES.search(row.description)
        if found is None or _OPEN.search(row.description):
            continue
        if not names.intersection(re.findall(r"[\w.-]+", found[1])):
            yield Found(
                (*row.pointer, "description"),
                f'the values of "{row.name}" stand in its description only: {found[1][:60]}',
                "give it an `enum`: then a wrong value is refused, and told",
            )


def find_no_leading_verb(subject: Subject) -> Iterator[Found]:
    first = re.match(r"[A-Za-z]+", subject.description.strip())
    if first is not None and not _is_verb(first[0].lower()):
        yield Found(
            ("description",),
            f'the description of "{subject.name}" begins with "{first[0]}", not with a verb',
            'say first what it does: "Find …", "Create …"',
        )


def _is_verb(word: str) -> bool:
    """Whether a word is a verb that rules know, or its third person."""
    return not VERBS.isdisjoint(
        (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y")
    )


_URL = re.compile(r"https?://")


def find_url(subject: Subject) -> Iterator[Found]:
    if _URL.search(subject.description):
        yield Found(
            ("description",),
            "the description has a URL",
            "a model cannot be sure to reach it; say what stands there",
        )


_DEPRECATED = re.compile(r"\W*deprecated\b")
"""Such a tool says which one is meant: another."""


def find_same_description(index: Index) -> Iterator[Found]:
    """Tools of one description: buckets, never pairs; a finding a bucket."""
    alike: dict[str, list[str]] = {}
    for row in index.rows:
        text = " ".join(row.description.lower().split())
        if text and not _DEPRECATED.match(text):
            alike.setdefault(text, []).append(row.name)
    for first, *others in alike.values():
        if others:
            more = f" (and {len(others) - 1:,} more have it)" if len(others) > 1 else ""
            yield Found(
                ("description",),
                f'"{others[0]}" has the description of "{first}"{more}',
                "say what tells them apart",
                tool=others[0],
                related=tuple(
                    (name, ("description",), f'of "{name}"') for name in (first, *others[1:_NAMED])
                ),
            )


_NAMED = 4
"""How many other tools of one description are pointed at."""


def find_placeholder(subject: Subject) -> Iterator[Found]:
    for pointer, text in subject.texts:
        if (found := _PLACEHOLDER.search(text)) is not None:
            yield Found(pointer, f'"{found[0]}" stands where a description is due', "write it")


_RIGHT = 'description = "Find notes that contain a word"\n'
_AMOUNT = '\n[[parameters]]\nname = "amount"\ntype = {}\ndescription = "{}"\n'

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
    Rule(
        "D204",
        "short-description",
        Kind.DESIGN,
        Severity.WARNING,
        "a description of one or two words",
        "It cannot say what the tool does, when to use it, and what its limits are.",
        wrong='description = "Find notes"\n',
        right=_RIGHT,
        look=find_short,
    ),
    Rule(
        "D205",
        "no-when",
        Kind.DESIGN,
        Severity.NOTE,
        "a description that does not say when to use the tool",
        "Of several tools that could do it, a model takes the one that says it is meant.",
        wrong=_RIGHT,
        right='description = "Find notes that contain a word. Use it before creating one."\n',
        look=find_no_when,
        set=Set.CHECKLIST,
    ),
    Rule(
        "D206",
        "long-description",
        Kind.DESIGN,
        Severity.WARNING,
        "a description of more than 2,048 characters",
        "It stands in every request. Some clients cut what is longer, and show their users all of it.",
        wrong=f'description = "Find notes that contain a word{", or another" * 180}"\n',
        right=_RIGHT,
        look=find_long,
    ),
    Rule(
        "D207",
        "described-as-another-type",
        Kind.DESIGN,
        Severity.WARNING,
        "a description that contradicts the type",
        "A model writes what the words say, and is refused.",
        wrong=_RIGHT + _AMOUNT.format('"string"', "Integer number of cents"),
        right=_RIGHT + _AMOUNT.format('"int"', "Integer number of cents"),
        look=find_other_type,
    ),
    Rule(
        "D208",
        "described-with-another-default",
        Kind.DESIGN,
        Severity.WARNING,
        "a description that contradicts the default",
        "What a call without the argument means depends on whom one believes.",
        wrong=_RIGHT + _AMOUNT.format('"int"\ndefault = 20', "How many (default: 10)"),
        right=_RIGHT + _AMOUNT.format('"int"\ndefault = 20', "How many"),
        look=find_other_default,
    ),
    Rule(
        "D209",
        "values-in-prose",
        Kind.DESIGN,
        Severity.WARNING,
        "values that only the description lists",
        "The schema takes any text, so that a wrong one is found out by the handler, if at all.",
        wrong=_RIGHT + _AMOUNT.format('"string"', "One of: 'small', 'large'"),
        right=_RIGHT + _AMOUNT.format('"string"\nenum = ["small", "large"]', "How large"),
        look=find_listed_values,
    ),
    Rule(
        "D210",
        "described-as-needed-or-not",
        Kind.DESIGN,
        Severity.WARNING,
        "a description that contradicts `required`",
        "A model leaves out what it reads is optional, and is refused.",
        wrong=_RIGHT + _AMOUNT.format('"string"\nrequired = true', "Optional. How large"),
        right=_RIGHT + _AMOUNT.format('"string"', "Optional. How large"),
        look=find_other_need,
    ),
    Rule(
        "D211",
        "url-in-description",
        Kind.DESIGN,
        Severity.NOTE,
        "a URL in a description",
        "Most models cannot follow it, and what stands there can change.",
        wrong='description = "Find notes, as https://notes.example has it"\n',
        right=_RIGHT,
        look=find_url,
        set=Set.CHECKLIST,
    ),
    Rule(
        "D212",
        "same-description",
        Kind.DESIGN,
        Severity.WARNING,
        "two tools with one description",
        "Nothing tells a model which of them is meant.",
        wrong="".join(f'[[tools]]\nname = "{name}"\n{_RIGHT}' for name in ("find_a", "find_b")),
        right='[[tools]]\nname = "find_a"\n' + _RIGHT,
        look_at_all=find_same_description,
    ),
    Rule(
        "D213",
        "no-leading-verb",
        Kind.DESIGN,
        Severity.NOTE,
        "a description that does not begin with a verb",
        "What a tool does is what a model looks for; the first word is where it looks.",
        wrong='description = "A tool for notes that contain a word"\n',
        right=_RIGHT,
        look=find_no_leading_verb,
        set=Set.CHECKLIST,
    ),
)
