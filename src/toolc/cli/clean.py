"""`toolc clean`: delete what toolc wrote and nobody edited, or only what nothing asks for."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import SimpleNamespace

from toolc import cache, driver, files
from toolc.cleaning import is_untouched_stub, plan_clean, plan_orphans
from toolc.cli.console import Console
from toolc.cli.main import FAILED
from toolc.cli.options import COMMON, Option
from toolc.cli.session import compile_project, open_project
from toolc.model.artifact import Action, Change, Owner, Plan
from toolc.model.diagnostic import Diagnostic, has_errors
from toolc.model.document import SourceFile
from toolc.model.project import CATALOG_FILE, DATA_FILES, Project
from toolc.plan import Standing, is_within, path_fault, recorded_digests
from toolc.report.changes import describe
from toolc.report.summary import Summary
from toolc.report.visible import visible
from toolc.snapshot import FOLDER
from toolc.workspace import Workspace
from toolc_runtime.light import NamedTuple

OPTIONS = (
    Option(("--orphans",), "delete only what no definition asks for any more"),
    Option(("--dry-run",), "delete nothing; list what would go"),
    *COMMON,
)

_BYTECODE = "__pycache__"


class _Cleaning(NamedTuple):
    """What is to be deleted, and what there is to say of it."""

    plan: Plan
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]
    tools: int = 0
    files: int = 0


def run(options: SimpleNamespace) -> int:
    console = Console(options)
    opened = open_project(options, console, verb="deleted")
    if opened is None:
        return FAILED
    root, look = opened.root, _find_orphans if options.orphans else _find_all
    if options.dry_run:
        cleaning = look(opened, console)
        if not has_errors(cleaning.diagnostics):
            if console.format != "json":
                console.emit(describe(cleaning.plan) + _describe_folders(opened, cleaning.plan))
            return _report(console, opened, cleaning, "would delete")
        return _report(console, opened, cleaning, "deleted")
    with Workspace(root, use_cache=False).lock(console.say_waiting) as lock:
        cleaning = look(opened, console)
        if has_errors(cleaning.diagnostics):
            return _report(console, opened, cleaning, "deleted")
        plan = cleaning.plan
        folders = (*driver.output_folders(opened.project), FOLDER)
        problems = files.commit(root, plan, folders).problems
        gone = tuple(change for change in plan.changes if not _stands(root, change.path))
        if _takes_cache(plan) and not problems:
            lock.remove()
        for folder in _emptied(root, [change.path for change in gone], folders):
            _remove_folder(os.path.join(root, folder))
    cleaning = cleaning._replace(
        plan=plan._replace(changes=gone), diagnostics=(*cleaning.diagnostics, *problems)
    )
    return _report(console, opened, cleaning, "deleted")


def _report(console: Console, opened: driver.Opened, cleaning: _Cleaning, verb: str) -> int:
    summary = Summary(cleaning.tools, cleaning.files, console.milliseconds, verb)
    return console.report(
        cleaning.diagnostics, cleaning.sources, summary.with_plan(cleaning.plan), root=opened.root
    )


# What is to go.


def _find_all(opened: driver.Opened, console: Console) -> _Cleaning:
    """Everything that toolc wrote, the definitions unread: they may be broken."""
    root, project = opened.root, opened.project
    recorded = _recorded(root, project)
    package, _ = driver.standing_package(root, project)
    data = map(project.data_path, DATA_FILES)
    texts, problems = files.read_standing(root, sorted({*data, *recorded, *package}))
    plan = Plan((), 0)
    if not has_errors(problems):
        plan = plan_clean(Standing(texts, digests=recorded), project)
        cached = tuple(
            Change(Action.DELETE, path, files.FileText(root, path), None, Owner.DATA)
            for path in (f"{FOLDER}/{name}" for name in cache.own_files(root))
        )
        plan = plan._replace(changes=(*plan.changes, *cached))
    found = (*opened.diagnostics, *plan.diagnostics, *problems)
    return _Cleaning(plan, found, opened.sources)


def _find_orphans(opened: driver.Opened, console: Console) -> _Cleaning:
    """What no definition asks for any more; nothing, where there are errors among them."""
    root, project = opened.root, opened.project
    build = compile_project(opened, console)
    plan = Plan((), 0)
    problems: tuple[Diagnostic, ...] = ()
    if not has_errors(build.diagnostics):
        asked = {artifact.path for artifact in build.artifacts}
        recorded = _recorded(root, project)
        package, handlers = driver.standing_package(root, project)
        texts, problems = files.read_standing(root, sorted({*recorded, *package} - asked))
        if not has_errors(problems):
            standing = Standing(texts, build.inputs, handlers, recorded)
            stubs = _orphan_stubs(root, project, asked)
            plan = plan_orphans(build.artifacts, standing, stubs, driver.output_folders(project))
    found = (*build.diagnostics, *plan.diagnostics, *problems)
    return _Cleaning(plan, found, build.sources, len(build.tools), build.files)


def _recorded(root: str, project: Project) -> dict[str, tuple[str, ...]]:
    """The digests of the project's own outputs, by path, as a build finds them.

    What lies outside the folders of outputs, or is a handler or a definition, is none of them,
    whatever the catalogue says: it may have come with the project from anywhere.
    """
    catalog = project.data_path(CATALOG_FILE)
    recorded = recorded_digests(files.read_standing(root, [catalog])[0].get(catalog, ""))
    for path, noted in cache.read_journal(root).texts.items():
        recorded[path] = (*recorded.get(path, ()), *noted)
    authors = {project.path, *driver.find_definitions(root, project), *_handlers(root, project)}
    folders = driver.output_folders(project)
    return {
        path: digests
        for path, digests in recorded.items()
        if path not in authors and not path_fault(path, folders)
    }


def _handlers(root: str, project: Project) -> tuple[str, ...]:
    python = project.python
    return files.list_folder(root, python.handlers, ".py") if python.enabled else ()


def _orphan_stubs(root: str, project: Project, asked: Collection[str]) -> dict[str, str]:
    """The handlers that no tool has and nobody has written, with their texts."""
    render = driver.renderer(driver.read_templates(root, project, driver.Reader(root)))
    texts, _ = files.read_standing(
        root, [path for path in _handlers(root, project) if path not in asked]
    )
    return {
        path: text
        for path, text in texts.items()
        if is_untouched_stub(path, text, project.python, render)
    }


# The folders that are left.


def _takes_cache(plan: Plan) -> bool:
    return any(is_within(change.path, FOLDER) for change in plan.changes)


def _stands(root: str, path: str) -> bool:
    return os.path.lexists(os.path.join(root, path))


def _describe_folders(opened: driver.Opened, plan: Plan) -> str:
    """A line for each folder that would go."""
    gone = [change.path for change in plan.changes]
    if _takes_cache(plan):
        gone.append(f"{FOLDER}/{cache.LOCK}")
    emptied = _emptied(opened.root, gone, (*driver.output_folders(opened.project), FOLDER))
    return "".join(f"delete  {visible(folder)}/\n" for folder in emptied)


def _emptied(root: str, gone: Iterable[str], within: Collection[str]) -> Iterator[str]:
    """The folders inside those of `within` in which nothing is left without the files `gone`, the
    deepest first. Never the project's own folder."""
    going = set(gone)
    parents = {parent for path in going for parent in _parents(path)}
    for folder in sorted(parents, key=lambda path: (-path.count("/"), path)):
        if not any(is_within(folder, allowed) for allowed in within):
            continue
        try:
            names = os.listdir(os.path.join(root, folder))
        except OSError:
            continue
        left = {name for name in names if f"{folder}/{name}" not in going}
        if _is_stale_bytecode(os.path.join(root, folder), left):
            yield f"{folder}/{_BYTECODE}"
            left.discard(_BYTECODE)
        if not left and not os.path.islink(os.path.join(root, folder)):
            going.add(folder)
            yield folder


def _parents(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _is_stale_bytecode(folder: str, left: Collection[str]) -> bool:
    """Whether a folder has a `__pycache__` with nothing in it but the bytecode of modules that are
    not among the files that are left."""
    place = os.path.join(folder, _BYTECODE)
    if _BYTECODE not in left or os.path.islink(place) or not os.path.isdir(place):
        return False
    return all(
        name.endswith(".pyc") and f"{name.partition('.')[0]}.py" not in left
        for name in os.listdir(place)
    )


def _remove_folder(place: str) -> None:
    """Remove a folder that `_emptied` named; one that has been filled again stays."""
    try:
        if os.path.basename(place) == _BYTECODE:
            for name in os.listdir(place):
                os.unlink(os.path.join(place, name))
        os.rmdir(place)
    except OSError:
        return
