# toolc: generated 9c75388b48100121
"""Contract of `read_file`, written by toolc from tooldefs/files/read_file.toml. Edit the definition, not this file."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, Protocol

from toolc_runtime import Context, Record, Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFileParamsLines:
    """`lines` in the arguments of `read_file`.

    Attributes:
        first: The first line, from 1 (at least 1).
        last: The last line; the end of the file if absent (at least 1).
    """

    first: int = 1
    last: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFileParams:
    """Arguments of `read_file`, valid against its schema, defaults applied.

    Attributes:
        path: A file in the sandbox folder: names of letters, digits, _, - and ., joined by / (at most 200 characters, matching `^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$`).
        lines: Only these lines of a text.
    """

    path: str
    lines: ReadFileParamsLines | None = None


class ReadFile(Protocol):
    """Handler of `read_file`; sync or async."""

    def __call__(
        self, params: ReadFileParams, context: Context, /
    ) -> Reply[Any] | Awaitable[Reply[Any]]: ...


PARAMS_Lines = Record(ReadFileParamsLines)
PARAMS = Record(ReadFileParams, nested={"lines": PARAMS_Lines})
