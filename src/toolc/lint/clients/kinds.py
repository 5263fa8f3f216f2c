"""What there is to limit: a row a kind, with the values that a profile gives it, what the limit is in
words, and how a tool is held against it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from toolc.check.dialects import known_dialect
from toolc.check.walk import follow
from toolc.lint.clients.profile import Values
from toolc.lint.clients.rewrites import ROOT_REWRITES, rewrite_of
from toolc.lint.subject import Index, Subject
from toolc.model.document import JsonObject, JsonValue, Pointer
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any


class Hit(NamedTuple):
    """A place in a tool that is past a limit."""

    pointer: Pointer
    what: str
    """The thing and its value."""
    rewrite: str
    """What would mean the same and be taken."""
    detail: str = ""
    """What the limit is, where the thing alone does not say."""
    where: str = ""
    """In which part of the schema, where the same thing may stand in several."""
    key: bool = False
    tool: str = ""
    """Whose, where tools are compared; empty for the server's own."""
    related: tuple[tuple[str, Pointer, str], ...] = ()


class Field(NamedTuple):
    """A value that a row of the kind gives."""

    name: str
    form: str
    """`text`, `pattern` (a regular expression for the whole of a text), `count`, `texts`."""
    choices: tuple[str, ...] = ()
    is_required: bool = True


class Kind(NamedTuple):
    """A kind of limit; its name is what `kind` says in a profile."""

    name: str
    fields: tuple[Field, ...]
    words: Callable[[Any], Iterator[str]]
    """What the limit is, a phrase for each thing that is limited."""
    look: Callable[[Subject, Any], Iterator[Hit]] | None = None
    look_at_all: Callable[[Index, Any], Iterator[Hit]] | None = None


_MOST = Field("most", "count")
_PREFIX = Field("prefix", "text", is_required=False)
_PATTERN = Field("pattern", "pattern")
_EXPECTED = Field("expected", "text")
_KEYWORDS = Field("keywords", "texts")


def _where(*choices: str) -> Field:
    return Field("where", "text", choices, is_required=False)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_TAIL = 50
"""Characters of a text's end that a message shows, less those of a word that is cut."""


def _ends(text: str) -> str:
    """How a long text ends: what is lost first where it is cut."""
    end = " ".join(text.split())[-_TAIL:]
    return f'it ends with "… {end.partition(" ")[2] or end}"'


# Names


def look_at_name(subject: Subject, values: Values) -> Iterator[Hit]:
    if not _compiled(str(values["pattern"])).fullmatch(subject.name):
        yield Hit(
            ("name",),
            f'the name "{subject.name}"',
            _other_name(subject.name, str(values["pattern"])),
            f"only {values['expected']}",
        )


def _other_name(name: str, pattern: str) -> str:
    other = re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_") or "tool"
    if not _compiled(pattern).fullmatch(other):
        other = f"tool_{other}"
    return f'name it "{other}"; `toolc mv` renames it and keeps the old name working'


def look_at_name_length(subject: Subject, values: Values) -> Iterator[Hit]:
    most, prefix = _number(values["most"]), _prefix(values, subject.project.server.name)
    length = len(prefix) + len(subject.name)
    if length > most:
        own = len(subject.name)
        yield Hit(
            ("name",),
            f"the name has {own} characters",
            f"shorten it to {max(most - len(prefix), 1)} characters"
            + (", or give the server a shorter name" if prefix else ""),
            f'{most} at most, and {length} with "{prefix}" before it'
            if prefix
            else f"{most} at most",
        )


def _prefix(values: Values, server: str) -> str:
    """What a client puts before a name; nothing where nobody knows the server's name."""
    return str(values.get("prefix", "")).replace("{server}", server) if server else ""


def look_for_clashes(index: Index, values: Values) -> Iterator[Hit]:
    prefix = _prefix(values, index.project.server.name)
    first: dict[str, str] = {}
    for subject in index.subjects:
        written = _rewritten(prefix + subject.name, values)
        other = first.setdefault(written, subject.name)
        if other != subject.name:
            yield Hit(
                ("name",),
                f'"{other}" and "{subject.name}" both become "{written}"',
                "rename one of the two so that they differ in what is kept",
                str(values["how"]),
                tool=subject.name,
                related=((other, ("name",), f'"{other}"'),),
            )


def _rewritten(name: str, values: Values) -> str:
    """A name as a client passes it on."""
    if "pattern" in values:
        name = _compiled(str(values["pattern"])).sub(str(values.get("by", "")), name)
    most = values.get("most")
    if most is not None and len(name) > _number(most):
        head, tail = _number(values.get("head", most)), _number(values.get("tail", 0))
        name = name[:head] + str(values.get("between", "")) + (name[-tail:] if tail else "")
    return name


# Counts and texts


def look_at_count(index: Index, values: Values) -> Iterator[Hit]:
    shown = [subject for subject in index.subjects if not subject.facts.discoverable]
    most = _number(values["most"])
    if len(shown) > most:
        yield Hit(
            ("name",),
            f"the server lists {len(shown)} tools",
            "hide the rarer ones (`discoverable = true`), or split the server",
            f"{most} at most, of all servers together",
            tool=shown[-1].name,
        )


def look_at_description(subject: Subject, values: Values) -> Iterator[Hit]:
    length, most = len(subject.description), _number(values["most"])
    if length > most:
        yield Hit(
            ("description",),
            f"the description has {length:,} characters; {_ends(subject.description)}",
            "begin with what matters, and move the rest to the parameters or to errors",
            f"{most:,} at most",
        )


def look_at_instructions(index: Index, values: Values) -> Iterator[Hit]:
    text, most = index.project.server.instructions, _number(values["most"])
    if len(text) > most:
        yield Hit(
            ("server", "instructions"),
            f"the server's instructions have {len(text):,} characters; {_ends(text)}",
            "say what matters first, and of single tools in their descriptions",
            f"{most:,} at most",
        )


# Keywords


def look_at_root(subject: Subject, values: Values) -> Iterator[Hit]:
    for pointer, schema in subject.input_schemas[:1]:
        for keyword in _texts(values["keywords"]):
            if keyword in schema:
                yield Hit(
                    (*pointer, keyword),
                    f'"{keyword}" at the root of the input schema',
                    ROOT_REWRITES.get(keyword) or rewrite_of(keyword),
                    key=True,
                )


_FORMS: Mapping[str, Callable[[JsonValue], bool]] = {
    "boolean": lambda value: isinstance(value, bool),
    "list": lambda value: isinstance(value, list),
    "null": lambda value: value is None,
    "mixed types": lambda value: (
        isinstance(value, list)
        and any(
            isinstance(row, dict) and row.get("type") not in ("string", "null") for row in value
        )
    ),
}
"""Of which form a keyword's value is refused."""

_FORM_WORDS = {
    "boolean": " as a boolean",
    "list": " as a list",
    "null": " as null",
    "mixed types": " of more than text",
}


def look_at_keywords(subject: Subject, values: Values) -> Iterator[Hit]:
    keywords, form = _texts(values["keywords"]), values.get("form")
    is_nested = values.get("where") == "nested"
    for pointer, schema in subject.input_schemas:
        if is_nested and len(pointer) == 1:
            continue
        for keyword in keywords:
            if keyword in schema and (form is None or _FORMS[str(form)](schema[keyword])):
                shape = _FORM_WORDS[str(form)] if form else ""
                yield Hit(
                    (*pointer, keyword),
                    f'"{keyword}"{shape}',
                    rewrite_of(keyword, str(form or "")),
                    where=_place(pointer),
                    key=True,
                )


def look_beside(subject: Subject, values: Values) -> Iterator[Hit]:
    keyword = str(values["keyword"])
    allowed = {keyword, *_texts(values.get("allowed", []))}
    refused = _texts(values.get("refused", []))
    for pointer, schema in subject.input_schemas:
        if keyword not in schema:
            continue
        if refused:
            beside = [name for name in schema if name in refused]
        else:
            beside = [name for name in schema if name not in allowed]
        if beside:
            shown = ", ".join(f'"{name}"' for name in beside)
            yield Hit(
                (*pointer, keyword),
                f'{shown} beside "{keyword}"',
                "write out what it refers to, in its place"
                if keyword == "$ref"
                else f'say {shown} in each branch of "{keyword}"',
                where=_place(pointer),
                key=True,
            )


def look_for_booleans(subject: Subject, values: Values) -> Iterator[Hit]:
    schemas = subject.input_schemas
    if values.get("where") == "top":
        schemas = (*schemas[:1], *subject.output_schemas[:1])
    for pointer, schema in schemas:
        for way, inner in _members(schema):
            if isinstance(inner, bool):
                yield Hit(
                    (*pointer, *way),
                    f"{'true' if inner else 'false'} as a schema",
                    "write `{}` where anything will do; a property that may not be there can go",
                    where=_place((*pointer, *way)),
                    key=True,
                )


def _members(schema: JsonObject) -> Iterator[tuple[Pointer, JsonValue]]:
    table = schema.get("properties")
    for name, inner in (table if isinstance(table, dict) else {}).items():
        yield ("properties", name), inner


def look_for_untyped(subject: Subject, values: Values) -> Iterator[Hit]:
    excused = {"type", "$ref", *_texts(values.get("unless", []))}
    for pointer, schema in subject.input_schemas:
        for way, inner in _members(schema):
            if isinstance(inner, dict) and excused.isdisjoint(inner):
                yield Hit(
                    (*pointer, *way),
                    "a parameter without a type",
                    "say its type; where anything will do, a list of all that may come",
                    where=_place((*pointer, *way)),
                    key=True,
                )


def look_for_items(subject: Subject, _values: Values) -> Iterator[Hit]:
    for pointer, schema in subject.input_schemas:
        if "array" in _types(schema) and not {"items", "prefixItems"}.intersection(schema):
            yield Hit(
                pointer,
                "an array without items",
                "say what is in it: `array:string`, in a schema `items`; `items: {}` is anything",
                where=_place(pointer),
                key=True,
            )


def look_for_properties(subject: Subject, _values: Values) -> Iterator[Hit]:
    for pointer, schema in subject.input_schemas[:1]:
        if schema.get("type") == "object" and "properties" not in schema:
            yield Hit(
                pointer,
                "an input schema without properties",
                "say `properties: {}` where there are none",
                key=True,
            )


# What strict modes ask for


def look_for_open(subject: Subject, _values: Values) -> Iterator[Hit]:
    for pointer, schema in subject.input_schemas:
        if _is_object(schema) and schema.get("additionalProperties") is not False:
            yield Hit(
                (*pointer, "additionalProperties") if "additionalProperties" in schema else pointer,
                "an object that takes other keys",
                "say `additionalProperties: false`, on a tool `extraParameters: forbid`",
                where=_place(pointer),
                key=True,
            )


def look_for_optional(subject: Subject, _values: Values) -> Iterator[Hit]:
    for pointer, schema in subject.input_schemas:
        listed = schema.get("required")
        required = set(map(str, listed)) if isinstance(listed, list) else set()
        missing = [str(way[-1]) for way, _ in _members(schema) if way[-1] not in required]
        if missing:
            yield from (
                Hit(
                    (*pointer, "properties", name),
                    "an optional parameter",
                    "require all, and let those that may be absent be null",
                    where=_place((*pointer, "properties", name)),
                    key=True,
                )
                for name in missing
            )


def look_for_required(subject: Subject, _values: Values) -> Iterator[Hit]:
    for pointer, schema in subject.input_schemas[:1]:
        if schema.get("additionalProperties") is False and "required" not in schema:
            yield Hit(
                pointer,
                'a closed input schema without "required"',
                "say `required: []` where nothing is",
                key=True,
            )


def look_for_circles(subject: Subject, _values: Values) -> Iterator[Hit]:
    """The first reference of a tool that leads round in a circle."""
    document = subject.wire.get("inputSchema")
    references: list[tuple[Pointer, Pointer]] = []
    for pointer, schema in subject.input_schemas:
        said = schema.get("$ref")
        if isinstance(said, str) and said[:1] == "#":
            target = follow(document, said[1:])
            if target is not None:
                references.append((pointer, ("inputSchema", *target)))
    leads = {
        target: [to for place, to in references if place[: len(target)] == target]
        for _, target in references
    }
    for pointer, target in references:
        if _reaches(target, target, leads):
            yield Hit(
                (*pointer, "$ref"),
                f"a schema that holds itself {_place(pointer)}",
                "unfold it to the depth that is needed, or take an identifier instead of the thing",
                key=True,
            )
            return


def _reaches(start: Pointer, goal: Pointer, leads: Mapping[Pointer, Sequence[Pointer]]) -> bool:
    waiting, seen = list(leads[start]), set()
    while waiting:
        place = waiting.pop()
        if place == goal:
            return True
        if place not in seen:
            seen.add(place)
            waiting += leads[place]
    return False


# Values


def look_at_formats(subject: Subject, values: Values) -> Iterator[Hit]:
    allowed = _texts(values["allowed"])
    for pointer, schema in subject.input_schemas:
        said = schema.get("format")
        if isinstance(said, str) and said not in allowed and _may_be(schema, "string"):
            yield Hit(
                (*pointer, "format"),
                f'the format "{said}"',
                "say it in the description; the server checks it all the same",
                "only " + ", ".join(allowed),
                where=_place(pointer),
                key=True,
            )


_ENUM_VALUES: Mapping[str, Callable[[JsonValue], bool]] = {
    "numbers": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "empty texts": lambda value: value == "",
    "null": lambda value: value is None,
    "booleans": lambda value: isinstance(value, bool),
}

_ENUM_REWRITES = {
    "numbers": "give the range with `minimum` and `maximum`, or take texts",
    "empty texts": "leave it out, and make the parameter optional",
    "null": "leave it out, and make the parameter optional",
    "booleans": "make it a boolean",
}


def look_at_enums(subject: Subject, values: Values) -> Iterator[Hit]:
    for pointer, schema in subject.input_schemas:
        said = schema.get("enum")
        if not isinstance(said, list):
            continue
        found = [form for form in _texts(values["refused"]) if any(map(_ENUM_VALUES[form], said))]
        if found:
            yield Hit(
                (*pointer, "enum"),
                f"an enum with {' and '.join(found)}",
                _ENUM_REWRITES[found[0]],
                where=_place(pointer),
                key=True,
            )


_LOOKAROUND = re.compile(r"\(\?<?[=!]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)

_PATTERNS: Mapping[str, Callable[[str], bool]] = {
    "unanchored": lambda text: (
        not (text.startswith("^") and re.search(r"(?<!\\)(?:\\\\)*\$\Z", text))
    ),
    "lookaround": lambda text: bool(_LOOKAROUND.search(text)),
    "classes": lambda text: any(found[1] in "dDwWsS" for found in _ESCAPE.finditer(text)),
    "boundaries": lambda text: any(found[1] in "bB" for found in _ESCAPE.finditer(text)),
}

_PATTERN_WORDS = {
    "unanchored": "no ^ and $ around it",
    "lookaround": "lookaround in it",
    "classes": r"\d, \w or \s in it",
    "boundaries": r"\b in it",
}

_PATTERN_REWRITES = {
    "unanchored": "write `^` and `$` around it, with `.*` where anything may stand",
    "lookaround": "take a simpler pattern, and have the server check the rest",
    "classes": r"write `[0-9]` for `\d`, `[A-Za-z0-9_]` for `\w`, `[ \t\r\n]` for `\s`",
    "boundaries": "write out what may stand beside it, or have the server check it",
}


def look_at_patterns(subject: Subject, values: Values) -> Iterator[Hit]:
    for pointer, schema in subject.input_schemas:
        said = schema.get("pattern")
        if not isinstance(said, str):
            continue
        found = [form for form in _texts(values["refused"]) if _PATTERNS[form](said)]
        if found:
            yield Hit(
                (*pointer, "pattern"),
                f"a pattern with {' and '.join(_PATTERN_WORDS[form] for form in found)}",
                "; ".join(_PATTERN_REWRITES[form] for form in found),
                where=_place(pointer),
                key=True,
            )


def look_at_numbers(subject: Subject, values: Values) -> Iterator[Hit]:
    keywords, most = _texts(values["keywords"]), _number(values["most"])
    for pointer, schema in subject.input_schemas:
        for keyword in keywords:
            said = schema.get(keyword)
            if isinstance(said, bool) or not isinstance(said, (int, float)) or abs(said) <= most:
                continue
            yield Hit(
                (*pointer, keyword),
                f'"{keyword}" of {said}',
                "take a smaller one, or leave it out and have the server check it",
                f"{most:,} at most",
                where=_place(pointer),
                key=True,
            )


# Parameters


def look_at_parameters(subject: Subject, values: Values) -> Iterator[Hit]:
    pattern = _compiled(str(values["pattern"]))
    for pointer, name in _names(subject, values):
        if not pattern.fullmatch(name):
            yield Hit(
                pointer,
                f'the parameter "{name}"',
                f"name it {_other_parameter(name, pattern)}; "
                "what the server calls it can stay as one of its `aliases`",
                f"only {values['expected']}",
                key=True,
            )


def _other_parameter(name: str, pattern: re.Pattern[str]) -> str:
    other = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_")
    return f'"{other}"' if other and pattern.fullmatch(other) else "in ASCII letters"


def look_at_parameter_lengths(subject: Subject, values: Values) -> Iterator[Hit]:
    most = _number(values["most"])
    for pointer, name in _names(subject, values):
        if len(name) > most:
            yield Hit(
                pointer,
                f'the parameter "{name}" has {len(name)} characters',
                "shorten it; nested objects need no long names",
                f"{most} at most",
                key=True,
            )


def _names(subject: Subject, values: Values) -> Iterator[tuple[Pointer, str]]:
    """Parameters of the tool's own with `where = "top"`, of any depth otherwise."""
    schemas = subject.input_schemas
    for pointer, schema in schemas[:1] if values.get("where") == "top" else schemas:
        for way, _ in _members(schema):
            yield (*pointer, *way), str(way[-1])


# Outputs


def look_at_dialect(subject: Subject, values: Values) -> Iterator[Hit]:
    known = _texts(values["known"])
    for key in ("inputSchema", "outputSchema"):
        schema = subject.wire.get(key)
        said = schema.get("$schema") if isinstance(schema, dict) else None
        if key not in _texts(values["of"]) or not isinstance(said, str) or _edition(said) in known:
            continue
        yield Hit(
            (key, "$schema"),
            f"the dialect {_edition(said)} of the {_SPOKEN[key]}",
            _to_2020_12(subject.input_schemas if key == "inputSchema" else subject.output_schemas),
            f"only {' and '.join(known)}",
            key=True,
        )


_SPOKEN = {"inputSchema": "input schema", "outputSchema": "output schema"}


def _edition(uri: str) -> str:
    """`draft-07` or `2020-12` of a metaschema's URI; a URI of nobody's as it is."""
    known = known_dialect(uri)
    found = re.search(r"draft[-/]([\d-]+)/schema", known or "")
    if found is None:
        return f'"{uri}"'
    return f"draft-{found[1]}" if len(found[1]) == 2 else found[1]


def _to_2020_12(schemas: Sequence[tuple[Pointer, JsonObject]]) -> str:
    """What has to be written otherwise for a schema to mean the same in 2020-12."""
    steps = []
    if any(isinstance(schema.get("items"), list) for _, schema in schemas):
        steps.append(
            "a list of `items` becomes `prefixItems`, and `additionalItems` becomes `items`"
        )
    if any("dependencies" in schema for _, schema in schemas):
        steps.append("`dependencies` becomes `dependentRequired` or `dependentSchemas`")
    if any(isinstance(schema.get("exclusiveMinimum"), bool) for _, schema in schemas):
        steps.append("`exclusiveMinimum` becomes the bound itself")
    if any("$ref" in schema and len(schema) > 1 for _, schema in schemas):
        steps.append("what stands beside `$ref` begins to count")
    also = "; then " + ", ".join(steps) if steps else "; nothing else in it has to change"
    return "take the `$schema` line away, which leaves 2020-12" + also


def look_at_output_root(subject: Subject, _values: Values) -> Iterator[Hit]:
    schema = subject.wire.get("outputSchema")
    if isinstance(schema, dict) and schema.get("type") != "object":
        yield Hit(
            ("outputSchema",),
            "an output schema whose root is no object",
            "put what it answers into an object with one property",
            key=True,
        )


# What the rows have in common


def _number(value: JsonValue) -> int:
    assert isinstance(value, int)
    return value


def _texts(value: JsonValue) -> tuple[str, ...]:
    assert isinstance(value, list)
    return tuple(map(str, value))


def _types(schema: JsonObject) -> tuple[str, ...]:
    said = schema.get("type")
    return (
        (said,)
        if isinstance(said, str)
        else tuple(map(str, said))
        if isinstance(said, list)
        else ()
    )


def _may_be(schema: JsonObject, type_name: str) -> bool:
    types = _types(schema)
    return not types or type_name in types


def _is_object(schema: JsonObject) -> bool:
    return "object" in _types(schema) or "properties" in schema


def _place(pointer: Pointer) -> str:
    """Where a schema stands: in which parameter, or at the root."""
    names = [
        str(part)
        for at, part in enumerate(pointer)
        if at and pointer[at - 1] in ("properties", "$defs", "definitions")
    ]
    return f'in "{".".join(names)}"' if names else "in the input schema"


def _name_words(values: Values) -> Iterator[str]:
    yield f"tool names of other than {values['expected']}"


def _length_words(values: Values) -> Iterator[str]:
    prefix = f", `{values['prefix']}` before them included" if "prefix" in values else ""
    yield f"tool names of more than {values['most']} characters{prefix}"


def _keyword_words(values: Values) -> Iterator[str]:
    form = _FORM_WORDS[str(values["form"])] if "form" in values else ""
    where = " inside a schema" if values.get("where") == "nested" else ""
    for keyword in _texts(values["keywords"]):
        yield f"`{keyword}`{form}{where}"


def _beside_words(values: Values) -> Iterator[str]:
    if "refused" in values:
        for keyword in _texts(values["refused"]):
            yield f"`{keyword}` beside `{values['keyword']}`"
    elif _texts(values.get("allowed", [])):
        allowed = " or ".join(f"`{keyword}`" for keyword in _texts(values["allowed"]))
        yield f"anything but {allowed} beside `{values['keyword']}`"
    else:
        yield f"anything beside `{values['keyword']}`"


def _boolean_words(values: Values) -> Iterator[str]:
    where = "a tool's own parameter" if values.get("where") == "top" else "a parameter"
    yield f"`true` or `false` as the schema of {where}"


def _untyped_words(values: Values) -> Iterator[str]:
    unless = _texts(values.get("unless", []))
    besides = f" nor {', '.join(f'`{keyword}`' for keyword in unless)}" if unless else ""
    yield f"a parameter without a type{besides}"


def _parameter_words(values: Values) -> Iterator[str]:
    own = " of a tool's own" if values.get("where") == "top" else ""
    yield f"parameters{own} named in other than {values['expected']}"


def _parameter_length_words(values: Values) -> Iterator[str]:
    own = " of a tool's own" if values.get("where") == "top" else ""
    yield f"parameters{own} of more than {values['most']} characters"


def _number_words(values: Values) -> Iterator[str]:
    keywords = ", ".join(f"`{keyword}`" for keyword in _texts(values["keywords"]))
    yield f"{keywords} past {_number(values['most']):,}"


def _dialect_words(values: Values) -> Iterator[str]:
    for key in _texts(values["of"]):
        yield f"`$schema` of the {_SPOKEN[key]} other than {' and '.join(_texts(values['known']))}"


def _said(*phrases: str) -> Callable[[Values], Iterator[str]]:
    """Phrases that take nothing of a row's values but `most`."""
    return lambda values: iter(
        [phrase.format(most=f"{values.get('most', 0):,}") for phrase in phrases]
    )


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("name-pattern", (_PATTERN, _EXPECTED), _name_words, look_at_name),
        Kind("name-length", (_MOST, _PREFIX), _length_words, look_at_name_length),
        Kind(
            "names-rewritten",
            (
                Field("how", "text"),
                _PREFIX,
                Field("pattern", "pattern", is_required=False),
                Field("by", "text", is_required=False),
                Field("most", "count", is_required=False),
                Field("head", "count", is_required=False),
                Field("between", "text", is_required=False),
                Field("tail", "count", is_required=False),
            ),
            lambda values: iter([f"names that become the same where {values['how']}"]),
            look_at_all=look_for_clashes,
        ),
        Kind("tool-count", (_MOST,), _said("more than {most} tools"), look_at_all=look_at_count),
        Kind(
            "description-length",
            (_MOST,),
            _said("descriptions of more than {most} characters"),
            look_at_description,
        ),
        Kind(
            "instructions-length",
            (_MOST,),
            _said("instructions of more than {most} characters"),
            look_at_all=look_at_instructions,
        ),
        Kind(
            "root-keyword",
            (_KEYWORDS,),
            lambda values: (f"`{keyword}` at the root" for keyword in _texts(values["keywords"])),
            look_at_root,
        ),
        Kind(
            "keyword",
            (_KEYWORDS, _where("nested"), Field("form", "text", tuple(_FORMS), is_required=False)),
            _keyword_words,
            look_at_keywords,
        ),
        Kind(
            "keyword-beside",
            (
                Field("keyword", "text"),
                Field("allowed", "texts", is_required=False),
                Field("refused", "texts", is_required=False),
            ),
            _beside_words,
            look_beside,
        ),
        Kind("boolean-schema", (_where("top"),), _boolean_words, look_for_booleans),
        Kind(
            "untyped",
            (Field("unless", "texts", is_required=False),),
            _untyped_words,
            look_for_untyped,
        ),
        Kind("array-without-items", (), _said("an array without `items`"), look_for_items),
        Kind(
            "without-properties",
            (),
            _said("an input schema without `properties`"),
            look_for_properties,
        ),
        Kind("open-object", (), _said("an object that takes other keys"), look_for_open),
        Kind("optional-parameter", (), _said("optional parameters"), look_for_optional),
        Kind(
            "without-required",
            (),
            _said("a closed input schema without `required`"),
            look_for_required,
        ),
        Kind("recursion", (), _said("a schema that holds itself"), look_for_circles),
        Kind(
            "format",
            (Field("allowed", "texts"),),
            lambda values: iter(
                ["any `format` but " + ", ".join(f"`{name}`" for name in _texts(values["allowed"]))]
            ),
            look_at_formats,
        ),
        Kind(
            "enum-values",
            (Field("refused", "texts", tuple(_ENUM_VALUES)),),
            lambda values: (f"{form} in an `enum`" for form in _texts(values["refused"])),
            look_at_enums,
        ),
        Kind(
            "pattern",
            (Field("refused", "texts", tuple(_PATTERNS)),),
            lambda values: (
                f"a `pattern` with {_PATTERN_WORDS[form]}" for form in _texts(values["refused"])
            ),
            look_at_patterns,
        ),
        Kind("large-number", (_KEYWORDS, _MOST), _number_words, look_at_numbers),
        Kind(
            "parameter-pattern",
            (_PATTERN, _EXPECTED, _where("top")),
            _parameter_words,
            look_at_parameters,
        ),
        Kind(
            "parameter-length",
            (_MOST, _where("top")),
            _parameter_length_words,
            look_at_parameter_lengths,
        ),
        Kind(
            "dialect",
            (Field("known", "texts"), Field("of", "texts", ("inputSchema", "outputSchema"))),
            _dialect_words,
            look_at_dialect,
        ),
        Kind(
            "output-root",
            (),
            _said("an output schema whose root is no object"),
            look_at_output_root,
        ),
    )
}
"""What `kind` says in a profile -> the kind."""
