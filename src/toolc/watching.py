"""From what the file system tells to `Changes` of a project: which folders to watch, what counts."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress

from toolc.loader import SUFFIXES
from toolc.snapshot import NO_STAT, Changes, Stat, list_names, stat_of
from toolc.workspace import Workspace
from toolc_runtime.light import NamedTuple

_STEP = 5
"""Milliseconds without a further event after which those that came are taken together."""

_LONGEST = 1_000
"""Milliseconds after which they are taken even if more keep coming."""

_TICK = 50
"""Milliseconds after which the caller is heard even if nothing happens."""

_POLL = 300
"""Milliseconds between two looks at a file system that does not tell."""

_RESCAN = 30.0
"""Seconds after which everything is compared once more: events can be lost."""

_SETTLED = 0.1
"""Seconds that a file may be empty or away: an editor may be in the middle of saving it."""

_MUTE = {
    "9p": "a share of a virtual machine's host",
    "cifs": "a Windows share",
    "drvfs": "a Windows drive",
    "fuse.grpcfuse": "a container's bind mount",
    "fuse.osxfs": "a container's bind mount",
    "fuse.sshfs": "a remote folder",
    "ncpfs": "a network share",
    "nfs": "a network share",
    "nfs4": "a network share",
    "smb3": "a Windows share",
    "smbfs": "a Windows share",
    "vboxsf": "a shared folder of a virtual machine",
    "virtiofs": "a share of a virtual machine's host",
    "vmhgfs": "a shared folder of a virtual machine",
    "fuse.vmhgfs-fuse": "a shared folder of a virtual machine",
}
"""File systems on which changes made elsewhere cause no event, and what they are for people."""


class Noticed(NamedTuple):
    """What happened since the caller was heard last."""

    changes: Changes | None
    """None where nothing did that could matter to a build."""
    is_code: bool
    """Whether a Python file of the handlers' changed."""


class WatchProblem(Exception):  # noqa: N818
    """Why folders cannot be watched, and what can be done about it."""


def mute_file_system(folder: str, mounts: str = "/proc/self/mounts") -> str:
    """What kind of file system `folder` lies on, if that does not tell of changes; else empty."""
    try:
        with open(mounts, encoding="utf-8", errors="replace") as file:
            rows = [line.split(" ") for line in file]
    except OSError:
        return ""
    place, found, longest = os.path.realpath(folder), "", -1
    for row in rows:
        mounted = row[1].replace("\\040", " ") if len(row) > 2 else ""
        if mounted and len(mounted) >= longest and _lies_in(place, mounted):
            found, longest = row[2], len(mounted)
    return _MUTE.get(found, "")


def _lies_in(place: str, folder: str) -> bool:
    return place == folder or place.startswith(folder.rstrip("/") + "/")


class Watcher:
    """Watches what a workspace's builds depend on, and what they wrote.

    Only the project's own folders are watched, each for itself: no `.git`, no environment, and
    nothing that lies below a folder that is passed over.
    """

    def __init__(self, workspace: Workspace, *, poll: bool = False) -> None:
        self._workspace = workspace
        self._root = workspace.root
        self.poll = poll
        self._links: dict[str, str] = {}
        """By its real place: the path of each input that is a link."""
        self._names: dict[str, frozenset[str]] = {}
        """The names in the folders of outputs, where no other file matters."""

    def __iter__(self) -> Iterator[Noticed]:
        """What happens, as it happens; at least once in a twentieth of a second, something or
        nothing. Raises WatchProblem where the system refuses, and KeyboardInterrupt."""
        while True:
            yield from self._watch()

    def _watch(self) -> Iterator[Noticed]:
        """Until the folders that are to be watched are others."""
        from watchfiles import watch

        self._links = self._workspace.linked_inputs()
        self._names = {
            folder: frozenset(list_names(os.path.join(self._root, folder)) or ())
            for folder in self._workspace.output_folders
        }
        watched = self._watched()
        events = watch(
            *sorted(watched),
            watch_filter=None,
            debounce=_LONGEST,
            step=_STEP,
            rust_timeout=_TICK,
            yield_on_timeout=True,
            force_polling=self.poll or None,
            poll_delay_ms=_POLL,
            recursive=False,
            ignore_permission_denied=True,
        )
        looked = 0.0
        try:
            for batch in events:
                now = time.monotonic()
                if now - looked > _RESCAN:
                    # The first time too: something may have happened before anybody watched.
                    looked = now
                    yield Noticed(self._workspace.look() or None, False)
                paths = {path for _, path in batch}
                yield self._notice(paths)
                if not paths.isdisjoint(watched) or (paths and self._watched() != watched):
                    return
        except OSError as error:
            raise WatchProblem(_explain(error, len(watched))) from error
        finally:
            events.close()

    def _watched(self) -> set[str]:
        """The folders to watch, or where one is not there, the nearest one above it."""
        watched = set()
        for folder in self._workspace.watched_folders():
            place = os.path.join(self._root, folder) if folder else self._root
            while not os.path.isdir(place) and len(place) > len(self._root):
                place = os.path.dirname(place)
            watched.add(place)
        return watched | {os.path.dirname(place) for place in self._links}

    def _notice(self, paths: set[str]) -> Noticed:
        changes, is_code = Changes(set(), set()), False
        for place in paths:
            path = self._links.get(place)
            if path is None:
                path = os.path.relpath(place, self._root).replace(os.sep, "/")
            folder, _, name = path.rpartition("/")
            if name.startswith(".") and path != ".":
                continue
            known = self._workspace.stat_of(path)
            if known is not None:
                if known == NO_STAT or stat_of(place) != known:
                    changes.files.add(path)
            elif folder in self._names:
                is_code = is_code or (
                    name.endswith(".py") and folder == self._workspace.handlers_folder
                )
                is_there = os.path.lexists(place)
                if name.endswith(".py") and (name in self._names[folder]) != is_there:
                    others = self._names[folder] - {name}
                    self._names[folder] = others | {name} if is_there else others
                    changes.folders.add(folder)
            elif path == "." or name.endswith((*SUFFIXES, ".j2")) or "." not in name:
                changes.folders.add(folder or ".")
                changes.folders.add(path)
        return Noticed(changes if changes else None, is_code)

    def settle(self, changes: Changes) -> None:
        """Wait until no changed file is empty or away, as long as that may be an editor's doing.

        Files that came back as they were are no longer among the changes.
        """
        until = time.monotonic() + _SETTLED
        while time.monotonic() < until and any(map(self._is_unfinished, changes.files)):
            time.sleep(_STEP / 1000)
        for path in list(changes.files):
            known = self._workspace.stat_of(path)
            if known is not None and known != NO_STAT and self._stat(path) == known:
                changes.files.discard(path)

    def _is_unfinished(self, path: str) -> bool:
        known = self._workspace.stat_of(path)
        if known is None or not path.endswith((*SUFFIXES, ".j2")):
            return False
        now = self._stat(path)
        return now == NO_STAT or (now[1] == 0 and known[1] != 0)

    def _stat(self, path: str) -> Stat:
        return stat_of(os.path.join(self._root, path))


def _explain(error: OSError, folders: int) -> str:
    """What the system's refusal to watch means. Linux counts its watches by user."""
    text = str(error)
    if "limit" in text or error.errno in (24, 28) or "os error 24" in text or "os error 28" in text:
        limit = ""
        with suppress(OSError, ValueError), open(_LIMIT, encoding="ascii") as file:
            limit = f" (fs.inotify.max_user_watches is {int(file.read()):,})"
        return (
            f"the system's limit of watched folders is reached{limit}, and this project has "
            f"{folders:,}: raise it by `sudo sysctl fs.inotify.max_user_watches=524288` and "
            "`sudo sysctl fs.inotify.max_user_instances=512`, or close what else is watching"
        )
    return f"the system cannot watch the project's folders: {text}"


_LIMIT = "/proc/sys/fs/inotify/max_user_watches"
