"""Each command in a real folder: what it writes, what it says, and its exit code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolc.check.stubs import is_stub

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

Spawn = Callable[..., "subprocess.CompletedProcess[bytes]"]


def tree(folder: Path) -> dict[str, str]:
    """Every file below `folder` with its text."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


class TestInit:
    def test_writes_a_project_that_builds(self, folder: Path, toolc: Toolc) -> None:
        ran = toolc("init", "notes")
        assert ran.code == 0
        assert ran.out == (
            "wrote toolc.toml, tooldefs/greet.toml, handlers/__init__.py, handlers/greet.py\n"
            "what builds write to generated/ is meant to be committed, like the rest\n"
            "next: cd notes && toolc build && toolc serve --transport http\n"
        )
        assert 'name = "notes"' in (folder / "notes/toolc.toml").read_text()
        os.chdir(folder / "notes")
        built = toolc("build", "--release", "--strict")
        assert built.code == 0, built.out
        assert built.out.startswith("1 tool from 1 file: 1 changed, 0 up to date; wrote ")
        checked = toolc("check", "--handlers", "--strict")
        assert checked.code == 0, checked.out

    def test_overwrites_nothing(self, folder: Path, toolc: Toolc) -> None:
        (folder / "handlers").mkdir()
        (folder / "handlers/greet.py").write_text("mine\n")
        ran = toolc("init")
        assert ran.code == 0
        assert "kept handlers/greet.py, which stood there already" in ran.out
        assert (folder / "handlers/greet.py").read_text() == "mine\n"
        again = toolc("init")
        assert "wrote" not in again.out

    @pytest.mark.parametrize(
        ("path", "settings", "written"),
        [
            (
                "pyproject.toml",
                "[tool.toolc]\n",
                "tooldefs/greet.toml, generated/handlers/__init__.py, generated/handlers/greet.py",
            ),
            (
                "pyproject.toml",
                '[tool.toolc]\nsources = ["a.toml", "defs"]\n[tool.toolc.python]\n'
                'package = "api.mcp"\nhandlers = "own"\n',
                "defs/greet.toml, own/__init__.py, own/greet.py",
            ),
            ("toolc.toml", "[python]\nenabled = false\n", "tooldefs/greet.toml"),
            (
                "toolc.toml",
                'sources = ["."]\n[python]\nhandlers = "generated"\n',
                "greet.toml, generated/greet.py",
            ),
        ],
    )
    def test_fits_into_a_project(
        self, folder: Path, toolc: Toolc, path: str, settings: str, written: str
    ) -> None:
        (folder / path).write_text(settings)
        (folder / "a.toml").write_text("")
        ran = toolc("init")
        assert ran.code == 0
        assert ran.out.startswith(f"wrote {written}, as {path} has it\n")
        assert set(tree(folder)) == {path, "a.toml", *written.split(", ")}
        (folder / "a.toml").unlink()
        if "a.toml" in settings:
            (folder / path).write_text(settings.replace('"a.toml", ', ""))
        built = toolc("build", "--release", "--strict")
        assert built.code == 0, built.out
        checked = toolc("check", "--handlers", "--strict")
        assert checked.code == 0, checked.out

    def test_a_project_with_errors(self, folder: Path, toolc: Toolc) -> None:
        (folder / "pyproject.toml").write_text("[tool.toolc]\noutptu = 1\n")
        ran = toolc("init")
        assert ran.code == 1
        assert "pyproject.toml:2:1: error[P602]" in ran.out
        assert set(tree(folder)) == {"pyproject.toml"}

    def test_mypy_takes_what_it_writes(self, project: Path) -> None:
        ran = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "generated", "handlers"],
            cwd=project,
            capture_output=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout

    def test_refuses_a_file(self, folder: Path, toolc: Toolc) -> None:
        (folder / "notes").write_text("")
        assert toolc("init", "notes") == (2, "", "toolc: 'notes' is a file; name a folder\n")

    def test_says_what_is_in_the_way(self, folder: Path, toolc: Toolc) -> None:
        (folder / "handlers").write_text("")
        ran = toolc("init")
        assert ran.code == 2
        assert "handlers/__init__.py: error[G705]" in ran.out
        assert tree(folder) == {"handlers": ""}

    def test_says_that_there_is_no_folder_for_definitions(self, folder: Path, toolc: Toolc) -> None:
        (folder / "tooldefs").write_text("")
        message = "toolc: none of the project's sources is a folder: 'tooldefs'\n"
        assert toolc("init") == (2, "", message)


class TestNew:
    @pytest.mark.parametrize("notation", ["toml", "yaml", "json"])
    def test_writes_a_definition_that_builds(
        self, project: Path, toolc: Toolc, notation: str
    ) -> None:
        ran = toolc("new", "find-notes.v2", "--format", notation)
        assert ran.code == 0
        assert ran.out.startswith(f"wrote tooldefs/find-notes.v2.{notation}; ")
        checked = toolc("check", "--strict")
        assert checked.code == 0, checked.out
        shown = json.loads(toolc("show", "find-notes.v2").out)
        assert shown["title"] == "Find notes v2"
        assert shown["inputSchema"]["required"] == ["text"]
        # What the tool does to the world is its author's to say.
        assert "annotations" not in shown
        assert "readOnly" in (project / f"tooldefs/find-notes.v2.{notation}").read_text()

    @pytest.mark.parametrize(
        ("name", "part"),
        [
            ("greet", "'tooldefs/greet.toml' is there already"),
            ("a b", "a tool's name is 1 to 128 of"),
            ("../a", "a tool's name is 1 to 128 of"),
            ("..", "a tool's name is 1 to 128 of"),
            ("", "a tool's name is 1 to 128 of"),
            ("x" * 129, "a tool's name is 1 to 128 of"),
            ("tool_search", "the server's own tools"),
        ],
    )
    def test_refuses(self, project: Path, toolc: Toolc, name: str, part: str) -> None:
        before = tree(project)
        ran = toolc("new", name, "--format", "yaml")
        assert (ran.code, ran.out) == (2, "")
        assert part in ran.err
        assert tree(project) == before


class TestBuild:
    def test_again_writes_nothing(self, project: Path, toolc: Toolc) -> None:
        before = tree(project)
        ran = toolc("build")
        assert ran.code == 0
        assert ran.out.startswith("1 tool from 1 file: all up to date in ")
        assert tree(project) == before

    @pytest.mark.parametrize(
        ("option", "code", "part"),
        [
            ("--check", 1, "2 tools from 2 files: 1 changed, 1 up to date; would write "),
            ("--dry-run", 0, "create  handlers/second.py\n"),
            ("--diff", 0, "+++ b/handlers/second.py\n"),
        ],
    )
    def test_without_writing(
        self, project: Path, toolc: Toolc, option: str, code: int, part: str
    ) -> None:
        toolc("new", "second")
        before = tree(project)
        ran = toolc("build", option)
        assert ran.code == code
        assert part in ran.out
        assert tree(project) == before

    def test_a_diff_is_a_patch(self, project: Path, toolc: Toolc) -> None:
        toolc("new", "second")
        patch = toolc("build", "--diff").out
        applied = subprocess.run(
            ["git", "apply", "-"], input=patch.encode(), cwd=project, check=False
        )
        assert applied.returncode == 0
        assert toolc("build", "--check").code == 0

    def test_an_error_writes_nothing(self, project: Path, toolc: Toolc) -> None:
        (project / "tooldefs/bad.toml").write_text("keywrods = []\n")
        toolc("new", "second")
        before = tree(project)
        ran = toolc("build")
        assert ran.code == 1
        assert 'tooldefs/bad.toml:1:1: error[M102]: unknown key "keywrods"' in ran.out
        assert ran.out.endswith("1 error in 1 of 3 files; nothing written\n")
        assert tree(project) == before

    def test_an_edited_file_is_kept_unless_forced(self, project: Path, toolc: Toolc) -> None:
        contract = project / "generated/contracts/greet.py"
        contract.write_text(contract.read_text() + "# mine\n")
        kept = toolc("build")
        assert kept.code == 0
        assert "generated/contracts/greet.py: warning[G703]: edited by hand" in kept.out
        assert toolc("build", "--strict").code == 1
        forced = toolc("build", "--force")
        assert "wrote generated/contracts/greet.py" in forced.out
        assert "# mine" not in contract.read_text()

    def test_a_tool_that_goes(self, project: Path, toolc: Toolc) -> None:
        toolc("new", "second")
        toolc("build")
        (project / "tooldefs/greet.toml").unlink()
        orphaned = toolc("build")
        assert "handlers/greet.py: warning[G704]: its tool is gone" in orphaned.out
        assert (project / "generated/contracts/greet.py").exists()
        (project / "handlers/greet.py").unlink()
        assert "deleted generated/contracts/greet.py" in toolc("build").out

    def test_release(self, project: Path, toolc: Toolc) -> None:
        toolc("new", "second")
        before = tree(project)
        assert "handlers/second.py: error[G706]" in toolc("build", "--release").out
        assert tree(project) == before
        toolc("build")
        assert toolc("build", "--check").code == 0
        assert toolc("build", "--check", "--release").code == 1

    def test_what_cannot_be_written(self, project: Path, toolc: Toolc) -> None:
        shutil.rmtree(project / "generated/contracts")
        (project / "generated/contracts").write_text("in the way\n")
        before = tree(project)
        ran = toolc("build")
        assert ran.code == 2
        assert "error[G705]" in ran.out
        assert ran.out.endswith("; nothing written\n")
        assert tree(project) == before

    def test_a_machine_that_refuses_is_no_error_of_the_definitions(
        self, folder: Path, toolc: Toolc
    ) -> None:
        (folder / "toolc.toml").write_text('sources = ["a/defs", "defs"]\n')
        (folder / "a").write_text("in the way\n")
        assert toolc("new", "x").code == 2
        (folder / "toolc.toml").write_text('sources = ["defs"]\n')
        (folder / "defs/x.toml").mkdir(parents=True)
        assert toolc("build").code == 1

    def test_a_link_out_of_the_output(self, project: Path, toolc: Toolc) -> None:
        (project / "victim").write_text("untouched\n")
        (project / "generated/manifest.json").unlink()
        (project / "generated/manifest.json").symlink_to(project / "victim")
        ran = toolc("build")
        assert ran.code == 1
        assert "generated/manifest.json: error[G702]" in ran.out
        assert (project / "victim").read_text() == "untouched\n"

    def test_json(self, project: Path, toolc: Toolc) -> None:
        (project / "tooldefs/bad.yaml").write_text("title: é\n\U0001f600: 1\nkeywrods: []\n")
        report = json.loads(toolc("build", "--format", "json").out)
        found = next(row for row in report["diagnostics"] if row["code"] == "M102")
        assert (found["path"], found["line"], found["column"]) == ("tooldefs/bad.yaml", 3, 1)
        assert report["summary"]["errors"] == 1
        assert report["summary"]["written"] == 0

    def test_github(self, project: Path, toolc: Toolc, monkeypatch: pytest.MonkeyPatch) -> None:
        (project / "tooldefs/bad.toml").write_text("keywrods = []\n")
        monkeypatch.setenv("GITHUB_WORKSPACE", str(project.parent))
        ran = toolc("build", "--format", "github")
        assert f"::error file={project.name}/tooldefs/bad.toml,line=1," in ran.out

    def test_quiet(self, project: Path, toolc: Toolc) -> None:
        assert toolc("build", "-q") == (0, "", "")
        (project / "tooldefs/bad.toml").write_text("keywrods = []\n")
        assert "error[M102]" in toolc("build", "-q").out

    def test_from_a_folder_below_and_by_path(
        self, project: Path, toolc: Toolc, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (project / "tooldefs/bad.toml").write_text("keywrods = []\n")
        monkeypatch.chdir(project / "handlers")
        assert toolc("build").out.startswith("../tooldefs/bad.toml:1:1: error")
        monkeypatch.chdir(project.parent)
        for way in (project.name, f"{project.name}/toolc.toml"):
            ran = toolc("build", "--project", way)
            assert ran.out.startswith(f"{project.name}/tooldefs/bad.toml:1:1: error")

    def test_a_broken_project_file(self, project: Path, toolc: Toolc) -> None:
        (project / "toolc.toml").write_text("outptu = 1\n")
        ran = toolc("build")
        assert ran.code == 1
        assert ran.out.startswith("toolc.toml:1:1: error[P602]")
        assert ran.out.endswith("\n1 error; nothing written\n")
        assert toolc("check").out.endswith("\n1 error\n")
        report = json.loads(toolc("build", "--format", "json").out)
        assert (report["summary"]["errors"], report["summary"]["changed"]) == (1, None)

    @pytest.mark.parametrize(
        "arguments",
        [["build"], ["check"], ["new", "x"], ["show"], ["mv", "a", "b"], ["serve"]],
        ids=" ".join,
    )
    def test_no_project(self, folder: Path, toolc: Toolc, arguments: list[str]) -> None:
        message = "toolc: no toolc.toml here or above; run `toolc init`\n"
        assert toolc(*arguments) == (2, "", message)
        assert tree(folder) == {}

    def test_no_project_file(self, folder: Path, toolc: Toolc) -> None:
        (folder / "tooldefs").mkdir()
        assert toolc("new", "x").code == 0
        assert toolc("build").code == 0


class TestCheck:
    def test_fine(self, project: Path, toolc: Toolc) -> None:
        before = tree(project)
        assert toolc("check").out.startswith("1 tool from 1 file: no errors in ")
        assert tree(project) == before

    def test_paths(self, project: Path, toolc: Toolc, monkeypatch: pytest.MonkeyPatch) -> None:
        (project / "tooldefs/sub").mkdir()
        (project / "tooldefs/sub/bad.toml").write_text("keywrods = []\n")
        assert toolc("check").code == 1
        assert toolc("check", "tooldefs/greet.toml").code == 0
        assert toolc("check", "tooldefs/sub").code == 1
        monkeypatch.chdir(project / "tooldefs")
        assert toolc("check", "greet.toml").code == 0
        assert toolc("check", "nope.toml") == (2, "", "toolc: 'nope.toml' is not there\n")
        assert toolc("check", "../toolc.toml").code == 2
        assert toolc("check", "../handlers").code == 2

    @pytest.mark.parametrize(
        ("handler", "part"),
        [
            ("import nowhere_at_all\n", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
            ("x = 1\n", "AttributeError"),
            ("greet = 1\n", "is int, not a function"),
            ("def greet(params): ...\n", "its signature is (params)"),
            ("def greet(a, b, *, c): ...\n", "its signature is (a, b, *, c)"),
            ("def greet(params: int, context: object) -> str: ...\n", "takes int, but"),
            ("raise SystemExit(3)\n", "SystemExit: 3"),
            ("import os\nos._exit(0)\n", "ended the process that imported it"),
        ],
    )
    def test_a_handler_that_does_not_fit(
        self, project: Path, toolc: Toolc, handler: str, part: str
    ) -> None:
        (project / "handlers/greet.py").write_text(handler)
        ran = toolc("check", "--handlers")
        assert ran.code == 1
        assert ran.out.startswith('handlers/greet.py: error[G707]: the handler of "greet" ')
        assert part in ran.out

    @pytest.mark.parametrize(
        "handler",
        [
            "print('hello')\ndef greet(params, context): ...\n",
            "def greet(*anything): ...\n",
            "from __future__ import annotations\ndef greet(params: Unseen, context: int): ...\n",
            "class Greet:\n    def __call__(self, params, context): ...\ngreet = Greet()\n",
        ],
    )
    def test_a_handler_that_fits(
        self, project: Path, toolc: Toolc, handler: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("toolc.cli.handlers._type_check", lambda build: ([], {}))
        (project / "handlers/greet.py").write_text(handler)
        ran = toolc("check", "--handlers")
        assert ran.code == 0, ran.out

    def test_a_handler_that_drifted(self, project: Path, toolc: Toolc) -> None:
        handler = project / "handlers/greet.py"
        handler.write_text(handler.read_text().replace("params.times", "params.tims"))
        ran = toolc("check", "--handlers")
        assert ran.code == 1
        assert "handlers/greet.py:11:" in ran.out
        assert 'error[G707]: mypy: "GreetParams" has no attribute "tims"' in ran.out


class TestShow:
    def test_as_the_wire_has_it(self, project: Path, toolc: Toolc) -> None:
        ran = toolc("show", "greet")
        manifest = json.loads((project / "generated/manifest.json").read_text())
        assert json.loads(ran.out) == manifest["tools"][0]
        older = json.loads(toolc("show", "greet", "--revision", "2024-11-05").out)
        assert list(older) == ["name", "description", "inputSchema"]

    def test_refuses(self, project: Path, toolc: Toolc) -> None:
        assert toolc("show", "gret").err == "toolc: no tool 'gret'; did you mean 'greet'?\n"
        assert toolc("show", "greet", "--revision", "2020-01-01").code == 2

    def test_lists_the_tools(self, project: Path, toolc: Toolc) -> None:
        (project / "tooldefs/a.toml").write_text('description = "Does it.\\nNow. And then."\n')
        (project / "tooldefs/longer-name.toml").write_text(f'description = "{"x" * 99}"\n')
        (project / "tooldefs/mute.toml").write_text("[[parameters]]\nname = 'a'\ntype = 'int'\n")
        assert toolc("show") == (
            0,
            f"a            Does it. Now\ngreet        Greet\nlonger-name  {'x' * 79}…\nmute\n",
            "",
        )

    def test_lists_the_tools_though_one_has_an_error(self, project: Path, toolc: Toolc) -> None:
        (project / "tooldefs/bad.toml").write_text("keywrods = []\n")
        ran = toolc("show")
        assert (ran.code, ran.out) == (1, "greet  Greet\n")
        assert "error[M102]" in ran.err

    def test_the_tool_has_an_error(self, project: Path, toolc: Toolc) -> None:
        (project / "tooldefs/bad.toml").write_text("keywrods = []\n")
        ran = toolc("show", "bad")
        assert (ran.code, ran.out) == (2, "")
        assert "error[M102]" in ran.err
        assert toolc("show", "greet").code == 0


class TestMv:
    def test_the_whole_tool(self, project: Path, toolc: Toolc) -> None:
        handler = (project / "handlers/greet.py").read_text()
        ran = toolc("mv", "greet", "sayHello")
        assert ran.code == 0, ran.out
        assert ran.out.startswith(
            "renamed greet to sayHello: tooldefs/greet.toml -> tooldefs/sayHello.toml, "
            "handlers/greet.py -> handlers/say__hello.py\n"
            'the old name stays as an alias, by tooldefs/sayHello.toml:2: aliases = ["greet"]\n'
        )
        files = tree(project)
        assert "tooldefs/greet.toml" not in files
        assert "handlers/greet.py" not in files
        assert "generated/contracts/greet.py" not in files
        assert "generated/contracts/say__hello.py" in files
        assert 'aliases = ["greet"]\n' in files["tooldefs/sayHello.toml"]
        assert files["handlers/say__hello.py"] == (
            handler.replace("`greet`", "`sayHello`")
            .replace("contracts.greet", "contracts.say__hello")
            .replace("GreetParams", "SayHelloParams")
            .replace("GreetResult", "SayHelloResult")
            .replace("def greet", "def say__hello")
        )
        assert toolc("build", "--check", "--strict").code == 0
        assert toolc("show", "greet").err == "toolc: 'greet' is an old name of 'sayHello'\n"

    def test_there_and_back(self, project: Path, toolc: Toolc) -> None:
        handler = (project / "handlers/greet.py").read_text()
        assert toolc("mv", "greet", "hello").code == 0
        assert toolc("mv", "hello", "greet").code == 0
        assert (project / "handlers/greet.py").read_text() == handler
        assert 'aliases = ["hello"]\n' in (project / "tooldefs/greet.toml").read_text()

    @pytest.mark.parametrize(
        ("arguments", "part"),
        [
            (("nope", "x"), "no tool 'nope'"),
            (("greet", "second"), "there is a tool 'second' already"),
            (("greet", "greet"), "there is a tool 'greet' already"),
            (("greet", "a b"), "a tool's name is"),
            (("greet", "taken"), "'tooldefs/taken.toml' is there already"),
            (("greet", "blocked"), "'handlers/blocked.py' is there already"),
        ],
    )
    def test_refuses(
        self, project: Path, toolc: Toolc, arguments: tuple[str, str], part: str
    ) -> None:
        toolc("new", "second")
        (project / "tooldefs/taken.toml").write_text('name = "other"\n')
        (project / "handlers/blocked.py").write_text("")
        before = tree(project)
        ran = toolc("mv", *arguments)
        assert (ran.code, ran.out) == (2, "")
        assert part in ran.err
        assert tree(project) == before

    def test_code_that_imports_the_old_contract(self, project: Path, toolc: Toolc) -> None:
        """A handler of the author's own naming keeps its place, and the contract gets another."""
        (project / "app").mkdir()
        (project / "app/pay.py").write_text(
            '"""Payments."""\n\nfrom generated.contracts.a_pay import APayParams\n\n'
            "def pay(params: APayParams, context: object) -> str: ...\n"
        )
        (project / "handlers/both.py").write_text("import generated.contracts.a_pay\n")
        (project / "tooldefs/a_pay.toml").write_text('handler = "app.pay:pay"\n')
        toolc("build")
        ran = toolc("mv", "a_pay", "b_pay")
        assert ran.code == 0
        assert "handlers/both.py:1:1: warning[P608]" in ran.out
        assert (
            'app/pay.py:3:1: warning[P608]: imports the contract "generated.contracts.a_pay", '
            'which "a_pay" had before it was renamed\n'
            "  |\n"
            "3 | from generated.contracts.a_pay import APayParams\n"
        ) in ran.out
        assert "`APayParams` to `BPayParams`" in ran.out

    def test_all_or_nothing(self, project: Path, toolc: Toolc) -> None:
        (project / "handlers/greet.py").write_text("greet = print\n")
        before = tree(project)
        ran = toolc("mv", "greet", "hello")
        assert ran.code == 1
        assert "handlers/greet.py: error[P607]" in ran.out
        assert tree(project) == before

    def test_a_project_with_errors(self, project: Path, toolc: Toolc) -> None:
        (project / "tooldefs/bad.toml").write_text("keywrods = []\n")
        before = tree(project)
        ran = toolc("mv", "greet", "hello")
        assert ran.code == 1
        assert ran.out.endswith("1 error in 1 of 2 files; nothing written\n")
        assert tree(project) == before

    def test_a_namespace(self, project: Path, toolc: Toolc) -> None:
        (project / "toolc.toml").write_text('namespace = "folder"\n')
        (project / "tooldefs/notes").mkdir()
        (project / "tooldefs/notes/find.toml").write_text('description = "Find"\n')
        toolc("build")
        refused = toolc("mv", "notes_find", "search")
        assert refused.code == 2
        assert "begin with 'notes_'" in refused.err
        assert toolc("mv", "notes_find", "notes_search").code == 0
        moved = (project / "tooldefs/notes/search.toml").read_text()
        assert moved == 'aliases = ["notes_find"]\ndescription = "Find"\n'


class TestServe:
    def test_there_is_nothing_to_serve(self, folder: Path, toolc: Toolc) -> None:
        toolc("init")
        ran = toolc("serve")
        assert (ran.code, ran.out) == (2, "")
        assert "run `toolc build` first" in ran.err
        (folder / "toolc.toml").write_text("[python]\nenabled = false\n")
        assert "generates no Python" in toolc("serve").err

    def test_becomes_the_server(self, project: Path, spawn: Spawn) -> None:
        """The server takes the process over, with the project importable from any folder."""
        (project / "generated/__main__.py").write_text(
            "import sys, handlers.greet, generated\nprint(sys.argv[1:])\nsys.exit(7)\n"
        )
        ran = spawn(
            *("serve", "--transport", "http", "--port", "0", "--project", str(project)),
            cwd=project.parent,
        )
        assert ran.stderr == b""
        assert ran.stdout == b"['--transport', 'http', '--port', '0']\n"
        assert ran.returncode == 7

    @pytest.mark.parametrize(
        "arguments", [["--port", "0"], ["--host", "x"], ["--allow-host", "x"], ["--stream"]]
    )
    def test_what_is_for_http(self, project: Path, toolc: Toolc, arguments: list[str]) -> None:
        message = f"toolc: {arguments[0]} needs `--transport http`\n"
        assert toolc("serve", *arguments) == (2, "", message)
        assert toolc("serve", "--transport", "stdio", *arguments) == (2, "", message)

    @pytest.mark.parametrize(
        ("definition", "said"),
        [
            (None, ""),
            ("title = 'New'\n", "have changed since the last build (6 files); run `toolc build`"),
            ("keywrods = []\n", "have errors (`toolc check` shows them); serving the last build"),
        ],
    )
    def test_definitions_that_are_newer(
        self, project: Path, spawn: Spawn, definition: str | None, said: str
    ) -> None:
        if definition is not None:
            (project / "tooldefs/new.toml").write_text(definition)
        ran = spawn("serve", cwd=project)
        expected = f"toolc: the definitions {said}\n" if said else ""
        assert (ran.returncode, ran.stdout, ran.stderr.decode()) == (0, b"", expected)


class TestCompletion:
    def complete(self, spawn: Spawn, folder: Path, *words: str) -> list[str]:
        script = spawn("completion", "bash", cwd=folder).stdout.decode()
        typed = " ".join(f"'{word}'" for word in words)
        script += (
            f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; _toolc\n"
            'printf "%s\\n" "${COMPREPLY[@]}"\n'
        )
        ran = subprocess.run(["bash", "-c", script], capture_output=True, check=True)
        assert ran.stderr == b""
        return ran.stdout.decode().split()

    @pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
    def test_bash(self, spawn: Spawn, tmp_path: Path) -> None:
        assert self.complete(spawn, tmp_path, "toolc", "b") == ["build"]
        assert self.complete(spawn, tmp_path, "toolc", "build", "--d") == ["--diff", "--dry-run"]
        assert self.complete(spawn, tmp_path, "toolc", "check", "--format", "j") == ["json"]
        assert self.complete(spawn, tmp_path, "toolc", "new", "--format", "j") == ["json"]
        assert self.complete(spawn, tmp_path, "toolc", "completion", "z") == ["zsh"]
        assert self.complete(spawn, tmp_path, "toolc", "show", "--revision", "2024") == [
            "2024-11-05"
        ]
        assert self.complete(spawn, tmp_path, "toolc", "check", "some-file") == []

    @pytest.mark.parametrize("shell", ["zsh", "fish"])
    def test_the_other_shells_read_their_scripts(
        self, tmp_path: Path, shell: str, spawn: Spawn
    ) -> None:
        script = spawn("completion", shell, cwd=tmp_path).stdout
        assert b"--dry-run" in script or b"-l dry-run" in script
        if shutil.which(shell) is None:
            pytest.skip(f"needs {shell}")
        ran = subprocess.run([shell, "-n"], input=script, capture_output=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('async def f(p, c):\n    """Doc."""\n    raise NotImplementedError("f")\n', True),
        ("def f(p, c):\n    raise NotImplementedError\n", True),
        ("def f(p, c):\n    log(p)\n    raise NotImplementedError('f')\n", False),
        ("def f(p, c):\n    return 1\ndef g():\n    raise NotImplementedError\n", False),
        ("def f(p, c):\n    raise ValueError\n", False),
        ("def f(p, c): NotImplementedError(\n", False),
        ("", False),
    ],
)
def test_is_stub(text: str, expected: bool) -> None:
    assert is_stub(text, "f") is expected


def test_the_module_runs_as_a_script(tmp_path: Path) -> None:
    ran = subprocess.run(
        [Path(sys.executable).parent / "toolc", "--version"],
        capture_output=True,
        cwd=tmp_path,
        check=False,
    )
    assert ran.stdout == b"toolc 0.1.0\n"
