"""The schemas that editors read, in the project's folder `.toolc`, and the lines that point to them."""

from __future__ import annotations

import os
import posixpath

from toolc import __version__, files
from toolc.model.artifact import Action, Change, Owner, Plan

DEFINITION, PROJECT = "definition", "project"

_FOLDER = ".toolc"
_STAMP = f"Written by toolc {__version__} for editors"
"""Stands in the first lines of a schema that this version wrote."""
_HEAD = 300

_LINES = {
    "toml": "#:schema {}\n",
    "yaml": "# yaml-language-server: $schema={}\n",
    "json": '  "$schema": "{}",\n',
}
"""How a file says where its schema is, by notation; in JSON, behind its opening brace."""


def schema_text(name: str) -> str:
    """One of the schemas as it stands in a file."""
    from toolc.builder.editors import definition_schema, project_schema
    from toolc.lint.editors import settings_schema
    from toolc.model.jsontext import indented

    schema = definition_schema() if name == DEFINITION else project_schema(settings_schema())
    comment = f"{_STAMP}; a build of another version writes it anew. Leave it to toolc."
    return indented({"$comment": comment, **schema}) + "\n"


def schema_path(name: str) -> str:
    """Where a project keeps one of the schemas, relative to its root."""
    return f"{_FOLDER}/{name}.schema.json"


def schema_line(name: str, path: str) -> str:
    """The line by which the file at `path`, relative to the root, points to its schema."""
    way = posixpath.relpath(schema_path(name), posixpath.dirname(path) or ".")
    way = way if way.startswith("../") else f"./{way}"
    return _LINES[posixpath.splitext(path)[1].removeprefix(".")].format(way)


def has_schema(root: str, name: str) -> bool:
    """Whether a project keeps the schema, and so whether its definitions point to it."""
    return os.path.isfile(os.path.join(root, schema_path(name)))


def refresh(root: str) -> list[str]:
    """Write the schemas anew that another version of toolc left in the project; what there is to say
    of it. One that is not there is not missed, and one that cannot be written fails no build."""
    said = []
    for name in (DEFINITION, PROJECT):
        path = schema_path(name)
        if not _is_stale(root, path):
            continue
        change = Change(Action.UPDATE, path, "", schema_text(name), Owner.DATA)
        problems = files.commit(root, Plan((change,), 0), [_FOLDER]).problems
        said += [f"{path} is another version's, but {found.message}" for found in problems]
        said += [] if problems else [f"wrote {path} anew: it was another version's"]
    return said


def _is_stale(root: str, path: str) -> bool:
    try:
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            return _STAMP not in file.read(_HEAD)
    except OSError:
        return False
