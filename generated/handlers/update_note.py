"""Handler of `update_note`."""

from __future__ import annotations

from toolc_runtime import ABSENT, Context

from ..contracts.update_note import UpdateNoteParams, UpdateNoteResult
from . import _notebook


def update_note(params: UpdateNoteParams, context: Context) -> UpdateNoteResult:
    """Change parts of a note and keep the rest."""
    changes: dict[str, str | None] = {}
    if params.title is not None:
        changes["title"] = params.title
    if params.text is not None:
        changes["text"] = params.text
    if params.due is not ABSENT:  # null is a change too: it takes the date away
        changes["due"] = params.due
    return {"changed": _notebook.update(params.id, changes)}
