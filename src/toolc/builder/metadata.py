"""Document -> ToolMetadata: the only reader of an author's keys."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from toolc.builder.descriptions import settle
from toolc.builder.keys import Level
from toolc.builder.parameters import ParameterReader, Surroundings
from toolc.builder.tables import Exclusions, Table, fits, read_table
from toolc.builder.words import quoted
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Document, JsonObject, Pointer
from toolc.model.metadata import (
    DeclaredError,
    Example,
    Hints,
    Icon,
    Origin,
    ToolMetadata,
    Ui,
)
from toolc_runtime.revision import TOOL_KEYS

RATE_LIMIT = re.compile(r"[1-9][0-9]{0,8}/(s|sec|second|min|minute|h|hour|d|day)")
HANDLER = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*", re.ASCII)

EXCLUDED = Exclusions(
    ("parameters", "inputSchema"),
    ("output", "outputSchema"),
    ("description", "descriptionFile"),
    ("taskSupport", "execution"),
    ("root", "inputSchema"),
    ("additionalProperties", "extraParameters"),
    ("additionalProperties", "inputSchema"),
)

_RAW_TABLES = ("annotations", "meta", "wire", "root", "inputSchema", "outputSchema")

_SWALLOWED = frozenset(
    {
        "aliases",
        "budget",
        "concurrency",
        "descriptionFile",
        "destructive",
        "discoverable",
        "envelope",
        "extraParameters",
        "handler",
        "idempotent",
        "keywords",
        "openWorld",
        "rateLimit",
        "repair",
        "taskSupport",
        "timeout",
    }
)
"""Keys of a tool that no schema and hardly any annotation has: inside such a table they are lost."""


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


def read_tools(
    document: Document, default_name: str, surroundings: Surroundings, prefix: str = ""
) -> ReadTools:
    """The tools that a document describes: one at its root, or those in its list `tools`.

    `default_name` is what a tool at the root is called when it has no `name`; `prefix` goes before
    the name of each. A tool with an error in it never hides the next one.
    """
    reader = ToolReader(document, surroundings, prefix)
    reader.read(default_name)
    return ReadTools(
        tuple(reader.tools),
        tuple(reader.broken),
        tuple(reader.diagnostics),
        surroundings.shared.closure(reader.used),
        tuple(sorted(reader.attachments)),
    )


class ToolReader(ParameterReader):
    """Reads the tools of one document into `tools` and `broken`."""

    def __init__(self, document: Document, surroundings: Surroundings, prefix: str = "") -> None:
        super().__init__(document, surroundings)
        self.prefix = prefix
        self.tools: list[ToolMetadata] = []
        self.broken: list[ToolMetadata] = []
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
                hint="write keys like `description` and `parameters`",
            )
            self.close_findings()
        elif root.get("tools") is not None:
            self.read_list(root)
        else:
            self.read_tool(root, (), default_name, None)

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
        rows = list(self.rows(table, "tools"))
        self.close_findings()
        for place, item in rows:
            self.read_tool(item, place, "", defaults)

    # Tools

    def read_tool(
        self, raw: JsonObject, pointer: Pointer, default_name: str, defaults: Table | None
    ) -> None:
        table = self.table(raw, Level.TOOL, pointer)
        if defaults is not None:
            self.inherit(table, defaults)
        name = table.get("name") or default_name
        if not name:
            self.findings.add("M112", "a tool must have a name", pointer, hint="give it a `name`")
        label = self.prefix + name if name else ""
        self.exclude(table, EXCLUDED)
        self.refuse_swallowed(table)
        metadata = self.build_metadata(table, label)
        (self.broken if self.findings.has_errors else self.tools).append(metadata)
        self.close_findings(label)

    def inherit(self, table: Table, defaults: Table) -> None:
        """Take what a file's `defaults` say and the tool does not; a hint has two ways to be said."""
        own = dict(table.values)
        table.inherit(defaults, EXCLUDED)
        annotations = table.get("annotations")
        if not isinstance(annotations, dict):
            return
        if "annotations" in own:
            for key, hint in _HINTS.items():
                if hint in annotations and key not in own:
                    table.values.pop(key, None)
        else:
            said = {hint for key, hint in _HINTS.items() if key in own}
            kept = {name: value for name, value in annotations.items() if name not in said}
            table.values["annotations"] = kept

    def build_metadata(self, table: Table, name: str) -> ToolMetadata:
        fields: dict[str, Any] = {}
        for key, value in table.values.items():
            if key in _AS_IT_STANDS:
                fields[_AS_IT_STANDS[key]] = value
            elif key in _READERS:
                field, read = _READERS[key]
                fields[field] = read(self, table)
        return ToolMetadata(
            name=name,
            origin=Origin(self.document, table.pointer),
            description=self.description(table),
            hints=self.hints(table),
            shared=self.surroundings.shared,
            **fields,
        )

    def mode(self, table: Table) -> str:
        """The setting `descriptions`, which a tool may override."""
        mode: str = table.get("descriptions", self.project.descriptions)
        return mode

    def matching(self, table: Table, key: str, pattern: re.Pattern[str], hint: str) -> str:
        value: str = table.get(key)
        if not (pattern.fullmatch(value) and _names_no_keyword(value)):
            self.findings.add("M111", f'"{key}" is {quoted(value)}', table.at(key), hint=hint)
        return value

    def description(self, table: Table) -> str | None:
        mode = self.mode(table)
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
        parts = [part for part in file_name.replace("\\", "/").split("/") if part != "."]
        if file_name.startswith("/") or ".." in parts or ":" in file_name or not parts[-1]:
            self.findings.add(
                "M113",
                f'"descriptionFile" is {quoted(file_name)}, which is not beside this file',
                pointer,
                hint="name a file in this folder or below it",
            )
            return ""
        folder = self.document.source.path.rpartition("/")[0] if self.document.source else ""
        path = "/".join([folder, *parts] if folder else parts)
        self.attachments.add(path)
        text, problem = self.surroundings.read_attachment(path)
        if problem:
            self.findings.add(
                "M113",
                f'the description file "{file_name}" {problem}',
                pointer,
                hint="write the file, or a `description` here",
            )
        return text.replace("\r\n", "\n")

    def wire(self, table: Table) -> JsonObject:
        """Further keys of the Tool object: those that toolc writes itself are not among them."""
        wire = self.object(table, "wire")
        for name in wire:
            if name in TOOL_KEYS:
                self.findings.add(
                    "M109",
                    f'"wire" gives "{name}", which has a key of its own in the format',
                    (*table.at("wire"), name),
                    key=True,
                    hint='"wire" is for keys of the Tool object that MCP does not define',
                )
        return wire

    def meta(self, table: Table) -> JsonObject:
        meta = self.object(table, "meta")
        if "ui" in meta and "ui" in table:
            self.findings.add(
                "M109",
                '"ui" is given twice: directly, and in "meta"',
                (*table.at("meta"), "ui"),
                key=True,
                hint="keep one of them",
                related=self.findings.related('"ui" stands here', table.at("ui"), key=True),
            )
        return meta

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

    def annotations(self, table: Table) -> JsonObject:
        """The `annotations` table as it stands, its hints checked for their kind."""
        raw: JsonObject = table.get("annotations")
        for name, value in raw.items():
            key = Level.ANNOTATIONS.known.get(name)
            if key is not None:
                read_table(
                    {name: value}, Level.ANNOTATIONS, table.at("annotations"), self.findings, None
                )
        return raw

    def ui(self, table: Table) -> Ui:
        ui = self.table(table.get("ui"), Level.UI, table.at("ui"))
        return Ui(ui.get("resourceUri", ""), ui.strings("visibility"))

    def icons(self, table: Table) -> tuple[Icon, ...]:
        icons = []
        for place, raw in self.rows(table, "icons"):
            icon = self.table(raw, Level.ICON, place)
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
        return self.table(table.get("execution"), Level.EXECUTION, table.at("execution")).get(
            "taskSupport"
        )

    def errors(self, table: Table) -> tuple[DeclaredError, ...]:
        errors: list[DeclaredError] = []
        for place, raw in self.rows(table, "errors"):
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
        for place, raw in self.rows(table, "examples"):
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

    def refuse_swallowed(self, table: Table) -> None:
        """Root keys that the header of a raw table took with it: in TOML they are lost without a
        trace, or go out to clients."""
        source = self.document.source
        if source is None or not source.path.endswith(".toml"):
            return
        for key in _RAW_TABLES:
            value = table.get(key)
            if isinstance(value, dict):
                self.refuse_swallowed_below(key, value, table.at(key), source.text)

    def refuse_swallowed_below(
        self, key: str, value: JsonObject, pointer: Pointer, text: str
    ) -> None:
        standing = self.document.places.get(pointer)
        is_opened = standing is not None and text.startswith("[", standing.value.start)
        for name, item in value.items():
            if isinstance(item, dict):
                self.refuse_swallowed_below(key, item, (*pointer, name), text)
            elif is_opened and name in _SWALLOWED and fits(Level.TOOL.known[name], item):
                header = ".".join(str(part) for part in pointer)
                self.findings.add(
                    "M106",
                    f'"{name}" belongs to the tool but stands inside [{header}]',
                    (*pointer, name),
                    key=True,
                    hint=f'move "{name}" above the first [table]; if it is meant, write '
                    f"{key} = {{ … }} inline",
                )

    def input_schema(self, table: Table) -> JsonObject | None:
        if isinstance(table.get("inputSchema"), bool):
            self.findings.add(
                "S405",
                '"inputSchema" must be an object schema, not true or false',
                table.at("inputSchema"),
                hint='write a schema with "type": "object"',
            )
            return None
        return self.schema(table, "inputSchema")


_HINTS: Mapping[str, str] = {
    "readOnly": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "openWorld": "openWorldHint",
}


def _names_no_keyword(path: str) -> bool:
    return not any(keyword.iskeyword(part) for part in re.split(r"[.:]", path))


_AS_IT_STANDS: Mapping[str, str] = {
    "title": "title",
    "discoverable": "discoverable",
    "extraParameters": "extra_parameters",
    "taskSupport": "task_support",
    "deprecated": "deprecated",
    "kind": "kind",
    "budget": "budget",
    "timeout": "timeout",
    "concurrency": "concurrency",
    "envelope": "envelope",
    "repair": "repair",
}
"""Keys whose values need no reading -> the field of ToolMetadata."""

_READERS: Mapping[str, tuple[str, Callable[[ToolReader, Table], Any]]] = {
    "keywords": ("keywords", lambda _, table: table.strings("keywords")),
    "tags": ("tags", lambda _, table: table.strings("tags")),
    "content": ("content", lambda _, table: table.strings("content")),
    "aliases": ("aliases", lambda _, table: table.strings("aliases")),
    "ui": ("ui", ToolReader.ui),
    "icons": ("icons", ToolReader.icons),
    "parameters": (
        "parameters",
        lambda reader, table: reader.parameters(table, "parameters", reader.mode(table)),
    ),
    "output": (
        "output",
        lambda reader, table: reader.parameters(table, "output", reader.mode(table)),
    ),
    "inputSchema": ("input_schema", ToolReader.input_schema),
    "outputSchema": (
        "output_schema",
        lambda reader, table: reader.schema(table, "outputSchema"),
    ),
    "root": ("root", lambda reader, table: reader.object(table, "root")),
    "additionalProperties": ("additional", ToolReader.openness),
    "annotations": ("annotations", ToolReader.annotations),
    "meta": ("meta", ToolReader.meta),
    "wire": ("wire", ToolReader.wire),
    "execution": ("task_support", ToolReader.task_support),
    "errors": ("errors", ToolReader.errors),
    "examples": ("examples", ToolReader.examples),
    "rateLimit": (
        "rate_limit",
        lambda reader, table: reader.matching(
            table, "rateLimit", RATE_LIMIT, 'write it like "60/min"'
        ),
    ),
    "handler": (
        "handler",
        lambda reader, table: reader.matching(
            table, "handler", HANDLER, 'write it like "package.module:function"'
        ),
    ),
}
"""Keys whose values are read -> the field of ToolMetadata, and how."""
