"""manifest.json, catalog.json and mcpdesc.json."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc import api
from toolc.generate.manifest import (
    catalog_text,
    manifest_text,
    project_wire,
    relative_path,
    revision_notes,
    tool_digest,
)
from toolc.generate.mcpdesc import mcpdesc_text
from toolc.model.artifact import read_text
from toolc.model.jsontext import compact
from toolc.model.project import Project, ServerInfo
from toolc.model.tool import Tool
from toolc_runtime.revision import REVISIONS, restore

from .conftest import pieces_of

FULL = api.build_tool(
    "find-notes",
    """
title = "Find notes"
description = "Find notes."
keywords = ["note"]
discoverable = true
readOnly = true
tags = ["notes", "search"]
deprecated = "use search_notes"
taskSupport = "optional"
timeout = 5
aliases = ["search"]
extraParameters = "warn"
icons = [{ src = "https://example.org/i.png", sizes = ["48x48"] }]
meta = { vendor = 1 }
outputSchema = { type = "array", items = { type = "string" } }
wire = { category = "x" }
errors = [{ code = "NOTE_LOCKED", description = "somebody edits it" }]

[[parameters]]
name = "from"
type = "string"
aliases = ["since"]

[[parameters]]
name = "page-size"
type = "int"
identifier = "size"

[[examples]]
prompt = "everything"
arguments = {}
result = ["a"]
exact = true
""",
)
BARE = api.build_tool("bare", "")


def catalog(tools: list[Tool], project: Project) -> dict[str, Any]:
    pieces, _ = pieces_of(tools, project)
    text = catalog_text(pieces.lines("entry"), project, {"ts/a.ts": "0f"})
    loaded: dict[str, Any] = json.loads(read_text(text))
    return loaded


def manifest(*tools: Tool, revision: str) -> str:
    pieces, _ = pieces_of(tools, Project(revision=revision))
    return read_text(manifest_text(pieces.lines("wire")))


def description(tools: list[Tool], project: Project) -> str:
    return read_text(mcpdesc_text(pieces_of(tools, project)[0], project))


def test_manifest_has_a_line_for_each_tool_and_nothing_else() -> None:
    text = manifest(BARE, FULL, revision="2025-11-25")
    first, bare, full, last = text.splitlines()
    assert (first, last) == ('{"tools": [', "]}")
    assert json.loads(bare.removesuffix(",")) == BARE.to_dict("2025-11-25")
    assert json.loads(full) == FULL.to_dict("2025-11-25")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_compact_is_what_json_dumps_writes(value: Any) -> None:
    assert compact(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def test_manifest_of_no_tools_is_json() -> None:
    assert json.loads(manifest(revision="2025-11-25")) == {"tools": []}


def test_catalog_holds_what_the_wire_does_not() -> None:
    entry = catalog([FULL], Project(revision="2026-07-28"))["tools"]["find-notes"]
    assert entry == {
        "digest": tool_digest(FULL.to_wire()),
        "contract": "generated.contracts.find_notes_",
        "handler": "generated.handlers.find_notes_:find_notes_",
        "keywords": ["note"],
        "discoverable": True,
        "tags": ["notes", "search"],
        "deprecated": "use search_notes",
        "errors": [{"code": "NOTE_LOCKED", "description": "somebody edits it"}],
        "examples": [{"prompt": "everything", "arguments": {}, "result": ["a"], "exact": True}],
        "timeout": 5,
        "extraParameters": "warn",
        "aliases": ["search"],
        "parameterAliases": {"since": "from"},
        "unprojected": {"execution": {"taskSupport": "optional"}},
        "parameters": {"from": "from_", "page-size": "size"},
    }


def test_catalog_leaves_defaults_out() -> None:
    made = catalog([BARE], Project(python=Project().python._replace(enabled=False)))
    assert made == {
        "format": 1,
        "revision": "2026-07-28",
        "server": {"name": "toolc-server", "version": "0.1.0"},
        "tools": {"bare": {"digest": tool_digest(BARE.to_wire()), "parameters": {}}},
        "files": {"ts/a.ts": "0f"},
    }


@pytest.mark.parametrize("revision", REVISIONS)
def test_manifest_and_catalog_together_are_the_whole_tool(revision: str) -> None:
    row = project_wire(FULL, revision)
    entry = catalog([FULL], Project(revision=revision))["tools"]["find-notes"]
    assert restore(row.wire, entry.get("unprojected", {})) == FULL.to_wire()


def test_digest_does_not_count_the_order_of_keys() -> None:
    turned = FULL._replace(input_schema=dict(reversed(FULL.input_schema.items())))
    assert tool_digest(turned.to_wire()) == tool_digest(FULL.to_wire())
    assert tool_digest(FULL._replace(title="Other").to_wire()) != tool_digest(FULL.to_wire())


def test_what_a_revision_cannot_hold_is_noted() -> None:
    def notes(revision: str) -> list[str]:
        return [note.message for note in revision_notes(project_wire(FULL, revision))]

    assert notes("2025-11-25") == [
        '"find-notes": outputSchema was wrapped in an object as "result": 2025-11-25 wants an object'
    ]
    assert len(notes("2024-11-05")) == 6
    forbidding = FULL._replace(execution={"taskSupport": "forbidden"})
    assert not revision_notes(project_wire(forbidding, "2026-07-28"))


@pytest.mark.parametrize(
    ("start", "target", "expected"),
    [
        ("generated", "ui", "../ui"),
        ("a/b", "a/c/d", "../c/d"),
        ("", "ui", "ui"),
        ("generated", "", ".."),
        ("a", "a", "."),
    ],
)
def test_relative_path(start: str, target: str, expected: str) -> None:
    assert relative_path(start, target) == expected


# The description's own schema is a third party's, and read from where it lies.


def description_faults(folder: Path, tools: list[Tool], project: Project) -> list[str]:
    schema = json.loads((folder / "mcpdesc-0.7.0.schema.json").read_text("utf-8"))
    described = json.loads(description(tools, project))
    return [error.message for error in jsonschema_rs.validator_for(schema).iter_errors(described)]


@pytest.mark.parametrize("revision", REVISIONS)
def test_description_is_valid(shared: Callable[[str], Path], revision: str) -> None:
    server = ServerInfo(
        "notes",
        "1.0",
        title="Notes",
        website_url="https://example.org",
        icons=({"src": "https://example.org/i.png"},),
        transports=({"type": "streamable-http", "url": "https://example.org/mcp"},),
        tags=({"name": "notes", "description": "The notes"},),
    )
    project = Project(revision=revision, server=server)
    folder = shared("mcpdesc-0.7.0.schema.json").parent
    assert not description_faults(folder, [FULL, BARE], project)
    described = json.loads(description([FULL], project))
    assert isinstance(described["info"], dict)
    assert described["info"].get("protocolVersion") == (
        None if revision == "2026-07-28" else revision
    )
    assert described["tags"] == [{"name": "notes", "description": "The notes"}, {"name": "search"}]


@pytest.mark.parametrize("tools", [[], [BARE], [FULL, BARE]])
def test_description_has_a_line_for_each_tool(tools: list[Tool]) -> None:
    text = description(tools, Project(revision="2025-11-25"))
    assert {tool["name"] for tool in json.loads(text)["tools"]} == {tool.name for tool in tools}
    assert sum(line.startswith('    {"name":') for line in text.splitlines()) == len(tools)


def test_description_of_real_tools_is_valid(shared: Callable[[str], Path]) -> None:
    folder = shared("corpus")
    tools = [
        Tool(
            wire["name"],
            wire["inputSchema"],
            title=wire.get("title", ""),
            output_schema=wire.get("outputSchema"),
            annotations=wire.get("annotations"),
            wire={"category": "x"},
        )
        for path in sorted(folder.glob("*.json"))
        for wire in json.loads(path.read_text("utf-8"))["tools"]
    ]
    assert not description_faults(folder.parent, tools, Project(revision="2025-11-25"))
