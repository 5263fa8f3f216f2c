"""What a build would write: texts with an owner each, and the plan that compares them with the disk."""

from __future__ import annotations

from enum import Enum

from toolc.model.diagnostic import Diagnostic
from toolc_runtime.light import NamedTuple


class Owner(Enum):
    """Whose a generated file is, and so what a later build may do to it."""

    DATA = "data"
    """toolc's, without ifs: the JSON files are rebuilt whatever they hold."""
    CODE = "code"
    """toolc's while nobody edits it: a header carries a digest of the rest."""
    OUTPUT = "output"
    """As CODE, for a project's own templates: the digest stands in catalog.json."""
    HUMAN = "human"
    """Written once, then the author's: no build changes or deletes it."""


class Artifact(NamedTuple):
    path: str
    """POSIX, relative to the project root."""
    text: str
    owner: Owner


class Action(Enum):
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"


class Change(NamedTuple):
    """One file that differs: `before` is None for a new file, `after` for one that goes."""

    action: Action
    path: str
    before: str | None
    after: str | None
    owner: Owner


class Plan(NamedTuple):
    changes: tuple[Change, ...]
    unchanged: int
    """How many artefacts already stand as they should."""
    diagnostics: tuple[Diagnostic, ...] = ()
