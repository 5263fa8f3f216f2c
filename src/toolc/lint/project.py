"""A project compiled and linted: one that the disk has, or one whose texts are being edited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from toolc import pipeline
from toolc.lint.compiled import with_fixes
from toolc.lint.engine import lint
from toolc.lint.fixes import Sources
from toolc.lint.selection import Selection
from toolc.lint.suppressions import UNUSED, without_suppressed
from toolc.lint.written import Definitions
from toolc.loader import SUFFIXES
from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic, Severity, in_order
from toolc.model.document import JsonObject, SourceFile
from toolc.model.project import Project
from toolc.model.tool import Facts, Tool
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from toolc.builder.parameters import ReadAttachment


def definitions(sources: Mapping[str, SourceFile], project: Project) -> dict[str, SourceFile]:
    """Those of a build's texts that are definitions, shared ones among them."""
    return {
        path: source
        for path, source in sources.items()
        if path.endswith(SUFFIXES) and path != project.path
    }


def lint_project(
    tools: Sequence[Tool],
    compiled: Iterable[Diagnostic],
    sources: Sources,
    selection: Selection,
    project: Project,
    *,
    is_whole: bool = True,
) -> tuple[Diagnostic, ...]:
    """All that is to say of a project: what compiling it found, and what the selected rules find of
    the tools that compile.

    What compiling finds can be suppressed but for errors. Without `is_whole`, some of the project's
    files are left out.
    """
    texts = definitions(sources, project)
    shared_files = [path for path in sorted(texts) if pipeline.is_shared_file(path)]
    shared, _ = pipeline.compile_shared([texts[path] for path in shared_files], project)
    read = Definitions(texts, shared, project)
    said = tuple(with_fixes(compiled, read.document))
    found = [one for one in said if one.severity is not Severity.ERROR]
    found += lint([read.linted(tool) for tool in tools], selection, project)
    asked = selection.codes | CODES.keys()
    told = without_suppressed(found, map(read.document, sorted(texts)), asked)
    return in_order(
        one
        for one in (*(one for one in said if one.severity is Severity.ERROR), *told)
        # What uses a shared file may be among those that are left out.
        if is_whole or one.code != UNUSED.code or not pipeline.is_shared_file(one.path)
    )


class Workshop:
    """Compiles and lints texts that are being edited; the disk is read for what they name only."""

    def __init__(
        self,
        project: Project,
        selection: Selection,
        read_attachment: ReadAttachment,
        *,
        is_whole: bool = True,
    ) -> None:
        self._project = project
        self._selection = selection
        self._read_attachment = read_attachment
        self._is_whole = is_whole

    def look(self, sources: Sources) -> tuple[Diagnostic, ...]:
        """As `fixes.Look`."""
        program = self._compile(sources)
        return lint_project(
            program.tools,
            program.diagnostics,
            sources,
            self._selection,
            self._project,
            is_whole=self._is_whole,
        )

    def is_right(self, sources: Sources, after: SourceFile, found: Diagnostic) -> bool:
        """As `fixes.IsRight`: there is no new error, and no tool but the finding's own changes."""
        if not pipeline.is_shared_file(after.path):
            shared = [path for path in sources if pipeline.is_shared_file(path)]
            sources = {path: sources[path] for path in (*shared, after.path)}
        before, now = self._compile(sources), self._compile({**sources, after.path: after})
        if not _errors(now) <= _errors(before):
            return False
        keeps = found.fix is None or found.fix.keeps_tools
        is_shared = pipeline.is_shared_file(after.path)
        tools = {tool.name: tool for tool in now.tools}
        return all(
            tool.name in tools
            and (
                _said(tool) == _said(tools[tool.name])
                or (not keeps and (is_shared or tool.name == found.tool))
            )
            for tool in before.tools
        )

    def _compile(self, sources: Sources) -> pipeline.Program:
        texts = {path: source.text for path, source in sources.items()}
        return pipeline.compile_project(texts, self._project, self._read_attachment)


def _errors(program: pipeline.Program) -> set[tuple[str, str, str]]:
    return {
        (one.code, one.path, one.message)
        for one in program.diagnostics
        if one.severity is Severity.ERROR
    }


def _said(tool: Tool) -> tuple[JsonObject, Facts]:
    """All that a tool says, wherever it stands in its file."""
    examples = tuple(example._replace(pointer=()) for example in tool.facts.examples)
    return tool.to_wire(), tool.facts._replace(examples=examples)
