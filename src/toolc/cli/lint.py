"""`toolc lint`: what may be wrong with tools that compile."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from types import SimpleNamespace

from toolc import driver
from toolc.cli import UsageError
from toolc.cli.check import definitions_of
from toolc.cli.console import Console
from toolc.cli.main import FAILED, OK
from toolc.cli.options import COMMON, Option
from toolc.cli.session import find_project
from toolc.configured import UNUSABLE, Configuration, RuleFailed, configure, project_document
from toolc.files import read_bytes
from toolc.lint.clients.profile import Clients
from toolc.lint.engine import lint
from toolc.lint.selection import Selection, UnknownRule, means, select
from toolc.lint.suppressions import without_suppressed
from toolc.lint.written import listed
from toolc.linting import lint_project
from toolc.loader import decode, load
from toolc.model.diagnostic import Diagnostic, Severity, has_errors, in_order
from toolc.model.document import Document, Pointer, Site, SourceFile
from toolc.model.project import Project
from toolc.report.summary import Summary

OPTIONS = (
    Option(
        ("paths",),
        "only these definition files, or JSON documents with tools in them",
        "PATH",
        number="*",
    ),
    Option(("--select",), "the rules that speak: codes, names, sets, `all`", "RULES"),
    Option(("--extend-select",), "further rules that speak", "RULES"),
    Option(("--ignore",), "rules that do not speak", "RULES"),
    Option(
        ("--server",), "lint a running server: its URL, or the command that starts it", "SERVER"
    ),
    Option(("--client",), "clients to speak for: names, paths of profiles, `all`", "NAMES"),
    Option(("--fix",), "mend what can be mended without changing what anybody means"),
    Option(
        ("--unsafe-fixes",), "with --fix or --diff: also mend what may have been meant otherwise"
    ),
    Option(("--diff",), "write nothing; print as a patch what would be mended or added"),
    Option(("--add-ignores",), "suppress all that is found, where it is found"),
    Option(("--exit-zero",), "exit with 0 whatever is found"),
    Option(("--statistics",), "print how often each rule found something"),
    *COMMON,
)


def run(options: SimpleNamespace) -> int:
    try:
        return _run(options)
    except RuleFailed as error:
        raise UsageError(str(error)) from error


def _run(options: SimpleNamespace) -> int:
    console = Console(options)
    if options.server and options.paths:
        raise UsageError("--server takes the place of paths")
    opened = find_project(options, required=not (options.paths or options.server))
    others = [path for path in options.paths if _is_listed(path, opened)]
    if others and len(others) < len(options.paths):
        raise UsageError("definitions and other documents cannot be linted in one run")
    is_editing = options.fix or options.diff or options.add_ignores
    if options.fix and options.add_ignores:
        raise UsageError("--fix and --add-ignores are two runs: mend first, then ignore the rest")
    if options.unsafe_fixes and (options.add_ignores or not is_editing):
        raise UsageError("--unsafe-fixes goes with --fix or --diff")
    if (others or options.server) and is_editing:
        raise UsageError("only definitions are edited: mend what these tools were made from")
    configured = configure(opened)
    settings, problems = configured.settings, configured.diagnostics
    known = {**opened.sources, **configured.sources}
    if any(one.code == UNUSABLE for one in problems):
        return console.report(problems, known, None, root=opened.root)
    selection = _selection(configured, options)
    named, folder = _split(options.client), os.getcwd()
    if not named:
        named, folder = settings.clients, opened.root
    if named:
        from toolc.cli.clients import load_named

        loaded = load_named(named, folder)
        if has_errors(loaded.diagnostics):
            return console.report(loaded.diagnostics, loaded.sources, None, root=folder)
        selection = selection._replace(clients=Clients(loaded.profiles))
    sources: dict[str, SourceFile] = {}
    if options.server:
        root = os.getcwd()
        found, summary = _lint_server(options.server, selection, opened.project, console)
    elif others:
        root = os.getcwd()
        found, sources, summary = _lint_listed(others, selection, opened.project, console)
    else:
        root = opened.root
        only = definitions_of(options.paths, root)
        if is_editing:
            from toolc.cli.mending import edit

            code = edit(options, console, opened, selection, only)
            if code is not None:
                return code
        with console.working("linting"):
            run = lint_project(opened, selection, only, partial(_setting_site, opened))
        found, sources = list(run.diagnostics), {**known, **run.sources}
        summary = Summary(run.tools, run.files, console.milliseconds)
    return _report(options, console, in_order([*problems, *found]), sources, summary, root=root)


def _is_listed(path: str, opened: driver.Opened) -> bool:
    """Whether a path is a JSON document that is none of the project's definitions."""
    if not path.endswith(".json") or not os.path.isfile(path):
        return False
    way = os.path.relpath(os.path.realpath(path), os.path.realpath(opened.root))
    return way.replace(os.sep, "/") not in driver.find_definitions(opened.root, opened.project)


def _setting_site(opened: driver.Opened, setting: Pointer) -> Site | None:
    """Where the project file says a setting."""
    document, pointer = project_document(opened)
    return None if document is None else document.site((*pointer, *setting))


def _selection(configured: Configuration, options: SimpleNamespace) -> Selection:
    """The rules that the project and the command line ask for; the command line has the last word."""
    settings, table = configured.settings, configured.table
    try:
        rules = select(
            table,
            select=_split(options.select) or settings.select,
            extend=(*settings.extend_select, *_split(options.extend_select)),
            ignore=(*settings.ignore, *_split(options.ignore)),
            base=configured.base,
        )
    except UnknownRule as error:
        raise UsageError(f'"{error}" means no rule; `toolc explain` lists them') from None
    per_file = tuple(
        (pattern, frozenset(rule.code for text in texts for rule, _ in means(text, table)))
        for pattern, texts in settings.per_file
    )
    return Selection(rules, settings.levels, per_file, digest=configured.digest)


def _split(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def _lint_listed(
    paths: Sequence[str], selection: Selection, project: Project, console: Console
) -> tuple[list[Diagnostic], dict[str, SourceFile], Summary]:
    """What is said of JSON documents with tools in them."""
    sources: dict[str, SourceFile] = {}
    found: list[Diagnostic] = []
    number = 0
    for path in paths:
        data = read_bytes(*os.path.split(os.path.abspath(path)))
        if not isinstance(data, bytes):
            raise UsageError(f"{path}: {data.message}")
        source, problems = decode(path, data)
        document, further = (None, ()) if source is None else load(source)
        found += (*problems, *further)
        if source is not None:
            sources[path] = source
        if document is None:
            continue
        read = listed(document, project)
        if not read.tools:
            raise UsageError(f'"{path}" holds no tools: neither a manifest nor a list of tools')
        number += len(read.tools)
        said = lint(read.tools, selection, read.project)
        found += (*read.diagnostics, *without_suppressed(said, [document], selection.codes))
    return found, sources, Summary(number, len(paths), console.milliseconds)


def _lint_server(
    server: str, selection: Selection, project: Project, console: Console
) -> tuple[list[Diagnostic], Summary]:
    """What is said of the tools that a server lists."""
    try:
        from toolc.cli.remote import list_tools
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("anyio", "mcp"):
            raise
        needed = 'pip install "toolc[serve]"'
        raise UsageError(f"{error.name} is not installed; --server needs: {needed}") from None
    with console.working("listing"):
        read = listed(Document(None, list_tools(server)), project)
    found = [*read.diagnostics, *lint(read.tools, selection, read.project)]
    return found, Summary(len(read.tools), 1, console.milliseconds)


def _report(
    options: SimpleNamespace,
    console: Console,
    found: Sequence[Diagnostic],
    sources: Mapping[str, SourceFile],
    summary: Summary,
    *,
    root: str,
) -> int:
    """Print what was found; 1 where anything of it is graver than a note."""
    if options.statistics:
        counts: dict[str, int] = {}
        for one in found:
            counts[one.code] = counts.get(one.code, 0) + 1
        for code, number in sorted(counts.items(), key=lambda row: (-row[1], row[0])):
            console.emit(f"{number:>6,}  {code}\n")
    else:
        console.report(found, sources, summary, root=root)
        _say_fixable(console, found)
    if options.exit_zero:
        return OK
    return FAILED if any(one.severity > Severity.NOTE for one in found) else OK


def _say_fixable(console: Console, found: Sequence[Diagnostic]) -> None:
    fixes = [one.fix for one in found if one.fix is not None]
    safe = sum(fix.is_safe for fix in fixes)
    parts = [f"{safe:,} by `toolc lint --fix`"] if safe else []
    if len(fixes) > safe:
        parts.append(f"{len(fixes) - safe:,} by `toolc lint --fix --unsafe-fixes`")
    if parts:
        console.say(f"can be mended: {', '.join(parts)}")
