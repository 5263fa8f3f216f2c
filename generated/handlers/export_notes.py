"""Handler of `export_notes`."""

from __future__ import annotations

import json
from asyncio import to_thread

from toolc_runtime import Context

from ..contracts.export_notes import ExportNotesParams, ExportNotesResult
from . import _notebook, _sandbox

PROGRESS_EVERY = 100
"""Notes between two messages of progress."""


async def export_notes(params: ExportNotesParams, context: Context) -> ExportNotesResult:
    """Export notes to a file in the sandbox folder, as Markdown or JSON.

    Async, since it tells its progress; what waits for the disk goes through a thread.
    """
    if params.pretty is not None:
        context.log.warning('"pretty" has no effect any more')
    notes = await to_thread(
        _notebook.find,
        params.notebook,
        since=params.from_,
        until=params.to,
        limit=params.limit,
    )
    is_json = params.format == "json"
    written = []
    for done, note in enumerate(notes, 1):
        written.append(_as_json(note) if is_json else _as_markdown(note))
        if done % PROGRESS_EVERY == 0 or done == len(notes):
            await context.progress(done, len(notes), "notes written")
    text = f"[{','.join(written)}]\n" if is_json else "\n".join(written)
    size = await to_thread(
        _sandbox.write_bytes, params.path, text.encode(), overwrite=params.overwrite
    )
    return {"notes": len(notes), "bytes": size}


def _as_markdown(note: _notebook.Note) -> str:
    lines = [f"# {note.title}", ""]
    if note.due is not None:
        lines += [f"Due {note.due:%Y-%m-%d %H:%M %Z}", ""]
    if note.text:
        lines += [note.text, ""]
    return "\n".join(lines)


def _as_json(note: _notebook.Note) -> str:
    row = {
        "id": note.id,
        "title": note.title,
        "text": note.text,
        "tags": note.tags,
        "priority": note.priority,
        "due": None if note.due is None else note.due.isoformat(),
        "fields": note.fields,
    }
    return json.dumps(row, ensure_ascii=False, indent=2)
