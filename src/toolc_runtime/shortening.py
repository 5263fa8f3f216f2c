"""Progressive detail: what matters most in full, the rest shorter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any, TypeVar

T = TypeVar("T")


def detail(
    items: Iterable[T],
    *,
    high: float,
    low: float,
    summary: Sequence[str] | Callable[[T], Any],
    score: str | Callable[[T], float] = "score",
    key: str | Callable[[T], Any] = "id",
) -> list[Any]:
    """`items` in their order, each as long as its score deserves.

    An item whose score is `high` or more stays as it is, from `low` on it is its `summary`, below
    that its `key` alone. Names stand for what a mapping has under them (`summary` leaves out those
    that an item has not); a function takes the item and returns what takes its place, for `score` a
    number. An output schema requires of such items only what their shortest form has. ValueError
    for a `low` above `high`.
    """
    if low > high:
        raise ValueError(f"low ({low}) is above high ({high})")
    score_of: Callable[[Any], float] = itemgetter(score) if isinstance(score, str) else score
    shorter = _part(summary)
    shortest = _part(key)
    made: list[Any] = []
    for item in items:
        reached = score_of(item)
        if reached >= high:
            made.append(item)
        else:
            made.append(shorter(item) if reached >= low else shortest(item))
    return made


def _part(what: str | Sequence[str] | Callable[[Any], Any]) -> Callable[[Any], Any]:
    if callable(what):
        return what
    names = (what,) if isinstance(what, str) else what
    return lambda item: {name: item[name] for name in names if name in item}
