"""Rules on what a schema lets be given: values that cannot be, and keywords that check nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolc.check.equality import identity
from toolc.lint.descriptions import a_type
from toolc.lint.examples import WORD, schema_rule, with_word
from toolc.lint.lazy import expression
from toolc.lint.rule import Found, Set
from toolc.lint.subject import Property, Subject
from toolc.model.document import JsonObject, JsonValue
from toolc_runtime.formats import ASSERTED
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeGuard

_BOUNDS = (
    ("minimum", "maximum"),
    ("exclusiveMinimum", "maximum"),
    ("minimum", "exclusiveMaximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)


NARROWING = frozenset({"enum", *(keyword for pair in _BOUNDS for keyword in pair)})


def find_impossible(subject: Subject) -> Iterator[Found]:
    for row in subject.values:
        if NARROWING.isdisjoint(row.schema):
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
            if not _fits(value, row) or (
                isinstance(values, list) and identity(value) not in map(identity, values)
            ):
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
        if first.setdefault(identity(value), at) != at:
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


_FOREIGN = (
    (expression(r"^/.+/[a-z]*$"), "slashes around it, which are part of what it matches"),
    (expression(r"(?<!\\)\(\?[aiLmsux]+\)"), "a flag such as `(?i)`"),
    (expression(r"\[\[:\w+:\]"), "a POSIX class"),
    (expression(r"(?<!\\)[*+?}]\+"), "a possessive repetition"),
    (expression(r"(?<!\\)\(\?P<"), "a group named as Python does"),
    (expression(r"(?<!\\)(?:\\\\)*\\[AZzhH]"), "an anchor or class that JavaScript lacks"),
)


def find_foreign_pattern(subject: Subject) -> Iterator[Found]:
    for row in subject.values:
        pattern = row.schema.get("pattern")
        if not isinstance(pattern, str):
            continue
        for form, what in _FOREIGN:
            if form.search(pattern):
                yield Found(
                    (*row.pointer, "pattern"),
                    f'the pattern of "{row.name}" has {what}',
                    "JSON Schema's patterns are JavaScript's: clients read it otherwise, or not at all",
                )
                break


def find_needed_default(subject: Subject) -> Iterator[Found]:
    """Deeper than M209 looks, which speaks of the tool's own parameters."""
    for row in subject.inputs:
        if row.is_required and row.depth > 1 and "default" in row.schema:
            yield Found(
                (*row.pointer, "default"),
                f'"{row.name}" is required, so its default is never used',
                "take one of the two away",
            )


_FEWEST_NUMBERS = 2
_NUMERAL = expression(r"-?[0-9]+")


def find_numbers_as_texts(subject: Subject) -> Iterator[Found]:
    for row in subject.values:
        values = row.schema.get("enum")
        if (
            isinstance(values, list)
            and len(values) >= _FEWEST_NUMBERS
            and all(isinstance(one, str) and _NUMERAL.fullmatch(one) for one in values)
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


RULES = (
    schema_rule(
        "D316",
        "impossible-value",
        "a schema that no value fits",
        "Every call with it is refused, whatever a model tries.",
        with_word('type = "integer"', "minimum = 10", "maximum = 1", WORD),
        with_word('type = "integer"', "minimum = 1", "maximum = 10", WORD),
        find_impossible,
        Set.DEFAULT,
    ),
    schema_rule(
        "D317",
        "odd-values",
        "an enum with values that cannot be, or an example that does not fit",
        "A model takes one of them, and is refused.",
        with_word('type = "string"', 'enum = ["small", 2]', WORD),
        with_word('type = "string"', 'enum = ["small", "2"]', WORD),
        find_odd_values,
        Set.DEFAULT,
    ),
    schema_rule(
        "D318",
        "meaningless-keyword",
        "a keyword that means nothing on its type",
        "What it was to forbid is allowed: `minimum` on a text checks nothing.",
        with_word('type = "string"', "minimum = 1", WORD),
        with_word('type = "integer"', "minimum = 1", WORD),
        find_meaningless,
        Set.DEFAULT,
    ),
    schema_rule(
        "D319",
        "unknown-format",
        "a format that nobody checks, and that means one which is checked",
        "Validators pass over formats that they do not know; some clients refuse them.",
        with_word('type = "string"', 'format = "datetime"', WORD),
        with_word('type = "string"', 'format = "date-time"', WORD),
        find_unknown_format,
        Set.DEFAULT,
    ),
    schema_rule(
        "D320",
        "foreign-pattern",
        "a pattern in another dialect than JavaScript's",
        "A client that checks calls before it sends them cannot compile it, or reads it otherwise than "
        "the server.",
        with_word('type = "string"', 'pattern = "(?i)^inv_[0-9]+$"', WORD),
        with_word('type = "string"', 'pattern = "^[Ii][Nn][Vv]_[0-9]+$"', WORD),
        find_foreign_pattern,
    ),
    schema_rule(
        "D326",
        "needed-default",
        "a required part of a parameter with a default",
        "It has to be given always, so that the default is never used.",
        with_word(
            'type = "object"',
            WORD,
            'required = ["most"]',
            'properties.most = { type = "integer", default = 3 }',
        ),
        with_word('type = "object"', WORD, 'properties.most = { type = "integer", default = 3 }'),
        find_needed_default,
    ),
    schema_rule(
        "D330",
        "numbers-as-texts",
        "an enum of numbers that are written as texts",
        'A model gives 2, and the call is refused for not being "2".',
        with_word('type = "string"', 'enum = ["1", "2", "3"]', WORD),
        with_word('type = "integer"', "enum = [1, 2, 3]", WORD),
        find_numbers_as_texts,
    ),
    schema_rule(
        "D331",
        "foreign-keyword",
        "a keyword that JSON Schema does not have, or in another spelling",
        "Validators pass over what they do not know: nothing of it is checked, and no client reads it.",
        with_word('type = "string"', "nullable = true", WORD),
        with_word('type = ["string", "null"]', WORD),
        find_foreign_keyword,
    ),
)
