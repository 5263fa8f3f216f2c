# toolc: generated cfe7e787efbbe797
"""Contract of `find_notes`, written by toolc from tooldefs/find_notes.toml. Edit the definition, not this file."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, NotRequired, Protocol, TypedDict

from toolc_runtime import Context, Record, Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class FindNotesParams:
    """Arguments of `find_notes`, valid against its schema, defaults applied.

    Attributes:
        words: Words that must all occur, in any order (1 to 10 items, each 1 to 50 characters).
        notebook: Name of the notebook, in small letters (at most 40 characters, matching `^[a-z][a-z0-9-]*$`).
        limit: How many notes to return (1 to 50).
        from_: Only notes changed on or after this day, like 2026-11-29 (format date); `from` on the wire.
        to: Only notes changed on or before this day, like 2026-11-30 (format date).
    """

    words: list[str]
    notebook: str = "main"
    limit: int = 20
    from_: str | None = None
    to: str | None = None


class FindNotesResultNotesItem(TypedDict):
    id: str
    preview: NotRequired[str]
    fields: NotRequired[dict[str, Any]]


class FindNotesResult(TypedDict):
    notes: list[FindNotesResultNotesItem]


class FindNotes(Protocol):
    """Handler of `find_notes`; sync or async."""

    def __call__(
        self, params: FindNotesParams, context: Context, /
    ) -> Reply[FindNotesResult] | Awaitable[Reply[FindNotesResult]]: ...


PARAMS = Record(FindNotesParams, names={"from": "from_"})
