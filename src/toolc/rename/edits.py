"""Edits of a text, and what a rename says when it cannot make them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Site, Span


class Renamed(NamedTuple):
    """A file as it is after the rename; the path may be the one it had."""

    path: str
    text: str


class Edit(NamedTuple):
    """Put `text` in the place of `span`."""

    span: Span
    text: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """`text` with all the edits made, which do not overlap."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def refusal(path: str, message: str, hint: str, span: Span | None = None) -> Diagnostic:
    return Diagnostic("P607", CODES["P607"].severity, message, Site(path, span), hint)


def beside(path: str, name: str) -> str:
    """The path of the file `name` in the folder of `path`."""
    folder, slash, _ = path.rpartition("/")
    return folder + slash + name
