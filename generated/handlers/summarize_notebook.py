"""Handler of `summarize_notebook`."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

from toolc_runtime import Context

from ..contracts.summarize_notebook import (
    SummarizeNotebookParams,
    SummarizeNotebookResult,
    SummarizeNotebookResultDueItem,
)
from . import _notebook

MOST_DUE = 5


def summarize_notebook(
    params: SummarizeNotebookParams, context: Context
) -> SummarizeNotebookResult:
    """Summarize a notebook: how many notes, under which tags, and what is due next."""
    notes = _notebook.find(params.notebook)
    counts = Counter(tag for note in notes for tag in note.tags)
    return {
        "total": len(notes),
        "tags": {
            tag: count
            for tag, count in counts.most_common()
            if count >= params.minShare * len(notes)
        },
        "due": _due_next(notes),
        "newest": notes[0].id if notes else None,
    }


def _due_next(notes: list[_notebook.Note]) -> list[SummarizeNotebookResultDueItem]:
    now = datetime.now(UTC)
    coming = [(note.due, note) for note in notes if note.due is not None and note.due >= now]
    coming.sort(key=lambda pair: (pair[1].priority != "high", pair[0]))
    return [_shown(note, due) for due, note in coming[:MOST_DUE]]


def _shown(note: _notebook.Note, due: datetime) -> SummarizeNotebookResultDueItem:
    shown: SummarizeNotebookResultDueItem = {
        "id": note.id,
        "title": note.title,
        "due": due.isoformat(),
    }
    if note.remind_before is not None:
        shown["remindAt"] = (due - timedelta(minutes=note.remind_before)).isoformat()
    return shown
