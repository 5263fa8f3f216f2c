"""Documents that are no definitions: manifests, and what servers answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolc.lint.engine import lint
from toolc.lint.selection import Selection, select
from toolc.lint.table import RULES
from toolc.lint.written import listed
from toolc.loader import load
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import SourceFile
from toolc.model.project import Project

TOOL = {
    "name": "getIt",
    "inputSchema": {
        "type": "object",
        "properties": {"a": {"type": "nothing", "description": "Whose"}},
    },
}

BOTH = ("default", "checklist")


def said_of(value: Any, *selectors: str) -> list[Diagnostic]:
    document, _ = load(SourceFile("list.json", json.dumps(value, indent=1)))
    assert document is not None
    read = listed(document, Project())
    selection = Selection(select(RULES, select=selectors or None))
    return [*read.diagnostics, *lint(read.tools, selection, Project())]


@pytest.mark.parametrize(
    "value",
    [
        TOOL,
        [TOOL],
        {"tools": [TOOL]},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL], "nextCursor": "x"}},
        {"mcpdesc": "0.7.0", "info": {}, "tools": [TOOL]},
    ],
    ids=["tool", "list", "manifest", "response", "description"],
)
def test_what_holds_tools(value: Any) -> None:
    found = said_of(value)
    assert [one.code for one in found] == ["S401", "D201"]
    spans = [one.site.span for one in found if one.site is not None]
    text = json.dumps(value, indent=1)
    assert [text[span.start : span.end] for span in spans if span] == ['"nothing"', '"getIt"']


def test_keys_of_others_are_no_fault() -> None:
    tool = {
        **TOOL,
        "inputSchema": {"type": "object"},
        "description": "Get it",
        "x-a": 1,
        "examples": 2,
    }
    assert [one.code for one in said_of([tool])] == ["D202", "D204"]


def test_an_input_schema_has_to_be_there() -> None:
    (found,) = (one for one in said_of([{"name": "get_it"}]) if one.code.startswith("S"))
    assert found.message == 'the tool "get_it" has no inputSchema'


def seeded() -> Path:
    return Path(__file__).resolve().parents[3] / "shared/lint/defects.json"


SEEDED = json.loads(seeded().read_text("utf-8")) if seeded().exists() else {}


@pytest.mark.skipif(not SEEDED, reason="the third-party data in ../shared/lint is not here")
def test_of_a_clean_tool_nothing_is_said() -> None:
    assert said_of([SEEDED["00_clean"]], *BOTH) == []


@pytest.mark.parametrize("fault", [name for name in SEEDED if name != "00_clean"])
def test_seeded_faults_are_found(fault: str) -> None:
    assert said_of([SEEDED[fault]], *BOTH)
