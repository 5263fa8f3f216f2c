"""Handler of `add_note`."""

from __future__ import annotations

from toolc_runtime import Context

from ..contracts.add_note import AddNoteParams, AddNoteResult
from . import _notebook


def add_note(params: AddNoteParams, context: Context) -> AddNoteResult:
    """Add a note to a notebook."""
    added = _notebook.add(
        params.notebook,
        params.title,
        params.text,
        tags=params.tags,
        priority=params.priority,
        due=params.due,
        remind_before=params.remindBefore,
        source=params.source,
        fields=params.fields or {},
    )
    context.log.info("note added", id=added.id, notebook=params.notebook)
    return {"id": added.id, "created": added.created.isoformat()}
