"""What is kept of a build for the next one: of files, of tools, and how a state holds it.

Most of it is needed by no build that follows a small change. So a unit stays as it lies in a state
until somebody asks for it, and what concerns all tools lies in columns.
"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from zlib import crc32

from toolc.cache import LineStore, StoreBroken
from toolc.model.artifact import Artifact, Held, JoinedLines, Patches, read_text
from toolc.model.diagnostic import Diagnostic, Prompts, Related, Severity
from toolc.model.document import Pointer, Site, Span
from toolc.model.piece import Lines, Pieces
from toolc.table import Table
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any


class KeptTool(NamedTuple):
    """What is kept of a `Piece`: its lines are in the store, its files on the disk."""

    name: str
    path: str
    pointer: Pointer
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    at: int
    """Where its lines begin in the store."""
    sizes: tuple[int, ...]
    """The bytes of each of them, in the order of `Lines`."""
    files: tuple[str, ...]
    """The paths of its own files."""


class KeptUnit(NamedTuple):
    """What is kept of a `Unit`."""

    path: str
    digest: str
    """sha256 of the file that was compiled."""
    tools: tuple[KeptTool, ...]
    diagnostics: tuple[Diagnostic, ...]
    attachments: tuple[str, ...]
    uses: tuple[str, ...]
    hides: bool
    """Whether a tool of them is found by searching only."""


class Units(Table):
    """The units of a project by their paths. They lie in a store until somebody asks for them."""

    def __init__(self, store: LineStore, row: tuple[Any, ...] | None = None) -> None:
        """`row` is what a state holds: `row` of another."""
        paths, columns, self.tools, diagnosed, attached, using, hiding = row or _NO_UNITS
        super().__init__((3,), paths.split("\0") if paths else [], columns)
        self.store = store
        self.diagnosed: set[str] = set(diagnosed)
        """The paths of those that have diagnostics."""
        self.attached: set[str] = set(attached)
        """The same, attachments."""
        self.using: set[str] = set(using)
        """The same, shared definitions."""
        self.hiding: set[str] = set(hiding)
        """The same, hidden tools."""

    def row(self) -> tuple[Any, ...]:
        """All of it as marshal knows it."""
        paths = "\0".join(self._keys)
        sets = (self.diagnosed, self.attached, self.using, self.hiding)
        return paths, self.columns, self.tools, *sets

    def without(self, paths: Collection[str]) -> Units:
        """All but those with these paths."""
        if not paths:
            return self
        units = Units(self.store, self.row())
        for path in paths:
            units.drop(path)
        return units

    def values(self) -> Iterator[KeptUnit]:
        self.store.load()
        return (self[path] for path in self._keys)

    def get(self, path: str) -> KeptUnit | None:
        return self[path] if path in self._at else None

    def __getitem__(self, path: str) -> KeptUnit:
        """KeyError where there is none; StoreBroken where it was changed from outside."""
        row = self._row(path)
        if row is None:
            raise KeyError(path)
        at, size, check = row[0]
        data = self.store.read(at, at + size)
        if crc32(data) != check:
            raise StoreBroken
        return _unit_from(path, data)

    def put(self, unit: KeptUnit, before: KeptUnit | None) -> None:
        """Take a unit in the place of the one that it had, which is `before`."""
        data = _unit_row(unit)
        self._put(unit.path, array("Q", (self.store.append(data), len(data), crc32(data))))
        self.tools += len(unit.tools) - (0 if before is None else len(before.tools))
        for paths, has in (
            (self.diagnosed, unit.diagnostics),
            (self.attached, unit.attachments),
            (self.using, unit.uses),
            (self.hiding, unit.hides),
        ):
            if has:
                paths.add(unit.path)
            else:
                paths.discard(unit.path)

    def drop(self, path: str) -> None:
        unit = self.get(path)
        if unit is None:
            return
        self.tools -= len(unit.tools)
        super().drop(path)
        for paths in (self.diagnosed, self.attached, self.using, self.hiding):
            paths.discard(path)

    @property
    def size(self) -> int:
        """The bytes of all of them in the store."""
        return sum(self._columns[0][1::3])


_NO_UNITS = ("", (b"",), 0, (), (), (), ())


_PARTS = len(Lines._fields)
_DESCRIBED, _WIRE = Lines._fields.index("described"), Lines._fields.index("wire")


class KeptPieces(Table, Pieces):
    """The kept tools of a project by their names."""

    def __init__(self, store: LineStore, row: tuple[Any, ...] | None = None) -> None:
        """`row` is what a state holds: `row` of another."""
        if row is None:
            row = ("", (b"",), {}, {})
        names, columns, aliases, tags = row
        self._aliases: dict[str, tuple[str, ...]] = aliases
        self._tags: dict[str, tuple[str, ...]] = tags
        super().__init__((1 + _PARTS,), names.split("\0") if names else [], columns)
        self.store = store
        self._is_sorted = True

    @classmethod
    def of(cls, units: Units, store: LineStore) -> KeptPieces:
        pieces = cls(store)
        for unit in units.values():
            for tool in unit.tools:
                pieces.put(tool)
        return pieces

    def row(self) -> tuple[Any, ...]:
        """All of it as marshal knows it."""
        return "\0".join(self.names), self.columns, self._aliases, self._tags

    def put(self, tool: KeptTool) -> bool:
        """Take a tool, maybe in the place of another; whether there was none of its name."""
        is_new = self._put(tool.name, array("Q", (tool.at, *tool.sizes)))
        self._is_sorted = self._is_sorted and not is_new
        for table, value in (
            (self._aliases, tool.aliases),
            (self._tags, tool.tags),
        ):
            if value:
                table[tool.name] = value
            else:
                table.pop(tool.name, None)
        return is_new

    def drop(self, name: str) -> None:
        super().drop(name)
        self._is_sorted = False
        for table in (self._aliases, self._tags):
            table.pop(name, None)

    @property
    def names(self) -> list[str]:
        """In order."""
        self._order()
        return self._keys

    @property
    def aliases(self) -> Mapping[str, tuple[str, ...]]:
        """Of the tools that have some."""
        return self._aliases

    @property
    def tags(self) -> Iterable[tuple[str, ...]]:
        return self._tags.values()

    @property
    def size(self) -> int:
        """The bytes of all their lines in the store."""
        return sum(sum(self._column(1 + part)) for part in range(_PARTS))

    def lines(self, part: str) -> KeptLines:
        return KeptLines(self, Lines._fields.index(part))

    def sizes(self, part: int) -> Sequence[int]:
        """How many bytes that part of each tool's lines has."""
        sizes = self._column(1 + part)
        if part == _DESCRIBED:
            # Where it is empty, it is the same as in the manifest.
            wires = self._column(1 + _WIRE)
            if not any(sizes):
                return wires
            return [size or wire for size, wire in zip(sizes, wires, strict=True)]
        return sizes

    def read(self, part: int) -> Iterator[bytes | bytearray]:
        """That part of each tool's lines."""
        starts: Iterable[int] = self._column(0)
        for earlier in range(part):
            starts = map(int.__add__, starts, self._column(1 + earlier))
        self.store.load()
        read = self.store.read
        if part == _DESCRIBED:
            places = zip(self._column(0), starts, self.sizes(part), self._column(3), strict=True)
            return (
                read(start if own else at, (start if own else at) + size)
                for at, start, size, own in places
            )
        return (
            read(start, start + size)
            for start, size in zip(starts, self._column(1 + part), strict=True)
        )

    def line(self, name: str, part: int) -> bytes:
        """That part of one tool's lines."""
        row = self._row(name)
        assert row is not None
        at, *sizes = row[0]
        if part == _DESCRIBED and not sizes[part]:
            part = _WIRE
        start = at + sum(sizes[:part])
        return bytes(self.store.read(start, start + sizes[part]))

    def position(self, name: str) -> int:
        """Which one it is, in order."""
        self._order()
        return self._at[name]

    def _column(self, number: int) -> array[int]:
        self._order()
        return self._columns[0][number :: 1 + _PARTS]

    def _order(self) -> None:
        if not self._is_sorted:
            self._sort()
            self._is_sorted = True


class KeptLines:
    """One part of every tool's lines: can be gone through again and again."""

    def __init__(self, pieces: KeptPieces, part: int) -> None:
        self.pieces, self.part = pieces, part

    def __iter__(self) -> Iterator[bytes | bytearray]:
        return self.pieces.read(self.part)

    def patches(self, text: JoinedLines, before: Mapping[str, KeptTool]) -> Patches:
        """How to make `text` of what it was when these tools were as they are here."""
        lines = {}
        for name, tool in before.items():
            size = tool.sizes[self.part]
            if self.part == _DESCRIBED and not size:
                size = tool.sizes[_WIRE]
            lines[self.pieces.position(name)] = size, self.pieces.line(name, self.part)
        return text.patches(self.pieces.sizes(self.part), lines)


class StoredText(Held):
    """A text that waits in a store to be written."""

    __slots__ = ("at", "size", "store")

    def __init__(self, store: LineStore, at: int, size: int) -> None:
        self.store, self.at, self.size = store, at, size

    def chunks(self) -> Iterator[bytes]:
        yield bytes(self.store.read(self.at, self.at + self.size))


def spooled(artifact: Artifact, spool: LineStore) -> Artifact:
    """An artefact whose text waits in a store."""
    data = read_text(artifact.text).encode()
    return artifact._replace(text=StoredText(spool, spool.append(data), len(data)))


# What a state holds of a unit: marshal knows no classes.


def _unit_row(unit: KeptUnit) -> bytes:
    tools = tuple([(tool[0], *tool[2:]) for tool in unit.tools])
    found = tuple([diagnostic_row(diagnostic) for diagnostic in unit.diagnostics])
    return marshal.dumps((unit.digest, tools, found, unit.attachments, unit.uses, unit.hides))


def _unit_from(path: str, data: bytes | bytearray) -> KeptUnit:
    digest, tools, found, attachments, uses, hides = marshal.loads(data)
    return KeptUnit(
        path,
        digest,
        tuple([KeptTool(tool[0], path, *tool[1:]) for tool in tools]),
        tuple([diagnostic_from(one) for one in found]),
        attachments,
        uses,
        hides,
    )


def prompts_row(prompts: Prompts | None) -> tuple[Any, ...] | None:
    """What a state holds of the prompts."""
    if prompts is None:
        return None
    return prompts.number, prompts.first, tuple(map(diagnostic_row, prompts.diagnostics))


def prompts_from(row: tuple[Any, ...] | None) -> Prompts | None:
    if row is None:
        return None
    number, first, diagnostics = row
    return Prompts(number, first, tuple(map(diagnostic_from, diagnostics)))


def diagnostic_row(found: Diagnostic) -> tuple[Any, ...]:
    """A diagnostic as marshal knows it."""
    related = tuple([(near.message, _site_row(near.site)) for near in found.related])
    return (
        found.code,
        int(found.severity),
        found.message,
        None if found.site is None else _site_row(found.site),
        found.hint,
        related,
        found.tool,
        found.pointer,
    )


def diagnostic_from(row: tuple[Any, ...]) -> Diagnostic:
    """The diagnostic of a `diagnostic_row`."""
    code, severity, message, site, hint, related, tool, pointer = row
    return Diagnostic(
        code,
        Severity(severity),
        message,
        None if site is None else _site_from(site),
        hint,
        tuple([Related(words, _site_from(near)) for words, near in related]),
        tool,
        pointer,
    )


def _site_row(site: Site) -> tuple[Any, ...]:
    return site.path, None if site.span is None else tuple(site.span)


def _site_from(row: tuple[Any, ...]) -> Site:
    path, span = row
    return Site(path, None if span is None else Span(*span))
