"""Where the parts of a JSON text stand."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from toolc.loader.limits import MAX_PROBLEMS
from toolc.loader.problem import Duplicate
from toolc.model.document import Place, Pointer, Span

TOKEN = re.compile(
    r'"[^"\\]*(?:\\.[^"\\]*)*+"|[{}\[\],:]|-?Infinity|[-+.\w]+',
    re.DOTALL,
)
"""One token of valid JSON, a whole string included."""


class Scan(NamedTuple):
    places: dict[Pointer, Place]
    duplicates: list[Duplicate]


class _Open:
    """An object or list that is not closed yet."""

    def __init__(self, pointer: Pointer, key: Span | None, start: int, is_object: bool) -> None:
        self.pointer = pointer
        self.key = key
        self.start = start
        self.is_object = is_object
        self.items = 0
        self.names: dict[str, Span] = {}
        self.name: str | None = None

    def next_pointer(self) -> tuple[Pointer, Span | None]:
        """The pointer and the key of the value that comes next."""
        if self.name is not None:
            name, self.name = self.name, None
            return (*self.pointer, name), self.names[name]
        self.items += 1
        return (*self.pointer, self.items - 1), None


def scan(text: str) -> Scan:
    """The places and the duplicate keys of a JSON text that is valid but for those.

    Of a key that stands twice, the later value's place remains, as the decoder keeps the later value.
    """
    found = Scan({}, [])
    opened: list[_Open] = []
    for token in TOKEN.finditer(text):
        kind = token[0][0]
        span = Span(*token.span())
        inside = opened[-1] if opened else None
        if kind in ",:":
            continue
        if kind in "}]":
            container = opened.pop()
            found.places[container.pointer] = Place(container.key, Span(container.start, span.end))
        elif kind == '"' and inside is not None and inside.is_object and inside.name is None:
            name: str = json.loads(token[0], strict=False)
            if name in inside.names and len(found.duplicates) < MAX_PROBLEMS:
                pointer = (*inside.pointer, name)
                found.duplicates.append(Duplicate(name, inside.names[name], span, pointer))
            inside.names[name] = span
            inside.name = name
        else:
            pointer, key = inside.next_pointer() if inside is not None else ((), None)
            if kind in "{[":
                opened.append(_Open(pointer, key, span.start, kind == "{"))
            else:
                found.places[pointer] = Place(key, span)
    return found
