"""mcpdesc.json: the server as an MCP Description 0.7.0 document."""

from __future__ import annotations

import json
from collections.abc import Iterable

from toolc.generate.manifest import Projected, compact, server_identity
from toolc.model.artifact import Artifact, Owner
from toolc.model.document import JsonObject, JsonValue
from toolc.model.project import Project
from toolc_runtime.revision import TOOL_KEYS

SCHEMA = "https://developer.cisco.com/mcp-description/schema/0.7.0"
VERSION = "0.7.0"

_PROTOCOL_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Those that the description's own schema knows."""


def mcpdesc_artifact(projected: Iterable[Projected], project: Project) -> Artifact:
    text = mcpdesc_text(describe_server(projected, project))
    return Artifact(project.data_path("mcpdesc.json"), text, Owner.DATA)


def mcpdesc_text(description: JsonObject) -> str:
    """The document, indented, but with one line a tool: readable, and quick to write."""
    tools = description["tools"]
    assert isinstance(tools, list)
    rest: JsonObject = {key: value for key, value in description.items() if key != "tools"}
    head = json.dumps(rest, ensure_ascii=False, indent=2).removesuffix("\n}")
    lines = ",\n".join(f"    {compact(tool)}" for tool in tools)
    return f'{head},\n  "tools": [' + (f"\n{lines}\n  " if lines else "") + "]\n}\n"


def describe_server(projected: Iterable[Projected], project: Project) -> JsonObject:
    """The description as a JSON object."""
    rows = tuple(projected)
    info = server_identity(project.server)
    if project.revision in _PROTOCOL_VERSIONS:
        info["protocolVersion"] = project.revision
    return {
        "$schema": SCHEMA,
        "mcpdesc": VERSION,
        "info": info,
        "transports": _transports(project),
        "capabilities": {"tools": {}},
        **_tags(rows, project),
        "tools": [_tool(row) for row in rows],
    }


def _transports(project: Project) -> list[JsonValue]:
    if project.server.transports:
        return list(project.server.transports)
    if not project.python.enabled:
        # Whoever serves the manifest knows how; the description wants a transport all the same.
        return [{"type": "stdio", "command": project.server.name}]
    return [{"type": "stdio", "command": "python", "args": ["-m", project.python.package]}]


def _tags(rows: tuple[Projected, ...], project: Project) -> JsonObject:
    """The tags that the project file describes, then those that only tools name, sorted."""
    described: list[JsonValue] = list(project.server.tags)
    known = {tag["name"] for tag in project.server.tags if "name" in tag}
    used = sorted({tag for row in rows for tag in row.tool.facts.tags})
    described.extend({"name": tag} for tag in used if tag not in known)
    return {"tags": described} if described else {}


def _tool(row: Projected) -> JsonObject:
    # A vendor's further keys have no place in the description.
    tool: JsonObject = {key: value for key, value in row.wire.items() if key in TOOL_KEYS}
    output = tool.get("outputSchema")
    if isinstance(output, dict) and not isinstance(output.get("type", ""), str):
        del tool["outputSchema"]  # a list of types, which the description has no word for
    tags: list[JsonValue] = list(dict.fromkeys(row.tool.facts.tags))
    if tags:
        tool["tags"] = tags
    if row.tool.facts.deprecated:
        tool["deprecated"] = True
    return tool
