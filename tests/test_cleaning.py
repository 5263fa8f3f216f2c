"""A handler that nobody has written is known by its whole text."""

from __future__ import annotations

import pytest

from toolc import driver
from toolc.cleaning import is_untouched_stub
from toolc.generate.names import module_name
from toolc.generate.python import handler_text
from toolc.model.document import JsonValue
from toolc.model.project import PythonTarget
from toolc.model.tool import Tool

TARGET = PythonTarget()
RENDER = driver.renderer({})


def stub(name: str, description: str | None = None, result: JsonValue = None) -> tuple[str, str]:
    """The path and the text of a handler as toolc writes it."""
    text = handler_text(Tool(name, {}, "", description, result), TARGET, RENDER)
    return f"{TARGET.handlers}/{module_name(name)}.py", text


@pytest.mark.parametrize("result", [None, {"type": "object"}])
@pytest.mark.parametrize(
    "description",
    [
        None,
        "",
        "Find notes.",
        "Find notes.\n\nAt most 50:\n\n  - one\n  - two\n",
        "\n  indented\n    more\n",
        'It says "so" and """so""" \\ \\n',
        '"',
        "Suche é \u202e \U0001f600 \x00 \ud800",
        "a\ttab\r\nand a line\r\n",
        "Handler of `find_notes`.",
    ],
)
def test_is_known_whatever_the_description(description: str | None, result: JsonValue) -> None:
    path, text = stub("find_notes", description, result)
    assert is_untouched_stub(path, text, TARGET, RENDER)
    assert is_untouched_stub(path, text.replace("\n", "\r\n"), TARGET, RENDER)


@pytest.mark.parametrize(
    "name", ["x", "findNotes", "find-notes", "import", "Find.Notes", "a" * 128]
)
def test_is_known_whatever_the_name(name: str) -> None:
    path, text = stub(name, "Find notes.")
    assert is_untouched_stub(path, text, TARGET, RENDER)


def test_is_known_with_an_application_that_came_before_or_after_it() -> None:
    path, before = stub("find_notes", "Find notes.")
    target = TARGET._replace(app="app:App")
    after = handler_text(Tool("find_notes", {}, "", "Find notes."), target, RENDER)
    assert is_untouched_stub(path, before, target, RENDER)
    assert is_untouched_stub(path, after, target, RENDER)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    raise", "    # ask Ada\n    raise"),
        ("from __future__", "import os\nfrom __future__"),
        ("async def", "def"),
        ("raise NotImplementedError", "return NotImplementedError"),
        ('NotImplementedError("find_notes")', 'NotImplementedError("later")'),
        ("toolc wrote this once", "I wrote this once"),
        ("-> str", "-> int"),
        ('"find_notes")\n', '"find_notes")\n\n\nLIMIT = 50\n'),
        ("def find_notes", "def find_note"),
        ("async def", "async def ("),
    ],
)
def test_any_edit_makes_it_its_author_s(old: str, new: str) -> None:
    path, text = stub("find_notes", "Find notes.")
    assert old in text
    assert not is_untouched_stub(path, text.replace(old, new), TARGET, RENDER)


def test_another_file_s_stub_is_none() -> None:
    _, text = stub("find_notes")
    assert not is_untouched_stub(f"{TARGET.handlers}/other.py", text, TARGET, RENDER)


def test_a_template_of_the_project_s_own() -> None:
    template = '{{ module_docstring }}\n{{ signature }}\n    raise NotImplementedError("{{ signature }}")\n'
    render = driver.renderer({"handler.py.j2": template})
    text = handler_text(Tool("find_notes", {}, "", "Find notes."), TARGET, render)
    path = f"{TARGET.handlers}/find_notes.py"
    assert is_untouched_stub(path, text, TARGET, render)
    assert not is_untouched_stub(path, text, TARGET, RENDER)
    assert not is_untouched_stub(path, text, TARGET, driver.renderer({"handler.py.j2": "{{ x }}"}))
