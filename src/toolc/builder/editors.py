"""What an editor checks, completes and explains a definition or a project file by: JSON Schemas, made
from the tables that the reader goes by.

They are of draft-07, which every editor reads, and say no to what the reader refuses or warns of, as
far as a schema can tell. Beside JSON Schema's own keywords stand those that VS Code's JSON and YAML
extensions show: `markdownDescription`, `errorMessage`, `patternErrorMessage`, `doNotSuggest`. Where
an editor shows only the schema itself (taplo), a reason stands in it as the one value of an `enum`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from toolc.builder import metadata, parameters, project
from toolc.builder.keys import KEYS, NULL_IS_A_VALUE, OTHER_SPELLINGS, Key, Kind, Level, fold
from toolc.builder.settings import SETTINGS, Setting
from toolc.builder.types import PREFIXES, SCALARS
from toolc.model.document import JsonObject, JsonValue

_DIALECT = "http://json-schema.org/draft-07/schema#"

_OWN = r"^(?:x-|\$schema$)"
"""Keys of which the reader says nothing, in any table."""

_NAME = "[A-Za-z][A-Za-z0-9_]*"
_PREFIX = f"(?:{'|'.join(PREFIXES)})"
_TERM = rf"(?:{_PREFIX}:|\( *)*(?!{_PREFIX}(?![A-Za-z0-9_])){_NAME}(?: *\))*"
_TYPE = rf"^{_TERM}(?: *\| *{_TERM})*$"
"""The type grammar, but for parentheses that have no partner, which no pattern can count."""

_TYPE_WORDS = (
    "A type: `string`, `int`, `float`, `bool`, `object`, `any` or `null`; `array:T` and `map:T` for "
    "lists and maps of a type; `A | B` for either; parentheses as in `array:(int | string)`; or the "
    "name of a shared type."
)

_UNKNOWN = 'unknown key; a note of your own begins with "x-"'
_UNKNOWN_SETTING = "unknown setting"

_FAMILIES: Mapping[str, tuple[str, ...]] = {
    "^string$": ("string",),
    "^(?:int|integer|float|number)$": ("number",),
    "^(?:bool|boolean)$": (),
    r"^array:[^|]*$": ("array",),
    "^object$": ("object",),
}
"""Types that are plainly of one family, and the families of keywords that mean something on them."""

_MEMBERS: Mapping[str, str] = {"items": "array", "properties": "object"}
"""Further keys that want an array or an object somewhere in the type."""

_MISFITS: Mapping[str, str] = {
    "string": "this means nothing on the type beside it: it belongs to a string",
    "number": "this means nothing on the type beside it: it belongs to a number",
    "array": "this means nothing on the type beside it: it belongs to an array",
    "object": "this means nothing on the type beside it: it belongs to an object",
}

_SCHEMAS: Mapping[Kind, JsonObject] = {
    Kind.STRING: {"type": ["string", "null"]},
    Kind.BOOLEAN: {"type": ["boolean", "null"]},
    Kind.STRINGS: {"type": ["array", "null"], "items": {"type": "string"}},
    Kind.NUMBER: {"type": ["number", "null"]},
    Kind.POSITIVE: {"type": ["number", "null"], "exclusiveMinimum": 0},
    Kind.COUNT: {"type": ["integer", "null"], "minimum": 0},
    Kind.POSITIVE_COUNT: {"type": ["integer", "null"], "minimum": 1},
    Kind.LIST: {"type": ["array", "null"]},
    Kind.ANY: {},
    Kind.OBJECT: {"type": ["object", "string", "null"]},
    Kind.SCHEMA: {"type": ["object", "string", "boolean", "null"]},
    Kind.TABLE: {"type": ["object", "null"]},
    Kind.TABLES: {"type": ["array", "null"], "items": {"type": "object"}},
    Kind.BOOLEAN_OR_STRING: {"type": ["boolean", "string", "null"]},
    Kind.OPENNESS: {"type": ["boolean", "string", "null"]},
}
"""What may stand behind a key; null is absence."""

_PATTERNS: Mapping[tuple[Level, str], tuple[str, str]] = {
    (Level.TOOL, "rateLimit"): (metadata.RATE_LIMIT.pattern, 'write it like "60/min"'),
    (Level.TOOL, "handler"): (metadata.HANDLER.pattern, 'write it like "package.module:function"'),
    (Level.PARAMETER, "identifier"): (_NAME, "use ASCII letters, digits and _, a letter first"),
}
"""Texts that must match a pattern as a whole, and what to say otherwise."""


# Definitions


def definition_schema() -> JsonObject:
    """The JSON Schema of a file of definitions: one tool, several in `tools`, or shared ones.

    A schema is not told the file's name, so it lets shared definitions stand in a file whose name
    does not begin with `_`.
    """
    file = {key.name: key for key in _keys(Level.FILE)}
    rules = _exclusions(metadata.EXCLUDED.pairs)
    rows = {**_references(Level.TOOL), "tools": _file_key(file["tools"])}
    patterns = _spellings(Level.TOOL)
    for name in ("defaults", "fragments", "types"):
        rows[name] = _file_key(file[name])
        patterns[_other_spellings([fold(name)], name)] = {"$ref": f"#/properties/{name}"}
    return {
        "$schema": _DIALECT,
        "title": "A definition of MCP tools, as toolc reads it",
        **_closed(rows, patterns),
        "dependencies": _referred(rules, Level.TOOL),
        **_several_tools(),
        "else": _shared_definitions(),
        "definitions": {
            "tool": {
                **_closed(_own_keys(Level.TOOL), _spellings(Level.TOOL)),
                "dependencies": rules,
            },
            "parameter": _row(),
            "type": _nameless(),
            **{f"{family}s": _refused(words) for family, words in _MISFITS.items()},
        },
    }


def _file_key(key: Key) -> JsonObject:
    """A key of a file that holds several tools, or shared definitions."""
    return {**_described(key), **_FILE_KEYS[key.name]}


def _several_tools() -> JsonObject:
    """Beside `tools` nothing of a single tool means anything; each of them must have a name."""
    beside = _all_but(["tools"], "defaults", 'beside "tools" only "defaults" has a meaning')
    named: JsonObject = {
        "if": {"properties": {"defaults": _without("name")}},
        "then": {"properties": {"tools": {"items": _required("name", "name")}}},
    }
    return {
        "if": {"properties": {"tools": {"type": "array"}}, "required": ["tools"]},
        "then": {"patternProperties": beside, "allOf": [named]},
    }


def _shared_definitions() -> JsonObject:
    """Beside shared definitions stand no keys of a tool."""
    words = 'a file with "fragments" or "types" is no tool'
    beside = _all_but(["tools", "fragments", "types"], "defaults|fragments|types", words)
    holds: list[JsonValue] = [
        {"required": [name], "properties": {name: {"type": "object"}}}
        for name in ("fragments", "types")
    ]
    return {"if": {"anyOf": holds}, "then": {"patternProperties": beside}}


def _all_but(names: Iterable[str], folded: str, why: str) -> JsonObject:
    """A pattern for every key but these, in any spelling those of `folded`, and notes."""
    spelled = [*names, *map(_any_spelling, folded.split("|"))]
    return {rf"^(?!(?:{'|'.join(spelled)})$|x-|\$schema$)": _refused(why)}


def _row() -> JsonObject:
    """A parameter: it has a name and a type, or stands for a fragment."""
    own = _own_keys(Level.PARAMETER)
    own["name"] = {**_described(Level.PARAMETER.known["name"]), "type": "string", "minLength": 1}
    alone: JsonObject = {
        "^(?!include$)": _refused('"include" stands alone in its table', null=True)
    }
    include: JsonObject = {
        "properties": {"include": {"type": "string"}},
        "patternProperties": alone,
    }
    full: JsonObject = {
        "allOf": [
            _required("name", "name"),
            _required("type", "type|schema|anyof|include"),
        ]
    }
    return {
        **_closed(own, _spellings(Level.PARAMETER)),
        "dependencies": {**_exclusions(parameters.EXCLUDED.pairs), "type": _of_a_type()},
        "if": {"required": ["include"]},
        "then": include,
        "else": full,
    }


def _nameless() -> JsonObject:
    """A table that is a type: what stands behind `items`, in `anyOf`, or is shared by its name."""
    names = [
        key.name for key in _keys(Level.PARAMETER) if key.name not in parameters.ONLY_WITH_A_NAME
    ]
    rules = [*_exclusions(parameters.EXCLUDED.pairs), "type"]
    return {
        **_texts(
            "A parameter's table without a name: what the elements of an `array:` are, a branch of "
            "`anyOf`, or a shared type"
        ),
        **_closed(
            _references(Level.PARAMETER, names),
            _spellings(Level.PARAMETER, names),
            kind=["object", "null"],
        ),
        "dependencies": _referred(rules, Level.PARAMETER),
    }


def _of_a_type() -> JsonObject:
    """What stands beside a type: no second one, and no keyword that means nothing on it, where that
    is plain to see."""
    wants = {**{key.name: key.applies for key in KEYS if key.keyword and key.applies}, **_MEMBERS}
    rules: JsonObject = {}
    for pattern, families in reversed(list(_FAMILIES.items())):
        refused: JsonObject = {
            name: {"$ref": f"#/definitions/{family}s"}
            for name, family in wants.items()
            if family not in families
            # `format` may say more of a number; the objects of an array have properties.
            and (name, families) not in (("format", ("number",)), ("properties", ("array",)))
        }
        rules = {
            "if": {"properties": {"type": {"pattern": pattern}}},
            "then": {"properties": refused},
            **({"else": rules} if rules else {}),
        }
    twice = _excluded(parameters.EXCLUDED.pairs)["type"]
    return _unless_absent("type", {"properties": twice, **rules})


# Tables of keys


def _keys(level: Level) -> Iterable[Key]:
    return level.known.values()


def _closed(
    rows: JsonObject,
    patterns: JsonObject,
    *,
    kind: JsonValue = "object",
) -> JsonObject:
    """A table with these keys and no others."""
    return {
        "type": kind,
        "properties": rows,
        "patternProperties": {_OWN: {}, **patterns},
        "additionalProperties": _unknown(_UNKNOWN),
    }


def _own_keys(level: Level) -> JsonObject:
    return {key.name: _key(key) for key in _keys(level)}


def _references(level: Level, names: Iterable[str] | None = None) -> JsonObject:
    """The keys of a tool or a parameter once more, as they are defined there."""
    known = level.known if names is None else names
    return {name: {"$ref": f"#/definitions/{level.value}/properties/{name}"} for name in known}


def _spellings(level: Level, names: Iterable[str] | None = None) -> JsonObject:
    """Patterns for the other spellings of a table's keys that the reader takes."""
    found: JsonObject = {}
    for name in level.known if names is None else names:
        folded = [fold(name)]
        folded += [
            other for (at, other), meant in OTHER_SPELLINGS.items() if (at, meant) == (level, name)
        ]
        found[_other_spellings(folded, name)] = {
            "$ref": f"#/definitions/{level.value}/properties/{name}"
        }
    return found


def _other_spellings(folded: Sequence[str], name: str) -> str:
    return f"^(?!{name}$)(?:{'|'.join(map(_any_spelling, folded))})$"


def _any_spelling(folded: str) -> str:
    """A pattern for all that `fold` makes `folded` of; ASCII only."""
    letters = [f"[{letter.upper()}{letter}]" for letter in folded]
    return f"[_-]*{'[_-]*'.join(letters)}[_-]*"


def _key(key: Key) -> JsonObject:
    """What stands behind a key."""
    schema = {**_described(key), **_SCHEMAS[key.kind]}
    if key.table is Level.PARAMETER:
        if key.kind is Kind.TABLE:
            # In a `then`, where taplo does not look for keys to offer: it would offer those of
            # `items.items.items` with them.
            schema |= {"if": {}, "then": _TYPE_TABLE}
        elif key.name == "anyOf":
            schema["items"] = _TYPE_TABLE
        else:
            schema["items"] = {"$ref": "#/definitions/parameter"}
    elif key.table is not None:
        if key.kind is Kind.TABLE:
            schema |= _small_table(key.table, ["object", "null"])
        else:
            schema["items"] = _small_table(key.table, "object")
    if key.choices:
        if key.kind is Kind.STRINGS:
            schema["items"] = {"enum": list(key.choices)}
        else:
            schema["enum"] = [*key.choices, None]
            del schema["type"]
    if (key.level, key.name) in _PATTERNS:
        pattern, hint = _PATTERNS[key.level, key.name]
        schema |= {"pattern": f"^(?:{pattern})$", "patternErrorMessage": hint}
    if (key.level, key.name) == (Level.PARAMETER, "type") or key.kind is Kind.OPENNESS:
        schema |= {"pattern": _TYPE, "patternErrorMessage": _TYPE_WORDS}
    if key.name == "type":
        schema |= _texts(f"{key.meaning}\n\n{_TYPE_WORDS}")
        words: list[JsonValue] = [
            *SCALARS,
            *(f"{prefix}:string" for prefix in PREFIXES),
            "string | null",
        ]
        # For editors to offer; any other type is one as well.
        schema["anyOf"] = [{"enum": words}, {}]
    return schema


def _small_table(level: Level, kind: JsonValue) -> JsonObject:
    """One of the tables that stand in one place only."""
    rows = _own_keys(level)
    if level is Level.ANNOTATIONS:  # whose keys are read as they stand, and which may have others
        return {"type": kind, "properties": rows}
    patterns: JsonObject = {}
    for name, schema in rows.items():
        assert isinstance(schema, dict)
        patterns[_other_spellings([fold(name)], name)] = {
            key: value for key, value in schema.items() if key in ("type", "items", "enum")
        }
    schema = _closed(rows, patterns, kind=kind)
    needed = {Level.VALUE: "value", Level.ERROR: "code"}.get(level)
    return {**schema, **_required(needed, needed)} if needed else schema


def _described(key: Key) -> JsonObject:
    schema = _texts(key.meaning + (f". Without it: {key.default}" if key.default else ""))
    if key.default[:1] == '"' or key.default == "false":
        schema["default"] = json.loads(key.default)
    return schema


def _texts(text: str) -> JsonObject:
    """A text for whoever shows it as it is, and for whoever shows its Markdown."""
    schema: JsonObject = {"description": text}
    return schema | {"markdownDescription": text} if "`" in text else schema


# Rules


def _excluded(pairs: Iterable[tuple[str, str]]) -> dict[str, JsonObject]:
    """Keys that say the same thing in two ways: by the first, the second, which is one too many."""
    refused: dict[str, JsonObject] = {}
    for one, other in pairs:
        words = f'"{other}" and "{one}" exclude each other'
        refused.setdefault(one, {})[other] = _refused(words, null=other in NULL_IS_A_VALUE)
    return refused


def _exclusions(pairs: Iterable[tuple[str, str]]) -> JsonObject:
    """What `dependencies` say of keys that exclude each other."""
    return {
        one: _unless_absent(one, {"properties": rows}) for one, rows in _excluded(pairs).items()
    }


def _unless_absent(name: str, rule: JsonObject) -> JsonObject:
    """What holds where `name` stands with a value."""
    if name in NULL_IS_A_VALUE:
        return rule
    return {"if": {"properties": {name: {"type": "null"}}}, "else": rule}


def _referred(rules: Iterable[str], level: Level) -> JsonObject:
    """The rules of a tool or a parameter once more."""
    return {name: {"$ref": f"#/definitions/{level.value}/dependencies/{name}"} for name in rules}


def _required(name: str, folded: str) -> JsonObject:
    """`name` must stand there, or one of `folded` in any spelling."""
    return {"if": _without(folded), "then": {"required": [name]}}


def _without(folded: str) -> JsonObject:
    """Holds where none of these keys stands, in any spelling."""
    spelled = "|".join(map(_any_spelling, folded.split("|")))
    return {"propertyNames": {"pattern": f"^(?!(?:{spelled})$)"}}


def _unknown(why: str) -> JsonObject:
    """No value fits. taplo offers what stands in an `enum` here behind any key, but not in a `then`."""
    return {"if": {}, "then": _refused(why, null=True)}


def _refused(why: str, *, null: bool = False) -> JsonObject:
    """No value fits, but null where that is absence.

    Editors show a reason of the schema's own for a wrong member of an `enum`; taplo shows its members.
    """
    values: list[JsonValue] = [why] if null else [why, None]
    return {"enum": values, "errorMessage": why, "doNotSuggest": True}


_TYPE_TABLE: JsonObject = {"$ref": "#/definitions/type"}

_FILE_KEYS: Mapping[str, JsonObject] = {
    "tools": {"type": ["array", "null"], "items": {"$ref": "#/definitions/tool"}},
    "defaults": _closed(_references(Level.TOOL), _spellings(Level.TOOL), kind=["object", "null"]),
    "fragments": {
        "type": ["object", "null"],
        "additionalProperties": _small_table(Level.FRAGMENT, "object"),
    },
    "types": {
        "type": ["object", "null"],
        "propertyNames": {
            "pattern": f"^(?!(?:{'|'.join([*SCALARS, *PREFIXES])})$){_NAME}$",
            "patternErrorMessage": "a type's name begins with a letter, holds letters, digits and _, "
            "and is no word of the grammar",
        },
        "additionalProperties": _TYPE_TABLE,
    },
}


# The project file


def project_schema(lint: JsonObject) -> JsonObject:
    """The JSON Schema of `toolc.toml`, and of a `pyproject.toml` with its table `[tool.toolc]`.

    What has a table `tool` is a `pyproject.toml`, whose other tables are not toolc's. `lint` has the
    schemas of the linter's keys.
    """
    rows = _settings("")
    for table in project.TABLES:
        rows[table] = _closed_settings(_settings(table))
    described = rows["lint"]
    assert isinstance(described, dict)
    rows["lint"] = described | _closed_settings(lint)
    names = "|".join(rows)
    return {
        "$schema": _DIALECT,
        "title": "A project file of toolc",
        "type": "object",
        "properties": {
            **{name: {"$ref": f"#/definitions/settings/properties/{name}"} for name in rows},
            "tool": {
                "type": "object",
                "properties": {"toolc": {"$ref": "#/definitions/settings"}},
                "doNotSuggest": True,
            },
        },
        "if": {"required": ["tool"]},
        "else": {
            "patternProperties": {f"^(?!(?:{names})$)": _refused(_UNKNOWN_SETTING, null=True)}
        },
        "definitions": {"settings": _closed_settings(rows)},
    }


def _closed_settings(rows: JsonObject, required: Sequence[str] = ()) -> JsonObject:
    schema: JsonObject = {
        "type": "object",
        "properties": rows,
        "additionalProperties": _unknown(_UNKNOWN_SETTING),
    }
    return schema | ({"required": list(required)} if required else {})


def _settings(table: str) -> JsonObject:
    return {row.name: _setting(row) for row in SETTINGS if row.table == table}


def _setting(row: Setting) -> JsonObject:
    default = "" if row.default == "none" else f". Without it: {row.default}"
    schema = {**_texts(row.meaning + default), **_SETTINGS[row.kind]}
    if row.choices:
        schema["enum"] = list(row.choices)
    if row.default[:1] in ('"', "[") or row.default in ("true", "false"):
        schema["default"] = json.loads(row.default)
    return schema | _FURTHER.get((row.table, row.name), {})


_PATH: JsonObject = {
    "type": "string",
    "pattern": r"^(?![\\/])(?![^\\/]*:)(?!(?:.*[\\/])?\.\.(?:[\\/]|$)).+$",
    "patternErrorMessage": "a path inside the project, relative to the project file, without ..",
}
_TEXT: JsonObject = {"type": "string", "minLength": 1}
_IDENTIFIER = r"[A-Za-z_]\w*"

_SETTINGS: Mapping[str, JsonObject] = {
    "string": {"type": "string"},
    "choice": {},
    "path": _PATH,
    "paths": {"type": "array", "items": _PATH},
    "package": {"type": "string", "pattern": f"^{project.PACKAGE}$"},
    "class": {"type": "string", "pattern": f"^{project.CLASS}$"},
    "boolean": {"type": "boolean"},
    "table": {"type": "object"},
    "tables": {"type": "array", "items": {"type": "object"}},
}
"""What may stand behind a setting, by its kind."""


def _list_of(name: str, rows: JsonObject) -> JsonObject:
    """One of [server]'s lists of tables: each has the texts that the reader asks for."""
    required, allowed = project.ROWS[name]
    known: JsonObject = {**dict.fromkeys(required, _TEXT), **{other: {} for other in allowed}}
    return {"items": _closed_settings({**known, **rows}, required)}


def _transports() -> JsonObject:
    """How the server is reached: each type of transport says in its own way where that is."""
    lists = _list_of("transports", {"type": {"enum": list(project.TRANSPORTS)}})
    where: list[JsonValue] = [
        {
            "if": {"properties": {"type": {"const": kind}}, "required": ["type"]},
            "then": {"properties": {place: {"type": "string"}}, "required": [place]},
        }
        for kind, place in project.TRANSPORTS.items()
    ]
    assert isinstance(lists["items"], dict)
    return {"items": lists["items"] | {"allOf": where}}


_OUTPUT: JsonObject = {
    **_closed_settings(
        {
            "template": _PATH | _texts("The template, in the folder of templates"),
            "path": _PATH | _texts("Where its text goes; `{name}` is the tool's name"),
            "per": {
                **_texts("A file for each tool, or one of all"),
                "enum": ["tool", "project"],
                "default": "tool",
            },
        },
        ("template", "path"),
    ),
    "if": {"required": ["per"], "properties": {"per": {"const": "project"}}},
    "then": {"properties": {"path": {"not": {"pattern": r"\{name\}"}}}},
    "else": {"properties": {"path": {"pattern": r"\{name\}"}}},
}

_FURTHER: Mapping[tuple[str, str], JsonObject] = {
    ("server", "name"): {"minLength": 1},
    ("server", "version"): {"minLength": 1},
    ("server", "icons"): _list_of("icons", {}),
    ("server", "tags"): _list_of("tags", {}),
    ("server", "transports"): _transports(),
    ("server", "cache"): _closed_settings(
        {
            "ttlMs": {
                **_texts("For how many milliseconds the list may be kept"),
                "type": "integer",
                "minimum": 0,
            },
            "scope": {
                **_texts("Whether others than the one who asked may have it"),
                "enum": ["public", "private"],
                "default": "public",
            },
        }
    ),
    ("", "outputs"): {"items": _OUTPUT},
}
"""What a setting's kind does not say of it."""
