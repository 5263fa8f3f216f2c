"""`toolc mv`: rename a tool, with its definition, its handler and what is generated of it."""

from __future__ import annotations

import os
from argparse import Namespace

from toolc import driver, files
from toolc.cli import UsageError, build
from toolc.cli.console import Console
from toolc.cli.handlers import handler_path
from toolc.cli.main import FAILED
from toolc.cli.options import COMMON, Option
from toolc.cli.session import compile_project, open_project
from toolc.cli.tools import find_tool, require_tool_name
from toolc.loader import load
from toolc.model.artifact import Action, Change, Owner, Plan
from toolc.model.diagnostic import Diagnostic, has_errors
from toolc.model.tool import Tool
from toolc.pipeline import name_prefix
from toolc.rename import Renamed, rename_definition, rename_handler

OPTIONS = (
    Option(("old",), "the tool's name; it stays as an alias", "OLD"),
    Option(("new",), "the name that it gets", "NEW"),
    *COMMON,
)


def run(options: Namespace) -> int:
    require_tool_name(options.new)
    console = Console(options)
    opened = open_project(options, console)
    if opened is None:
        return FAILED
    compiled = compile_project(opened, console)
    found = [*compiled.diagnostics, *driver.plan_build(compiled).diagnostics]
    if has_errors(found):
        return console.report(found, compiled.sources, None, root=opened.root)
    tool = find_tool(compiled.tools, options.old)
    _require_free(options.new, tool, compiled)

    renames, problems = _edits(tool, options.new, compiled)
    changes = tuple(change for rename in renames for change in _changes(*rename))
    if not problems:
        folders = {change.path.rpartition("/")[0] or "." for change in changes}
        problems = files.commit(opened.root, Plan(changes, 0), sorted(folders))
    if problems:
        return console.report(problems, compiled.sources, None, root=opened.root)
    ways = [
        before if before == after.path else f"{before} -> {after.path}"
        for before, _, after in renames
    ]
    console.say(f"renamed {tool.name} to {options.new}: {', '.join(ways)}")

    compiled = compile_project(opened, console)
    plan = driver.plan_build(compiled)
    found = [*compiled.diagnostics, *plan.diagnostics]
    if has_errors(found):
        return build.report(console, compiled, Plan((), 0), found, "wrote")
    return build.write(console, compiled, plan, found)


def _require_free(new: str, tool: Tool, compiled: driver.Build) -> None:
    """UsageError where another tool has, or had, the new name, or where the folder forbids it."""
    for other in compiled.tools:
        if new == other.name:
            raise UsageError(f"there is a tool {new!r} already, in {other.path}")
        if new in other.facts.aliases and other is not tool:
            raise UsageError(f"{new!r} is an old name of {other.name!r}")
    prefix = name_prefix(tool.path, compiled.project)
    if not new.startswith(prefix) or new == prefix:
        raise UsageError(
            f"tools in the folder of {tool.path} have names that begin with {prefix!r}"
        )


_Rename = tuple[str, str, Renamed]
"""A file's path and text, and what becomes of it."""


def _edits(
    tool: Tool, new: str, compiled: driver.Build
) -> tuple[list[_Rename], tuple[Diagnostic, ...]]:
    """What changes in the author's files, all of it computed before any of it is written."""
    source = compiled.sources[tool.path]
    document, _ = load(source)
    assert document is not None
    prefix = name_prefix(tool.path, compiled.project)
    texts = {tool.path: source.text}
    edits = [(tool.path, rename_definition(document, tool.pointer, tool.name, new, prefix))]
    handler = handler_path(tool, compiled.project)
    if compiled.project.python.enabled and tool.facts.handler is None:
        standing, _ = files.read_standing(compiled.root, [handler])
        if handler in standing:
            texts |= standing
            edits.append((handler, rename_handler(handler, texts[handler], tool.name, new)))
    problems = tuple(edit for _, edit in edits if isinstance(edit, Diagnostic))
    renames = [(path, texts[path], edit) for path, edit in edits if isinstance(edit, Renamed)]
    for path, _, edit in renames:
        if edit.path != path and os.path.lexists(os.path.join(compiled.root, edit.path)):
            raise UsageError(f"{edit.path!r} is there already")
    return renames, problems


def _changes(before: str, text: str, after: Renamed) -> list[Change]:
    if before == after.path:
        return [Change(Action.UPDATE, before, text, after.text, Owner.HUMAN)]
    return [
        Change(Action.CREATE, after.path, None, after.text, Owner.HUMAN),
        Change(Action.DELETE, before, text, None, Owner.HUMAN),
    ]
