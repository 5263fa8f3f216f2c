# toolc: generated b38b8a3625363528
"""Contract of `export_notes`, written by toolc from tooldefs/export_notes.toml. Edit the definition, not this file."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Literal, Protocol, TypedDict

from toolc_runtime import Context, Record, Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportNotesParams:
    """Arguments of `export_notes`, valid against its schema, defaults applied.

    Attributes:
        path: A file in the sandbox folder: names of letters, digits, _, - and ., joined by / (at most 200 characters, matching `^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$`).
        notebook: Name of the notebook, in small letters (at most 40 characters, matching `^[a-z][a-z0-9-]*$`).
        from_: Only notes changed on or after this day, like 2026-11-29 (format date); `from` on the wire.
        to: Only notes changed on or before this day, like 2026-11-30 (format date).
        format: What to write.
        limit: How many notes at most, the last changed first; null, the default, for all (at least 1).
        overwrite: Replace the file if it is there already.
        pretty: Has no effect: JSON is always indented now (deprecated).
    """

    path: str
    notebook: str = "main"
    from_: str | None = None
    to: str | None = None
    format: Literal["markdown", "json"] = "markdown"
    limit: int | None = None
    overwrite: bool = False
    pretty: bool | None = None


class ExportNotesResult(TypedDict):
    notes: int
    bytes: int


class ExportNotes(Protocol):
    """Handler of `export_notes`; sync or async."""

    def __call__(
        self, params: ExportNotesParams, context: Context, /
    ) -> Reply[ExportNotesResult] | Awaitable[Reply[ExportNotesResult]]: ...


PARAMS = Record(ExportNotesParams, names={"from": "from_"})
