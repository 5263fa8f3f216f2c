"""A project's own artefacts: its templates, rendered once a tool or once for all of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from toolc.generate.header import text_digest
from toolc.generate.manifest import Projected, server_identity
from toolc.generate.names import class_name, module_name
from toolc.generate.parameters import parameter_names
from toolc.generate.templates import Render, TemplateProblem, template_diagnostic
from toolc.model.artifact import Artifact, Owner, read_text
from toolc.model.diagnostic import Diagnostic
from toolc.model.jsontext import compact
from toolc.model.piece import Pieces
from toolc.model.project import Project


def output_artifacts(
    pieces: Pieces, project: Project, render: Render
) -> tuple[tuple[Artifact, ...], tuple[Diagnostic, ...]]:
    """What the project's `[[outputs]]` come to, in their order; a template's failure is reported.

    A template has these names: `tools` and, once a tool, `tool` (see `describe_tool`); `server`,
    the server's identity; and `json`, which writes a value as JSON text.
    """
    if not project.outputs:
        return (), ()
    tools = [json.loads(line) for line in pieces.lines("seen")]
    always = {"tools": tools, "server": server_identity(project.server), "json": compact}
    artifacts: list[Artifact] = []
    diagnostics: list[Diagnostic] = []
    for output in project.outputs:
        rounds = [(tool["name"], {**always, "tool": tool}) for tool in tools]
        if output.per == "project":
            rounds = [("", always)]
        for name, values in rounds:
            try:
                text = render(output.template, values)
            except TemplateProblem as problem:
                diagnostics.append(template_diagnostic(problem, project.templates))
                break
            path = output.path.replace("{name}", name)
            artifacts.append(Artifact(path, _ended(text), Owner.OUTPUT))
    return tuple(artifacts), tuple(diagnostics)


def _ended(text: str) -> str:
    """A text with LF as its line ends, the last line with one as well."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if not text or text.endswith("\n") else f"{text}\n"


def output_digests(artifacts: Iterable[Artifact]) -> dict[str, str]:
    """Path -> sha256 of the text, for the catalogue: how a later build knows its own work."""
    return {
        artifact.path: text_digest(read_text(artifact.text))
        for artifact in artifacts
        if artifact.owner is Owner.OUTPUT
    }


def describe_tool(row: Projected) -> dict[str, Any]:
    """A tool as a template sees it: its wire form's keys, and beside them `identifier`,
    `className`, `keywords`, `discoverable`, `tags`, `kind`, `deprecated`, `examples`, and
    `parameters`: a list of `name`, `identifier`, `required` and `schema`."""
    facts = row.tool.facts
    schema = row.tool.input_schema
    identifiers = parameter_names(row.tool)
    required = schema.get("required")
    properties = schema.get("properties")
    return {
        "title": "",
        "description": "",
        "outputSchema": None,
        "annotations": {},
        **row.wire,
        "identifier": module_name(row.tool.name),
        "className": class_name(row.tool.name),
        "keywords": list(facts.keywords),
        "discoverable": facts.discoverable,
        "tags": list(facts.tags),
        "kind": facts.kind,
        "deprecated": facts.deprecated,
        "examples": [
            {"prompt": example.prompt, "arguments": example.arguments, "result": example.result}
            for example in facts.examples
        ],
        "parameters": [
            _parameter(name, identifiers, required, property_schema)
            for name, property_schema in (
                properties.items() if isinstance(properties, dict) else ()
            )
        ],
    }


def _parameter(
    name: str, identifiers: Mapping[str, str], required: object, schema: object
) -> dict[str, Any]:
    return {
        "name": name,
        "identifier": identifiers[name],
        "required": isinstance(required, list) and name in required,
        "schema": schema if isinstance(schema, dict) else {},
    }
