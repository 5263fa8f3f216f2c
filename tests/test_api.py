"""The public functions, and what importing them costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import mcp_types
import pytest

import toolc
from toolc.model.document import JsonObject

GREET = """
title = "Greet"
description = "Greet somebody."
readOnly = true
parameters = [{ name = "who", type = "string", required = true }]
"""
GREET_AS_DICT = {
    "title": "Greet",
    "description": "Greet somebody.",
    "readOnly": True,
    "parameters": [{"name": "who", "type": "string", "required": True}],
}


def test_one_tool_from_any_source(tmp_path: Path) -> None:
    (tmp_path / "greet.toml").write_text(GREET, "utf-8")
    from_file = toolc.build_tool("greet", toolc.load(tmp_path / "greet.toml"))
    from_text = toolc.build_tool("greet", GREET)
    from_yaml = toolc.build_tool(
        "greet",
        "title: Greet\ndescription: Greet somebody.\nreadOnly: true\n"
        "parameters: [{name: who, type: string, required: true}]\n",
        notation="yaml",
    )
    from_dict = toolc.build_tool("greet", GREET_AS_DICT)
    wires = [tool.to_wire() for tool in (from_file, from_text, from_yaml, from_dict)]
    assert wires == [wires[0]] * 4


def test_the_name_given_is_the_tools() -> None:
    assert toolc.build_tool("other", 'name = "mine"').name == "other"


def test_what_is_wrong_is_raised_whole_and_located(tmp_path: Path) -> None:
    (tmp_path / "greet.toml").write_text('descripton = "x"\ntimeout = -1\n', "utf-8")
    with pytest.raises(toolc.MetadataError) as raised:
        toolc.load(tmp_path / "greet.toml")
    assert [found.code for found in raised.value.diagnostics] == ["M102", "M105"]
    first = raised.value.diagnostics[0].site
    assert first is not None and first.span is not None
    assert raised.value.sources[first.path].line_column(first.span.start) == (1, 1)
    assert str(raised.value).startswith('greet.toml:1:1: error[M102]: unknown key "descripton"')


def test_the_twins_return_what_there_is_to_say() -> None:
    tool, diagnostics = toolc.compile_tool("greet", {**GREET_AS_DICT, "vendor": 1})
    assert tool is not None
    assert [found.severity for found in diagnostics] == [toolc.Severity.WARNING]
    tool, diagnostics = toolc.compile_tool("greet", {"parameters": [{"name": "a", "type": "x"}]})
    assert tool is None
    assert diagnostics[0].pointer == ("parameters", 0, "type")


def test_several_tools_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "all.yaml").write_text("tools: [{name: a}, {name: b}]\n", "utf-8")
    assert [tool.name for tool in toolc.load_all(tmp_path / "all.yaml")] == ["a", "b"]
    with pytest.raises(ValueError, match="load_all"):
        toolc.load(tmp_path / "all.yaml")


def test_shared_definitions_beside_a_file(tmp_path: Path) -> None:
    (tmp_path / "_types.toml").write_text("[types.Port]\ntype = 'int'\nminimum = 1\n", "utf-8")
    (tmp_path / "open.toml").write_text("parameters = [{ name = 'p', type = 'Port' }]", "utf-8")
    tool = toolc.build_tool("open", toolc.load(tmp_path / "open.toml"))
    assert tool.input_schema["properties"] == {"p": {"type": "integer", "minimum": 1}}


def test_a_file_of_a_project_has_its_settings_and_its_shared_definitions(tmp_path: Path) -> None:
    (tmp_path / "toolc.toml").write_text('descriptions = "keep"', "utf-8")
    (tmp_path / "tooldefs" / "ports").mkdir(parents=True)
    (tmp_path / "tooldefs" / "_types.toml").write_text("[types.Port]\ntype = 'int'\n", "utf-8")
    definition = tmp_path / "tooldefs" / "ports" / "open.toml"
    definition.write_text(
        "description = ' x '\nparameters = [{ name = 'p', type = 'Port' }]", "utf-8"
    )
    tool = toolc.build_tool("open", toolc.load(definition))
    assert tool.description == " x "
    assert tool.input_schema["properties"] == {"p": {"type": "integer"}}


@pytest.mark.parametrize("metadata", [None, ["x"], 3])
def test_metadata_that_is_none(metadata: Any) -> None:
    with pytest.raises(toolc.MetadataError, match="must be a table"):
        toolc.build_tool("a", metadata)


def test_a_project_in_memory() -> None:
    tools = toolc.build_project({"b.toml": GREET, "a.json": "{}", "notes.md": "no definition"})
    assert [tool.name for tool in tools] == ["a", "b"]
    with pytest.raises(toolc.MetadataError):
        toolc.build_project({"b.toml": "parameters = 1"})


def test_a_project_on_the_disk(tmp_path: Path) -> None:
    (tmp_path / "tooldefs").mkdir()
    (tmp_path / "tooldefs" / "greet.toml").write_text(GREET, "utf-8")
    (tmp_path / "toolc.toml").write_text("", "utf-8")
    build = toolc.open_project(tmp_path / "tooldefs")
    assert [tool.name for tool in build.tools] == ["greet"]
    assert "generated/manifest.json" in [artifact.path for artifact in build.artifacts]
    assert not (tmp_path / "generated").exists()


def test_a_revisions_form_and_the_sdks_object() -> None:
    tool = toolc.build_tool("greet", GREET)
    old: JsonObject = tool.to_dict("2025-03-26")
    assert old["annotations"] == {"readOnlyHint": True, "title": "Greet"}
    assert "title" not in old
    with pytest.raises(ValueError, match="2023-01-01"):
        tool.to_dict(revision="2023-01-01")
    made = tool.to_mcp()
    assert isinstance(made, mcp_types.Tool)
    dumped = made.model_dump(by_alias=True, exclude_none=True, mode="json")
    assert dumped == tool.to_wire()


HEAVY = {"yaml", "tomli", "jinja2", "jsonschema", "jsonschema_rs", "pydantic", "mcp_types", "mcp"}


@pytest.mark.parametrize(
    ("statement", "forbidden"),
    [
        ("import toolc", HEAVY | {"typing", "dataclasses", "toolc.api"}),
        ("import toolc_runtime", HEAVY | {"typing", "dataclasses"}),
        ("from toolc_runtime import Context, Reply, ABSENT, Record", HEAVY | {"anyio"}),
        ("import toolc; toolc.build_tool('t', '')", {"yaml", "jinja2", "jsonschema", "pydantic"}),
    ],
)
def test_what_an_import_loads(statement: str, forbidden: set[str]) -> None:
    script = (
        f"import sys; before = set(sys.modules); {statement}; print(*set(sys.modules) - before)"
    )
    run = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert not forbidden & set(run.stdout.split())
