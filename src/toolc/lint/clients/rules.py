"""Rules on clients: one for each kind of limit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from toolc.lint.clients.profile import Clients
from toolc.lint.rule import Found, Kind, Rule
from toolc.lint.subject import Index, Subject
from toolc.model.diagnostic import Severity

_HEAD = 'description = "Find notes that contain a word"\n'
_WORD = '\n[[parameters]]\nname = "word"\ntype = "string"\n'
_SEVERAL = "".join(
    f'[[tools]]\nname = "get_{number}"\ndescription = "Get a note"\n' for number in range(41)
)


def _schema(*lines: str) -> str:
    """A definition with an input schema of its own, given by the lines of its table."""
    return _HEAD + '\n[inputSchema]\ntype = "object"\n' + "".join(f"{line}\n" for line in lines)


def _property(schema: str, *lines: str) -> str:
    """The same with one property, and its schema as an inline table."""
    return _schema("additionalProperties = false", 'required = ["word"]', *lines) + (
        f"\n[inputSchema.properties]\nword = {schema}\n"
    )


def _output(*lines: str) -> str:
    return _HEAD + "\n[outputSchema]\n" + "".join(f"{line}\n" for line in lines)


def _find(kind: str, subject: Subject, clients: Clients) -> Iterator[Found]:
    from toolc.lint.clients.findings import find  # when somebody asks for a client

    return find(kind, subject, clients)


def _find_in_all(kind: str, index: Index, clients: Clients) -> Iterator[Found]:
    from toolc.lint.clients.findings import find_in_all

    return find_in_all(kind, index, clients)


_OF_ALL = frozenset({"names-rewritten", "tool-count", "instructions-length"})
"""Kinds that are about all tools together."""


def _rule(
    code: str, kind: str, title: str, why: str, wrong: str, right: str, name: str = ""
) -> Rule:
    """The rule of a kind: it speaks for the clients that are asked for."""
    return Rule(
        code,
        f"client-{name or kind}",
        Kind.CLIENT,
        Severity.WARNING,
        title,
        why,
        wrong,
        right,
        look_for=None if kind in _OF_ALL else partial(_find, kind),
        look_for_all=partial(_find_in_all, kind) if kind in _OF_ALL else None,
        configure="It needs clients to speak for: `--client`, or `clients` in `[lint]`.",
    )


_STRING = '{ type = "string" }'

RULES = (
    _rule(
        "C101",
        "name-pattern",
        "a name with characters that a client refuses",
        "MCP allows dots; several providers refuse them, and with them the whole request.",
        'name = "notes.find"\n' + _HEAD,
        'name = "notes_find"\n' + _HEAD,
    ),
    _rule(
        "C102",
        "name-length",
        "a name too long for a client",
        "MCP allows 128 characters. Clients stop earlier, and many count the server's name too.",
        f'name = "find_{"x" * 60}"\n' + _HEAD,
        'name = "find_notes"\n' + _HEAD,
    ),
    _rule(
        "C103",
        "names-rewritten",
        "two names that become one in a client",
        "Of two tools that a client calls the same, one takes the other's place.",
        "".join(
            f'[[tools]]\nname = "{name}"\ndescription = "Get a note"\n'
            for name in ("note.get", "note_get")
        ),
        "".join(
            f'[[tools]]\nname = "{name}"\ndescription = "Get a note"\n'
            for name in ("note_get", "note_list")
        ),
        "name-clash",
    ),
    _rule(
        "C104",
        "tool-count",
        "more tools than a client takes",
        "A client has one list for all its servers; what is past its end is refused or left out.",
        _SEVERAL,
        _HEAD,
    ),
    _rule(
        "C105",
        "description-length",
        "a description longer than a client takes",
        "It is cut without a word, or has the request refused; warnings often stand at the end.",
        f'description = "{"Find notes. " * 90}"\n',
        _HEAD,
    ),
    _rule(
        "C106",
        "instructions-length",
        "instructions longer than a client takes",
        "The end of them never reaches a model, and nothing says so.",
        f'# toolc.toml\n[server]\ninstructions = "{"Find a note first. " * 110}"\n'
        "# tooldefs/example.toml\n" + _HEAD,
        '# toolc.toml\n[server]\ninstructions = "Find a note before you change it."\n'
        "# tooldefs/example.toml\n" + _HEAD,
    ),
    _rule(
        "C110",
        "root-keyword",
        "a keyword that a client refuses at the root of an input schema",
        "MCP asks for an object at the root and allows any keyword beside it; several providers "
        "refuse the request, and Claude Code leaves the tool out.",
        _schema('anyOf = [{ required = ["a"] }, { required = ["b"] }]')
        + '\n[inputSchema.properties]\na = { type = "string" }\nb = { type = "string" }\n',
        _schema()
        + '\n[inputSchema.properties]\na = { type = "string" }\nb = { type = "string" }\n',
    ),
    _rule(
        "C111",
        "keyword",
        "a keyword that a client refuses",
        "Providers translate schemas to what their models are bound by, and know a part of them.",
        _property('{ type = "integer", exclusiveMinimum = 0 }'),
        _schema() + f"\n[inputSchema.properties]\nword = {_STRING}\n",
    ),
    _rule(
        "C112",
        "keyword-beside",
        "keywords that a client does not take beside each other",
        "What stands beside a reference, or beside branches, is refused by some providers.",
        _property(
            '{ "$ref" = "#/$defs/Word", minLength = 1 }', '"$defs" = { Word = { type = "string" } }'
        ),
        _property(_STRING),
    ),
    _rule(
        "C113",
        "boolean-schema",
        "`true` or `false` as a schema, which a client refuses",
        "It is a schema like any other; clients on the official TypeScript SDK drop the whole "
        "server for one.",
        _property("true"),
        _property(_STRING),
    ),
    _rule(
        "C114",
        "untyped",
        "a parameter without a type, which a client refuses",
        "Some providers cannot build a grammar for anything.",
        _property('{ description = "Any value" }'),
        _property(_STRING),
    ),
    _rule(
        "C115",
        "array-without-items",
        "an array without `items`, which a client refuses",
        "It may hold anything, which some providers do not take.",
        _property('{ type = "array" }'),
        _property('{ type = "array", items = { type = "string" } }'),
    ),
    _rule(
        "C116",
        "without-properties",
        "an input schema without `properties`, which a client refuses",
        "MCP asks for `type` alone; some providers want an empty `properties` besides.",
        _schema("additionalProperties = false"),
        _HEAD,
    ),
    _rule(
        "C117",
        "open-object",
        "an object that takes other keys, which a client refuses",
        "Strict modes bind the model to the schema, and take closed objects only.",
        _schema() + f"\n[inputSchema.properties]\nword = {_STRING}\n",
        _property(_STRING),
    ),
    _rule(
        "C118",
        "optional-parameter",
        "an optional parameter, which a client refuses",
        "Strict modes want every parameter in `required`.",
        _schema("additionalProperties = false", "required = []")
        + f"\n[inputSchema.properties]\nword = {_STRING}\n",
        _property(_STRING),
    ),
    _rule(
        "C119",
        "without-required",
        "a closed schema without `required`, which a client refuses",
        "Gateways that imitate a strict mode want the list even where it is empty.",
        _schema("additionalProperties = false") + f"\n[inputSchema.properties]\nword = {_STRING}\n",
        _property(_STRING),
    ),
    _rule(
        "C120",
        "recursion",
        "a schema that holds itself, which a client refuses",
        "Grammars that are unfolded beforehand would have no end.",
        _property(
            '{ "$ref" = "#/$defs/Word" }',
            '"$defs" = { Word = { type = "object", properties = { next = { "$ref" = "#/$defs/Word" } } } }',
        ),
        _property(_STRING),
    ),
    _rule(
        "C121",
        "format",
        "a format that a client refuses",
        "JSON Schema allows any format; some providers know a few, and refuse the others.",
        _property('{ type = "string", format = "uri" }'),
        _property('{ type = "string", format = "date-time" }'),
    ),
    _rule(
        "C122",
        "enum-values",
        "values of an enum that a client refuses",
        "Some providers take texts only, and none that is empty.",
        _property('{ type = "integer", enum = [1, 2, 3] }'),
        _property('{ type = "string", enum = ["a", "b"] }'),
    ),
    _rule(
        "C123",
        "pattern",
        "a pattern that a client cannot use",
        "Local engines turn patterns into a grammar, and know a part of regular expressions.",
        _property('{ type = "string", pattern = "[a-z]+" }'),
        _property('{ type = "string", pattern = "^[a-z]+$" }'),
    ),
    _rule(
        "C124",
        "large-number",
        "a bound too large for a client",
        "Numbers past what a provider counts in are refused with the whole request.",
        _property('{ type = "integer", maximum = 9223372036854775807 }'),
        _property('{ type = "integer", maximum = 9007199254740991 }'),
    ),
    _rule(
        "C130",
        "parameter-pattern",
        "a parameter with characters that a client refuses",
        "JSON allows any key; providers take letters, digits and a few signs.",
        _HEAD + _WORD.replace("word", "word[]"),
        _HEAD + _WORD,
    ),
    _rule(
        "C131",
        "parameter-length",
        "a parameter with a name too long for a client",
        "Generated names, of nested objects made flat above all, get too long.",
        _HEAD + _WORD.replace("word", "word_" + "x" * 60),
        _HEAD + _WORD,
    ),
    _rule(
        "C140",
        "dialect",
        "a dialect of JSON Schema that a client does not know",
        "Since 2025-11-25 a schema is 2020-12 unless it says otherwise; clients that know that "
        "dialect only fail when the tool is called.",
        _output(
            '"$schema" = "http://json-schema.org/draft-07/schema#"',
            'type = "object"',
            f"properties = {{ word = {_STRING} }}",
        ),
        _output('type = "object"', f"properties = {{ word = {_STRING} }}"),
    ),
    _rule(
        "C141",
        "output-root",
        "an output schema that is no object, which a client refuses",
        "MCP 2026-07-28 allows any; clients on older SDKs refuse the whole list for it.",
        _output('type = "array"', f"items = {_STRING}"),
        _output('type = "object"', f"properties = {{ word = {_STRING} }}"),
    ),
)
