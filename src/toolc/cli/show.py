"""`toolc show`: one tool, as `tools/list` has it."""

from __future__ import annotations

import json
from argparse import Namespace

from toolc.cli import UsageError
from toolc.cli.console import Console
from toolc.cli.main import FAILED, OK
from toolc.cli.options import COMMON, Option
from toolc.cli.session import compile_project, open_project
from toolc.cli.tools import find_tool

OPTIONS = (
    Option(("name",), "the tool", "NAME"),
    Option(("--revision",), "the MCP revision, instead of the project's", "REVISION"),
    *COMMON,
)


def run(options: Namespace) -> int:
    from toolc_runtime.revision import REVISIONS

    if options.revision is not None and options.revision not in REVISIONS:
        raise UsageError(f"unknown revision {options.revision!r}; known: {', '.join(REVISIONS)}")
    console = Console(options)
    opened = open_project(options, console)
    if opened is None:
        return FAILED
    build = compile_project(opened, console)
    tool = next((tool for tool in build.tools if tool.name == options.name), None)
    if tool is None and build.diagnostics:
        console.report(build.diagnostics, build.sources, None, root=build.root, to_stderr=True)
    tool = tool or find_tool(build.tools, options.name)
    wire = tool.to_dict(options.revision or build.project.revision)
    console.emit(json.dumps(wire, indent=2, ensure_ascii=False) + "\n")
    return OK
