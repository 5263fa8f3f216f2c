"""mcpdesc.json: the server as an MCP Description 0.7.0 document."""

from __future__ import annotations

from toolc.generate.manifest import Projected, server_identity
from toolc.model.artifact import Artifact, JoinedLines, Owner
from toolc.model.document import JsonObject, JsonValue
from toolc.model.jsontext import compact, indented
from toolc.model.piece import Pieces
from toolc.model.project import Project
from toolc_runtime.revision import TOOL_KEYS

SCHEMA = "https://developer.cisco.com/mcp-description/schema/0.7.0"
VERSION = "0.7.0"

_PROTOCOL_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Those that the description's own schema knows."""


def mcpdesc_artifact(pieces: Pieces, project: Project) -> Artifact:
    text = mcpdesc_text(pieces, project)
    return Artifact(project.data_path("mcpdesc.json"), text, Owner.DATA)


def mcpdesc_text(pieces: Pieces, project: Project) -> JoinedLines:
    """The document, indented, but with one line a tool: readable, and quick to write."""
    about = _describe_server(pieces, project)
    head = indented(about).removesuffix("\n}")
    return JoinedLines(
        f'{head},\n  "tools": [',
        pieces.lines("described"),
        "]\n}\n",
        first="\n",
        last="\n  ",
        indent="    ",
    )


def _describe_server(pieces: Pieces, project: Project) -> JsonObject:
    """The description as a JSON object, but for its tools."""
    info = server_identity(project.server)
    if project.revision in _PROTOCOL_VERSIONS:
        info["protocolVersion"] = project.revision
    return {
        "$schema": SCHEMA,
        "mcpdesc": VERSION,
        "info": info,
        "transports": _transports(project),
        "capabilities": {"tools": {}},
        **_tags(pieces, project),
    }


def _transports(project: Project) -> list[JsonValue]:
    if project.server.transports:
        return list(project.server.transports)
    if not project.python.enabled:
        # Whoever serves the manifest knows how; the description wants a transport all the same.
        return [{"type": "stdio", "command": project.server.name}]
    return [{"type": "stdio", "command": "python", "args": ["-m", project.python.package]}]


def _tags(pieces: Pieces, project: Project) -> JsonObject:
    """The tags that the project file describes, then those that only tools name, sorted."""
    described: list[JsonValue] = list(project.server.tags)
    known = {tag["name"] for tag in project.server.tags if "name" in tag}
    used = sorted({tag for tags in pieces.tags for tag in tags})
    described.extend({"name": tag} for tag in used if tag not in known)
    return {"tags": described} if described else {}


def described_line(row: Projected) -> str:
    """A tool's line in the description; empty where it is the same as in the manifest."""
    facts = row.tool.facts
    output = row.wire.get("outputSchema")
    # A list of types, which the description has no word for.
    drops_output = isinstance(output, dict) and not isinstance(output.get("type", ""), str)
    if not (facts.tags or facts.deprecated or drops_output or not row.wire.keys() <= TOOL_KEYS):
        return ""
    # A vendor's further keys have no place in the description.
    tool: JsonObject = {key: value for key, value in row.wire.items() if key in TOOL_KEYS}
    if drops_output:
        del tool["outputSchema"]
    if facts.tags:
        tool["tags"] = list(dict.fromkeys(facts.tags))
    if facts.deprecated:
        tool["deprecated"] = True
    return compact(tool)
