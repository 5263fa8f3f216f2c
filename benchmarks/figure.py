"""A measured figure, what stands beside it, and whether that meets a goal."""

from __future__ import annotations

from typing import NamedTuple


class Figure(NamedTuple):
    """A line of the table."""

    what: str
    unit: str = "ms"
    value: float | None = None  # toolc's, in `unit`
    beside: float | None = None  # the floor's or the peer's, in the same unit and run
    name: str = ""  # what stands beside it
    # The most that the ratio may be, or the value itself where nothing stands beside it.
    goal: float | None = None
    is_speedup: bool = False  # the ratio says how many times faster toolc is: the goal is the least
    note: str = ""  # why it could not be measured, or what it leaves out

    @property
    def ratio(self) -> float | None:
        """None where there is nothing to compare with."""
        if not self.value or not self.beside:
            return None
        return self.beside / self.value if self.is_speedup else self.value / self.beside

    @property
    def met(self) -> bool | None:
        """None where there is no goal, or nothing measured to hold against it."""
        judged = self.value if self.beside is None else self.ratio
        if judged is None or self.goal is None:
            return None
        return judged >= self.goal if self.is_speedup else judged <= self.goal


class NotMeasuredError(Exception):
    """Why a row, or the rest of it, cannot be measured here."""
