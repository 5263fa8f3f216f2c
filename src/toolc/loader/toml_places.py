"""Where the parts of a TOML 1.1 text stand.

The text is one that tomli accepted, or one that it refused for a duplicate: so the scanner checks
nothing, and where it does not understand it stops and returns what it has.
"""

from __future__ import annotations

import re
from contextlib import suppress
from enum import Enum

from toolc.loader.limits import MAX_DEPTH, MAX_PROBLEMS
from toolc.loader.problem import Duplicate
from toolc.model.document import Place, Pointer, Span
from toolc_runtime.light import NamedTuple

_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*+")
_SPACE = re.compile(r"[ \t]*")

BASIC = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*+"'
LITERAL = r"'[^'\n]*'"
# One or two quotes may stand inside a multi-line string, right before its end too.
MULTI_LINE = (
    r'"""[^"\\]*(?:(?:\\.|"{1,2}(?!"))[^"\\]*)*+"{3,5}'
    r"|'''[^']*(?:'{1,2}(?!')[^']*)*+'{3,5}"
)
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")

_KEY = re.compile(rf"{BARE_KEY.pattern}|{BASIC}|{LITERAL}")
_LEAF = re.compile(
    rf"{MULTI_LINE}|{BASIC}|{LITERAL}"
    r"|\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]*"
    r"""|[^\s,\[\]{}#"'=]+""",
    re.DOTALL,
)


class Scan(NamedTuple):
    places: dict[Pointer, Place]
    duplicates: list[Duplicate]
    tables: list[Duplicate]
    """Further duplicates: headers, `[name]` or `[[name]]`, of a table that had one already."""
    deep: Span | None
    """The key, or the bracket, that goes past MAX_DEPTH, or past _MAX_STEPS in a text that consists of
    long dotted keys; nothing behind it is scanned."""


class _Made(Enum):
    """How a name came to be; what may still be added to it depends on that."""

    VALUE = "key = value"
    HEADER = "[name]"
    ARRAY = "[[name]]"
    DOTTED = "on the way of name.key = value"
    IMPLIED = "on the way of [name.key]"


_HEADERS = (_Made.HEADER, _Made.ARRAY)

_MAX_STEPS = 10_000_000
"""Levels walked for all names together: what 300,000 keys take that are 30 levels deep.

A dotted key costs the square of its parts, so a file of them alone would take a minute.
"""


class _KeyPart(NamedTuple):
    name: str
    span: Span


class _Open:
    """An array or inline table that is not closed yet."""

    def __init__(self, pointer: Pointer, keys: list[_KeyPart], start: int, is_table: bool) -> None:
        self.pointer = pointer
        self.keys = keys
        self.start = start
        self.is_table = is_table
        self.items = 0


class _StopScan(Exception):  # noqa: N818 (a signal, not an error)
    """The scanner does not understand what follows."""


def scan(text: str) -> Scan:
    """The places, the duplicate keys, and where the text goes too deep."""
    scanner = _Scanner(text)
    with suppress(_StopScan):
        scanner.document()
    return Scan(scanner.places, scanner.duplicates, scanner.tables, scanner.deep)


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.table: Pointer = ()
        self.places: dict[Pointer, Place] = {(): Place(None, Span(0, 0))}
        self.duplicates: list[Duplicate] = []
        self.tables: list[Duplicate] = []
        self.deep: Span | None = None
        self._steps = 0
        self._made: dict[Pointer, tuple[_Made, Span]] = {}
        self._twice: set[Pointer] = set()
        self._lengths: dict[Pointer, int] = {}  # of arrays of tables

    def document(self) -> None:
        self._skip(_BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                self._header()
            else:
                self._value(*self._pair_key(self.table))
            self._skip(_BLANK)

    # Statements

    def _header(self) -> None:
        start = self.at
        is_array = self.text.startswith("[[", start)
        brackets = 2 if is_array else 1
        self.at += brackets
        parts = self._key()
        self._expect("]" * brackets)
        header = Span(start, self.at)
        pointer: Pointer = ()
        for name, span in parts[:-1]:
            pointer = (*pointer, name)
            self._enter(pointer, span, _Made.IMPLIED, clashes=(_Made.VALUE,))
            self.places.setdefault(pointer, Place(span, header))
            pointer = self._last_item(pointer)
        name, span = parts[-1]
        pointer = (*pointer, name)
        self._check_depth(len(pointer) + brackets, span)
        if is_array:
            clashes = (_Made.VALUE, _Made.HEADER, _Made.DOTTED, _Made.IMPLIED)
            self._enter(pointer, span, _Made.ARRAY, clashes)
            self._lengths[pointer] = self._lengths.get(pointer, 0) + 1
            self.places.setdefault(pointer, Place(span, header))
            pointer = self._last_item(pointer)
        else:
            clashes = (_Made.VALUE, _Made.HEADER, _Made.DOTTED, _Made.ARRAY)
            self._enter(pointer, span, _Made.HEADER, clashes)
        self.places[pointer] = Place(span, header)
        self.table = pointer

    def _pair_key(self, table: Pointer) -> tuple[Pointer, list[_KeyPart]]:
        """Read a key and its `=`; the pointer it gives, and its parts."""
        parts = self._key()
        self._expect("=")
        self._skip(_SPACE)
        pointer = table
        for name, span in parts[:-1]:
            pointer = (*pointer, name)
            self._enter(pointer, span, _Made.DOTTED, (_Made.VALUE, _Made.HEADER, _Made.ARRAY))
        name, span = parts[-1]
        pointer = (*pointer, name)
        self._enter(pointer, span, _Made.VALUE, tuple(_Made))
        return pointer, parts

    # Values

    def _value(self, pointer: Pointer, keys: list[_KeyPart]) -> None:
        """Note the value that begins here and all inside it; `keys` are empty in an array."""
        opened: list[_Open] = []
        while True:
            character = self._peek()
            if character in ("[", "{"):
                self._check_depth(len(pointer) + 1, Span(self.at, self.at + 1))
                opened.append(_Open(pointer, keys, self.at, character == "{"))
                self.at += 1
            else:
                start = self.at
                self._skip(_LEAF, required=True)
                self._note(pointer, keys, start)
            following = self._next_item(opened)
            if following is None:
                return
            pointer, keys = following

    def _next_item(self, opened: list[_Open]) -> tuple[Pointer, list[_KeyPart]] | None:
        """Close what ends here, and go on to the next item; None where nothing is open any more."""
        while opened:
            container = opened[-1]
            self._skip(_BLANK)
            if self._peek() == ",":
                self.at += 1
                self._skip(_BLANK)
            if self._peek() == ("}" if container.is_table else "]"):
                self.at += 1
                self._note(container.pointer, container.keys, container.start)
                opened.pop()
            elif container.is_table:
                return self._pair_key(container.pointer)
            else:
                container.items += 1
                return (*container.pointer, container.items - 1), []
        return None

    def _note(self, pointer: Pointer, keys: list[_KeyPart], start: int) -> None:
        """Note a value that ends here, and the tables that its dotted key makes."""
        self.places[pointer] = Place(keys[-1].span if keys else None, Span(start, self.at))
        for length in range(1, len(keys)):
            table = pointer[:-length]
            part = keys[-1 - length]
            self.places.setdefault(table, Place(part.span, Span(part.span.start, self.at)))

    # Names

    def _enter(self, pointer: Pointer, span: Span, made: _Made, clashes: tuple[_Made, ...]) -> None:
        """Note that a name is mentioned; a duplicate where it was made in a way that forbids it."""
        self._check_depth(len(pointer), span)
        earlier = self._made.get(pointer)
        if earlier is None:
            self._made[pointer] = (made, span)
        elif earlier[0] in clashes:
            if any(pointer[:length] in self._twice for length in range(1, len(pointer))):
                return  # what the second of two tables holds is not a second finding
            self._twice.add(pointer)
            are_headers = made in _HEADERS and earlier[0] in _HEADERS
            found = self.tables if are_headers else self.duplicates
            if len(found) < MAX_PROBLEMS:
                found.append(Duplicate(str(pointer[-1]), earlier[1], span, pointer))
        elif earlier[0] is _Made.IMPLIED:
            self._made[pointer] = (made, span)

    def _last_item(self, pointer: Pointer) -> Pointer:
        """An array of tables is entered through its last table."""
        length = self._lengths.get(pointer)
        return pointer if length is None else (*pointer, length - 1)

    def _key(self) -> list[_KeyPart]:
        """Read a key, dotted or not, and the blanks behind it."""
        parts: list[_KeyPart] = []
        while not parts or self._peek() == ".":
            if parts:
                self.at += 1
            self._skip(_SPACE)
            start = self.at
            self._skip(_KEY, required=True)
            parts.append(_KeyPart(_key_name(self.text[start : self.at]), Span(start, self.at)))
            self._skip(_SPACE)
        return parts

    # Characters

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _skip(self, pattern: re.Pattern[str], required: bool = False) -> None:
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        elif required:
            raise _StopScan

    def _expect(self, characters: str) -> None:
        if not self.text.startswith(characters, self.at):
            raise _StopScan
        self.at += len(characters)

    def _check_depth(self, levels: int, span: Span) -> None:
        self._steps += levels
        if levels > MAX_DEPTH or self._steps > _MAX_STEPS:
            self.deep = span
            raise _StopScan


def _key_name(written: str) -> str:
    if written[0] == "'":
        return written[1:-1]
    if written[0] != '"':
        return written
    if "\\" not in written:
        return written[1:-1]
    import tomli

    try:
        return str(tomli.loads(f"key = {written}")["key"])
    except tomli.TOMLDecodeError:
        raise _StopScan from None
