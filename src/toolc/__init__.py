"""toolc compiles tool metadata files into MCP Tools, manifests, typed handlers and a server.

Importing it costs next to nothing: every public name is loaded when it is first used.
"""

from __future__ import annotations

# `typing` alone would cost a third of the time that `toolc --version` takes; type checkers know
# this name without it.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from toolc.api import (
        MetadataError,
        build_project,
        build_tool,
        compile_metadata,
        compile_project,
        compile_tool,
        load,
        load_all,
        open_project,
    )
    from toolc.model.diagnostic import Diagnostic, Severity
    from toolc.model.metadata import ToolMetadata
    from toolc.model.project import Project
    from toolc.model.tool import Tool

__version__ = "0.1.0"

__all__ = [
    "Diagnostic",
    "MetadataError",
    "Project",
    "Severity",
    "Tool",
    "ToolMetadata",
    "__version__",
    "build_project",
    "build_tool",
    "compile_metadata",
    "compile_project",
    "compile_tool",
    "load",
    "load_all",
    "open_project",
]

_HOMES = {
    "Diagnostic": "toolc.model.diagnostic",
    "Project": "toolc.model.project",
    "Severity": "toolc.model.diagnostic",
    "Tool": "toolc.model.tool",
    "ToolMetadata": "toolc.model.metadata",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES.get(name, "toolc.api")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
