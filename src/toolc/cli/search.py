"""`toolc search`: the tools that a model finds for some words, or for the prompts of the definitions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace

from toolc.check.discovery import Asked, Report, Theft, examine, make_index, searchable
from toolc.cli import UsageError
from toolc.cli.console import Console
from toolc.cli.main import FAILED
from toolc.cli.options import COMMON, Option
from toolc.cli.session import compile_project, open_project
from toolc.cli.tools import gist
from toolc.driver import Build
from toolc.model.document import JsonObject
from toolc.report.summary import about_prompts
from toolc.report.visible import visible

OPTIONS = (
    Option(("query",), "what the tool should do, or a part of its name", "QUERY", number="?"),
    Option(("--examples",), "ask every prompt of the definitions, and say how its tool is found"),
    Option(("--max-results",), "how many tools to print (default: 5)", "N", default="5"),
    Option(("--json",), "print the same as JSON"),
    *COMMON,
)

_WIDEST = 60
"""Characters of a prompt in the table."""


def run(options: SimpleNamespace) -> int:
    most = options.max_results
    if not (most.isascii() and most.isdigit() and int(most)):
        raise UsageError(f"--max-results: {most!r} is no number of tools")
    if (options.query is None) is not options.examples:
        raise UsageError("give either a QUERY or `--examples`")
    console = Console(options)
    opened = open_project(options, console)
    if opened is None:
        return FAILED
    build = compile_project(opened, console)
    if build.diagnostics:
        console.report(build.diagnostics, build.sources, None, root=build.root, to_stderr=True)
    if options.examples:
        _tell_examples(build, console, as_json=options.json)
    else:
        _tell_hits(build, console, options.query, int(most), as_json=options.json)
    return console.exit_code(build.diagnostics)


def _tell_hits(build: Build, console: Console, query: str, most: int, *, as_json: bool) -> None:
    tools = {tool.name: tool for tool in build.tools}
    index = make_index(map(searchable, build.tools), build.project.server.ranking)
    hits = index.search(query, most)
    if as_json:
        rows = [{**hit._asdict(), "description": tools[hit.name].description} for hit in hits]
        console.emit(_json(rows))
        return
    width = max((len(hit.name) for hit in hits), default=0)
    lines = (f"{hit.score:.2f}  {hit.name:{width}}  {gist(tools[hit.name])}" for hit in hits)
    console.emit("".join(line.rstrip() + "\n" for line in lines))
    if not hits:
        console.say("no tool matches")


def _tell_examples(build: Build, console: Console, *, as_json: bool) -> None:
    tools = [searchable(tool) for tool in build.tools]
    with console.working("searching"):
        report = examine(tools, build.project.server.ranking)
    if as_json:
        console.emit(_json(_report_row(report)))
        return
    console.emit("".join(line.rstrip() + "\n" for line in _lines(report)))
    if report.asked:
        first = sum(one.rank == 1 for one in report.asked)
        console.say(about_prompts(len(report.asked), first, where=""))
    else:
        console.say("no example has a prompt")


def _lines(report: Report) -> Iterator[str]:
    names = max((len(one.tool) for one in report.asked), default=0)
    for one in report.asked:
        rank = "–" if one.rank is None else str(one.rank)
        prompt = visible(" ".join(one.prompt.split()))
        if len(prompt) > _WIDEST:
            prompt = prompt[: _WIDEST - 1] + "…"
        first = "" if one.rank == 1 else "  " + (one.found[0] if one.found else "nothing")
        yield f"{rank:>3}  {one.tool:{names}}  {prompt:{_WIDEST if first else 0}}{first}"
    if report.unfound:
        yield f"not found by their own prompts: {', '.join(report.unfound)}"
    if report.unreachable:
        yield (
            "found by nothing, neither prompts, keywords nor the words of the name: "
            f"{', '.join(report.unreachable)}"
        )
    for one_theft, other in report.rivals:
        yield f"{_said(one_theft)}; {_said(other)}"
    for theft in report.thefts:
        yield _said(theft)


def _said(theft: Theft) -> str:
    return f'{theft.thief} before {theft.tool} on "{visible(theft.prompt)}"'


def _report_row(report: Report) -> JsonObject:
    return {
        "prompts": [_asked_row(one) for one in report.asked],
        "unfound": list(report.unfound),
        "unreachable": list(report.unreachable),
        "rivals": [[theft._asdict() for theft in pair] for pair in report.rivals],
        "thefts": [theft._asdict() for theft in report.thefts],
    }


def _asked_row(one: Asked) -> JsonObject:
    """`rank` is null where the tool is not among the most that an answer can hold."""
    first = one.found[0] if one.found else None
    return {"prompt": one.prompt, "tool": one.tool, "rank": one.rank, "first": first}


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
