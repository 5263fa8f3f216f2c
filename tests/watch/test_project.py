"""What definitions use, the project file, outputs; errors and their end."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import BROKEN, StartWatch, Watch, descriptions, outputs, tool, write


def test_what_definitions_use(project: Path, start_watch: StartWatch) -> None:
    write(project / "tooldefs/_shared.toml", '[types.Place]\ntype = "string"\n')
    write(
        project / "tooldefs/go.toml",
        'descriptionFile = "go.md"\nparameters = [{ name = "to", type = "Place" }]\n',
    )
    write(project / "tooldefs/go.md", "Go.")
    watch = start_watch()
    watch.event("ready")
    watch.built()
    write(project / "tooldefs/_shared.toml", '[types.Place]\ntype = "int"\n')
    assert watch.built()["changed"] == 1  # not those that do not use it
    write(project / "tooldefs/go.md", "Go there.")
    assert watch.built()["changed"] == 1
    assert descriptions(project)["go"] == "Go there."
    (project / "tooldefs/go.md").unlink()
    (place,) = watch.failed()
    assert place.startswith("tooldefs/go.toml:1:")
    write(project / "tooldefs/go.md", "Go there.")
    assert watch.built()["mended"]
    write(project / "tooldefs/_shared.toml", "[types.Place\n")
    assert watch.failed()[0].startswith("tooldefs/_shared.toml:1:")
    (project / "tooldefs/_shared.toml").unlink()
    assert watch.failed()[0].startswith("tooldefs/go.toml:2:")
    write(project / "tooldefs/_shared.toml", '[types.Place]\ntype = "int"\n')
    assert watch.built()["mended"]


def test_templates(project: Path, start_watch: StartWatch) -> None:
    write(
        project / "toolc.toml",
        'templates = "own"\n'
        'outputs = [{ template = "list.j2", path = "generated/list.txt", per = "project" }]\n',
    )
    write(project / "own/list.j2", "first")
    watch = start_watch()
    watch.event("ready")
    watch.built()
    write(project / "own/list.j2", "second")
    assert "generated/list.txt" in watch.built()["updated"]
    write(project / "own/init.py.j2", "{{ docstring }}\n# own\n")
    assert "generated/__init__.py" in watch.built()["updated"]
    write(project / "own/list.j2", "{% broken")
    assert watch.failed()[0].startswith("own/list.j2")
    write(project / "own/list.j2", "second")
    assert watch.built()["mended"]
    (project / "own/init.py.j2").unlink()
    assert "generated/__init__.py" in watch.built()["updated"]


def test_the_project_file(project: Path, watch: Watch) -> None:
    before = outputs(project)
    write(project / "toolc.toml", "output = 1\n")
    assert watch.failed() == ["toolc.toml:1:10"]
    write(project / "tooldefs/one.toml", tool("one", "Meanwhile"))
    write(project / "toolc.toml", "output = [\n")
    (place,) = watch.failed()
    assert place.startswith("toolc.toml:")
    assert outputs(project) == before
    write(project / "toolc.toml", "")
    assert watch.built()["mended"]
    assert descriptions(project)["one"] == "Meanwhile"
    write(project / "toolc.toml", 'namespace = "folder"\n')
    write(project / "tooldefs/sub/deep.toml", 'description = "Deep"\n')
    while "sub_deep" not in descriptions(project):
        watch.built()
    write(project / "toolc.toml", "python = { enabled = false }\noutput = 'only'\n")
    while not (project / "only/manifest.json").exists():
        watch.built()
    write(project / "tooldefs/one.toml", tool("one", "Only JSON"))
    while descriptions(project, "only")["one"] != "Only JSON":
        watch.built()
    (project / "toolc.toml").unlink()
    while "failed" not in (line := watch.line()):
        assert "built" in line
    write(project / "toolc.toml", "")
    assert watch.built()["mended"]


def test_a_project_file_that_is_broken_at_the_start(project: Path, start_watch: StartWatch) -> None:
    write(project / "toolc.toml", "output = 1\n")
    watch = start_watch()
    watch.event("ready")
    assert watch.failed() == ["toolc.toml:1:10"]
    assert not (project / "generated").exists()
    write(project / "toolc.toml", "")
    assert watch.built()["mended"]
    assert watch.is_silent()


def test_a_project_without_a_file_gets_one(project: Path, start_watch: StartWatch) -> None:
    (project / "toolc.toml").unlink()
    watch = start_watch()
    watch.event("ready")
    watch.built()
    (project / "notes").mkdir()
    assert watch.is_silent()
    write(project / "toolc.toml", 'revision = "2025-06-18"\n')
    assert "generated/catalog.json" in watch.built()["updated"]


def test_a_named_project_file(project: Path, start_watch: StartWatch) -> None:
    write(project / "other.toml", "python = { enabled = false }\n")
    (project / "else").mkdir()
    watch = start_watch("--json", "--project", "../other.toml", cwd=project / "else")
    watch.event("ready")
    watch.built()
    assert not (project / "generated/__init__.py").exists()
    write(project / "tooldefs/one.toml", tool("one", "Anew"))
    watch.built()
    write(project / "other.toml", "python = { enabled = true }\n")
    assert "generated/__init__.py" in watch.built()["created"]


def test_sources_that_are_not_there(project: Path, start_watch: StartWatch) -> None:
    (project / "tooldefs").rename(project / "kept")
    watch = start_watch()
    watch.event("ready")
    assert watch.failed() == ["tooldefs"]
    (project / "kept").rename(project / "tooldefs")
    assert watch.built()["mended"]
    assert watch.is_silent()
    before = outputs(project)
    shutil.rmtree(project / "tooldefs")
    while "failed" not in watch.line():  # files went one after the other
        pass
    write(project / "tooldefs/one.toml", tool("one", "Again"))
    assert watch.built()["mended"]
    assert descriptions(project) == {"one": "Again"}
    assert before.keys() <= outputs(project).keys()


@pytest.mark.parametrize(
    ("settings", "output"),
    [
        ('sources = ["."]\n', "generated"),
        ('sources = ["tooldefs"]\noutput = "tooldefs/_out"\n', "tooldefs/_out"),
        ('sources = ["."]\noutput = "."\npython = { enabled = false }\n', "."),
    ],
    ids=["below the root", "below the source", "the root"],
)
def test_outputs_among_the_sources_make_no_loop(
    project: Path, start_watch: StartWatch, settings: str, output: str
) -> None:
    write(project / "toolc.toml", settings)
    watch = start_watch()
    watch.event("ready")
    watch.built()
    for text in ("Second", "Third"):
        write(project / "tooldefs/one.toml", tool("one", text))
        watch.built()
        assert descriptions(project, output)["one"] == text
    write(project / "tooldefs/last.toml", tool("last"))
    assert watch.built()["tools"] == 4


def test_generated_files(project: Path, watch: Watch) -> None:
    (project / "generated/contracts/one.py").unlink()
    assert watch.built()["created"] == ["generated/contracts/one.py"]
    (project / "generated/manifest.json").write_text("{}")
    watch.built()
    assert descriptions(project)["one"] == "Do one"
    edited = project / "generated/contracts/two.py"
    edited.write_text(edited.read_text("utf-8") + "# mine\n", "utf-8")
    assert watch.built()["kept"] == ["generated/contracts/two.py"]
    assert watch.is_silent()  # it is told once
    assert edited.read_text("utf-8").endswith("# mine\n")
    edited.unlink()
    assert watch.built()["created"] == ["generated/contracts/two.py"]
    shutil.rmtree(project / "generated")
    while not all(
        (project / "generated" / path).exists()
        for path in ("manifest.json", "server.py", "contracts/two.py", "handlers/deep.py")
    ):
        watch.built()


def test_handlers(project: Path, watch: Watch) -> None:
    handler = project / "generated/handlers/one.py"
    handler.write_text("# mine\n", "utf-8")
    write(project / "generated/handlers/__pycache__/one.cpython-311.pyc", "")
    write(project / "generated/handlers/helper.py", "")
    assert watch.is_silent()
    assert handler.read_text("utf-8") == "# mine\n"
    handler.unlink()
    assert watch.built()["created"] == ["generated/handlers/one.py"]


def test_an_error_is_told_once(project: Path, watch: Watch) -> None:
    before = outputs(project)
    write(project / "tooldefs/one.toml", BROKEN)
    assert watch.failed() == ["tooldefs/one.toml:2:15"]
    write(project / "tooldefs/two.toml", tool("two", "Meanwhile"))
    write(project / "tooldefs/one.toml", "\n" + BROKEN)
    assert watch.failed() == ["tooldefs/one.toml:3:15"]
    assert outputs(project) == before
    write(project / "tooldefs/one.toml", tool("one"))
    assert watch.built()["mended"]
    assert descriptions(project)["two"] == "Meanwhile"
    # Mended as it was: nothing is written, and it is said.
    write(project / "tooldefs/one.toml", BROKEN)
    watch.failed()
    write(project / "tooldefs/one.toml", tool("one"))
    assert watch.built()["mended"]


def test_an_error_at_the_start(project: Path, start_watch: StartWatch) -> None:
    write(project / "tooldefs/one.toml", BROKEN)
    watch = start_watch()
    watch.event("ready")
    assert watch.failed() == ["tooldefs/one.toml:2:15"]
    write(project / "tooldefs/one.toml", tool("one"))
    assert watch.built()["mended"]


def test_warnings_as_errors(project: Path, start_watch: StartWatch) -> None:
    watch = start_watch("--json", "--strict")
    watch.event("ready")
    watch.built()
    write(project / "tooldefs/one.toml", tool("one", "Anew") + "unheardOf = 1\n")
    event = watch.event("failed")
    assert "generated/manifest.json" in event["updated"]  # as `toolc build --strict` does
    write(project / "tooldefs/one.toml", tool("one", "Anew"))
    assert watch.built()["mended"]


def test_another_build_at_the_same_time(project: Path, watch: Watch) -> None:
    for number in range(5):
        write(project / "tooldefs/one.toml", tool("one", f"Number {number}"))
        subprocess.run([sys.executable, "-m", "toolc", "build", "-q"], cwd=project, check=True)
        assert descriptions(project)["one"] == f"Number {number}"
    write(project / "tooldefs/last.toml", tool("last"))
    while "last" not in descriptions(project):
        watch.built()
    assert descriptions(project)["one"] == "Number 4"


def test_the_cache_goes(project: Path, watch: Watch) -> None:
    shutil.rmtree(project / ".toolc_cache")
    assert watch.is_silent()
    write(project / "tooldefs/one.toml", tool("one", "Anew"))
    watch.built()
    assert descriptions(project)["one"] == "Anew"


def test_the_project_goes(tmp_path: Path, project: Path, start_watch: StartWatch) -> None:
    inner = tmp_path / "inner"
    shutil.copytree(project / "tooldefs", inner / "tooldefs")
    write(inner / "toolc.toml", "")
    watch = start_watch("--json", "--project", str(inner))
    watch.event("ready")
    watch.built()
    inner.rename(tmp_path / "away")
    assert "gone" in watch.line_with('"problem"')
    assert watch.wait() == 2
