"""What editors, shells and git do to definitions, and what a watch makes of it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Watch, stats

Start = Callable[..., Watch]


def test_an_atomic_save(watch: Start) -> None:
    run = watch()
    run.save("tooldefs/greet.toml", 'description = "Hello."\n')
    assert run.expect("built")["changed"] == 1
    assert run.manifest()["greet"]["description"] == "Hello."


def test_a_save_in_place(watch: Start) -> None:
    run = watch()
    run.write("tooldefs/greet.toml", 'description = "Hello."\n')
    run.expect("built")
    assert run.manifest()["greet"]["description"] == "Hello."


def test_a_save_by_way_of_a_backup(watch: Start, project: Path) -> None:
    run = watch()
    place, backup = project / "tooldefs/greet.toml", project / "tooldefs/greet.toml~"
    place.rename(backup)
    time.sleep(0.03)
    place.write_text('description = "Hello."\n')
    backup.unlink()
    event = run.expect("built")
    assert (event["tools"], event["deleted"]) == (2, [])
    assert run.manifest()["greet"]["description"] == "Hello."


def test_a_file_that_is_empty_for_a_moment(watch: Start, project: Path) -> None:
    run = watch()
    with (project / "tooldefs/greet.toml").open("w") as file:
        time.sleep(0.03)
        file.write('description = "Hello."\n')
    assert run.expect("built")["mended"] is False
    assert run.manifest()["greet"]["description"] == "Hello."


def test_a_file_that_is_half_written_for_a_moment(watch: Start, project: Path) -> None:
    run = watch()
    with (project / "tooldefs/greet.toml").open("w") as file:
        file.write('description = "Hel')
        file.flush()
        time.sleep(0.03)
        file.write('lo."\n')
    run.expect("built")
    assert run.manifest()["greet"]["description"] == "Hello."


def test_a_touch_writes_nothing(watch: Start, project: Path) -> None:
    run = watch()
    before = stats(project)
    (project / "tooldefs/greet.toml").touch()
    (project / "generated/manifest.json").touch()
    before["manifest.json"] = stats(project)["manifest.json"]
    time.sleep(0.2)
    assert stats(project) == before
    assert run.is_silent()


def test_files_that_come_go_and_move(watch: Start, project: Path) -> None:
    run = watch()
    run.write("tooldefs/new.toml", 'description = "New."\n')
    assert run.expect("built")["tools"] == 3
    (project / "tooldefs/new.toml").rename(project / "tooldefs/sub/newer.toml")
    run.expect("built")
    assert set(run.manifest()) == {"greet", "newer", "wave"}
    (project / "tooldefs/sub/newer.toml").unlink()
    run.expect("built")
    assert set(run.manifest()) == {"greet", "wave"}


def test_folders_that_move_go_and_come_back(watch: Start, project: Path) -> None:
    run = watch()
    (project / "tooldefs/sub").rename(project / "tooldefs/other")
    run.write("tooldefs/other/wave.toml", 'description = "Wave back."\n')
    while run.expect("built") and run.manifest()["wave"]["description"] != "Wave back.":
        pass
    shutil.rmtree(project / "tooldefs/other")
    while run.expect("built") and set(run.manifest()) != {"greet"}:
        pass
    run.write("tooldefs/other/deep/er/nod.toml", 'description = "Nod."\n')
    while run.expect("built") and set(run.manifest()) != {"greet", "nod"}:
        pass
    run.save("tooldefs/other/deep/er/nod.toml", 'description = "Nod twice."\n')
    run.expect("built")
    assert run.manifest()["nod"]["description"] == "Nod twice."


def test_another_branch(project: Path, watch: Start) -> None:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *identity, *arguments], cwd=project, check=True, capture_output=True)

    def write(word: str) -> None:
        for number in range(1000):
            path = project / f"tooldefs/many/t{number}.toml"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f'description = "{word} {number}."\n')

    (project / ".gitignore").write_text("generated/\n.toolc_cache/\n")
    git("init", "--initial-branch=one")
    write("One")
    git("add", "--all")
    git("commit", "--message=one")
    git("checkout", "-b", "two")
    write("Two")
    git("commit", "--all", "--message=two")
    run = watch()
    git("checkout", "one")
    while run.expect("built") and run.manifest()["t999"]["description"] != "One 999.":
        pass
    assert {tool["description"][:4] for name, tool in run.manifest().items() if name[0] == "t"} == {
        "One "
    }


def test_a_link_to_a_file_and_to_a_folder(project: Path, watch: Start) -> None:
    (project / "elsewhere").mkdir()
    (project / "elsewhere/bow.toml").write_text('description = "Bow."\n')
    (project / "tooldefs/bow.toml").symlink_to(project / "elsewhere/bow.toml")
    (project / "more").mkdir()
    (project / "more/nod.toml").write_text('description = "Nod."\n')
    (project / "tooldefs/linked").symlink_to(project / "more")
    run = watch()
    run.write("elsewhere/bow.toml", 'description = "Bow low."\n')
    run.expect("built")
    assert run.manifest()["bow"]["description"] == "Bow low."
    run.save("more/nod.toml", 'description = "Nod twice."\n')
    run.expect("built")
    assert run.manifest()["nod"]["description"] == "Nod twice."


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root can read every file")
def test_a_file_that_cannot_be_read(project: Path, watch: Start) -> None:
    run = watch()
    (project / "tooldefs/greet.toml").chmod(0)
    assert run.expect("failed")["diagnostics"][0]["path"] == "tooldefs/greet.toml"
    (project / "tooldefs/greet.toml").chmod(0o644)
    assert run.expect("built")["mended"]


def test_what_definitions_use(project: Path, watch: Start) -> None:
    (project / "toolc.toml").write_text('templates = "mine"\n')
    (project / "mine").mkdir()
    (project / "tooldefs/_shared.toml").write_text('[types.Place]\ntype = "string"\n')
    (project / "tooldefs/go.toml").write_text(
        'descriptionFile = "go.md"\nparameters = [{ name = "to", type = "Place" }]\n'
    )
    (project / "tooldefs/go.md").write_text("Go.\n")
    run = watch()
    run.save("tooldefs/go.md", "Go there.\n")
    assert run.expect("built")["changed"] == 1
    assert run.manifest()["go"]["description"] == "Go there."
    run.save("tooldefs/_shared.toml", '[types.Place]\ntype = "int"\n')
    assert run.expect("built")["changed"] == 1
    run.write("mine/init.py.j2", "{{ docstring }}\n# mine\n")
    assert "generated/__init__.py" in run.expect("built")["updated"]
    run.save("toolc.toml", 'templates = "mine"\nrevision = "2025-06-18"\n')
    assert run.expect("built")["mended"] is False
    (project / "tooldefs/go.md").unlink()
    assert run.expect("failed")["diagnostics"]
    run.write("tooldefs/go.md", "Go again.\n")
    assert run.expect("built")["mended"]


def test_an_error_is_told_once_and_leaves_the_last_output(project: Path, watch: Start) -> None:
    run = watch()
    before = stats(project)
    run.save("tooldefs/greet.toml", 'description = "Hello.\n')
    (found,) = run.expect("failed")["diagnostics"]
    assert (found["path"], found["line"]) == ("tooldefs/greet.toml", 1)
    assert stats(project) == before
    run.save("tooldefs/sub/wave.toml", 'description = "Wave on."\n')
    time.sleep(0.3)
    run.save("tooldefs/greet.toml", 'description = "Hello."\n')
    assert run.expect("built")["mended"]
    assert run.manifest()["wave"]["description"] == "Wave on."


def test_the_project_file_breaks_and_is_mended(watch: Start) -> None:
    run = watch()
    run.save("toolc.toml", "output = 1\n")
    assert run.expect("failed")["diagnostics"][0]["path"] == "toolc.toml"
    run.save("toolc.toml", "")
    assert run.expect("built")["mended"]


def test_what_happens_to_outputs(project: Path, watch: Start) -> None:
    run = watch()
    (project / "generated/contracts/greet.py").unlink()
    assert run.expect("built")["created"] == ["generated/contracts/greet.py"]
    (project / "generated/handlers/greet.py").unlink()
    assert run.expect("built")["created"] == ["generated/handlers/greet.py"]
    with (project / "generated/contracts/wave.py").open("a") as file:
        file.write("# mine\n")
    assert run.expect("built")["kept"] == ["generated/contracts/wave.py"]
    (project / "generated/handlers/greet.py").write_text("# mine\n")
    assert (project / "generated/handlers/greet.py").read_text() == "# mine\n"


def test_outputs_among_the_sources_make_no_loop(project: Path, watch: Start) -> None:
    (project / "toolc.toml").write_text('sources = ["."]\n')
    run = watch()
    assert run.is_silent()
    assert run.is_silent()


def test_a_definition_that_polling_finds(watch: Start) -> None:
    run = watch("--poll")
    assert run.first["polling"] is True
    run.save("tooldefs/greet.toml", 'description = "Hello."\n')
    run.expect("built")
    assert run.manifest()["greet"]["description"] == "Hello."


def test_a_command_runs_after_each_good_build(project: Path, watch: Start) -> None:
    run = watch("--exec", "echo started >> log; exec sleep 100")
    assert run.expect("starting")["command"].startswith("echo")
    run.save("tooldefs/greet.toml", 'description = "Hello.\n')
    run.expect("failed")
    run.save("tooldefs/greet.toml", 'description = "Hello."\n')
    run.expect("built")
    run.expect("starting")
    while (project / "log").read_text().count("started") < 2:
        time.sleep(0.01)
    run.end(signal.SIGTERM)
    assert (project / "log").read_text() == "started\n" * 2
