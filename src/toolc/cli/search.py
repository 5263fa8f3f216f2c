"""`toolc search`: the tools that a model finds for some words."""

from __future__ import annotations

import json
from types import SimpleNamespace

from toolc.cli import UsageError
from toolc.cli.console import Console
from toolc.cli.main import FAILED
from toolc.cli.options import COMMON, Option
from toolc.cli.session import compile_project, open_project
from toolc.cli.tools import gist
from toolc_runtime.discovery import make_ranking

OPTIONS = (
    Option(("query",), "what the tool should do, or a part of its name", "QUERY"),
    Option(("--max-results",), "how many tools to print (default: 5)", "N", default="5"),
    Option(("--json",), "print a list of objects with `name`, `score` and `description`, as JSON"),
    *COMMON,
)


def run(options: SimpleNamespace) -> int:
    most = options.max_results
    if not (most.isascii() and most.isdigit() and int(most)):
        raise UsageError(f"--max-results: {most!r} is no number of tools")
    console = Console(options)
    opened = open_project(options, console)
    if opened is None:
        return FAILED
    build = compile_project(opened, console)
    if build.diagnostics:
        console.report(build.diagnostics, build.sources, None, root=build.root, to_stderr=True)
    tools = {tool.name: tool for tool in build.tools}
    ranking = make_ranking(
        build.project.server.ranking,
        ((tool.name, tool.description or "", tool.facts) for tool in build.tools),
    )
    hits = ranking.search(options.query, int(most))
    if options.json:
        rows = [{**hit._asdict(), "description": tools[hit.name].description} for hit in hits]
        console.emit(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
    else:
        width = max((len(hit.name) for hit in hits), default=0)
        lines = (f"{hit.score:.2f}  {hit.name:{width}}  {gist(tools[hit.name])}" for hit in hits)
        console.emit("".join(line.rstrip() + "\n" for line in lines))
        if not hits:
            console.say("no tool matches")
    return console.exit_code(build.diagnostics)
