"""What becomes of a file, and what a rename says when it cannot edit one."""

from __future__ import annotations

from typing import NamedTuple

from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Site, Span


class Renamed(NamedTuple):
    """A file as it is after the rename; the path may be the one it had."""

    path: str
    text: str


def refusal(path: str, message: str, hint: str, span: Span | None = None) -> Diagnostic:
    return Diagnostic("P607", CODES["P607"].severity, message, Site(path, span), hint)


def beside(path: str, name: str) -> str:
    """The path of the file `name` in the folder of `path`."""
    folder, slash, _ = path.rpartition("/")
    return folder + slash + name
