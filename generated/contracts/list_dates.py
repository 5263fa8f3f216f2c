# toolc: generated 1752a5de3980a617
"""Contract of `list_dates`, written by toolc from tooldefs/list_dates.toml. Edit the definition, not this file."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from toolc_runtime import Context, Record, Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class ListDatesParams:
    """Arguments of `list_dates`, valid against its schema, defaults applied.

    Attributes:
        start: The first date, like 2026-11-29 (format date).
        every: How many units lie between two dates (1 to 1000).
        unit: The unit of `every`.
        until: No date after this day; null for as many as `count` says (format date).
        count: How many dates at most (1 to 366).
    """

    start: str
    every: int = 1
    unit: Literal["days", "weeks", "months"] = "weeks"
    until: str | None = None
    count: int = 10


ListDatesResult: TypeAlias = list[str]


class ListDates(Protocol):
    """Handler of `list_dates`; sync or async."""

    def __call__(
        self, params: ListDatesParams, context: Context, /
    ) -> Reply[ListDatesResult] | Awaitable[Reply[ListDatesResult]]: ...


PARAMS = Record(ListDatesParams)
