"""`toolc schema`, and the schemas that a project keeps for editors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolc.builder.editors import definition_schema, project_schema
from toolc.lint.editors import settings_schema

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

Tree = Callable[[Path], dict[str, str]]

SCHEMAS = {"definition": definition_schema(), "project": project_schema(settings_schema())}


@pytest.mark.parametrize("name", SCHEMAS)
def test_prints_a_schema(folder: Path, toolc: Toolc, tree: Tree, name: str) -> None:
    ran = toolc("schema", name)
    assert (ran.code, ran.err) == (0, "")
    printed = json.loads(ran.out)
    assert "Leave it to toolc" in printed.pop("$comment")
    assert printed == SCHEMAS[name]
    assert tree(folder) == {}


def test_definitions_are_what_is_mostly_meant(folder: Path, toolc: Toolc) -> None:
    assert toolc("schema").out == toolc("schema", "definition").out


def test_writes_a_file(folder: Path, toolc: Toolc, tree: Tree) -> None:
    path = "a/.toolc/project.schema.json"
    for _ in range(2):
        ran = toolc("schema", "project", "--output", path)
        assert ran == (0, f"wrote {path}\n", "")
        assert tree(folder) == {path: toolc("schema", "project").out}


def test_says_why_it_cannot_write(folder: Path, toolc: Toolc) -> None:
    (folder / "a").mkdir()
    (folder / "a/b").write_text("")
    assert toolc("schema", "--output", "a/b/c.json").code == 2
    ran = toolc("schema", "--output", "a")
    assert ran.code == 2
    assert ran.err.startswith("toolc: a: ")


SCHEMA = ".toolc/definition.schema.json"


def test_init_writes_the_schemas_and_points_to_them(project: Path, toolc: Toolc) -> None:
    for name in SCHEMAS:
        text = (project / f".toolc/{name}.schema.json").read_text()
        assert text == toolc("schema", name).out
    assert (
        (project / "toolc.toml").read_text().startswith("#:schema ./.toolc/project.schema.json\n")
    )
    definition = (project / "tooldefs/greet.toml").read_text()
    assert definition.startswith(f"#:schema ../{SCHEMA}\n")


@pytest.mark.parametrize(
    ("sources", "way"),
    [("tooldefs", f"../{SCHEMA}"), ("src/tools/defs", f"../../../{SCHEMA}"), (".", f"./{SCHEMA}")],
)
def test_new_points_to_the_schema(project: Path, toolc: Toolc, sources: str, way: str) -> None:
    (project / "toolc.toml").write_text(f'sources = ["{sources}"]\n[python]\nenabled = false\n')
    for notation in ("toml", "yaml", "json"):
        assert toolc("new", f"in_{notation}", "--format", notation).code == 0
    folder = project / sources
    lines = {
        "toml": f"#:schema {way}\n",
        "yaml": f"# yaml-language-server: $schema={way}\n",
        "json": '{\n  "$schema": "' + way + '",\n',
    }
    for notation, line in lines.items():
        assert (folder / f"in_{notation}.{notation}").read_text().startswith(line)
    assert (folder / way).resolve() == (project / SCHEMA).resolve()
    checked = toolc("check", "--strict")
    assert checked.code == 0, checked.out


def test_a_project_without_schemas_is_left_without(project: Path, toolc: Toolc) -> None:
    (project / SCHEMA).unlink()
    for notation in ("toml", "yaml", "json"):
        assert toolc("new", f"in_{notation}", "--format", notation).code == 0
        assert "schema" not in (project / f"tooldefs/in_{notation}.{notation}").read_text()
    assert toolc("build").code == 0
    assert not (project / SCHEMA).exists()


def test_a_build_replaces_the_schemas_of_another_version(
    project: Path, toolc: Toolc, tree: Tree
) -> None:
    before = tree(project)
    for name in SCHEMAS:
        (project / f".toolc/{name}.schema.json").write_text(
            '{"$comment": "Written by toolc 0.0.1"}'
        )
    for options in (["--check"], ["--diff"], ["--dry-run"]):
        toolc("build", *options)
        assert "0.0.1" in (project / SCHEMA).read_text()
    ran = toolc("build", "--no-cache")
    assert ran.code == 0
    assert f"wrote {SCHEMA} anew: it was another version's\n" in ran.out
    assert "wrote .toolc/project.schema.json anew: it was another version's\n" in ran.out
    assert tree(project) == before
    assert "anew" not in toolc("build", "--no-cache").out


def test_a_schema_that_cannot_be_written_fails_no_build(
    project: Path, toolc: Toolc, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "a.json"
    elsewhere.write_text("{}")
    (project / SCHEMA).unlink()
    (project / SCHEMA).symlink_to(elsewhere)
    ran = toolc("build", "--no-cache")
    assert ran.code == 0
    assert f"{SCHEMA} is another version's, but a link leads the output out of" in ran.out
    assert elsewhere.read_text() == "{}"


def test_it_belongs_to_who_works_on_the_project(project: Path, toolc: Toolc) -> None:
    assert toolc("clean").code == 0
    assert (project / SCHEMA).exists()
