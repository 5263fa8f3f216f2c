"""From a place in a tool's wire form back to where an author wrote it."""

from __future__ import annotations

from collections.abc import Mapping

from toolc import pipeline
from toolc.builder.tool import build_tool
from toolc.check.places import Places
from toolc.lint.engine import Linted
from toolc.lint.subject import Subject
from toolc.loader import load
from toolc.model.document import Document, JsonObject, JsonValue, Pointer, Site, SourceFile
from toolc.model.findings import Findings
from toolc.model.project import Project
from toolc.model.shared import Shared
from toolc.model.tool import Facts, Tool

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
        self._read: dict[str, tuple[Document | None, Mapping[str, Places]]] = {}

    def linted(self, tool: Tool) -> Linted:
        """A compiled tool, to be linted."""
        subject = Subject(tool.to_wire(), tool.facts, self._project)

        def site(pointer: Pointer, key: bool) -> Site | None:
            document, places = self._file(tool.path)
            if document is None:
                return Site(tool.path) if tool.path else None
            return _site(places.get(tool.name), document, tool.pointer, pointer, key)

        return Linted(subject, tool.path, site)

    def document(self, path: str) -> Document | None:
        """A file's document; None for one that cannot be read."""
        return self._file(path)[0]

    def _file(self, path: str) -> tuple[Document | None, Mapping[str, Places]]:
        if path not in self._read:
            self._read[path] = self._load(path)
        return self._read[path]

    def _load(self, path: str) -> tuple[Document | None, Mapping[str, Places]]:
        source = self._sources.get(path)
        document = None if source is None else load(source)[0]
        if document is None:
            return None, {}
        prefix = pipeline.name_prefix(path, self._project)
        stem = path.rpartition("/")[2].partition(".")[0]
        read = pipeline.read_document(document, stem, self._project, self._shared, prefix=prefix)
        places = {}
        for metadata in read.tools:
            tool, checked = build_tool(metadata, self._project, Findings(document))
            places[metadata.name] = Places(metadata, checked, tool.facts.types)
        return document, places


def _site(
    places: Places | None, document: Document, start: Pointer, pointer: Pointer, key: bool
) -> Site | None:
    if places is not None and pointer and pointer[0] in _SCHEMAS:
        other, place = places.written(pointer)
        return other.site(place, key=key)
    ways = [pointer]
    if pointer[:1] == ("annotations",) and len(pointer) > 1:
        ways.insert(0, (_HINT_KEYS.get(str(pointer[1]), str(pointer[1])),))
    elif pointer and pointer[0] in _OTHER_KEYS:
        ways.insert(0, (*_OTHER_KEYS[str(pointer[0])], *pointer[1:]))
    way = next((way for way in ways if document.has((*start, *way))), None)
    if way is None:
        # Nothing stands there: the tool's name, or else the whole of its definition.
        return document.site((*start, "name"), key=key)
    return document.site((*start, *way), key=key)


def listed(document: Document, project: Project) -> list[Linted]:
    """The tools of a JSON document that is no definition: a manifest, a `tools/list` result or its
    whole response, an MCP Description, a list of Tool objects, or one Tool object."""
    path = document.source.path if document.source is not None else ""

    def linted(wire: JsonObject, start: Pointer) -> Linted:
        def site(pointer: Pointer, key: bool) -> Site | None:
            place = (*start, *pointer)
            if not document.has(place):
                place = (*start, "name")
            return document.site(place, key=key)

        return Linted(Subject(wire, Facts(), project), path, site)

    rows, start = _rows(document.value)
    return [
        linted(row, (*start, at) if at is not None else start)
        for at, row in rows
        if isinstance(row, dict)
    ]


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
