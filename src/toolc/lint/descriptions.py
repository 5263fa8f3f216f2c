"""Rules on what a tool says of itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from toolc.lint.lazy import expression
from toolc.lint.rule import Found, Kind, Rule, Set
from toolc.lint.subject import Index, Property, Subject, words_of_name
from toolc.lint.words import ALL_VERBS, FILLERS
from toolc.model.diagnostic import Severity

_PLACEHOLDER = expression(
    r"^(?i:description|string|(?:tool|parameter|your|some|no) description|placeholder|tbd|todo|n/?a|none"
    r"|untitled|test)[.]?$"
    r"|^\W*(?i:(?:description|text) (?:goes )?here|(?:add|insert|write|enter|put) (?:an?|the|your)?\s*"
    r"description(?: here)?|your (?:tool )?description(?: here)?)\W*$"
    r"|^(?:\{\{.*\}\}|<[\w ]+>|\[[\w ]+\])$|^[^\w\s]+$"
)
"""A whole text that a template left, and signs alone."""
_LONGEST_PLACEHOLDER = 60
_UNFINISHED = expression(
    r"^\W*(?:TODO|FIXME|TBD|XXX)\b(?! (?:items?|lists?|comments?)\b)|\b(?:TODO|FIXME|TBD):"
    r"|\b[Ll]orem ipsum\b|[.!?] (?:FIXME|TBD|XXX)\b"
)
_UNFINISHED_MARKS = ("TODO", "FIXME", "TBD", "XXX", "orem ipsum")


def placeholder_in(text: str, is_title: bool = False) -> str:
    """What stands in a text for one that is to be written yet; empty where nothing does."""
    found = None
    if any(mark in text for mark in _UNFINISHED_MARKS):
        found = _UNFINISHED.search(text)
    # A part that is a description may be called "Description".
    if found is None and not is_title and len(text) <= _LONGEST_PLACEHOLDER:
        found = _PLACEHOLDER.search(text)
    return "" if found is None else found[0]


def find_missing(subject: Subject) -> Iterator[Found]:
    if not subject.description.strip():
        yield Found(
            ("description",),
            f'"{subject.name}" has no description',
            "say what it does, when to use it, and what its limits are",
        )


def find_repeated_name(subject: Subject) -> Iterator[Found]:
    if _says_only(subject.description, subject.name):
        yield Found(
            ("description",),
            f'the description of "{subject.name}" only repeats its name',
            "say what the name does not: when to use it, what it answers, what its limits are",
        )


def find_repeated_parameter(subject: Subject) -> Iterator[Found]:
    for row in subject.inputs:
        if _says_only(row.description, row.name):
            yield Found(
                (*row.pointer, "description"),
                f'the description of "{row.name}" only repeats its name',
                "say what the name does not: which of them, in which form, with an example",
            )


def _says_only(text: str, name: str) -> bool:
    """Whether a text has the words of a name and no others that say anything."""
    if len(text) > 2 * len(name) + _FILLING:
        return False
    names = {_stem(word) for word in words_of_name(name)} - FILLERS
    said = set()
    for word in words_of_name(text):
        if word not in FILLERS:
            said.add(_stem(word))
            if not said <= names:
                return False
    return bool(said) and said == names


_FILLING = 60
"""Characters of the words that say nothing, at most."""


def _stem(word: str) -> str:
    """What the forms of a word have in common: `gets`, `getting` and `get`, `notes` and `note`."""
    for end in ("ing", "es", "s", "e"):
        if word.endswith(end) and len(word) > len(end) + 2 and not word.endswith("ss"):
            word = word.removesuffix(end)
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] != "s" else word


SHORTEST = 3
"""Words of a description that can say something."""

LONGEST = 2_048
"""Characters of a description; clients that cut longer ones tell nobody."""


_UNSPACED = expression(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Letters of scripts that put no spaces between words."""


def _words_in(text: str) -> int:
    """How many words a text has; of scripts without spaces, two letters count as one."""
    spaced = _UNSPACED.sub(" ", text)
    return len(re.findall(r"[\w']+", spaced)) + (len(_UNSPACED.findall(text)) + 1) // 2


def find_short(subject: Subject) -> Iterator[Found]:
    number = _words_in(subject.description)
    if 0 < number < SHORTEST and not placeholder_in(subject.description):
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


LENGTHY = 1_024
"""Characters of a description that is better cut, of a tool or of a parameter."""


def find_lengthy(subject: Subject) -> Iterator[Found]:
    """Those of a tool that D206 leaves, and those of parameters."""
    for pointer, text in subject.texts:
        if pointer[-1] != "description" or len(text) <= LENGTHY or pointer[0] == "outputSchema":
            continue
        if len(pointer) > 1 or len(text) <= LONGEST:
            yield Found(
                pointer,
                f"the description has {len(text):,} characters, more than {LENGTHY:,}",
                "say first what counts, and leave out what the schema says",
            )


_WHEN = expression(
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
    "integer": expression(
        r"^(?:an?\s+|the\s+)?(?:(?:positive|non-negative|negative)\s+)?(?:integer|whole number)\b"
        r"|^[\[(]?(?:int|integer)[\])]|\((?:int|integer)\)|\bas an integer\b|\bmust be an integer\b",
        re.IGNORECASE,
    ),
    "number": expression(
        r"^(?:an?\s+|the\s+)?(?:float|floating[- ]point number|decimal (?:number"
        r"|amount|value)|numeric (?:amount|value))\b"
        r"|^[\[(]?(?:float|number)[\])]|\((?:float|number)\)",
        re.IGNORECASE,
    ),
    "boolean": expression(
        r"^(?:an?\s+|the\s+)?boolean\b|^[\[(]?bool(?:ean)?[\])]|\(bool(?:ean)?\)"
        r"|^(?:whether|if true|set to true|(?:either )?true or false)\b|\(true/false\)",
        re.IGNORECASE,
    ),
    "array": expression(
        r"^(?:an?\s+|the\s+)?(?:list|array) of\b(?! (?:key|name)[- ]value)", re.IGNORECASE
    ),
    "object": expression(
        r"^(?:an?\s+|the\s+)?(?:dictionary|mapping|json object|object (?:with|that|of|containing))\b",
        re.IGNORECASE,
    ),
    "string": expression(
        r"^(?:an?\s+|the\s+)?(?:comma[- ]separated|string(?: of| with| containing)?\b(?! arrays?\b)"
        r"|ISO[ -]?8601|e-?mail address|URL)\b",
        re.IGNORECASE,
    ),
    "count": expression(
        r"^(?:the\s+|maximum\s+|max\s+|total\s+)?number of\b|^how many\b", re.IGNORECASE
    ),
}
_TYPE_MARKS: Mapping[str, tuple[str, ...]] = {
    "integer": ("int", "whole number"),
    "number": ("float", "decimal", "numeric", "number"),
    "boolean": ("bool", "whether", "true"),
    "array": ("list of", "array of"),
    "object": ("dictionary", "mapping", "object"),
    "string": ("comma", "string", "iso", "mail", "url"),
    "count": ("number of", "how many"),
}
"""Of each expression, what stands in whatever it finds, in small letters."""
_FITTING = {
    "integer": {"integer", "number", "array"},
    "number": {"number", "array"},
    "boolean": {"boolean", "array"},
    "array": {"array"},
    "object": {"object", "array"},
    "string": {"string", "array", "object"},
    "count": {"integer", "number", "array", "object"},
}


def find_other_type(subject: Subject) -> Iterator[Found]:
    for row in subject.values:
        kind = _other_type(row)
        if kind:
            yield Found(
                (*row.pointer, "type"),
                f'"{row.name}" is described as {_A[kind]}, and is {a_type(row.types)}',
                "a model believes the one or the other: make them agree",
            )


def _other_type(row: Property) -> str:
    """What a description says something is, where the schema says that it is something else; empty
    where they agree, and of a text that may hold what is said."""
    if not row.types or not row.description or not _SAYING_MORE.isdisjoint(row.schema):
        return ""
    text = row.description.lower()
    for kind, marks in _TYPE_MARKS.items():
        if not _FITTING[kind].isdisjoint(row.types) or not any(mark in text for mark in marks):
            continue
        if _TYPE_WORDS[kind].search(row.description) and not _holds(row, kind):
            return kind
    return ""


def _holds(row: Property, kind: str) -> bool:
    """Whether a text may hold what its description says it is."""
    if "string" not in row.types:
        return False
    form = _WRITTEN_OUT if kind in _WRITTEN else _NAMES_VALUES
    return form.search(row.description) is not None


_WRITTEN = frozenset({"array", "object", "integer"})
"""What a text may hold, written out."""

_NAMES_VALUES = expression(r"[`'\"][\w.-]+[`'\"]|\bone of\b|\bvalues\b", re.IGNORECASE)
"""A text may be asked for whether and how: the description then names what it can be."""

_SAYING_MORE = frozenset({"enum", "const", "anyOf", "oneOf", "pattern", "format"})
"""Keywords beside which a type alone does not say what is taken."""


def a_type(types: tuple[str, ...]) -> str:
    """A type, or several, in words: `an integer`, `a string or null`."""
    first, *others = types
    article = "" if first == "null" else "an " if first[0] in "aio" else "a "
    return " or ".join((article + first, *others))


_WRITTEN_OUT = expression(
    r"\b(?:comma|space|semicolon|newline|pipe|line)s?\b|\bseparat|\bdelimited\b|\bJSON\b",
    re.IGNORECASE,
)
"""How a text holds a list, where a description says so."""


_A = {
    "integer": "an integer",
    "number": "a number",
    "boolean": "a boolean",
    "array": "a list",
    "object": "an object",
    "string": "a text",
    "count": "a number",
}

_DEFAULT = expression(
    r"\bdefaults?(?:\s+(?:is|to|value is)|\s*[:=])\s*[`'\"]?"
    r"(-?\d{1,3}(?:,\d{3})+|-?\d+(?:\.\d+)?|true|false)\b(?!-)"
    r"|[(,;]\s*default\s+(-?\d+(?:\.\d+)?|true|false)\s*(?:[).,;]|$)"
    r"|[(,;]\s*(-?\d+(?:\.\d+)?|true|false) (?:by|is the) default\b",
    re.IGNORECASE,
)
_DEFAULT_TEXT = expression(
    r"\bdefaults?(?:\s+(?:is|to|value is)|\s*[:=])\s*(?:([`'\"])([\w.-]+)\1|(\w+)\s*(?:[).;,]|$))",
    re.IGNORECASE,
)


def find_other_default(subject: Subject) -> Iterator[Found]:
    for row in subject.inputs:
        value = row.schema.get("default")
        if isinstance(value, str):
            said, known = _other_text(row, value), f'"{value}"'
        elif isinstance(value, (bool, int, float)):
            said, known = _other_number(row, value), f"{value:g}"
            known = str(value).lower() if isinstance(value, bool) else known
        else:
            continue
        if said:
            yield Found(
                (*row.pointer, "default"),
                f'"{row.name}" has the default {known}, and its description says {said}',
                "make them agree; the schema's need not be repeated",
            )


def _other_number(row: Property, value: float) -> str:
    """The number or the truth value that a description says in the place of a default."""
    found = _DEFAULT.search(row.description)
    if found is None:
        return ""
    said = next(filter(None, found.groups())).lower()
    if isinstance(value, bool):
        return "" if said == str(value).lower() else said
    return "" if _number(said) == value else said


def _other_text(row: Property, value: str) -> str:
    """The same of texts: one that is quoted, or that is one of an enum's."""
    found = _DEFAULT_TEXT.search(row.description)
    if found is None:
        return ""
    said, values = found[2] or found[3], row.schema.get("enum")
    is_sure = bool(found[1]) if not isinstance(values, list) else said in values
    return f'"{said}"' if is_sure and said.casefold() != value.casefold() else ""


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


_SAID_BOUNDS = (
    (
        "most",
        expression(
            r"\b(?:at most|up to|no more than|max(?:imum)?(?: (?:is|of|value(?: is)?|length(?: is)?)|:)?|"
            r"not? (?:exceed|longer than))\s+(\d[\d,]*)(?![\w%-]|\.\d)",
            re.IGNORECASE,
        ),
    ),
    (
        "most",
        expression(
            r"(?<!percent )[(\[]\s*-?\d+\s*(?:-|–|to)\s*(\d[\d,]*)\s*[)\]]|\bbetween \d+ and (\d[\d,]*)\b"
        ),
    ),
    (
        "least",
        expression(
            r"\b(?:at least|no less than|min(?:imum)?(?: (?:is|of)|:)?)\s+(\d[\d,]*)(?![\w%-]|\.\d)",
            re.IGNORECASE,
        ),
    ),
)


def find_other_bounds(subject: Subject) -> Iterator[Found]:
    """One finding a parameter: a bound in the description that is not the schema's."""
    for row in subject.inputs:
        found = next(_other_bounds(row), None)
        if found is not None:
            key, said = found
            yield Found(
                (*row.pointer, key),
                f'"{row.name}" has the `{key}` {row.schema[key]:,}, and its description says {said}',
                "make them agree; the schema's need not be repeated",
            )


_DIGIT = expression(r"\d")
_BOUNDS = {
    "most": ("maximum", "maxLength", "maxItems"),
    "least": ("minimum", "minLength", "minItems"),
}
_BOUNDING = frozenset(key for keys in _BOUNDS.values() for key in keys)


def _other_bounds(row: Property) -> Iterator[tuple[str, str]]:
    """The bounds of a parameter that its description contradicts, with what it says."""
    if _BOUNDING.isdisjoint(row.schema) or _DIGIT.search(row.description) is None:
        return
    for kind, form in _SAID_BOUNDS:
        bounds = (key for key in _BOUNDS[kind] if isinstance(row.schema.get(key), (int, float)))
        key, found = next(bounds, None), form.search(row.description)
        if key is None or found is None:
            continue
        said = next(filter(None, found.groups()))
        if _number(said) != row.schema[key]:
            yield key, said


_OPTIONAL = expression(
    r"^\W*optional\b|\(optional\)|\[optional\]|\b(?:may|can) be (?:omitted|left out)\b",
    re.IGNORECASE,
)
_REQUIRED = expression(
    r"^\W*(?:required|mandatory)\s*(?:[.:,;)\]]|$)|[(\[](?:required|mandatory)[)\]]|^\W*mandatory\b"
    r"|\b(?:this|the) (?:parameter|field|argument|value) is (?:required|mandatory)\b"
    r"|\b(?:it|this) must (?:always )?be (?:given|provided|specified)\b",
    re.IGNORECASE,
)
_DEPENDS = expression(r"\b(?:if|when|unless|only|for|with|depend\w*)\b", re.IGNORECASE)
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


_LEAD = (
    r"\b(?:one of|either|(?:allowed|valid|possible|supported|accepted"
    r"|permitted)(?: values?| options?)?(?: are)?"
    r"|(?:values|options|choices)(?: are)?|(?:can|must"
    r"|may) be(?: one of)?)(?: the following)?\s*:?\s*[\[({]?\s*"
)
_BETWEEN = r"\s*(?:,|\||/|,?\s*\bor\b|,?\s*\band\b)\s*"
_QUOTED = r"(?:`[\w.-]+`|'[\w.-]+'|\"[\w.-]+\")"
_WORD = r"(?:`[\w-]+`|'[\w-]+'|\"[\w-]+\")"
_PLAIN = r"[a-z][\w-]*"
_CHOICES = expression(
    rf"{_LEAD}(?P<quoted>{_QUOTED}(?:{_BETWEEN}{_QUOTED})+)"
    rf"|(?:^|[:(]\s*)(?P<bare>{_WORD}(?:{_BETWEEN}{_WORD})+)\s*(?:[).;]|$)"
    rf"|\b(?:one of|(?:allowed|valid|possible|supported|accepted)(?: values)?)\s*:?\s*[\[(]?"
    rf"(?P<words>{_PLAIN}(?:\s*(?:,|\|)\s*(?:or\s+)?{_PLAIN})+(?:,?\s+or\s+{_PLAIN})?)\s*(?:[\]).;]|$)"
    rf"|[(:]\s*(?P<barred>{_PLAIN}(?:\s?\|\s?{_PLAIN})+)\s*(?:[).;]|$)"
    rf"|\bmust be (?P<joined>{_PLAIN}(?:,\s+{_PLAIN})+,?\s+or\s+{_PLAIN})\s*(?:[.;]|$)",
    re.IGNORECASE,
)
"""Values that a description lists: quoted ones, or plain words behind what says that they are all."""


_OPEN = expression(
    r"\betc\b|\binclud|\.\.\.|\bcomma|\bseparated\b|\blist of\b|\bor any\b|\bappend", re.IGNORECASE
)
"""What makes a list of values one that has others besides, or a text hold several of them."""

_SHOWN = expression(
    r"\b(?:examples?|e\.g\.?|such as)\W*$|\b(?:if|when) (?:not set|omitted|unset|empty)\b[^.]*$",
    re.IGNORECASE,
)
"""What stands before values that are examples, or that are tried where none is given."""
_CHOOSING = frozenset({"enum", "const", "pattern", "examples"})
_FREE = frozenset({"title", "name", "query", "description", "text"})
"""Names of what a person words: values in its description are of something else."""


def find_listed_values(subject: Subject) -> Iterator[Found]:
    names = {row.name for row in subject.inputs}
    for row in subject.values:
        if row.types != ("string",) or row.name in _FREE or not _CHOOSING.isdisjoint(row.schema):
            continue
        listed = _listed(row.description)
        if listed and not names.intersection(re.findall(r"[\w.-]+", listed)):
            yield Found(
                (*row.pointer, "description"),
                f'the values of "{row.name}" stand in its description only: {listed[:60]}',
                "give it an `enum`: then a wrong value is refused, and told",
            )


def _listed(text: str) -> str:
    """The values that a text lists as all that there are, as they stand there; empty where none do."""
    found = _CHOICES.search(text)
    if found is None or _OPEN.search(text) or _SHOWN.search(text[: found.start()]):
        return ""
    return str(next(filter(None, found.groups())))


def listed_values(text: str) -> tuple[str, ...]:
    """The same, one by one."""
    return tuple(
        word for word in re.findall(r"[\w.-]+", _listed(text)) if word not in ("or", "and")
    )


_OPENING = 80
"""Characters of a description in which it says what it does."""


def find_no_leading_verb(subject: Subject) -> Iterator[Found]:
    text = subject.description.strip()[:_OPENING]
    words = re.findall(r"[A-Za-z]+", text) if text[:1].isascii() else []
    if words and words[0].lower().endswith("ly") and not _is_verb(words[0].lower()):
        words = words[1:] or words
    if words and not _is_verb(words[0].lower()):
        yield Found(
            ("description",),
            f'the description of "{subject.name}" begins with "{words[0]}", not with a verb',
            'say first what it does: "Find …", "Create …"',
        )


def _is_verb(word: str) -> bool:
    """Whether a word is a verb that rules know, or its third person."""
    return not ALL_VERBS.isdisjoint(
        (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y")
    )


_URL = (
    r"(?i)\b(?:https?|ftp)://|\bwww\.\w|\b[a-z][\w-]*(?:\.[a-z][\w-]*)*\.(?:com|org|net|io|dev)/\w"
)
_SEE_URL = (
    r"(?i)(?:\b(?:see|refer to|read|visit|consult|docs?|documentation"
    r"|details|information|more)\b[^.\n]{0,60}|\]\()"
    r"(?:https?://|www\.\w)"
)
"""One that is to be read; another may show what belongs into a parameter."""


def find_url(subject: Subject) -> Iterator[Found]:
    for pointer, text in subject.texts:
        form = _URL if len(pointer) == 1 or pointer[-1] == "title" else _SEE_URL
        if re.search(form, text):
            yield Found(
                pointer,
                f"the {pointer[-1]} has a URL",
                "a model cannot be sure to reach it; say what stands there",
            )


_DEPRECATED = expression(r"\W*deprecated\b")
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
        found = placeholder_in(text, pointer[-1] == "title")
        if found:
            yield Found(pointer, f'"{found}" stands where a description is due', "write it")


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
    Rule(
        "D214",
        "parameter-repeats-name",
        Kind.DESIGN,
        Severity.NOTE,
        "a parameter's description only repeats its name",
        "It costs tokens, and a model still has to guess which of them and in which form.",
        wrong=_RIGHT + _AMOUNT.format('"int"', "The amount"),
        right=_RIGHT + _AMOUNT.format('"int"', "Cents to pay, taxes included"),
        look=find_repeated_parameter,
        set=Set.CHECKLIST,
    ),
    Rule(
        "D215",
        "described-with-other-bounds",
        Kind.DESIGN,
        Severity.WARNING,
        "a description that contradicts the bounds",
        "A model keeps to the words, and is refused, or asks for less than it could have.",
        wrong=_RIGHT + _AMOUNT.format('"int"\nmaximum = 50', "How many, at most 100"),
        right=_RIGHT + _AMOUNT.format('"int"\nmaximum = 50', "How many, at most 50"),
        look=find_other_bounds,
    ),
    Rule(
        "D216",
        "lengthy-description",
        Kind.DESIGN,
        Severity.NOTE,
        f"a description of more than {LENGTHY:,} characters",
        "OpenAI's API takes no more, and what a model is to heed stands better at the parameters.",
        wrong=f'description = "Find notes that contain a word{", or another" * 90}"\n',
        right=_RIGHT,
        look=find_lengthy,
        set=Set.CHECKLIST,
    ),
)
