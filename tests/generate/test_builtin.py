"""The built-in templates as functions: made from templates/ as it is, and the same text as Jinja2's."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc import driver
from toolc.generate.builtin import BUILTIN
from toolc.generate.templates import BUILTIN_PREFIX, Render, environment
from toolc.model.project import Project
from toolc.model.tool import Tool

from .conftest import TEMPLATES, builtin_templates, python_artifacts
from .test_python import FIND_NOTES, PLAN_TRIP, TREES

ROOT = TEMPLATES.parent


def script() -> Any:
    """`docs/builtin.py`, which makes the module."""
    spec = importlib.util.spec_from_file_location("docs_builtin", ROOT / "docs" / "builtin.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = script()

by_jinja = environment({}, builtin_templates)


def render_both(name: str, values: Mapping[str, Any]) -> str:
    text = BUILTIN[name](values)
    assert text == by_jinja(BUILTIN_PREFIX + name, values)
    return text


def test_the_module_is_made_from_the_templates() -> None:
    made = SCRIPT.module_text()
    assert made == SCRIPT.MODULE.read_text("utf-8"), "run `python docs/builtin.py`"
    assert sorted(BUILTIN) == sorted(path.name for path in TEMPLATES.iterdir())


def example_tools() -> tuple[Tool, ...]:
    opened = driver.open_project(str(ROOT))
    return driver.compile_project(str(ROOT), opened.project).tools


@pytest.mark.parametrize(
    "tools",
    [(), (FIND_NOTES, PLAN_TRIP), TREES, example_tools()],
    ids=["none", "golden", "trees", "tooldefs"],
)
def test_both_ways_make_the_same_files(render: Render, tools: tuple[Tool, ...]) -> None:
    made, diagnostics = python_artifacts(tools, Project(), render_both)
    assert not diagnostics
    assert made == python_artifacts(tools, Project(), render)[0]


TEXT = st.text(max_size=20)
TEXTS = st.lists(TEXT, max_size=3)
KINDS = st.sampled_from(["dataclass", "TypedDict", "assignment"])
VALUES = st.fixed_dictionaries(
    {
        **dict.fromkeys(
            ["docstring", "module_docstring", "signature", "failure", "call", "body"], TEXT
        ),
        **dict.fromkeys(["imports", "shapes"], TEXTS),
        "classes": st.lists(st.tuples(KINDS, TEXT, TEXT, TEXTS), max_size=3),
        "protocols": st.lists(st.tuples(TEXT, TEXT, TEXT), max_size=3),
        "pairs": st.lists(st.tuples(TEXTS, TEXT), max_size=3),
    }
)
"""Something for each slot of every built-in template."""


@pytest.mark.parametrize("name", BUILTIN)
@given(values=VALUES)
def test_both_ways_lay_any_values_out_alike(name: str, values: Mapping[str, Any]) -> None:
    render_both(name, values)


def function(source: str) -> Any:
    made: dict[str, Any] = {}
    text = SCRIPT.function_text("made.j2", source)
    exec("from __future__ import annotations\n" + text, made)
    return made["made"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("", ""),
        ("{# nothing #}", ""),
        ('{} {{ \'{{\' }} \\ \\n \' " """ é\n', '{} {{ \\ \\n \' " """ é\n'),
        ("'{{ a }}'\n" * 20, "'x'\n" * 20),
        ("{% if not a %}1{% elif a == 'x' %}2{% else %}3{% endif %}", "2"),
        ('{% if a == "{" %}{% else %}{% if not a == "y" %}4{% endif %}{% endif %}', "4"),
        ("{% for b in c %}{% if not loop.first %}, {% endif %}{{ b }}{% endfor %}", "p, q"),
        (
            "{% for d, e in f %}{% if loop.first %}>{% endif %}{% for b in e %}"
            "{% if loop.first %}{{ d }}{% endif %}{{ b }}{% endfor %}{% endfor %}",
            ">1rs2t",
        ),
    ],
)
def test_the_script_translates(source: str, text: str) -> None:
    values = {"a": "x", "c": ["p", "q"], "f": [("1", ["r", "s"]), ("2", ["t"])]}
    assert function(source)(values) == text
    assert environment({"made": source}, dict)("made", values) == text


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("\n{{ a | upper }}", "made.j2, line 2: Filter has no translation"),
        ("{{ a.b }}", "made.j2, line 1: Getattr has no translation"),
        ("{{ a + 'b' }}", "made.j2, line 1: Add has no translation"),
        ("{{ loop }}", "made.j2, line 1: Name has no translation"),
        ("{% if loop.first %}{% endif %}", "made.j2, line 1: Getattr has no translation"),
        ("{% for a in b %}{{ loop.index }}{% endfor %}", "Getattr has no translation"),
        ("{% for a in b %}{% if loop.last %}{% endif %}{% endfor %}", "Getattr has no translation"),
        ("{% if a == b %}{% endif %}", "made.j2, line 1: Compare has no translation"),
        ("{% if a != 'b' %}{% endif %}", "made.j2, line 1: Compare has no translation"),
        ("{% if a and b %}{% endif %}", "made.j2, line 1: And has no translation"),
        ("{% for a in b %}{% else %}c{% endfor %}", "made.j2, line 1: For has no translation"),
        ("{% for a in b if a %}{% endfor %}", "made.j2, line 1: For has no translation"),
        ("{% for a in b recursive %}{% endfor %}", "made.j2, line 1: For has no translation"),
        ("{% for a, (b, c) in d %}{% endfor %}", "made.j2, line 1: Tuple has no translation"),
        ("{% for (a,) in b %}{% endfor %}", "made.j2, line 1: Tuple has no translation"),
        ("{% include 'b' %}", "made.j2, line 1: Include has no translation"),
        ("{% block b %}{% endblock %}", "made.j2, line 1: Block has no translation"),
        ("{% set a = b %}", "made.j2, line 1: Assign has no translation"),
        ("{{ parts }}", "made.j2: the name parts cannot be used"),
        ("{{ enumerate }}", "made.j2: the name enumerate cannot be used"),
        ("{{ class }}", "made.j2: the name class cannot be used"),
        ("{% for index in a %}{% endfor %}", "made.j2: the name index cannot be used"),
        ("{% for a in b %}{% endfor %}{{ a }}", "made.j2: a loop hides the name a"),
    ],
)
def test_the_script_refuses_what_it_has_no_translation_for(source: str, message: str) -> None:
    with pytest.raises(SCRIPT.Refused) as caught:
        SCRIPT.function_text("made.j2", source)
    assert message in str(caught.value)
