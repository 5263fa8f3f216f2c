from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import NotRequired, Protocol, TypedDict

from toolc_runtime import Context, Record, Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class FindNotesParams:
    words: list[str]
    limit: int = 20
    from_: str | None = None
    api_token: str | None = None


class FindNotesResultNotesItem(TypedDict):
    id: str
    preview: NotRequired[str]


class FindNotesResult(TypedDict):
    notes: list[FindNotesResultNotesItem]


class FindNotes(Protocol):
    def __call__(
        self, params: FindNotesParams, context: Context, /
    ) -> Reply[FindNotesResult] | Awaitable[Reply[FindNotesResult]]: ...


PARAMS = Record(FindNotesParams, names={"from": "from_"})
