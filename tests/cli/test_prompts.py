"""What a build says of how hidden tools are found by their own prompts, and when it asks."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolc import driver
from toolc.check import discovery
from toolc.snapshot import read_state
from toolc.workspace import open_workspace

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

HIDDEN = """
description = "Send a letter"
discoverable = true
[[examples]]
prompt = "send a letter"
[[examples]]
prompt = "qqqq"
"""

SAID = "2 prompts: 1 finds their tool first, 1 does not (`toolc search --examples`)\n"


@pytest.fixture
def file(project: Path) -> Path:
    """The definition of a hidden tool, one of whose prompts does not find it."""
    for path in (*project.glob("tooldefs/*"), project / "handlers/greet.py"):
        path.unlink()
    path = project / "tooldefs/send.toml"
    path.write_text(HIDDEN)
    return path


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A line for each time that the prompts are asked."""
    times: list[str] = []
    ask = discovery.ask

    def noted(*given: Any) -> Any:
        times.append("asked")
        return ask(*given)

    monkeypatch.setattr(discovery, "ask", noted)
    return times


def test_a_note_stands_at_the_prompt(file: Path, toolc: Toolc) -> None:
    for command in (["build"], ["build"], ["build", "--no-cache"], ["check"]):
        ran = toolc(*command)
        assert ran.code == 0
        assert ran.out.startswith('tooldefs/send.toml:7:10: warning[P610]: "send" is not found')
        assert SAID in ran.out
    summary = json.loads(toolc("build", "--format", "json").out)["summary"]
    assert (summary["prompts"], summary["promptsFirst"], summary["warnings"]) == (2, 1, 1)


def test_nothing_is_asked_twice(file: Path, toolc: Toolc, asked: list[str]) -> None:
    toolc("build")
    toolc("build")
    assert len(asked) == 1
    file.write_text("# moved\n" + HIDDEN)
    assert toolc("build").out.startswith("tooldefs/send.toml:8:10: warning[P610]")
    assert len(asked) == 2


def test_a_build_with_nothing_to_do_says_what_the_last_one_said(file: Path, toolc: Toolc) -> None:
    file.write_text(HIDDEN.replace("qqqq", "letter"))
    first, second = toolc("build"), toolc("build")
    said = "2 prompts: 2 find their tool first\n"
    assert first.out.startswith(said) and second.out.startswith(said)
    assert "all up to date" in second.out
    state = read_state(str(file.parent.parent))
    assert state is not None and state.line == f"{said}1 tool from 1 file: all up to date"


def test_where_no_tool_is_hidden_nothing_is_asked(
    file: Path, toolc: Toolc, asked: list[str]
) -> None:
    file.write_text(HIDDEN.replace("discoverable = true", ""))
    assert "prompt" not in toolc("build").out
    assert not asked


def test_a_watch_does_not_ask_and_the_next_build_does(
    file: Path, toolc: Toolc, asked: list[str]
) -> None:
    toolc("build")
    file.write_text(HIDDEN.replace("Send", "Post"))
    opened = driver.open_project(str(file.parent.parent))
    workspace, changes, now = open_workspace(opened.root, clock=time.time_ns)
    with workspace.lock():
        built = workspace.build(opened, changes, now=now)
        assert not workspace.commit(built)
        workspace.save(built)
    assert len(asked) == 1 and not built.diagnostics
    assert "warning[P610]" in toolc("build").out
    assert len(asked) == 2
