"""`toolc show`: one tool, as `tools/list` has it; or which tools there are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from types import SimpleNamespace

from toolc.cli.console import Console
from toolc.cli.main import FAILED, OK
from toolc.cli.options import COMMON, Option
from toolc.cli.session import compile_project, open_project
from toolc.cli.tools import find_tool, gist
from toolc.model.tool import Tool
from toolc_runtime.revision import REVISIONS

OPTIONS = (
    Option(("name",), "the tool; without it, all tools are listed", "NAME", number="?"),
    Option(("--revision",), "the MCP revision, instead of the project's", choices=REVISIONS),
    *COMMON,
)


def run(options: SimpleNamespace) -> int:
    console = Console(options)
    opened = open_project(options, console)
    if opened is None:
        return FAILED
    build = compile_project(opened, console)
    names = {tool.name for tool in build.tools}
    if options.name not in names and build.diagnostics:
        console.report(build.diagnostics, build.sources, None, root=build.root, to_stderr=True)
    if options.name is None:
        console.emit(_listing(build.tools))
        return console.exit_code(build.diagnostics)
    tool = find_tool(build.tools, options.name)
    wire = tool.to_dict(options.revision or build.project.revision)
    console.emit(json.dumps(wire, indent=2, ensure_ascii=False) + "\n")
    return OK


def _listing(tools: Sequence[Tool]) -> str:
    """A line a tool: its name, and what it is."""
    width = max((len(tool.name) for tool in tools), default=0)
    return "".join(f"{tool.name:{width}}  {gist(tool)}".rstrip() + "\n" for tool in tools)
