"""Where the system tells nothing, too little, or refuses; within this process."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any, ClassVar

import pytest
from watchfiles import _rust_notify

from toolc import driver
from toolc.cli import watch as command
from toolc.cli.options import parse
from toolc.watching import Watcher, WatchProblem, mute_file_system
from toolc.workspace import open_workspace

from .conftest import tool, write

MOUNTS = """\
sysfs /sys sysfs rw 0 0
overlay / overlay rw 0 0
C:\\134 /mnt/c 9p rw 0 0
//server/share /mnt/share cifs rw 0 0
server:/home /home nfs4 rw 0 0
/dev/sda1 /home/local ext4 rw 0 0
host /media/my\\040share vboxsf rw 0 0
short
"""


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/srv/project", ""),
        ("/mnt/c/project", "a share of a virtual machine's host"),
        ("/mnt/c", "a share of a virtual machine's host"),
        ("/mnt/cellar", ""),
        ("/mnt/share/project", "a Windows share"),
        ("/home/me/project", "a network share"),
        ("/home/local/project", ""),
        ("/media/my share/project", "a shared folder of a virtual machine"),
    ],
)
def test_file_systems_that_do_not_tell(tmp_path: Path, folder: str, kind: str) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(MOUNTS, "utf-8")
    assert mute_file_system(folder, str(mounts)) == kind


def test_no_table_of_mounts(tmp_path: Path) -> None:
    assert mute_file_system("/home", str(tmp_path / "none")) == ""


@pytest.fixture
def watcher(project: Path) -> Watcher:
    """Over the project, built."""
    opened = driver.open_project(str(project))
    workspace, changes, now = open_workspace(opened.root, clock=time.time_ns)
    workspace.commit(workspace.build(opened, changes, now=now))
    return Watcher(workspace)


class Silent:
    """A system that never tells anything."""

    def __init__(self, *_: Any) -> None:
        pass

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def watch(self, *_: Any) -> str:
        return "timeout"


class Refusing(Silent):
    """A system that has no more watches to give; under polling, one that is ended at once."""

    def __init__(self, _paths: list[str], _debug: bool, force_polling: bool, *_: Any) -> None:
        if not force_polling:
            raise OSError(28, "OS file watch limit reached")
        self.answers = iter(["timeout", "signal"])

    def watch(self, *_: Any) -> str:
        return next(self.answers)


class Steady(Silent):
    """One that notes how it is asked."""

    asked: ClassVar[list[tuple[int, ...]]] = []

    def watch(self, *how: Any) -> str:
        self.asked.append(how[:3])
        return "timeout"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda root: write(root / "tooldefs/new.toml", tool("new")), "tooldefs"),
        (lambda root: write(root / "tooldefs/one.toml", tool("one", "Anew")), "tooldefs/one.toml"),
        (lambda root: (root / "generated/handlers/one.py").unlink(), "generated/handlers"),
        (lambda root: (root / "generated/manifest.json").unlink(), "generated/manifest.json"),
        (lambda root: write(root / "toolc.toml", "\n"), "toolc.toml"),
    ],
    ids=["new", "changed", "handler", "output", "project"],
)
def test_lost_events_are_found(
    project: Path,
    watcher: Watcher,
    monkeypatch: pytest.MonkeyPatch,
    change: Any,
    expected: str,
) -> None:
    monkeypatch.setattr(_rust_notify, "RustNotify", Silent)
    watching = iter(watcher)
    next(watching)  # everything is compared when it begins
    change(project)
    assert next(watching).changes is None
    now = time.monotonic() + 1_000
    monkeypatch.setattr(time, "monotonic", lambda: now)
    changes = next(watching).changes
    assert changes is not None
    assert expected in changes.files | changes.folders


def test_it_is_less_eager_at_rest(watcher: Watcher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_rust_notify, "RustNotify", Steady)
    watching = iter(watcher)
    next(watching)
    now = time.monotonic() + 60
    monkeypatch.setattr(time, "monotonic", lambda: now)
    next(watching)
    (_, step, tick), (_, later_step, later_tick) = Steady.asked
    assert step < later_step and tick < later_tick


def test_the_limit_is_explained(watcher: Watcher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_rust_notify, "RustNotify", Refusing)
    with pytest.raises(WatchProblem, match=r"limit of watched folders is reached.*sysctl"):
        next(iter(watcher))


def test_the_limit_leads_to_polling(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_rust_notify, "RustNotify", Refusing)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.chdir(project)
    with pytest.raises(KeyboardInterrupt):
        command.run(parse("watch", "", command.OPTIONS, []))
    told = capsys.readouterr()
    assert "limit of watched folders" in told.err and "again and again instead" in told.err
    assert os.path.exists(project / "generated/manifest.json")
