"""What the disk looked like when a build was done, and whether it still does.

A build with nothing to do is decided here, so that nothing is imported but what Python itself has
loaded already, or builds in. The file is `.toolc_cache/state`: a header, a snapshot of the disk, and
the index that `cache` reads when there is something to do.

Only the machine, the user and the version that wrote a state read it: its header names the file's
own place on the disk, which nobody who sends a project along can know. So nothing is ever taken
from a cache that came with a clone.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
import zlib
from array import array

from toolc import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from io import BufferedWriter

FOLDER = ".toolc_cache"
STATE = "state"

Stat = tuple[int, int, int, int]
"""A file as far as a change would show: its time of modification (ns), its size (bytes), its inode,
and the time at which any of it changed (ns), which nobody can set back (on Windows: at which it was
made). `NO_STAT` is one that is not to be trusted, or not there: it equals that of no file."""

NO_STAT: Stat = (-1, -1, -1, -1)


def as_stat(status: os.stat_result) -> Stat:
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns


def stat_of(place: str) -> Stat:
    """What a file is like; NO_STAT where there is none."""
    try:
        return as_stat(os.stat(place))
    except OSError:
        return NO_STAT


def is_older(known: Stat, time: int) -> bool:
    """Whether a file was last touched before a time, ns; one that was not may since have been
    touched once more, in the same tick of the file system's clock."""
    return known[0] < time and known[3] < time


def _find_edition() -> bytes:
    """The very toolc that runs: its version, and since others may have the same, when it was
    installed, or in a checkout the age of its code."""
    package = os.path.dirname(os.path.abspath(__file__))
    edition = f"toolc {__version__} {sys.implementation.cache_tag}"
    if os.path.isdir(os.path.join(package, "templates")):
        return f"{edition} {stat_of(__file__)}".encode()
    source = os.path.dirname(package)
    pending = [package, package + "_runtime", os.path.join(os.path.dirname(source), "templates")]
    newest = 0
    while pending:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    if entry.name.endswith((".py", ".j2")):
                        newest = max(newest, entry.stat().st_mtime_ns)
                    elif "." not in entry.name and entry.name != "__pycache__":
                        pending.append(entry.path)
        except OSError:
            continue
    return f"{edition} {newest}".encode()


_known_edition = b""


def _edition() -> bytes:
    """As `_find_edition`, which is asked once: code that changes later is not what runs."""
    global _known_edition
    _known_edition = _known_edition or _find_edition()
    return _known_edition


class Files:
    """What every file whose content matters was like, in two pieces: to read and compare tens of
    thousands of tuples would take as long as asking for them."""

    __slots__ = ("newest", "paths", "stats")

    def __init__(self, paths: list[str], stats: bytes, newest: int = -1) -> None:
        self.paths = paths
        self.stats = stats
        """Their `Stat`s, one behind the other, as an array of integers."""
        self.newest = newest
        """The latest time in them, ns; negative where it is not known."""

    def find_newest(self) -> int:
        numbers = array("Q", self.stats)
        return max(max(numbers[0::4], default=0), max(numbers[3::4], default=0))

    def __add__(self, other: Files) -> Files:
        return Files(self.paths + other.paths, self.stats + other.stats)

    def split(self, number: int) -> tuple[Files, Files]:
        """The first `number` of them, and the rest."""
        end = number * _STAT_BYTES
        return (
            Files(self.paths[:number], self.stats[:end]),
            Files(self.paths[number:], self.stats[end:]),
        )


_MISSING = (-2, -2, -2, -2)
"""In a comparison: a file that is not there, which is not what any file was like."""

_BITS = 2**64 - 1
_STAT_BYTES = 4 * 8


def pack(numbers: Sequence[int]) -> bytes:
    """The numbers of one `Stat`, or of several, as an array of integers."""
    try:
        return array("Q", numbers).tobytes()
    except OverflowError:  # a time before 1970, and what is no file at all
        return array("Q", [number & _BITS for number in numbers]).tobytes()


def unpack(modified: int, size: int, inode: int, changed: int) -> Stat:
    """The `Stat` that these numbers were packed from."""
    if modified < 2**63 and changed < 2**63:
        return modified, size, inode, changed
    if size == inode == _BITS:
        return NO_STAT
    modified, changed = [time - 2**64 if time >= 2**63 else time for time in (modified, changed)]
    return modified, size, inode, changed


class State:
    """A state: what the disk was like, and what is said where it still is so."""

    __slots__ = ("files", "folders", "line", "project_file", "stat")

    def __init__(
        self,
        project_file: str,
        line: str,
        folders: dict[str, Listing | None],
        files: Files,
        stat: Stat = NO_STAT,
    ) -> None:
        self.project_file = project_file
        """The project file's name; empty where there is none."""
        self.line = line
        """What a build with nothing to do says, but for the time; empty where one has to look
        closer, whatever the disk is like."""
        self.folders = folders
        """Every folder whose content matters, with what is in it. Paths are relative to the
        project."""
        self.files = files
        self.stat = stat
        """What the state's own file is like: what is as new as this may have changed unseen."""


class Changes:
    """Where the disk differs from a snapshot of it."""

    __slots__ = ("files", "folders")

    def __init__(self, folders: set[str], files: set[str]) -> None:
        self.folders = folders
        """Folders in which something came or went."""
        self.files = files
        """Files that are not as they were, or not there; those that are new are not among them."""

    def __bool__(self) -> bool:
        return bool(self.folders or self.files)


def read_state(root: str) -> State | None:
    """The state of the project in the folder `root`, without its index; None where there is none to
    rely on."""
    read = read_part(root, STATE, 0)
    if read is None:
        return None
    status, snapshot = read
    try:
        project_file, line, folders, paths, stats, newest = marshal.loads(snapshot)
    except (ValueError, EOFError, TypeError):
        return None
    files = Files(paths.split("\0") if paths else [], stats, newest)
    return State(project_file, line, folders, files, stat=as_stat(status))


def read_index(root: str, state: State) -> bytes | None:
    """The index of a state that was read; None where it is another's by now."""
    read = read_part(root, STATE, 1)
    return None if read is None or as_stat(read[0]) != state.stat else read[1]


def read_part(root: str, name: str, part: int) -> tuple[os.stat_result, bytes] | None:
    """A part of one of the cache's files, and what the file is like: 0 is the first, 1 the second.
    Neither is read where only the other is asked for. None for a file that is not to be relied on."""
    try:
        descriptor = os.open(os.path.join(root, FOLDER, name), os.O_RDONLY | PLAIN)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return None
        if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
            return None
        head, newline, _ = os.read(descriptor, _LONGEST_HEAD).partition(b"\n")
        head, _, check = head.rpartition(b" ")
        magic, *numbers = head.rsplit(b" ", 6)
        if not newline or magic != _edition() or zlib.crc32(head) != int(check):
            return None
        device, inode, *sizes_and_checks = map(int, numbers)
        if (device, inode) != (status.st_dev, status.st_ino):
            return None
        sizes, checks = sizes_and_checks[:2], sizes_and_checks[2:]
        start = len(head) + len(check) + 2
        if start + sum(sizes) != status.st_size:
            return None
        os.lseek(descriptor, start + (sizes[0] if part else 0), os.SEEK_SET)
        data = os.read(descriptor, sizes[part])
        if len(data) != sizes[part] or zlib.crc32(data) != checks[part]:
            return None
        return status, data
    except (OSError, ValueError):
        return None
    finally:
        os.close(descriptor)


_LONGEST_HEAD = 1024


def write_state(root: str, state: State, index: bytes) -> None:
    """Replace the project's state, and what goes with it; OSError where that cannot be done."""
    paths, stats = "\0".join(state.files.paths), state.files.stats
    newest = state.files.find_newest()
    snapshot = marshal.dumps((state.project_file, state.line, state.folders, paths, stats, newest))
    write_parts(root, STATE, snapshot, index)


def write_parts(root: str, name: str, first: bytes, second: bytes) -> None:
    """Replace one of the cache's files; OSError where that cannot be done."""
    place = os.path.join(root, FOLDER, name)
    temporary = f"{place}.tmp"
    try:
        with open_new(temporary) as file:
            status = os.fstat(file.fileno())
            sizes = f"{len(first)} {len(second)} {zlib.crc32(first)} {zlib.crc32(second)}"
            head = _edition() + f" {status.st_dev} {status.st_ino} {sizes}".encode()
            file.write(head + f" {zlib.crc32(head)}\n".encode())
            file.write(first)
            file.write(second)
        os.replace(temporary, place)
    except BaseException:
        if os.path.lexists(temporary):
            os.unlink(temporary)
        raise


def state_stat(root: str) -> Stat:
    """What the file of the project's state is like."""
    return stat_of(os.path.join(root, FOLDER, STATE))


PLAIN = (
    getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
)
"""How the files of a cache are opened: a link is not followed, a pipe not waited for."""


def open_new(place: str) -> BufferedWriter:
    """A file that was not there before; what stands in its place is removed, links not followed."""
    if os.path.lexists(place):
        os.unlink(place)
    return open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | PLAIN, 0o666), "wb")


def look(root: str, state: State, home: str = "") -> Changes:
    """Compare the disk with a snapshot of it: one listing a folder, one stat a file.

    `home` is the process's working folder, if that is known: the way to each file is shorter there.
    """
    prefix = "" if root == home else root.rstrip(os.sep) + os.sep
    folders = set()
    for path, listing in state.folders.items():
        if list_folder(prefix + path or ".") != listing:
            folders.add(path)
    return Changes(folders, _changed_files(prefix, state.files, state.stat[0]))


def _changed_files(prefix: str, files: Files, taken: int) -> set[str]:
    """The files that are not as they were, or as new as the snapshot."""
    numbers: list[int] = []
    stat, add = os.stat, numbers.extend
    for path in files.paths:
        try:
            status = stat(prefix + path)
        except OSError:
            add(_MISSING)
            continue
        # `as_stat`, in line: there are very many of them.
        add((status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns))
    found = {files.paths[at] for at in _differing(pack(numbers), files.stats)}
    # What is not among these is as it was, and so as new.
    if not 0 <= files.newest < taken:
        times = zip(files.paths, numbers[0::4], numbers[3::4], strict=True)
        found.update(path for path, *both in times if max(both) >= taken)
    return found


_AT_ONCE = 64


def _differing(now: bytes, known: bytes) -> Iterator[int]:
    """Which of the packed `Stat`s are others."""
    block = _AT_ONCE * _STAT_BYTES
    for start in range(0, 0 if now == known else len(now), block):
        if now[start : start + block] != known[start : start + block]:
            for at in range(start, min(start + block, len(now)), _STAT_BYTES):
                if now[at : at + _STAT_BYTES] != known[at : at + _STAT_BYTES]:
                    yield at // _STAT_BYTES


Listing = str
"""The sorted names in a folder with NUL between them, and a `/` behind those of folders."""


def list_folder(folder: str) -> Listing | None:
    """What is in a folder; None where it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            return listing_of(entries)
    except OSError:
        return None


def listing_of(entries: Iterable[os.DirEntry[str]]) -> Listing:
    """The listing of a folder with these entries."""
    names = [f"{entry.name}/" if _is_folder(entry) else entry.name for entry in entries]
    names.sort()
    return "\0".join(names)


def names_in(listing: Listing | None) -> list[str]:
    return listing.split("\0") if listing else []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link in a circle
        return False


def find_root(start: str) -> str | None:
    """The folder at or above `start` whose project a build there would be of; None where that takes
    a closer look."""
    folder = os.path.abspath(start)
    while True:
        if os.path.isfile(os.path.join(folder, "toolc.toml")):
            return folder
        if os.path.exists(os.path.join(folder, "pyproject.toml")):
            # Only a reader of TOML could tell whether it is a project's.
            return folder if os.path.isfile(os.path.join(folder, FOLDER, STATE)) else None
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


class Looked:
    """What the last build of a project left, and where the disk has changed since."""

    __slots__ = ("changes", "root", "state")

    def __init__(self, root: str, state: State, changes: Changes) -> None:
        self.root, self.state, self.changes = root, state, changes

    @property
    def line(self) -> str:
        """What a build would say, if there is nothing at all to do; otherwise empty."""
        state = self.state
        if self.changes or not state.line:
            return ""
        has_own = os.path.isfile(os.path.join(self.root, "toolc.toml"))
        wanted = "toolc.toml" if has_own else "pyproject.toml"
        return state.line if state.project_file == wanted else ""


def look_in(start: str, home: str = "") -> Looked | None:
    """Look at the project that a build in `start` would be of; None where nothing is known of it.
    `home` as in `look`."""
    root = find_root(start)
    state = read_state(root) if root is not None else None
    return None if root is None or state is None else Looked(root, state, look(root, state, home))


def is_up_to_date(start: str) -> bool:
    """Whether a build in `start` has nothing at all to do."""
    looked = look_in(start)
    return looked is not None and bool(looked.line)
