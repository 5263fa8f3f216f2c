"""Words for messages: a value as they show it, and the known word that an unknown one may mean."""

from __future__ import annotations

from collections.abc import Iterable

from toolc.model.document import JsonValue


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` most likely means: one slip away, two in a longer word; else None."""
    if len(word) < 3 or len(word) > 64:
        return None
    allowed = 1 if len(word) < 7 else 2
    best: tuple[int, str] | None = None
    for candidate in known:
        if abs(len(candidate) - len(word)) > allowed:
            continue
        distance = _slips(word.casefold(), candidate.casefold(), allowed)
        if distance <= allowed and (best is None or distance < best[0]):
            best = (distance, candidate)
    return best[1] if best else None


def _slips(left: str, right: str, limit: int) -> int:
    """Insertions, deletions, replacements and swaps of neighbours between two words, up to `limit`."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        before, last, row = row, before, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return row[-1]


def quoted(value: JsonValue, written: str = "") -> str:
    """A value as a message shows it: shortened, with its kind where that is not plain to see."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str):
        return f'"{value if len(value) <= 60 else value[:57] + "…"}"'
    number = written or str(value)
    return f"the number {number if len(number) <= 40 else number[:37] + '…'}"
