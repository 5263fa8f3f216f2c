"""Several tools in a file, names, namespaces and shared definitions."""

from __future__ import annotations

import pytest

from toolc import api, pipeline
from toolc.builder.metadata import ReadTools
from toolc.loader import load
from toolc.model.document import SourceFile
from toolc.model.project import Project


def read(text: str, shared: str = "") -> ReadTools:
    project = Project()
    sources = [SourceFile("_s.toml", shared)] if shared else []
    definitions, problems = pipeline.compile_shared(sources, project)
    assert not problems
    document, problems = load(SourceFile("t.toml", text))
    assert document is not None and not problems
    return pipeline.read_document(document, "t", project, definitions)


DEFAULTS = """
defaults:
  readOnly: true
  descriptionFile: all.md
  inputSchema: {type: object}
  annotations: {destructiveHint: false, vendor: 1}
tools:
  - name: takes_all
  - {name: says_more, description: mine, parameters: [], destructive: true}
  - {name: says_it_in_annotations, annotations: {readOnlyHint: false}}
"""


def test_defaults_give_way_to_whatever_says_the_same() -> None:
    program = pipeline.compile_project(
        {"t.yaml": DEFAULTS, "all.md": "For all.\r\nOf them.\n"}, Project()
    )
    assert not program.diagnostics
    tools = {tool.name: tool.to_wire() for tool in program.tools}
    assert tools["takes_all"]["description"] == "For all.\nOf them."
    assert tools["takes_all"]["inputSchema"] == {"type": "object"}
    hints = {"destructiveHint": False, "vendor": 1, "readOnlyHint": True}
    assert tools["takes_all"]["annotations"] == hints
    assert tools["says_more"]["description"] == "mine"
    assert tools["says_more"]["annotations"] == hints | {"destructiveHint": True}
    assert tools["says_it_in_annotations"]["annotations"] == {"readOnlyHint": False}


@pytest.mark.parametrize("text", ['name = "other"', 'Name = "other"', 'NAME = "other"'])
def test_a_name_overrides_the_stem_however_it_is_spelled(text: str) -> None:
    assert [tool.name for tool in read(text).tools] == ["other"]


def test_a_namespace_goes_before_every_name() -> None:
    program = pipeline.compile_project(
        {"defs/a/tool_search.toml": "", "defs/a/b/x.toml": 'name = "y"', "defs/z.toml": ""},
        Project(sources=("defs",), namespace="folder"),
    )
    assert [tool.name for tool in program.tools] == ["a_b_y", "a_tool_search", "z"]
    assert {found.tool for found in program.diagnostics} <= {"a_tool_search", "z", ""}


def test_a_file_depends_on_the_shared_names_that_it_uses_and_on_theirs() -> None:
    shared = """
[types.M]
type = "int"
[types.N]
type = "array:M"
[types.Unused]
type = "string"
[fragments.F]
parameters = [{ name = "n", type = "N" }]
"""
    assert read("parameters = [{ include = 'F' }]", shared).uses == (
        "fragment:F",
        "type:M",
        "type:N",
    )
    assert read("parameters = []", shared).uses == ()


@pytest.mark.parametrize("name", ["", " "])
def test_a_tool_needs_a_name(name: str) -> None:
    tool, diagnostics = api.compile_tool(name, {"description": "x"})
    assert tool is None
    assert {found.code for found in diagnostics} & {"M112", "M301"}


def test_a_text_without_a_tool_is_told() -> None:
    with pytest.raises(api.MetadataError, match="no tool"):
        api.build_tool("t", {"tools": []})
