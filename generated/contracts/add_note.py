# toolc: generated 0a0a7d20a8eb000b
"""Contract of `add_note`, written by toolc from tooldefs/add_note.yaml. Edit the definition, not this file."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypedDict

from toolc_runtime import Context, Record, Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class AddNoteParams:
    """Arguments of `add_note`, valid against its schema, defaults applied.

    Attributes:
        title: One line that says what the note is about (1 to 200 characters).
        text: The note itself, as plain text or Markdown (at most 20000 characters).
        notebook: Name of the notebook, in small letters (at most 40 characters, matching `^[a-z][a-z0-9-]*$`).
        tags: Tags to file the note under, like `travel` (at most 10 items, no item twice, each at most 30 characters, each matching `^[a-z0-9-]+$`).
        priority: How much the note matters
            - "low": may be forgotten
            - "normal": worth keeping
            - "high": urgent, listed first in summaries.
        due: When it is due, with the offset from UTC (format date-time).
        remindBefore: Minutes between a reminder and `due`, in steps of 5; summaries show when it is (0 to 10080, a multiple of 5).
        source: Where the text comes from.
        fields: Further fields to keep with the note, named in snake_case; any JSON values (at most 20 entries).
    """

    title: str
    text: str = ""
    notebook: str = "main"
    tags: list[str] = field(default_factory=list)
    priority: Literal["low", "normal", "high"] = "normal"
    due: str | None = None
    remindBefore: int | None = None
    source: dict[str, Any] | None = None
    fields: dict[str, Any] | None = None


class AddNoteResult(TypedDict):
    id: str
    created: str


class AddNote(Protocol):
    """Handler of `add_note`; sync or async."""

    def __call__(
        self, params: AddNoteParams, context: Context, /
    ) -> Reply[AddNoteResult] | Awaitable[Reply[AddNoteResult]]: ...


PARAMS = Record(AddNoteParams)
