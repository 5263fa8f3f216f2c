"""Files and folders that come, go and move; links; what cannot be read."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from .conftest import StartWatch, Watch, descriptions, tool, write


def test_files_come_and_go(project: Path, watch: Watch) -> None:
    write(project / "tooldefs/three.toml", tool("three"))
    assert watch.built()["created"] == [
        "generated/contracts/three.py",
        "generated/handlers/three.py",
    ]
    (project / "tooldefs/three.toml").rename(project / "tooldefs/four.toml")
    assert watch.is_silent()  # the tool's name is in the file
    (project / "tooldefs/four.toml").unlink()
    (warning,) = watch.built()["diagnostics"]
    assert (warning["code"], warning["path"]) == ("G704", "generated/handlers/three.py")
    (project / "generated/handlers/three.py").unlink()
    assert watch.built()["deleted"] == ["generated/contracts/three.py"]
    assert sorted(descriptions(project)) == ["deep", "filler_1", "one", "two"]
    assert watch.is_silent()


def test_a_folder_is_renamed_removed_and_made_again(project: Path, watch: Watch) -> None:
    folder = project / "tooldefs/sub"
    folder.rename(project / "tooldefs/moved")
    assert watch.is_silent()
    write(project / "tooldefs/moved/deep.toml", tool("deep", "Moved"))
    watch.built()
    assert descriptions(project)["deep"] == "Moved"
    shutil.rmtree(project / "tooldefs/moved")
    watch.built()
    assert "deep" not in descriptions(project)
    write(folder / "other.toml", tool("other"))
    assert "generated/contracts/other.py" in watch.built()["created"]
    # The folder is another one than at the start, and watched none the less.
    write(folder / "other.toml", tool("other", "Anew"))
    watch.built()
    assert descriptions(project)["other"] == "Anew"


def test_a_folder_is_replaced_at_once(project: Path, watch: Watch) -> None:
    folder = project / "tooldefs/sub"
    write(project / "new/other.toml", tool("other"))
    folder.rename(project / "old")
    (project / "new").rename(folder)
    while "other" not in descriptions(project) or "deep" in descriptions(project):
        watch.built()
    write(folder / "other.toml", tool("other", "Anew"))
    watch.built()
    assert descriptions(project)["other"] == "Anew"


def test_nested_folders_with_files_at_once(project: Path, watch: Watch) -> None:
    write(project / "tooldefs/a/b/c/far.toml", tool("far"))
    assert "generated/contracts/far.py" in watch.built()["created"]
    write(project / "tooldefs/a/b/c/far.toml", tool("far", "Anew"))
    watch.built()
    write(project / "tooldefs/a/b/near.toml", tool("near"))
    assert "generated/contracts/near.py" in watch.built()["created"]
    assert descriptions(project)["far"] == "Anew"


def test_folders_are_namespaces(project: Path, start_watch: StartWatch) -> None:
    write(project / "toolc.toml", 'namespace = "folder"\n')
    write(project / "tooldefs/sub/deep.toml", 'description = "Deep"\n')
    watch = start_watch()
    watch.event("ready")
    watch.built()
    before = set(descriptions(project))
    (project / "tooldefs/sub").rename(project / "tooldefs/moved")
    assert len(watch.built()["created"]) == 2
    after = set(descriptions(project))
    (old,), (new,) = before - after, after - before
    assert new == old.replace("sub", "moved")
    assert watch.is_silent()


def test_another_branch(project: Path, start_watch: StartWatch) -> None:
    """A thousand files at once."""

    def git(*arguments: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
            cwd=project,
            check=True,
            capture_output=True,
        )

    for name in range(1_000):
        write(project / f"tooldefs/f{name % 10}/t{name}.toml", tool(f"t{name}", "Old"))
    write(project / ".gitignore", "generated/\n.toolc_cache/\n")
    write(project / "toolc.toml", "python = {enabled = false}\n")
    git("init", "-q", "-b", "old")
    git("add", ".")
    git("commit", "-q", "-m", "old")
    git("checkout", "-q", "-b", "new")
    for name in range(1_000):
        write(project / f"tooldefs/f{name % 10}/t{name}.toml", tool(f"t{name}", "New"))
    shutil.rmtree(project / "tooldefs/f3")
    write(project / "tooldefs/g/more.toml", tool("more"))
    git("add", "-A")
    git("commit", "-q", "-m", "new")
    watch = start_watch()
    watch.event("ready")
    watch.built()
    for branch, there, text in (("old", 1_003, "Old"), ("new", 904, "New")):
        git("checkout", "-q", branch)
        builds = 0
        while not (
            len(found := descriptions(project)) == there
            and {found[name] for name in found if name.startswith("t") and name != "two"} == {text}
        ):
            watch.built()
            builds += 1
        assert builds <= 20
    assert watch.root == project


def test_a_link_to_a_file(project: Path, start_watch: StartWatch) -> None:
    write(project / "elsewhere/target.toml", tool("linked"))
    write(project / "elsewhere/other.toml", tool("linked", "Other"))
    link = project / "tooldefs/linked.toml"
    link.symlink_to("../elsewhere/target.toml")
    watch = start_watch()
    watch.event("ready")
    watch.built()
    write(project / "elsewhere/target.toml", tool("linked", "Changed"))
    watch.built()
    assert descriptions(project)["linked"] == "Changed"
    link.unlink()
    link.symlink_to("../elsewhere/other.toml")
    watch.built()
    assert descriptions(project)["linked"] == "Other"
    write(project / "elsewhere/other.toml", tool("linked", "Other, changed"))
    watch.built()
    assert descriptions(project)["linked"] == "Other, changed"
    # What the link once led to is nobody's any more.
    write(project / "elsewhere/target.toml", tool("linked", "Unseen"))
    assert watch.is_silent()


def test_two_links_to_one_file(project: Path, start_watch: StartWatch) -> None:
    write(project / "elsewhere/text.md", "First")
    for name in ("left", "right"):
        write(project / f"tooldefs/{name}.toml", f'descriptionFile = "{name}.md"\n')
        (project / f"tooldefs/{name}.md").symlink_to("../elsewhere/text.md")
    watch = start_watch()
    watch.event("ready")
    watch.built()
    write(project / "elsewhere/text.md", "Second")
    assert watch.built()["changed"] == 2
    assert watch.is_silent()


def test_a_link_to_a_folder(project: Path, start_watch: StartWatch) -> None:
    write(project / "elsewhere/far.toml", tool("far"))
    (project / "tooldefs/link").symlink_to("../elsewhere")
    watch = start_watch()
    watch.event("ready")
    watch.built()
    write(project / "elsewhere/far.toml", tool("far", "Changed"))
    watch.built()
    assert descriptions(project)["far"] == "Changed"
    write(project / "elsewhere/nested/more.toml", tool("more"))
    watch.built()
    assert "more" in descriptions(project)
    (project / "tooldefs/link").unlink()
    watch.built()
    assert "far" not in descriptions(project)


def test_a_link_that_leads_nowhere(project: Path, watch: Watch) -> None:
    (project / "tooldefs/lost.toml").symlink_to("../elsewhere/lost.toml")
    assert watch.failed() == ["tooldefs/lost.toml"]
    write(project / "tooldefs/one.toml", "description = \n")  # it still listens
    assert watch.failed() == ["tooldefs/lost.toml", "tooldefs/one.toml:1:15"]
    write(project / "tooldefs/one.toml", tool("one"))
    assert watch.failed() == ["tooldefs/lost.toml"]
    (project / "tooldefs/lost.toml").unlink()
    assert watch.built()["mended"]


def test_a_link_is_mended_by_its_target(project: Path, watch: Watch) -> None:
    (project / "elsewhere").mkdir()
    (project / "tooldefs/lost.toml").symlink_to("../elsewhere/lost.toml")
    assert watch.failed() == ["tooldefs/lost.toml"]
    write(project / "elsewhere/lost.toml", tool("lost"))
    assert watch.built()["mended"]
    assert "lost" in descriptions(project)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is unreadable to root"
)
def test_a_file_that_may_not_be_read(project: Path, watch: Watch) -> None:
    path = project / "tooldefs/one.toml"
    path.chmod(0)
    assert watch.failed() == ["tooldefs/one.toml"]
    path.chmod(0o644)
    assert watch.built()["mended"]


def test_a_folder_in_a_files_place(project: Path, watch: Watch) -> None:
    path = project / "tooldefs/one.toml"
    path.unlink()
    path.mkdir()
    while "tooldefs/one.toml" not in (event := watch.line()):
        assert '"built"' in event  # without the file, if the folder was not there yet
    path.rmdir()
    write(path, tool("one"))
    watch.line_with('"mended": true')
    while "one" not in descriptions(project):
        watch.built()
