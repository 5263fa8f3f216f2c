"""The example server as it stands in the repository: its definitions, contracts and handlers."""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from toolc.generate.names import module_name
from toolc.loader import SUFFIXES
from toolc.model.project import Project
from toolc.model.tool import Tool
from toolc.pipeline import Program, compile_project
from toolc_runtime.testing import RecordingContext, make_context
from toolc_runtime.validation import compile_schema

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # for the package `generated`


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def sources() -> dict[str, str]:
    """The definitions, by path; folders whose names begin with `_` hold none."""
    found = {}
    for path in sorted((ROOT / "tooldefs").rglob("*")):
        relative = path.relative_to(ROOT)
        hidden = any(part.startswith("_") for part in relative.parts[:-1])
        if path.suffix in (*SUFFIXES, ".md") and not hidden:
            found[relative.as_posix()] = path.read_text(encoding="utf-8")
    return found


@pytest.fixture(scope="session")
def program(sources: dict[str, str]) -> Program:
    return compile_project(sources, Project())


@pytest.fixture(scope="session")
def tools(program: Program) -> dict[str, Tool]:
    return {tool.name: tool for tool in program.tools}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder, for the handlers of this test alone."""
    monkeypatch.setenv("NOTEBOOK_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def context() -> RecordingContext:
    """What handlers are called with, and what they said there."""
    return make_context()


@pytest.fixture
def call(tools: dict[str, Tool], data: Path, context: RecordingContext) -> Callable[..., Any]:
    """Calls a tool's handler by name; arguments and answer must fit the tool's schemas."""

    def call_tool(name: str, /, **arguments: Any) -> Any:
        tool = tools[name]
        assert compile_schema(tool.input_schema).faults(arguments) == []
        contract = import_module(f"generated.contracts.{module_name(name)}")
        place = tool.facts.handler or f"generated.handlers.{module_name(name)}:{module_name(name)}"
        module, _, function = place.partition(":")
        handler = getattr(import_module(module), function)
        answer = handler(contract.PARAMS.bind(arguments), context)
        if inspect.iscoroutine(answer):
            answer = asyncio.run(answer)
        if tool.output_schema is not None:
            assert compile_schema(tool.output_schema).faults(answer) == []
        return answer

    return call_tool
