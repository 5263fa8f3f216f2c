"""`toolc new`: a definition that builds, in each notation."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

Tree = Callable[[Path], dict[str, str]]


@pytest.mark.parametrize("notation", ["toml", "yaml", "json"])
def test_writes_a_definition_that_builds(project: Path, toolc: Toolc, notation: str) -> None:
    ran = toolc("new", "find-notes.v2", "--format", notation)
    assert ran.code == 0
    assert ran.out.startswith(f"wrote tooldefs/find-notes.v2.{notation}; ")
    checked = toolc("check", "--strict")
    assert checked.code == 0, checked.out
    shown = json.loads(toolc("show", "find-notes.v2").out)
    assert shown["title"] == "Find notes v2"
    assert shown["inputSchema"]["required"] == ["text"]
    # What the tool does to the world is its author's to say.
    assert "annotations" not in shown
    assert "readOnly" in (project / f"tooldefs/find-notes.v2.{notation}").read_text()


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("greet", "'tooldefs/greet.toml' is there already"),
        ("a b", "a tool's name is 1 to 128 of"),
        ("../a", "a tool's name is 1 to 128 of"),
        ("..", "a tool's name is 1 to 128 of"),
        ("", "a tool's name is 1 to 128 of"),
        ("x" * 129, "a tool's name is 1 to 128 of"),
        ("tool_search", "the server's own tools"),
    ],
)
def test_refuses(project: Path, toolc: Toolc, name: str, part: str, tree: Tree) -> None:
    before = tree(project)
    ran = toolc("new", name, "--format", "yaml")
    assert (ran.code, ran.out) == (2, "")
    assert part in ran.err
    assert tree(project) == before
