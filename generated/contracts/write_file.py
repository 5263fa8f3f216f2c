# toolc: generated 790411340a220870
"""Contract of `write_file`, written by toolc from tooldefs/files/write_file.yaml. Edit the definition, not this file."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, Protocol, TypedDict

from toolc_runtime import Context, Record, Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteFileParams:
    """Arguments of `write_file`, valid against its schema, defaults applied.

    Attributes:
        path: A file in the sandbox folder: names of letters, digits, _, - and ., joined by / (at most 200 characters, matching `^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$`).
        content: A text, or the rows of a table.
        frontMatter: Metadata to write above a text, between lines of `---` (1 to 20 entries).
        overwrite: Replace the file if it is there already.
    """

    path: str
    content: str | list[list[str | float | bool | None]]
    frontMatter: dict[str, Any] | None = None
    overwrite: bool = False


class WriteFileResult(TypedDict):
    bytes: int


class WriteFile(Protocol):
    """Handler of `write_file`; sync or async."""

    def __call__(
        self, params: WriteFileParams, context: Context, /
    ) -> Reply[WriteFileResult] | Awaitable[Reply[WriteFileResult]]: ...


PARAMS = Record(WriteFileParams)
