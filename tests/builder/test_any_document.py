"""Whatever stands in a document, the answer is a Tool or diagnostics, never an exception."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from toolc import pipeline
from toolc.builder.keys import KEYS, Level
from toolc.model.diagnostic import has_errors
from toolc.model.document import SourceFile
from toolc.model.project import Project

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-5, 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
    | st.sampled_from(["int", "array:string", "a | b", "object", "#/$defs/a", "ui://a", "60/min"])
)
KEY = st.sampled_from([key.name for key in KEYS]) | st.text(max_size=8)
JSON_VALUE = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY, inner, max_size=4),
    max_leaves=12,
)


def tables(level: Level) -> st.SearchStrategy[dict[str, Any]]:
    names = [key.name for key in KEYS if key.level is level]
    return st.dictionaries(st.sampled_from(names) | st.text(max_size=6), JSON_VALUE, max_size=6)


def definitions() -> st.SearchStrategy[Any]:
    """Half of them near to a definition, so that the later stages are reached as well."""
    parameters = st.lists(
        tables(Level.PARAMETER).map(lambda table: {"name": "a", "type": "int"} | table), max_size=2
    )
    schema = tables(Level.PARAMETER).map(lambda table: {"type": "object", "properties": table})
    tool = st.builds(
        lambda table, rows: table | rows,
        tables(Level.TOOL),
        st.fixed_dictionaries({}, optional={"parameters": parameters, "output": parameters})
        | st.fixed_dictionaries({}, optional={"inputSchema": schema, "outputSchema": JSON_VALUE}),
    )
    return tool | JSON_VALUE | st.lists(tool, max_size=2).map(lambda tools: {"tools": tools})


@settings(max_examples=400)
@given(definitions(), st.sampled_from([Project(), Project(unions="list", enum_docs="oneOf")]))
def test_any_json_document_ends_in_tools_or_errors(value: Any, project: Project) -> None:
    source = SourceFile("t.json", json.dumps(value))
    compiled = pipeline.compile_file(source, project)
    empty_list = isinstance(value, dict) and value.get("tools") == []
    assert compiled.tools or has_errors(compiled.diagnostics) or empty_list
    for tool in compiled.tools:
        json.dumps(tool.to_dict(), allow_nan=False)


@settings(max_examples=150)
@given(st.dictionaries(KEY, JSON_VALUE, max_size=3), definitions())
def test_any_shared_file_ends_in_diagnostics(shared: dict[str, Any], value: Any) -> None:
    pipeline.compile_project(
        {
            "_s.json": json.dumps({"types": {"T": shared}, "fragments": shared}),
            "t.json": json.dumps(value),
        },
        Project(),
    )
