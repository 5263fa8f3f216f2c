"""The order of the stages: source files in, tools out. Touches no disk.

SourceFile -> load -> Document -> read -> ToolMetadata -> build -> Tool -> check -> CompiledFile
CompiledFile* -> link -> Program
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from toolc.builder.accept import accept
from toolc.check.names import RESERVED_NAMES, is_tool_name
from toolc.generate.project import make_piece
from toolc.loader import SUFFIXES, decode, load, parse_json_text
from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic, Related, in_order
from toolc.model.digest import expect_many_texts, text_sha256
from toolc.model.document import Document, JsonValue, Pointer, Site, SourceFile
from toolc.model.findings import Findings
from toolc.model.piece import Unit
from toolc.model.project import Project
from toolc.model.shared import NOTHING_SHARED, Shared
from toolc.model.tool import CompiledFile, Tool
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

# What reads, builds and checks key by key is imported where a definition needs it; most do not.
if TYPE_CHECKING:
    from typing import Protocol, TypeVar

    from toolc.builder.metadata import ReadTools
    from toolc.builder.parameters import ReadAttachment
    from toolc.generate.templates import Render
    from toolc.model.metadata import Parameter, ToolMetadata

    class Named(Protocol):
        """A tool as far as linking has to know it: a `Tool`, a `Piece`, or what a cache keeps of one."""

        @property
        def name(self) -> str: ...
        @property
        def path(self) -> str: ...
        @property
        def pointer(self) -> Pointer: ...
        @property
        def aliases(self) -> tuple[str, ...]: ...

    NamedTool = TypeVar("NamedTool", bound=Named)
    NamedTool_co = TypeVar("NamedTool_co", bound=Named, covariant=True)

    class Linkable(Protocol[NamedTool_co]):
        """A compiled file as far as linking has to know it."""

        @property
        def path(self) -> str: ...
        @property
        def tools(self) -> tuple[NamedTool_co, ...]: ...
        @property
        def diagnostics(self) -> tuple[Diagnostic, ...]: ...


MOST_DIAGNOSTICS = 500
"""Of one file; more than that is an accident, or an attack."""


class Program(NamedTuple):
    """All tools of a project, sorted by name, and everything there is to say of its sources."""

    tools: tuple[Tool, ...]
    diagnostics: tuple[Diagnostic, ...]


def expect_many_files() -> None:
    """Load what is worth its loading in a build of some thousand files: faster hashes, and a faster
    parser if there is one. Processes that are forked afterwards have both."""
    from toolc.loader import toml

    expect_many_texts()
    toml.expect_many()


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

    from toolc.builder.parameters import Surroundings
    from toolc.builder.shared import read_shared

    surroundings = Surroundings(project, NOTHING_SHARED, _parse_json, nothing_beside)
    shared, problems = read_shared(documents, surroundings)
    return shared, (*diagnostics, *problems, *_check_shared(shared, project))


def shared_digests(shared: Shared) -> dict[str, str]:
    """What each shared definition says, as a digest: `type:NAME` or `fragment:NAME` -> sha256."""
    digests: dict[str, str] = {}
    rows: dict[str, tuple[Parameter, ...]]
    rows = {f"type:{name}": (row,) for name, row in shared.types.items()}
    rows |= {f"fragment:{name}": tuple(some) for name, some in shared.fragments.items()}
    for name, parameters in rows.items():
        said = [repr(_said(parameter)) for parameter in parameters]
        digests[name] = text_sha256("\n".join(said))
    return digests


def _said(parameter: Parameter) -> JsonValue:
    """The value in its document that a parameter was read from."""
    value = parameter.origin.document.value
    for part in parameter.origin.pointer:
        value = value[part]  # type: ignore[index]
    return value


def _check_shared(shared: Shared, project: Project) -> Iterator[Diagnostic]:
    """What would be said of each shared definition in a tool of its own, whether one uses it or not."""
    from toolc.model.metadata import ToolMetadata

    rows = {name: (row._replace(name=name),) for name, row in shared.types.items()}
    for name, parameters in (*rows.items(), *shared.fragments.items()):
        if parameters:
            metadata = ToolMetadata(
                name, parameters[0].origin, parameters=parameters, shared=shared
            )
            for found in compile_metadata(metadata, project, is_broken=True)[1]:
                yield found._replace(tool="")


def read_document(
    document: Document,
    default_name: str,
    project: Project,
    shared: Shared = NOTHING_SHARED,
    read_attachment: ReadAttachment = nothing_beside,
    prefix: str = "",
) -> ReadTools:
    """What the tools of one document say, before any of it takes MCP's shape."""
    from toolc.builder.metadata import read_tools
    from toolc.builder.parameters import Surroundings

    surroundings = Surroundings(project, shared, _parse_json, read_attachment)
    return read_tools(document, default_name, surroundings, prefix)


def compile_metadata(
    metadata: ToolMetadata, project: Project, *, is_broken: bool = False
) -> tuple[Tool | None, tuple[Diagnostic, ...]]:
    """One tool, built and checked; None where it has an error.

    One that is broken already is held only to what the breakage cannot have caused.
    """
    from toolc.builder.tool import build_tool
    from toolc.check.tool import check_tool

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
    prefix = name_prefix(source.path, project)
    name = _stem(source.path)
    accepted: list[Tool | None] = []

    def is_known(value: JsonValue) -> bool:
        accepted.append(_accept(value, prefix + name, source.path, project))
        return accepted[-1] is not None

    document, problems = load(source, is_known)
    if document is None:
        return CompiledFile(source.path, (), problems)
    if not accepted and not problems:
        is_known(document.value)
    plain = accepted[-1] if accepted else None
    if plain is not None:
        return CompiledFile(source.path, (plain,), ())
    read = read_document(document, name, project, shared, read_attachment, prefix)
    diagnostics = [*problems, *read.diagnostics]
    tools = []
    for metadata in read.tools:
        tool, found = compile_metadata(metadata, project)
        diagnostics.extend(found)
        if tool is not None:
            tools.append(tool)
    for metadata in read.broken:
        diagnostics.extend(compile_metadata(metadata, project, is_broken=True)[1])
    return CompiledFile(
        source.path, tuple(tools), _bounded(diagnostics), read.attachments, read.uses
    )


def compile_unit(
    path: str,
    data: bytes,
    project: Project,
    shared: Shared,
    render: Render,
    read_attachment: ReadAttachment = nothing_beside,
) -> Unit:
    """The bytes of one file to what its tools add to the outputs."""
    source, problems = decode(path, data)
    if source is None:
        return Unit(path, (), problems)
    compiled = compile_file(source, project, shared, read_attachment)
    diagnostics = [*problems, *compiled.diagnostics]
    pieces = []
    for tool in compiled.tools:
        piece, found = make_piece(tool, project, render)
        pieces.append(piece)
        diagnostics.extend(found)
    return Unit(path, tuple(pieces), tuple(diagnostics), compiled.attachments, compiled.uses)


class Batch(NamedTuple):
    """Some files to be compiled, with all that it takes: what an executor is handed."""

    files: tuple[tuple[str, bytes], ...]
    project: Project
    shared: Shared
    templates: Mapping[str, str]
    """The project's own."""
    builtin: Mapping[str, str]
    """Those that come with toolc; they are needed where the project has some of its own."""


class _NamesAFileError(Exception):
    """A definition names another file, which is not at hand where batches are compiled."""


def compile_batch(batch: Batch) -> tuple[Unit | None, ...]:
    """Compile a batch, wherever: it depends on nothing but its argument, and both can be pickled.

    None stands for a file that names others; it is compiled where the disk is.
    """
    from toolc.generate.templates import environment

    render = environment(batch.templates, lambda: batch.builtin)

    def nowhere(_path: str) -> tuple[str, str]:
        raise _NamesAFileError

    units: list[Unit | None] = []
    for path, data in batch.files:
        try:
            units.append(compile_unit(path, data, batch.project, batch.shared, render, nowhere))
        except _NamesAFileError:
            units.append(None)
    return tuple(units)


def _accept(value: JsonValue, name: str, path: str, project: Project) -> Tool | None:
    """The tool of a document that is plainly right; None where it takes a closer look."""
    if not isinstance(value, dict) or not is_tool_name(name) or name in RESERVED_NAMES:
        return None
    return accept(value, name, path, project)


def _bounded(diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """All that is to say of one file, or the gravest part of it where nobody would read it all."""
    if len(diagnostics) <= MOST_DIAGNOSTICS:
        return tuple(diagnostics)
    kept = sorted(diagnostics, key=lambda found: -found.severity)[:MOST_DIAGNOSTICS]
    last = kept[-1]
    rest = len(diagnostics) - len(kept)
    more = Diagnostic("L109", last.severity, f"{rest} more findings in this file", Site(last.path))
    return (*kept, more)


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
    files: Iterable[Linkable[NamedTool]],
    document_of: Callable[[str], Document | None],
    further: Iterable[Diagnostic] = (),
) -> tuple[tuple[NamedTool, ...], tuple[Diagnostic, ...]]:
    """Bring the files of a project together: names must be unique, problems are put in order.

    `document_of` gives a file's document again, for the places of what only shows here.
    """
    compiled = sorted(files, key=lambda file: file.path)
    places = _NamePlaces(document_of)
    diagnostics: list[Diagnostic] = []
    for file in compiled:
        diagnostics.extend(file.diagnostics)
    tools: dict[str, NamedTool] = {}
    alike: dict[str, NamedTool] = {}
    for tool in (tool for file in compiled for tool in file.tools):
        first = tools.setdefault(tool.name, tool)
        if first is not tool:
            message = f'tool "{tool.name}" is defined twice'
            diagnostics.append(places.clash("M302", message, tool, first))
            continue
        near = alike.setdefault(_bare(tool.name), tool)
        if near is not tool:
            message = f'tools "{near.name}" and "{tool.name}" differ only in case or separators'
            diagnostics.append(places.clash("M304", message, tool, near))
    ordered = tuple(tools[name] for name in sorted(tools))
    diagnostics.extend(_alias_clashes(ordered, tools, places))
    return ordered, in_order(without_repeats([*diagnostics, *further]))


def may_clash(names: Sequence[str], aliases: Mapping[str, Sequence[str]]) -> bool:
    """Whether `link` may have something to say of tools with these names, of which no two are the
    same; `aliases` are those of the tools that have some."""
    return bool(aliases) or len(set(map(_bare, names))) < len(names)


def _alias_clashes(
    ordered: Iterable[NamedTool], tools: Mapping[str, NamedTool], places: _NamePlaces
) -> Iterator[Diagnostic]:
    """An old name must lead to one tool, and be the name of none."""
    owners: dict[str, NamedTool] = {}
    for tool in ordered:
        for alias in tool.aliases:
            owner = tools.get(alias) or owners.setdefault(alias, tool)
            if alias in RESERVED_NAMES:
                owner = tool
            elif owner is tool and alias != tool.name:
                continue
            message = f'the alias "{alias}" of tool "{tool.name}" is taken'
            yield places.clash("M302", message, tool, owner, "aliases")


def _bare(name: str) -> str:
    """What is left of a name for a client that folds case or rewrites separators."""
    return name.casefold().replace("_", "").replace("-", "").replace(".", "")


_CLASH_HINTS = {
    "M302": "rename one of them",
    "M304": "clients that rewrite names would merge the two; give one a clearer name",
}


class _NamePlaces:
    """Where tools say their names; each file's document is asked for once."""

    def __init__(self, document_of: Callable[[str], Document | None]) -> None:
        self._document_of = document_of
        self._documents: dict[str, Document | None] = {}

    def site(self, tool: Named, key: str = "name") -> Site | None:
        """Where a tool says its name, or else where its definition begins."""
        if tool.path not in self._documents:
            self._documents[tool.path] = self._document_of(tool.path)
        document = self._documents[tool.path]
        if document is None:
            return Site(tool.path) if tool.path else None
        return document.site((*tool.pointer, key))

    def clash(
        self, code: str, message: str, tool: Named, other: Named, key: str = "name"
    ) -> Diagnostic:
        site = self.site(other)
        related: tuple[Related, ...] = ()
        if site is not None and other is not tool:
            related = (Related(f'"{other.name}" is defined here', site),)
        return Diagnostic(
            code,
            CODES[code].severity,
            message,
            self.site(tool, key),
            _CLASH_HINTS[code],
            related,
            tool.name,
            tool.pointer,
        )


def without_repeats(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """A shared definition's fault shows in every tool that uses it; it is said once."""
    seen: set[tuple[object, ...]] = set()
    kept = []
    for found in diagnostics:
        key: tuple[object, ...] = (found.code, found.site, found.message)
        if found.site is None:
            key = (*key, found.tool, found.pointer)
        elif is_shared_file(found.path):
            key = (found.code, found.site)
        if key not in seen:
            seen.add(key)
            kept.append(found)
    return tuple(kept)


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

    return Program(*link(compiled, document_of, problems))
