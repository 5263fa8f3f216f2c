"""A project's outputs and templates, as opening and compiling it on a disk finds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolc import driver
from toolc.model.diagnostic import Diagnostic, Severity

OUTPUT = '[[outputs]]\ntemplate = "t.j2"\n'


def findings(root: Path, settings: str, files: dict[str, str]) -> list[Diagnostic]:
    """What is said of a project of one tool; a project that cannot be opened is not compiled."""
    for path, text in {
        "toolc.toml": settings,
        "tooldefs/greet.toml": 'description = "Greet"\n',
        **files,
    }.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    opened = driver.open_project(str(root))
    if opened.diagnostics:
        return list(opened.diagnostics)
    return list(driver.compile_project(opened.root, opened.project).diagnostics)


def line_of(found: Diagnostic, settings: str) -> int:
    assert found.path == "toolc.toml"
    assert found.site is not None and found.site.span is not None
    return settings.count("\n", 0, found.site.span.start) + 1


@pytest.mark.parametrize(
    ("settings", "line", "words"),
    [
        ('output = "tooldefs"', 1, 'written to "tooldefs" would be read'),
        ('output = "tooldefs"\npython.enabled = false', 1, "would be read as definitions"),
        ('sources = ["tooldefs", "out"]\noutput = "out"', 2, "would be read as definitions"),
        (f'{OUTPUT}path = "tooldefs/{{name}}.json"', 3, "would be read as a definition"),
        (f'{OUTPUT}path = "tooldefs/{{name}}/a.yml"', 3, "would be read as a definition"),
        (f'sources = ["."]\n{OUTPUT}path = "{{name}}.toml"', 4, "would be read as a definition"),
        ('templates = "nope"', 1, 'the folder of templates "nope" is not there'),
        ('templates = "t.j2"', 1, 'the folder of templates "t.j2" is not there'),
        ('templates = "nope/"\n' + OUTPUT + 'path = "{name}"', 1, '"nope" is not there'),
        (OUTPUT.replace("t.j2", "u.j2") + 'path = "{name}"', 2, 'no template "u.j2" in the proj'),
        (
            'templates = "mine"\n' + OUTPUT + 'path = "{name}"',
            3,
            'no template "t.j2" in the folder "mine"',
        ),
    ],
)
def test_settings_that_would_not_build(
    tmp_path: Path, settings: str, line: int, words: str
) -> None:
    files = {"t.j2": "", "mine/other.j2": "", "out/.keep": ""}
    (found,) = findings(tmp_path, settings, files)
    assert found.severity is Severity.ERROR
    assert found.code.startswith("P")
    assert words in found.message
    assert line_of(found, settings) == line


@pytest.mark.parametrize(
    "settings",
    [
        'output = "tooldefs/generated"',
        'sources = ["."]\noutput = "generated"',
        'sources = ["."]\noutput = "."\npython.package = "generated"',
        f'{OUTPUT}path = "tooldefs/{{name}}.md"',
        f'{OUTPUT}path = "tooldefs/_made/{{name}}.json"',
        f'{OUTPUT}path = "tooldefs/.{{name}}.json"',
        f'{OUTPUT}path = "generated/{{name}}.json"',
        f'sources = ["."]\n{OUTPUT}path = "generated/{{name}}.json"',
        f'{OUTPUT}path = "tooldefs-old/{{name}}.json"',
    ],
)
def test_outputs_that_nobody_reads_again(tmp_path: Path, settings: str) -> None:
    assert findings(tmp_path, settings, {"t.j2": "{}"}) == []
    opened = driver.open_project(str(tmp_path))
    build = driver.compile_project(opened.root, opened.project)
    assert driver.commit(build, driver.plan_build(build)) == ()
    again = driver.compile_project(opened.root, opened.project)
    assert (again.diagnostics, again.inputs) == (build.diagnostics, build.inputs)
    assert driver.plan_build(again).changes == ()


@pytest.mark.parametrize(
    ("name", "text", "suggestion"),
    [
        ("contract.j2", "", '; did you mean "contract.py.j2"?'),
        ("handlers.py.j2", "", '; did you mean "handler.py.j2"?'),
        ("zzz.j2", "", ""),
        ("init.py.j2", "{{ docstring }}\n", None),
        ("rows.j2", "", None),
    ],
)
def test_a_template_that_nothing_uses(
    tmp_path: Path, name: str, text: str, suggestion: str | None
) -> None:
    settings = 'templates = "mine"\n' + OUTPUT + 'path = "{name}.md"\n'
    files = {"mine/t.j2": '{% include "rows.j2" %}', "mine/rows.j2": "", f"mine/{name}": text}
    found = findings(tmp_path, settings, files)
    if suggestion is None:
        assert found == []
        return
    (warning,) = found
    assert (warning.code, warning.severity) == ("P609", Severity.WARNING)
    assert warning.message == f'nothing uses the template "{name}"{suggestion}'
    assert warning.path == f"mine/{name}"


def test_an_override_that_makes_no_python_is_an_error(tmp_path: Path) -> None:
    settings = 'templates = "mine"\n'
    (found,) = findings(tmp_path, settings, {"mine/handler.py.j2": "def {{ signature }}:\n"})
    assert (found.code, found.path) == ("P606", "mine/handler.py.j2")
    assert "what it makes is not Python" in found.message
