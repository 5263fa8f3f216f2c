"""The tools of real servers: each one's contract compiles, imports, and reaches every parameter.

A sample in an ordinary run; all of them with TOOLC_WHOLE_CORPUS=1 in the environment.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from toolc.generate.names import module_name
from toolc.generate.parameters import parameter_names
from toolc.generate.templates import Render
from toolc.model.artifact import read_text
from toolc.model.project import Project, PythonTarget
from toolc.model.tool import Tool

from .conftest import python_artifacts

WHOLE = bool(os.environ.get("TOOLC_WHOLE_CORPUS"))

IMPORT_ALL = """
import importlib, json, sys
for module, names in json.load(sys.stdin).items():
    params = importlib.import_module(module).PARAMS
    arguments = {wire: f"value of {wire}" for wire in names}
    bound = params.bind(arguments)
    assert all(getattr(bound, name) == arguments[wire] for wire, name in names.items()), module
"""


def servers_of(corpus: Path) -> dict[str, list[Tool]]:
    """Package name to the tools of one server; of the sample, every twentieth tool."""
    servers: dict[str, list[Tool]] = {}
    count = 0
    for path in sorted(corpus.glob("*.json")):
        loaded = json.loads(path.read_text("utf-8"))
        for wire in loaded["tools"] if isinstance(loaded, dict) else loaded:
            count += 1
            if WHOLE or count % 20 == 1:
                package = f"server_{path.stem.replace('-', '_').replace('.', '_')}"
                tool = Tool(
                    wire["name"],
                    wire["inputSchema"],
                    description=wire.get("description"),
                    output_schema=wire.get("outputSchema"),
                    path=path.name,
                )
                servers.setdefault(package, []).append(tool)
    return servers


def check(folder: Path, *command: str, given: str = "") -> None:
    run = subprocess.run(
        [sys.executable, *command], cwd=folder, input=given, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]


def test_contracts_of_real_tools(
    shared: Callable[[str], Path], render: Render, tmp_path: Path
) -> None:
    reached: dict[str, dict[str, str]] = {}
    for package, tools in servers_of(shared("corpus")).items():
        target = PythonTarget(True, package, package, f"{package}/handlers", f"{package}.handlers")
        artifacts, diagnostics = python_artifacts(tools, Project(python=target), render)
        assert diagnostics == ()
        assert len({artifact.path.casefold() for artifact in artifacts}) == len(artifacts)
        for artifact in artifacts:
            path = tmp_path / artifact.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(read_text(artifact.text), "utf-8")
        for tool in tools:
            module = f"{package}.contracts.{module_name(tool.name)}"
            reached[module] = parameter_names(tool)
            assert tool.input_schema.get("properties", {}).keys() <= reached[module].keys()  # type: ignore[union-attr]
    check(tmp_path, "-W", "error", "-c", IMPORT_ALL, given=json.dumps(reached))
    check(tmp_path, "-m", "ruff", "format", "--isolated", "--check", "--quiet", ".")
    check(tmp_path, "-m", "ruff", "check", "--isolated", "--extend-select", "I", "--quiet", ".")
    cache = str(tmp_path / "cache")
    check(tmp_path, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", cache, ".")


def test_every_contract_name_of_the_corpus_is_its_own(shared: Callable[[str], Path]) -> None:
    names: set[str] = set()
    for path in sorted(shared("corpus").glob("*.json")):
        loaded = json.loads(path.read_text("utf-8"))
        names.update(
            wire["name"] for wire in (loaded["tools"] if isinstance(loaded, dict) else loaded)
        )
    assert len({module_name(name) for name in names}) == len(names)
