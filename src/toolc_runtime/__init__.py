"""What generated servers run on.

Importing it costs next to nothing: each public name is loaded when it is first used, and those that
contracts and handlers name never load the MCP SDK.
"""

from __future__ import annotations

# Type checkers know this name without `typing`, whose import would cost more than all else here.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from toolc_runtime.absent import ABSENT, Absent
    from toolc_runtime.adapting import Tool
    from toolc_runtime.arguments import Arguments, Each, Either, Later, Record, Values
    from toolc_runtime.command import main, serve
    from toolc_runtime.content import audio, image, link, resource
    from toolc_runtime.context import Auth, Context
    from toolc_runtime.errors import ToolError
    from toolc_runtime.forms import Answer
    from toolc_runtime.jsonvalue import JsonValue
    from toolc_runtime.results import Reply, Result
    from toolc_runtime.revision import LATEST_REVISION, REVISIONS, project
    from toolc_runtime.server import create_server
    from toolc_runtime.shortening import detail

__all__ = [
    "ABSENT",
    "LATEST_REVISION",
    "REVISIONS",
    "Absent",
    "Answer",
    "Arguments",
    "Auth",
    "Context",
    "Each",
    "Either",
    "JsonValue",
    "Later",
    "Record",
    "Reply",
    "Result",
    "Tool",
    "ToolError",
    "Values",
    "audio",
    "create_server",
    "detail",
    "image",
    "link",
    "main",
    "project",
    "resource",
    "serve",
]

_HOMES = {
    "absent": ("ABSENT", "Absent"),
    "adapting": ("Tool",),
    "arguments": ("Arguments", "Each", "Either", "Later", "Record", "Values"),
    "command": ("main", "serve"),
    "content": ("audio", "image", "link", "resource"),
    "context": ("Auth", "Context"),
    "errors": ("ToolError",),
    "forms": ("Answer",),
    "jsonvalue": ("JsonValue",),
    "results": ("Reply", "Result"),
    "revision": ("LATEST_REVISION", "REVISIONS", "project"),
    "server": ("create_server",),
    "shortening": ("detail",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
