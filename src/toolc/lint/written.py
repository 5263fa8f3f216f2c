"""From a place in a tool's wire form back to where an author wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from toolc import pipeline
from toolc.builder.keys import fold
from toolc.builder.words import quoted
from toolc.check.places import Places as Written
from toolc.edits import value_at
from toolc.lint.engine import Linted, PlaceOf, SiteOf
from toolc.lint.subject import Subject
from toolc.loader import load
from toolc.model.diagnostic import Diagnostic, Severity
from toolc.model.document import Document, JsonValue, Places, Pointer, Site, SourceFile
from toolc.model.findings import Findings
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

_ROOT_KEYS = {"additionalProperties": ("extraParameters",), "properties": ("parameters",)}
"""What the root of an input schema has by itself, and the key of a definition that decides it."""

_OTHER_KEYS = {"_meta": ("meta",), "execution": ("taskSupport",)}


class Definitions:
    """The definition files of a project, read again where a finding has to be placed."""

    def __init__(self, sources: Mapping[str, SourceFile], shared: Shared, project: Project) -> None:
        self._sources = sources
        self._shared = shared
        self._project = project
        self._documents: dict[str, Document | None] = {}
        self._written: dict[str, Mapping[str, Written]] = {}

    def linted(self, tool: Tool) -> Linted:
        """A compiled tool, to be linted."""
        subject = Subject(tool.to_wire(), tool.facts, self._project)
        where = tool.path, tool.name, tool.pointer
        return Linted(subject, tool.path, self.site_of(*where), self.place_of(*where))

    def site_of(self, path: str, name: str, start: Pointer) -> SiteOf:
        """The way to where the parts of a tool were written; `start` is where its definition is."""

        def site(pointer: Pointer, key: bool) -> Site | None:
            document = self.document(path)
            if document is None:
                return Site(path) if path else None
            return _site(self._places(document, path, name, pointer), document, start, pointer, key)

        return site

    def place_of(self, path: str, name: str, start: Pointer) -> PlaceOf:
        """The way to exactly what says what the parts of a tool are, where something does."""

        def place(pointer: Pointer) -> tuple[Document, Pointer] | None:
            document = self.document(path)
            if document is None:
                return None
            return _place(self._places(document, path, name, pointer), document, start, pointer)

        return place

    def document(self, path: str) -> Document | None:
        """A file's document; None for one that cannot be read."""
        if path not in self._documents:
            source = self._sources.get(path)
            self._documents[path] = None if source is None else load(source)[0]
        return self._documents[path]

    def _places(self, document: Document, path: str, name: str, pointer: Pointer) -> Written | None:
        """The places of a tool's schemas, for a pointer into one of them: only there is it asked what
        a build made of which line, which takes a reading of the whole file."""
        if not pointer or pointer[0] not in _SCHEMAS:
            return None
        if path not in self._written:
            self._written[path] = self._read(document, path)
        return self._written[path].get(name)

    def _read(self, document: Document, path: str) -> Mapping[str, Written]:
        from toolc.builder.tool import build_tool

        prefix = pipeline.name_prefix(path, self._project)
        stem = path.rpartition("/")[2].rpartition(".")[0]
        read = pipeline.read_document(document, stem, self._project, self._shared, prefix=prefix)
        places = {}
        for metadata in read.tools:
            tool, rows = build_tool(metadata, self._project, Findings(document), every_row=True)
            places[metadata.name] = Written(metadata, rows, tool.facts.types)
        return places


def _site(
    places: Written | None, document: Document, start: Pointer, pointer: Pointer, key: bool
) -> Site | None:
    if places is not None and pointer and pointer[0] in _SCHEMAS:
        other, place = places.written(pointer)
        _, row = places.nearest(pointer)
        if other.has(place) and (row is None or place != row.origin.pointer):
            return other.site(place, key=key)
        # A row of parameters is shown by its name, and what its schema has of a type by that; what
        # the whole schema has by itself by the setting that it comes from, or by the tool's name.
        if row is not None:
            own, parts = row.origin.pointer, ("type", "name")[place == row.origin.pointer :]
        else:
            own, parts = start, (*_ROOT_KEYS.get(str(pointer[-1]), ()), "name")
        ways = [(*own, part) for part in parts]
        return other.site(next(filter(other.has, ways), place))
    ways = _ways(start, pointer)
    # Where nothing stands there: what the tool is called or said to be, or else its whole definition.
    ways += [(*start, part) for part in ("name", "description", "title")]
    way = next(filter(None, (_spelled(document, way) for way in ways)), start)
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
    project: Project
    """The one that they were read for, as it would be if its server were theirs."""


_WIRE_KEYS = frozenset(
    {"name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta"}
)
"""The keys of a Tool object that a definition has in the same form."""


def listed(document: Document, project: Project) -> Listed:
    """The tools of a manifest, a `tools/list` result or its whole response, an MCP Description, a list
    of Tool objects, or one Tool object; they are held to the specification as a definition's are."""
    rows, start = _rows(document.value)
    path = document.source.path if document.source is not None else ""
    server = project.server._replace(name=_server_name(document.value), instructions="")
    own = project._replace(server=server)
    tools = []
    for at, row in rows:
        if isinstance(row, dict):
            way = start if at is None else (*start, at)
            tools.append(
                Linted(
                    Subject(row, Facts(), own, is_listed=True),
                    path,
                    partial(_listed_site, document, way),
                )
            )
    found = _held_to_specification(document, rows, start, project)
    return Listed(tuple(tools), found, own)


_SERVER_NAMES = (("serverInfo", "name"), ("server", "serverInfo", "name"), ("info", "name"))
"""Where a document may name the server: an answer to `initialize`, an MCP Description."""


def _server_name(value: JsonValue) -> str:
    """The name of the server that a document's tools are of; empty where it does not say."""
    for way in _SERVER_NAMES:
        node = value
        for part in way:
            node = node.get(part) if isinstance(node, dict) else None
        if isinstance(node, str):
            return node
    return ""


def _listed_site(document: Document, start: Pointer, pointer: Pointer, key: bool) -> Site | None:
    place = (*start, *pointer)
    return document.site(place if document.has(place) else (*start, "name"), key=key)


def _held_to_specification(
    document: Document, rows: list[tuple[int | None, JsonValue]], start: Pointer, project: Project
) -> tuple[Diagnostic, ...]:
    """What a build would say of definitions in the place of these tools."""
    kept: list[JsonValue] = [
        {key: value for key, value in row.items() if key in _WIRE_KEYS}
        if isinstance(row, dict)
        else row
        for _, row in rows
    ]
    way: Pointer = ("tools",) if all(at is not None for at, _ in rows) else ("tools", 0)

    def places(text: str) -> Places:
        return {
            (*way, *pointer[len(start) :]): place
            for pointer, place in document.locate(text).items()
            if pointer[: len(start)] == start
        }

    as_definition = Document(document.source, {"tools": kept}, places)
    lenient = project._replace(unknown_keys="ignore", namespace="none")
    read = pipeline.read_document(as_definition, "", lenient)
    found: list[Diagnostic] = []
    for at, row in enumerate(kept):
        if isinstance(row, dict) and row.get("inputSchema") is None:
            name = row.get("name")
            findings = Findings(as_definition, name if isinstance(name, str) else "")
            message = f"the tool {quoted(name)} has no inputSchema"
            findings.add(
                "S410", message, ("tools", at, "name"), hint='{"type": "object"} takes nothing'
            )
            found += findings
    found += read.diagnostics
    broken = {id(metadata) for metadata in read.broken}
    for metadata in (*read.tools, *read.broken):
        found += pipeline.compile_metadata(metadata, lenient, is_broken=id(metadata) in broken)[1]
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
