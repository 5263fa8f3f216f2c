"""The disk, on real temporary folders."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from toolc import files
from toolc.model.artifact import Action, Change, Owner, Plan
from toolc.model.diagnostic import Diagnostic

SUFFIXES = (".toml", ".yaml", ".yml", ".json")


def rights_are_ignored() -> bool:
    """Whether this process may read what its owner closed, as root mostly may."""
    with tempfile.TemporaryDirectory() as folder:
        closed = Path(folder, "closed")
        closed.touch(mode=0)
        return os.access(closed, os.R_OK)


needs_rights = pytest.mark.skipif(rights_are_ignored(), reason="may read and write everything")


def lay(root: Path, *paths: str) -> None:
    """Files with their own path as text; a path that ends in `/` is a folder."""
    for path in paths:
        place = root / path
        if path.endswith("/"):
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(path)


def said(diagnostics: tuple[Diagnostic, ...]) -> list[tuple[str, str]]:
    return [(diagnostic.code, diagnostic.path) for diagnostic in diagnostics]


class TestSources:
    def find(self, root: Path, *sources: str, skip: tuple[str, ...] = ()) -> tuple[str, ...]:
        found, problems, _ = files.find_sources(str(root), sources, SUFFIXES, skip)
        assert problems == ()
        return found

    def test_a_folder_is_searched_to_the_bottom_and_sorted(self, tmp_path: Path) -> None:
        lay(tmp_path, "defs/b.toml", "defs/a.yaml", "defs/sub/deep/c.json", "defs/readme.md")
        assert self.find(tmp_path, "defs") == (
            "defs/a.yaml",
            "defs/b.toml",
            "defs/sub/deep/c.json",
        )

    def test_private_folders_and_hidden_files_are_passed_over(self, tmp_path: Path) -> None:
        lay(tmp_path, "defs/_old/a.toml", "defs/.git/a.toml", "defs/.#a.toml", "defs/_shared.toml")
        assert self.find(tmp_path, "defs") == ("defs/_shared.toml",)

    def test_a_source_may_be_a_file_and_overlap(self, tmp_path: Path) -> None:
        lay(tmp_path, "defs/sub/a.toml", "b.toml")
        assert self.find(tmp_path, "defs", "./defs/sub/", "b.toml", "defs/sub/a.toml") == (
            "b.toml",
            "defs/sub/a.toml",
        )

    def test_the_root_itself_without_outputs_and_project_file(self, tmp_path: Path) -> None:
        lay(tmp_path, "toolc.toml", "a.toml", "generated/manifest.json", "x/generated/b.json")
        assert self.find(tmp_path, ".", skip=("generated", "toolc.toml")) == (
            "a.toml",
            "x/generated/b.json",
        )

    def test_an_output_folder_is_skipped_under_a_link_too(self, tmp_path: Path) -> None:
        lay(tmp_path, "generated/manifest.json", "defs/a.toml")
        (tmp_path / "defs/out").symlink_to(tmp_path / "generated")
        assert self.find(tmp_path, "defs", skip=("generated",)) == ("defs/a.toml",)

    def test_links_to_files_and_folders_are_followed_once(self, tmp_path: Path) -> None:
        lay(tmp_path, "elsewhere/x.toml", "defs/a.toml")
        (tmp_path / "defs/b.toml").symlink_to(tmp_path / "elsewhere/x.toml")
        (tmp_path / "defs/one").symlink_to(tmp_path / "elsewhere")
        (tmp_path / "defs/two").symlink_to(tmp_path / "elsewhere")
        assert self.find(tmp_path, "defs") == ("defs/a.toml", "defs/b.toml", "defs/one/x.toml")

    def test_links_in_a_circle_end(self, tmp_path: Path) -> None:
        lay(tmp_path, "defs/sub/a.toml")
        (tmp_path / "defs/sub/up").symlink_to(tmp_path / "defs")
        (tmp_path / "defs/self").symlink_to("self")
        assert self.find(tmp_path, "defs") == ("defs/sub/a.toml",)

    def test_a_real_name_goes_before_a_link(self, tmp_path: Path) -> None:
        lay(tmp_path, "defs/z/a.toml")
        (tmp_path / "defs/a").symlink_to("z")
        assert self.find(tmp_path, "defs") == ("defs/z/a.toml",)

    def test_the_source_folder_may_be_a_link(self, tmp_path: Path) -> None:
        lay(tmp_path, "elsewhere/x.toml")
        (tmp_path / "defs").symlink_to("elsewhere")
        assert self.find(tmp_path, "defs") == ("defs/x.toml",)

    def test_what_cannot_be_a_definition_is_said(self, tmp_path: Path) -> None:
        lay(tmp_path, "defs/folder.toml/", "defs/fine.toml")
        (tmp_path / "defs/dangling.toml").symlink_to("nowhere.toml")
        (tmp_path / "defs/circle.toml").symlink_to("circle.toml")
        os.mkfifo(tmp_path / "defs/pipe.toml")
        (tmp_path / os.fsdecode(b"defs/latin\xe9.toml")).write_text("")
        found, problems, _ = files.find_sources(str(tmp_path), ["defs"], SUFFIXES)
        assert found == ("defs/fine.toml",)
        assert sorted(said(problems)) == [
            ("L101", "defs/circle.toml"),
            ("L101", "defs/dangling.toml"),
            ("L101", "defs/folder.toml"),
            ("L101", "defs/latin?.toml"),
            ("L101", "defs/pipe.toml"),
        ]
        messages = " ".join(problem.message for problem in problems)
        assert '"nowhere.toml", which is no file' in messages
        assert "folder, though its name is a definition's" in messages

    def test_a_source_that_is_not_there(self, tmp_path: Path) -> None:
        lay(tmp_path, "notes.txt")
        found, problems, _ = files.find_sources(str(tmp_path), ["defs", "notes.txt"], SUFFIXES)
        assert found == ()
        assert said(problems) == [("P604", "defs"), ("P604", "notes.txt")]
        assert problems[0].message == 'the source "defs" is not there'

    @needs_rights
    def test_a_folder_that_may_not_be_read(self, tmp_path: Path) -> None:
        lay(tmp_path, "defs/secret/a.toml", "defs/b.toml")
        (tmp_path / "defs/secret").chmod(0)
        try:
            found, problems, _ = files.find_sources(str(tmp_path), ["defs"], SUFFIXES)
        finally:
            (tmp_path / "defs/secret").chmod(0o700)
        assert found == ("defs/b.toml",)
        assert said(problems) == [("L101", "defs/secret")]


class TestReading:
    def test_bytes_as_they_are(self, tmp_path: Path) -> None:
        (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbfa = 1\r\n\x00")
        assert files.read_bytes(str(tmp_path), "a.toml") == b"\xef\xbb\xbfa = 1\r\n\x00"

    @pytest.mark.parametrize(
        ("path", "code", "part"),
        [
            ("missing.toml", "L101", "is not there"),
            ("folder", "L101", "is a folder"),
            ("pipe", "L101", "neither a file nor a folder"),
            ("circle", "L101", "leads back to itself"),
            ("a.toml/b", "L101", "below something that is not a folder"),
            ("x" * 300, "L101", "too long"),
            ("large.toml", "L109", "more than the 10 bytes"),
        ],
    )
    def test_what_cannot_be_read(self, tmp_path: Path, path: str, code: str, part: str) -> None:
        lay(tmp_path, "folder/", "a.toml")
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "circle").symlink_to("circle")
        (tmp_path / "large.toml").write_bytes(b"x" * 11)
        problem = files.read_bytes(str(tmp_path), path, limit=10)
        assert isinstance(problem, Diagnostic)
        assert problem.code == code
        assert part in problem.message

    @needs_rights
    def test_a_file_that_may_not_be_read(self, tmp_path: Path) -> None:
        lay(tmp_path, "a.toml")
        (tmp_path / "a.toml").chmod(0)
        problem = files.read_bytes(str(tmp_path), "a.toml")
        assert isinstance(problem, Diagnostic)
        assert problem.message == "the file cannot be used: permission denied"

    def test_standing_texts(self, tmp_path: Path) -> None:
        lay(tmp_path, "a.py", "folder/")
        (tmp_path / "latin.py").write_bytes(b"\xe9\r\n")
        texts, problems = files.read_standing(
            str(tmp_path), ["a.py", "latin.py", "missing.py", "folder"]
        )
        assert texts == {"a.py": "a.py", "latin.py": "\udce9\r\n"}
        assert said(problems) == [("G705", "folder")]

    def test_no_text_stands_where_there_is_no_folder(self, tmp_path: Path) -> None:
        lay(tmp_path, "out/a.py")
        standing = files.StandingFiles(str(tmp_path), ["out/a.py", "out/b.py", "no/c.py"])
        assert dict(standing) == {"out/a.py": "out/a.py"}
        assert standing.problems == []

    def test_listing(self, tmp_path: Path) -> None:
        lay(tmp_path, "c/b.py", "c/a.py", "c/a.txt", "c/sub/d.py")
        assert files.list_folder(str(tmp_path), "c", ".py") == ("c/a.py", "c/b.py")
        assert files.list_folder(str(tmp_path), "none", ".py") == ()


class TestProject:
    def test_the_nearest_upwards_wins(self, tmp_path: Path) -> None:
        lay(tmp_path, "toolc.toml", "inner/.git/", "inner/deep/")
        found = files.find_project(str(tmp_path / "inner/deep"))
        assert found == (str(tmp_path), "toolc.toml")

    @pytest.mark.parametrize(
        ("pyproject", "is_project"),
        [
            ("[tool.toolc]\n", True),
            ("[tool]\ntoolc = {}\n", True),
            ("tool.toolc.output = 'x'\n", True),
            ("[tool.toolc]\nbroken", True),
            ("[project]\ndependencies = ['toolc']\n", False),
            ("[tool.other]\ntoolc = 1\n", False),
            ("broken toolc", False),
        ],
    )
    def test_pyproject(self, tmp_path: Path, pyproject: str, is_project: bool) -> None:
        (tmp_path / "pyproject.toml").write_text(pyproject)
        assert files.project_file(str(tmp_path)) == ("pyproject.toml" if is_project else "")

    def test_toolc_toml_goes_before_pyproject(self, tmp_path: Path) -> None:
        (tmp_path / "pyproject.toml").write_text("[tool.toolc]\n")
        lay(tmp_path, "toolc.toml")
        assert files.project_file(str(tmp_path)) == "toolc.toml"


def create(path: str, text: str = "new\n", owner: Owner = Owner.CODE) -> Change:
    return Change(Action.CREATE, path, None, text, owner)


def update(path: str, text: str = "new\n") -> Change:
    return Change(Action.UPDATE, path, "old", text, Owner.CODE)


def remove(path: str) -> Change:
    return Change(Action.DELETE, path, "old", None, Owner.CODE)


class TestCommit:
    def commit(
        self, root: Path, *changes: Change, folders: tuple[str, ...] = ("out",)
    ) -> tuple[Diagnostic, ...]:
        return files.commit(str(root), Plan(changes, 0), folders).problems

    def tree(self, root: Path) -> dict[str, str]:
        return {
            path.relative_to(root).as_posix(): path.read_bytes().decode()
            for path in sorted(root.rglob("*"))
            if path.is_file()
        }

    def test_creates_updates_deletes(self, tmp_path: Path) -> None:
        lay(tmp_path, "out/old.py", "out/gone.py")
        (tmp_path / "out/old.py").chmod(0o751)
        problems = self.commit(
            tmp_path,
            create("out/deep/er/a.py", "é\n"),
            create("out/b.py", owner=Owner.HUMAN),
            update("out/old.py"),
            remove("out/gone.py"),
            remove("out/never.py"),
        )
        assert problems == ()
        assert self.tree(tmp_path) == {
            "out/b.py": "new\n",
            "out/deep/er/a.py": "é\n",
            "out/old.py": "new\n",
        }
        assert (tmp_path / "out/old.py").stat().st_mode & 0o777 == 0o751

    def test_an_author_s_file_is_never_overwritten(self, tmp_path: Path) -> None:
        lay(tmp_path, "out/handler.py")
        assert self.commit(tmp_path, create("out/handler.py", owner=Owner.HUMAN)) == ()
        assert self.tree(tmp_path) == {"out/handler.py": "out/handler.py"}

    def test_a_failure_changes_nothing(self, tmp_path: Path) -> None:
        lay(tmp_path, "out/a.py", "out/file", "out/z.py")
        before = self.tree(tmp_path)
        problems = self.commit(
            tmp_path,
            update("out/a.py"),
            create("out/handler.py", owner=Owner.HUMAN),
            create("out/file/below.py"),
            remove("out/z.py"),
        )
        assert said(problems) == [("G705", "out/file/below.py")]
        assert self.tree(tmp_path) == before

    def test_a_folder_in_a_file_s_place(self, tmp_path: Path) -> None:
        lay(tmp_path, "out/a.py/")
        problems = self.commit(tmp_path, create("out/a.py"), create("out/b.py"))
        assert said(problems) == [("G705", "out/a.py")]
        assert self.tree(tmp_path) == {"out/b.py": "new\n"}

    def test_an_interruption_leaves_no_half_written_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lay(tmp_path, "out/a.py")
        before = self.tree(tmp_path)

        def interrupt(source: str, target: str) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(os, "replace", interrupt)
        with pytest.raises(KeyboardInterrupt):
            self.commit(tmp_path, update("out/a.py"), create("out/b.py"))
        assert self.tree(tmp_path) == before

    @needs_rights
    def test_a_folder_that_may_not_be_written(self, tmp_path: Path) -> None:
        lay(tmp_path, "out/sub/")
        (tmp_path / "out/sub").chmod(0o500)
        problems = self.commit(tmp_path, create("out/a.py"), create("out/sub/b.py"))
        assert said(problems) == [("G705", "out/sub/b.py")]
        assert self.tree(tmp_path) == {}

    def test_a_temporary_file_of_a_killed_build_is_no_obstacle(self, tmp_path: Path) -> None:
        lay(tmp_path, f"out/.a.py.{os.getpid()}.tmp")
        assert self.commit(tmp_path, create("out/a.py")) == ()
        assert self.tree(tmp_path) == {"out/a.py": "new\n"}

    @pytest.mark.parametrize(
        "change", [create("out/a.py"), create("out/a.py", owner=Owner.HUMAN), remove("out/a.py")]
    )
    def test_no_link_leads_out_of_the_folder(self, tmp_path: Path, change: Change) -> None:
        lay(tmp_path, "victim", "out/", "fine/out/")
        (tmp_path / "out/a.py").symlink_to(tmp_path / "victim")
        assert said(self.commit(tmp_path, create("out/b.py"), change)) == [("G702", "out/a.py")]
        assert self.tree(tmp_path / "out") == {"a.py": "victim"}

    def test_no_linked_folder_leads_out(self, tmp_path: Path) -> None:
        lay(tmp_path, "victim/", "out/")
        (tmp_path / "out/sub").symlink_to(tmp_path / "victim")
        assert said(self.commit(tmp_path, create("out/sub/a.py"))) == [("G702", "out/sub/a.py")]
        assert self.tree(tmp_path) == {}

    def test_an_output_folder_outside_the_project(self, tmp_path: Path) -> None:
        lay(tmp_path, "project/", "victim/")
        (tmp_path / "project/out").symlink_to(tmp_path / "victim")
        problems = self.commit(tmp_path / "project", create("out/a.py"))
        assert said(problems) == [("G702", "out/a.py")]

    def test_links_inside_the_folder_stay_links(self, tmp_path: Path) -> None:
        lay(tmp_path, "real/x.py", "real/sub/")
        (tmp_path / "out").symlink_to("real")
        (tmp_path / "real/a.py").symlink_to("x.py")
        assert self.commit(tmp_path, update("out/a.py"), create("out/sub/b.py")) == ()
        assert self.tree(tmp_path / "real") == {
            "a.py": "new\n",
            "sub/b.py": "new\n",
            "x.py": "new\n",
        }
        assert (tmp_path / "out/a.py").is_symlink()


@pytest.mark.parametrize(
    ("path", "folder", "expected"),
    [
        ("/p/out", "/p/out", True),
        ("/p/out/a", "/p/out", True),
        ("/p/out-old/a", "/p/out", False),
        ("/p", "/p/out", False),
        ("/anything", "/", True),
    ],
)
def test_is_within(path: str, folder: str, expected: bool) -> None:
    assert files.is_within(path, folder) is expected
