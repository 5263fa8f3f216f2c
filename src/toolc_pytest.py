"""toolc's fixtures for pytest, which knows them wherever toolc is installed.

Nothing is imported before a test asks for one of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from toolc_runtime.testing import RecordingContext, ToolAnswer, ToolCaller


@pytest.fixture
def make_context() -> Callable[..., RecordingContext]:
    """Makes a context to call a handler with, which keeps what the handler says and asks.

    `make_context(app=…, auth=…, answers=[…])`; what went to its `log` is in `logged`, what went to
    `progress` in `told`, and what went to `elicit` in `asked`.
    """
    from toolc_runtime.testing import make_context

    return make_context


@pytest.fixture(scope="session")
def toolc_project(pytestconfig: pytest.Config) -> Path:
    """The folder from which toolc's project file is looked for, upwards: pytest's root.

    A fixture of this name in a `conftest.py` names another.
    """
    return pytestconfig.rootpath


@pytest.fixture(scope="session")
def toolc_app() -> type[object] | None:
    """The class that takes the place of the project's application; None for its own.

    A fixture of this name in a `conftest.py` gives another.
    """
    return None


@pytest.fixture(scope="session")
def _toolc_caller(toolc_project: Path, toolc_app: type[object] | None) -> Iterator[ToolCaller]:
    from toolc import driver
    from toolc.cli.handlers import import_folders
    from toolc_runtime.testing import ToolCaller

    root, project, *_ = driver.open_project(str(toolc_project))
    folders = import_folders(root, project)
    sys.path[:0] = folders
    with ToolCaller(Path(root, project.python.folder), toolc_app) as caller:
        yield caller
    for folder in folders:
        sys.path.remove(folder)


@pytest.fixture
def call(_toolc_caller: ToolCaller) -> Callable[..., ToolAnswer]:
    """Calls a tool of the built project as a client does: `call("find_notes", {"words": ["milk"]})`.

    `auth=…` is who calls, `answers=[…]` are for what the tool asks. The answer has `data`, `text`,
    `is_error`, `error` and `content`, and what the handler said meanwhile: `logged`, `told`, `asked`.
    """
    return _toolc_caller.call
