"""`toolc show`: one tool, as `tools/list` has it; or which tools there are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from types import SimpleNamespace

from toolc.cli.console import Console
from toolc.cli.main import FAILED, OK
from toolc.cli.options import COMMON, Option
from toolc.cli.session import compile_project, open_project
from toolc.cli.tools import find_tool, gist
from toolc.lint.tokens import ENCODING, Cost, best_counter, cost_of
from toolc.model.tool import Tool
from toolc_runtime.revision import REVISIONS

OPTIONS = (
    Option(("name",), "the tool; without it, all tools are listed", "NAME", number="?"),
    Option(("--revision",), "the MCP revision, instead of the project's", choices=REVISIONS),
    Option(("--cost",), "print the tokens that each tool takes of every request"),
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
    revision = options.revision or build.project.revision
    if options.cost:
        tools = build.tools if options.name is None else [find_tool(build.tools, options.name)]
        console.emit("".join(_costs(tools, revision, is_all=options.name is None)))
        return console.exit_code(build.diagnostics) if options.name is None else OK
    if options.name is None:
        console.emit(_listing(build.tools))
        return console.exit_code(build.diagnostics)
    tool = find_tool(build.tools, options.name)
    wire = tool.to_dict(revision)
    console.emit(json.dumps(wire, indent=2, ensure_ascii=False) + "\n")
    return OK


def _listing(tools: Sequence[Tool]) -> str:
    """A line a tool: its name, and what it is."""
    width = max((len(tool.name) for tool in tools), default=0)
    return "".join(f"{tool.name:{width}}  {gist(tool)}".rstrip() + "\n" for tool in tools)


_COLUMNS = ("tokens", "description", "parameters", "output", "tool")


def _costs(tools: Sequence[Tool], revision: str, *, is_all: bool) -> Iterator[str]:
    """The cost of each tool, the highest first, and what those that a client is shown cost together."""
    counter = best_counter()
    rows = [(tool.name, cost_of(tool.to_dict(revision), counter)) for tool in tools]
    hidden = {tool.name for tool in tools if tool.facts.discoverable}
    if is_all and hidden:
        from toolc_runtime.discovery import OWN_TOOLS

        rows += [(str(wire["name"]), cost_of(wire, counter)) for wire in OWN_TOOLS]
    rows.sort(key=lambda row: (-row[1].total, row[0]))
    yield _line(*_COLUMNS)
    for name, cost in rows:
        yield _row(cost, f"{name} (hidden)" if name in hidden else name)
    shown = [cost for name, cost in rows if name not in hidden]
    if is_all:
        together = Cost(*(sum(parts) for parts in zip(Cost(0, 0, 0, 0), *shown, strict=True)))
        number = f"{len(shown):,} tool{'' if len(shown) == 1 else 's'} in every list"
        yield _row(together, number)
    yield "\n"
    yield (
        f"Counted as {ENCODING} does.\n"
        if counter.is_exact
        else 'Estimated; pip install "toolc[tokens]" has them counted.\n'
    )


def _row(cost: Cost, name: str) -> str:
    figures = (cost.total, cost.description, cost.parameters, cost.output)
    return _line(*[f"{figure:,}" for figure in figures], name)


def _line(*cells: str) -> str:
    return "{:>9}  {:>11}  {:>10}  {:>7}  {}\n".format(*cells)
