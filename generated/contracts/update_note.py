# toolc: generated 44abfbde9d59539b
"""Contract of `update_note`, written by toolc from tooldefs/update_note.toml. Edit the definition, not this file."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Protocol, TypedDict

from toolc_runtime import ABSENT, Absent, Context, Record, Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateNoteParams:
    """Arguments of `update_note`, valid against its schema, defaults applied.

    Attributes:
        id: A note's id, like n7 (at most 18 characters, matching `^n[1-9][0-9]*$`).
        title: The new title (1 to 200 characters).
        text: The new text, whole (at most 20000 characters).
        due: When it is due now, with the offset from UTC; null takes the date away (format date-time).
    """

    id: str
    title: str | None = None
    text: str | None = None
    due: str | None | Absent = ABSENT


class UpdateNoteResult(TypedDict):
    changed: list[str]


class UpdateNote(Protocol):
    """Handler of `update_note`; sync or async."""

    def __call__(
        self, params: UpdateNoteParams, context: Context, /
    ) -> Reply[UpdateNoteResult] | Awaitable[Reply[UpdateNoteResult]]: ...


PARAMS = Record(UpdateNoteParams)
