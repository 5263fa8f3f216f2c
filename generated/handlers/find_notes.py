"""Handler of `find_notes`."""

from __future__ import annotations

from toolc_runtime import Context

from ..contracts.find_notes import FindNotesParams, FindNotesResult, FindNotesResultNotesItem
from . import _notebook

PREVIEW_LENGTH = 80


def find_notes(params: FindNotesParams, context: Context) -> FindNotesResult:
    """Find notes that contain all the given words.

    Not async, as all handlers that wait for a disk: the server runs it in a thread.
    """
    notes = _notebook.find(
        params.notebook,
        params.words,
        since=params.from_,
        until=params.to,
        limit=params.limit,
    )
    return {"notes": [_shown(note) for note in notes]}


def _shown(note: _notebook.Note) -> FindNotesResultNotesItem:
    text = f"{note.title}: {note.text}" if note.text else note.title
    shown: FindNotesResultNotesItem = {"id": note.id, "preview": text[:PREVIEW_LENGTH]}
    if note.fields:
        shown["fields"] = note.fields
    return shown
