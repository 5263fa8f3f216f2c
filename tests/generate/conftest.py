from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

import pytest

from toolc.generate.project import make_piece
from toolc.generate.python import contract_text, handler_text, package_files
from toolc.generate.templates import Render, environment
from toolc.model.artifact import Artifact
from toolc.model.diagnostic import Diagnostic
from toolc.model.piece import PieceList
from toolc.model.project import Project, PythonTarget
from toolc.model.tool import Tool
from toolc.pipeline import without_repeats

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"

Contract: TypeAlias = Callable[[Tool], str]
Run: TypeAlias = Callable[[str], ModuleType]


def builtin_templates() -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in TEMPLATES.glob("*.j2")}


def pieces_of(
    tools: Sequence[Tool], project: Project, render: Render | None = None
) -> tuple[PieceList, tuple[Diagnostic, ...]]:
    """The pieces of some tools, and what there is to say of each."""
    render = render or environment({}, builtin_templates)
    made = [make_piece(tool, project, render) for tool in tools]
    found = tuple(one for _, diagnostics in made for one in diagnostics)
    return PieceList([piece for piece, _ in made]), found


def python_artifacts(
    tools: Sequence[Tool], project: Project, render: Render
) -> tuple[tuple[Artifact, ...], tuple[Diagnostic, ...]]:
    """All files of the Python package of some tools, and what there is to say of them."""
    pieces, found = pieces_of(tools, project, render)
    artifacts, diagnostics = package_files(pieces, project, render)
    of_tools = [artifact for piece in pieces.pieces for artifact in piece.artifacts]
    return (*artifacts, *of_tools), without_repeats((*diagnostics, *found))


@pytest.fixture(scope="session")
def render() -> Render:
    return environment({}, builtin_templates)


@pytest.fixture(scope="session")
def contract(render: Render) -> Contract:
    """The text of a tool's contract, without its header."""
    return lambda tool: contract_text(tool, render)[0]


@pytest.fixture(scope="session")
def handler(render: Render) -> Contract:
    """The text of a tool's handler."""
    return lambda tool: handler_text(tool, PythonTarget(), render)


@pytest.fixture
def run() -> Iterator[Run]:
    """Runs a generated text as a module of its own."""
    made: list[str] = []

    def run(text: str) -> ModuleType:
        name = f"generated_by_a_test_{len(made)}"
        module = ModuleType(name)
        # dataclasses looks the annotations' module up where it says that it is.
        sys.modules[name] = module
        made.append(name)
        exec(compile(text, f"<{name}>", "exec", dont_inherit=True), module.__dict__)
        return module

    yield run
    for name in made:
        del sys.modules[name]
