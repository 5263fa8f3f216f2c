"""The cache is never trusted: trouble with it costs time, and nothing else."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from toolc import cache, snapshot
from toolc.cli.main import main
from toolc.snapshot import is_up_to_date

from .conftest import build, tree

GREET = 'description = "Greet."\nparameters = [{ name = "who", type = "string" }]\n'
FOLDER = ".toolc_cache"
needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")
needs_a_user = pytest.mark.skipif(
    hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may do anything"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A built project, of which the next build knows that there is nothing to do."""
    root = tmp_path / "project"
    (root / "tooldefs").mkdir(parents=True)
    (root / "toolc.toml").write_text("")
    (root / "tooldefs/greet.toml").write_text(GREET)
    (root / "tooldefs/wave.toml").write_text('description = "Wave."\n')
    build(root)
    settle(root)
    return root


def settle(root: Path) -> None:
    """Build until nothing is so new any more that it has to be read again."""
    for _ in range(300):
        if is_up_to_date(str(root)):
            return
        time.sleep(0.01)
        build(root)
    raise AssertionError("there is always something to do")


def edit(root: Path) -> dict[str, bytes]:
    """Change a definition; what a build then has to come to."""
    place = root / "tooldefs/greet.toml"
    place.write_text(GREET.replace("Greet.", "Welcome."))
    cold = root.parent / "cold"
    shutil.copytree(root, cold, ignore=shutil.ignore_patterns(FOLDER))
    build(cold, use_cache=False)
    wanted = tree(cold)
    shutil.rmtree(cold)
    return wanted


def assert_right(root: Path, wanted: dict[str, bytes]) -> None:
    """A build with whatever stands there as its cache is right, and so is the next one."""
    assert build(root).report == ""
    assert tree(root) == wanted
    assert build(root).report == ""
    assert tree(root) == wanted


def state_of(root: Path) -> Path:
    return root / FOLDER / "state"


def lines_of(root: Path) -> Path:
    (place,) = (root / FOLDER).glob("lines-*")
    return place


def overwrite(place: Path, data: bytes) -> None:
    """Change what a file holds, and nothing else of it."""
    with place.open("r+b") as file:
        file.write(data)
        file.truncate()


def test_the_folder_is_passed_over_by_git_and_backups(root: Path) -> None:
    assert (root / FOLDER / ".gitignore").read_text() == "*\n"
    assert (root / FOLDER / "CACHEDIR.TAG").read_text().startswith(cache.SIGNATURE)


# What is in the files


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """toolc stays what it is meanwhile."""
    edition = snapshot._edition()
    monkeypatch.setattr(snapshot, "_edition", lambda: edition)


@pytest.mark.usefixtures("quick")
def test_a_state_of_another_length_is_none(root: Path) -> None:
    data = state_of(root).read_bytes()
    for length in range(len(data)):
        overwrite(state_of(root), data[:length])
        assert snapshot.read_state(str(root)) is None, length
    overwrite(state_of(root), data + b"\0")
    assert snapshot.read_state(str(root)) is None
    overwrite(state_of(root), data)
    assert snapshot.read_state(str(root)) is not None


@pytest.mark.usefixtures("quick")
def test_a_state_with_another_byte_is_none(root: Path) -> None:
    data = state_of(root).read_bytes()
    for at in range(len(data)):
        for bit in (1, 16, 128):
            overwrite(state_of(root), data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :])
            # Which of its two parts has it: the index is read where there is something to do.
            state = snapshot.read_state(str(root))
            assert state is None or snapshot.read_index(str(root), state) is None, at


@pytest.mark.parametrize("seed", range(20))
def test_a_build_with_a_broken_state_is_right(root: Path, seed: int) -> None:
    chance, data = random.Random(seed), state_of(root).read_bytes()
    at = chance.randrange(len(data))
    overwrite(
        state_of(root), data[:at] + chance.choice([b"", chance.randbytes(9) + data[at + 9 :]])
    )
    assert_right(root, edit(root))


def test_a_state_of_another_version_is_none(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert snapshot.read_state(str(root)) is not None
    monkeypatch.setattr(snapshot, "__version__", "0.0.1")
    monkeypatch.setattr(snapshot, "_known_edition", b"")
    assert snapshot.read_state(str(root)) is None
    assert_right(root, edit(root))


def truncated(place: Path) -> None:
    overwrite(place, place.read_bytes()[:-1])


def emptied(place: Path) -> None:
    overwrite(place, b"")


def altered(place: Path) -> None:
    overwrite(place, place.read_bytes().replace(b"Greet", b"Grate"))


def lengthened(place: Path) -> None:
    overwrite(place, place.read_bytes() + b"more")


def replaced(place: Path) -> None:
    data = place.read_bytes()
    place.rename(place.parent / "another")
    place.write_bytes(data)


def removed(place: Path) -> None:
    place.unlink()


def made_a_folder(place: Path) -> None:
    place.unlink()
    place.mkdir()


def made_a_pipe(place: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes")
    place.unlink()
    os.mkfifo(place)


@pytest.mark.parametrize("place", [state_of, lines_of])
@pytest.mark.parametrize(
    "how",
    [
        truncated,
        emptied,
        altered,
        lengthened,
        replaced,
        removed,
        made_a_folder,
        made_a_pipe,
    ],
)
def test_whatever_happened_to_a_file(
    root: Path, place: Callable[[Path], Path], how: Callable[[Path], None]
) -> None:
    how(place(root))
    assert_right(root, edit(root))


def test_a_file_of_somebody_elses_beside_the_outputs_is_looked_at_once(root: Path) -> None:
    (root / "generated/notes.txt").write_text("mine")
    (root / "generated/contracts/notes.txt").write_text("mine")
    assert not is_up_to_date(str(root))
    settle(root)


def test_nothing_stays_of_a_tool_that_could_not_be_written(root: Path) -> None:
    contract = root / "generated/contracts/greet.py"
    contract.write_text(contract.read_text() + "# mine\n")
    (root / "tooldefs/greet.toml").write_text('description = "Greet."\n')
    assert "G703" in build(root).report
    (root / "tooldefs/greet.toml").unlink()
    build(root)
    assert b"greet" not in (root / "generated/manifest.json").read_bytes()


def test_lines_that_were_altered_show_when_they_are_needed(root: Path) -> None:
    """A small change needs none of them, and so does not look at them."""
    altered(lines_of(root))
    edit(root)
    build(root)
    wanted = tree(root)
    (root / "generated/manifest.json").unlink()
    assert_right(root, wanted)


def test_lines_that_were_altered_show_in_what_is_not_changed(root: Path) -> None:
    altered(lines_of(root))
    (root / "tooldefs/_shared.toml").write_text("")
    (root / "tooldefs/wink.toml").write_text('description = "Wink."\n')
    build(root)
    assert b"Grate" not in (root / "generated/manifest.json").read_bytes()


@pytest.mark.parametrize("name", ["lock", "journal", "journal.tmp", "state.tmp", "lines-0"])
@pytest.mark.parametrize("how", ["folder", "pipe", "garbage", "deep"])
def test_whatever_stands_in_a_files_place(root: Path, name: str, how: str) -> None:
    place = root / FOLDER / name
    place.unlink(missing_ok=True)
    if how == "folder":
        place.mkdir()
    elif how == "pipe":
        place.touch()
        made_a_pipe(place)
    else:
        place.write_text({"garbage": '{"texts": 3}', "deep": "[" * 100_000}[how])
    assert_right(root, edit(root))


# Where the files are from


def test_a_state_of_another_project_is_none(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(root, other)
    wanted = edit(other)
    shutil.rmtree(other / FOLDER)
    shutil.copytree(root / FOLDER, other / FOLDER)
    assert snapshot.read_state(str(other)) is None
    assert_right(other, wanted)


def test_a_cache_that_was_restored_is_none(root: Path, tmp_path: Path) -> None:
    """Its files are the same to the last attribute but for their places on the disk."""
    kept = tmp_path / "kept"
    shutil.copytree(root / FOLDER, kept)
    wanted = edit(root)
    build(root)
    shutil.rmtree(root / FOLDER)
    shutil.copytree(kept, root / FOLDER)
    assert snapshot.read_state(str(root)) is None
    assert_right(root, wanted)


def test_a_project_that_was_moved_keeps_its_cache(root: Path, tmp_path: Path) -> None:
    moved = root.rename(tmp_path / "moved")
    assert is_up_to_date(str(moved))
    assert_right(moved, edit(moved))


def test_a_project_that_was_copied_is_built_anew(root: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(root, tmp_path / "copy"))
    assert not is_up_to_date(str(copy))
    assert_right(copy, edit(copy))


# The folder


def test_a_folder_that_is_gone(root: Path) -> None:
    shutil.rmtree(root / FOLDER)
    assert_right(root, edit(root))
    assert state_of(root).exists()


def test_a_file_in_the_folders_place(root: Path) -> None:
    shutil.rmtree(root / FOLDER)
    (root / FOLDER).write_text("mine\n")
    assert_right(root, edit(root))
    assert (root / FOLDER).read_text() == "mine\n"


@needs_a_user
@pytest.mark.parametrize("mode", [0o555, 0o000])
def test_a_folder_that_may_not_be_written(root: Path, mode: int) -> None:
    (root / FOLDER).chmod(mode)
    try:
        assert_right(root, edit(root))
    finally:
        (root / FOLDER).chmod(0o755)


def test_a_disk_without_room_for_the_cache(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    wanted = edit(root)
    monkeypatch.setattr(cache, "_write_at", full)
    monkeypatch.setattr(cache, "open_new", full)
    monkeypatch.setattr(snapshot, "open_new", full)
    assert_right(root, wanted)


def test_lines_that_are_not_held_in_memory(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_IN_MEMORY", 0)
    wanted = edit(root)
    assert_right(root, wanted)
    shutil.rmtree(root / FOLDER)
    assert_right(root, wanted)


@needs_links
def test_a_folder_that_is_a_link_is_not_written(root: Path, tmp_path: Path) -> None:
    target = (root / FOLDER).rename(tmp_path / "elsewhere")
    (root / FOLDER).symlink_to(target)
    before = tree(target)
    assert_right(root, edit(root))
    assert tree(target) == before


@needs_links
@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("is_cold", [True, False])
def test_links_in_the_folder_are_not_written_through(
    root: Path, tmp_path: Path, is_there: bool, is_cold: bool
) -> None:
    target = tmp_path / "target"
    target.mkdir()
    names = [".gitignore", "CACHEDIR.TAG", "lock", "journal", "journal.tmp", "state.tmp"]
    names += [f"lines-{number}" for number in range(5)]
    if is_cold:
        names.append("state")
    for name in names:
        (root / FOLDER / name).unlink(missing_ok=True)
        (root / FOLDER / name).symlink_to(target / name)
        if is_there:
            (target / name).write_bytes(b"mine\n")
    before = tree(target)
    assert_right(root, edit(root))
    assert tree(target) == before


@needs_links
def test_lines_that_were_moved_away_are_not_written_through_a_link(
    root: Path, tmp_path: Path
) -> None:
    """They are the very file that the state names."""
    place = lines_of(root)
    target = place.rename(tmp_path / "lines")
    place.symlink_to(target)
    before = target.read_bytes()
    assert_right(root, edit(root))
    assert target.read_bytes() == before


def test_a_journal_removes_nothing_outside_the_project(root: Path, tmp_path: Path) -> None:
    """A folder with a journal may come with a clone."""
    names = [".x.123.tmp", ".y.124.tmp", "z.123.tmp"]
    for folder in (tmp_path, root / "generated"):
        for name in names:
            (folder / name).touch()
    cache.write_journal(str(root), {}, ["..", "generated", str(tmp_path)], 123)
    build(root)
    assert [(tmp_path / name).exists() for name in names] == [True, True, True]
    assert [(root / "generated" / name).exists() for name in names] == [False, True, True]


# What is as new as the cache


def same_size(place: Path, before: bytes = b"Greet.", after: bytes = b"Grate.") -> None:
    assert before in place.read_bytes()
    place.write_bytes(place.read_bytes().replace(before, after))


def test_an_edit_of_the_same_size_and_time_shows(root: Path) -> None:
    place = root / "tooldefs/greet.toml"
    before = place.stat()
    same_size(place)
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert place.stat().st_mtime_ns == before.st_mtime_ns
    assert place.stat().st_size == before.st_size
    assert not is_up_to_date(str(root))
    build(root)
    assert b"Grate." in (root / "generated/manifest.json").read_bytes()


@pytest.mark.parametrize("number", range(20))
def test_an_edit_right_after_a_build_shows(root: Path, number: int) -> None:
    """Within one tick of the file system's clock, nothing but the content may differ."""
    place = root / "tooldefs/greet.toml"
    place.write_text(GREET.replace("Greet.", f"Greet {number}."))
    before = place.stat()
    build(root)
    place.write_text(GREET.replace("Greet.", f"Great {number}."))
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert not is_up_to_date(str(root))
    build(root)
    assert f"Great {number}." in (root / "generated/manifest.json").read_text()


def test_an_edit_of_an_output_right_after_a_build_is_kept(root: Path) -> None:
    place = root / "generated/contracts/greet.py"
    edit(root)
    build(root)
    before = place.stat()
    same_size(place, b"Contract", b"Kontrakt")
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert not is_up_to_date(str(root))
    assert "G703" in build(root).report


def test_another_file_under_the_same_name_shows(root: Path) -> None:
    place = root / "tooldefs/greet.toml"
    before = place.stat()
    other = root / "other"
    other.write_bytes(place.read_bytes().replace(b"Greet.", b"Grate."))
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(place)
    assert not is_up_to_date(str(root))


def test_a_file_from_the_future_is_read_each_time(root: Path) -> None:
    place = root / "tooldefs/greet.toml"
    os.utime(place, (4e9, 4e9))
    build(root)
    assert not is_up_to_date(str(root))
    same_size(place)
    os.utime(place, (4e9, 4e9))
    build(root)
    assert b"Grate." in (root / "generated/manifest.json").read_bytes()


# What else a build depends on


def add_an_override(root: Path) -> None:
    (root / "templates/contract.py.j2").write_text("# other\n")


def make_a_folder_of_a_file(root: Path) -> None:
    (root / "tooldefs/more").unlink()
    (root / "tooldefs/more").mkdir()
    (root / "tooldefs/more/new.toml").write_text('description = "New."\n')


def bring_a_links_target(root: Path) -> None:
    (root / "later").mkdir()
    (root / "later/new.toml").write_text('description = "New."\n')


def delete_a_handler(root: Path) -> None:
    (root / "generated/handlers/greet.py").unlink()


def delete_the_manifest(root: Path) -> None:
    (root / "generated/manifest.json").unlink()


def bring_a_stale_contract(root: Path) -> None:
    contract = root / "generated/contracts/wave.py"
    (root / "generated/contracts/old.py").write_bytes(contract.read_bytes())


def write_pyproject(root: Path) -> None:
    (root / "toolc.toml").rename(root / "kept.toml")
    (root / "pyproject.toml").write_text('[tool.toolc]\nrevision = "2024-11-05"\n')


@needs_links
@pytest.mark.parametrize(
    "step",
    [
        add_an_override,
        make_a_folder_of_a_file,
        bring_a_links_target,
        delete_a_handler,
        delete_the_manifest,
        bring_a_stale_contract,
        write_pyproject,
    ],
)
def test_what_a_build_depends_on_is_looked_at(root: Path, step: Callable[[Path], None]) -> None:
    (root / "templates").mkdir()
    (root / "toolc.toml").write_text('templates = "templates"\n')
    (root / "tooldefs/more").write_text("no definition\n")
    (root / "tooldefs/linked").symlink_to(root / "later")
    settle(root)
    step(root)
    assert not is_up_to_date(str(root))
    cold = Path(shutil.copytree(root, root.parent / "cold", symlinks=True))
    shutil.rmtree(cold / FOLDER)
    (cold / "tooldefs/linked").unlink()
    (cold / "tooldefs/linked").symlink_to(cold / "later")
    assert build(root).report == build(cold, use_cache=False).report
    assert tree(root) == tree(cold)


def test_a_warning_is_said_each_time(root: Path) -> None:
    (root / "tooldefs/wave.toml").unlink()
    first = build(root)
    assert "G704" in first.report
    time.sleep(0.03)
    for _ in range(3):
        assert build(root).report == first.report
        assert not is_up_to_date(str(root))


# Without it


@pytest.fixture
def without(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], int]]:
    monkeypatch.chdir(root)
    yield lambda: main(["build", "--no-cache", "--quiet"])


def test_no_cache_makes_none(root: Path, without: Callable[[], int]) -> None:
    shutil.rmtree(root / FOLDER)
    assert without() == 0
    assert not (root / FOLDER).exists()


def test_no_cache_neither_reads_nor_writes_it(root: Path, without: Callable[[], int]) -> None:
    def everything() -> dict[str, tuple[int, bytes]]:
        places = sorted((root / FOLDER).iterdir())
        return {place.name: (place.stat().st_mtime_ns, place.read_bytes()) for place in places}

    wanted, before = edit(root), everything()
    assert without() == 0
    assert everything() == before
    assert tree(root) == wanted
    assert_right(root, wanted)


def test_no_cache_compiles_everything(root: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "toolc", "build", "--no-cache", "--explain"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.startswith(
        "tooldefs/greet.toml: compiled: new\ntooldefs/wave.toml: compiled: new\n"
    )
