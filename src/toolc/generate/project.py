"""A tool -> its piece; the pieces of all tools -> every file that a build has."""

from __future__ import annotations

from toolc.generate.manifest import (
    entry_line,
    manifest_artifacts,
    project_wire,
    revision_notes,
    wire_line,
)
from toolc.generate.mcpdesc import described_line, mcpdesc_artifact
from toolc.model.artifact import Artifact
from toolc.model.diagnostic import Diagnostic
from toolc.model.jsontext import compact
from toolc.model.piece import Lines, Piece, Pieces
from toolc.model.project import Project
from toolc.model.tool import Tool
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from toolc.generate.templates import Render


def make_piece(
    tool: Tool, project: Project, render: Render
) -> tuple[Piece, tuple[Diagnostic, ...]]:
    """All that a tool adds to the outputs of its project.

    It depends on the tool, the project's settings and its templates. With an error among the
    diagnostics it is not to be used.
    """
    row = project_wire(tool, project.revision)
    diagnostics = revision_notes(row)
    artifacts: tuple[Artifact, ...] = ()
    pair = types = seen = ""
    if project.outputs:
        from toolc.generate.outputs import describe_tool

        seen = compact(describe_tool(row))
    if project.python.enabled:
        from toolc.generate.python import tool_files

        artifacts, pair, types, found = tool_files(tool, project, render)
        diagnostics += found
    texts = (wire_line(row), entry_line(row, project), described_line(row), pair, types, seen)
    lines = Lines(*[text.encode() for text in texts])
    piece = Piece(
        tool.name,
        tool.path,
        tool.pointer,
        tool.aliases,
        tool.facts.tags,
        lines,
        artifacts,
    )
    return piece, diagnostics


def project_artifacts(
    pieces: Pieces, project: Project, render: Render, *, data: bool = True, package: bool = True
) -> tuple[tuple[Artifact, ...], tuple[Diagnostic, ...]]:
    """The files that are made of all tools, in the order in which they are worth reading: the
    manifest, the catalogue, the description, the project's own outputs, the Python package.

    Without `data` the first three are left out, without `package` the last.
    With an error among the diagnostics the artefacts are not to be used.
    """
    outputs: tuple[Artifact, ...] = ()
    modules: tuple[Artifact, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    digests: dict[str, str] = {}
    if project.outputs:
        from toolc.generate.outputs import output_artifacts, output_digests

        outputs, diagnostics = output_artifacts(pieces, project, render)
        digests = output_digests(outputs)
    if project.python.enabled and package:
        from toolc.generate.python import package_files

        modules, found = package_files(pieces, project, render)
        diagnostics = (*diagnostics, *found)
    texts: tuple[Artifact, ...] = ()
    if data:
        texts = (*manifest_artifacts(pieces, project, digests), mcpdesc_artifact(pieces, project))
    return (*texts, *outputs, *modules), diagnostics
