"""What the Go reference answers to `tool_search`: the same tools, in the same order, with the same scores."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from toolc_runtime.discovery import ToolSearch

READ: dict[str, Any] = json.loads(
    (Path(__file__).parent / "search-vectors.json").read_text("utf-8")
)


def search_of(toolset: list[dict[str, Any]]) -> ToolSearch:
    return ToolSearch({row["name"]: served(row["name"], **row["metadata"]) for row in toolset})


def served(
    name: str,
    description: str,
    keywords: tuple[str, ...] = (),
    discoverable: bool = False,
    **_: Any,
) -> Any:
    wire = {"name": name, "description": description, "inputSchema": {"type": "object"}}
    return SimpleNamespace(
        wire=wire, facts=SimpleNamespace(keywords=tuple(keywords), discoverable=discoverable)
    )


SEARCHES = {name: search_of(toolset) for name, toolset in READ["toolsets"].items()}


@pytest.mark.parametrize("vector", READ["vectors"], ids=lambda vector: vector["name"])
def test_the_reference_s_scores(vector: dict[str, Any]) -> None:
    answer: Any = SEARCHES[vector["toolset"]].answer(vector["args"])
    (content,) = answer["content"]
    text = content["text"]
    found = json.loads(text) if vector["expected"] else []
    assert [[row["name"], row["score"]] for row in found] == vector["expected"]
    if not vector["expected"]:
        assert text.startswith("No tool matches this query.")
    elif "reference_text" in vector:
        meant = json.loads(vector["reference_text"])
        for row in (*found, *meant):
            del row["inputSchema"]  # of parameters, which these tools are built without
        assert found == meant
