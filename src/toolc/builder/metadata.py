"""Document -> ToolMetadata: the only reader of an author's keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from toolc.builder.descriptions import settle
from toolc.builder.keys import KNOWN, Level
from toolc.builder.tables import (
    UNKNOWN_KEY_SEVERITY,
    Table,
    nearest,
    quoted,
    read_table,
)
from toolc.builder.types import SCALARS, TypeSyntaxError, names_in, parse_type, suggest_type
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Document, JsonObject, JsonValue, Pointer
from toolc.model.findings import Findings
from toolc.model.metadata import (
    DeclaredError,
    EnumValue,
    Example,
    Hints,
    Icon,
    Origin,
    Parameter,
    Shared,
    ToolMetadata,
    TypeExpression,
    Ui,
)
from toolc.model.project import Project

ParseJson = Callable[[str], "tuple[JsonValue, str]"]
"""JSON text -> its value and an empty string, or None and what is wrong with the text."""

ReadAttachment = Callable[[str], "tuple[str, str]"]
"""A path beside the document's own -> that file's text and an empty string, or why there is none."""

_RATE_LIMIT = re.compile(r"[1-9][0-9]{0,8}/(s|sec|second|min|minute|h|hour|d|day)")
_HANDLER = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*", re.ASCII)
_DEEPEST = 32


class Surroundings(NamedTuple):
    """What reading a document needs beside the document."""

    project: Project
    shared: Shared
    parse_json: ParseJson
    read_attachment: ReadAttachment


class ReadTools(NamedTuple):
    """The tools of one document, what there is to say of it, and what else they depend on."""

    tools: tuple[ToolMetadata, ...]
    broken: tuple[ToolMetadata, ...]
    """Tools with an error in them, as far as they could be read: not to be used, but to be
    checked further, so that all there is to mend is said at once."""
    diagnostics: tuple[Diagnostic, ...]
    uses: tuple[str, ...]
    """Shared names, `fragment:NAME` and `type:NAME`, sorted."""
    attachments: tuple[str, ...]


def read_tools(document: Document, default_name: str, surroundings: Surroundings) -> ReadTools:
    """The tools that a document describes: one at its root, or those in its list `tools`.

    `default_name` is what a tool at the root is called when it has no `name`. A tool with an
    error in it never hides the next one.
    """
    reader = Reader(document, surroundings)
    reader.read(default_name)
    return ReadTools(
        tuple(reader.tools),
        tuple(reader.broken),
        tuple(reader.diagnostics),
        tuple(sorted(reader.uses)),
        tuple(sorted(reader.attachments)),
    )


class Reader:
    """Reads one document; what it has to say collects in `diagnostics`."""

    def __init__(self, document: Document, surroundings: Surroundings) -> None:
        self.document = document
        self.surroundings = surroundings
        self.project = surroundings.project
        self.unknown_keys = UNKNOWN_KEY_SEVERITY[surroundings.project.unknown_keys]
        self.findings = Findings(document)
        self.diagnostics: list[Diagnostic] = []
        self.tools: list[ToolMetadata] = []
        self.broken: list[ToolMetadata] = []
        self.uses: set[str] = set()
        self.attachments: set[str] = set()

    # Files

    def read(self, default_name: str) -> None:
        """Read the document's tools into `tools` and `broken`."""
        root = self.document.value
        if not isinstance(root, dict):
            self.findings.add(
                "M105",
                f"a definition must be a table, not {quoted(root)}",
                (),
                hint='write keys like `description = "…"`',
            )
            self.close_findings()
        elif isinstance(root.get("tools"), list):
            self.read_list(root)
        else:
            self.tool(root, (), default_name, None)

    def read_list(self, root: JsonObject) -> None:
        """A file of several tools: `tools`, with `defaults` for all of them."""
        table = self.table(root, Level.FILE, ())
        for name in ("fragments", "types"):
            if name in table:
                self.findings.add(
                    "M109",
                    f'"{name}" stands beside "tools"',
                    table.at(name),
                    key=True,
                    hint="shared definitions go into a file of their own whose name begins with _",
                )
        defaults = None
        if "defaults" in table:
            defaults = self.table(table.get("defaults"), Level.TOOL, table.at("defaults"))
        self.close_findings()
        for at, item in enumerate(table.get("tools", ())):
            self.tool(item, (*table.at("tools"), at), "", defaults)

    def close_findings(self) -> None:
        self.diagnostics.extend(self.findings)
        self.findings = Findings(self.document)

    def table(self, raw: Any, level: Level, pointer: Pointer) -> Table:
        return read_table(raw, level, pointer, self.findings, self.unknown_keys)

    # Tools

    def tool(
        self, raw: JsonObject, pointer: Pointer, default_name: str, defaults: Table | None
    ) -> None:
        """Read one tool."""
        name = raw.get("name")
        label = name if isinstance(name, str) and name else default_name
        self.findings = Findings(self.document, label)
        table = self.table(raw, Level.TOOL, pointer)
        if defaults is not None:
            table.inherit(defaults)
        if not label:
            self.findings.add("M112", "a tool must have a name", pointer, hint='add `name = "…"`')
        self.exclude(table, "parameters", "inputSchema")
        self.exclude(table, "output", "outputSchema")
        self.exclude(table, "description", "descriptionFile")
        self.exclude(table, "taskSupport", "execution")
        self.exclude(table, "root", "inputSchema")
        self.exclude(table, "additionalProperties", "extraParameters")
        self.exclude(table, "additionalProperties", "inputSchema")
        metadata = self.build_metadata(table, label)
        (self.broken if self.findings.has_errors else self.tools).append(metadata)
        self.close_findings()

    def build_metadata(self, table: Table, name: str) -> ToolMetadata:
        mode = table.get("descriptions", self.project.descriptions)
        get = table.get
        return ToolMetadata(
            name=name,
            origin=Origin(self.document, table.pointer),
            title=get("title", ""),
            description=self.description(table, mode),
            keywords=table.strings("keywords"),
            discoverable=get("discoverable", False),
            hints=self.hints(table),
            ui=self.ui(table),
            icons=self.icons(table),
            parameters=self.parameters(table, "parameters", mode) or (),
            output=self.parameters(table, "output", mode),
            input_schema=self.input_schema(table),
            output_schema=self.schema(table, "outputSchema"),
            root=self.object(table, "root"),
            additional=self.openness(table),
            extra_parameters=get("extraParameters"),
            annotations=self.annotations(table),
            meta=self.object(table, "meta") if "meta" in table else None,
            wire=self.object(table, "wire"),
            task_support=self.task_support(table),
            tags=table.strings("tags"),
            deprecated=get("deprecated", False),
            kind=get("kind"),
            budget=get("budget"),
            content=table.strings("content"),
            errors=self.errors(table),
            examples=self.examples(table),
            timeout=get("timeout"),
            concurrency=get("concurrency"),
            rate_limit=self.matching(table, "rateLimit", _RATE_LIMIT, 'write it like "60/min"'),
            envelope=get("envelope", False),
            repair=get("repair", "off"),
            aliases=table.strings("aliases"),
            handler=self.matching(
                table, "handler", _HANDLER, 'write it like "package.module:function"'
            ),
            shared=self.surroundings.shared,
        )

    def exclude(self, table: Table, one: str, other: str) -> None:
        if one in table and other in table:
            order = list(table.values)
            if order.index(other) < order.index(one):
                one, other = other, one
            self.findings.add(
                "M109",
                f'"{one}" and "{other}" exclude each other',
                table.at(other),
                key=True,
                hint="keep one of them",
                related=self.findings.related(f'"{one}" stands here', table.at(one), key=True),
            )

    def matching(self, table: Table, key: str, pattern: re.Pattern[str], hint: str) -> str | None:
        value: str | None = table.get(key)
        if value is not None and not pattern.fullmatch(value):
            self.findings.add("M111", f'"{key}" is {quoted(value)}', table.at(key), hint=hint)
        return value

    def description(self, table: Table, mode: str) -> str | None:
        file_name = table.get("descriptionFile")
        if file_name is not None:
            text = self.attachment(file_name, table.at("descriptionFile"))
            return settle(text, mode)
        text = table.get("description")
        if text is not None:
            return settle(text, mode)
        return None if "inputSchema" in table else ""

    def attachment(self, file_name: str, pointer: Pointer) -> str:
        """The text of a file beside this one; its name may not lead anywhere else."""
        parts = file_name.replace("\\", "/").split("/")
        if file_name.startswith("/") or ".." in parts or ":" in file_name or not parts[-1]:
            self.findings.add(
                "M113",
                f'"descriptionFile" is {quoted(file_name)}, which is not beside this file',
                pointer,
                hint="name a file in this folder or below it",
            )
            return ""
        folder = self.document.source.path.rpartition("/")[0] if self.document.source else ""
        path = f"{folder}/{file_name}" if folder else file_name
        self.attachments.add(path)
        text, problem = self.surroundings.read_attachment(path)
        if problem:
            self.findings.add(
                "M113",
                f'the description file "{file_name}" {problem}',
                pointer,
                hint="write the file, or a `description` here",
            )
        return text

    def hints(self, table: Table) -> Hints:
        """The four hints; one that stands both here and in `annotations` is an error."""
        annotations = table.get("annotations", {})
        for key, hint in _HINTS.items():
            if key in table and isinstance(annotations, dict) and hint in annotations:
                self.findings.add(
                    "M104",
                    f'"{key}" is given twice: directly, and as "{hint}" in "annotations"',
                    (*table.at("annotations"), hint),
                    key=True,
                    hint=f'keep "{key}"',
                    related=self.findings.related("the first one", table.at(key), key=True),
                )
        get = table.get
        return Hints(get("readOnly"), get("destructive"), get("idempotent"), get("openWorld"))

    def annotations(self, table: Table) -> JsonObject | None:
        """The `annotations` table as it stands, its hints checked for their kind."""
        raw: JsonObject | None = table.get("annotations")
        for name, value in (raw or {}).items():
            key = KNOWN[Level.ANNOTATIONS].get(name)
            if key is not None:
                read_table(
                    {name: value}, Level.ANNOTATIONS, table.at("annotations"), self.findings, None
                )
        return raw

    def ui(self, table: Table) -> Ui | None:
        raw = table.get("ui")
        if raw is None:
            return None
        ui = self.table(raw, Level.UI, table.at("ui"))
        return Ui(ui.get("resourceUri", ""), ui.strings("visibility"))

    def icons(self, table: Table) -> tuple[Icon, ...]:
        icons = []
        for at, raw in enumerate(table.get("icons", ())):
            icon = self.table(raw, Level.ICON, (*table.at("icons"), at))
            icons.append(
                Icon(
                    icon.get("src", ""),
                    icon.get("mimeType", ""),
                    icon.strings("sizes"),
                    icon.get("theme", ""),
                )
            )
        return tuple(icons)

    def task_support(self, table: Table) -> Any:
        raw = table.get("execution")
        if raw is None:
            return table.get("taskSupport")
        return self.table(raw, Level.EXECUTION, table.at("execution")).get("taskSupport")

    def errors(self, table: Table) -> tuple[DeclaredError, ...]:
        errors: list[DeclaredError] = []
        for at, raw in enumerate(table.get("errors", ())):
            place = (*table.at("errors"), at)
            error = self.table(raw, Level.ERROR, place)
            code = error.get("code", "")
            if not code:
                self.findings.add(
                    "M112", "an error must have a code", place, hint='add `code = "…"`'
                )
            elif any(code == other.code for other in errors):
                self.findings.add("M111", f'the error "{code}" is declared twice', place)
            errors.append(DeclaredError(code, error.get("description", "")))
        return tuple(errors)

    def examples(self, table: Table) -> tuple[Example, ...]:
        examples = []
        for at, raw in enumerate(table.get("examples", ())):
            place = (*table.at("examples"), at)
            row = self.table(raw, Level.EXAMPLE, place)
            arguments = self.object(row, "arguments") if "arguments" in row else None
            examples.append(
                Example(
                    place,
                    row.get("prompt", ""),
                    arguments,
                    row.get("result"),
                    "result" in row,
                    row.get("exact", False),
                )
            )
        return tuple(examples)

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
            return None
        return parsed

    def object(self, table: Table, key: str) -> JsonObject:
        value = self.raw(table, key)
        if value is None or isinstance(value, dict):
            if value and key == "meta":
                self.refuse_swallowed(table, value)
            return value or {}
        self.findings.add("M105", f'"{key}" must be a table, not {quoted(value)}', table.at(key))
        return {}

    def refuse_swallowed(self, table: Table, meta: JsonObject) -> None:
        """Root keys that a `[meta]` line took with it: in TOML they are lost without a trace."""
        document, place = self.document, self.document.places if self._is_toml() else {}
        standing = place.get(table.at("meta"))
        if standing is None or document.source is None:
            return
        if not document.source.text.startswith("[", standing.value.start):
            return
        for name in meta:
            key = KNOWN[Level.TOOL].get(name)
            if key is not None and name not in ("ui", "title", "description", "name", "tags"):
                self.findings.add(
                    "M106",
                    f'"{name}" belongs to the tool but stands inside [meta]',
                    (*table.at("meta"), name),
                    key=True,
                    hint=f'move "{name}" above the first [table]; if it is meant, write '
                    "meta = { … } inline",
                )

    def _is_toml(self) -> bool:
        return self.document.source is not None and self.document.source.path.endswith(".toml")

    def schema(self, table: Table, key: str) -> JsonValue:
        value = self.raw(table, key)
        if value is None or isinstance(value, (dict, bool)):
            return value
        self.findings.add(
            "M105", f'"{key}" must be a JSON Schema, not {quoted(value)}', table.at(key)
        )
        return None

    def input_schema(self, table: Table) -> JsonObject | None:
        value = self.schema(table, "inputSchema")
        if isinstance(value, bool):
            self.findings.add(
                "S405",
                '"inputSchema" must be an object schema, not true or false',
                table.at("inputSchema"),
                hint='write { "type": "object" }',
            )
            return None
        return value  # type: ignore[return-value]

    # Parameters

    def parameters(self, table: Table, key: str, mode: str) -> tuple[Parameter, ...] | None:
        raw = table.get(key)
        if raw is None:
            return None
        return self.parameter_list(raw, table.at(key), mode, 0)

    def parameter_list(
        self, raw: list[JsonObject], pointer: Pointer, mode: str, depth: int
    ) -> tuple[Parameter, ...]:
        """The rows of a list of parameters, shared fragments in the place of their `include`."""
        found: dict[str, Parameter] = {}
        if depth > _DEEPEST:
            self.findings.add("L109", f"parameters nested more than {_DEEPEST} deep", pointer)
            return ()
        for at, item in enumerate(raw):
            place = (*pointer, at)
            rows = self.included(item, place)
            if rows is None:
                row = self.parameter(item, place, mode, depth)
                if not row.name:
                    self.findings.add(
                        "M203",
                        f"parameter {at + 1} has no name",
                        (*place, "name") if "name" in item else place,
                        hint='add `name = "…"`',
                    )
                    continue
                rows = (row,)
            for row in rows:
                self.keep(row, place, found)
        return tuple(found.values())

    def keep(self, row: Parameter, place: Pointer, found: dict[str, Parameter]) -> None:
        first = found.setdefault(row.name, row)
        if first is row:
            return
        shared = row.origin.document is not self.document
        where = place if shared else (*row.origin.pointer, "name")
        related = self.findings.related(
            "the first one", (*first.origin.pointer, "name"), document=first.origin.document
        )
        if shared:
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

    def included(self, item: JsonObject, place: Pointer) -> tuple[Parameter, ...] | None:
        """What `{ include = "NAME" }` stands for; None for an ordinary row."""
        if "include" not in item:
            return None
        name = item["include"]
        fragments = self.surroundings.shared.fragments
        if len(item) > 1 or not isinstance(name, str):
            self.findings.add(
                "M109",
                "`include` must stand alone in its table, and name a fragment",
                place,
                hint='write { include = "NAME" }',
            )
            return ()
        if name not in fragments:
            near = nearest(name, fragments)
            self.findings.add(
                "M206",
                f'there is no shared fragment "{name}"',
                (*place, "include"),
                hint=f'did you mean "{near}"?'
                if near
                else f"define [fragments.{name}] in a file whose name begins with _",
            )
            return ()
        self.uses.add(f"fragment:{name}")
        return fragments[name]

    def parameter(self, raw: JsonObject, pointer: Pointer, mode: str, depth: int) -> Parameter:
        """One row, or without a name an `items`, an `anyOf` branch or a shared type."""
        row = self.table(raw, Level.PARAMETER, pointer)
        get = row.get
        for one, other in _EXCLUDED:
            self.exclude(row, one, other)
        keywords = {
            name: value
            for name, value in row.values.items()
            if name in _KEYWORDS and not (value is None and name == "const" and "const" not in row)
        }
        if get("nullDefault"):
            self.exclude(row, "default", "nullDefault")
            keywords["default"] = None
        label = get("name", "")
        schema = self.schema(row, "schema")
        if isinstance(schema, bool):
            # `true` makes several clients drop the whole server; `{}` says the same.
            schema = {} if schema else {"not": {}}
        return Parameter(
            origin=Origin(self.document, pointer),
            name=label,
            type=self.type_of(row, label),
            description=self.parameter_description(get("description", ""), mode),
            required=get("required", False),
            keywords=keywords,
            nullable=get("nullable", False),
            values=self.enum_values(row),
            header=get("header"),
            properties=self.nested(row, "properties", mode, depth),
            items=self.items(row, mode, depth),
            any_of=self.branches(row, mode, depth),
            additional=self.openness(row),
            aliases=row.strings("aliases"),
            identifier=self.identifier(row),
            schema=schema,  # type: ignore[arg-type]
        )

    @staticmethod
    def parameter_description(text: str, mode: str) -> str:
        """The reference folds a tool's own description only, so `collapse` leaves these alone."""
        return settle(text, "keep" if mode == "collapse" else mode)

    def type_of(self, row: Table, label: str) -> TypeExpression | None:
        text = row.get("type")
        if text is None:
            # `items` may leave its type to the `array:` around it; everything else needs one.
            return None
        subject = f'parameter "{label}"' if label else "this type"
        return self.expression(text, row.at("type"), subject) or SCALARS["any"]

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
            self.uses.add(f"type:{name}")
        return expression

    def openness(self, row: Table) -> bool | TypeExpression | str | None:
        value = row.get("additionalProperties")
        if value is None or isinstance(value, bool) or value == "absent":
            return value  # type: ignore[no-any-return]
        return self.expression(value, row.at("additionalProperties"), '"additionalProperties"')

    def enum_values(self, row: Table) -> tuple[EnumValue, ...]:
        values = []
        for at, raw in enumerate(row.get("values", ())):
            place = (*row.at("values"), at)
            value = self.table(raw, Level.VALUE, place)
            if "value" not in value:
                self.findings.add("M112", "a row of `values` must have a value", place)
            values.append(
                EnumValue(value.get("value"), value.get("title", ""), value.get("description", ""))
            )
        return tuple(values)

    def nested(self, row: Table, key: str, mode: str, depth: int) -> tuple[Parameter, ...] | None:
        raw = row.get(key)
        return None if raw is None else self.parameter_list(raw, row.at(key), mode, depth + 1)

    def items(self, row: Table, mode: str, depth: int) -> Parameter | None:
        raw = row.get("items")
        return None if raw is None else self.nameless(raw, row.at("items"), mode, depth)

    def branches(self, row: Table, mode: str, depth: int) -> tuple[Parameter, ...]:
        return tuple(
            self.nameless(raw, (*row.at("anyOf"), at), mode, depth)
            for at, raw in enumerate(row.get("anyOf", ()))
        )

    def nameless(self, raw: JsonObject, pointer: Pointer, mode: str, depth: int) -> Parameter:
        """A parameter table that is a type: a name or `required` in it would mean nothing."""
        if depth > _DEEPEST:
            self.findings.add("L109", f"types nested more than {_DEEPEST} deep", pointer)
            return Parameter(Origin(self.document, pointer))
        parameter = self.parameter(raw, pointer, mode, depth + 1)
        for key in ("name", "required", "aliases", "identifier", "header"):
            if key in raw:
                self.findings.add(
                    "M109",
                    f'"{key}" has no meaning here: this table is a type, not a parameter',
                    (*pointer, key),
                    key=True,
                    hint=f'take "{key}" away',
                )
        return parameter

    def identifier(self, row: Table) -> str | None:
        value: str | None = row.get("identifier")
        if value is not None and not (value.isidentifier() and value.isascii() and value[0] != "_"):
            self.findings.add(
                "M210",
                f'the identifier "{value}" is no Python name',
                row.at("identifier"),
                hint="use ASCII letters, digits and _, and begin with a letter",
            )
            return None
        return value


_HINTS: Mapping[str, str] = {
    "readOnly": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "openWorld": "openWorldHint",
}

_KEYWORDS = frozenset(name for name, key in KNOWN[Level.PARAMETER].items() if key.keyword)

_EXCLUDED = (
    ("type", "schema"),
    ("type", "anyOf"),
    ("schema", "anyOf"),
    ("enum", "values"),
    ("const", "values"),
    ("schema", "properties"),
    ("schema", "items"),
    ("schema", "values"),
)
