"""What a rule may look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from toolc.check.walk import subschemas
from toolc.lint.lazy import expression
from toolc.lint.tokens import tokens_of
from toolc.model.document import JsonObject, JsonValue, Pointer
from toolc.model.project import Project
from toolc.model.tool import Facts
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

_WORD = expression(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")


def words_of_name(name: str) -> list[str]:
    """The words of an identifier in small letters: `listOpenIssues` and `list_open-issues` have the
    same three."""
    return [word.lower() for word in _WORD.findall(name)]


class Property(NamedTuple):
    """One property of a tool's schemas, at whatever depth."""

    pointer: Pointer
    """Begins with `inputSchema` or `outputSchema`."""
    name: str
    schema: JsonObject
    """Empty where it is a boolean."""
    is_required: bool
    depth: int
    """1 for a parameter of the tool's own."""
    description: str
    """Empty where there is none."""
    types: tuple[str, ...]


def _property(
    pointer: Pointer, name: str, schema: JsonObject, is_required: bool, depth: int
) -> Property:
    text, said = schema.get("description"), schema.get("type")
    types: Any = (said,) if isinstance(said, str) else said if isinstance(said, list) else ()
    description = text if isinstance(text, str) else ""
    return Property(pointer, name, schema, is_required, depth, description, tuple(types))


class Subject:
    """One tool, as the wire has it."""

    def __init__(
        self, wire: JsonObject, facts: Facts, project: Project, *, is_listed: bool = False
    ) -> None:
        """`is_listed`: it is known from a list only, so that nobody can say what it has besides."""
        self.wire = wire
        self.facts = facts
        self.project = project
        self.is_listed = is_listed

    @property
    def row(self) -> Row:
        facts = self.facts
        examples = enumerate(facts.examples)
        prompts = tuple([(at, example.prompt) for at, example in examples if example.prompt])
        return Row(
            self.name,
            self.description,
            facts.discoverable,
            self.tokens,
            facts.keywords,
            prompts,
        )

    @property
    def name(self) -> str:
        return self.text("name")

    @property
    def description(self) -> str:
        return self.text("description")

    def text(self, key: str) -> str:
        """A text of the Tool object; empty where there is none."""
        value = self.wire.get(key)
        return value if isinstance(value, str) else ""

    @cached_property
    def tokens(self) -> int:
        """What it costs in every request that shows it, estimated."""
        return tokens_of(self.wire)

    @cached_property
    def name_words(self) -> list[str]:
        return words_of_name(self.name)

    @cached_property
    def words(self) -> str:
        """The description's words in small letters, a space between them; identifiers are taken apart."""
        return " ".join(words_of_name(self.description))

    @cached_property
    def hints(self) -> JsonObject:
        """The annotations; empty where there are none."""
        said = self.wire.get("annotations")
        return said if isinstance(said, dict) else {}

    @cached_property
    def inputs(self) -> tuple[Property, ...]:
        """All properties of the input schema, in its order, outer ones before what is in them."""
        return tuple(_properties(self.wire.get("inputSchema"), ("inputSchema",), 1, []))

    @cached_property
    def parameters(self) -> tuple[Property, ...]:
        """The tool's own."""
        return tuple(row for row in self.inputs if row.depth == 1)

    @cached_property
    def outputs(self) -> tuple[Property, ...]:
        """All properties of the output schema."""
        return tuple(_properties(self.wire.get("outputSchema"), ("outputSchema",), 1, []))

    @cached_property
    def values(self) -> tuple[Property, ...]:
        """All properties of both schemas, and behind each the items of its list, under its name."""
        return tuple(_with_items((*self.inputs, *self.outputs)))

    @cached_property
    def input_schemas(self) -> tuple[tuple[Pointer, JsonObject], ...]:
        """Every object schema in the input schema, itself first, and where it stands."""
        return tuple(subschemas(self.wire.get("inputSchema"), ("inputSchema",)))

    @cached_property
    def output_schemas(self) -> tuple[tuple[Pointer, JsonObject], ...]:
        """The same for the output schema; empty without one."""
        return tuple(subschemas(self.wire.get("outputSchema"), ("outputSchema",)))

    @property
    def texts(self) -> tuple[tuple[Pointer, str], ...]:
        """Everything in the Tool object that a model or a person reads, and where it stands."""
        return self._all_texts[0]

    @property
    def other_texts(self) -> tuple[tuple[Pointer, str], ...]:
        """The other texts in it: names of properties in words, values, comments, and what `_meta`
        has. A model reads those of the schemas too."""
        return self._all_texts[1]

    @cached_property
    def _all_texts(self) -> tuple[tuple[tuple[Pointer, str], ...], tuple[tuple[Pointer, str], ...]]:
        read: list[tuple[Pointer, str]] = []
        other = [(row.pointer, row.name.replace("_", " ")) for row in self.inputs]
        for way, text in _texts(self.wire):
            (read if way[-1] in _READ else other).append((way, text))
        return tuple(read), tuple(other)

    @cached_property
    def everything(self) -> str:
        """All texts in small letters, their blanks made one each: a quick look for a word in all."""
        texts = " ".join([text for _, text in (*self.texts, *self.other_texts)])
        return " ".join(texts.lower().split())


class Row(NamedTuple):
    """What is compared of one tool with others."""

    name: str
    description: str = ""
    is_hidden: bool = False
    """It is found by searching only."""
    tokens: int = 0
    """What it costs in every request that shows it."""
    keywords: tuple[str, ...] = ()
    prompts: tuple[tuple[int, str], ...] = ()
    """Those of its examples, each with its place among them."""


class Index(NamedTuple):
    """All tools together."""

    rows: tuple[Row, ...]
    project: Project


_DEEPEST = 32

_SUBSCHEMAS = ("items", "additionalProperties", "contains", "not", "if", "then", "else")
_SUBSCHEMA_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SUBSCHEMA_TABLES = ("$defs", "definitions", "patternProperties", "dependentSchemas")


_APPLICATORS = frozenset(("properties", *_SUBSCHEMAS, *_SUBSCHEMA_LISTS, *_SUBSCHEMA_TABLES))


def _properties(
    schema: JsonValue, pointer: Pointer, depth: int, found: list[Property]
) -> list[Property]:
    """`found`, with those of a schema added."""
    # Most schemas have no others in them.
    if (
        not isinstance(schema, dict)
        or _APPLICATORS.isdisjoint(schema)
        or len(pointer) > 4 * _DEEPEST
    ):
        return found
    table, required = schema.get("properties"), schema.get("required")
    needed = set(map(str, required)) if isinstance(required, list) else set()
    for name, inner in (table if isinstance(table, dict) else {}).items():
        way = (*pointer, "properties", name)
        said: JsonObject = inner if isinstance(inner, dict) else {}
        found.append(_property(way, name, said, name in needed, depth))
        _properties(said, way, depth + 1, found)
    for key in _SUBSCHEMAS:
        if isinstance(schema.get(key), dict):
            _properties(schema[key], (*pointer, key), depth + (key == "items"), found)
    for key in _SUBSCHEMA_LISTS:
        rows = schema.get(key)
        for at, row in enumerate(rows if isinstance(rows, list) else ()):
            _properties(row, (*pointer, key, at), depth, found)
    for key in _SUBSCHEMA_TABLES:
        rows = schema.get(key)
        for name, row in (rows if isinstance(rows, dict) else {}).items():
            _properties(row, (*pointer, key, name), depth + 1, found)
    return found


def _with_items(rows: Iterable[Property]) -> Iterator[Property]:
    for row in rows:
        yield row
        way, schema = row.pointer, row.schema
        while isinstance(inner := schema.get("items"), dict) and len(way) < 4 * _DEEPEST:
            way, schema = (*way, "items"), inner
            yield _property(way, row.name, schema, False, row.depth + 1)


_READ = frozenset({"title", "description"})
_CONTAINERS = frozenset({dict, list})


_PLAIN = frozenset({"name", "type", "$ref", "$schema", "$id", "pattern", "format"})
_SHORTEST = 12
"""Characters of a text that can say anything of interest."""


def _texts(wire: JsonObject) -> Iterator[tuple[Pointer, str]]:
    """The titles and descriptions, wherever they are, and other texts that are long enough and no
    words of JSON Schema."""
    rows: list[tuple[Pointer, Any]] = [((), wire)]
    while rows:
        way, row = rows.pop()
        inner: list[tuple[Pointer, Any]] = []
        if isinstance(row, dict):
            for key, item in row.items():
                if type(item) in _CONTAINERS:
                    inner.append(((*way, key), item))
                elif isinstance(item, str) and (
                    key in _READ or (len(item) >= _SHORTEST and key not in _PLAIN)
                ):
                    yield (*way, key), item
        elif not way or way[-1] != "required":
            for at, item in enumerate(row):
                if type(item) in _CONTAINERS:
                    inner.append(((*way, at), item))
                elif isinstance(item, str) and len(item) >= _SHORTEST:
                    yield (*way, at), item
        inner.reverse()
        rows += inner
