"""`toolc mv`: a tool is renamed whole, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

Tree = Callable[[Path], dict[str, str]]


def test_the_whole_tool(project: Path, toolc: Toolc, tree: Tree) -> None:
    handler = (project / "handlers/greet.py").read_text()
    ran = toolc("mv", "greet", "sayHello")
    assert ran.code == 0, ran.out
    assert ran.out.startswith(
        "renamed greet to sayHello: tooldefs/greet.toml -> tooldefs/sayHello.toml, "
        "handlers/greet.py -> handlers/say__hello.py\n"
        'the old name stays as an alias, by tooldefs/sayHello.toml:3: aliases = ["greet"]\n'
    )
    files = tree(project)
    assert "tooldefs/greet.toml" not in files
    assert "handlers/greet.py" not in files
    assert "generated/contracts/greet.py" not in files
    assert "generated/contracts/say__hello.py" in files
    assert 'aliases = ["greet"]\n' in files["tooldefs/sayHello.toml"]
    assert files["handlers/say__hello.py"] == (
        handler.replace("`greet`", "`sayHello`")
        .replace("contracts.greet", "contracts.say__hello")
        .replace("GreetParams", "SayHelloParams")
        .replace("GreetResult", "SayHelloResult")
        .replace("def greet", "def say__hello")
    )
    assert toolc("build", "--check", "--strict").code == 0
    assert toolc("show", "greet").err == "toolc: 'greet' is an old name of 'sayHello'\n"


def test_there_and_back(project: Path, toolc: Toolc) -> None:
    handler = (project / "handlers/greet.py").read_text()
    assert toolc("mv", "greet", "hello").code == 0
    assert toolc("mv", "hello", "greet").code == 0
    assert (project / "handlers/greet.py").read_text() == handler
    assert 'aliases = ["hello"]\n' in (project / "tooldefs/greet.toml").read_text()


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("nope", "x"), "no tool 'nope'"),
        (("greet", "second"), "there is a tool 'second' already"),
        (("greet", "greet"), "there is a tool 'greet' already"),
        (("greet", "a b"), "a tool's name is"),
        (("greet", "taken"), "'tooldefs/taken.toml' is there already"),
        (("greet", "blocked"), "'handlers/blocked.py' is there already"),
    ],
)
def test_refuses(
    project: Path, toolc: Toolc, arguments: tuple[str, str], part: str, tree: Tree
) -> None:
    toolc("new", "second")
    (project / "tooldefs/taken.toml").write_text('name = "other"\n')
    (project / "handlers/blocked.py").write_text("")
    before = tree(project)
    ran = toolc("mv", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert part in ran.err
    assert tree(project) == before


def test_code_that_imports_the_old_contract(project: Path, toolc: Toolc) -> None:
    """A handler of the author's own naming keeps its place, and the contract gets another."""
    (project / "app").mkdir()
    (project / "app/pay.py").write_text(
        '"""Payments."""\n\nfrom generated.contracts.a_pay import APayParams\n\n'
        "def pay(params: APayParams, context: object) -> str: ...\n"
    )
    (project / "handlers/both.py").write_text("import generated.contracts.a_pay\n")
    (project / "tooldefs/a_pay.toml").write_text('handler = "app.pay:pay"\n')
    toolc("build")
    ran = toolc("mv", "a_pay", "b_pay")
    assert ran.code == 0
    assert "handlers/both.py:1:1: warning[P608]" in ran.out
    assert (
        'app/pay.py:3:1: warning[P608]: imports the contract "generated.contracts.a_pay", '
        'which "a_pay" had before it was renamed\n'
        "  |\n"
        "3 | from generated.contracts.a_pay import APayParams\n"
    ) in ran.out
    assert "`APayParams` to `BPayParams`" in ran.out


def test_all_or_nothing(project: Path, toolc: Toolc, tree: Tree) -> None:
    (project / "handlers/greet.py").write_text("greet = print\n")
    before = tree(project)
    ran = toolc("mv", "greet", "hello")
    assert ran.code == 1
    assert "handlers/greet.py: error[P607]" in ran.out
    assert tree(project) == before


def test_a_project_with_errors(project: Path, toolc: Toolc, tree: Tree) -> None:
    (project / "tooldefs/bad.toml").write_text("keywrods = []\n")
    before = tree(project)
    ran = toolc("mv", "greet", "hello")
    assert ran.code == 1
    assert ran.out.endswith("1 error in 1 of 2 files; nothing written\n")
    assert tree(project) == before


def test_a_namespace(project: Path, toolc: Toolc) -> None:
    (project / "toolc.toml").write_text('namespace = "folder"\n')
    (project / "tooldefs/notes").mkdir()
    (project / "tooldefs/notes/find.toml").write_text('description = "Find"\n')
    toolc("build")
    refused = toolc("mv", "notes_find", "search")
    assert refused.code == 2
    assert "begin with 'notes_'" in refused.err
    assert toolc("mv", "notes_find", "notes_search").code == 0
    moved = (project / "tooldefs/notes/search.toml").read_text()
    assert moved == 'aliases = ["notes_find"]\ndescription = "Find"\n'
