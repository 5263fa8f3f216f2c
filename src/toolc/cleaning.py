"""What can be deleted of a project: what is toolc's and nobody edited, or what nothing asks for.

Nothing is deleted here, and nothing read: a plan is made of what stands.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from toolc.generate.names import module_name
from toolc.model.artifact import Action, Artifact, Change, Owner, Plan
from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic, has_errors
from toolc.model.document import JsonValue, Site
from toolc.model.project import CATALOG_FILE, Project, PythonTarget
from toolc.model.tool import Tool
from toolc.plan import Standing, conflict_sides, is_own_text, make_plan
from toolc_runtime.light import TYPE_CHECKING
from toolc_runtime.stubs import is_stub

if TYPE_CHECKING:
    from toolc.generate.templates import Render

_SIGNS: Mapping[str, Collection[str]] = {
    "manifest.json": ("tools",),
    "mcpdesc.json": ("mcpdesc",),
    CATALOG_FILE: ("format", "tools"),
}
"""The keys by which each of toolc's data files is known. The catalogue goes last: while it is there,
a run that was cut short can be begun again."""

_KEPT_EDITED = "edited by hand, so it was kept"
_KEPT_FOREIGN = "not what toolc writes, so it was kept"
_RESULTS: tuple[JsonValue, ...] = (None, {})
"""A stub shows of a result only whether its tool declares one."""

_HINT = "delete it when nothing in it is needed any more"


def plan_clean(standing: Standing, project: Project) -> Plan:
    """Deletes every file among `standing.texts` that is toolc's to the letter, the data files if
    they have toolc's shape.

    What was edited is kept with a warning; what was never toolc's is passed over.
    """
    data = {project.data_path(name): signs for name, signs in _SIGNS.items()}
    changes: list[Change] = []
    kept: list[Diagnostic] = []
    for path in (*sorted(standing.texts.keys() - data.keys()), *data):
        text = standing.texts.get(path)
        if text is None:
            continue
        owner = Owner.OUTPUT if path in standing.digests else Owner.CODE
        is_own = is_own_text(path, owner, text, standing)
        if path in data:
            owner, is_own = Owner.DATA, _has_keys(text, data[path])
        if is_own:
            changes.append(Change(Action.DELETE, path, text, None, owner))
        elif is_own is not None:
            words = _KEPT_FOREIGN if owner is Owner.DATA else _KEPT_EDITED
            kept.append(Diagnostic("G703", CODES["G703"].severity, words, Site(path), _HINT))
    return Plan(tuple(changes), 0, tuple(kept))


def _has_keys(text: str, keys: Iterable[str]) -> bool:
    """Whether a text is a JSON object with these keys; both sides, where git left a conflict."""
    for side in conflict_sides(text) or (text,):
        try:
            value = json.loads(side)
        except (ValueError, RecursionError):
            return False
        if not isinstance(value, dict) or not all(key in value for key in keys):
            return False
    return True


def plan_orphans(
    artifacts: Sequence[Artifact],
    standing: Standing,
    stubs: Mapping[str, str],
    folders: Collection[str],
) -> Plan:
    """Deletes what no artefact stands for any more, as a build would, and `stubs`: handlers that
    nobody has written, by path, with their texts. Their contracts go with them.

    `standing.texts` are those of the files that no artefact stands for. With an error among the
    diagnostics there are no changes.
    """
    kept = {path: handler for path, handler in standing.handlers.items() if handler not in stubs}
    plan = make_plan(artifacts, standing._replace(handlers=kept), folders)
    if has_errors(plan.diagnostics):
        return plan
    deletions = [change for change in plan.changes if change.action is Action.DELETE]
    deletions += [
        Change(Action.DELETE, path, text, None, Owner.HUMAN) for path, text in stubs.items()
    ]
    return Plan(tuple(deletions), 0, plan.diagnostics)


def is_untouched_stub(path: str, text: str, target: PythonTarget, render: Render) -> bool:
    """Whether a handler is to the letter what toolc wrote for some tool, whose description only
    the handler knows any more."""
    module = path.rpartition("/")[2].removesuffix(".py")
    text = text.replace("\r\n", "\n")
    if not is_stub(text.encode("utf-8", "surrogateescape"), module):
        return False

    from toolc.generate.python import handler_text
    from toolc.generate.templates import TemplateProblem

    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    description = next(
        ast.get_docstring(node)
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == module
    )
    # One that is older than the project's application does not name it.
    targets = dict.fromkeys((target, target._replace(app="")))
    try:
        return any(
            text == handler_text(Tool(name, {}, "", description, result), known, render)
            for name in _tool_names(tree, module)
            for result in _RESULTS
            for known in targets
        )
    except TemplateProblem:
        return False


def _tool_names(tree: ast.Module, module: str) -> list[str]:
    """The texts in a module that could be the name of the tool which it is for."""
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    names = dict.fromkeys([module, *(text for text in texts if isinstance(text, str))])
    return [name for name in names if module_name(name) == module]
