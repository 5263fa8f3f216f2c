"""Rows of `parameters` and `output`, and the nameless tables that are types, as typed data."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from toolc.builder.descriptions import settle
from toolc.builder.keys import Level, fold
from toolc.builder.tables import (
    UNKNOWN_KEY_SEVERITY,
    Exclusions,
    Table,
    read_table,
)
from toolc.builder.types import (
    SCALARS,
    UNRESOLVED,
    TypeSyntaxError,
    names_in,
    parse_type,
    suggest_type,
)
from toolc.builder.words import nearest, quoted
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Document, JsonObject, JsonValue, Pointer
from toolc.model.findings import Findings
from toolc.model.metadata import EnumValue, Origin, Parameter, TypeExpression
from toolc.model.project import Project
from toolc.model.shared import Shared

ParseJson = Callable[[str], "tuple[JsonValue, str]"]
"""JSON text -> its value and an empty string, or None and what is wrong with the text."""

ReadAttachment = Callable[[str], "tuple[str, str]"]
"""A path beside the document's own -> that file's text and an empty string, or why there is none."""

_DEEPEST = 32

_KEYWORDS = frozenset(name for name, key in Level.PARAMETER.known.items() if key.keyword)

_PLAIN = frozenset({"name", "type", "description", "required"}) | _KEYWORDS - {"examples"}
"""What nearly every parameter has to say."""

EXCLUDED = Exclusions(
    ("type", "schema"),
    ("type", "anyOf"),
    ("schema", "anyOf"),
    ("enum", "values"),
    ("const", "values"),
    ("default", "nullDefault"),
    ("schema", "properties"),
    ("schema", "items"),
    ("schema", "values"),
    ("schema", "additionalProperties"),
    ("anyOf", "properties"),
    ("anyOf", "items"),
    ("anyOf", "additionalProperties"),
)

ONLY_WITH_A_NAME = {
    fold(name): name
    for name in ("name", "required", "aliases", "identifier", "header", "x-mcp-header")
}
"""What a table that is a type cannot have, by its folded spelling."""


class Surroundings(NamedTuple):
    """What reading a document needs beside the document."""

    project: Project
    shared: Shared
    parse_json: ParseJson
    read_attachment: ReadAttachment


class ParameterReader:
    """Reads the parameters of one document; what it has to say collects in `diagnostics`."""

    def __init__(self, document: Document, surroundings: Surroundings) -> None:
        self.document = document
        self.surroundings = surroundings
        self.project = surroundings.project
        self.unknown_keys = UNKNOWN_KEY_SEVERITY[surroundings.project.unknown_keys]
        self.findings = Findings(document)
        self.diagnostics: list[Diagnostic] = []
        self.used: set[str] = set()
        """Shared names that are used here, as `fragment:NAME` and `type:NAME`."""

    def close_findings(self, tool: str = "") -> None:
        """Settle what was found so far, as being about `tool` where there is one."""
        self.diagnostics.extend(
            found._replace(tool=tool) if tool else found for found in self.findings
        )
        self.findings = Findings(self.document)

    # Tables

    def table(self, raw: Any, level: Level, pointer: Pointer) -> Table:
        return read_table(raw, level, pointer, self.findings, self.unknown_keys)

    def rows(self, table: Table, key: str) -> Iterator[tuple[Pointer, JsonObject]]:
        """The tables in the list behind `key`, and where each stands; other items were reported."""
        for at, item in enumerate(table.get(key, ())):
            if isinstance(item, dict):
                yield (*table.at(key), at), item

    def exclude(self, table: Table, exclusions: Exclusions) -> None:
        """Refuse two keys that say the same thing; the later one is the one too many."""
        for one, other in exclusions.found(table.values):
            self.findings.add(
                "M109",
                f'"{one}" and "{other}" exclude each other',
                table.at(other),
                key=True,
                hint="keep one of them",
                related=self.findings.related(f'"{one}" stands here', table.at(one), key=True),
            )

    # Raw values

    def raw(self, table: Table, key: str) -> JsonValue:
        """A raw value, parsed where it came as JSON text; None where the text is no JSON."""
        value: JsonValue = table.get(key)
        if not isinstance(value, str):
            return value
        parsed, problem = self.surroundings.parse_json(value)
        if problem:
            self.findings.add(
                "L104",
                f'the JSON text of "{key}" cannot be read: {problem}',
                table.at(key),
                hint="mend the text, or write it as a table",
            )
        elif parsed is None:
            self.findings.add("M105", f'"{key}" must be a table, not null', table.at(key))
        return parsed

    def object(self, table: Table, key: str) -> JsonObject:
        value = self.raw(table, key)
        if value is None or isinstance(value, dict):
            return value or {}
        self.findings.add("M105", f'"{key}" must be a table, not {quoted(value)}', table.at(key))
        return {}

    def schema(self, table: Table, key: str) -> JsonObject | None:
        """A raw schema. `true` makes several clients drop a whole server, and `{}` says the same;
        so does `{"not": {}}` for `false`."""
        value = self.raw(table, key)
        if isinstance(value, bool):
            return {} if value else {"not": {}}
        if value is None or isinstance(value, dict):
            return value
        message = f'"{key}" must be a JSON Schema, not {quoted(value)}'
        self.findings.add("M105", message, table.at(key))
        return None

    # Lists of parameters

    def parameters(self, table: Table, key: str, mode: str) -> tuple[Parameter, ...] | None:
        if key not in table:
            return None
        return self.parameter_list(self.rows(table, key), table.at(key), mode, 0)

    def parameter_list(
        self, rows: Iterator[tuple[Pointer, JsonObject]], pointer: Pointer, mode: str, depth: int
    ) -> tuple[Parameter, ...]:
        """The rows of a list of parameters, shared fragments in the place of their `include`."""
        found: dict[str, Parameter] = {}
        if depth > _DEEPEST:
            self.findings.add("L109", f"parameters nested more than {_DEEPEST} deep", pointer)
            return ()
        for place, item in rows:
            included = self.included(item, place)
            if included is not None:
                for row in included:
                    self.keep(row, place, found)
                continue
            row = self.parameter(item, place, mode, depth)
            if row.name:
                self.keep(row, place, found)
            else:
                self.findings.add(
                    "M203",
                    "a parameter without a name",
                    (*place, "name") if "name" in item else place,
                    hint="give it a `name`",
                )
        if any(row.aliases for row in found.values()):
            self.check_aliases(found)
        return tuple(found.values())

    def keep(self, row: Parameter, place: Pointer, found: dict[str, Parameter]) -> None:
        if row.name not in found:
            found[row.name] = row
            return
        first = found[row.name]
        shared = row.origin.document is not self.document
        where = place if shared else (*row.origin.pointer, "name")
        related = self.findings.related(
            "the first one", (*first.origin.pointer, "name"), document=first.origin.document
        )
        if shared and first is not row:
            related += self.findings.related(
                "the second one, by include",
                (*row.origin.pointer, "name"),
                document=row.origin.document,
            )
        self.findings.add(
            "M202",
            f'parameter "{row.name}" stands twice; the first one would be lost in silence',
            where,
            hint="give one of them another name, or take it away",
            related=related,
        )

    def check_aliases(self, found: Mapping[str, Parameter]) -> None:
        """An old name must lead to one parameter, and be no present one."""
        owners: dict[str, str] = {}
        for row in found.values():
            for at, alias in enumerate(row.aliases):
                taken = alias if alias in found else owners.get(alias)
                if taken is not None:
                    self.findings.add(
                        "M202",
                        f'the alias "{alias}" of parameter "{row.name}" already means "{taken}"',
                        (*row.origin.pointer, "aliases", at),
                        hint="take the alias away",
                        document=row.origin.document,
                    )
                owners.setdefault(alias, row.name)

    def included(self, item: JsonObject, place: Pointer) -> tuple[Parameter, ...] | None:
        """What `{ include = "NAME" }` stands for; None for an ordinary row."""
        spelling = "include"
        if spelling not in item:
            # Alone in its table it is meant, however it is spelled.
            spelling = next(iter(item), "") if len(item) == 1 else ""
            if fold(spelling) != "include":
                return None
        name = item[spelling]
        fragments = self.surroundings.shared.fragments
        if len(item) > 1 or not isinstance(name, str):
            self.findings.add(
                "M109",
                "`include` must stand alone in its table, and name a fragment",
                place,
                hint="leave only `include` with the fragment's name",
            )
            return ()
        if name not in fragments:
            near = nearest(name, fragments)
            self.findings.add(
                "M206",
                f'there is no shared fragment "{name}"',
                (*place, spelling),
                hint=f'did you mean "{near}"?'
                if near
                else f"define [fragments.{name}] in a file whose name begins with _",
            )
            return ()
        self.used.add(f"fragment:{name}")
        return fragments[name]

    # One parameter

    def parameter(self, raw: JsonObject, pointer: Pointer, mode: str, depth: int) -> Parameter:
        """One row, or without a name an `items`, an `anyOf` branch or a shared type."""
        row = self.table(raw, Level.PARAMETER, pointer)
        get = row.get
        label = get("name", "")
        keywords = {name: value for name, value in row.values.items() if name in _KEYWORDS}
        # The reference folds a tool's own description only, so `collapse` leaves these alone.
        description = settle(get("description", ""), "keep" if mode == "collapse" else mode)
        if row.values.keys() <= _PLAIN:
            return Parameter(
                Origin(self.document, pointer),
                label,
                self.type_of(row, label),
                description,
                get("required", False),
                keywords,
            )
        self.exclude(row, EXCLUDED)
        if get("nullDefault"):
            keywords["default"] = None
        schema = self.schema(row, "schema")
        self.refuse_overlap(row, schema, keywords)
        self.refuse_swallowed_examples(row)
        return Parameter(
            origin=Origin(self.document, pointer),
            name=label,
            type=self.type_of(row, label),
            description=description,
            required=get("required", False),
            keywords=keywords,
            nullable=get("nullable", False),
            values=self.enum_values(row),
            header=get("header"),
            properties=self.nested(row, mode, depth),
            items=self.items(row, mode, depth),
            any_of=tuple(
                self.nameless(branch, place, mode, depth)
                for place, branch in self.rows(row, "anyOf")
            ),
            additional=self.openness(row),
            aliases=row.strings("aliases"),
            identifier=self.identifier(row),
            schema=schema,
        )

    def refuse_overlap(self, row: Table, schema: JsonObject | None, keywords: JsonObject) -> None:
        """A keyword beside `schema` that the raw schema has as well: which one is meant?"""
        for name in keywords:
            if schema is not None and name in schema:
                self.findings.add(
                    "M109",
                    f'"{name}" stands in the raw "schema" and beside it',
                    row.at(name),
                    key=True,
                    hint="keep one of them",
                )

    def refuse_swallowed_examples(self, row: Table) -> None:
        """A tool's `examples` behind `[[parameters]]` would become examples of the parameter."""
        examples = row.get("examples")
        if examples and all(
            isinstance(item, dict) and not {"prompt", "arguments"}.isdisjoint(item)
            for item in examples
        ):
            self.findings.add(
                "M106",
                '"examples" of a tool stand inside a parameter',
                row.at("examples"),
                key=True,
                hint="write them above the first [table], or as [[examples]]",
            )

    def type_of(self, row: Table, label: str) -> TypeExpression | None:
        """The row's type; None without one, which `items` may leave to the `array:` around it."""
        text = row.get("type")
        if text is None:
            return UNRESOLVED if "type" in row.unfit else None
        if text in SCALARS:
            return SCALARS[text]
        subject = f'parameter "{label}"' if label else "this type"
        return self.expression(text, row.at("type"), subject) or UNRESOLVED

    def expression(self, text: str, place: Pointer, subject: str) -> TypeExpression | None:
        """The type that `text` writes, its shared names known; None with a finding otherwise."""
        try:
            expression = parse_type(text)
        except TypeSyntaxError as error:
            self.findings.add("M201", f"{subject}: {error}", place, hint=error.hint)
            return None
        types = self.surroundings.shared.types
        for name in names_in(expression):
            if name not in types:
                self.findings.add(
                    "M201",
                    f'{subject}: unknown type "{text}"'
                    if name == text
                    else f'{subject}: unknown type "{name}" in "{text}"',
                    place,
                    hint=suggest_type(name, types),
                )
                return None
            self.used.add(f"type:{name}")
        return expression

    def openness(self, row: Table) -> bool | TypeExpression | str | None:
        value = row.get("additionalProperties")
        if value is None or isinstance(value, bool) or value == "absent":
            return value  # type: ignore[no-any-return]
        return self.expression(value, row.at("additionalProperties"), '"additionalProperties"')

    def enum_values(self, row: Table) -> tuple[EnumValue, ...]:
        values = []
        for place, raw in self.rows(row, "values"):
            value = self.table(raw, Level.VALUE, place)
            if "value" not in value:
                self.findings.add("M112", "a row of `values` must have a value", place)
            values.append(
                EnumValue(value.get("value"), value.get("title", ""), value.get("description", ""))
            )
        return tuple(values)

    def nested(self, row: Table, mode: str, depth: int) -> tuple[Parameter, ...] | None:
        if "properties" not in row:
            return None
        rows = self.rows(row, "properties")
        return self.parameter_list(rows, row.at("properties"), mode, depth + 1)

    def items(self, row: Table, mode: str, depth: int) -> Parameter | None:
        raw = row.get("items")
        return None if raw is None else self.nameless(raw, row.at("items"), mode, depth)

    def nameless(self, raw: JsonObject, pointer: Pointer, mode: str, depth: int) -> Parameter:
        """A parameter table that is a type: a name or `required` in it would mean nothing."""
        if depth > _DEEPEST:
            self.findings.add("L109", f"types nested more than {_DEEPEST} deep", pointer)
            return Parameter(Origin(self.document, pointer), type=SCALARS["any"])
        parameter = self.parameter(raw, pointer, mode, depth + 1)
        for spelling in raw:
            if fold(spelling) in ONLY_WITH_A_NAME:
                self.findings.add(
                    "M109",
                    f'"{spelling}" has no meaning here: this table is a type, not a parameter',
                    (*pointer, spelling),
                    key=True,
                    hint=f'take "{spelling}" away',
                )
        return parameter

    def identifier(self, row: Table) -> str | None:
        value: str | None = row.get("identifier")
        if value is None:
            return None
        if not value.isascii() or not value.isidentifier() or value[0] == "_":
            problem, hint = "is no Python name", "use ASCII letters, digits and _, a letter first"
        elif keyword.iskeyword(value):
            problem, hint = "is a keyword of Python", f'write "{value}_"'
        else:
            return value
        message = f'the identifier "{value}" {problem}'
        self.findings.add("M210", message, row.at("identifier"), hint=hint)
        return None
