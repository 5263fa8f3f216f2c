"""`toolc show`: a tool as a client gets it, and the list of all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""


def test_as_the_wire_has_it(project: Path, toolc: Toolc) -> None:
    ran = toolc("show", "greet")
    manifest = json.loads((project / "generated/manifest.json").read_text())
    assert json.loads(ran.out) == manifest["tools"][0]
    older = json.loads(toolc("show", "greet", "--revision", "2024-11-05").out)
    assert list(older) == ["name", "description", "inputSchema"]


def test_refuses(project: Path, toolc: Toolc) -> None:
    assert toolc("show", "gret").err == "toolc: no tool 'gret'; did you mean 'greet'?\n"
    assert toolc("show", "greet", "--revision", "2020-01-01").code == 2


def test_lists_the_tools(project: Path, toolc: Toolc) -> None:
    (project / "tooldefs/a.toml").write_text('description = "Does it.\\nNow. And then."\n')
    (project / "tooldefs/longer-name.toml").write_text(f'description = "{"x" * 99}"\n')
    (project / "tooldefs/mute.toml").write_text("[[parameters]]\nname = 'a'\ntype = 'int'\n")
    assert toolc("show") == (
        0,
        f"a            Does it. Now\ngreet        Greet\nlonger-name  {'x' * 79}…\nmute\n",
        "",
    )


def test_lists_the_tools_though_one_has_an_error(project: Path, toolc: Toolc) -> None:
    (project / "tooldefs/bad.toml").write_text("keywrods = []\n")
    ran = toolc("show")
    assert (ran.code, ran.out) == (1, "greet  Greet\n")
    assert "error[M102]" in ran.err


def test_the_tool_has_an_error(project: Path, toolc: Toolc) -> None:
    (project / "tooldefs/bad.toml").write_text("keywrods = []\n")
    ran = toolc("show", "bad")
    assert (ran.code, ran.out) == (2, "")
    assert "error[M102]" in ran.err
    assert toolc("show", "greet").code == 0
