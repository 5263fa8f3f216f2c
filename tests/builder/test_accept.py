"""What is accepted in one pass is what the careful way builds, and says nothing of."""

from __future__ import annotations

import copy
import json
from datetime import date
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolc import pipeline
from toolc.builder.accept import accept
from toolc.loader import load
from toolc.loader.leaves import leaves
from toolc.model.document import Pointer, SourceFile, pointer_text
from toolc.model.project import Project
from toolc.model.tool import Tool

ROOT = Path(__file__).resolve().parents[2]
PROJECTS = [Project(), Project(descriptions="collapse"), Project(descriptions="keep")]


def assert_same(definition: Any, project: Project) -> bool:
    """Whether a definition is accepted; if so, it is what the careful way comes to."""
    text = json.dumps(definition)
    document, problems = load(SourceFile("t.json", text))
    if document is None or problems or not isinstance(document.value, dict):
        return False
    accepted = accept(document.value, "t", "t.json", project)
    if accepted is None:
        return False
    read = pipeline.read_document(document, "t", project)
    built: list[Tool | None] = []
    diagnostics = list(read.diagnostics)
    for metadata in read.tools:
        tool, found = pipeline.compile_metadata(metadata, project)
        built.append(tool)
        diagnostics.extend(found)
    assert not diagnostics
    assert built == [accepted]
    assert json.dumps(accepted.to_wire()) == json.dumps(built[0].to_wire())  # type: ignore[union-attr]
    return True


SMALL = st.integers(-1, 5)
TEXT = st.sampled_from(["", "x", " x ", "a\n  b\n", "a\u00a0 b", "\ud83d\ude00"])
KEYWORD = st.one_of(
    st.tuples(st.sampled_from(["minimum", "maximum", "minLength", "maxLength"]), SMALL),
    st.tuples(st.sampled_from(["minItems", "maxItems", "multipleOf"]), SMALL),
    st.tuples(st.just("format"), st.sampled_from(["date", "uri", "dat", "vendor", 3])),
    st.tuples(
        st.just("default"), st.sampled_from([0, 3, 9, -1, 1.5, "x", "xxxxxx", True, None, [], {}])
    ),
    st.tuples(st.just("title"), TEXT | SMALL),
    st.tuples(st.just("enum"), st.just(["x", "y"])),
    st.tuples(st.just("required"), st.booleans() | st.none()),
    st.tuples(st.sampled_from(["nullable", "odd", "x-note"]), st.booleans()),
)
TYPE = st.sampled_from(
    ["string", "int", "number", "bool", "object", "any", "array:string", "array:object", "map:int"]
    + ["str", "array:int | null", "", 3]
)


def rows(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    row = st.builds(
        lambda base, keywords, members: {**base, **dict(keywords), **members},
        st.fixed_dictionaries(
            {"name": st.sampled_from(["a", "b", "", "c d"])},
            optional={"type": TYPE, "description": TEXT | st.none()},
        ),
        st.lists(KEYWORD, max_size=3),
        st.fixed_dictionaries({}, optional={"properties": inner}),
    )
    return st.lists(row, max_size=3)


PARAMETERS = st.recursive(rows(st.just([])), rows, max_leaves=4) | st.just("none")
DEFINITION = st.fixed_dictionaries(
    {},
    optional={
        "description": TEXT | st.none(),
        "title": TEXT,
        "keywords": st.lists(TEXT | SMALL, max_size=2),
        "tags": st.lists(TEXT, max_size=2),
        "discoverable": st.booleans() | st.just("yes"),
        "readOnly": st.booleans() | st.none(),
        "openWorld": st.booleans(),
        "kind": st.sampled_from(["query", "lookup", "queries"]),
        "parameters": PARAMETERS,
        "output": PARAMETERS,
        "name": TEXT,
        "vendor": st.booleans(),
    },
)


@settings(max_examples=600)
@given(DEFINITION, st.sampled_from(PROJECTS))
def test_any_definition(definition: dict[str, Any], project: Project) -> None:
    assert_same(definition, project)


def test_the_golden_vectors() -> None:
    vectors = json.loads((ROOT / "tests/reference/metadata-vectors.json").read_text("utf-8"))
    accepted = [assert_same(vector["metadata"], PROJECTS[1]) for vector in vectors]
    assert sum(accepted) > 60


@pytest.mark.parametrize(
    "row",
    [
        {"type": "string", "default": "x", "required": True},
        {"type": "int", "minimum": 3, "maximum": 2},
        {"type": "int", "maximum": 2, "default": 3},
        {"type": "bool", "default": 1},
        {"type": "string", "minLength": -1},
        {"type": "string", "pattern": "("},
        {"type": "string", "format": "dat"},
        {"type": "string", "format": ["date"]},
        {"type": "array:string", "minLength": 1},
        {"type": "Strin"},
        {},
    ],
)
def test_what_takes_a_closer_look(row: dict[str, Any]) -> None:
    definition: Any = {"parameters": [{"name": "a", **row}]}
    assert accept(definition, "t", "t.json", Project()) is None


def test_deep_definitions_take_a_closer_look() -> None:
    row: Any = {"name": "a", "type": "int"}
    for _ in range(40):
        row = {"name": "a", "type": "object", "properties": [row]}
    assert accept({"parameters": [row]}, "t", "t.json", Project()) is None


WHOLE: Any = {
    "title": "T",
    "description": "D",
    "keywords": ["k"],
    "tags": ["t"],
    "kind": "query",
    "discoverable": True,
    "readOnly": True,
    "parameters": [
        {"name": "s", "type": "string", "description": "d", "minLength": 1, "default": "x"},
        {"name": "i", "type": "int", "required": False, "minimum": 1, "maximum": 9, "default": 2},
        {"name": "n", "type": "number", "title": "N", "default": 1.5},
        {"name": "o", "type": "object", "properties": [{"name": "b", "type": "bool"}]},
    ],
    "output": [{"name": "a", "type": "array:int", "maxItems": 3}],
}
PLACES = [pointer for pointer, _, is_key in leaves(WHOLE) if not is_key]


@pytest.mark.parametrize("odd", [date(2026, 11, 29), inf, -inf, nan, 2**54, None], ids=str)
@pytest.mark.parametrize("place", PLACES, ids=pointer_text)
def test_what_a_toml_text_may_hold_and_json_not(place: Pointer, odd: object) -> None:
    """Nobody else looks for it in what is accepted."""
    definition = copy.deepcopy(WHOLE)
    assert accept(definition, "t", "t.toml", Project()) is not None
    around = definition
    for part in place[:-1]:
        around = around[part]
    around[place[-1]] = odd
    assert accept(definition, "t", "t.toml", Project()) is None
