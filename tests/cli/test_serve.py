"""`toolc serve`: the process becomes the server of the last build."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

Spawn = Callable[..., "subprocess.CompletedProcess[bytes]"]


def test_there_is_nothing_to_serve(folder: Path, toolc: Toolc) -> None:
    toolc("init")
    ran = toolc("serve")
    assert (ran.code, ran.out) == (2, "")
    assert "run `toolc build` first" in ran.err
    (folder / "toolc.toml").write_text("[python]\nenabled = false\n")
    assert "generates no Python" in toolc("serve").err


def test_becomes_the_server(project: Path, spawn: Spawn) -> None:
    """The server takes the process over, with the project importable from any folder."""
    (project / "generated/__main__.py").write_text(
        "import sys, handlers.greet, generated\nprint(sys.argv[1:])\nsys.exit(7)\n"
    )
    ran = spawn(
        *("serve", "--transport", "http", "--port", "0", "--mock", "--project", str(project)),
        cwd=project.parent,
    )
    assert ran.stderr == b""
    assert ran.stdout == b"['--transport', 'http', '--port', '0', '--mock']\n"
    assert ran.returncode == 7


@pytest.mark.parametrize(
    "arguments", [["--port", "0"], ["--host", "x"], ["--allow-host", "x"], ["--stream"]]
)
def test_what_is_for_http(project: Path, toolc: Toolc, arguments: list[str]) -> None:
    message = f"toolc: {arguments[0]} needs `--transport http`\n"
    assert toolc("serve", *arguments) == (2, "", message)
    assert toolc("serve", "--transport", "stdio", *arguments) == (2, "", message)


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        (None, ""),
        ("title = 'New'\n", "have changed since the last build (6 files); run `toolc build`"),
        ("keywrods = []\n", "have errors (`toolc check` shows them); serving the last build"),
    ],
)
def test_definitions_that_are_newer(
    project: Path, spawn: Spawn, definition: str | None, said: str
) -> None:
    if definition is not None:
        (project / "tooldefs/new.toml").write_text(definition)
    ran = spawn("serve", cwd=project)
    expected = f"toolc: the definitions {said}\n" if said else ""
    assert (ran.returncode, ran.stdout, ran.stderr.decode()) == (0, b"", expected)
