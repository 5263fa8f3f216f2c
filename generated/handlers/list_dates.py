"""Handler of `list_dates`."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

from toolc_runtime import Context, ToolError

from ..contracts.list_dates import ListDatesParams, ListDatesResult

_DAYS = {"days": 1, "weeks": 7}


async def list_dates(params: ListDatesParams, context: Context) -> ListDatesResult:
    """List the dates of something that repeats every so many days, weeks or months."""
    start = _day(params.start)
    until = date.max if params.until is None else _day(params.until)
    dates: list[str] = []
    for turn in range(params.count):
        following = _later(start, turn * params.every, params.unit)
        if following is None or following > until:
            break
        dates.append(following.isoformat())
    return dates


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:  # the year 0, which RFC 3339 allows
        raise ToolError("INVALID_INPUT", f'there is no such day as "{text}"') from None


def _later(start: date, count: int, unit: str) -> date | None:
    """The day `count` units after `start`; None past the year 9999.

    Counted from the start each time, so that 31 January, 28 February, 31 March follow each other.
    """
    if unit in _DAYS:
        days = count * _DAYS[unit]
        return start + timedelta(days=days) if days <= (date.max - start).days else None
    years, month = divmod(start.month - 1 + count, 12)
    year = start.year + years
    if year > date.max.year:
        return None
    last = monthrange(year, month + 1)[1]
    return date(year, month + 1, min(start.day, last))
