"""The disk: finding and reading what a build is made of, and committing its plan.

Paths that go in and come out are POSIX and relative to the project root, which is a real folder
of this machine. What a person can cause (a link to nowhere, a file that may not be read) comes back
as a diagnostic; an exception here is a bug.
"""

from __future__ import annotations

import errno
import os
import posixpath
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from toolc.loader.limits import MAX_BYTES
from toolc.model.artifact import Action, Change, Held, Owner, Patches, Plan, Text, encode
from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Site
from toolc.snapshot import NO_STAT, Listing, Stat, as_stat, listing_of, stat_of
from toolc_runtime.light import NamedTuple

PROJECT_FILE = "toolc.toml"
PYPROJECT_FILE = "pyproject.toml"

_REASONS = {
    errno.ENOENT: "is not there",
    errno.EACCES: "cannot be used: permission denied",
    errno.EPERM: "cannot be used: permission denied",
    errno.EISDIR: "is a folder",
    errno.ENOTDIR: "lies below something that is not a folder",
    errno.EEXIST: "is in the way",
    errno.ENXIO: "is neither a file nor a folder",
    errno.ELOOP: "is a link that leads back to itself",
    errno.ENOSPC: "does not fit on the disk",
    errno.EROFS: "is on a disk that cannot be written",
    errno.ENAMETOOLONG: "has a name that is too long for this disk",
}


def reason(error: OSError) -> str:
    """What an operating system's error means, as the rest of a sentence about a file."""
    return _REASONS.get(error.errno or 0) or f"cannot be used: {error.strerror or error}"


def _problem(code: str, path: str, message: str, hint: str = "") -> Diagnostic:
    return Diagnostic(code, CODES[code].severity, message, Site(_printable(path)), hint)


def _printable(path: str) -> str:
    """A path with the bytes that are not UTF-8, which Python keeps as surrogates, replaced."""
    return path if path.isascii() else path.encode("utf-8", "replace").decode("utf-8")


def _local(root: str, path: str) -> str:
    """A POSIX path below `root` in the operating system's own form."""
    return f"{root}/{path}" if os.sep == "/" else os.path.join(root, *path.split("/"))


# The project.


class Found(NamedTuple):
    root: str
    """The project's folder, absolute."""
    path: str
    """The project file's name in it."""


def find_project(start: str) -> Found | None:
    """The nearest project at or above the folder `start`; None where there is none.

    A folder is a project's when it holds `toolc.toml`, or a `pyproject.toml` with a `tool.toolc`
    table. `toolc.toml` wins where both are; the root of a repository is no border.
    """
    folder = os.path.abspath(start)
    while True:
        name = project_file(folder)
        if name:
            return Found(folder, name)
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def project_file(folder: str) -> str:
    """The name of the file in `folder` that makes it a project; empty where it is none."""
    if os.path.isfile(os.path.join(folder, PROJECT_FILE)):
        return PROJECT_FILE
    data = read_bytes(folder, PYPROJECT_FILE)
    return PYPROJECT_FILE if isinstance(data, bytes) and _has_table(data) else ""


def _has_table(data: bytes) -> bool:
    """Whether a pyproject.toml has a `tool.toolc` table. A broken one that seems to has it: the
    reader of project files then says what is wrong with it."""
    if b"toolc" not in data:
        return False

    import tomli

    try:
        tool = tomli.loads(data.decode("utf-8-sig")).get("tool")
    except ValueError:
        return b"[tool.toolc" in data
    return isinstance(tool, dict) and "toolc" in tool


# Sources.


class FoundSources(NamedTuple):
    paths: tuple[str, ...]
    """The definition files, sorted."""
    problems: tuple[Diagnostic, ...]
    folders: Mapping[str, Listing]
    """The folders that were searched, with what was in them."""


def find_sources(
    root: str, sources: Iterable[str], suffixes: tuple[str, ...], skip: Iterable[str] = ()
) -> FoundSources:
    """The definition files among `sources` (files, or folders searched to the bottom), sorted.

    Folders whose names begin with `_` or `.` are passed over, and so are files with a leading
    `.` (editors keep their own things there) and whatever stands in `skip`: the project's outputs
    and its project file. A folder reached through a link is searched once, under the first of its
    names; one that is also there without a link, under that name.
    """
    search = _Search(root, suffixes, skip)
    for source in sources:
        search.add(posixpath.normpath(source))
    search.follow_links()
    return FoundSources(tuple(sorted(search.found)), tuple(search.problems), search.folders)


class _Search:
    """One walk over the sources of a project."""

    def __init__(self, root: str, suffixes: tuple[str, ...], skip: Iterable[str]) -> None:
        self.root = root
        self.suffixes = suffixes
        self.skip = frozenset(posixpath.normpath(path) for path in skip)
        self.skip_real = {os.path.realpath(_local(root, path)) for path in self.skip}
        self.found: set[str] = set()
        self.folders: dict[str, Listing] = {}
        self.problems: list[Diagnostic] = []
        self.links: list[str] = []
        self.seen: set[tuple[int, int]] = set()

    def add(self, source: str) -> None:
        """One entry of the project's `sources`."""
        try:
            mode = os.stat(_local(self.root, source)).st_mode
        except OSError as error:
            hint = "create it, or change `sources` in the project file"
            self.problems.append(
                _problem("P604", source, f'the source "{source}" {reason(error)}', hint)
            )
            return
        if stat.S_ISDIR(mode):
            self.walk(source)
        elif source.endswith(self.suffixes):
            self.found.add(source)
        else:
            self.problems.append(
                _problem(
                    "P604",
                    source,
                    f'the source "{source}" is no definition file',
                    "a definition ends in " + ", ".join(self.suffixes),
                )
            )

    def walk(self, folder: str) -> None:
        """Search `folder` and the folders in it; links to folders wait in `links`."""
        pending = [folder]
        while pending:
            folder = pending.pop()
            try:
                if not self.enter(folder):
                    continue
                prefix = "" if folder == "." else f"{folder}/"
                with os.scandir(_local(self.root, folder)) as found:
                    entries = list(found)
                self.folders[folder] = listing_of(entries)
                pending.extend(filter(None, [self.visit(prefix, entry) for entry in entries]))
            except OSError as error:
                self.problems.append(_problem("L101", folder, f"the folder {reason(error)}"))

    def enter(self, folder: str) -> bool:
        """Whether `folder` has not been searched yet, under whichever name."""
        status = os.stat(_local(self.root, folder))
        identity = (status.st_dev, status.st_ino)
        if identity in self.seen:
            return False
        self.seen.add(identity)
        return True

    def visit(self, prefix: str, entry: os.DirEntry[str]) -> str | None:
        """Take one entry of a folder; the path of a folder that is to be searched too."""
        name = entry.name
        path = prefix + name
        if name.startswith(".") or path in self.skip:
            return None
        if name.endswith(self.suffixes):
            if path.isascii() and _holds(entry.is_file):
                self.found.add(path)
            else:
                self.visit_definition(path, entry)
        elif not name.startswith("_") and _holds(entry.is_dir):
            if self.skip_real and os.path.realpath(entry.path) in self.skip_real:
                return None
            if not entry.is_symlink():
                return path
            self.links.append(path)
        return None

    def visit_definition(self, path: str, entry: os.DirEntry[str]) -> None:
        if path != _printable(path):
            problem = "the file's name is not UTF-8", "rename the file"
        elif _holds(entry.is_file):
            self.found.add(path)
            return
        elif _holds(entry.is_dir):
            problem = "this is a folder, though its name is a definition's", "rename the folder"
        elif entry.is_symlink():
            target = _printable(os.readlink(entry.path))
            problem = f'the link leads to "{target}", which is no file', "mend or delete the link"
        else:
            problem = "this is not a file that can be read", "remove it"
        self.problems.append(_problem("L101", path, *problem))

    def follow_links(self) -> None:
        """Search the linked folders, when all others have been: a real name goes first."""
        while self.links:
            links, self.links = sorted(self.links), []
            for path in links:
                self.walk(path)


def _holds(test: Callable[[], bool]) -> bool:
    """Ask a directory entry; one that cannot say (a link in a circle) is nothing of the kind."""
    try:
        return test()
    except OSError:
        return False


# Reading.


def read_bytes(root: str, path: str, limit: int = MAX_BYTES) -> bytes | Diagnostic:
    """A file's bytes; a file of more than `limit` is refused, and so are pipes and devices."""
    return read_input(root, path, limit)[1]


def read_input(root: str, path: str, limit: int = MAX_BYTES) -> tuple[Stat, bytes | Diagnostic]:
    """As `read_bytes`, with what the file was like before it was read."""
    try:
        stat_before, data = read_with_stat(root, path, limit)
    except OSError as error:
        return NO_STAT, _problem("L101", path, f"the file {reason(error)}")
    if data is None:
        message = f"the file has more than the {limit:,} bytes that a definition may have"
        return stat_before, _problem("L109", path, message, "split it into several files")
    return stat_before, data


class StandingFiles(Mapping[str, str]):
    """The texts of outputs that stand, each read when it is asked for; the keys are `candidates`.

    Bytes that are not UTF-8 are kept as surrogates: such a text equals no output, and is not lost.
    """

    def __init__(self, root: str, candidates: Collection[str]) -> None:
        self._root, self._candidates = root, candidates
        self._texts: dict[str, str | None] = {}
        self._folders: dict[str, bool] = {}
        """Of those that were asked for files, whether they are there."""
        self.stats: dict[str, Stat] = {}
        """Of what was read, as it was before."""
        self.problems: list[Diagnostic] = []

    def __getitem__(self, path: str) -> str:
        if path not in self._texts:
            self._texts[path] = self._read(path)
        text = self._texts[path]
        if text is None:
            raise KeyError(path)
        return text

    def __iter__(self) -> Iterator[str]:
        return (path for path in self._candidates if path in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _read(self, path: str) -> str | None:
        folder = path.rpartition("/")[0]
        if folder not in self._folders:
            self._folders[folder] = not _is_missing(_local(self._root, folder))
        if not self._folders[folder]:
            return None
        try:
            stat, data = read_with_stat(self._root, path, None)
        except FileNotFoundError:
            return None
        except OSError as error:
            self.problems.append(_problem("G705", path, f"the output {reason(error)}"))
            return None
        self.stats[path] = stat
        return (data or b"").decode("utf-8", "surrogateescape")


def _is_missing(place: str) -> bool:
    """Whether nothing at all is there; where that cannot be told, something may be."""
    try:
        os.stat(place)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False


class FileText(Held):
    """The text of a file, read when it is asked for: `Held`."""

    def __init__(self, root: str, path: str) -> None:
        self._root, self._path = root, path

    def chunks(self) -> Iterator[bytes]:
        try:
            data = read_with_stat(self._root, self._path, None)[1]
        except OSError:
            return
        # Lone surrogates stand for bytes that are no text.
        yield (data or b"").decode("utf-8", "replace").encode()


class PatchedFile(Held):
    """A text that differs in a few places from that of a file, which is read when this one is."""

    def __init__(self, root: str, path: str, stat: Stat, patches: Patches, whole: Held) -> None:
        """`stat` is what the file was like; if it is another by then, `whole` is the text."""
        self._place, self._stat = _local(root, path), stat
        self._patches, self._whole = patches, whole

    def chunks(self) -> Iterator[bytes]:
        descriptor = self._open()
        if descriptor is None:
            yield from self._whole.chunks()
            return
        try:
            for part in self._parts():
                yield part if isinstance(part, bytes) else _read_range(descriptor, *part)
        finally:
            os.close(descriptor)

    def write_to(self, target: int) -> None:
        """Write the text to a file; what is the same never passes through this process, where the
        system can do that."""
        descriptor = self._open()
        if descriptor is None:
            for chunk in self._whole.chunks():
                _write_all(target, chunk)
            return
        try:
            for part in self._parts():
                if isinstance(part, bytes):
                    _write_all(target, part)
                else:
                    _copy_range(descriptor, target, *part)
        finally:
            os.close(descriptor)

    def _open(self) -> int | None:
        """The file, open; None where it is not what it was."""
        try:
            descriptor = os.open(self._place, _OLD)
        except OSError:
            return None
        known = as_stat(os.fstat(descriptor))
        if known == self._stat and known[1] == self._patches.length:
            return descriptor
        os.close(descriptor)
        return None

    def _parts(self) -> Iterator[bytes | tuple[int, int]]:
        """The text piece by piece: bytes, or from where to where it is the file's."""
        at = 0
        for start, end, data in self._patches.rows:
            for here in range(at, start, _CHUNK):
                yield here, min(here + _CHUNK, start)
            yield data
            at = end


_CHUNK = 2**20


def _read_range(descriptor: int, start: int, end: int) -> bytes:
    os.lseek(descriptor, start, os.SEEK_SET)
    data = os.read(descriptor, end - start)
    if len(data) < end - start:
        raise OSError(errno.EIO, "")
    return data


def _copy_range(descriptor: int, target: int, start: int, end: int) -> None:
    """Append a part of one file to another."""
    copy = getattr(os, "copy_file_range", None)
    while copy is not None and start < end:
        try:
            copied = copy(descriptor, target, end - start, start)
        except OSError:  # not between these file systems
            break
        if not copied:
            break
        start += copied
    if start < end:
        _write_all(target, _read_range(descriptor, start, end))


def read_standing(root: str, paths: Iterable[str]) -> tuple[dict[str, str], tuple[Diagnostic, ...]]:
    """The texts of those of `paths` that are there, to compare outputs with.

    Bytes that are not UTF-8 are kept as surrogates: such a text equals no output, and is not lost.
    """
    texts: dict[str, str] = {}
    problems: list[Diagnostic] = []
    for path in paths:
        try:
            data = read_with_stat(root, path, None)[1]
        except FileNotFoundError:
            continue
        except OSError as error:
            problems.append(_problem("G705", path, f"the output {reason(error)}"))
        else:
            texts[path] = (data or b"").decode("utf-8", "surrogateescape")
    return texts, tuple(problems)


# O_NONBLOCK: opening a pipe that nobody writes to must not hang.
_OLD = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


def read_with_stat(
    root: str, path: str, limit: int | None = MAX_BYTES
) -> tuple[Stat, bytes | None]:
    """A regular file's bytes, None past the limit, and what it was like before it was read.

    OSError for anything else.
    """
    descriptor = os.open(_local(root, path), _OLD)
    try:
        status = os.fstat(descriptor)
        return as_stat(status), _content(descriptor, status, limit)
    finally:
        os.close(descriptor)


def _content(descriptor: int, status: os.stat_result, limit: int | None) -> bytes | None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EISDIR if stat.S_ISDIR(status.st_mode) else errno.ENXIO, "")
    size = status.st_size
    if limit is not None and size > limit:
        return None
    # One byte more than expected: mostly the first call then has it all, and knows it.
    data = os.read(descriptor, size + 1)
    while len(data) > size and (more := os.read(descriptor, 65536)):
        data += more
        if limit is not None and len(data) > limit:
            return None
    return data


def list_folder(root: str, folder: str, suffix: str) -> tuple[str, ...]:
    """The files right in `folder` whose names end in `suffix`, sorted; empty without the folder."""
    try:
        with os.scandir(_local(root, folder)) as entries:
            names = [entry.name for entry in entries if entry.name.endswith(suffix)]
    except OSError:
        return ()
    return tuple(f"{folder}/{name}" for name in sorted(names))


# Writing.


class Committed(NamedTuple):
    problems: tuple[Diagnostic, ...]
    """What could not be done."""
    stats: dict[str, Stat]
    """What each file that was written is like."""


def commit(root: str, plan: Plan, folders: Collection[str]) -> Committed:
    """Make the disk agree with `plan`.

    All new texts are written beside their places first and moved there only when the last of them
    is on the disk, so that a full disk or a folder that may not be written changes nothing. Each
    file is replaced whole. `folders` are the ones that may be written to; a link that leads out of
    them, or a folder that lies outside the project, is refused before anything is written.
    """
    places, refusals = _places(root, plan.changes, folders)
    if refusals:
        return Committed(refusals, {})
    staged: list[_Staged] = []
    created: list[str] = []
    try:
        problem = _stage(places, staged, created)
        if problem is not None:
            return Committed((problem,), {})
        created = []
        stats: dict[str, Stat] = {}
        problems = [*_move(staged, stats)]
        for change, place, _ in places:
            if change.action is Action.DELETE and (problem := _delete(change.path, place)):
                problems.append(problem)
        return Committed(tuple(problems), stats)
    finally:
        # What is left here belongs to a commit that failed or was interrupted.
        for leftover in (*created, *(file.temporary for file in staged)):
            _discard(leftover)


class _Place(NamedTuple):
    """Where a change is carried out."""

    change: Change
    place: str
    """The real path of its file; of a link to be deleted, the link's own."""
    is_free: bool
    """Whether nothing stands there."""


class _Staged(NamedTuple):
    """A text that is on the disk, but not in its place yet."""

    path: str
    place: str
    temporary: str
    stat: Stat


def _stage(
    places: Iterable[_Place], staged: list[_Staged], created: list[str]
) -> Diagnostic | None:
    """Write every new text: an author's new file at its place, any other beside it. Fills the lists
    as it goes, so that the caller can undo; the first problem ends it."""
    ending = f".{os.getpid()}{_TEMPORARY}"
    folders: set[str] = set()
    for change, place, is_free in places:
        text = change.after
        if text is None:
            continue
        start = place.rindex(os.sep) + 1
        folder, name = place[:start], place[start:]
        temporary = f"{folder}.{name}{ending}"
        try:
            if folder not in folders:
                os.makedirs(folder, exist_ok=True)
                folders.add(folder)
            mode = None if is_free else _mode(place)
            written = _write_new(temporary, text, mode)
            if change.owner is Owner.HUMAN and change.action is Action.CREATE:
                _settle(temporary, place, created)
            else:
                staged.append(_Staged(change.path, place, temporary, written))
        except OSError as error:
            return _problem("G705", change.path, f"the output {reason(error)}")
    return None


def _move(staged: list[_Staged], stats: dict[str, Stat]) -> Iterator[Diagnostic]:
    """Put the staged texts in their places, in their order; empties the list as it goes."""
    staged.reverse()
    while staged:
        file = staged[-1]
        try:
            os.replace(file.temporary, file.place)
        except OSError as error:
            _discard(file.temporary)
            yield _problem("G705", file.path, f"the output {reason(error)}")
        else:
            # Moving it changed no more than the last of these, unless somebody was there already.
            moved = stat_of(file.place)
            stats[file.path] = moved if moved[:3] == file.stat[:3] else NO_STAT
        staged.pop()


def _delete(path: str, place: str) -> Diagnostic | None:
    """Delete one file. One that is gone already is no problem."""
    try:
        os.unlink(place)
    except FileNotFoundError:
        return None
    except OSError as error:
        return _problem("G705", path, f"the file {reason(error)}")
    return None


def _discard(place: str) -> None:
    """Delete a file of this commit's own; it stays where that cannot be."""
    try:
        os.unlink(place)
    except OSError:
        return


_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def _settle(temporary: str, place: str, created: list[str]) -> None:
    """Give an author's new file its place; one that has come into being there meanwhile stays.

    It appears whole: a process that is killed leaves no part of it, which would be taken for its
    author's.
    """
    try:
        os.link(temporary, place)
        created.append(place)
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links
        if not os.path.lexists(place):
            os.replace(temporary, place)
            created.append(place)
            return
    os.unlink(temporary)


def _mode(place: str) -> int | None:
    """The permissions of a file; None where there is none."""
    try:
        return stat.S_IMODE(os.stat(place).st_mode)
    except FileNotFoundError:
        return None


def _write_new(place: str, text: Text, mode: int | None) -> Stat:
    """Write `text` to a new temporary file, with a mode or the usual one; what it is like then."""
    try:
        descriptor = os.open(place, _NEW, 0o666)
    except FileExistsError:
        # Left by a build that was killed, whose number this process happens to have.
        os.unlink(place)
        descriptor = os.open(place, _NEW, 0o666)
    try:
        written = _fill(descriptor, text)
        if mode is not None:
            os.chmod(place, mode)
    except BaseException:
        os.unlink(place)
        raise
    return written


def _fill(descriptor: int, text: Text) -> Stat:
    try:
        if isinstance(text, PatchedFile):
            text.write_to(descriptor)
        else:
            for chunk in encode(text):
                _write_all(descriptor, chunk)
        status = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    return as_stat(status)


def _write_all(descriptor: int, data: bytes) -> None:
    while (written := os.write(descriptor, data)) < len(data):
        data = data[written:]


_TEMPORARY = ".tmp"


def remove_leftovers(root: str, folders: Iterable[str], process: int) -> None:
    """Remove the temporary files that a commit left in these of the project's folders, whose
    process was killed: its number is `process`."""
    real_root = os.path.realpath(root)
    for folder in folders:
        if is_within(os.path.realpath(_local(root, folder)), real_root):
            for path in list_folder(root, folder, f".{process}{_TEMPORARY}"):
                if path.rpartition("/")[2].startswith("."):
                    _discard(_local(root, path))


def _places(
    root: str, changes: Iterable[Change], folders: Collection[str]
) -> tuple[list[_Place], tuple[Diagnostic, ...]]:
    """Every change with the place of its file, and a refusal for each that leaves `folders`."""
    real_root = os.path.realpath(root)
    candidates = [os.path.realpath(_local(root, folder)) for folder in folders]
    allowed = [folder for folder in candidates if is_within(folder, real_root)]
    prefixes: dict[str, tuple[str, bool]] = {}
    places: list[_Place] = []
    refusals: list[Diagnostic] = []
    for change in changes:
        folder, _, name = change.path.rpartition("/")
        if folder not in prefixes:
            real = os.path.realpath(_local(root, folder))
            prefixes[folder] = os.path.join(real, ""), _is_within_any(real, allowed)
        prefix, is_allowed = prefixes[folder]
        place = target = prefix + name
        is_free = False
        try:
            if stat.S_ISLNK(os.lstat(place).st_mode):
                target = os.path.realpath(place)
                is_allowed = _is_within_any(target, allowed)
        except FileNotFoundError:
            is_free = True
        except OSError:
            pass  # whoever writes there is told
        places.append(_Place(change, place if change.action is Action.DELETE else target, is_free))
        if not is_allowed:
            message = "a link leads the output out of the folders that this project writes to"
            hint = "replace the link by a folder, or name the real one in the project file"
            refusals.append(_problem("G702", change.path, message, hint))
    return places, tuple(refusals)


def _is_within_any(path: str, folders: Iterable[str]) -> bool:
    return any(is_within(path, folder) for folder in folders)


def is_within(path: str, folder: str) -> bool:
    """Whether a real path is `folder` or lies below it, compared by whole parts."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
