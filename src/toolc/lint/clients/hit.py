"""What is found past a limit, and what those that look for it have in common."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from toolc.model.document import JsonObject, JsonValue, Pointer
from toolc_runtime.light import NamedTuple


class Hit(NamedTuple):
    """A place in a tool that is past a limit."""

    pointer: Pointer
    what: str
    """The thing and its value."""
    rewrite: str
    """What would mean the same and be taken."""
    detail: str = ""
    """What the limit is, where the thing alone does not say."""
    where: str = ""
    """In which part of the schema, where the same thing may stand in several."""
    key: bool = False
    tool: str = ""
    """Whose, where tools are compared; empty for the server's own."""
    related: tuple[tuple[str, Pointer, str], ...] = ()
    room: int = 0
    """Where several limits are passed at one place: the less, the stricter the limit. The rewrite for
    the strictest suits them all."""


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A row's regular expression; the reader has seen that it is one."""
    return re.compile(pattern)


def number(value: JsonValue) -> int:
    """A row's number, which the reader has seen to be one."""
    assert isinstance(value, int)
    return value


def texts(value: JsonValue) -> tuple[str, ...]:
    """A row's list of texts, likewise."""
    assert isinstance(value, list)
    return tuple(map(str, value))


def members(schema: JsonObject) -> Iterator[tuple[Pointer, JsonValue]]:
    """The schemas of an object's properties, and the way to each."""
    table = schema.get("properties")
    for name, inner in (table if isinstance(table, dict) else {}).items():
        yield ("properties", name), inner
