"""All tools of a project -> every file that a build of it has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from toolc.generate.manifest import manifest_artifacts, project_tools, revision_notes
from toolc.generate.mcpdesc import mcpdesc_artifact
from toolc.generate.outputs import output_artifacts, output_digests
from toolc.generate.serving import serving_notes
from toolc.model.artifact import Artifact
from toolc.model.diagnostic import Diagnostic
from toolc.model.project import Project
from toolc.model.tool import Tool


def project_artifacts(
    tools: Iterable[Tool],
    project: Project,
    read_builtin: Callable[[], Mapping[str, str]],
    overrides: Mapping[str, str],
) -> tuple[tuple[Artifact, ...], tuple[Diagnostic, ...]]:
    """The artefacts of a project, in the order in which they are worth reading: the manifest,
    the catalogue, the description, the project's own outputs, the Python package.

    `overrides` are the project's templates and `read_builtin` gives the built-in ones, name ->
    text. With an error among the diagnostics the
    artefacts are not to be used.
    """
    projected = project_tools(tools, project.revision)
    diagnostics = list(revision_notes(projected))
    outputs: tuple[Artifact, ...] = ()
    python: tuple[Artifact, ...] = ()
    if project.outputs or project.python.enabled:
        from toolc.generate.templates import environment

        render = environment(overrides, read_builtin)
        outputs, found = output_artifacts(projected, project, render)
        diagnostics.extend(found)
        if project.python.enabled:
            from toolc.generate.python import python_artifacts

            ordered = [row.tool for row in projected]
            diagnostics.extend(serving_notes(ordered))
            python, found = python_artifacts(ordered, project, render)
            diagnostics.extend(found)
    manifest = manifest_artifacts(projected, project, output_digests(outputs))
    artifacts = (*manifest, mcpdesc_artifact(projected, project), *outputs, *python)
    return artifacts, tuple(diagnostics)
