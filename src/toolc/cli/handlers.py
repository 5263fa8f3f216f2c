"""What can be said of the author's handlers: which are still stubs, which do not fit."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator

from toolc import files
from toolc.driver import Build
from toolc.generate.names import class_name, module_name
from toolc.loader import decode
from toolc.model.artifact import Plan, read_text
from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Site, SourceFile, Span
from toolc.model.project import Project
from toolc.model.tool import Tool
from toolc_runtime.stubs import is_stub

_TIME_LIMIT = 120  # seconds for importing all handlers, and again for type checking them


def handler_path(tool: Tool, project: Project) -> str:
    """The file of a tool's handler; the definition's where its author names another function."""
    if tool.facts.handler is not None:
        return tool.path
    return f"{project.python.handlers}/{module_name(tool.name)}.py"


def _finding(code: str, tool: Tool, path: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(code, CODES[code].severity, message, Site(path), hint, (), tool.name)


def find_stubs(build: Build, plan: Plan) -> list[Diagnostic]:
    """A diagnostic for every handler that is, or is about to be, what toolc wrote of it."""
    coming = {change.path: read_text(change.after or "") for change in plan.changes}
    own = [tool for tool in build.tools if tool.facts.handler is None]
    paths = {tool.name: handler_path(tool, build.project) for tool in own}
    standing, _ = files.read_standing(build.root, paths.values())

    def source(path: str) -> bytes:
        return standing.get(path, coming.get(path, "")).encode("utf-8", "surrogateescape")

    return [
        _finding(
            "G706",
            tool,
            paths[tool.name],
            f'the handler of "{tool.name}" is still a stub',
            "write it, or build without --release",
        )
        for tool in own
        if is_stub(source(paths[tool.name]), module_name(tool.name))
    ]


def import_folders(root: str, project: Project) -> list[str]:
    """The folders from which the generated package and the handlers are imported."""
    python = project.python
    named = ((python.folder, python.package), (python.handlers, python.handlers_package))
    folders = []
    for folder, package in named:
        parts, names = folder.split("/"), package.split(".")
        above = parts[: -len(names)] if parts[-len(names) :] == names else []
        folders.append(os.path.join(root, *above))
    return list(dict.fromkeys([*folders, root]))


def python_environment(root: str, project: Project, variable: str = "PYTHONPATH") -> dict[str, str]:
    """This process's environment, with the project's folders in front of a search path in it."""
    path = [*import_folders(root, project), *filter(None, [os.environ.get(variable)])]
    return {**os.environ, variable: os.pathsep.join(path)}


def check_handlers(build: Build) -> tuple[list[Diagnostic], dict[str, SourceFile]]:
    """Import every handler and match it with its contract, in processes of their own.

    Where mypy is installed, what it says of the generated pairing of handlers and contracts comes
    with it; the sources are those of the files that it speaks of.
    """
    problems = [
        _finding(
            "G707",
            tool,
            handler_path(tool, build.project),
            f'the handler of "{tool.name}" {problem}',
            "mend it, or run `toolc build` where its contract is older",
        )
        for tool, problem in _import_all(build)
    ]
    if problems:
        return problems, {}
    return _type_check(build)


def _import_all(build: Build) -> Iterator[tuple[Tool, str]]:
    """The tools whose handlers have a problem, each with the rest of the sentence that says it."""
    python = build.project.python
    rows = []
    for tool in build.tools:
        module = module_name(tool.name)
        handler = tool.facts.handler or f"{python.handlers_package}.{module}:{module}"
        contract = f"{python.package}.contracts.{module}"
        rows.append([tool.name, contract, f"{class_name(tool.name)}Params", handler])
    try:
        process = subprocess.run(
            [sys.executable, "-m", "toolc.cli.probe"],
            input=json.dumps(rows),
            stdout=subprocess.PIPE,
            encoding="utf-8",
            cwd=build.root,
            env=python_environment(build.root, build.project),
            timeout=_TIME_LIMIT,
            check=False,
        )
        output, end = process.stdout, "ended the process that imported it"
    except subprocess.TimeoutExpired as expired:
        taken: object = expired.stdout or b""
        output = taken.decode() if isinstance(taken, bytes) else str(taken)
        end = f"had not been imported after {_TIME_LIMIT} seconds"
    answers: dict[str, str] = dict(json.loads(line) for line in output.splitlines())
    for tool in build.tools:
        if tool.name not in answers:
            yield tool, end
            return
        if answers[tool.name]:
            yield tool, answers[tool.name]


_MYPY_LINE = re.compile(r"(?P<path>.+?):(?P<line>\d+):(?P<column>\d+): error: (?P<message>.*)")


def _type_check(build: Build) -> tuple[list[Diagnostic], dict[str, SourceFile]]:
    """mypy's errors in the handlers and in the module that pairs them with their contracts."""
    from importlib.util import find_spec

    python = build.project.python
    pairing = f"{python.folder}/handler_types.py"
    if find_spec("mypy") is None or not os.path.exists(os.path.join(build.root, pairing)):
        return [], {}
    arguments = ["--no-error-summary", "--no-pretty", "--hide-error-context"]
    arguments += ["--show-column-numbers", "--no-color-output", "--explicit-package-bases"]
    try:
        process = subprocess.run(
            [sys.executable, "-m", "mypy", *arguments, pairing],
            stdout=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            cwd=build.root,
            # Not PYTHONPATH: what is found through that, mypy takes for installed and is silent on.
            env=python_environment(build.root, build.project, "MYPYPATH"),
            timeout=_TIME_LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return [], {}
    sources: dict[str, SourceFile] = {}
    found = []
    for match in map(_MYPY_LINE.fullmatch, process.stdout.splitlines()):
        path = match["path"].replace(os.sep, "/") if match else ""
        if match and (path == pairing or path.startswith(f"{python.handlers}/")):
            site = _site(build.root, path, int(match["line"]), int(match["column"]), sources)
            severity = CODES["G707"].severity
            hint = "make the handler fit its contract"
            found.append(Diagnostic("G707", severity, f"mypy: {match['message']}", site, hint))
    return found, sources


def _site(root: str, path: str, line: int, column: int, sources: dict[str, SourceFile]) -> Site:
    """A 1-based line and column as a place in a file, whose text is added to `sources`."""
    if path not in sources:
        data = files.read_bytes(root, path)
        source = decode(path, data)[0] if isinstance(data, bytes) else None
        if source is None:
            return Site(path)
        sources[path] = source
    lines = sources[path].text.split("\n")
    start = sum(len(text) + 1 for text in lines[: line - 1]) + column - 1
    return Site(path, Span(start, start))
