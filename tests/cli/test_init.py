"""`toolc init`: a project that builds at once, and fits into one that is there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

Tree = Callable[[Path], dict[str, str]]


def test_writes_a_project_that_builds(folder: Path, toolc: Toolc) -> None:
    ran = toolc("init", "notes")
    assert ran.code == 0
    assert ran.out == (
        "wrote toolc.toml, app.py, tooldefs/greet.toml, handlers/__init__.py, handlers/greet.py, "
        ".toolc/definition.schema.json, .toolc/project.schema.json\n"
        "what builds write to generated/ is meant to be committed, like the rest\n"
        "next: cd notes && toolc build && toolc serve --transport http\n"
    )
    assert 'name = "notes"' in (folder / "notes/toolc.toml").read_text()
    os.chdir(folder / "notes")
    built = toolc("build", "--release", "--strict")
    assert built.code == 0, built.out
    assert built.out.startswith("1 tool from 1 file: 1 changed, 0 up to date; wrote ")
    assert "note[" not in built.out
    assert '"repair":"safe"' in (folder / "notes/generated/catalog.json").read_text()
    checked = toolc("check", "--handlers", "--strict")
    assert checked.code == 0, checked.out


def test_overwrites_nothing(folder: Path, toolc: Toolc) -> None:
    (folder / "handlers").mkdir()
    (folder / "handlers/greet.py").write_text("mine\n")
    ran = toolc("init")
    assert ran.code == 0
    assert "kept handlers/greet.py, which stood there already" in ran.out
    assert (folder / "handlers/greet.py").read_text() == "mine\n"
    again = toolc("init")
    assert "wrote" not in again.out


@pytest.mark.parametrize(
    ("path", "settings", "written"),
    [
        (
            "pyproject.toml",
            "[tool.toolc]\n",
            "tooldefs/greet.toml, generated/handlers/__init__.py, generated/handlers/greet.py",
        ),
        (
            "pyproject.toml",
            '[tool.toolc]\nsources = ["defs"]\n[tool.toolc.python]\n'
            'package = "api.mcp"\nhandlers = "own"\n',
            "defs/greet.toml, own/__init__.py, own/greet.py",
        ),
        ("toolc.toml", "[python]\nenabled = false\n", "tooldefs/greet.toml"),
        (
            "toolc.toml",
            'sources = ["."]\n[python]\nhandlers = "generated"\n',
            "greet.toml, generated/greet.py",
        ),
    ],
)
def test_fits_into_a_project(
    folder: Path, toolc: Toolc, path: str, settings: str, written: str, tree: Tree
) -> None:
    (folder / path).write_text(settings)
    ran = toolc("init")
    assert ran.code == 0
    written += ", .toolc/definition.schema.json"
    assert ran.out.startswith(f"wrote {written}, as {path} has it\n")
    assert set(tree(folder)) == {path, *written.split(", ")}
    built = toolc("build", "--release", "--strict")
    assert built.code == 0, built.out
    checked = toolc("check", "--handlers", "--strict")
    assert checked.code == 0, checked.out


@pytest.mark.parametrize("settings", [None, "", 'sources = ["tooldefs/ping.toml"]'])
def test_adds_no_tool_to_others(folder: Path, toolc: Toolc, settings: str | None) -> None:
    (folder / "tooldefs").mkdir()
    (folder / "tooldefs/ping.toml").write_text('description = "Say that the server is there"')
    if settings is not None:
        (folder / "toolc.toml").write_text(settings)
    ran = toolc("init", "--deploy")
    assert ran.code == 0
    assert "Dockerfile" in ran.out
    assert not list(folder.rglob("greet.*"))


def test_an_app_that_is_somebody_elses_is_left_out(folder: Path, toolc: Toolc) -> None:
    (folder / "app.py").write_text("from fastapi import FastAPI\n")
    assert toolc("init").code == 0
    assert (folder / "app.py").read_text() == "from fastapi import FastAPI\n"
    assert toolc("build", "--strict").code == 0
    checked = toolc("check", "--handlers", "--strict")
    assert checked.code == 0, checked.out


@pytest.mark.parametrize(
    ("name", "way", "server"),
    [
        ("my notes", "'my notes'", "my-notes"),
        ("it's", "'it'\"'\"'s'", "it-s"),
        ("-x", "./-x", "x"),
        ("Crème brûlée", "'Crème brûlée'", "creme-brulee"),
        ("日本", "'日本'", "my-server"),
    ],
)
def test_a_folder_of_any_name(folder: Path, toolc: Toolc, name: str, way: str, server: str) -> None:
    ran = toolc("init", "--", name)
    assert ran.out.endswith(f"\nnext: cd {way} && toolc build && toolc serve --transport http\n")
    assert f'name = "{server}"' in (folder / name / "toolc.toml").read_text()


def test_a_project_with_errors(folder: Path, toolc: Toolc, tree: Tree) -> None:
    (folder / "pyproject.toml").write_text("[tool.toolc]\noutptu = 1\n")
    ran = toolc("init")
    assert ran.code == 1
    assert "pyproject.toml:2:1: error[P602]" in ran.out
    assert set(tree(folder)) == {"pyproject.toml"}


def test_mypy_takes_what_it_writes(project: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "generated", "handlers"],
        cwd=project,
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout


def test_refuses_a_file(folder: Path, toolc: Toolc) -> None:
    (folder / "notes").write_text("")
    assert toolc("init", "notes") == (2, "", "toolc: 'notes' is a file; name a folder\n")


def test_says_what_is_in_the_way(folder: Path, toolc: Toolc, tree: Tree) -> None:
    (folder / "handlers").write_text("")
    ran = toolc("init")
    assert ran.code == 2
    assert "handlers/__init__.py: error[G705]" in ran.out
    assert tree(folder) == {"handlers": ""}


def test_says_that_there_is_no_folder_for_definitions(folder: Path, toolc: Toolc) -> None:
    (folder / "tooldefs").write_text("")
    message = "toolc: none of the project's sources is a folder: 'tooldefs'\n"
    assert toolc("init") == (2, "", message)
