"""Rows of integers by a key, in columns: a project has tens of thousands of files, and a tuple of
objects for each would take many times the room, and the time to read it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import count

from toolc.model.artifact import Owner
from toolc.snapshot import Files, Stat, pack, unpack
from toolc_runtime.light import NamedTuple

_VERSIONS = count()


class Table:
    """For each key a row in every column; a column has a fixed number of integers a row."""

    def __init__(self, widths: Sequence[int], keys: list[str], columns: Sequence[bytes]) -> None:
        """`columns` are what `columns` was of a table with these keys."""
        self.version = next(_VERSIONS)
        """Another number after each change of the keys."""
        self._widths = widths
        self._keys = keys
        self._at = dict(zip(keys, range(len(keys)), strict=True))
        self._columns: list[array[int]] = [array("Q", column) for column in columns]
        for width, column in zip(widths, self._columns, strict=True):
            if len(column) != width * len(keys):
                raise ValueError("a column has too many rows, or too few")

    @property
    def columns(self) -> tuple[bytes, ...]:
        return tuple([column.tobytes() for column in self._columns])

    def keys(self) -> list[str]:
        """In the order of their rows."""
        return self._keys

    def __contains__(self, key: object) -> bool:
        return key in self._at

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def _row(self, key: str) -> list[array[int]] | None:
        at = self._at.get(key)
        if at is None:
            return None
        return [
            column[at * width : (at + 1) * width]
            for width, column in zip(self._widths, self._columns, strict=True)
        ]

    def _put(self, key: str, *row: array[int]) -> bool:
        """Give a key its row; whether it is a new one."""
        at = self._at.get(key)
        if at is None:
            self.version = next(_VERSIONS)
            self._at[key] = len(self._keys)
            self._keys.append(key)
            for column, part in zip(self._columns, row, strict=True):
                column.extend(part)
            return True
        for width, column, part in zip(self._widths, self._columns, row, strict=True):
            column[at * width : (at + 1) * width] = part
        return False

    def drop(self, key: str) -> None:
        """Forget a key, if it is one; the last row takes the place of its own."""
        at = self._at.pop(key, None)
        if at is None:
            return
        self.version = next(_VERSIONS)
        last = self._keys.pop()
        if last != key:
            self._keys[at] = last
            self._at[last] = at
        for width, column in zip(self._widths, self._columns, strict=True):
            if last != key:
                column[at * width : (at + 1) * width] = column[-width:]
            del column[-width:]

    def _sort(self) -> None:
        """Put the rows in the order of their keys."""
        order = sorted(range(len(self._keys)), key=self._keys.__getitem__)
        for number, (width, column) in enumerate(zip(self._widths, self._columns, strict=True)):
            moved = array("Q")
            for at in order:
                moved.extend(column[at * width : (at + 1) * width])
            self._columns[number] = moved
        self._keys = [self._keys[at] for at in order]
        self._at = dict(zip(self._keys, range(len(order)), strict=True))


class Known(NamedTuple):
    """A file that a build read or wrote, or found to be what it would have written."""

    stat: Stat
    digest: str = ""
    """Of an input the sha256 of its bytes, of an output the `text_digest` of its text; empty where
    none is known, as of toolc's data, which nobody else may change."""
    owner: str = ""
    """Whose an output is: an `Owner`'s value."""


_OWNERS = ("", *(owner.value for owner in Owner))
_NO_DIGEST = bytes(32)


class FileTable(Table):
    """What is known of files, by their paths."""

    def __init__(self, files: Files | None = None, row: Sequence[bytes] = (b"", b"")):
        """`files` and `row` are what a state holds: those of another."""
        files = files or Files([], b"")
        super().__init__((4, 4, 1), files.paths, (files.stats, *row))

    def __getitem__(self, path: str) -> Known:
        row = self._row(path)
        if row is None:
            raise KeyError(path)
        stat, digest, owner = row
        data = digest.tobytes()
        return Known(unpack(*stat), data.hex() if data != _NO_DIGEST else "", _OWNERS[owner[0]])

    def get(self, path: str) -> Known | None:
        return self[path] if path in self._at else None

    def __setitem__(self, path: str, known: Known) -> None:
        digest = bytes.fromhex(known.digest) or _NO_DIGEST
        owner = array("Q", (_OWNERS.index(known.owner),))
        self._put(path, array("Q", pack(known.stat)), array("Q", digest), owner)

    def stat(self, path: str) -> Stat | None:
        """What a file was like when it was last seen; None where nothing is known of it."""
        known = self.get(path)
        return None if known is None else known.stat

    @property
    def files(self) -> Files:
        return Files(self._keys, self._columns[0].tobytes())

    @property
    def row(self) -> tuple[bytes, ...]:
        """All but what `files` has."""
        return self.columns[1:]
