"""`toolc clean`: what toolc wrote goes and comes back; what anybody else wrote stays."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolc import cache

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

Tree = Callable[[Path], dict[str, str]]

OUTPUTS = """
[[outputs]]
template = "tool.txt.j2"
path = "texts/{name}.txt"
"""


@pytest.fixture
def project(project: Path, toolc: Toolc) -> Path:
    """The project that `toolc init` writes, with an output of its own for each tool."""
    (project / "tool.txt.j2").write_text("{{ tool.name }}\n")
    (project / "toolc.toml").write_text((project / "toolc.toml").read_text() + OUTPUTS)
    assert toolc("build").code == 0
    return project


@pytest.fixture
def orphans(project: Path, toolc: Toolc) -> Path:
    """A project in which three more tools have come and gone. Somebody wrote the handler of
    `written`, commented on that of `noted`, and left that of `left` as it was."""
    for name in ("written", "noted", "left"):
        assert toolc("new", name).code == 0
    assert toolc("build").code == 0
    edit(project / "handlers/written.py", "raise NotImplementedError", "return str")
    edit(project / "handlers/noted.py", "    raise", "    # ask Ada\n    raise")
    for name in ("written", "noted", "left"):
        (project / f"tooldefs/{name}.toml").unlink()
    return project


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


class TestEverything:
    def test_goes_and_comes_back(self, project: Path, toolc: Toolc, tree: Tree) -> None:
        before = tree(project)
        ran = toolc("clean")
        assert ran.code == 0
        assert ran.out.startswith("deleted 14 files in ")
        assert sorted(tree(project)) == [
            ".toolc/definition.schema.json",
            ".toolc/project.schema.json",
            "app.py",
            "handlers/__init__.py",
            "handlers/greet.py",
            "tool.txt.j2",
            "toolc.toml",
            "tooldefs/greet.toml",
        ]
        for folder in ("generated", "texts", ".toolc_cache"):
            assert not (project / folder).exists()
        assert toolc("clean").out.startswith("nothing to delete in ")
        assert toolc("build").code == 0
        assert tree(project) == before

    def test_needs_no_definition_that_compiles(self, project: Path, toolc: Toolc) -> None:
        (project / "tooldefs/greet.toml").write_text("keywrods = [\n")
        assert toolc("clean").code == 0
        assert not (project / "generated").exists()

    def test_needs_the_project_file(self, project: Path, toolc: Toolc, tree: Tree) -> None:
        (project / "toolc.toml").write_text("outptu = 1\n")
        before = tree(project)
        ran = toolc("clean")
        assert ran.code == 1
        assert ran.out.endswith("\n1 error; nothing deleted\n")
        assert tree(project) == before

    def test_a_dry_run_deletes_nothing(self, project: Path, toolc: Toolc, tree: Tree) -> None:
        before = tree(project)
        ran = toolc("clean", "--dry-run")
        assert ran.code == 0
        *listed, summary = ran.out.splitlines()
        assert "delete  generated/contracts/greet.py" in listed
        assert "delete  texts/greet.txt" in listed
        assert "delete  generated/contracts/" in listed
        assert "delete  .toolc_cache/" in listed
        assert summary.startswith("would delete 14 files in ")
        assert tree(project) == before
        toolc("clean")
        gone = {f"delete  {path}" for path in before.keys() - tree(project).keys()}
        assert gone == {
            line for line in listed if not line.endswith("/") and ".toolc_cache" not in line
        }

    @pytest.mark.parametrize("path", ["generated/contracts/greet.py", "texts/greet.txt"])
    def test_what_was_edited_is_kept(
        self, project: Path, toolc: Toolc, path: str, tree: Tree
    ) -> None:
        (project / path).write_text((project / path).read_text() + "# mine\n")
        listed = toolc("clean", "--dry-run").out
        assert f"keep    {path}\n" in listed
        assert f"delete  {path.rpartition('/')[0]}/\n" not in listed
        ran = toolc("clean")
        assert ran.code == 0
        assert f"{path}: warning[G703]: edited by hand, so it was kept\n" in ran.out
        assert f"deleted 13 files; kept {path} in " in ran.out
        assert (project / path).read_text().endswith("# mine\n")
        assert "generated/server.py" not in tree(project)

    def test_a_checkout_with_crlf_is_no_edit(self, project: Path, toolc: Toolc) -> None:
        for folder in ("generated", "texts"):
            for path in (project / folder).rglob("*.*"):
                if path.is_file():
                    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        assert "warning" not in toolc("clean").out
        assert not (project / "generated").exists()
        assert not (project / "texts").exists()

    def test_a_handler_is_kept_even_as_a_stub(self, orphans: Path, toolc: Toolc) -> None:
        handlers = {path: path.read_text() for path in (orphans / "handlers").iterdir()}
        assert len(handlers) == 5
        assert toolc("clean").code == 0
        assert {path: path.read_text() for path in (orphans / "handlers").iterdir()} == handlers

    @pytest.mark.parametrize("handlers", ["generated", "generated/handlers"])
    def test_handlers_inside_the_package_are_kept(
        self, project: Path, toolc: Toolc, handlers: str, tree: Tree
    ) -> None:
        edit(project / "toolc.toml", 'handlers = "handlers"', f'handlers = "{handlers}"')
        assert toolc("build").code == 0
        stub = (project / handlers / "greet.py").read_text()
        assert toolc("clean").code == 0
        left = {path: text for path, text in tree(project).items() if path.startswith("generated/")}
        assert left.pop(f"{handlers}/greet.py") == stub
        assert left.keys() <= {"generated/handlers/__init__.py"}

    def test_what_toolc_did_not_write_is_passed_over(
        self, project: Path, toolc: Toolc, tree: Tree
    ) -> None:
        mine = {
            "generated/mine.py": "# mine\n",
            "generated/contracts/mine.py": "",
            "generated/notes.json": "{}\n",
            "texts/other.txt": "greet\n",
        }
        for path, text in mine.items():
            (project / path).write_text(text)
        assert "warning" not in toolc("clean").out
        left = tree(project)
        assert {path: left[path] for path in mine} == mine
        assert {path.partition("/")[0] for path in left} >= {"generated", "texts"}
        assert "generated/server.py" not in left

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("manifest.json", '{"name": "a web page", "icons": []}\n'),
            ("manifest.json", "[" * 100_000),
            ("catalog.json", "[" * 100_000),
            ("catalog.json", '{"tools": {}}\n'),
            ("mcpdesc.json", '["mcpdesc"]\n'),
            ("mcpdesc.json", ""),
        ],
        ids=["manifest", "deep manifest", "deep catalog", "catalog", "mcpdesc", "empty"],
    )
    def test_a_data_file_of_another_shape_is_kept(
        self, project: Path, toolc: Toolc, name: str, text: str
    ) -> None:
        (project / "generated" / name).write_text(text)
        ran = toolc("clean")
        assert ran.code == 0
        assert f"generated/{name}: warning[G703]: not what toolc writes, so it was kept" in ran.out
        assert [path.name for path in (project / "generated").iterdir()] == [name]

    def test_what_a_merge_left_in_a_conflict_is_toolc_s(self, project: Path, toolc: Toolc) -> None:
        for name in ("manifest.json", "catalog.json", "server.py"):
            path = project / "generated" / name
            text = path.read_text()
            path.write_text(f"<<<<<<< ours\n{text}=======\n{text}>>>>>>> theirs\n")
        assert "warning" not in toolc("clean").out
        assert not (project / "generated").exists()

    def test_bytecode_of_what_goes_goes_too(self, project: Path, toolc: Toolc) -> None:
        for folder in ("generated", "generated/contracts", "handlers"):
            (project / folder / "__pycache__").mkdir()
            for module in (project / folder).glob("*.py"):
                (project / folder / f"__pycache__/{module.stem}.cpython-311.pyc").touch()
        assert "delete  generated/__pycache__/\n" in toolc("clean", "--dry-run").out
        assert toolc("clean").code == 0
        assert not (project / "generated").exists()
        assert (project / "handlers/__pycache__/greet.cpython-311.pyc").exists()

    @pytest.mark.parametrize("name", ["notes.txt", "mine.cpython-311.pyc"])
    def test_a_folder_of_bytecode_with_something_else_stays(
        self, project: Path, toolc: Toolc, name: str
    ) -> None:
        (project / "generated/__pycache__").mkdir()
        for file in (name, "server.cpython-311.pyc"):
            (project / "generated/__pycache__" / file).touch()
        (project / "generated/mine.py").touch()
        assert toolc("clean").code == 0
        assert len(list((project / "generated/__pycache__").iterdir())) == 2

    def test_the_project_s_own_folder_stays(self, folder: Path, toolc: Toolc, tree: Tree) -> None:
        (folder / "toolc.toml").write_text('output = "."\n[python]\nenabled = false\n')
        (folder / "tooldefs").mkdir()
        assert toolc("new", "ping").code == 0
        assert toolc("build").code == 0
        assert toolc("clean").code == 0
        assert sorted(tree(folder)) == ["toolc.toml", "tooldefs/ping.toml"]

    def test_the_folders_above_the_outputs_stay(self, project: Path, toolc: Toolc) -> None:
        toolc("clean")
        edit(project / "toolc.toml", "texts/{name}.txt", "docs/tools/{name}.txt")
        toolc("build")
        assert toolc("clean").code == 0
        assert list((project / "docs").iterdir()) == []

    def test_a_catalogue_cannot_name_what_is_not_toolc_s(
        self, project: Path, toolc: Toolc, tree: Tree
    ) -> None:
        """It may have come with the project from anywhere."""
        from toolc.generate.header import text_digest

        (project.parent / "outside.txt").write_text("outside\n")
        paths = ["../outside.txt", "tool.txt.j2", "tooldefs/greet.toml", "handlers/greet.py"]
        catalog = json.loads((project / "generated/catalog.json").read_text())
        for path in (*paths, str(project / "tool.txt.j2")):
            catalog["files"][path] = text_digest((project / path).read_text())
        (project / "generated/catalog.json").write_text(json.dumps(catalog))
        assert toolc("clean").code == 0
        assert all((project / path).exists() for path in paths)

    @pytest.mark.parametrize("link", ["generated", "generated/contracts", "generated/server.py"])
    def test_a_link_that_leads_out_is_refused(
        self, project: Path, toolc: Toolc, link: str, tree: Tree
    ) -> None:
        outside = project.parent / f"{project.name}-outside"
        outside.mkdir()
        (project / link).rename(outside / "it")
        (project / link).symlink_to(outside / "it")
        before = tree(project), tree(outside)
        ran = toolc("clean")
        assert ran.code == 1
        assert "error[G702]: a link leads the output out" in ran.out
        assert ran.out.endswith("; nothing deleted\n")
        assert (tree(project), tree(outside)) == before

    def test_a_link_inside_stays(self, project: Path, toolc: Toolc) -> None:
        contracts, real = project / "generated/contracts", project / "generated/real"
        contracts.rename(real)
        contracts.symlink_to(real)
        assert "delete  generated/contracts/\n" not in toolc("clean", "--dry-run").out
        assert toolc("clean").code == 0
        assert contracts.is_symlink()
        assert list(real.iterdir()) == []

    def test_what_cannot_be_read_stops_it(self, project: Path, toolc: Toolc, tree: Tree) -> None:
        (project / "generated/server.py").unlink()
        (project / "generated/server.py").mkdir()
        before = tree(project)
        ran = toolc("clean")
        assert ran.code == 2
        assert "generated/server.py: error[G705]: the output is a folder" in ran.out
        assert tree(project) == before


class TestTheCache:
    def test_is_known_by_its_tag(self, project: Path, toolc: Toolc) -> None:
        tag = project / ".toolc_cache/CACHEDIR.TAG"
        assert tag.read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")
        tag.write_text("Signature: 0\n")
        before = sorted((project / ".toolc_cache").iterdir())
        assert toolc("clean").out.startswith("deleted 10 files in ")
        assert sorted((project / ".toolc_cache").iterdir()) == before

    def test_loses_only_what_has_toolc_s_names(self, project: Path, toolc: Toolc) -> None:
        folder = project / ".toolc_cache"
        (folder / "mine").write_text("mine\n")
        (folder / "lines-mine").mkdir()
        (folder / "state.link").symlink_to(project / "toolc.toml")
        assert toolc("clean").code == 0
        names = {path.name for path in folder.iterdir()}
        assert names == {"mine", "lines-mine", "state.link"}
        assert (project / "toolc.toml").exists()

    def test_is_left_alone_behind_a_link(self, project: Path, toolc: Toolc) -> None:
        real = project / "elsewhere"
        (project / ".toolc_cache").rename(real)
        (project / ".toolc_cache").symlink_to(real)
        before = sorted(real.iterdir())
        assert toolc("clean").code == 0
        assert sorted(real.iterdir()) == before

    def test_knows_what_a_killed_build_has_written(self, project: Path, toolc: Toolc) -> None:
        """Its journal has the digests that the catalogue has not yet."""
        from toolc.generate.header import text_digest

        for name in ("greet", "new"):
            (project / f"texts/{name}.txt").write_text("newer\n")
        texts = {f"texts/{name}.txt": [text_digest("newer\n")] for name in ("greet", "new")}
        cache.write_journal(str(project), texts, ["texts"], os.getpid())
        assert "warning" not in toolc("clean").out
        assert not (project / "texts").exists()


class TestOrphans:
    def test_untouched_stubs_go_with_their_contracts(
        self, orphans: Path, toolc: Toolc, tree: Tree
    ) -> None:
        before = tree(orphans)
        ran = toolc("clean", "--orphans")
        assert ran.code == 0
        for name in ("written", "noted"):
            assert f"handlers/{name}.py: warning[G704]: its tool is gone; it was kept" in ran.out
        assert "handlers/left.py" not in ran.out
        assert "\ndeleted 5 files in " in ran.out
        after = tree(orphans)
        assert before.keys() - after.keys() == {
            "generated/contracts/left.py",
            "handlers/left.py",
            "texts/left.txt",
            "texts/noted.txt",
            "texts/written.txt",
        }
        assert all(before[path] == text for path, text in after.items())
        assert toolc("clean", "--orphans").out.endswith("2 warnings\n")

    def test_a_project_without_any(self, project: Path, toolc: Toolc, tree: Tree) -> None:
        """The handler of `second` is a stub, and its contract somebody's work: both are in use."""
        toolc("new", "second")
        toolc("build")
        contract = project / "generated/contracts/second.py"
        contract.write_text(contract.read_text() + "# mine\n")
        before = tree(project)
        ran = toolc("clean", "--orphans")
        assert ran.code == 0
        assert ran.out.startswith("nothing to delete in ")
        assert tree(project) == before

    def test_a_dry_run_deletes_nothing(self, orphans: Path, toolc: Toolc, tree: Tree) -> None:
        before = tree(orphans)
        ran = toolc("clean", "--orphans", "--dry-run")
        assert "delete  handlers/left.py\n" in ran.out
        assert "would delete 5 files in " in ran.out
        assert tree(orphans) == before

    def test_errors_among_the_definitions_stop_it(
        self, orphans: Path, toolc: Toolc, tree: Tree
    ) -> None:
        (orphans / "tooldefs/bad.toml").write_text("keywrods = []\n")
        before = tree(orphans)
        for arguments in ([], ["--dry-run"]):
            ran = toolc("clean", "--orphans", *arguments)
            assert ran.code == 1
            assert "error[M102]" in ran.out
            assert ran.out.endswith("1 error in 1 of 2 files; nothing deleted\n")
        assert tree(orphans) == before

    def test_outputs_that_clash_stop_it(self, orphans: Path, toolc: Toolc, tree: Tree) -> None:
        edit(orphans / "toolc.toml", "texts/{name}.txt", "generated/{name}.json")
        toolc("new", "manifest")
        before = tree(orphans)
        ran = toolc("clean", "--orphans")
        assert ran.code == 1
        assert "error[G701]" in ran.out
        assert ran.out.endswith("; nothing deleted\n")
        assert tree(orphans) == before

    def test_a_stub_whose_contract_is_gone_already(self, orphans: Path, toolc: Toolc) -> None:
        assert toolc("clean").code == 0
        assert toolc("build").code == 0
        ran = toolc("clean", "--orphans")
        assert ran.out.startswith("deleted 1 file in ")
        assert not (orphans / "handlers/left.py").exists()
        assert (orphans / "handlers/noted.py").exists()

    def test_a_contract_that_was_edited_is_kept(self, orphans: Path, toolc: Toolc) -> None:
        contract = orphans / "generated/contracts/left.py"
        contract.write_text(contract.read_text() + "# mine\n")
        ran = toolc("clean", "--orphans")
        assert "generated/contracts/left.py: warning[G703]: no definition asks for it" in ran.out
        assert contract.exists()
        assert not (orphans / "handlers/left.py").exists()

    def test_a_stub_that_a_tool_does_without(self, project: Path, toolc: Toolc) -> None:
        """The contract is still the tool's, which has a handler elsewhere now."""
        toolc("new", "ping")
        toolc("build")
        definition = project / "tooldefs/ping.toml"
        definition.write_text('handler = "app.ping:ping"\n' + definition.read_text())
        toolc("build")
        assert toolc("clean", "--orphans").code == 0
        assert not (project / "handlers/ping.py").exists()
        assert (project / "generated/contracts/ping.py").exists()

    def test_a_module_of_the_author_s_own_is_kept(self, project: Path, toolc: Toolc) -> None:
        own = project / "handlers/later.py"
        own.write_text('def later() -> None:\n    raise NotImplementedError("later")\n')
        assert toolc("clean", "--orphans").code == 0
        assert own.exists()

    def test_the_cache_stays_and_is_believed(self, orphans: Path, toolc: Toolc) -> None:
        toolc("build")
        toolc("clean", "--orphans")
        assert (orphans / ".toolc_cache/state").exists()
        assert toolc("build", "--check").code == 0
        assert toolc("build", "--check", "--no-cache").code == 0


class TestFormats:
    def test_json(self, project: Path, toolc: Toolc) -> None:
        path = "generated/contracts/greet.py"
        (project / path).write_text((project / path).read_text() + "# mine\n")
        would = json.loads(toolc("clean", "--dry-run", "--format", "json").out)
        did = json.loads(toolc("clean", "--format", "json").out)
        for report in (would, did):
            assert [found["code"] for found in report["diagnostics"]] == ["G703"]
            summary = report["summary"]
            assert "texts/greet.txt" in summary["deleted"]
            assert summary["kept"] == [path]
            assert (summary["changed"], summary["unchanged"]) == (None, None)
        assert would["summary"]["deleted"] == did["summary"]["deleted"]

    def test_github(self, project: Path, toolc: Toolc, monkeypatch: pytest.MonkeyPatch) -> None:
        path = "generated/server.py"
        (project / path).write_text((project / path).read_text() + "# mine\n")
        monkeypatch.setenv("GITHUB_WORKSPACE", str(project.parent))
        ran = toolc("clean", "--format", "github")
        assert f"::warning file={project.name}/{path},title=toolc G703::edited by hand" in ran.out

    def test_quiet(self, project: Path, toolc: Toolc) -> None:
        assert toolc("clean", "-q") == (0, "", "")
        assert not (project / "generated").exists()
