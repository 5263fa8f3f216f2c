"""`.toolc_cache/`: what a project's files came to the last time, kept for the next build.

    .gitignore CACHEDIR.TAG     so that git and backups pass it over
    state                       a snapshot of the disk and the index (see `snapshot`)
    lines-<n>                   the tools' shares of the files that are made of all tools
    lock                        held by the build that is at work
    journal                     what a commit is about to write; there only while it writes

Whatever is wrong with any of it is a miss: the next build then compiles everything. Only the lock
and the journal are more than a convenience.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping

from toolc.snapshot import FOLDER, STATE, open_new

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55"
"""How a cache folder is known to be one: bford.info/cachedir."""

_TAG = f"{SIGNATURE}\n# This folder holds what toolc can make anew at any time.\n"
_JOURNAL = "journal"
_LOCK = "lock"
_LINES = "lines-"

_IN_MEMORY = 32 * 2**20
"""Bytes up to which lines are held in memory as well."""

_CHUNK = 2**20

StoreIdentity = tuple[int, int, int, int]


def make_folder(root: str) -> bool:
    """Make sure of the project's cache folder; whether it can be used. A link is not followed."""
    folder = os.path.join(root, FOLDER)
    try:
        if os.path.islink(folder):
            return False
        if not os.path.isdir(folder):
            os.mkdir(folder)
        for name, text in ((".gitignore", "*\n"), ("CACHEDIR.TAG", _TAG)):
            place = os.path.join(folder, name)
            if not os.path.lexists(place):
                with open_new(place) as file:
                    file.write(text.encode())
        return os.access(folder, os.W_OK)
    except OSError:
        return False


class LineStore:
    """Texts by position and length, in a file that only grows, or without a file in memory.

    A position that the state names is on the disk before the state is, so that a build that was
    killed leaves no more than bytes that nobody asks for.
    """

    def __init__(self, place: str | None = None, known: StoreIdentity | None = None) -> None:
        """`known` is what `identity` was when the state was written. OSError where the file is not
        that one any more; without `known` a new file is begun."""
        self._memory: bytearray | None = bytearray()
        self._descriptor = -1
        self.size = self._check = 0
        if place is None:
            return
        flags = os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        if known is None:
            self._descriptor = os.open(place, flags | os.O_CREAT | os.O_EXCL, 0o600)
            return
        self._descriptor = os.open(place, flags)
        try:
            self._adopt(known)
        except BaseException:
            self.close()
            raise

    def _adopt(self, known: StoreIdentity) -> None:
        """Take the file as it was left, having read it once from end to end."""
        device, inode, size, check = known
        status = os.fstat(self._descriptor)
        if (status.st_dev, status.st_ino) != (device, inode) or status.st_size < size:
            raise OSError("another file")
        while self.size < size:
            data = os.read(self._descriptor, min(_CHUNK, size - self.size))
            if not data:
                raise OSError("the file has become shorter")
            self._count(data)
        if self._check != check:
            raise OSError("the file has been changed")

    @property
    def identity(self) -> StoreIdentity:
        """Device, inode, length and checksum of the file."""
        status = os.fstat(self._descriptor)
        return status.st_dev, status.st_ino, self.size, self._check

    def append(self, data: bytes) -> int:
        """The position that `data` has got."""
        at = self.size
        if self._descriptor >= 0:
            _write_at(self._descriptor, data, at)
        self._count(data)
        return at

    def _count(self, data: bytes) -> None:
        self.size += len(data)
        if self._descriptor < 0:
            assert self._memory is not None
            self._memory += data
            return
        self._check = zlib.crc32(data, self._check)
        if self._memory is not None:
            self._memory += data
            if self.size > _IN_MEMORY:
                self._memory = None

    def read(self, start: int, end: int) -> bytes | bytearray:
        if self._memory is not None:
            return self._memory[start:end]
        os.lseek(self._descriptor, start, os.SEEK_SET)
        return os.read(self._descriptor, end - start)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _write_at(descriptor: int, data: bytes, at: int) -> None:
    os.lseek(descriptor, at, os.SEEK_SET)
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def lines_place(root: str, number: int) -> str:
    return os.path.join(root, FOLDER, f"{_LINES}{number}")


def remove_other_lines(root: str, number: int) -> None:
    """Remove the stores that the state does not name."""
    folder = os.path.join(root, FOLDER)
    try:
        for name in os.listdir(folder):
            if name.startswith(_LINES) and name != f"{_LINES}{number}":
                os.unlink(os.path.join(folder, name))
    except OSError:
        return


# One build at a time.


class Lock:
    """Held while a build reads and writes the outputs; gone with the process that holds it."""

    def __init__(self, root: str) -> None:
        self._place = os.path.join(root, FOLDER, _LOCK)
        self._descriptor = -1

    def acquire(self, waiting: Callable[[], None] = lambda: None) -> None:
        """Take the lock; `waiting` is called once if another process has it.

        Where a lock cannot be had at all (a folder that cannot be written), there is none.
        """
        try:
            self._descriptor = os.open(self._place, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError:
            return
        if not _try_lock(self._descriptor, wait=False):
            waiting()
            _try_lock(self._descriptor, wait=True)

    def release(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Lock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _try_lock(descriptor: int, *, wait: bool) -> bool:
    """Lock a file as a whole; False where another process has it and one is not to wait."""
    try:
        import fcntl
    except ImportError:
        return _try_lock_windows(descriptor, wait=wait)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks
    return True


def _try_lock_windows(descriptor: int, *, wait: bool) -> bool:
    import msvcrt

    locking: Any = msvcrt
    while True:
        try:
            locking.locking(descriptor, locking.LK_LOCK if wait else locking.LK_NBLCK, 1)
        except OSError:
            if not wait:
                return False
        else:
            return True


# What a killed commit leaves.


def write_journal(root: str, digests: Mapping[str, str], places: Iterable[str]) -> bool:
    """Note what a commit is about to write: the digests of the project's own outputs, and the
    folders in which temporary files may be left. Whether it could be noted."""
    note = json.dumps({"digests": dict(digests), "folders": sorted(set(places))})
    place = os.path.join(root, FOLDER, _JOURNAL)
    try:
        with open_new(f"{place}.tmp") as file:
            file.write(note.encode())
        os.replace(f"{place}.tmp", place)
    except OSError:
        return False
    return True


def read_journal(root: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """The digests and folders of a commit that did not end; empty where every one did."""
    try:
        with open(os.path.join(root, FOLDER, _JOURNAL), encoding="utf-8") as file:
            note = json.loads(file.read())
        digests = {str(path): str(digest) for path, digest in note["digests"].items()}
        return digests, tuple(str(folder) for folder in note["folders"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}, ()


def remove_journal(root: str) -> None:
    try:
        os.unlink(os.path.join(root, FOLDER, _JOURNAL))
    except OSError:
        return


def own_files(root: str) -> Iterator[str]:
    """The names of what toolc keeps in the cache folder."""
    known = (".gitignore", "CACHEDIR.TAG", STATE, _LOCK, _JOURNAL)
    try:
        names = os.listdir(os.path.join(root, FOLDER))
    except OSError:
        return
    for name in names:
        if name in known or name.startswith((_LINES, f"{STATE}.", f"{_JOURNAL}.")):
            yield name
