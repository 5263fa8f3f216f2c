"""The project file: defaults, paths, and every wrong setting told where it stands."""

from __future__ import annotations

import pytest

from toolc.builder.project import read_project
from toolc.builder.settings import SETTINGS
from toolc.loader import load
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import SourceFile
from toolc.model.project import Output, Project, PythonTarget


def read(text: str) -> tuple[Project, tuple[Diagnostic, ...]]:
    document, _ = load(SourceFile("toolc.toml", text))
    assert document is not None
    return read_project(document)


def test_an_empty_file_is_a_project() -> None:
    project, problems = read("")
    assert not problems
    assert project == Project(path="toolc.toml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'output = "src/app/generated"\n[python]\npackage = "app.generated"',
            PythonTarget(
                True,
                "app.generated",
                "src/app/generated",
                "src/app/generated/handlers",
                "app.generated.handlers",
            ),
        ),
        (
            'output = "build"\n[python]\npackage = "app.tools"\nhandlers = "handlers"',
            PythonTarget(True, "app.tools", "app/tools", "handlers", "handlers"),
        ),
        ('output = "./out/"', PythonTarget(True, "out", "out", "out/handlers", "out.handlers")),
        ('output = "my-out"\n[python]\nenabled = false', PythonTarget(enabled=False)),
    ],
)
def test_where_the_package_lies(text: str, expected: PythonTarget) -> None:
    project, problems = read(text)
    assert not problems
    assert project.python == expected


def test_outputs() -> None:
    project, problems = read(
        '[[outputs]]\ntemplate = "t.j2"\npath = "x/{name}.ts"\n'
        '[[outputs]]\ntemplate = "all.j2"\npath = "all.md"\nper = "project"'
    )
    assert not problems
    assert project.outputs == (
        Output("t.j2", "x/{name}.ts", "tool"),
        Output("all.j2", "all.md", "project"),
    )


@pytest.mark.parametrize(
    ("text", "code", "line", "words"),
    [
        ('souces = ["x"]', "P602", 1, 'did you mean "sources"'),
        ('zzz = "x"', "P602", 1, "templates, lint, outputs, python, server"),
        ('name = "x"', "P602", 1, '"name" belongs below [server]'),
        ('handlers = "x"', "P602", 1, '"handlers" belongs below [python]'),
        ("[server]\nhoist = true", "P602", 2, '"hoist" belongs above the first table'),
        ('sources = "x"', "P603", 1, "a list of paths"),
        ('sources = ["../x"]', "P603", 1, "not inside the project"),
        ('output = "/tmp/x"', "P603", 1, "not inside the project"),
        ('output = "C:\\\\x"', "P603", 1, "not inside the project"),
        ('output = "my-out"', "P603", 1, "no name for a Python package"),
        ('revision = "2023-01-01"', "P603", 1, "2023-01-01"),
        ("dialect = 1", "P603", 1, "true or false"),
        ('[python]\npackage = "class.import"', "P603", 2, "a dotted package name"),
        ('[python]\nhandlers = "a-b"', "P603", 2, "cannot be imported"),
        ("python = 3", "P603", 1, "must be a table"),
        ('[server]\nname = ""', "P603", 2, '"name" is empty'),
        ("[server]\ncache = { ttlMs = -1 }", "P603", 2, "milliseconds"),
        ("[server]\ncache = { ttl = 1 }", "P602", 2, 'unknown setting "ttl"'),
        ('[[server.tags]]\nname = ["x"]', "P603", 1, 'a text "name"'),
        ('[[server.transports]]\ntype = "zzz"', "P603", 2, '"zzz"'),
        ('[[server.transports]]\ntype = "sse"', "P603", 1, 'needs "url"'),
        ("[[server.icons]]\nsrc = 3", "P603", 1, 'a text "src"'),
        ('[[outputs]]\ntemplate = "t"\npath = "x"', "P603", 3, "the same for every tool"),
        ('[[outputs]]\ntemplate = "t"\npath = "{name}"\nper = false', "P603", 1, "needs"),
        (
            '[[outputs]]\ntemplate = "t"\npath = "{name}.md"\nper = "project"',
            "P603",
            3,
            "without {name}",
        ),
        ('[[outputs]]\ntemplate = "../t"\npath = "{name}"', "P603", 1, "not inside"),
    ],
)
def test_wrong_settings(text: str, code: str, line: int, words: str) -> None:
    _, (problem, *_) = read(text)
    assert problem.code == code
    assert words in problem.message + problem.hint
    assert problem.site is not None and problem.site.span is not None
    assert SourceFile("toolc.toml", text).line_column(problem.site.span.start)[0] == line


def test_the_settings_have_distinct_names() -> None:
    keys = [(setting.table, setting.name) for setting in SETTINGS]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("text", ["", "[tool]\nother = 1", "tool = 3", "[tool]\ntoolc = 3"])
def test_a_pyproject_without_the_table(text: str) -> None:
    document, _ = load(SourceFile("pyproject.toml", text + "\nx = 1" * (not text)))
    assert document is not None
    _, problems = read_project(document, ("tool", "toolc"))
    assert problems[0].code in ("P601", "P603")


def test_in_a_pyproject_a_setting_s_place_is_below_its_table() -> None:
    document, _ = load(
        SourceFile("pyproject.toml", '[tool.toolc]\nname = "x"\n[tool.toolc.server]\nhoist = true')
    )
    assert document is not None
    _, problems = read_project(document, ("tool", "toolc"))
    assert [problem.hint for problem in problems] == [
        '"name" belongs below [tool.toolc.server]',
        '"hoist" belongs below [tool.toolc]',
    ]
