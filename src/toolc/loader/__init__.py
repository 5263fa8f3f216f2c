"""Loaders: the text of a metadata file -> Document. They know no key of any tool.

A parser and the module around it are imported when the first file of their notation is loaded.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from toolc.loader.conflicts import find_conflicts
from toolc.loader.problem import Problem, file_problem, to_diagnostics
from toolc.loader.text import BYTE_ORDER_MARK, decode, find_forbidden
from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic, has_errors
from toolc.model.document import Document, JsonValue, Places, Site, SourceFile
from toolc_runtime.light import TYPE_CHECKING

__all__ = ["LOADERS", "SUFFIXES", "decode", "load", "load_value", "parse_json_text"]

LOADERS = {
    ".toml": "toolc.loader.toml",
    ".yaml": "toolc.loader.yaml",
    ".yml": "toolc.loader.yaml",
    ".json": "toolc.loader.json",
}
"""The module of each suffix: one that looks like `Loader`."""

SUFFIXES = tuple(LOADERS)


if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol, TypeAlias

    IsKnown: TypeAlias = Callable[[JsonValue], bool]

    class Loader(Protocol):
        """What the module of a notation offers."""

        def parse(
            self, text: str, _is_known: IsKnown | None = None, /
        ) -> tuple[JsonValue, list[Problem]]:
            """A text's value, which means nothing where one of the problems is an error; `is_known`
            as `load` has it, for those who look through the value after the parser."""

        def locate(self, text: str) -> Places:
            """Where the parts of a text stand that `parse` accepted."""


@cache
def _loader(suffix: str) -> Loader:
    module: Loader = import_module(LOADERS[suffix])
    return module


def load(
    source: SourceFile, is_known: IsKnown | None = None
) -> tuple[Document | None, tuple[Diagnostic, ...]]:
    """The document in a text, in the notation that the path's suffix names.

    None where there is an error; a document may come with warnings. Offsets count the code points
    of the document's own text, which lacks a byte order mark that `source` may begin with.

    A parser's value may hold what JSON does not have, for which it is looked through. `is_known` is
    asked first, of such a value, and True if every part of it is known to be what it should: then
    that is all.
    """
    suffix = source.path[source.path.rfind(".") :].lower() if "." in source.path else ""
    if suffix not in LOADERS:
        message = f"the suffix {suffix!r} names no notation" if suffix else "the name has no suffix"
        hint = "use one of " + ", ".join(SUFFIXES)
        return None, (file_problem("L101", source.path, message, hint),)
    if source.text.startswith(BYTE_ORDER_MARK):
        source = SourceFile(source.path, source.text[1:])
    forbidden = find_forbidden(source.text)
    if forbidden is not None:
        return None, to_diagnostics([forbidden], source.path)
    conflicts = find_conflicts(source.text)
    if conflicts:
        return None, to_diagnostics(conflicts, source.path)
    loader = _loader(suffix)
    value, problems = loader.parse(source.text, is_known)
    if not problems:
        return Document(source, value, loader.locate), ()
    diagnostics = to_diagnostics(problems, source.path)
    if has_errors(diagnostics):
        return None, diagnostics
    return Document(source, value, loader.locate), diagnostics


def load_value(value: object, path: str = "") -> tuple[Document | None, tuple[Diagnostic, ...]]:
    """The document that a Python value is: a database's row, an API's answer.

    The value is copied; tuples become lists. Everything that JSON does not have is an error with
    its pointer: other types, keys that are no strings, NaN, a value inside itself. `path` names
    where the value came from, for messages.
    """
    from toolc.loader.values import adopt

    adopted, problems = adopt(value)
    if not problems:
        return Document(None, adopted), ()
    return None, tuple(
        Diagnostic(
            problem.code,
            CODES[problem.code].severity,
            problem.message,
            Site(path) if path else None,
            problem.hint,
            pointer=problem.pointer,
        )
        for problem in problems
    )


def parse_json_text(text: str) -> tuple[JsonValue, Problem | None]:
    """The value of JSON text that stands inside a string, or the first problem and its offsets."""
    loader = _loader(".json")
    problem = find_forbidden(text)
    if problem is not None:
        return None, problem
    value, problems = loader.parse(text)
    return (None, problems[0]) if problems else (value, None)
