"""Whose a generated file is survives what git does to it: no false alarm, and nothing lost."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from toolc import driver
from toolc.cli.main import main
from toolc.model.artifact import Action, Plan
from toolc.report.changes import unified_diff

GREET = """description = "Greet somebody."
parameters = [{ name = "who", type = "string", required = true }]
"""
COUNT = """description = "Count to a number."
parameters = [{ name = "to", type = "int", required = true, minimum = 1 }]
"""
SETTINGS = """templates = "mine"
[[outputs]]
template = "tool.txt.j2"
path = "texts/{name}.txt"
"""


class Project:
    """A project in a git repository of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, path: str, text: str) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8", newline="")

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def git(self, *arguments: str, check: bool = True) -> str:
        run = subprocess.run(
            [
                "git",
                "-c",
                "user.name=A",
                "-c",
                "user.email=a@example.org",
                "-c",
                "init.defaultBranch=main",
                *arguments,
            ],
            cwd=self.root,
            check=check,
            capture_output=True,
            text=True,
        )
        return run.stdout

    def commit(self, message: str) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def plan(self) -> Plan:
        opened = driver.open_project(str(self.root))
        build = driver.compile_project(opened.root, opened.project)
        assert not build.diagnostics, build.diagnostics
        return driver.plan_build(build)

    def build(self, *, force: bool = False) -> Plan:
        opened = driver.open_project(str(self.root))
        build = driver.compile_project(opened.root, opened.project)
        plan = driver.plan_build(build, force=force)
        assert not driver.commit(build, plan)
        return plan

    def assert_current(self) -> None:
        plan = self.plan()
        assert not plan.changes, [change.path for change in plan.changes]
        assert not plan.diagnostics


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path / "origin")
    made.root.mkdir()
    made.write("toolc.toml", SETTINGS)
    made.write("mine/tool.txt.j2", "{{ tool.name }}: {{ tool.description }}\n")
    made.write("tooldefs/greet.toml", GREET)
    made.git("init", "--quiet")
    made.build()
    made.commit("greet")
    return made


def test_a_clone_is_current(project: Project, tmp_path: Path) -> None:
    project.git("clone", "--quiet", ".", str(tmp_path / "clone"))
    Project(tmp_path / "clone").assert_current()


def test_a_checkout_with_crlf_is_current(project: Project, tmp_path: Path) -> None:
    project.git("clone", "--quiet", "--config", "core.autocrlf=true", ".", str(tmp_path / "clone"))
    clone = Project(tmp_path / "clone")
    assert "\r\n" in clone.read("generated/contracts/greet.py")
    clone.assert_current()
    clone.write("tooldefs/greet.toml", GREET.replace("Greet", "Welcome"))
    plan = clone.build()
    assert not plan.diagnostics
    assert "Welcome" in clone.read("generated/manifest.json")
    assert "Welcome" in clone.read("texts/greet.txt")


def test_switching_branches_needs_no_build_and_raises_no_alarm(project: Project) -> None:
    project.git("switch", "--quiet", "--create", "count")
    project.write("tooldefs/count.toml", COUNT)
    project.build()
    project.commit("count")
    project.git("switch", "--quiet", "main")
    project.assert_current()
    project.git("switch", "--quiet", "count")
    project.assert_current()


def test_a_build_after_a_switch_of_definitions_alone_removes_what_is_stale(
    project: Project,
) -> None:
    project.write("tooldefs/count.toml", COUNT)
    project.build()
    project.write("generated/handlers/count.py", "# mine now\n")
    (project.root / "tooldefs/count.toml").unlink()
    plan = project.build()
    deleted = {change.path for change in plan.changes if change.action is Action.DELETE}
    assert deleted == {"texts/count.txt"}
    assert {found.code for found in plan.diagnostics} == {"G704"}
    assert project.read("generated/handlers/count.py") == "# mine now\n"
    # The contract stays as long as the handler does, which imports it.
    assert (project.root / "generated/contracts/count.py").exists()
    (project.root / "generated/handlers/count.py").unlink()
    deleted = {change.path for change in project.build().changes if change.after is None}
    assert deleted == {"generated/contracts/count.py"}
    project.assert_current()


@pytest.mark.parametrize(
    "how", [["merge", "--quiet"], ["rebase", "--quiet"]], ids=["merge", "rebase"]
)
def test_two_branches_that_add_tools_come_together_by_a_build(
    project: Project, how: list[str]
) -> None:
    project.git("switch", "--quiet", "--create", "count")
    project.write("tooldefs/count.toml", COUNT)
    project.build()
    project.write("generated/handlers/count.py", "# counted by hand\n")
    project.commit("count")
    project.git("switch", "--quiet", "main")
    project.write("tooldefs/wave.toml", GREET.replace("Greet", "Wave to"))
    project.build()
    project.write("generated/handlers/wave.py", "# waved by hand\n")
    project.commit("wave")
    project.git("switch", "--quiet", "count")
    project.git(*how, "main", check=False)  # conflicts in the files that list all tools
    plan = project.build()
    assert not plan.diagnostics
    project.assert_current()
    assert '"count"' in project.read("generated/manifest.json")
    assert '"wave"' in project.read("generated/manifest.json")
    assert project.read("generated/handlers/count.py") == "# counted by hand\n"
    assert project.read("generated/handlers/wave.py") == "# waved by hand\n"
    for path in (project.root / "generated").rglob("*.py"):
        assert "<<<<<<<" not in path.read_text("utf-8"), path


def test_an_edited_contract_is_kept_until_it_is_forced(project: Project) -> None:
    edited = project.read("generated/contracts/greet.py") + "# a note of mine\n"
    project.write("generated/contracts/greet.py", edited)
    project.write("tooldefs/greet.toml", GREET.replace("who", "whom"))
    plan = project.build()
    assert [found.code for found in plan.diagnostics] == ["G703"]
    assert project.read("generated/contracts/greet.py") == edited
    project.build(force=True)
    assert "whom" in project.read("generated/contracts/greet.py")
    project.assert_current()


@pytest.mark.parametrize("option", ["--check", "--dry-run", "--diff"])
def test_an_edited_contract_that_is_kept_is_not_up_to_date(
    project: Project,
    option: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = "generated/contracts/greet.py"
    project.write(path, project.read(path) + "# a note of mine\n")
    project.write("tooldefs/greet.toml", GREET.replace("who", "whom"))
    project.build()
    monkeypatch.chdir(project.root)
    assert main(["build", option]) == (1 if option == "--check" else 0)
    said = "".join(capsys.readouterr())
    assert "up to date" not in said
    assert f"kept {path}" in said
    assert (f"keep    {path}\n" in said) == (option == "--dry-run")
    assert (f"# kept: {path}\n" in said) == (option == "--diff")


def test_a_patch_that_names_kept_files_can_be_applied(project: Project) -> None:
    path = "generated/contracts/greet.py"
    project.write(path, project.read(path) + "# a note of mine\n")
    project.write("tooldefs/greet.toml", GREET.replace("who", "whom"))
    project.write(".git/changes.patch", unified_diff(project.plan()))
    project.git("apply", ".git/changes.patch")
    plan = project.plan()
    assert not plan.changes
    assert [found.path for found in plan.diagnostics] == [path]


@pytest.mark.parametrize("force", [False, True])
def test_a_file_that_toolc_never_wrote_survives_an_output_at_its_place(
    project: Project, force: bool
) -> None:
    project.write("NOTES.md", "mine\n")
    wrong = SETTINGS.replace("texts/{name}.txt", "NOTES.md") + 'per = "project"\n'
    project.write("mine/tool.txt.j2", "{{ tools[0].name }}\n")
    project.write("toolc.toml", wrong)
    plan = project.build(force=force)
    assert [(found.code, found.path) for found in plan.diagnostics] == [("G703", "NOTES.md")]
    assert "NOTES.md" not in project.read("generated/catalog.json")
    project.write("toolc.toml", wrong.replace("NOTES.md", "texts/all.txt"))
    plan = project.build(force=True)
    assert not plan.diagnostics
    assert project.read("NOTES.md") == "mine\n"
    assert project.read("texts/all.txt") == "greet\n"


def test_an_edited_output_is_kept_when_nothing_asks_for_it_any_more(project: Project) -> None:
    project.write("texts/greet.txt", "mine\n")
    plan = project.build()
    assert [(found.code, found.path) for found in plan.diagnostics] == [("G703", "texts/greet.txt")]
    assert "texts/greet.txt" in project.read("generated/catalog.json")
    project.write("toolc.toml", SETTINGS.replace("texts/", "others/"))
    plan = project.build(force=True)
    assert [(found.code, found.path) for found in plan.diagnostics] == [("G703", "texts/greet.txt")]
    assert project.read("texts/greet.txt") == "mine\n"
    project.assert_current()


def test_an_output_that_was_edited_back_is_toolc_s_again(project: Project) -> None:
    before = project.read("texts/greet.txt")
    project.write("texts/greet.txt", "mine\n")
    project.write("tooldefs/greet.toml", GREET.replace("Greet", "Welcome"))
    assert project.build().diagnostics
    project.write("texts/greet.txt", before)
    assert not project.build().diagnostics
    assert "Welcome" in project.read("texts/greet.txt")


def test_a_handler_is_never_touched(project: Project) -> None:
    mine = "async def greet(params, context):\n    return 'hello'\n"
    project.write("generated/handlers/greet.py", mine)
    project.write("tooldefs/greet.toml", GREET.replace("who", "whom"))
    project.build(force=True)
    assert project.read("generated/handlers/greet.py") == mine


def test_a_new_parameter_leaves_the_handler_alone(project: Project) -> None:
    before = project.read("generated/handlers/greet.py")
    parameter = '{ name = "loud", type = "bool", default = false }'
    project.write("tooldefs/greet.toml", GREET.replace("}]", f"}}, {parameter}]"))
    plan = project.build()
    assert "generated/handlers/greet.py" not in {change.path for change in plan.changes}
    assert project.read("generated/handlers/greet.py") == before
    assert "loud: bool = False" in project.read("generated/contracts/greet.py")
