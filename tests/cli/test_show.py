"""`toolc show`: a tool as a client gets it, and the list of all."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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


def test_what_the_tools_cost(project: Path, toolc: Toolc, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "toktok", None)  # as if it were not installed
    (project / "tooldefs/greet.toml").write_text(
        'description = "Greet somebody by name"\n[[output]]\nname = "text"\ntype = "string"\n'
    )
    (project / "tooldefs/rare.toml").write_text('description = "Rare"\ndiscoverable = true\n')
    ran = toolc("show", "--cost")
    head, *rows, together, _, method = ran.out.splitlines()
    costs = {" ".join(row[4:]): [int(figure) for figure in row[:4]] for row in map(str.split, rows)}
    assert head.split() == ["tokens", "description", "parameters", "output", "tool"]
    assert list(costs) == ["tool_search", "execute_tool", "greet", "rare (hidden)"]
    assert 3 <= costs["greet"][1] <= 5
    assert costs["greet"][3] > costs["rare (hidden)"][3] == 0
    shown = [row for name, row in costs.items() if name != "rare (hidden)"]
    assert together.split()[:4] == [f"{sum(parts):,}" for parts in zip(*shown, strict=True)]
    assert together.endswith("  3 tools in every list")
    assert method.startswith("Estimated;")
    alone = toolc("show", "greet", "--cost").out.splitlines()
    assert (alone[1].split()[-1], alone[2:]) == ("greet", ["", method])


def test_a_tokenizer_counts_what_they_cost(project: Path, toolc: Toolc) -> None:
    pytest.importorskip("toktok")
    ran = toolc("show", "greet", "--cost")
    assert ran.out.endswith("Counted as o200k_base does.\n")
