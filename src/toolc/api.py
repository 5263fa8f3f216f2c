"""The public functions: definitions from any source to Tools, in memory.

Each function that raises has a `compile_…` twin that returns `(value, diagnostics)` instead, for
callers that want warnings and notes as well, or several problems at once.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from toolc import driver, files, pipeline
from toolc.loader import SUFFIXES, decode, load_value
from toolc.loader import load as load_document
from toolc.model.diagnostic import Diagnostic, Severity, has_errors
from toolc.model.document import Document, SourceFile
from toolc.model.metadata import NOTHING_SHARED, Shared, ToolMetadata
from toolc.model.project import Project
from toolc.model.tool import Tool

Metadata = ToolMetadata | Mapping[str, Any] | str
"""What describes a tool: what `load` returned, a dict, or a text in TOML, YAML or JSON."""


class MetadataError(ValueError):
    """A definition that cannot be built; `diagnostics` says all that is wrong with it."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        super().__init__("\n".join(_line(diagnostic) for diagnostic in diagnostics))


def _line(diagnostic: Diagnostic) -> str:
    place = f"{diagnostic.path}: " if diagnostic.path else ""
    hint = f" ({diagnostic.hint})" if diagnostic.hint else ""
    return (
        f"{place}{diagnostic.severity.name.lower()}[{diagnostic.code}]: {diagnostic.message}{hint}"
    )


def load(path: str | os.PathLike[str], project: Project | None = None) -> ToolMetadata:
    """What the one tool in a definition file says, checked key by key.

    The notation goes by the suffix. Shared definitions come from the `_` files in its folder.
    Raises MetadataError; also where the file holds several tools (`load_all` reads those).
    """
    tools = load_all(path, project)
    if len(tools) != 1:
        raise ValueError(f"{os.fspath(path)} holds {len(tools)} tools: use load_all")
    return tools[0]


def load_all(
    path: str | os.PathLike[str], project: Project | None = None
) -> tuple[ToolMetadata, ...]:
    """What the tools in a definition file say, in their order. Raises MetadataError."""
    tools, diagnostics = compile_metadata(path, project)
    if has_errors(diagnostics):
        raise MetadataError(diagnostics)
    return tools


def compile_metadata(
    path: str | os.PathLike[str], project: Project | None = None
) -> tuple[tuple[ToolMetadata, ...], tuple[Diagnostic, ...]]:
    """`load_all` without raising: the tools that are right, and all there is to say."""
    project = project or Project()
    folder, name = os.path.split(os.path.abspath(path))
    document, diagnostics = _open(folder, name)
    if document is None:
        return (), diagnostics
    shared, problems = _shared_beside(folder, project)

    def read_attachment(attachment: str) -> tuple[str, str]:
        opened = files.read_bytes(folder, attachment)
        if isinstance(opened, Diagnostic):
            return "", opened.message.removeprefix("the file ")
        source, found = decode(attachment, opened)
        return (source.text, "") if source is not None else ("", found[0].message)

    default_name = name.rpartition(".")[0]
    read = pipeline.read_document(document, default_name, project, shared, read_attachment)
    return read.tools, (*diagnostics, *problems, *read.diagnostics)


def _open(folder: str, name: str) -> tuple[Document | None, tuple[Diagnostic, ...]]:
    data = files.read_bytes(folder, name)
    if isinstance(data, Diagnostic):
        return None, (data,)
    source, problems = decode(name, data)
    return (None, problems) if source is None else load_document(source)


def _shared_beside(folder: str, project: Project) -> tuple[Shared, tuple[Diagnostic, ...]]:
    sources: list[SourceFile] = []
    problems: list[Diagnostic] = []
    for suffix in SUFFIXES:
        for path in files.list_folder(folder, ".", suffix):
            name = path.removeprefix("./")
            if not pipeline.is_shared_file(name):
                continue
            data = files.read_bytes(folder, name)
            if isinstance(data, Diagnostic):
                problems.append(data)
                continue
            source, found = decode(name, data)
            problems.extend(found)
            if source is not None:
                sources.append(source)
    if not sources:
        return NOTHING_SHARED, tuple(problems)
    shared, found = pipeline.compile_shared(sources, project)
    return shared, (*problems, *found)


def build_tool(
    name: str, metadata: Metadata, *, notation: str = "toml", project: Project | None = None
) -> Tool:
    """The MCP Tool called `name` that `metadata` describes.

    `metadata` may be what `load` returned, a dict (a database's row, an API's answer) or a text in
    `notation`: `toml`, `yaml` or `json`. `project` holds settings; None is the defaults.
    Raises MetadataError.
    """
    tool, diagnostics = compile_tool(name, metadata, notation=notation, project=project)
    if tool is None:
        raise MetadataError(diagnostics)
    return tool


def compile_tool(
    name: str, metadata: Metadata, *, notation: str = "toml", project: Project | None = None
) -> tuple[Tool | None, tuple[Diagnostic, ...]]:
    """`build_tool` without raising: None for the tool where there is an error."""
    project = project or Project()
    if isinstance(metadata, ToolMetadata):
        return pipeline.compile_metadata(metadata._replace(name=name), project)
    if isinstance(metadata, str):
        document, diagnostics = load_document(SourceFile(f"{name}.{notation}", metadata))
    else:
        document, diagnostics = load_value(dict(metadata))
    if document is None:
        return None, diagnostics
    read = pipeline.read_document(document, name, project)
    diagnostics = (*diagnostics, *read.diagnostics)
    for broken in read.broken:
        found = pipeline.compile_metadata(broken._replace(name=name), project, is_broken=True)[1]
        diagnostics = (*diagnostics, *found)
    if not name or (not read.tools and not has_errors(diagnostics)):
        message = "a tool must have a name" if read.tools else "there is no tool in it"
        return None, (*diagnostics, Diagnostic("M112", Severity.ERROR, message))
    if len(read.tools) != 1:
        return None, diagnostics
    tool, found = pipeline.compile_metadata(read.tools[0]._replace(name=name), project)
    return tool, (*diagnostics, *found)


def build_project(sources: Mapping[str, str], project: Project | None = None) -> tuple[Tool, ...]:
    """All tools of a project held in memory, sorted by name; raises MetadataError.

    `sources` maps paths (POSIX, relative to the project's root) to texts: definition files, shared
    ones whose names begin with `_`, and the Markdown files that definitions name.
    """
    tools, diagnostics = compile_project(sources, project)
    if has_errors(diagnostics):
        raise MetadataError(diagnostics)
    return tools


def compile_project(
    sources: Mapping[str, str], project: Project | None = None
) -> tuple[tuple[Tool, ...], tuple[Diagnostic, ...]]:
    """`build_project` without raising: the tools that are right, and all there is to say."""
    program = pipeline.compile_project(sources, project or Project())
    return program.tools, program.diagnostics


def open_project(start: str | os.PathLike[str] = ".") -> driver.Build:
    """The project at or above the folder `start`, compiled; nothing is written.

    `Build.tools` are its tools, `Build.artifacts` the files that a build would have, and
    `Build.diagnostics` what there is to say; nothing is raised for what stands in a definition.
    """
    opened = driver.open_project(os.fspath(start))
    if has_errors(opened.diagnostics):
        return driver.Build(
            opened.root, opened.project, (), opened.diagnostics, opened.sources, 0, (), ()
        )
    return driver.compile_project(opened.root, opened.project)
