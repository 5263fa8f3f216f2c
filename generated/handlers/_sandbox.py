"""The sandbox folder: the only files that the tools touch.

A path from a call is taken apart and put together anew below the folder, and what it names must
really be there: a path with a link anywhere in it is refused, so that nothing leads out. Only somebody
who may write to the folder by other means could put a link there while a call is under way. Sizes
are bounded, both of a file and of the folder.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

from toolc_runtime import ToolError

from ._storage import data_folder

LARGEST_READ = 1024 * 1024
"""Bytes of a file that is still read."""
LARGEST_WRITE = 256 * 1024
"""Bytes of a file that is still written."""
MOST_FILES = 1_000
MOST_FOLDERS = 8
"""On the way to a file."""

_WELCOME = "welcome.md"
_SAID = """\
# The sandbox folder

`write_file` and `export_notes` write files here, and `read_file` reads them.
No other file of this machine can be reached by these tools.
"""
"""What the file of that name says, so that there is one to read from the start."""

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""The last step follows no link, and opening a pipe does not wait; Windows has neither flag."""
_BINARY = getattr(os, "O_BINARY", 0)


def read_bytes(path: str) -> bytes:
    """A file's content. NOT_FOUND, PERMISSION_DENIED or TOO_LARGE where that cannot be."""
    place = _place(path)
    try:
        descriptor = os.open(place, os.O_RDONLY | _NO_LINK | _BINARY)
    except (FileNotFoundError, NotADirectoryError):
        raise _not_found(path) from None
    except OSError:
        raise _denied(path) from None
    # What was opened counts, not what stood there a moment ago.
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _denied(path)
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(LARGEST_READ + 1)
    if len(content) > LARGEST_READ:
        raise ToolError("TOO_LARGE", f'"{path}" has more than {LARGEST_READ} bytes')
    return content


def write_bytes(path: str, content: bytes, *, overwrite: bool) -> int:
    """Write a file, whole or not at all, and its folders; returns its size.

    ALREADY_EXISTS, PERMISSION_DENIED or TOO_LARGE where that cannot be.
    """
    if len(content) > LARGEST_WRITE:
        raise ToolError(
            "TOO_LARGE",
            f'"{path}" would have {len(content)} bytes; {LARGEST_WRITE} are allowed',
            suggestion="write it in parts",
        )
    place = _place(path)
    if not os.path.lexists(place) and len(_files()) >= MOST_FILES:
        raise ToolError("TOO_LARGE", f"the folder holds {MOST_FILES} files already")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):  # a file where a folder is due
        raise _denied(path) from None
    try:
        _store(place, content, overwrite=overwrite)
    except FileExistsError:
        raise ToolError(
            "ALREADY_EXISTS",
            f'"{path}" is there already',
            suggestion="choose another path, or set overwrite to true",
        ) from None
    except (IsADirectoryError, PermissionError):
        raise _denied(path) from None
    return len(content)


def _store(place: Path, content: bytes, *, overwrite: bool) -> None:
    """Write beside the place, then move there: nobody ever sees half a file.

    FileExistsError where there is something and it may not be replaced.
    """
    descriptor, beside = mkstemp(prefix=".", dir=place.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        if overwrite:
            os.replace(beside, place)
        else:
            os.link(beside, place)  # decides between two calls at once, as no check before could
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside)


def _root() -> Path:
    folder = data_folder() / "files"
    folder.mkdir(mode=0o700, exist_ok=True)
    welcome = folder / _WELCOME
    if not os.path.lexists(welcome):
        with suppress(OSError):  # another call is as fast, or the folder cannot be written
            _store(welcome, _SAID.encode(), overwrite=False)
    return folder


def _place(path: str) -> Path:
    """Where a path of a call lies; PERMISSION_DENIED where that is not below the folder.

    The schema asks for the same form of path; a sandbox does not rely on that.
    """
    parts = path.split("/")
    if len(parts) > MOST_FOLDERS + 1 or not all(_NAME.fullmatch(part) for part in parts):
        raise _denied(path)
    place = _root().joinpath(*parts)
    # The root is resolved: a difference means a link, or a device's name on Windows. Only a link to
    # itself makes none.
    if Path(os.path.realpath(place)) != place or place.is_symlink():
        raise _denied(path)
    return place


def _files() -> list[str]:
    """The paths of all files in the folder, sorted; links and hidden files do not count."""
    root = _root()
    found = []
    for folder, _, names in os.walk(root, followlinks=False):
        for name in names:
            place = Path(folder, name)
            if _NAME.fullmatch(name) and not place.is_symlink():
                found.append(place.relative_to(root).as_posix())
    return sorted(found)


def _not_found(path: str) -> ToolError:
    some = ", ".join(_files()[:10])
    there = f"there are {some}" if some else "the folder is empty; write_file writes to it"
    return ToolError("NOT_FOUND", f'there is no file "{path}"', suggestion=there)


def _denied(path: str) -> ToolError:
    return ToolError("PERMISSION_DENIED", f'"{path}" is no file that the sandbox can hold')
