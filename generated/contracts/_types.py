# toolc: generated f0114cbc76bfde49
"""The shared types, written by toolc. Edit the definitions, not this file."""

from __future__ import annotations

from typing import TypedDict


class SectionResult(TypedDict):
    title: str
    line: int
    sections: list[SectionResult]
