"""A source file's text, and the JSON value that a loader made of it, with the places of its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

JsonValue: TypeAlias = "None | bool | int | float | str | list[JsonValue] | dict[str, JsonValue]"
"""What JSON can hold: no dates, no NaN or infinity, string keys only."""

JsonObject: TypeAlias = "dict[str, JsonValue]"

NOTHING: JsonObject = {}
"""The default of an object that nobody gave; like every value of the compiler's, never changed."""

Pointer: TypeAlias = "tuple[str | int, ...]"
"""The way from a document's root to one of its values: keys and list positions."""


def pointer_text(pointer: Pointer) -> str:
    """`pointer` as RFC 6901 writes it: `("a/b", 0)` is `/a~1b/0`, the root is the empty string."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in pointer)


class Span(NamedTuple):
    """A stretch of a text: code points, half-open, `start <= end`."""

    start: int
    end: int


class Site(NamedTuple):
    """A place that a person can be sent to.

    `path` is POSIX and relative to the project; `span` is None where the file has no text to
    point into (it cannot be read, or it is not there).
    """

    path: str
    span: Span | None = None


class Place(NamedTuple):
    """Where one value of a document stands: its key (None for list items and the root), and itself."""

    key: Span | None
    value: Span


Places: TypeAlias = "Mapping[Pointer, Place]"


class _File(NamedTuple):
    path: str
    text: str


class SourceFile(_File):
    """A file's path (POSIX, relative to the project root) and its decoded text, newlines untouched."""

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        position = self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return starts

    def line_column(self, offset: int) -> tuple[int, int]:
        """1-based line and column of a code-point offset in `0..len(text)`."""
        from bisect import bisect_right

        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """The text of a 1-based line, without its line end."""
        start = self._line_starts[line - 1]
        end = self._line_starts[line] if line < len(self._line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


def _no_places(_text: str) -> Places:
    return {}


class _Located(NamedTuple):
    source: SourceFile | None
    """None where the value did not come from a text: a dict of a caller's."""
    value: JsonValue
    locate: Callable[[str], Places] = _no_places


class Document(_Located):
    """One JSON value, and lazily the span of each of its parts.

    Loading never looks for positions: `locate` scans the text the first time that somebody asks,
    which is when there is something to report.
    """

    @cached_property
    def places(self) -> Places:
        return self.locate(self.source.text) if self.source is not None else {}

    def has(self, pointer: Pointer) -> bool:
        """Whether the text shows a place for `pointer` itself, and not only for what is around it."""
        return pointer in self.places

    def site(self, pointer: Pointer, *, key: bool = False) -> Site | None:
        """Where the value at `pointer` stands, or with `key` its key.

        A place that the text does not show (a default, an implicit table) falls back to the
        nearest ancestor that it does; None for a document without a text.
        """
        if self.source is None:
            return None
        for length in range(len(pointer), -1, -1):
            place = self.places.get(pointer[:length])
            if place is not None:
                use_key = key and length == len(pointer) and place.key is not None
                return Site(self.source.path, place.key if use_key else place.value)
        return Site(self.source.path, Span(0, 0))
