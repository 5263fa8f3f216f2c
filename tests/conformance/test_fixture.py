"""The fixture project is in order, so that `make conformance` finds a server to run the suite against."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path

from toolc.model.project import Project
from toolc.pipeline import compile_project

HERE = Path(__file__).resolve().parent


def test_definitions_are_in_order_and_name_handlers_that_exist() -> None:
    paths = sorted((HERE / "tooldefs").iterdir())
    sources = {f"tooldefs/{path.name}": path.read_text(encoding="utf-8") for path in paths}
    program = compile_project(sources, Project())
    assert not program.diagnostics
    modules = {
        f"handlers.{path.stem}": run_path(str(path)) for path in (HERE / "handlers").glob("*.py")
    }
    named = [(tool.facts.handler or "").partition(":") for tool in program.tools]
    assert [f"{module}:{name}" for module, _, name in named if name not in modules[module]] == []
