"""From a place in a tool's wire form back to where an author wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from toolc import pipeline
from toolc.builder.keys import fold
from toolc.builder.tool import build_tool
from toolc.check.places import Places as Written
from toolc.edits import value_at
from toolc.lint.engine import Linted
from toolc.lint.subject import Subject
from toolc.loader import load
from toolc.model.diagnostic import Diagnostic, Severity
from toolc.model.document import Document, JsonObject, JsonValue, Places, Pointer, Site, SourceFile
from toolc.model.findings import Findings
from toolc.model.metadata import Parameter
from toolc.model.project import Project
from toolc.model.shared import Shared
from toolc.model.tool import Facts, Tool
from toolc_runtime.light import NamedTuple

_SCHEMAS = frozenset({"inputSchema", "outputSchema"})

_HINT_KEYS = {
    "readOnlyHint": "readOnly",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "openWorld",
}
"""Annotations that have a key of their own in a definition."""

_OTHER_KEYS = {"_meta": ("meta",), "execution": ("taskSupport",)}


class Definitions:
    """The definition files of a project, read again where a finding has to be placed."""

    def __init__(self, sources: Mapping[str, SourceFile], shared: Shared, project: Project) -> None:
        self._sources = sources
        self._shared = shared
        self._project = project
        self._read: dict[str, tuple[Document | None, Mapping[str, Written]]] = {}

    def linted(self, tool: Tool) -> Linted:
        """A compiled tool, to be linted."""
        subject = Subject(tool.to_wire(), tool.facts, self._project)

        def site(pointer: Pointer, key: bool) -> Site | None:
            document, places = self._file(tool.path)
            if document is None:
                return Site(tool.path) if tool.path else None
            return _site(places.get(tool.name), document, tool.pointer, pointer, key)

        def place(pointer: Pointer) -> tuple[Document, Pointer] | None:
            document, places = self._file(tool.path)
            if document is None:
                return None
            return _place(places.get(tool.name), document, tool.pointer, pointer)

        return Linted(subject, tool.path, site, place)

    def document(self, path: str) -> Document | None:
        """A file's document; None for one that cannot be read."""
        return self._file(path)[0]

    def _file(self, path: str) -> tuple[Document | None, Mapping[str, Written]]:
        if path not in self._read:
            self._read[path] = self._load(path)
        return self._read[path]

    def _load(self, path: str) -> tuple[Document | None, Mapping[str, Written]]:
        source = self._sources.get(path)
        document = None if source is None else load(source)[0]
        if document is None:
            return None, {}
        prefix = pipeline.name_prefix(path, self._project)
        stem = path.rpartition("/")[2].rpartition(".")[0]
        read = pipeline.read_document(document, stem, self._project, self._shared, prefix=prefix)
        places = {}
        for metadata in read.tools:
            tool, checked = build_tool(metadata, self._project, Findings(document))
            written = Written(metadata, checked, tool.facts.types)
            rows = {**_rows_of(written, tool.to_wire()), **checked}
            places[metadata.name] = written._replace(checked=rows)
        return document, places


def _rows_of(written: Written, wire: JsonObject) -> dict[Pointer, Parameter]:
    """The tables that the parts of a tool's schemas were written as, by their places in these."""
    found: dict[Pointer, Parameter] = {}
    metadata = written.metadata
    sides = (("inputSchema", metadata.parameters), ("outputSchema", metadata.output))
    waiting: list[tuple[Pointer, JsonValue, tuple[Parameter, ...]]] = [
        ((side,), wire.get(side), tuple(rows)) for side, rows in sides if rows
    ]
    while waiting:
        pointer, schema, rows = waiting.pop()
        way, table = _object_in(pointer, schema)
        for row in rows:
            place = (*way, "properties", row.name)
            inner = table.get(row.name)
            if isinstance(inner, dict) and len(place) < _DEEPEST:
                found[place] = row
                for part in written.rows(row):
                    waiting.append((place, inner, part.properties or ()))
    return found


_DEEPEST = 64


def _object_in(pointer: Pointer, schema: JsonValue) -> tuple[Pointer, JsonObject]:
    """Where the object with named members is that a schema describes, perhaps as the items of a list or
    beside null; and those members."""
    while isinstance(schema, dict):
        if isinstance(table := schema.get("properties"), dict):
            return pointer, table
        branches = schema.get("anyOf")
        if isinstance(branches, list) and branches:
            pointer, schema = (*pointer, "anyOf", 0), branches[0]
        else:
            pointer, schema = (*pointer, "items"), schema.get("items")
    return pointer, {}


def _site(
    places: Written | None, document: Document, start: Pointer, pointer: Pointer, key: bool
) -> Site | None:
    if places is not None and pointer and pointer[0] in _SCHEMAS:
        other, place = places.written(pointer)
        return other.site(place, key=key)
    ways = _ways(start, pointer)
    # Where nothing stands there: the tool's name, or else the whole of its definition.
    way = next(filter(None, (_spelled(document, way) for way in ways)), (*start, "name"))
    return document.site(way, key=key)


def _place(
    places: Written | None, document: Document, start: Pointer, pointer: Pointer
) -> tuple[Document, Pointer] | None:
    """Where exactly an author wrote what stands at `pointer`."""
    ways = _ways(start, pointer)
    if places is not None and pointer and pointer[0] in _SCHEMAS:
        document, way = places.written(pointer)
        ways = [way]
    found = next(filter(None, (_spelled(document, way) for way in ways)), None)
    return None if found is None else (document, found)


def _ways(start: Pointer, pointer: Pointer) -> list[Pointer]:
    """Where in a document a part of a Tool object may have been written, its schemas aside."""
    ways = [pointer]
    if pointer[:1] == ("annotations",) and len(pointer) > 1:
        ways.insert(0, (_HINT_KEYS.get(str(pointer[1]), str(pointer[1])),))
    elif pointer and pointer[0] in _OTHER_KEYS:
        ways.insert(0, (*_OTHER_KEYS[str(pointer[0])], *pointer[1:]))
    return [(*start, *way) for way in ways]


def _spelled(document: Document, pointer: Pointer) -> Pointer | None:
    """`pointer` in the document's own spelling of its last key; None where nothing stands there."""
    if not pointer or document.has(pointer):
        return pointer
    *way, last = pointer
    if not document.has(tuple(way)):
        return None
    table = value_at(document.value, tuple(way))
    names = table if isinstance(table, dict) else ()
    spelling = next((name for name in names if fold(name) == fold(str(last))), None)
    found = (*way, spelling) if spelling is not None else None
    return found if found is not None and document.has(found) else None


class Listed(NamedTuple):
    """The tools of a JSON document that is no definition."""

    tools: tuple[Linted, ...]
    diagnostics: tuple[Diagnostic, ...]
    """What the specification forbids of them."""


_WIRE_KEYS = frozenset(
    {"name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta"}
)
"""The keys of a Tool object that a definition has in the same form."""


def listed(document: Document, project: Project) -> Listed:
    """The tools of a manifest, a `tools/list` result or its whole response, an MCP Description, a list
    of Tool objects, or one Tool object; they are held to the specification as a definition's are."""
    rows, start = _rows(document.value)
    path = document.source.path if document.source is not None else ""
    tools = []
    for at, row in rows:
        if isinstance(row, dict):
            way = start if at is None else (*start, at)
            tools.append(
                Linted(Subject(row, Facts(), project), path, partial(_listed_site, document, way))
            )
    return Listed(
        tuple(tools), _held_to_specification(document, [row for _, row in rows], start, project)
    )


def _listed_site(document: Document, start: Pointer, pointer: Pointer, key: bool) -> Site | None:
    place = (*start, *pointer)
    return document.site(place if document.has(place) else (*start, "name"), key=key)


def _held_to_specification(
    document: Document, rows: list[JsonValue], start: Pointer, project: Project
) -> tuple[Diagnostic, ...]:
    """What a build would say of definitions in the place of these tools."""
    kept: list[JsonValue] = [
        {key: value for key, value in row.items() if key in _WIRE_KEYS}
        if isinstance(row, dict)
        else row
        for row in rows
    ]
    length = len(start)

    def places(text: str) -> Places:
        return {
            ("tools", *pointer[length:]): place
            for pointer, place in document.locate(text).items()
            if pointer[:length] == start
        }

    as_definition = Document(document.source, {"tools": kept}, places)
    lenient = project._replace(unknown_keys="ignore", namespace="none")
    read = pipeline.read_document(as_definition, "", lenient)
    found = [*read.diagnostics]
    for metadata in (*read.tools, *read.broken):
        found += pipeline.compile_metadata(metadata, lenient, is_broken=metadata in read.broken)[1]
    return tuple(one for one in found if one.severity > Severity.NOTE)


def _rows(value: JsonValue) -> tuple[list[tuple[int | None, JsonValue]], Pointer]:
    if isinstance(value, list):
        return list(enumerate(value)), ()
    if isinstance(value, dict):
        if isinstance(tools := value.get("tools"), list):
            return list(enumerate(tools)), ("tools",)
        if isinstance(result := value.get("result"), dict):
            rows, start = _rows(result)
            return rows, ("result", *start)
        if "inputSchema" in value or "name" in value:
            return [(None, value)], ()
    return [], ()
