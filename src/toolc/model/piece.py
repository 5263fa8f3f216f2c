"""What one tool alone adds to a project's outputs: the unit that is joined, and that a cache keeps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from toolc.model.artifact import Artifact
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Pointer
from toolc_runtime.light import NamedTuple


class Lines(NamedTuple):
    """One tool's share of the files that are made of all tools, in UTF-8.

    An empty one is nothing of this tool's, but for `described`, which is then the same as `wire`.
    """

    wire: bytes
    """Its line in manifest.json."""
    entry: bytes
    """Its line in catalog.json."""
    described: bytes
    """Its line in mcpdesc.json."""
    pair: bytes = b""
    """What pairs its handler with its contract."""
    types: bytes = b""
    """The shared types that it uses, with its schemas, as JSON."""
    seen: bytes = b""
    """The tool as a project's own templates see it, as JSON."""


class Piece(NamedTuple):
    name: str
    path: str
    """The file that defines it, and `pointer` the place in it."""
    pointer: Pointer
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    lines: Lines
    artifacts: tuple[Artifact, ...]
    """The files that are this tool's alone."""


class Unit(NamedTuple):
    """All that one source file adds to the outputs, and all there is to say of it.

    It depends on the file's bytes, the project's settings and templates, the files it names
    (`attachments`), and the shared definitions in `uses`; on no other file.
    """

    path: str
    tools: tuple[Piece, ...]
    diagnostics: tuple[Diagnostic, ...]
    attachments: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()


class Pieces:
    """All tools of a project, by name, however they are held."""

    @property
    def tags(self) -> Iterable[tuple[str, ...]]:
        raise NotImplementedError

    def lines(self, part: str) -> Iterable[bytes | bytearray]:
        """That part of every tool's `Lines`, in the order of their names, as often as one likes."""
        raise NotImplementedError


class PieceList(Pieces):
    """Pieces in memory."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = sorted(pieces, key=lambda piece: piece.name)

    @property
    def tags(self) -> Iterable[tuple[str, ...]]:
        return (piece.tags for piece in self.pieces)

    def lines(self, part: str) -> Iterable[bytes | bytearray]:
        at = Lines._fields.index(part)
        if part == "described":
            return [piece.lines.described or piece.lines.wire for piece in self.pieces]
        return [piece.lines[at] for piece in self.pieces]
