from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import pytest

from toolc.builder.project import read_project
from toolc.lint.clients.profile import Clients
from toolc.lint.clients.reader import ALL, load_clients
from toolc.lint.engine import lint
from toolc.lint.rule import Rule
from toolc.lint.selection import Selection
from toolc.lint.suppressions import without_suppressed
from toolc.lint.table import RULES
from toolc.lint.written import Definitions
from toolc.loader import load
from toolc.model.diagnostic import Diagnostic, in_order
from toolc.model.document import SourceFile
from toolc.model.project import Project
from toolc.pipeline import compile_project, compile_shared, is_shared_file

PLAIN = Project()

Lint = Callable[..., tuple[Diagnostic, ...]]

EVERY_CLIENT = Clients(load_clients([ALL], lambda _path: None).profiles)


@pytest.fixture(scope="session")
def lint_sources() -> Lint:
    """Lints a project in memory: paths to texts, its `toolc.toml` perhaps among them. All rules
    speak unless some are given, for every client."""

    def run(
        sources: Mapping[str, str],
        rules: Iterable[Rule] = RULES,
        project: Project = PLAIN,
        clients: Clients = EVERY_CLIENT,
    ) -> tuple[Diagnostic, ...]:
        site = None
        if "toolc.toml" in sources:
            document, _ = load(SourceFile("toolc.toml", sources["toolc.toml"]))
            assert document is not None
            project, site = read_project(document)[0], document.site
            sources = {path: text for path, text in sources.items() if path != "toolc.toml"}
        program = compile_project(sources, project)
        files = {path: SourceFile(path, text) for path, text in sources.items()}
        shared, _ = compile_shared(
            [file for path, file in sorted(files.items()) if is_shared_file(path)], project
        )
        definitions = Definitions(files, shared, project)
        selection = Selection(tuple(rules), clients=clients)
        tools = [definitions.linted(tool) for tool in program.tools]
        found = lint(tools, selection, project, site)
        documents = [definitions.document(path) for path in sources if not is_shared_file(path)]
        return in_order(without_suppressed(found, documents, selection.codes))

    return run
