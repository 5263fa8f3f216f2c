"""Rules on what a tool takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from toolc.lint.lazy import expression
from toolc.lint.rule import Found, Kind, Rule, Set
from toolc.lint.subject import Property, Subject, words_of_name
from toolc.lint.words import READING, SECRET_ENDINGS, SECRET_PARAMETERS, VAGUE_PARAMETERS
from toolc.model.diagnostic import Severity
from toolc.model.document import JsonObject, JsonValue
from toolc.model.fix import Fix, Put, Remove, Step

MOST_PARAMETERS = 20
_LISTED = 5
"""Names of parameters that one message lists."""


def find_undescribed(subject: Subject) -> Iterator[Found]:
    """One finding a tool, at its first such parameter."""
    rows = [
        row for row in silent(subject.parameters, subject) if not is_explained(row.name, subject)
    ]
    if rows:
        yield Found(
            rows[0].pointer,
            said_of(rows, "has no description", "have no description"),
            "say what belongs there, in which form, with an example",
            key=True,
        )


def silent(rows: Iterable[Property], subject: Subject) -> list[Property]:
    """Those of some properties that need a description and have none."""
    return [
        row
        for row in rows
        if not is_described(row.schema, subject, row.pointer[0]) and not _is_plain(row)
    ]


def said_of(rows: Iterable[Property], one: str, several: str) -> str:
    """A message on some properties: their names, each once, and what is said of one or of several."""
    names = [f'"{name}"' for name in dict.fromkeys(row.name for row in rows)]
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{', '.join(names[:_LISTED])}{more} {one if len(names) == 1 else several}"


def _is_plain(row: Property) -> bool:
    """Whether nothing need be said: it counts answers or pages, it can only be empty, or its title has
    words that its name does not have."""
    schema, title = row.schema, row.schema.get("title")
    if schema.get("properties") == {} and schema.get("additionalProperties") is False:
        return True
    if "string" not in row.types and _PAGES.fullmatch(row.name):
        return True
    return isinstance(title, str) and not set(words_of_name(title)) <= set(words_of_name(row.name))


_PAGES = expression(
    r"page|per_?page|page_?(?:number|size)|limit|offset|max_?results", re.IGNORECASE
)


_VARIANTS = ("anyOf", "oneOf", "allOf")


def is_described(
    schema: JsonObject, subject: Subject, side: str | int = "inputSchema", depth: int = 0
) -> bool:
    """Whether a schema says what belongs there: itself, what it refers to, one of its variants,
    its items, or each of its properties."""
    said = schema.get("description")
    if isinstance(said, str) and said.strip():
        return True
    if depth > _DEEPEST:
        return False
    inner = [row for key in _VARIANTS for row in _list(schema.get(key))]
    inner.append(schema.get("items"))
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        inner.append(_at(subject.wire.get(str(side)), reference[2:].split("/")))
    if any(isinstance(row, dict) and is_described(row, subject, side, depth + 1) for row in inner):
        return True
    table = schema.get("properties")
    return (
        isinstance(table, dict)
        and bool(table)
        and all(
            isinstance(row, dict) and is_described(row, subject, side, depth + 1)
            for row in table.values()
        )
    )


_DEEPEST = 8


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _at(value: JsonValue, way: list[str]) -> JsonValue:
    for part in way:
        value = value.get(part) if isinstance(value, dict) else None
    return value


def is_explained(name: str, subject: Subject) -> bool:
    """Whether the tool's own description speaks of a parameter: in a line of its own, before a colon,
    as code, or by the words of its name, where these are no words that any sentence has."""
    if name.casefold() in subject.description.casefold():
        quoted = re.escape(name)
        if any(re.search(form.format(quoted), subject.description) for form in _EXPLAINED):
            return True
    words = words_of_name(name)
    if len("".join(words)) < _SHORTEST or _EVERYWHERE.issuperset(words):
        return False
    said, sought = f" {subject.words} ", " ".join(words)
    return f" {sought} " in said or f" {sought}s " in said


_EXPLAINED = (
    r"(?m)^[ \t>*•`\-]*{}[`*]*[ \t]*(?:\([^)\n]*\)|\[[^]\n]*\])?[`*]*[ \t]*[:=–—-]",
    r"(?i)(?<!\w){}[`*]*(?: ?[:=]|\()",
    r"[`'\"]{}[`'\"]",
)
_SHORTEST = 3
_EVERYWHERE = frozenset({"all", "and", "any", "for", "from", "into", "not", "the", "this", "with"})


def find_vague(subject: Subject) -> Iterator[Found]:
    names = {row.name.lower() for row in subject.parameters}
    letters = [name for name in names if len(name) == 1]
    for row in subject.parameters:
        name = row.name.lower().rstrip("0123456789").rstrip("_-") or row.name
        is_letter = len(name) == 1 and name.isalpha() and name not in _KNOWN_LETTERS
        if is_letter and len(letters) > 1:
            continue  # coordinates, or the two sides of a sum
        if name in _VALUES and not _KEYS.isdisjoint(names):
            continue
        if name in VAGUE_PARAMETERS or is_letter:
            yield Found(
                row.pointer,
                f'the parameter "{row.name}" could hold anything',
                "name what it holds; the old name can stay as one of its `aliases`",
                key=True,
            )


_KNOWN_LETTERS = frozenset("knqv")
"""How many, how many, what is looked for, and how much is told."""
_VALUES = frozenset({"val", "value", "var"})
_KEYS = frozenset(
    {"key", "name", "field", "property", "attribute", "path", "column", "id", "selector"}
)
"""Beside one of these, `value` says what it is."""


_NAMED = expression(
    r"^(?:the\s+)?(?:\w+\s+)?(?:name|id|identifier|arn|uri|reference)s?\b", re.IGNORECASE
)
"""How a description begins of a parameter that names a secret and does not hold it."""


def find_secret(subject: Subject) -> Iterator[Found]:
    for row in subject.inputs:
        name = "".join(words_of_name(row.name))
        is_named = name in SECRET_PARAMETERS or name.endswith(SECRET_ENDINGS)
        is_said = row.schema.get("format") == "password" or _SECRET_SAID.search(row.description)
        is_token = name in _TOKENS and _SIGNING_IN.search(row.description) is not None
        if not (is_named or is_said or is_token) or _NAMED.search(row.description):
            continue
        if not row.types or "string" in row.types:
            yield Found(
                row.pointer,
                f'the parameter "{row.name}" asks a model for a secret',
                "have the server know it: a setting, the environment, the caller's token",
                key=True,
            )


_TOKENS = frozenset(
    {"token", "auth", "authorization", "pass", "pin", "otp", "cookie", "cookies", "key"}
)
_SIGNING_IN = expression(
    r"\b(?:authenticat\w+|sign(?:ing|ed|s)? in|log(?:ging|s)? ?in|API (?:key"
    r"|token)|access token|bearer|password)\b",
    re.IGNORECASE,
)
"""What a name that can mean several things holds, as its description says."""

_SECRET_SAID = expression(
    r"^(?:the |your |an? |my )?(?:\w+ )?(?:API key|(?:access|auth|bearer|API) token|password|passphrase"
    r"|secret key|private key|client secret)(?: (?:of|for) (?:the|your) \w+"
    r"| to (?:use|sign in with))?\s*[.,;(]?\s*$",
    re.IGNORECASE,
)
"""A description that says nothing else."""


_JSON_TEXT = expression(
    r"\bJSON[- ](?:string|encoded|formatted|stringified|serialized)\b|\bstringified JSON\b"
    r"|\b(?:as|a) (?:a )?JSON (?:string|text)\b|\bserialized (?:as )?JSON\b"
    r"|^(?:an?\s+|the\s+|valid\s+)?JSON(?: (?:object|array|list|map|dictionary)\b|\.?$)"
    r"|\bin JSON format\b|\bas JSON\b",
    re.IGNORECASE,
)


_OR_JSON = expression(
    r"\b(?:or|raw)\s+(?:an?\s+)?JSON\b|\bJSON\s+or\b|\b(?:is|be|gets) serialized\b", re.IGNORECASE
)
"""JSON is one of several forms here, or what becomes of the text."""


def find_json_text(subject: Subject) -> Iterator[Found]:
    for row in subject.inputs:
        if row.types != ("string",) or _OR_JSON.search(row.description):
            continue
        is_media = row.schema.get("contentMediaType") == "application/json"
        is_named = row.name.lower().endswith("_json") and "json" not in subject.name_words
        if is_media or is_named or _JSON_TEXT.search(row.description):
            yield Found(
                (*row.pointer, "type"),
                f'"{row.name}" is JSON in a string',
                "say its shape: `object` with `properties`, or `array:…`",
            )


def find_too_many(subject: Subject) -> Iterator[Found]:
    number = len(subject.parameters)
    if number > MOST_PARAMETERS:
        yield Found(
            subject.parameters[MOST_PARAMETERS].pointer,
            f"the tool has {number} parameters",
            "split the tool, or group what belongs together in an object",
            key=True,
        )


def find_unknown_required(subject: Subject) -> Iterator[Found]:
    for pointer, schema in (*subject.input_schemas, *subject.output_schemas):
        required = schema.get("required")
        if not isinstance(required, list) or not required or not _SHAPES.isdisjoint(schema):
            continue
        table = schema.get("properties")
        # What stands inside a combination speaks of the properties around it.
        if len(pointer) > 1 and (
            not isinstance(table, dict) or not _VARIANTS_IN.isdisjoint(pointer)
        ):
            continue
        known = table if isinstance(table, dict) else {}
        others = schema.get("additionalProperties")
        if len(pointer) > 1 and (others is True or isinstance(others, dict)):
            continue
        what = "parameter" if pointer == ("inputSchema",) else "property"
        for at, name in enumerate(required):
            if isinstance(name, str) and name not in known:
                place = (*pointer, "required", at)
                yield Found(
                    place,
                    f'"{name}" is required, but is no {what}',
                    "declare it, or take it out of `required`",
                    fix=Fix(f'require "{name}" no more', (Remove(place),)),
                )


_SHAPES = frozenset({"anyOf", "oneOf", "allOf", "$ref", "patternProperties"})
_VARIANTS_IN = frozenset(
    {"anyOf", "oneOf", "allOf", "if", "then", "else", "not", "dependentSchemas"}
)


def find_boolean_text(subject: Subject) -> Iterator[Found]:
    for row in subject.values:
        if "string" not in row.types and _CHOOSING.isdisjoint(row.schema):
            continue
        place, values = _choices(row)
        if values is None:
            place, values = "description", _said_choices(row)
        meanings = {_MEANINGS.get(str(one).strip().lower()) for one in values}
        kind = "number" if _is_switch(row) else "text"
        if (len(meanings) == 2 and None not in meanings) or kind == "number":
            yield Found(
                (*row.pointer, place),
                f'"{row.name}" is a boolean written as a {kind}',
                "make it a boolean",
                fix=_as_boolean(row) if place == "enum" else None,
            )


_CHOOSING = frozenset({"enum", "oneOf", "anyOf"})


def _is_switch(row: Property) -> bool:
    """Whether a number can be 0 and 1, and says whether something is to be."""
    values = row.schema.get("enum")
    return (
        isinstance(values, list)
        and not any(isinstance(one, bool) for one in values)
        and sorted(map(str, values)) == ["0", "1"]
        and re.match(r"whether\b|if (?:set|true)\b|flag\b", row.description, re.IGNORECASE)
        is not None
    )


def _choices(row: Property) -> tuple[str, list[JsonValue] | None]:
    """The texts that an `enum`, `oneOf` or `anyOf` of constants leaves, and the keyword that does;
    None where nothing says what they are."""
    values = row.schema.get("enum")
    if isinstance(values, list):
        return "enum", values if all(isinstance(one, str) for one in values) else []
    for key in ("oneOf", "anyOf"):
        rows = row.schema.get(key)
        if isinstance(rows, list) and rows:
            said = [one.get("const") if isinstance(one, dict) else None for one in rows]
            return key, said if all(isinstance(one, str) for one in said) else []
    return "enum", None


_TRUE_OR_FALSE = expression(
    r"(?:^|[:(]\s*)[`'\"](true|false|yes|no)[`'\"]\s*(?:,|/|\||or)\s*[`'\"](true|false|yes|no)[`'\"]\s*(?:[).;]|$)",
    re.IGNORECASE,
)
_TRUE_OR_FALSE_PATTERN = expression(r"\^?[(]?(?:\?:)?(true|yes)\|(false|no)[)]?\$?", re.IGNORECASE)


def _said_choices(row: Property) -> list[JsonValue]:
    """The same of a pattern or a description of a text."""
    if row.types != ("string",):
        return []
    pattern = row.schema.get("pattern")
    found = (
        _TRUE_OR_FALSE_PATTERN.fullmatch(pattern)
        if isinstance(pattern, str)
        else _TRUE_OR_FALSE.search(row.description)
    )
    return [] if found is None else [*found.groups()]


_MEANINGS: Mapping[str, bool] = {
    "true": True,
    "yes": True,
    "on": True,
    "y": True,
    "t": True,
    "1": True,
    "ja": True,
    "oui": True,
    "si": True,
    "sí": True,
    "false": False,
    "no": False,
    "off": False,
    "n": False,
    "f": False,
    "0": False,
    "nein": False,
    "non": False,
}


_PLAIN_KEYS = frozenset({"type", "enum", "default", "title", "description", "deprecated"})


def _as_boolean(row: Property) -> Fix | None:
    """A boolean in the place of a text; None where more than that says what the text may be."""
    if row.types != ("string",) or not _PLAIN_KEYS.issuperset(row.schema):
        return None
    steps: list[Step] = [Put((*row.pointer, "type"), "boolean"), Remove((*row.pointer, "enum"))]
    if "default" in row.schema:
        meaning = _MEANINGS.get(str(row.schema["default"]).lower())
        if meaning is None:
            return None
        steps.append(Put((*row.pointer, "default"), meaning))
    return Fix(f'make "{row.name}" a boolean', tuple(steps))


def find_shapeless(subject: Subject) -> Iterator[Found]:
    for row in subject.values:
        if (
            "object" in row.types
            and set(row.types) <= {"object", "null"}
            and _is_shapeless(row.schema)
        ):
            yield Found(
                row.pointer,
                f'nothing says what is in the object "{row.name}"',
                "give it `properties`, or say `map:string` where any key will do",
                key=True,
            )
            continue
        variants = row.schema.get("anyOf")
        for one in variants if isinstance(variants, list) else ():
            if isinstance(one, dict) and one.get("type") == "object" and _is_shapeless(one):
                yield Found(
                    row.pointer,
                    f'nothing says what is in the object "{row.name}"',
                    "give it `properties`, or say `map:string` where any key will do",
                    key=True,
                )
                break


def _is_shapeless(schema: JsonObject) -> bool:
    return not any(schema.get(key) for key in ("properties", *_SHAPES)) and (
        "additionalProperties" not in schema
    )


def find_open(subject: Subject) -> Iterator[Found]:
    schema = subject.wire.get("inputSchema")
    if not isinstance(schema, dict) or not _SHAPES.isdisjoint(schema):
        return
    said = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
    if said is None:
        yield Found(
            ("inputSchema",),
            "a misspelt argument would be taken in silence",
            '`"additionalProperties": false` has it refused',
            fix=Fix(
                "refuse arguments that are not named",
                (Put(("inputSchema", "additionalProperties"), False, beside="type"),),
            ),
        )
    elif said is True or said == {}:
        key = (
            "additionalProperties" if "additionalProperties" in schema else "unevaluatedProperties"
        )
        yield Found(
            ("inputSchema", key),
            "a misspelt argument is taken in silence",
            "false has it refused; name what else can be given",
        )


_PATHS = (
    r"(?:^|_)(?:path|paths|file|files|file_?path|file_?name|filename|dir|directory|folder|cwd|file_location)$"
    r"|^(?:dest|destination_file|root)$"
)
_URLS = (
    r"(?:^|_)(?:url|urls|uri|uris|endpoint|web_?hook|href|link|host|hostname|domain|website|proxy)$"
)
_COMMANDS = (
    r"(?:^|_)(?:command|command_line|cmd|shell|bash|script|code|javascript|js|python|sql|sql_query|query_sql"
    r"|statement|eval|where_clause|program|exec)$"
)
_SAID = (
    (
        "path",
        r"(?i)^(?:the )?(?:absolute |relative |full |local )?(?:file ?)?path\b(?! parameter)",
    ),
    ("URL", r"(?i)^(?:the )?(?:full |target |webhook )?URL\b"),
    (
        "command",
        (
            r"(?i)^(?:the )?(?:raw )?(?:(?:shell|bash|terminal) command|SQL (?:query|statement|code)\b"
            r"|(?:shell|python) (?:script|code)\b)"
        ),
    ),
)
"""How a description begins of what the name does not give away."""
_BOUNDS = ("pattern", "enum", "const")
_FORMS = ("uuid", "date", "date-time", "email", "hostname", "ipv4", "ipv6")


def find_unbounded(subject: Subject) -> Iterator[Found]:
    for row in subject.inputs:
        kind = _reach(row)
        if not kind:
            continue
        items = row.schema.get("items")
        schema = items if isinstance(items, dict) and "array" in row.types else row.schema
        types = schema.get("type")
        if "string" not in (types if isinstance(types, list) else [types]):
            continue
        if not any(key in schema for key in _BOUNDS) and schema.get("format") not in _FORMS:
            yield Found(
                row.pointer,
                f'any {kind} can be given as "{row.name}"',
                "say which are allowed: a `pattern`, an `enum`; and check it in the handler",
                key=True,
            )


def _reach(row: Property) -> str:
    """What a text is that can reach beyond the server, by its name or its description; empty for
    others."""
    name = "_".join(words_of_name(row.name))
    for kind, form in (("path", _PATHS), ("URL", _URLS), ("command", _COMMANDS)):
        if re.search(form, name):
            return kind
    return next((kind for kind, form in _SAID if re.search(form, row.description)), "")


_LISTING = frozenset({"list", "search", "find", "query"})
_PAGING = expression(
    r"limit|cursor|page|offset|max|count|top|first|last|size|start|skip|take|per_?page|after|before"
    r"|token|next|number|num|n$|k$"
)


def find_no_paging(subject: Subject) -> Iterator[Found]:
    words = subject.name_words
    is_search = bool(words) and words[0] == "search"
    is_list = bool(_LISTING.intersection(words[:2])) and words[-1].endswith("s")
    is_all = words[1:2] == ["all"] and words[0] in READING
    if not (is_search or is_list or is_all):
        return
    if any(_PAGING.search(row.name.lower()) for row in subject.inputs):
        return
    yield Found(
        ("name",),
        f'"{subject.name}" has no way to answer in part',
        "take a `limit` with a maximum, and a `cursor`: an answer of everything fills a context",
    )


_DESCRIBED = 'description = "Find notes that contain a word"\n'


def _parameter(lines: str, described: str = "What is looked for") -> str:
    return f'{_DESCRIBED}\n[[parameters]]\n{lines}description = "{described}"\n'


RULES = (
    Rule(
        "D301",
        "undescribed-parameter",
        Kind.DESIGN,
        Severity.WARNING,
        "a parameter is described nowhere, in the tool's own description neither",
        "A model fills it in by its name alone: which id, which unit, which format?",
        wrong=_DESCRIBED + '\n[[parameters]]\nname = "folder"\ntype = "string"\n',
        right=_parameter('name = "word"\ntype = "string"\n'),
        look=find_undescribed,
    ),
    Rule(
        "D302",
        "vague-parameter",
        Kind.DESIGN,
        Severity.WARNING,
        "a parameter whose name says nothing",
        "`data` or `input` leaves a model to guess what belongs there.",
        wrong=_parameter('name = "data"\ntype = "string"\n')
        + '\n[[parameters]]\nname = "limit"\ntype = "int"\ndescription = "How many"\n',
        right=_parameter('name = "word"\ntype = "string"\n'),
        look=find_vague,
        set=Set.CHECKLIST,
    ),
    Rule(
        "D303",
        "secret-parameter",
        Kind.DESIGN,
        Severity.WARNING,
        "a parameter for a secret",
        "What a model passes on stands in its context, in the client's log and in the provider's.",
        wrong=_parameter('name = "api_key"\ntype = "string"\n', "The key"),
        right=_parameter('name = "account"\ntype = "string"\n', "Whose notes"),
        look=find_secret,
    ),
    Rule(
        "D304",
        "json-in-a-string",
        Kind.DESIGN,
        Severity.WARNING,
        "JSON in a string",
        "A model has to escape it, gets it wrong, and the schema checks none of it.",
        wrong=_parameter('name = "filter"\ntype = "string"\n', "A JSON string of conditions"),
        right=_parameter('name = "filter"\ntype = "map:string"\n', "Conditions by field"),
        look=find_json_text,
    ),
    Rule(
        "D305",
        "too-many-parameters",
        Kind.DESIGN,
        Severity.WARNING,
        f"more than {MOST_PARAMETERS} parameters",
        "The more there are, the more are left out or mixed up; all of them cost tokens.",
        wrong=_DESCRIBED
        + "".join(
            f'\n[[parameters]]\nname = "field_{number}"\ntype = "string"\n'
            f'description = "Field {number}"\n'
            for number in range(MOST_PARAMETERS + 1)
        ),
        right=_parameter('name = "word"\ntype = "string"\n'),
        look=find_too_many,
    ),
    Rule(
        "D307",
        "unknown-required",
        Kind.DESIGN,
        Severity.WARNING,
        "a required name that is no parameter",
        "As it stands, no call can be made that a reader of the schema would think of.",
        wrong=_DESCRIBED
        + '\n[inputSchema]\ntype = "object"\nrequired = ["nope"]\nproperties.word.type = "string"\n',
        right=_DESCRIBED
        + '\n[inputSchema]\ntype = "object"\nrequired = ["word"]\nproperties.word.type = "string"\n',
        look=find_unknown_required,
    ),
    Rule(
        "D308",
        "boolean-text",
        Kind.DESIGN,
        Severity.WARNING,
        "a boolean written as a text",
        'A model gives `true`, and the call is refused for not being `"true"`.',
        wrong=_parameter('name = "whole"\ntype = "string"\nenum = ["true", "false"]\n'),
        right=_parameter('name = "whole"\ntype = "bool"\n'),
        look=find_boolean_text,
    ),
    Rule(
        "D309",
        "shapeless-object",
        Kind.DESIGN,
        Severity.NOTE,
        "an object of which nothing is said",
        "A model has to guess its keys, and nothing checks what it guessed.",
        wrong=_DESCRIBED
        + '\n[inputSchema]\ntype = "object"\n[inputSchema.properties.options]\ntype = "object"\n'
        'description = "What to look at"\n',
        right=_parameter('name = "options"\ntype = "map:string"\n'),
        look=find_shapeless,
        set=Set.CHECKLIST,
    ),
    Rule(
        "D310",
        "open-input",
        Kind.DESIGN,
        Severity.NOTE,
        "further arguments are taken in silence",
        "A misspelt argument is lost, and the call does something else than was meant.",
        wrong=_DESCRIBED + '\n[inputSchema]\ntype = "object"\nproperties.word.type = "string"\n',
        right=_parameter('name = "word"\ntype = "string"\n'),
        look=find_open,
        set=Set.CHECKLIST,
    ),
    Rule(
        "D311",
        "unbounded-parameter",
        Kind.DESIGN,
        Severity.NOTE,
        "a path, URL or command without bounds",
        "Whoever can talk to the model can name any file, host or program.",
        wrong=_parameter('name = "file_path"\ntype = "string"\n', "The file to read"),
        right=_parameter(
            'name = "file_path"\ntype = "string"\npattern = "^notes/[a-z]+$"\n', "The file to read"
        ),
        look=find_unbounded,
        set=Set.CHECKLIST,
    ),
    Rule(
        "D312",
        "no-paging",
        Kind.DESIGN,
        Severity.NOTE,
        "a list that cannot be asked for in part",
        "The day it is long, one answer fills the context.",
        wrong='name = "list_notes"\ndescription = "List all notes"\n',
        right='name = "list_notes"\n'
        + _parameter('name = "limit"\ntype = "int"\nmaximum = 50\n', "How many at most"),
        look=find_no_paging,
        set=Set.CHECKLIST,
    ),
)
