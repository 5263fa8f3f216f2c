"""A tool -> its piece; the pieces of all tools -> every file that a build has."""

from __future__ import annotations

from toolc.generate.manifest import (
    compact,
    entry_line,
    manifest_artifacts,
    project_wire,
    revision_notes,
    wire_line,
)
from toolc.generate.mcpdesc import described_line, mcpdesc_artifact
from toolc.generate.serving import serving_notes, unserved_keys
from toolc.generate.templates import Render
from toolc.model.artifact import Artifact
from toolc.model.diagnostic import Diagnostic
from toolc.model.piece import Lines, Piece, Pieces
from toolc.model.project import Project
from toolc.model.tool import Tool


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
    unserved: tuple[str, ...] = ()
    pair = types = seen = ""
    if project.outputs:
        from toolc.generate.outputs import describe_tool

        seen = compact(describe_tool(row))
    if project.python.enabled:
        from toolc.generate.python import pair_line, shared_types_line, tool_artifacts

        unserved = unserved_keys(tool.facts)
        artifacts, found = tool_artifacts(tool, project, render)
        pair = pair_line(tool, project.python)
        types = shared_types_line(tool)
        diagnostics += found
    texts = (
        wire_line(row),
        entry_line(row, project),
        described_line(row),
        pair,
        types,
        seen,
    )
    lines = Lines(*(text.encode() for text in texts))
    piece = Piece(
        tool.name,
        tool.path,
        tool.pointer,
        tool.aliases,
        tool.facts.tags,
        unserved,
        lines,
        artifacts,
    )
    return piece, diagnostics


def package_artifacts(
    pieces: Pieces, project: Project, render: Render
) -> tuple[tuple[Artifact, ...], tuple[Diagnostic, ...]]:
    """The files of the Python package that are no single tool's; none where there is no package."""
    if not project.python.enabled:
        return (), ()

    from toolc.generate.python import package_artifacts as python_artifacts

    return python_artifacts(pieces, project, render)


def data_artifacts(
    pieces: Pieces, project: Project, output_digests: dict[str, str]
) -> tuple[Artifact, ...]:
    """The manifest, the catalogue and the description; the catalogue records `output_digests`."""
    return (
        *manifest_artifacts(pieces, project, output_digests),
        mcpdesc_artifact(pieces, project),
    )


def project_notes(pieces: Pieces, project: Project) -> tuple[Diagnostic, ...]:
    """What there is to say of all tools together."""
    return serving_notes(pieces.unserved) if project.python.enabled else ()
