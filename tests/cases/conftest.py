"""Inputs drawn from public bug reports, built on a real disk."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolc import driver
from toolc.lint.clients.profile import Clients
from toolc.lint.clients.reader import load_clients
from toolc.lint.engine import lint
from toolc.lint.rule import Kind
from toolc.lint.selection import Selection
from toolc.lint.table import RULES
from toolc.lint.written import Definitions
from toolc.model.diagnostic import Diagnostic, Severity
from toolc.pipeline import compile_shared

BuildCase = Callable[..., "CaseProject"]


class CaseProject:
    """One case's input files as a project, built."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.build()

    def build(self) -> None:
        opened = driver.open_project(str(self.root))
        self.result = driver.compile_project(opened.root, opened.project)
        self.plan = driver.plan_build(self.result)
        assert not driver.commit(self.result, self.plan)

    def found(self, severity: Severity) -> list[str]:
        """`path:line:column: message` of each finding of one severity."""
        lines = []
        for found in self.result.diagnostics:
            if found.severity is severity and found.site is not None:
                assert found.site.span is not None
                source = self.result.sources[found.path]
                line, column = source.line_column(found.site.span.start)
                lines.append(f"{found.path}:{line}:{column}: {found.message}")
        return lines

    def of_clients(self, *names: str) -> tuple[Diagnostic, ...]:
        """What the linter says for these clients."""
        build = self.result
        shared, _ = compile_shared([], build.project)
        definitions = Definitions(build.sources, shared, build.project)
        clients = Clients(load_clients(names, lambda _path: None).profiles)
        rules = tuple(rule for rule in RULES if rule.kind is Kind.CLIENT)
        tools = [definitions.linted(tool) for tool in build.tools]
        return lint(tools, Selection(rules, clients=clients), build.project)

    def manifest(self) -> dict[str, Any]:
        tools = json.loads((self.root / "generated/manifest.json").read_text("utf-8"))["tools"]
        return {tool["name"]: tool for tool in tools}

    def run(self, script: str, *, seed: str = "0") -> Any:
        """What a script that imports the generated package prints, as JSON."""
        run = subprocess.run(
            [sys.executable, "-W", "error", "-c", script],
            cwd=self.root,
            capture_output=True,
            text=True,
            env={"PYTHONHASHSEED": seed, "PATH": ""},
        )
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)


@pytest.fixture
def build_case(tmp_path: Path, shared: Callable[[str], Path]) -> BuildCase:
    cases = {case["id"]: case for case in json.loads(shared("cases/cases.json").read_text("utf-8"))}

    def build(name: str, settings: str = "") -> CaseProject:
        (tmp_path / "toolc.toml").write_text(settings, "utf-8")
        for path, text in cases[name]["input_files"].items():
            place = tmp_path / "tooldefs" / path
            place.parent.mkdir(exist_ok=True)
            place.write_text(text, "utf-8")
        return CaseProject(tmp_path)

    return build
