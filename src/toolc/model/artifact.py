"""What a build would write: texts with an owner each, and the plan that compares them with the disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import islice

from toolc.model.diagnostic import Diagnostic
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias


class Owner(Enum):
    """Whose a generated file is, and so what a later build may do to it."""

    DATA = "data"
    """toolc's, without ifs: the JSON files are rebuilt whatever they hold."""
    CODE = "code"
    """toolc's while nobody edits it: a header carries a digest of the rest."""
    OUTPUT = "output"
    """As CODE, for a project's own templates: the digest stands in catalog.json."""
    HUMAN = "human"
    """Written once, then the author's: no build changes or deletes it."""


class Held:
    """A text that need not be in memory."""

    def chunks(self) -> Iterator[bytes]:
        """The text in UTF-8, piece by piece; each call begins anew."""
        raise NotImplementedError


Text: TypeAlias = "str | Held"


def read_text(text: Text) -> str:
    return text if isinstance(text, str) else b"".join(text.chunks()).decode()


def encode(text: Text) -> Iterable[bytes]:
    """The text in UTF-8, in pieces."""
    return (text.encode(),) if isinstance(text, str) else text.chunks()


class Patches(NamedTuple):
    """How a file is to be changed."""

    length: int
    """The file's, in bytes."""
    rows: tuple[tuple[int, int, bytes], ...]
    """From where to where there is something else then, in order."""


_LINES_A_CHUNK = 512


class JoinedLines(Held):
    """Many lines between a head and a tail, separated by `,\\n` and an indent.

    `first` and `last` stand around the lines, if there are any. `lines` can be gone through more
    than once.
    """

    def __init__(
        self,
        head: str,
        lines: Iterable[bytes | bytearray],
        tail: str,
        *,
        first: str = "",
        last: str = "",
        indent: str = "",
    ) -> None:
        self.head, self.lines, self.tail = head, lines, tail
        self.first, self.last, self.indent = first, last, indent

    def with_tail(self, tail: str) -> JoinedLines:
        return JoinedLines(
            self.head, self.lines, tail, first=self.first, last=self.last, indent=self.indent
        )

    def chunks(self) -> Iterator[bytes]:
        lines = iter(self.lines)
        before, separator, end = self._joints()
        batch = list(islice(lines, _LINES_A_CHUNK))
        if not batch:
            yield f"{self.head}{self.tail}".encode()
            return
        while batch:
            yield before + separator.join(batch)
            before = separator
            batch = list(islice(lines, _LINES_A_CHUNK))
        yield end

    def patches(self, sizes: Sequence[int], lines: Mapping[int, tuple[int, bytes]]) -> Patches:
        """How to make this text of one whose lines have so many bytes, and are the same but for
        some: by their positions, how many bytes they have there, and what they are now."""
        before, separator, end = self._joints()
        rows = [(0, len(before), before)]
        at, start = 0, len(before)
        for position, (size, data) in sorted(lines.items()):
            start += sum(sizes[at:position]) + (position - at) * len(separator)
            rows.append((start, start + size, data))
            at, start = position + 1, start + size + len(separator)
        start += sum(sizes[at:]) + (len(sizes) - at - 1) * len(separator)
        rows.append((start, start + len(end), end))
        return Patches(start + len(end), tuple(rows))

    def _joints(self) -> tuple[bytes, bytes, bytes]:
        """What stands before, between and behind the lines."""
        before = f"{self.head}{self.first}{self.indent}"
        return before.encode(), f",\n{self.indent}".encode(), (self.last + self.tail).encode()


class Artifact(NamedTuple):
    path: str
    """POSIX, relative to the project root."""
    text: Text
    owner: Owner


class Action(Enum):
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"


class Change(NamedTuple):
    """One file that differs: `before` is None for a new file, `after` for one that goes."""

    action: Action
    path: str
    before: Text | None
    after: Text | None
    owner: Owner


class Plan(NamedTuple):
    changes: tuple[Change, ...]
    unchanged: int
    """How many artefacts already stand as they should."""
    diagnostics: tuple[Diagnostic, ...] = ()
