"""From what the file system tells to `Changes` of a project: which folders to watch, what counts."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress

from toolc.loader import SUFFIXES
from toolc.snapshot import NO_STAT, Changes, Stat, list_folder, names_in, stat_of
from toolc.workspace import Workspace
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

_STEP = 5
"""Milliseconds without a further event after which those that came are taken together."""

_LONGEST = 1_000
"""Milliseconds after which they are taken even if more keep coming."""

_TICK = 50
"""Milliseconds after which the caller is heard even if nothing happens."""

_RESTS_AFTER = 20.0
"""Seconds without any event after which nobody seems to be at work, and so a step and a tick last
longer: to look for events is all that a watch costs then."""

_RESTING_STEP, _RESTING_TICK = 20, 200

_POLL = 300
"""Milliseconds between two looks at a file system that does not tell."""

_RESCAN = 30.0
"""Seconds after which everything is compared once more, as events can be lost; where that takes
long, `_RESCAN_SHARE` times as long as it took."""

_RESCAN_SHARE = 300

_MANY = 16
"""Changes at once from which on more are expected: a branch is switched, a folder unpacked. They are
taken together when there was none for a tick."""

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


class ProjectGone(WatchProblem):
    """There is no project any more."""


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
    nothing that lies below a folder that is passed over. Each is watched at its real place, once,
    whatever names it has in the project.
    """

    def __init__(self, workspace: Workspace, *, poll: bool = False) -> None:
        self._workspace = workspace
        self._root = workspace.root
        self.poll = poll
        self._folders: dict[str, list[str]] = {}
        """By real place: the paths of the folders to watch. Where one is not there, the nearest
        above it stands for it."""
        self._links: dict[str, list[str]] = {}
        """By the real place of a file: the inputs that are links to it."""
        self._files_version: tuple[int, int] = (-1, -1)
        """The workspace's, when the places were taken."""
        self._last = time.monotonic()
        """When something happened last."""
        self._modules: dict[str, frozenset[str]] = {}
        """The Python files in the folders of outputs, where no other new file matters."""

    def __iter__(self) -> Iterator[Noticed]:
        """What happens, as it happens; at least once in a twentieth of a second, something or
        nothing. Raises WatchProblem where the system refuses, and KeyboardInterrupt."""
        while True:
            yield from self._watch()

    def _watch(self) -> Iterator[Noticed]:
        """Until the folders that are to be watched are others."""
        from watchfiles._rust_notify import RustNotify  # as its `watch`, but for the steps

        self._take_places()
        watched = self._folders.keys()
        try:
            with RustNotify(sorted(watched), False, self.poll, _POLL, False, True) as notify:
                yield from self._follow(notify)
        except FileNotFoundError:
            # A folder went just now; if the project's own did, there is nothing left to watch.
            if not os.path.isdir(self._root):
                raise ProjectGone("the project's folder is gone") from None
        except OSError as error:
            raise WatchProblem(_explain(error, len(watched))) from error

    def _follow(self, notify: RustNotify) -> Iterator[Noticed]:
        """As `_watch`, of the places that are being watched."""
        watched = self._folders.keys()
        # At first too: something may have happened before anybody watched.
        rescan = begun = 0.0
        paths: set[str] = set()
        while True:
            is_resting = time.monotonic() > self._last + _RESTS_AFTER
            step, tick = (_RESTING_STEP, _RESTING_TICK) if is_resting else (_STEP, _TICK)
            batch = notify.watch(_LONGEST, step, tick, None)
            if batch == "signal":
                raise KeyboardInterrupt
            if isinstance(batch, str):  # nothing happened
                batch = set()
            else:
                self._last = time.monotonic()
            if not paths:
                begun = time.monotonic()
            paths.update(path for _, path in batch)
            if batch and len(paths) >= _MANY and time.monotonic() < begun + _LONGEST / 1000:
                continue
            if not os.path.isdir(self._root):  # nothing is told of its being moved away
                raise ProjectGone("the project's folder is gone")
            changes = Changes(set(), set())
            if (started := time.monotonic()) >= rescan:
                changes = self._compare()
                ended = time.monotonic()
                rescan = ended + max(_RESCAN, _RESCAN_SHARE * (ended - started))
            noticed = self._notice(paths, changes)
            yield noticed
            is_moved = not paths.isdisjoint(watched)
            paths = set()
            if is_moved or (self._may_move(noticed.changes) and self._take_places()):
                return

    def _may_move(self, changes: Changes | None) -> bool:
        """Whether after these changes, and what was built of them, other places may be those to
        watch."""
        if changes is None:
            return False
        return (
            bool(changes.folders)
            or self._files_version != self._workspace.files_version
            or any(self._is_linked(path) for path in changes.files)
        )

    def _is_linked(self, path: str) -> bool:
        """Whether a file is a link, or was one."""
        is_known = any(path in paths for paths in self._links.values())
        return is_known or os.path.islink(self._place(path))

    def _take_places(self) -> bool:
        """Ask the workspace what is to be watched; whether that is something new."""
        before = self._folders, self._links
        self._files_version = self._workspace.files_version
        self._folders, self._links = {}, self._workspace.linked_inputs()
        for folder in sorted(self._workspace.watched_folders()):
            place = os.path.realpath(self._place(folder))
            names = self._folders.setdefault(_nearest(place), [])
            if os.path.isdir(place):
                names.append(folder)
        for place in self._links:
            # Of one that leads nowhere, what it waits for may begin with a folder.
            self._folders.setdefault(_nearest(os.path.dirname(place)), [])
        folders = self._workspace.output_folders
        self._modules = {
            folder: self._modules[folder] if folder in self._modules else self._list_modules(folder)
            for folder in folders
        }
        return before != (self._folders, self._links)

    def _place(self, path: str) -> str:
        return os.path.join(self._root, path) if path else self._root

    def _list_modules(self, folder: str) -> frozenset[str]:
        names = names_in(list_folder(self._place(folder)))
        return frozenset(name for name in names if name.endswith(".py"))

    def _compare(self) -> Changes:
        """Everything that is not as it was seen last, whatever has been told of it."""
        changes = self._workspace.look()
        for folder, names in self._modules.items():
            self._modules[folder] = self._list_modules(folder)
            if self._modules[folder] != names:
                changes.folders.add(folder)
        return changes

    def _notice(self, places: set[str], changes: Changes) -> Noticed:
        """Add to `changes` what events at these real places mean."""
        is_code = False
        for place in places:
            parent, name = os.path.split(place)
            for folder in self._folders.get(place, ()):
                changes.folders.add(folder or ".")
            for folder in self._folders.get(parent, ()):
                is_code = self._notice_file(folder, name, changes) or is_code
            for path in self._links.get(place, ()):
                if self._workspace.stat_of(path) is not None:
                    self._notice_input(path, changes)
                else:
                    changes.folders.add(path.rpartition("/")[0] or ".")
        return Noticed(changes if changes else None, is_code)

    def _notice_file(self, folder: str, name: str, changes: Changes) -> bool:
        """Whether it is a handler's code."""
        path = f"{folder}/{name}" if folder else name
        if self._workspace.stat_of(path) is not None:
            self._notice_input(path, changes)
        elif name.startswith("."):
            return False
        elif folder in self._modules:
            return self._notice_module(folder, name, changes)
        elif name.endswith((*SUFFIXES, ".j2")) or "." not in name or self._is_folder(path):
            changes.folders.add(folder or ".")
        return False

    def _notice_input(self, path: str, changes: Changes) -> None:
        known = self._workspace.stat_of(path)
        if known == NO_STAT or self._stat(path) != known:
            changes.files.add(path)

    def _notice_module(self, folder: str, name: str, changes: Changes) -> bool:
        if not name.endswith(".py"):
            return False
        names = self._list_modules(folder)
        if names != self._modules[folder]:
            self._modules[folder] = names
            changes.folders.add(folder)
        return folder == self._workspace.handlers_folder

    def _is_folder(self, path: str) -> bool:
        """Whether it is one, or was: the names of folders may have dots."""
        return path in self._workspace.source_folders or os.path.isdir(self._place(path))

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
        if known is None or not path.endswith((*SUFFIXES, ".j2", ".md")):
            return False
        now = self._stat(path)
        return now == NO_STAT or (now[1] == 0 and known[1] != 0)

    def _stat(self, path: str) -> Stat:
        return stat_of(self._place(path))


def _nearest(place: str) -> str:
    """The folder at or above `place` that is there."""
    while not os.path.isdir(place) and os.path.dirname(place) != place:
        place = os.path.dirname(place)
    return place


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
