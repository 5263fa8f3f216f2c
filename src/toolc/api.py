"""The public functions: definitions from any source to Tools, in memory.

Each function that raises has a `compile_…` twin that returns `(value, diagnostics)` instead, for
callers that want warnings and notes as well, or several problems at once.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from toolc import driver, files, pipeline
from toolc.loader import SUFFIXES, load_value
from toolc.loader import load as load_document
from toolc.model.artifact import read_text
from toolc.model.diagnostic import Diagnostic, Severity, has_errors
from toolc.model.document import SourceFile
from toolc.model.metadata import ToolMetadata
from toolc.model.project import Project
from toolc.model.tool import Tool
from toolc.pipeline import is_shared_file

Metadata = ToolMetadata | Mapping[str, Any] | str
"""What describes a tool: what `load` returned, a dict, or a text in TOML, YAML or JSON."""


class MetadataError(ValueError):
    """A definition that cannot be built.

    `diagnostics` says all that is wrong with it, and the error's text is the report of it, each
    finding with its file, line and column. `sources` has the texts, by the paths that
    `Diagnostic.site` names: `sources[path].line_column(site.span.start)` is a finding's place.
    """

    def __init__(
        self,
        diagnostics: tuple[Diagnostic, ...],
        sources: Mapping[str, SourceFile] | None = None,
    ) -> None:
        from toolc.report import renderer

        self.diagnostics = diagnostics
        self.sources = sources or {}
        super().__init__(renderer("text")(diagnostics, self.sources).rstrip("\n"))


def load(path: str | os.PathLike[str], project: Project | None = None) -> ToolMetadata:
    """What the one tool in a definition file says, checked key by key.

    The notation goes by the suffix. Settings and shared definitions are those of the project that
    the file belongs to; a file that belongs to none has the defaults, and the `_` files in its
    folder. `project` replaces the settings.
    Raises MetadataError, and ValueError where the file holds several tools (`load_all` reads those).
    """
    tools = load_all(path, project)
    if len(tools) != 1:
        raise ValueError(f"{os.fspath(path)} holds {len(tools)} tools: use load_all")
    return tools[0]


def load_all(
    path: str | os.PathLike[str], project: Project | None = None
) -> tuple[ToolMetadata, ...]:
    """What the tools in a definition file say, in their order. Raises MetadataError."""
    read = _read(path, project)
    if has_errors(read.diagnostics):
        raise MetadataError(read.diagnostics, read.sources)
    return read.tools


def compile_metadata(
    path: str | os.PathLike[str], project: Project | None = None
) -> tuple[tuple[ToolMetadata, ...], tuple[Diagnostic, ...]]:
    """`load_all` without raising: the tools that are right, and all there is to say."""
    read = _read(path, project)
    return read.tools, read.diagnostics


class _Read(NamedTuple):
    tools: tuple[ToolMetadata, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]


def _read(path: str | os.PathLike[str], project: Project | None) -> _Read:
    place = os.path.abspath(path)
    folder, name = os.path.split(place)
    opened = driver.open_project(folder)
    if has_errors(opened.diagnostics):
        return _Read((), opened.diagnostics, opened.sources)
    root, settings = opened.root, project or opened.project
    inside = os.path.relpath(place, root).replace(os.sep, "/")
    shared = [found for found in driver.find_definitions(root, settings) if is_shared_file(found)]
    if not opened.sources:
        root, inside = folder, name
        found = (file for suffix in SUFFIXES for file in files.list_folder(folder, ".", suffix))
        shared = [file.removeprefix("./") for file in found if is_shared_file(file)]
    reader = driver.Reader(root)
    definitions = [source for file in sorted(shared) if (source := reader.read(file)) is not None]
    source = reader.read(inside)
    known, problems = pipeline.compile_shared(definitions, settings)
    if source is None:
        return _Read((), (*reader.problems, *problems), reader.sources)
    document, found_in_text = load_document(source)
    diagnostics = (*reader.problems, *problems, *found_in_text)
    if document is None:
        return _Read((), diagnostics, reader.sources)
    read = pipeline.read_document(
        document, name.rpartition(".")[0], settings, known, reader.read_attachment
    )
    return _Read(read.tools, (*diagnostics, *read.diagnostics), reader.sources)


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
        path = f"{name}.{notation}"
        texts = {path: SourceFile(path, metadata)} if isinstance(metadata, str) else {}
        raise MetadataError(diagnostics, texts)
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
        given: object = metadata
        document, diagnostics = load_value(dict(given) if isinstance(given, Mapping) else given)
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
        texts = {path: SourceFile(path, text) for path, text in sources.items()}
        raise MetadataError(diagnostics, texts)
    return tools


def compile_project(
    sources: Mapping[str, str], project: Project | None = None
) -> tuple[tuple[Tool, ...], tuple[Diagnostic, ...]]:
    """`build_project` without raising: the tools that are right, and all there is to say."""
    program = pipeline.compile_project(sources, project or Project())
    return program.tools, program.diagnostics


def open_project(start: str | os.PathLike[str] = ".") -> driver.Build:
    """The project at or above the folder `start`, compiled; nothing is written.

    `Build.tools` are its tools, `Build.artifacts` the files that a build would have, each with its
    `text` as a string, and
    `Build.diagnostics` what there is to say; nothing is raised for what stands in a definition.
    """
    opened = driver.open_project(os.fspath(start))
    if has_errors(opened.diagnostics):
        return driver.Build(
            opened.root, opened.project, (), opened.diagnostics, opened.sources, 0, (), ()
        )
    build = driver.compile_project(opened.root, opened.project)
    whole = [one._replace(text=read_text(one.text)) for one in build.artifacts]
    return build._replace(artifacts=tuple(whole))
