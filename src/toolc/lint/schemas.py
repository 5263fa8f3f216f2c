"""Rules on schemas that say too little, or what cannot be meant, whatever they are about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from toolc.lint.descriptions import a_type
from toolc.lint.names import style_of
from toolc.lint.parameters import is_explained, said_of, silent
from toolc.lint.rule import Found, Kind, Rule, Set
from toolc.lint.subject import Property, Subject
from toolc.model.diagnostic import Severity
from toolc.model.document import JsonObject, JsonValue
from toolc_runtime.formats import ASSERTED
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeGuard

DEEPEST = 4
"""How deep the parts of a parameter may lie, itself included."""


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


_BOUNDS = (
    ("minimum", "maximum"),
    ("exclusiveMinimum", "maximum"),
    ("minimum", "exclusiveMaximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)


_NARROWING = frozenset({"enum", *(keyword for pair in _BOUNDS for keyword in pair)})


def find_impossible(subject: Subject) -> Iterator[Found]:
    for row in subject.values:
        if _NARROWING.isdisjoint(row.schema):
            continue
        for low, high in _crossed_bounds(row.schema):
            yield Found(
                (*row.pointer, high),
                f'no value fits "{row.name}": `{low}` is {row.schema[low]}, and `{high}` is '
                f"{row.schema[high]}",
                f"raise `{high}` or lower `{low}`",
            )
        values = row.schema.get("enum")
        if isinstance(values, list) and not any(_fits(value, row) for value in values):
            why = "its `enum` is empty" if not values else "none of its values has its type"
            yield Found(
                (*row.pointer, "enum"),
                f'no value fits "{row.name}": {why}',
                "give it values of its type",
            )


def _crossed_bounds(schema: JsonObject) -> Iterator[tuple[str, str]]:
    """The pairs of keywords between which there is no value."""
    for low, high in _BOUNDS:
        least, most = schema.get(low), schema.get(high)
        if _is_number(least) and _is_number(most):
            touches = low != "exclusiveMinimum" and high != "exclusiveMaximum"
            if least > most or (least == most and not touches):
                yield low, high


def _is_number(value: JsonValue) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
    "null": (type(None),),
}


def _fits(value: JsonValue, row: Property) -> bool:
    """Whether a value has one of the types of a schema, as far as these say any."""
    if not row.types or any(kind not in _KINDS for kind in row.types):
        return True
    for kind in row.types:
        if isinstance(value, bool):
            if kind == "boolean":
                return True
        elif isinstance(value, _KINDS[kind]) or (
            kind == "integer" and isinstance(value, float) and value.is_integer()
        ):
            return True
    return False


def find_odd_values(subject: Subject) -> Iterator[Found]:
    """Values of an enum that have another type or stand twice, and examples that do not fit: of each the
    first."""
    for row in subject.values:
        values, examples = row.schema.get("enum"), row.schema.get("examples")
        if isinstance(values, list):
            yield from _odd_in_enum(row, values)
        for at, value in enumerate(examples if isinstance(examples, list) else ()):
            if not _fits(value, row) or (isinstance(values, list) and value not in values):
                yield Found(
                    (*row.pointer, "examples", at),
                    f'the example {_shown(value)} is no value of "{row.name}"',
                    "a model writes what it is shown: give one that fits",
                )
                break


def _odd_in_enum(row: Property, values: list[JsonValue]) -> Iterator[Found]:
    """Of an enum in which no value fits D316 tells."""
    odd = [at for at, value in enumerate(values) if not _fits(value, row)]
    if len(odd) == len(values):
        return
    if odd:
        yield Found(
            (*row.pointer, "enum", odd[0]),
            f'"{row.name}" can never be {_shown(values[odd[0]])}: it is no {row.types[0]}',
            "take it out, or write it as the type asks",
        )
    first: dict[str, int] = {}
    for at, value in enumerate(values):
        if first.setdefault(repr(value), at) != at:
            yield Found(
                (*row.pointer, "enum", at),
                f'{_shown(value)} stands twice in the values of "{row.name}"',
                "take one of them out",
            )
            break


def _shown(value: JsonValue) -> str:
    import json

    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:39]}…"


_MEANT_FOR: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format"), frozenset({"string"})),
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        frozenset({"integer", "number"}),
    ),
    **dict.fromkeys(
        ("items", "prefixItems", "minItems", "maxItems", "uniqueItems"), frozenset({"array"})
    ),
    **dict.fromkeys(
        ("properties", "required", "additionalProperties", "minProperties", "maxProperties"),
        frozenset({"object"}),
    ),
}
_NUMBER_FORMATS = frozenset({"int32", "int64", "uint32", "uint64", "float", "double", "decimal"})
"""OpenAPI's, which say something to its readers."""
_IDLE = {"additionalProperties": False, "required": [], "properties": {}}
"""What generators write beside any type."""


def find_meaningless(subject: Subject) -> Iterator[Found]:
    for row in subject.values:
        if not row.types:
            continue
        for key, value in row.schema.items():
            kinds = _MEANT_FOR.get(key)
            if kinds is None or not kinds.isdisjoint(row.types):
                continue
            if value in (None, _IDLE.get(key)) or (key == "format" and _is_number_format(row)):
                continue
            yield Found(
                (*row.pointer, key),
                f'`{key}` means nothing on "{row.name}", which is {a_type(row.types[:1])}',
                f"it is for {' and '.join(f'{kind}s' for kind in sorted(kinds))}: one of the two is wrong",
                key=True,
            )
            break


def _is_number_format(row: Property) -> bool:
    return "string" not in row.types and str(row.schema["format"]).lower() in _NUMBER_FORMATS


_RESEMBLING = {
    "datetime": "date-time",
    "date_time": "date-time",
    "timestamp": "date-time",
    "iso8601": "date-time",
    "iso-8601": "date-time",
    "iso-date": "date",
    "url": "uri",
    "http-url": "uri",
    "https-url": "uri",
    "guid": "uuid",
    "uuid4": "uuid",
    "uuidv4": "uuid",
    "e-mail": "email",
    "mail": "email",
    "ip": "ipv4",
    "ip-address": "ipv4",
    "host": "hostname",
    "host-name": "hostname",
    "regexp": "regex",
}


def find_unknown_format(subject: Subject) -> Iterator[Found]:
    for row in subject.values:
        said = row.schema.get("format")
        if isinstance(said, str) and said not in ASSERTED and "string" in row.types:
            known = _RESEMBLING.get(said.lower())
            if known is not None:
                yield Found(
                    (*row.pointer, "format"),
                    f'the format "{said}" of "{row.name}" is not one of JSON Schema\'s',
                    f'write "{known}": nobody checks the other',
                )


# Expressions that only the checklist asks for are compiled when it does.
_FOREIGN = (
    (r"^/.+/[a-z]*$", "slashes around it, which are part of what it matches"),
    (r"(?<!\\)\(\?[aiLmsux]+\)", "a flag such as `(?i)`"),
    (r"\[\[:\w+:\]", "a POSIX class"),
    (r"(?<!\\)[*+?}]\+", "a possessive repetition"),
    (r"(?<!\\)\(\?P<", "a group named as Python does"),
    (r"(?<!\\)(?:\\\\)*\\[AZzhH]", "an anchor or class that JavaScript lacks"),
)


def find_foreign_pattern(subject: Subject) -> Iterator[Found]:
    for row in subject.values:
        pattern = row.schema.get("pattern")
        if not isinstance(pattern, str):
            continue
        for form, what in _FOREIGN:
            if re.search(form, pattern):
                yield Found(
                    (*row.pointer, "pattern"),
                    f'the pattern of "{row.name}" has {what}',
                    "JSON Schema's patterns are JavaScript's: clients read it otherwise, or not at all",
                )
                break


def find_deep(subject: Subject) -> Iterator[Found]:
    deepest = max(subject.inputs, key=lambda row: row.depth, default=None)
    if deepest is not None and deepest.depth > DEEPEST:
        yield Found(
            deepest.pointer,
            f'"{deepest.name}" lies {deepest.depth} levels deep',
            "take apart what a call gives: models lose their way in it, and some providers refuse it",
            key=True,
        )


def find_root_combinator(subject: Subject) -> Iterator[Found]:
    schema = subject.wire.get("inputSchema")
    for key in ("oneOf", "anyOf", "allOf", "not", "if"):
        if isinstance(schema, dict) and key in schema:
            yield Found(
                ("inputSchema", key),
                f"`{key}` stands at the root of the input schema",
                "most providers refuse it there: say it in the description, and check it in the handler",
                key=True,
            )


_STYLED = {"snake_case", "camelCase", "PascalCase", "kebab-case"}


def find_mixed_parameters(subject: Subject) -> Iterator[Found]:
    """One finding a tool, at the first parameter that is not as the others are."""
    styles = {row.name: style_of(row.name) for row in subject.parameters}
    counts = Counter(style for style in styles.values() if style in _STYLED)
    if len(counts) > 1:
        common = counts.most_common(1)[0][0]
        odd = next(row for row in subject.parameters if styles[row.name] not in ("", common))
        yield Found(
            odd.pointer,
            f'the parameter "{odd.name}" is {styles[odd.name]}, where others are {common}',
            "keep to one style; the old name can stay as one of its `aliases`",
            key=True,
        )
        return
    first: dict[str, str] = {}
    for row in subject.parameters:
        other = first.setdefault(re.sub(r"[_-]", "", row.name).casefold(), row.name)
        if other != row.name:
            yield Found(
                row.pointer,
                f'the parameters "{other}" and "{row.name}" have the same words',
                "a model takes one for the other; name the difference",
                key=True,
            )


_PLAIN_NAME = r"(?a)[A-Za-z_][\w.-]{0,63}"


def find_odd_parameter(subject: Subject) -> Iterator[Found]:
    for row in subject.parameters:
        if not re.fullmatch(_PLAIN_NAME, row.name):
            yield Found(
                row.pointer,
                f'the parameter "{row.name[:40]}" has a name that clients refuse',
                "letters, digits and underscores, a letter first, at most 64 of them",
                key=True,
            )


def find_unused_definition(subject: Subject) -> Iterator[Found]:
    for side in ("inputSchema", "outputSchema"):
        schema = subject.wire.get(side)
        for key in ("$defs", "definitions"):
            table = schema.get(key) if isinstance(schema, dict) else None
            if not isinstance(table, dict) or not table:
                continue
            used = _references(schema)
            for name, part in table.items():
                anchor = isinstance(part, dict) and ("$anchor" in part or "$id" in part)
                if name not in used and not anchor:
                    yield Found(
                        (side, key, name),
                        f'nothing refers to "{name}"',
                        "take it out: it stands in every request",
                        key=True,
                    )


def _references(value: JsonValue) -> set[str]:
    """The last parts of all references in a schema, and the parts before."""
    found: set[str] = set()
    rows: list[JsonValue] = [value]
    while rows:
        row = rows.pop()
        if isinstance(row, dict):
            said = row.get("$ref")
            if isinstance(said, str):
                found.update(part.replace("~1", "/").replace("~0", "~") for part in said.split("/"))
            rows.extend(row.values())
        elif isinstance(row, list):
            rows.extend(row)
    return found


def find_needed_default(subject: Subject) -> Iterator[Found]:
    """Deeper than M209 looks, which speaks of the tool's own parameters."""
    for row in subject.inputs:
        if row.is_required and row.depth > 1 and "default" in row.schema:
            yield Found(
                (*row.pointer, "default"),
                f'"{row.name}" is required, so its default is never used',
                "take one of the two away",
            )


_DATED = (
    r"(?i)\bISO[ -]?8601\b|\bRFC[ -]?3339\b|\bYYYY-MM-DD\b"
    r"|\b(?:date and time|timestamp|due date|date) in\b"
)
_DATE_NAMES = r"(?:^|_|[a-z](?=D))(?:[dD]ate|datetime)$"
_DATED_OTHERWISE = (
    r"(?i)\b(?:relative|unix|epoch|seconds|milliseconds|inequality|offsets? from|now-\d)\b"
)
"""What no `format` takes beside a date, or in its place."""
_FORMED = frozenset({"format", "pattern", "enum", "const"})


def find_unformatted_date(subject: Subject) -> Iterator[Found]:
    for row in subject.inputs:
        if row.types != ("string",) or not _FORMED.isdisjoint(row.schema):
            continue
        is_date = re.search(_DATED, row.description) or re.search(_DATE_NAMES, row.name)
        if is_date and not re.search(_DATED_OTHERWISE, row.description):
            yield Found(
                row.pointer,
                f'the date "{row.name}" has no `format`',
                "say `date`, or `date-time`: then one that is written otherwise is refused",
                key=True,
            )


_SAID_DEFAULT = (
    r"(?i)\b(?:defaults? (?:is|to)|default:|\(default)\s*"
    r"(?!(?:the|an?|all|current|each|from|just|no|only|this|your|[a-z]+ing)\s)\S"
)
"""A default that can be written down: `the current branch` cannot."""
_SAID_BOUND = (
    r"(?i)\b(?:between \d+ and \d+|from \d+ to \d+|\d+\s*(?:-|–|to)\s*\d+\b(?=\s*[).]|$)"
    r"|(?:at most|up to|maximum(?: of| is)?:?|max\.?:?|no more than) \d+"
    r"|(?:at least|minimum(?: of| is)?:?) \d+)"
)
_ANY_BOUND = frozenset(key for pair in _BOUNDS for key in pair) | {"enum", "const", "pattern"}


def find_said_only(subject: Subject) -> Iterator[Found]:
    for row in subject.inputs:
        if not row.types or "$ref" in row.schema:
            continue
        if "default" not in row.schema and not row.is_required:
            found = re.search(_SAID_DEFAULT, row.description)
            if found is not None:
                yield Found(
                    (*row.pointer, "description"),
                    f'the default of "{row.name}" stands in its description only',
                    "say `default` beside it: a server fills it in, and a client shows it",
                )
        if {"integer", "number"}.isdisjoint(row.types) or not _ANY_BOUND.isdisjoint(row.schema):
            continue
        found = re.search(_SAID_BOUND, row.description)
        if found is not None:
            yield Found(
                (*row.pointer, "description"),
                f'the bounds of "{row.name}" stand in its description only: {found[0]}',
                "say `minimum` and `maximum`: then a wrong number is refused, and told",
            )


_COUNTS = (
    r"(?i)^(?:limit|count|size|top_?k|take|per_?page|(?:page|batch)_?size|(?:max|num|maximum)_?(?:results|items"
    r"|rows|records|count|entries)|results?_?(?:limit|count|per_?page))$"
)


def find_boundless_limit(subject: Subject) -> Iterator[Found]:
    for row in subject.parameters:
        is_count = re.match(_COUNTS, row.name) and not {"integer", "number"}.isdisjoint(row.types)
        if is_count and {"maximum", "exclusiveMaximum", "enum", "const"}.isdisjoint(row.schema):
            yield Found(
                row.pointer,
                f'"{row.name}" has no maximum',
                "say `maximum`: a model that wants everything asks for a million",
                key=True,
            )


_FEWEST_NUMBERS = 2
_NUMERAL = r"-?[0-9]+"


def find_numbers_as_texts(subject: Subject) -> Iterator[Found]:
    for row in subject.values:
        values = row.schema.get("enum")
        if (
            isinstance(values, list)
            and len(values) >= _FEWEST_NUMBERS
            and all(isinstance(one, str) and re.fullmatch(_NUMERAL, one) for one in values)
            and sorted(map(str, values)) != ["0", "1"]
        ):
            yield Found(
                (*row.pointer, "enum"),
                f'the numbers of "{row.name}" are written as texts',
                "make it an integer, with its numbers in `enum`",
            )


_FOREIGN_KEYWORDS = {
    "nullable": "let its type be null as well",
    "optional": "leave it out of `required`",
    "mandatory": "name it in the `required` of the object around it",
    "example": "write a list, `examples`",
    "min": "write `minimum`, `minLength` or `minItems`",
    "max": "write `maximum`, `maxLength` or `maxItems`",
    "length": "write `minLength` and `maxLength`",
    **dict.fromkeys(("values", "choices", "options", "allowedValues"), "write `enum`"),
}
"""Keywords of other formats, and what to do in their place."""

_KEYWORDS = (
    *("description", "default", "examples", "required", "properties", "additionalProperties"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "pattern", "format"),
    *("items", "prefixItems", "minItems", "maxItems", "uniqueItems"),
)
_MISSPELT = {keyword.lower(): keyword for keyword in _KEYWORDS} | {
    "desc": "description",
    "discription": "description",
    "descripton": "description",
    "defaultvalue": "default",
    "defualt": "default",
    "requried": "required",
    "propertys": "properties",
    "additional_properties": "additionalProperties",
    "min_length": "minLength",
    "minlenght": "minLength",
    "max_length": "maxLength",
    "maxlenght": "maxLength",
    "patern": "pattern",
    "regex": "pattern",
    "item": "items",
}
"""Other spellings of keywords, in small letters, and the keywords."""


def find_foreign_keyword(subject: Subject) -> Iterator[Found]:
    for row in subject.values:
        for key in row.schema:
            mend, meant = _FOREIGN_KEYWORDS.get(key), _MISSPELT.get(key.lower(), key)
            if mend is not None or meant != key:
                yield Found(
                    (*row.pointer, key),
                    f'"{row.name}" has `{key}`, which is no keyword of JSON Schema',
                    f"validators pass over it: {mend or f'write `{meant}`'}",
                    key=True,
                )


_DESCRIBED = 'description = "Find notes that contain a word"\n'


def _raw(*lines: str, root: str = "") -> str:
    """A definition with an input schema of its own that has one parameter, `word`."""
    table = "".join(f"{line}\n" for line in lines)
    return (
        f'{_DESCRIBED}\n[inputSchema]\ntype = "object"\nadditionalProperties = false\n{root}'
        f"\n[inputSchema.properties.word]\n{table}"
    )


_WORD = 'description = "What is looked for"'


def _rule(
    code: str,
    name: str,
    title: str,
    why: str,
    wrong: str,
    right: str,
    look: Callable[[Subject], Iterator[Found]],
    of: Set = Set.CHECKLIST,
) -> Rule:
    severity = Severity.NOTE if of is Set.CHECKLIST else Severity.WARNING
    return Rule(code, name, Kind.DESIGN, severity, title, why, wrong, right, look=look, set=of)


RULES = (
    _rule(
        "D313",
        "no-own-description",
        "a parameter, or a part of one or of an answer, without a description of its own",
        "What the tool's description says of it is far from where a model fills it in, and some clients "
        "show the schema alone.",
        'description = "Find notes that contain a word"\n'
        '\n[[parameters]]\nname = "word"\ntype = "string"\n',
        _raw('type = "string"', _WORD),
        find_undescribed_parts,
    ),
    _rule(
        "D314",
        "untyped-parameter",
        "a parameter without a type",
        "A model guesses whether a number is meant or a text, and nothing checks it.",
        _raw(_WORD),
        _raw('type = "string"', _WORD),
        find_untyped,
    ),
    _rule(
        "D315",
        "untyped-items",
        "a list of which nothing says what is in it",
        "A model has to guess the form of the items, and several clients refuse the schema.",
        _raw('type = "array"', _WORD),
        _raw('type = "array"', 'items = { type = "string" }', _WORD),
        find_untyped_items,
    ),
    _rule(
        "D316",
        "impossible-value",
        "a schema that no value fits",
        "Every call with it is refused, whatever a model tries.",
        _raw('type = "integer"', "minimum = 10", "maximum = 1", _WORD),
        _raw('type = "integer"', "minimum = 1", "maximum = 10", _WORD),
        find_impossible,
        Set.DEFAULT,
    ),
    _rule(
        "D317",
        "odd-values",
        "an enum with values that cannot be, or an example that does not fit",
        "A model takes one of them, and is refused.",
        _raw('type = "string"', 'enum = ["small", 2]', _WORD),
        _raw('type = "string"', 'enum = ["small", "2"]', _WORD),
        find_odd_values,
        Set.DEFAULT,
    ),
    _rule(
        "D318",
        "meaningless-keyword",
        "a keyword that means nothing on its type",
        "What it was to forbid is allowed: `minimum` on a text checks nothing.",
        _raw('type = "string"', "minimum = 1", _WORD),
        _raw('type = "integer"', "minimum = 1", _WORD),
        find_meaningless,
        Set.DEFAULT,
    ),
    _rule(
        "D319",
        "unknown-format",
        "a format that nobody checks, and that means one which is checked",
        "Validators pass over formats that they do not know; some clients refuse them.",
        _raw('type = "string"', 'format = "datetime"', _WORD),
        _raw('type = "string"', 'format = "date-time"', _WORD),
        find_unknown_format,
        Set.DEFAULT,
    ),
    _rule(
        "D320",
        "foreign-pattern",
        "a pattern in another dialect than JavaScript's",
        "A client that checks calls before it sends them cannot compile it, or reads it otherwise than "
        "the server.",
        _raw('type = "string"', 'pattern = "(?i)^inv_[0-9]+$"', _WORD),
        _raw('type = "string"', 'pattern = "^[Ii][Nn][Vv]_[0-9]+$"', _WORD),
        find_foreign_pattern,
    ),
    _rule(
        "D321",
        "deep-input",
        f"an input of more than {DEEPEST} levels",
        "The deeper it lies the more often a model leaves it out, or closes a bracket too early.",
        _raw(
            'type = "object"',
            _WORD,
            "properties.a.properties.b.properties.c.properties.d = { "
            'type = "string", description = "The word" }',
        ),
        _raw('type = "string"', _WORD),
        find_deep,
    ),
    _rule(
        "D322",
        "root-combinator",
        "`oneOf`, `anyOf` or another keyword that combines, at the root of an input schema",
        "Claude's, OpenAI's and other APIs refuse it, with every other tool of the request.",
        _raw('type = "string"', _WORD, root='anyOf = [{ required = ["word"] }]\n'),
        _raw('type = "string"', _WORD),
        find_root_combinator,
    ),
    _rule(
        "D323",
        "mixed-parameter-styles",
        "parameters in several styles",
        "Models write the name that they expect from the others.",
        _DESCRIBED
        + "".join(
            f'\n[[parameters]]\nname = "{name}"\ntype = "string"\ndescription = "One of the parts"\n'
            for name in ("first_word", "lastWord")
        ),
        _raw('type = "string"', _WORD),
        find_mixed_parameters,
    ),
    _rule(
        "D324",
        "odd-parameter-name",
        "a parameter with a name that clients refuse",
        "A space or a sign in it has some providers refuse the request, with all other tools in it.",
        f'{_DESCRIBED}\n[[parameters]]\nname = "search word"\ntype = "string"\n{_WORD}\n',
        _raw('type = "string"', _WORD),
        find_odd_parameter,
    ),
    _rule(
        "D325",
        "unused-definition",
        "a definition that nothing refers to",
        "It stands in every request, and says nothing.",
        _raw('type = "string"', _WORD, root='"$defs".folder.type = "string"\n'),
        _raw('"$ref" = "#/$defs/word"', root='"$defs".word.type = "string"\n'),
        find_unused_definition,
    ),
    _rule(
        "D326",
        "needed-default",
        "a required part of a parameter with a default",
        "It has to be given always, so that the default is never used.",
        _raw(
            'type = "object"',
            _WORD,
            'required = ["most"]',
            'properties.most = { type = "integer", default = 3 }',
        ),
        _raw('type = "object"', _WORD, 'properties.most = { type = "integer", default = 3 }'),
        find_needed_default,
    ),
    _rule(
        "D327",
        "unformatted-date",
        "a date without a format",
        "03/04 is March or April; with `format` a wrong one is refused, and told.",
        _raw('type = "string"', 'description = "The day, as ISO 8601 has it"'),
        _raw('type = "string"', 'format = "date"', 'description = "The day"'),
        find_unformatted_date,
    ),
    _rule(
        "D328",
        "said-in-prose-only",
        "a default or bounds that only the description says",
        "Nothing fills it in, and nothing refuses what is out of bounds.",
        _raw('type = "integer"', 'description = "How many, between 1 and 50 (default: 20)"'),
        _raw(
            'type = "integer"',
            "minimum = 1",
            "maximum = 50",
            "default = 20",
            'description = "How many"',
        ),
        find_said_only,
    ),
    _rule(
        "D329",
        "limit-without-maximum",
        "a number of answers without a maximum",
        "One call can ask for more than a context holds.",
        f'{_DESCRIBED}\n[[parameters]]\nname = "limit"\ntype = "int"\ndescription = "How many"\n',
        f'{_DESCRIBED}\n[[parameters]]\nname = "limit"\ntype = "int"\nmaximum = 50\n'
        'description = "How many"\n',
        find_boundless_limit,
    ),
    _rule(
        "D330",
        "numbers-as-texts",
        "an enum of numbers that are written as texts",
        'A model gives 2, and the call is refused for not being "2".',
        _raw('type = "string"', 'enum = ["1", "2", "3"]', _WORD),
        _raw('type = "integer"', "enum = [1, 2, 3]", _WORD),
        find_numbers_as_texts,
    ),
    _rule(
        "D331",
        "foreign-keyword",
        "a keyword that JSON Schema does not have, or in another spelling",
        "Validators pass over what they do not know: nothing of it is checked, and no client reads it.",
        _raw('type = "string"', "nullable = true", _WORD),
        _raw('type = ["string", "null"]', _WORD),
        find_foreign_keyword,
    ),
)
