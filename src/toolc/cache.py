"""`.toolc_cache/`: what a project's files came to the last time, kept for the next build.

    .gitignore CACHEDIR.TAG     so that git and backups pass it over
    state                       a snapshot of the disk and the index (see `snapshot`)
    lint                        what the linter said of each file
    lines-<n>                   the tools' shares of the files that are made of all tools
    lock                        held by the build that is at work
    journal                     what a commit is about to write; there only while it writes

Whatever is wrong with any of it is a miss: the next build then compiles everything. Only the lock
and the journal are more than a convenience, and a build that keeps nothing uses them as well.
"""

from __future__ import annotations

import errno
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping

from toolc.model.document import JsonObject
from toolc.model.jsontext import compact
from toolc.snapshot import FOLDER, PLAIN, STATE, open_new
from toolc_runtime.light import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55"
"""How a cache folder is known to be one: bford.info/cachedir."""

_TAG = f"{SIGNATURE}\n# This folder holds what toolc can make anew at any time.\n"
_TAG_FILE = "CACHEDIR.TAG"
_JOURNAL = "journal"
LOCK = "lock"
LINT = "lint"
_LINES = "lines-"

_IN_MEMORY = 32 * 2**20
"""Bytes up to which lines are held in memory as well."""

_CHUNK = 2**20

StoreIdentity = tuple[int, int, int, int]


def has_folder(root: str) -> bool:
    """Whether the project has a cache folder that can be used. A link is not followed."""
    folder = os.path.join(root, FOLDER)
    return os.path.isdir(folder) and not os.path.islink(folder) and os.access(folder, os.W_OK)


def make_folder(root: str) -> bool:
    """Make sure of the project's cache folder; whether it can be used."""
    folder = os.path.join(root, FOLDER)
    try:
        if not os.path.lexists(folder):
            os.mkdir(folder)
    except OSError:
        pass  # another build may have been faster
    if not has_folder(root):
        return False
    for name, text in ((".gitignore", "*\n"), (_TAG_FILE, _TAG)):
        place = os.path.join(folder, name)
        try:
            if not os.path.lexists(place):
                with open_new(place) as file:
                    file.write(text.encode())
        except OSError:
            continue
    return True


class StoreBroken(Exception):  # noqa: N818
    """What a store was adopted with is not in its file any more."""


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
        self._waiting: list[bytes] = []
        """What is not yet in the file, and how many bytes it is."""
        self._waiting_size = 0
        self.size = self._check = 0
        self._adopted = 0, 0
        """How many bytes were there when the file was adopted, with their checksum, as long as they
        have not been checked."""
        if place is None:
            return
        flags = os.O_RDWR | PLAIN
        if known is None:
            self._descriptor = os.open(place, flags | os.O_CREAT | os.O_EXCL, 0o600)
            return
        device, inode, self.size, self._check = known
        self._adopted = known[2:]
        self._memory = None
        self._descriptor = os.open(place, flags)
        status = os.fstat(self._descriptor)
        if (status.st_dev, status.st_ino) != (device, inode) or status.st_size < self.size:
            self.close()
            raise OSError("another file")

    def load(self) -> None:
        """Make ready for reading much of it; StoreBroken where it has been changed from outside."""
        size, check = self._adopted
        if self._memory is not None or not (size or self.size <= _IN_MEMORY):
            return
        self._flush()
        memory = bytearray() if self.size <= _IN_MEMORY else None
        found = at = 0
        for end in (size, self.size if memory is not None else size):
            while at < end:
                try:
                    data = self._read(at, min(at + _CHUNK, end))
                except OSError:
                    raise StoreBroken from None
                at += len(data)
                found = zlib.crc32(data, found)
                if memory is not None:
                    memory += data
            if end == size and found != check:
                raise StoreBroken
        self._adopted = 0, 0
        self._memory = memory

    @property
    def identity(self) -> StoreIdentity:
        """Device, inode, length and checksum of the file."""
        self._flush()
        status = os.fstat(self._descriptor)
        return status.st_dev, status.st_ino, self.size, self._check

    def append(self, data: bytes) -> int:
        """The position that `data` has got."""
        at = self.size
        self.size += len(data)
        if self._memory is not None:
            self._memory += data
        if self._descriptor >= 0:
            self._check = zlib.crc32(data, self._check)
            self._waiting.append(data)
            self._waiting_size += len(data)
            if self._waiting_size >= _CHUNK:
                self._flush()
        return at

    def _flush(self) -> bytearray | None:
        """See that all is in the file; the memory that holds it, if one does."""
        if not self._waiting:
            return self._memory
        data = b"".join(self._waiting)
        start = self.size - self._waiting_size
        try:
            _write_at(self._descriptor, data, start)
        except OSError:  # a full disk: go on in memory
            if self._memory is None:
                self._memory = bytearray(self._read(0, start) + data)
            self.close()
        else:
            self._waiting, self._waiting_size = [], 0
            if self.size > _IN_MEMORY:
                self._memory = None
        return self._memory

    def read(self, start: int, end: int) -> bytes | bytearray:
        memory = self._flush() if self._memory is None else self._memory
        return self._read(start, end) if memory is None else memory[start:end]

    def _read(self, start: int, end: int) -> bytes:
        os.lseek(self._descriptor, start, os.SEEK_SET)
        data = os.read(self._descriptor, end - start)
        if len(data) != end - start:
            raise OSError(errno.EIO, "the file has been cut short", FOLDER)
        return data

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        self._waiting, self._waiting_size = [], 0


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
        self._place = os.path.join(root, FOLDER, LOCK)
        self._descriptor = -1
        self.has_waited = False
        """Whether another process had it first."""

    def acquire(self, waiting: Callable[[], None] = lambda: None) -> bool:
        """Take the lock; `waiting` is called once if another process has it.

        False where a lock cannot be had at all: the folder cannot be written, or the file system
        has no locks.
        """
        try:
            # A file that was removed meanwhile is not the lock any more.
            while not self._take(waiting):
                self.release()
        except OSError:
            self.release()
            return False
        return True

    def _take(self, waiting: Callable[[], None]) -> bool:
        """Lock the file that is there now; whether it still is."""
        self._descriptor = os.open(self._place, os.O_RDWR | os.O_CREAT | PLAIN, 0o666)
        _held.add(self._descriptor)
        if not _try_lock(self._descriptor, wait=False):
            if not self.has_waited:
                self.has_waited = True
                waiting()
            _try_lock(self._descriptor, wait=True)
        try:
            return os.path.samestat(os.fstat(self._descriptor), os.lstat(self._place))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        if self._descriptor >= 0:
            _held.discard(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = -1

    def remove(self) -> None:
        """Let the lock go together with its file; who waits for it then makes a new one."""
        if os.name == "nt":
            self.release()  # where a file that is open cannot be removed
        try:
            os.unlink(self._place)
        except OSError:
            return  # there is none, or another build has it by now
        finally:
            self.release()

    def __enter__(self) -> Lock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


_held: set[int] = set()


def _drop_held() -> None:
    """Close the locks in a process that was forked off: it must not hold them longer than the
    process that took them."""
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_drop_held)


def _try_lock(descriptor: int, *, wait: bool) -> bool:
    """Lock a file as a whole; False where another process has it and one is not to wait. OSError
    where there are no locks."""
    try:
        import fcntl
    except ImportError:
        return _try_lock_windows(descriptor, wait=wait)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def _try_lock_windows(descriptor: int, *, wait: bool) -> bool:
    import msvcrt

    locking: Any = msvcrt
    while True:
        try:
            locking.locking(descriptor, locking.LK_LOCK if wait else locking.LK_NBLCK, 1)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EDEADLK):
                raise
            if not wait:
                return False
        else:
            return True


# What a killed commit leaves.


class Journal(NamedTuple):
    """What a commit has begun to do."""

    texts: dict[str, tuple[str, ...]]
    """The digests that the project's own outputs may have until it is done: by path, those that
    were recorded, and that of the new text."""
    folders: tuple[str, ...]
    """Where its temporary files are, and `process` the number that they have in their names."""
    process: int


NO_JOURNAL = Journal({}, (), 0)


def write_journal(
    root: str, texts: Mapping[str, Iterable[str]], folders: Iterable[str], process: int
) -> None:
    """Note what a commit is about to do; without a note where that cannot be."""
    note: JsonObject = {
        "texts": {path: [*digests] for path, digests in texts.items()},
        "folders": [*sorted(set(folders))],
        "process": process,
    }
    place = os.path.join(root, FOLDER, _JOURNAL)
    try:
        with open_new(f"{place}.tmp") as file:
            file.write(compact(note).encode("utf-8", "surrogatepass"))
        os.replace(f"{place}.tmp", place)
    except OSError:
        return


def read_journal(root: str) -> Journal:
    """The journal of a commit that did not end; NO_JOURNAL where every one did."""
    try:
        descriptor = os.open(os.path.join(root, FOLDER, _JOURNAL), os.O_RDONLY | PLAIN)
        import json  # seldom needed

        with open(descriptor, "rb") as file:
            note = json.loads(file.read())
        texts = {str(path): tuple(map(str, digests)) for path, digests in note["texts"].items()}
        return Journal(texts, tuple(map(str, note["folders"])), int(note["process"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return NO_JOURNAL


def remove_journal(root: str) -> None:
    for name in (_JOURNAL, f"{_JOURNAL}.tmp"):
        try:
            os.unlink(os.path.join(root, FOLDER, name))
        except OSError:
            continue


def own_files(root: str) -> Iterator[str]:
    """The names of the files that toolc keeps in the cache folder, but for the lock, and the tag
    last. None where the folder is a link, or has no tag: it is somebody else's then."""
    folder = os.path.join(root, FOLDER)
    if os.path.islink(folder) or not _is_tagged(folder):
        return
    known = (".gitignore", STATE, LINT, _JOURNAL)
    for name in sorted(os.listdir(folder)):
        place = os.path.join(folder, name)
        is_own = name in known or name.startswith((_LINES, f"{STATE}.", f"{LINT}.", f"{_JOURNAL}."))
        if is_own and os.path.isfile(place) and not os.path.islink(place):
            yield name
    yield _TAG_FILE


def _is_tagged(folder: str) -> bool:
    try:
        descriptor = os.open(os.path.join(folder, _TAG_FILE), os.O_RDONLY | PLAIN)
        with open(descriptor, "rb") as file:
            return file.read(len(SIGNATURE)) == SIGNATURE.encode()
    except OSError:
        return False
