"""How a tool's schemas are held against limits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from toolc.check.dialects import known_dialect
from toolc.check.walk import follow
from toolc.lint.clients.hit import Hit, members, number, texts
from toolc.lint.clients.profile import Values
from toolc.lint.clients.rewrites import ROOT_REWRITES, rewrite_of
from toolc.lint.subject import Subject
from toolc.model.document import JsonObject, JsonValue, Pointer

# Keywords


def look_at_root(subject: Subject, values: Values) -> Iterator[Hit]:
    for pointer, schema in subject.input_schemas[:1]:
        for keyword in texts(values["keywords"]):
            if keyword in schema:
                yield Hit(
                    (*pointer, keyword),
                    f'"{keyword}" at the root of the input schema',
                    ROOT_REWRITES.get(keyword) or rewrite_of(keyword),
                    key=True,
                )


FORMS: Mapping[str, Callable[[JsonValue], bool]] = {
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

FORM_WORDS = {
    "boolean": " as a boolean",
    "list": " as a list",
    "null": " as null",
    "mixed types": " of more than text",
}


def look_at_keywords(subject: Subject, values: Values) -> Iterator[Hit]:
    keywords, form = texts(values["keywords"]), values.get("form")
    is_nested = values.get("where") == "nested"
    for pointer, schema in subject.input_schemas:
        if is_nested and len(pointer) == 1:
            continue
        for keyword in keywords:
            if keyword in schema and (form is None or FORMS[str(form)](schema[keyword])):
                shape = FORM_WORDS[str(form)] if form else ""
                yield Hit(
                    (*pointer, keyword),
                    f'"{keyword}"{shape}',
                    rewrite_of(keyword, str(form or "")),
                    where=_place(pointer),
                    key=True,
                )


def look_beside(subject: Subject, values: Values) -> Iterator[Hit]:
    keyword = str(values["keyword"])
    allowed = {keyword, *texts(values.get("allowed", []))}
    refused = texts(values.get("refused", []))
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
        for way, inner in members(schema):
            if isinstance(inner, bool):
                yield Hit(
                    (*pointer, *way),
                    f"{'true' if inner else 'false'} as a schema",
                    "write `{}` where anything will do; a property that may not be there can go",
                    where=_place((*pointer, *way)),
                    key=True,
                )


def look_for_untyped(subject: Subject, values: Values) -> Iterator[Hit]:
    excused = {"type", "$ref", *texts(values.get("unless", []))}
    for pointer, schema in subject.input_schemas:
        for way, inner in members(schema):
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
        missing = [str(way[-1]) for way, _ in members(schema) if way[-1] not in required]
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
        if isinstance(said, str) and (said == "#" or said[:2] == "#/"):
            target = follow(document, said[1:])
            if target is not None:
                references.append((pointer, ("inputSchema", *target)))
    leads = {
        target: {to for place, to in references if place[: len(target)] == target}
        for _, target in references
    }
    circular = {target for target in leads if _reaches(target, target, leads)}
    for pointer, target in references:
        if target in circular:
            yield Hit(
                (*pointer, "$ref"),
                f"a schema that holds itself {_place(pointer)}",
                "unfold it to the depth that is needed, or take an identifier instead of the thing",
                key=True,
            )
            return


def _reaches(start: Pointer, goal: Pointer, leads: Mapping[Pointer, set[Pointer]]) -> bool:
    waiting, seen = list(leads[start]), set[Pointer]()
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
    allowed = texts(values["allowed"])
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


ENUM_VALUES: Mapping[str, Callable[[JsonValue], bool]] = {
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
        found = [form for form in texts(values["refused"]) if any(map(ENUM_VALUES[form], said))]
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

PATTERNS: Mapping[str, Callable[[str], bool]] = {
    "unanchored": lambda text: (
        not (text.startswith("^") and re.search(r"(?<!\\)(?:\\\\)*\$\Z", text))
    ),
    "lookaround": lambda text: bool(_LOOKAROUND.search(text)),
    "classes": lambda text: any(found[1] in "dDwWsS" for found in _ESCAPE.finditer(text)),
    "boundaries": lambda text: any(found[1] in "bB" for found in _ESCAPE.finditer(text)),
}

PATTERN_WORDS = {
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
        found = [form for form in texts(values["refused"]) if PATTERNS[form](said)]
        if found:
            yield Hit(
                (*pointer, "pattern"),
                f"a pattern with {' and '.join(PATTERN_WORDS[form] for form in found)}",
                "; ".join(_PATTERN_REWRITES[form] for form in found),
                where=_place(pointer),
                key=True,
            )


def look_at_numbers(subject: Subject, values: Values) -> Iterator[Hit]:
    keywords, most = texts(values["keywords"]), number(values["most"])
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


# Outputs


def look_at_dialect(subject: Subject, values: Values) -> Iterator[Hit]:
    known = texts(values["known"])
    for key in ("inputSchema", "outputSchema"):
        schema = subject.wire.get(key)
        said = schema.get("$schema") if isinstance(schema, dict) else None
        if key not in texts(values["of"]) or not isinstance(said, str) or _edition(said) in known:
            continue
        yield Hit(
            (key, "$schema"),
            f"the dialect {_edition(said)} of the {SPOKEN[key]}",
            _to_2020_12(subject.input_schemas if key == "inputSchema" else subject.output_schemas),
            f"only {' and '.join(known)}",
            key=True,
        )


SPOKEN = {"inputSchema": "input schema", "outputSchema": "output schema"}


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


# What they have in common


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
