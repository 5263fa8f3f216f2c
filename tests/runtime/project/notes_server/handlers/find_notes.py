from __future__ import annotations

from notes_server.contracts.find_notes import (
    FindNotesParams,
    FindNotesResult,
    FindNotesResultNotesItem,
)
from toolc_runtime import Context


async def find_notes(params: FindNotesParams, context: Context) -> FindNotesResult:
    since = params.from_ or "always"
    note: FindNotesResultNotesItem = {"id": "n7", "preview": f"{params.words} since {since}"}
    return {"notes": [note] * params.limit}
