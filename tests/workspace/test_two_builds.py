"""Several builds of one project at once come to what one of them would."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from toolc import cache, driver
from toolc.workspace import open_workspace

from .conftest import build, tree

SETTINGS = """templates = "mine"
[[outputs]]
template = "all.md.j2"
path = "ALL.md"
per = "project"
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project of a few dozen tools, which was not built yet."""
    root = tmp_path / "project"
    (root / "tooldefs").mkdir(parents=True)
    (root / "mine").mkdir()
    (root / "mine/all.md.j2").write_text("{% for tool in tools %}{{ tool.name }}\n{% endfor %}")
    (root / "toolc.toml").write_text(SETTINGS)
    for number in range(40):
        define(root, number, "first")
    return root


def define(root: Path, number: int, word: str) -> None:
    (root / f"tooldefs/tool{number}.toml").write_text(
        f'description = "{word} {number}"\nparameters = [{{ name = "{word}", type = "int" }}]\n'
    )


def start(root: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "toolc", "build", *options],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def from_nothing(root: Path, folder: str) -> dict[str, bytes]:
    """What a build without a cache gives, of the same definitions and handlers."""
    other = root.parent / folder
    for part in ("tooldefs", "mine", "generated/handlers"):
        shutil.copytree(root / part, other / part)
    shutil.copy(root / "toolc.toml", other)
    build(other, use_cache=False)
    return tree(other)


WAITING = "toolc: another build of this project is at work; waiting for it\n"


def test_a_second_build_waits_and_says_so(root: Path) -> None:
    with cache.Lock(str(root)) as lock:
        build(root)
        assert lock.acquire()
        before = tree(root)
        define(root, 3, "second")
        second = start(root)
        assert second.stderr is not None
        assert second.stderr.readline() == WAITING
        assert tree(root).keys() == before.keys()
        # What the first does meanwhile is not lost on it.
        define(root, 4, "second")
        (root / "tooldefs/more.toml").write_text('description = "More."\n')
    out, err = second.communicate(timeout=60)
    assert (second.returncode, err) == (0, "")
    assert "41 tools from 41 files: 3 changed" in out
    assert tree(root) == from_nothing(root, "cold")


def test_what_was_built_while_a_build_waited_is_not_built_over(root: Path) -> None:
    """The second one looks at the disk before it waits; then the definition is changed back."""
    build(root)
    define(root, 3, "second")
    workspace, changes, now = open_workspace(str(root), clock=lambda: 2**62)
    opened = driver.open_project(str(root))
    build(root)
    define(root, 3, "first")
    with workspace.lock():
        built = workspace.build(opened, changes, now=now)
        workspace.commit(built)
        workspace.save(built)
    assert tree(root) == from_nothing(root, "cold")
    assert not build(root).report


def test_a_workspace_that_lives_on_sees_what_other_builds_did(root: Path) -> None:
    """As in a watch, which is told what changed but for what stands as it was written."""
    workspace, changes, now = open_workspace(str(root), clock=lambda: 2**62)
    opened = driver.open_project(str(root))
    for number in range(6):
        if number % 2:
            define(root, number, "other")
            build(root)
        define(root, number, f"word{number}")
        changes = changes if number == 0 else workspace.look()
        with workspace.lock():
            built = workspace.build(opened, changes, now=now)
            assert not workspace.commit(built)
            workspace.save(built)
        assert tree(root) == from_nothing(root, f"cold{number}")


def test_the_settings_are_those_after_the_wait(root: Path) -> None:
    build(root)
    with cache.Lock(str(root)) as lock:
        assert lock.acquire()
        second = start(root)
        assert second.stderr is not None
        assert second.stderr.readline() == WAITING
        (root / "toolc.toml").write_text(SETTINGS.replace("ALL.md", "EVERYTHING.md"))
    second.communicate(timeout=60)
    assert tree(root) == from_nothing(root, "cold")
    assert not (root / "ALL.md").exists()


@pytest.mark.parametrize("option", ["--check", "--no-cache", "--dry-run"])
def test_every_kind_of_build_waits(root: Path, option: str) -> None:
    build(root)
    with cache.Lock(str(root)) as lock:
        assert lock.acquire()
        second = start(root, option)
        assert second.stderr is not None
        assert second.stderr.readline() == WAITING
    second.communicate(timeout=60)
    assert second.returncode == 0


def test_a_lock_whose_file_was_removed_is_taken_anew(root: Path) -> None:
    first, second, third = (cache.Lock(str(root)) for _ in range(3))
    build(root)
    assert first.acquire()
    waiter = start_waiting(second)
    shutil.rmtree(root / ".toolc_cache")
    (root / ".toolc_cache").mkdir()
    first.release()
    waiter.join()
    last = start_waiting(third)
    second.release()
    last.join()
    third.release()


def start_waiting(lock: cache.Lock) -> threading.Thread:
    """Have another thread take a lock that is taken."""
    is_waiting = threading.Event()
    thread = threading.Thread(target=lock.acquire, args=[is_waiting.set])
    thread.start()
    assert is_waiting.wait(60)
    return thread


@pytest.mark.parametrize("options", [(), ("--no-cache",)], ids=["cached", "not cached"])
def test_builds_at_once(root: Path, options: tuple[str, ...]) -> None:
    """Round after round, with edits while they run; a last build then puts everything right."""
    gone = set()
    for number in range(5):
        define(root, number, f"word{number}")
        define(root, number + 20, f"word{number}")
        builds = [start(root), start(root, *options)]
        define(root, number + 5, f"word{number}")
        (root / f"tooldefs/tool{number + 10}.toml").unlink()
        gone.add(f"generated/contracts/tool{number + 10}.py")
        builds.append(start(root))
        for process in builds:
            out, err = process.communicate(timeout=60)
            # A definition may go between the search and the reading.
            assert process.returncode == 0 or "L101" in out, out + err
            assert err in ("", WAITING)
        assert "G703" not in build(root).report
        wanted, found = from_nothing(root, f"cold{number}"), tree(root)
        assert {path: found[path] for path in found if path in wanted} == wanted
        # The contracts of tools that are gone stay with their handlers.
        assert found.keys() - wanted.keys() <= gone


def test_first_builds_at_once(root: Path) -> None:
    """Not even the folder of the lock is there when they start."""
    builds = [start(root) for _ in range(6)]
    for process in builds:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, out
        assert err in ("", WAITING)
    assert tree(root) == from_nothing(root, "cold")
