from __future__ import annotations

import time
from concurrent.futures import Executor
from pathlib import Path
from typing import NamedTuple

from toolc import driver
from toolc.report import renderer
from toolc.workspace import Built, open_workspace


class Outcome(NamedTuple):
    built: Built | None
    report: str
    """All that was found, as `toolc build` prints it."""


def build(
    root: Path, *, use_cache: bool = True, force: bool = False, executor: Executor | None = None
) -> Outcome:
    """Build a project as `toolc build` does."""
    opened = driver.open_project(str(root), str(root))
    text = renderer("text")
    if any(found.severity.name == "ERROR" for found in opened.diagnostics):
        return Outcome(None, text(opened.diagnostics, opened.sources))
    workspace, changes, now = open_workspace(
        str(root), use_cache=use_cache, clock=time.time_ns, executor=executor
    )
    with workspace.lock():
        built = workspace.build(opened, changes, force=force, now=now)
        problems = workspace.commit(built)
        workspace.save(built)
    found = (*built.diagnostics, *built.plan.diagnostics, *problems)
    return Outcome(built, text(found, built.sources))


def tree(root: Path) -> dict[str, bytes]:
    """Every file of a project but for its cache."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".toolc_cache" not in path.parts
    }
