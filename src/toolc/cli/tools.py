"""Tools on a command line: how they are named, and how they are told of."""

from __future__ import annotations

from collections.abc import Iterable

from toolc.check.names import RESERVED_NAMES, is_tool_name
from toolc.cli import UsageError
from toolc.model.tool import Tool
from toolc.report.visible import visible
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeVar

    from toolc_runtime.tool import ServedTool

    T = TypeVar("T", Tool, ServedTool)

_WIDTH = 80  # code points of what a tool is said to be


def find_tool(tools: Iterable[T], name: str) -> T:
    """The tool of this name; UsageError says what else there is."""
    by_name = {tool.name: tool for tool in tools}
    if name in by_name:
        return by_name[name]
    for tool in by_name.values():
        if name in tool.facts.aliases:
            raise UsageError(f"{name!r} is an old name of {tool.name!r}")

    from difflib import get_close_matches

    close = get_close_matches(name, by_name, 1)
    raise UsageError(f"no tool {name!r}" + (f"; did you mean {close[0]!r}?" if close else ""))


def require_tool_name(name: str) -> None:
    """UsageError unless a new tool may have this name."""
    if name in RESERVED_NAMES:
        raise UsageError(f"{name!r} is the name of one of the server's own tools")
    if not is_tool_name(name):
        raise UsageError(f"a tool's name is 1 to 128 of A-Z a-z 0-9 _ - . and not {name!r}")


def gist(tool: Tool) -> str:
    """A tool's title, or else the first sentence of its description, on one line."""
    text = tool.title or (tool.description or "").partition(". ")[0]
    text = visible(" ".join(text.split()))
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"
