"""`toolc mv`: rename a tool, with its definition, its handler and what is generated of it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from types import SimpleNamespace

from toolc import driver, files
from toolc.cli import UsageError, build
from toolc.cli.console import Console
from toolc.cli.handlers import handler_path, import_folders
from toolc.cli.main import FAILED
from toolc.cli.options import COMMON, Option
from toolc.cli.session import compile_project, open_project
from toolc.cli.tools import find_tool, require_tool_name
from toolc.loader import decode, load
from toolc.model.artifact import Action, Change, Owner, Plan
from toolc.model.diagnostic import Diagnostic, has_errors
from toolc.model.document import SourceFile
from toolc.model.project import Project
from toolc.model.tool import Tool
from toolc.pipeline import name_prefix
from toolc.rename import (
    Renamed,
    alias_site,
    find_contract_imports,
    rename_definition,
    rename_handler,
)
from toolc.report.summary import Summary
from toolc.report.visible import visible
from toolc.workspace import open_workspace

OPTIONS = (
    Option(("old",), "the tool's name; it stays as an alias", "OLD"),
    Option(("new",), "the name that it gets", "NEW"),
    *COMMON,
)


_LINE = 120  # code points of a definition's line that are shown at most


def run(options: SimpleNamespace) -> int:
    require_tool_name(options.new)
    console = Console(options)
    opened = open_project(options, console, verb="wrote")
    if opened is None:
        return FAILED
    compiled = compile_project(opened, console)
    found = [*compiled.diagnostics, *driver.plan_build(compiled).diagnostics]
    if has_errors(found):
        summary = Summary(len(compiled.tools), compiled.files, console.milliseconds, "wrote")
        return console.report(found, compiled.sources, summary, root=opened.root)
    tool = find_tool(compiled.tools, options.old)
    _require_free(options.new, tool, compiled)

    renames, problems = _edits(tool, options.new, compiled)
    changes = tuple(change for rename in renames for change in _changes(*rename))
    if not problems:
        folders = {change.path.rpartition("/")[0] or "." for change in changes}
        problems = files.commit(opened.root, Plan(changes, 0), sorted(folders)).problems
    if problems:
        return console.report(problems, compiled.sources, None, root=opened.root)
    ways = [
        before if before == after.path else f"{before} -> {after.path}"
        for before, _, after in renames
    ]
    console.say(f"renamed {tool.name} to {options.new}: {', '.join(ways)}")

    compiled = compile_project(opened, console)
    alias = _alias_line(tool.name, options.new, compiled)
    if alias:
        console.say(f"the old name stays as an alias, by {alias}")
    workspace, disk_changes, now = open_workspace(opened.root, clock=time.time_ns)
    with workspace.lock(console.say_waiting):
        built = workspace.build(opened, disk_changes, now=now)
        code = _author_code(tool, compiled)
        stale = [
            found
            for source in code
            for found in find_contract_imports(source, tool.name, options.new)
        ]
        built = built._replace(
            sources={**built.sources, **{source.path: source for source in code}}
        )
        found = [*built.diagnostics, *built.plan.diagnostics, *stale]
        if has_errors(found):
            return build.report(console, built, Plan((), 0), found, "wrote")
        return build.write(console, workspace, built, found)


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


def _alias_line(old: str, new: str, compiled: driver.Build) -> str:
    """The place and the text of the line by which a renamed tool has its old name as an alias;
    empty where it has not."""
    tool = next((tool for tool in compiled.tools if tool.name == new), None)
    document = None if tool is None else load(compiled.sources[tool.path])[0]
    site = None if tool is None or document is None else alias_site(document, tool.pointer, old)
    if document is None or document.source is None or site is None or site.span is None:
        return ""
    line, _ = document.source.line_column(site.span.start)
    text = document.source.line_text(line).strip()
    shown = f": {visible(text)}" if len(text) <= _LINE else ""
    return f"{visible(site.path)}:{line}{shown}"


def _author_code(tool: Tool, compiled: driver.Build) -> list[SourceFile]:
    """The modules of the author's that may import the tool's contract: all handlers, and the one
    that its definition names."""
    root, project = compiled.root, compiled.project
    if not project.python.enabled:
        return []
    paths = [*files.list_folder(root, project.python.handlers, ".py")]
    if tool.facts.handler is not None:
        paths += _module_paths(tool.facts.handler.partition(":")[0], root, project)
    read = ((path, files.read_bytes(root, path)) for path in dict.fromkeys(paths))
    texts = (decode(path, data)[0] for path, data in read if isinstance(data, bytes))
    return [source for source in texts if source is not None]


def _module_paths(dotted: str, root: str, project: Project) -> Iterator[str]:
    """The files, relative to the project, that may hold a module."""
    for folder in import_folders(root, project):
        way = os.path.relpath(os.path.join(folder, *dotted.split(".")), root).replace(os.sep, "/")
        yield from (f"{way}.py", f"{way}/__init__.py")
