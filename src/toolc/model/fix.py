"""What would mend a finding, in terms of its document: steps that an editor of texts carries out."""

from __future__ import annotations

from collections.abc import Callable

from toolc.model.document import JsonValue, Pointer, Span
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias


class Put(NamedTuple):
    """Give a key this value: true, false, a number or a text."""

    pointer: Pointer
    value: JsonValue
    beside: str = ""
    """The key of the same table behind which a new one is written; without it, the key is there."""


class Remove(NamedTuple):
    """Take a key with its value out of its table, or an item out of its list."""

    pointer: Pointer


class Rename(NamedTuple):
    """Spell a key otherwise."""

    pointer: Pointer
    name: str


class Rewrite(NamedTuple):
    """Change letters of a text: `letters` gives for each of them what stands in its place."""

    pointer: Pointer
    letters: Callable[[str], list[str]]


class Cut(NamedTuple):
    """Take out a stretch of the file that belongs to no value: a comment, or a part of one."""

    span: Span


Step: TypeAlias = "Put | Remove | Rename | Rewrite | Cut"


class Fix(NamedTuple):
    """The steps that mend one finding, in one file."""

    title: str
    """What is done, as an order: `take the default away`."""
    steps: tuple[Step, ...]
    is_safe: bool = False
    """Whether nobody can have meant it otherwise; what is not safe is done only when it is asked for."""
    keeps_tools: bool = False
    """Whether the compiled tools stay the same."""
    path: str = ""
    """The file, once it is known."""
