"""The order of the stages: source files in, tools out. Touches no disk.

SourceFile -> load -> Document -> read -> ToolMetadata -> build -> Tool -> check -> CompiledFile
CompiledFile* -> link -> Program
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple

from toolc.builder.metadata import ReadAttachment, ReadTools, Surroundings, read_tools
from toolc.builder.shared import read_shared
from toolc.builder.tool import build_tool
from toolc.check.tool import check_tool
from toolc.loader import SUFFIXES, load, parse_json_text
from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic, Related, in_order
from toolc.model.document import Document, JsonValue, Pointer, Site, SourceFile
from toolc.model.findings import Findings
from toolc.model.metadata import NOTHING_SHARED, Shared, ToolMetadata
from toolc.model.project import Project
from toolc.model.tool import CompiledFile, Tool


class Program(NamedTuple):
    """All tools of a project, sorted by name, and everything there is to say of its sources."""

    tools: tuple[Tool, ...]
    diagnostics: tuple[Diagnostic, ...]


def is_shared_file(path: str) -> bool:
    """Whether a source holds shared definitions: its name begins with `_`."""
    return path.rpartition("/")[2].startswith("_")


def nothing_beside(path: str) -> tuple[str, str]:
    """The ReadAttachment of a definition that does not come from a folder."""
    return "", "cannot be read: there is no folder that it could be in"


def _parse_json(text: str) -> tuple[JsonValue, str]:
    value, problem = parse_json_text(text)
    return value, "" if problem is None else problem.message


def compile_shared(
    sources: Iterable[SourceFile], project: Project
) -> tuple[Shared, tuple[Diagnostic, ...]]:
    """The fragments and types of a project's `_` files."""
    documents: dict[str, Document] = {}
    diagnostics: list[Diagnostic] = []
    for source in sources:
        document, problems = load(source)
        diagnostics.extend(problems)
        if document is not None:
            documents[source.path] = document
    if not documents:
        return NOTHING_SHARED, tuple(diagnostics)
    surroundings = Surroundings(project, NOTHING_SHARED, _parse_json, nothing_beside)
    shared, problems = read_shared(documents, surroundings)
    return shared, (*diagnostics, *problems)


def read_document(
    document: Document,
    default_name: str,
    project: Project,
    shared: Shared = NOTHING_SHARED,
    read_attachment: ReadAttachment = nothing_beside,
) -> ReadTools:
    """What the tools of one document say, before any of it takes MCP's shape."""
    surroundings = Surroundings(project, shared, _parse_json, read_attachment)
    return read_tools(document, default_name, surroundings)


def compile_metadata(
    metadata: ToolMetadata, project: Project, *, is_broken: bool = False
) -> tuple[Tool | None, tuple[Diagnostic, ...]]:
    """One tool, built and checked; None where it has an error.

    One that is broken already is held only to what the breakage cannot have caused.
    """
    findings = Findings(metadata.origin.document, metadata.name)
    tool, checked = build_tool(metadata, project, findings)
    check_tool(metadata, tool, checked, project, findings, is_broken=is_broken)
    return (None if findings.has_errors else tool), tuple(findings)


def compile_file(
    source: SourceFile,
    project: Project,
    shared: Shared = NOTHING_SHARED,
    read_attachment: ReadAttachment = nothing_beside,
) -> CompiledFile:
    """All the tools of one file, and all that is to say of it.

    The result depends on the file, the project's settings, the files that it names and the shared
    definitions that it uses; `CompiledFile` lists the last two.
    """
    digest = sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest()
    document, problems = load(source)
    if document is None:
        return CompiledFile(source.path, digest, (), problems)
    read = read_document(document, _stem(source.path), project, shared, read_attachment)
    diagnostics = [*problems, *read.diagnostics]
    prefix = name_prefix(source.path, project)
    tools = []
    for metadata in read.tools:
        named = replace(metadata, name=prefix + metadata.name) if prefix else metadata
        tool, found = compile_metadata(named, project)
        diagnostics.extend(found)
        if tool is not None:
            tools.append(tool)
    for metadata in read.broken:
        diagnostics.extend(compile_metadata(metadata, project, is_broken=True)[1])
    return CompiledFile(
        source.path, digest, tuple(tools), tuple(diagnostics), read.attachments, read.uses
    )


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def name_prefix(path: str, project: Project) -> str:
    """What `namespace = "folder"` puts before a tool's name: its folders below the source, by `_`."""
    if project.namespace != "folder":
        return ""
    folders = path.split("/")[:-1]
    for source in project.sources:
        parts = [part for part in source.split("/") if part not in ("", ".")]
        if folders[: len(parts)] == parts:
            return "".join(f"{folder}_" for folder in folders[len(parts) :])
    return ""


def link(
    files: Iterable[CompiledFile],
    document_of: Callable[[str], Document | None],
    further: Iterable[Diagnostic] = (),
) -> Program:
    """Bring the files of a project together: names must be unique, problems are put in order.

    `document_of` gives a file's document again, for the places of what only shows here.
    """
    compiled = sorted(files, key=lambda file: file.path)
    diagnostics = [*further]
    for file in compiled:
        diagnostics.extend(file.diagnostics)
    tools: dict[str, Tool] = {}
    alike: dict[str, Tool] = {}
    for tool in (tool for file in compiled for tool in file.tools):
        first = tools.setdefault(tool.name, tool)
        if first is not tool:
            diagnostics.append(
                _clash("M302", f'tool "{tool.name}" is defined twice', tool, first, document_of)
            )
            continue
        near = alike.setdefault(_bare(tool.name), tool)
        if near is not tool:
            message = f'tools "{near.name}" and "{tool.name}" differ only in case or separators'
            diagnostics.append(_clash("M304", message, tool, near, document_of))
    ordered = tuple(tools[name] for name in sorted(tools))
    return Program(ordered, in_order(_without_repeats(diagnostics)))


def _bare(name: str) -> str:
    """What is left of a name for a client that folds case or rewrites separators."""
    return name.casefold().replace("_", "").replace("-", "").replace(".", "")


def _clash(
    code: str,
    message: str,
    tool: Tool,
    first: Tool,
    document_of: Callable[[str], Document | None],
) -> Diagnostic:
    other = _name_site(first, document_of)
    hints = {
        "M302": "rename one of them",
        "M304": "some clients rewrite names and would merge the two; give one a clearer name",
    }
    return Diagnostic(
        code,
        CODES[code].severity,
        message,
        _name_site(tool, document_of),
        hints[code],
        (Related(f'"{first.name}" is defined here', other),) if other is not None else (),
        tool.name,
        tool.pointer,
    )


def _name_site(tool: Tool, document_of: Callable[[str], Document | None]) -> Site | None:
    """Where a tool says its name, or else where its definition begins."""
    document = document_of(tool.path)
    if document is None:
        return Site(tool.path) if tool.path else None
    return document.site((*tool.pointer, "name"))


def _without_repeats(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """A shared definition's fault shows in every tool that uses it; it is said once."""
    seen: set[tuple[str, Site | None, str, Pointer | None]] = set()
    kept = []
    for diagnostic in diagnostics:
        key = (
            diagnostic.code,
            diagnostic.site,
            diagnostic.message,
            diagnostic.pointer if diagnostic.site is None else None,
        )
        if key not in seen:
            seen.add(key)
            kept.append(diagnostic)
    return kept


def compile_project(
    sources: Mapping[str, str],
    project: Project,
    read_attachment: ReadAttachment | None = None,
) -> Program:
    """A whole project in memory: paths relative to its root -> texts, `_` files among them.

    A `descriptionFile` is looked up among `sources` too, unless `read_attachment` says how.
    """
    files = [SourceFile(path, text) for path, text in sorted(sources.items())]

    def among_sources(path: str) -> tuple[str, str]:
        return (sources[path], "") if path in sources else ("", "is not among the sources")

    definitions = [file for file in files if file.path.endswith(SUFFIXES)]
    shared, problems = compile_shared(
        (file for file in definitions if is_shared_file(file.path)), project
    )
    compiled = [
        compile_file(file, project, shared, read_attachment or among_sources)
        for file in definitions
        if not is_shared_file(file.path)
    ]
    by_path = {file.path: file for file in files}

    def document_of(path: str) -> Document | None:
        return load(by_path[path])[0] if path in by_path else None

    return link(compiled, document_of, problems)
