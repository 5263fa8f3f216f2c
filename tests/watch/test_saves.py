"""Every way in which an editor saves a file is one change, told once."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import BROKEN, StartWatch, Watch, descriptions, outputs, tool, write

NEW = tool("one", "Do it anew")


def in_place(path: Path) -> None:
    path.write_text(NEW, "utf-8")


def atomic(path: Path) -> None:
    beside = path.with_name("tmpabc123")
    beside.write_text(NEW, "utf-8")
    os.replace(beside, path)


def vim(path: Path) -> None:
    """With `backupcopy=no`: the old file becomes the backup, a new one takes its place."""
    probe = path.with_name("4913")
    probe.touch()
    probe.unlink()
    backup = path.with_name(f"{path.name}~")
    path.rename(backup)
    path.write_text(NEW, "utf-8")
    backup.unlink()


def vim_copying(path: Path) -> None:
    """With `backupcopy=yes`: the same file, after a copy was made of it."""
    swap = path.with_name(f".{path.name}.swp")
    swap.write_bytes(b"b0VIM")
    backup = path.with_name(f"{path.name}~")
    backup.write_bytes(path.read_bytes())
    path.write_text(NEW, "utf-8")
    backup.unlink()
    swap.unlink()


def truncating(path: Path) -> None:
    """Empty for a moment."""
    with path.open("w", encoding="utf-8") as file:
        pause()
        file.write(NEW)


def away(path: Path) -> None:
    """Not there for a moment."""
    path.unlink()
    pause()
    path.write_text(NEW, "utf-8")


def in_halves(path: Path) -> None:
    """Broken for a moment."""
    half = NEW.index("Do it")
    with path.open("w", encoding="utf-8") as file:
        file.write(NEW[:half])
        file.flush()
        pause()
        file.write(NEW[half:])


def pause() -> None:
    """What an editor takes between two steps: part of what is saved, nothing is waited for."""
    threading.Event().wait(0.025)


WAYS = [in_place, atomic, vim, vim_copying, truncating, away, in_halves]


@pytest.mark.parametrize("save", WAYS, ids=lambda way: way.__name__)
def test_a_save_is_one_build(project: Path, watch: Watch, save: Callable[[Path], None]) -> None:
    save(project / "tooldefs/one.toml")
    built = watch.built()
    assert (built["changed"], built["created"], built["deleted"]) == (1, [], [])
    assert descriptions(project) == {"deep": "Do deep", "one": "Do it anew", "two": "Do two"}
    assert watch.is_silent()


def test_a_file_that_stays_empty_is_told(project: Path, watch: Watch) -> None:
    (project / "tooldefs/one.toml").write_text("", "utf-8")
    (warning,) = watch.built()["diagnostics"]
    assert warning["path"] == "tooldefs/one.toml" and "empty" in warning["message"]


def test_touching_a_file_does_nothing(project: Path, watch: Watch) -> None:
    before = outputs(project)
    (project / "tooldefs/one.toml").touch()
    (project / "tooldefs").touch()
    (project / "toolc.toml").touch()
    assert watch.is_silent()
    after = outputs(project)
    assert [path for path in before if path.endswith(".py") and "types" not in path] == [
        path for path in before if before[path] == after[path]
    ]


def test_a_save_of_the_same_text_does_nothing(project: Path, watch: Watch) -> None:
    write(project / "tooldefs/one.toml", tool("one"))
    assert watch.is_silent()


def test_saves_while_it_builds_are_not_lost(project: Path, watch: Watch) -> None:
    for number in range(50):
        write(project / "tooldefs/one.toml", tool("one", f"Number {number}"))
    while descriptions(project)["one"] != "Number 49":
        watch.built()


def test_a_change_between_the_first_build_and_the_watch_is_found(
    project: Path, start_watch: StartWatch
) -> None:
    """Whatever the moment, as soon as it is told that changes are noticed, they are."""
    watch = start_watch()
    watch.event("ready")
    write(project / "tooldefs/one.toml", tool("one", "At once"))
    watch.built()
    if descriptions(project)["one"] != "At once":
        watch.built()
    assert descriptions(project)["one"] == "At once"


def test_what_editors_leave_beside_a_file_is_no_definition(project: Path, watch: Watch) -> None:
    for name in (".one.toml.swp", "one.toml~", "#one.toml#", ".#one.toml", "one.toml.bak"):
        (project / "tooldefs" / name).write_text(BROKEN, "utf-8")
    assert watch.is_silent()


def test_names_in_any_script(project: Path, watch: Watch) -> None:
    write(project / "tooldefs/été 日本/one 😀.toml", tool("first"))
    assert "generated/contracts/first.py" in watch.built()["created"]
    write(project / "tooldefs/été 日本/one 😀.toml", tool("first", "Anew"))
    watch.built()
    assert descriptions(project)["first"] == "Anew"


def test_a_file_that_is_too_large(project: Path, watch: Watch) -> None:
    write(project / "tooldefs/one.toml", "#" * 5_000_000)
    assert watch.failed() == ["tooldefs/one.toml"]
    write(project / "tooldefs/one.toml", tool("one"))
    assert watch.built()["mended"]
