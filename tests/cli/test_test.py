"""`toolc test` on a project with right and wrong handlers."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

Spawn = Callable[..., "subprocess.CompletedProcess[bytes]"]

DEFINITION = """
description = "Say how large something is"
{flags}
[[parameters]]
name = "n"
type = "int"
required = true

[[output]]
name = "size"
type = "int"
required = true

[[examples]]
prompt = "how large is one?"
arguments = {{ n = 1 }}
result = {{ size = 2 }}
exact = true
"""

RIGHT = """
print("loud")
def right(params, context):
    print("louder")
    return {"size": 2}
"""

WRONG = """
async def wrong(params, context):
    return {"size": "large"}
"""

WRITE = """
from pathlib import Path
def write(params, context):
    Path("written").touch()
    return {"size": 2}
"""

HANDLERS = {
    "right": ("readOnly = true", RIGHT),
    "wrong": ("readOnly = true", WRONG),
    "unwritten": ("readOnly = true", None),
    "write": ("aliases = ['put']", WRITE),
}


@pytest.fixture
def sizes(folder: Path, toolc: Toolc) -> Path:
    """A built project whose handlers differ in what they are worth, as the working folder."""
    (folder / "toolc.toml").write_text("")
    (folder / "tooldefs").mkdir()
    (folder / "generated/handlers").mkdir(parents=True)
    for name, (flags, handler) in HANDLERS.items():
        (folder / f"tooldefs/{name}.toml").write_text(DEFINITION.format(flags=flags))
        if handler is not None:
            (folder / f"generated/handlers/{name}.py").write_text(handler)
    assert toolc("build", "--quiet").code == 0
    return folder


def test_all_of_it(sizes: Path, spawn: Spawn) -> None:
    inside = sizes / "tooldefs"
    ran = spawn("test", cwd=inside)
    lines = ran.stdout.decode().splitlines()
    assert lines[:4] == [
        "✓ right      1 example, 3 wrong calls refused",
        "· unwritten  not written yet, 3 wrong calls refused",
        "✓ write      1 example passed over, 3 wrong calls refused",
        "✗ wrong      1 example, 3 wrong calls refused, 1 failure",
    ]
    assert lines[4].startswith('    example 1 ("how large is one?") was answered with an error: ')
    assert lines[5] == '      {"n": 1}'
    assert lines[-2].endswith('OutputError: size: expected an integer, got the string "large"')
    assert lines[-1].startswith(
        "4 tools: 2 passed, 1 failed, 1 not written yet; 1 example passed over, of tools that are "
        "not read-only (`--all` calls them) in "
    )
    assert ran.stderr == b"loud\nlouder\n"
    assert ran.returncode == 1
    assert not (sizes / "written").exists()


def test_some_of_it_for_programs(sizes: Path, spawn: Spawn) -> None:
    ran = spawn("test", "write", "right", "write", "--all", "--json", cwd=sizes)
    right, write = json.loads(ran.stdout)
    assert (right["tool"], write["tool"]) == ("right", "write")
    assert write == {
        "tool": "write",
        "outcome": "passed",
        "examples": {"called": 1, "passedOver": 0},
        "wrongCallsRefused": 3,
        "failures": [],
        "remarks": [],
    }
    assert ran.returncode == 0
    assert (sizes / "written").exists()


def test_failures_for_programs(sizes: Path, spawn: Spawn) -> None:
    ran = spawn("test", "wrong", "unwritten", "--json", cwd=sizes)
    unwritten, wrong = json.loads(ran.stdout)
    assert (unwritten["outcome"], wrong["outcome"], ran.returncode) == ("unwritten", "failed", 1)
    (failure,) = wrong["failures"]
    assert failure["call"] == 'example 1 ("how large is one?")'
    assert failure["arguments"] == {"n": 1}
    assert set(failure) == {"call", "arguments", "message", "log"}


def test_quiet(sizes: Path, spawn: Spawn) -> None:
    ran = spawn("test", "--quiet", cwd=sizes)
    assert [line for line in ran.stdout.decode().splitlines() if line[0] != " "] == [
        "✗ wrong  1 example, 3 wrong calls refused, 1 failure"
    ]
    ran = spawn("test", "--quiet", "right", cwd=sizes)
    assert (ran.returncode, ran.stdout) == (0, b"")


def test_a_build_that_is_behind(sizes: Path, spawn: Spawn) -> None:
    (sizes / "tooldefs/right.toml").write_text("keywrods = []")
    ran = spawn("test", "write", cwd=sizes)
    assert ran.returncode == 0
    assert ran.stderr == (
        b"toolc: the definitions have errors (`toolc check` shows them); testing the last build\n"
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [("wirte", "no tool 'wirte'; did you mean 'write'?"), ("put", "'put' is an old name of 'write'")],
)  # fmt: skip
def test_a_name_that_no_tool_has(sizes: Path, spawn: Spawn, name: str, message: str) -> None:
    ran = spawn("test", name, cwd=sizes)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.decode() == f"toolc: {message}\n"


def test_there_is_nothing_to_test(folder: Path, toolc: Toolc) -> None:
    toolc("init")
    ran = toolc("test")
    assert (ran.code, ran.out) == (2, "")
    assert "run `toolc build` first" in ran.err


def test_without_the_sdk(project: Path, spawn: Spawn) -> None:
    code = """
import sys
sys.modules["mcp"] = None
from toolc.cli.main import main
sys.exit(main(["test"]))
"""
    ran = spawn(cwd=project, code=code)
    assert ran.returncode == 2
    assert ran.stderr == b'toolc: mcp is not installed; a test needs: pip install "toolc[serve]"\n'


def test_a_stub_is_not_written_yet_though_no_example_calls_it(project: Path, spawn: Spawn) -> None:
    (project / "tooldefs/add_note.toml").write_text('description = "Add a note"\n')
    assert spawn("build", cwd=project).returncode == 0
    rows = json.loads(spawn("test", "--json", cwd=project).stdout)
    assert {row["tool"]: row["outcome"] for row in rows} == {
        "add_note": "unwritten",
        "greet": "passed",
    }


def test_a_handler_that_cannot_be_imported_fails_though_no_example_calls_it(
    project: Path, spawn: Spawn
) -> None:
    (project / "tooldefs/add_note.toml").write_text('description = "Add a note"\n')
    (project / "handlers/add_note.py").write_text("import nowhere_to_be_found\n")
    assert spawn("build", cwd=project).returncode == 0
    ran = spawn("test", "add_note", cwd=project)
    mark, why, *log, last = ran.stdout.decode().splitlines()
    assert mark == "✗ add_note  1 wrong call refused, 1 failure"
    assert why == "    its handler cannot be imported"
    assert log[-1] == "      ModuleNotFoundError: No module named 'nowhere_to_be_found'"
    assert last.startswith("1 tool: 0 passed, 1 failed in ")
    assert ran.returncode == 1
    (row,) = json.loads(spawn("test", "add_note", "--json", cwd=project).stdout)
    assert row["failures"][0]["arguments"] is None
