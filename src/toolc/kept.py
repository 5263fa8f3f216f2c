"""What is kept of a build for the next one: of tools, of files, and how a state holds it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from toolc.cache import LineStore
from toolc.model.artifact import Artifact, Held, read_text
from toolc.model.diagnostic import Diagnostic, Related, Severity
from toolc.model.document import Pointer, Site, Span
from toolc.model.piece import Lines, Pieces
from toolc.snapshot import Stat
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
    unserved: tuple[str, ...]
    at: int
    """Where its lines begin in the store."""
    ends: tuple[int, ...]
    """Where each of its lines ends, counted from there, after a first 0."""
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


class Output(NamedTuple):
    """A file that a build wrote, or found to be what it would have written."""

    stat: Stat
    digest: str
    """`text_digest` of its text; empty for toolc's data, which nobody else may change."""
    owner: str


class KeptPieces(Pieces):
    """The kept tools of a project."""

    def __init__(self, tools: Sequence[KeptTool], store: LineStore) -> None:
        self._tools, self._store = tools, store

    @property
    def tags(self) -> Iterable[tuple[str, ...]]:
        return (tool.tags for tool in self._tools)

    @property
    def unserved(self) -> Iterable[tuple[str, ...]]:
        return (tool.unserved for tool in self._tools)

    def lines(self, part: str) -> Iterator[bytes | bytearray]:
        number, read = Lines._fields.index(part), self._store.read
        if part == "described":
            # Where it is empty, it is the same as in the manifest.
            return (
                read(at + ends[2], at + ends[3]) if ends[2] < ends[3] else read(at, at + ends[1])
                for at, ends in self._places()
            )
        return (read(at + ends[number], at + ends[number + 1]) for at, ends in self._places())

    def _places(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        return zip(
            map(attrgetter("at"), self._tools), map(attrgetter("ends"), self._tools), strict=True
        )


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


def unit_row(unit: KeptUnit) -> tuple[Any, ...]:
    """A unit as plain tuples."""
    tools = tuple([tuple(tool) for tool in unit.tools])
    found = tuple([_diagnostic_row(diagnostic) for diagnostic in unit.diagnostics])
    return unit.path, unit.digest, tools, found, unit.attachments, unit.uses


def unit_from(row: tuple[Any, ...]) -> KeptUnit:
    """The unit that `unit_row` made these of."""
    path, digest, tools, found, attachments, uses = row
    return KeptUnit(
        path,
        digest,
        tuple([KeptTool._make(tool) for tool in tools]),
        tuple([_diagnostic_from(one) for one in found]),
        attachments,
        uses,
    )


def _diagnostic_row(found: Diagnostic) -> tuple[Any, ...]:
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


def _diagnostic_from(row: tuple[Any, ...]) -> Diagnostic:
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
