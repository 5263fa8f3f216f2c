from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

import pytest

from toolc.generate.python import contract_text, handler_text
from toolc.generate.templates import Render, environment
from toolc.model.project import PythonTarget
from toolc.model.tool import Tool

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"

Contract: TypeAlias = Callable[[Tool], str]
Run: TypeAlias = Callable[[str], ModuleType]


def builtin_templates() -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in TEMPLATES.glob("*.j2")}


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
