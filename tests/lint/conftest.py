from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import pytest

from toolc.lint.engine import lint
from toolc.lint.rule import Rule
from toolc.lint.selection import Selection
from toolc.lint.suppressions import without_suppressed
from toolc.lint.table import RULES
from toolc.lint.written import Definitions
from toolc.model.diagnostic import Diagnostic, in_order
from toolc.model.document import SourceFile
from toolc.model.project import Project
from toolc.pipeline import compile_project, compile_shared, is_shared_file

PLAIN = Project()

Lint = Callable[..., tuple[Diagnostic, ...]]


@pytest.fixture(scope="session")
def lint_sources() -> Lint:
    """Lints a project in memory: paths to texts. All rules speak unless some are given."""

    def run(
        sources: Mapping[str, str], rules: Iterable[Rule] = RULES, project: Project = PLAIN
    ) -> tuple[Diagnostic, ...]:
        program = compile_project(sources, project)
        files = {path: SourceFile(path, text) for path, text in sources.items()}
        shared, _ = compile_shared(
            [file for path, file in sorted(files.items()) if is_shared_file(path)], project
        )
        definitions = Definitions(files, shared, project)
        selection = Selection(tuple(rules))
        found = lint([definitions.linted(tool) for tool in program.tools], selection, project)
        documents = [definitions.document(path) for path in sources if not is_shared_file(path)]
        return in_order(without_suppressed(found, documents, selection.codes))

    return run
