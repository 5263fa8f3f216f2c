"""The value of an argument that a call left out, where null means something else."""

from __future__ import annotations

from enum import Enum
from typing import Final, Literal


class Absent(Enum):
    """The type of ABSENT. An enum of one member, so that type checkers narrow `x is ABSENT`."""

    ABSENT = "ABSENT"

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent.ABSENT
"""Stands where an argument that may be null was not given at all. False in a condition."""
