"""`toolc check`: which definitions it looks at, and whether handlers fit them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

Tree = Callable[[Path], dict[str, str]]


def test_fine(project: Path, toolc: Toolc, tree: Tree) -> None:
    before = tree(project)
    assert toolc("check").out.startswith("1 tool from 1 file: no errors in ")
    assert tree(project) == before


def test_paths(project: Path, toolc: Toolc, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "tooldefs/sub").mkdir()
    (project / "tooldefs/sub/bad.toml").write_text("keywrods = []\n")
    assert toolc("check").code == 1
    assert toolc("check", "tooldefs/greet.toml").code == 0
    assert toolc("check", "tooldefs/sub").code == 1
    monkeypatch.chdir(project / "tooldefs")
    assert toolc("check", "greet.toml").code == 0
    assert toolc("check", "nope.toml") == (2, "", 'toolc: "nope.toml" is not there\n')
    assert toolc("check", "../toolc.toml").code == 2
    assert toolc("check", "../handlers").code == 2


@pytest.mark.parametrize(
    ("handler", "part"),
    [
        ("import nowhere_at_all\n", "No module named 'nowhere_at_all' (handlers/greet.py, line 1)"),
        ("import json\njson.loads('{')\n", "(char 1) (handlers/greet.py, line 2)"),
        ("def greet(:\n", "SyntaxError: invalid syntax (greet.py, line 1)\n"),
        ("x = 1\n", "AttributeError"),
        ("greet = 1\n", "is int, not a function"),
        ("def greet(params): ...\n", "its signature is (params)"),
        ("def greet(a, b, *, c): ...\n", "its signature is (a, b, *, c)"),
        ("def greet(params: int, context: object) -> str: ...\n", "takes int, but"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
        ("import os\nos._exit(0)\n", "ended the process that imported it"),
    ],
)
def test_a_handler_that_does_not_fit(project: Path, toolc: Toolc, handler: str, part: str) -> None:
    (project / "handlers/greet.py").write_text(handler)
    ran = toolc("check", "--handlers")
    assert ran.code == 1
    assert ran.out.startswith('handlers/greet.py: error[G707]: the handler of "greet" ')
    assert part in ran.out


def test_an_application_that_handlers_cannot_import(project: Path, toolc: Toolc) -> None:
    (project / "app.py").write_text("import os\n\nHOST = os.environ['NOT_SET_ANYWHERE']\n")
    ran = toolc("check", "--handlers")
    assert ran.code == 1
    assert "cannot be imported: KeyError: 'NOT_SET_ANYWHERE' (app.py, line 3)\n" in ran.out


@pytest.mark.parametrize(
    "handler",
    [
        "print('hello')\ndef greet(params, context): ...\n",
        "def greet(*anything): ...\n",
        "from __future__ import annotations\ndef greet(params: Unseen, context: int): ...\n",
        "class Greet:\n    def __call__(self, params, context): ...\ngreet = Greet()\n",
    ],
)
def test_a_handler_that_fits(
    project: Path, toolc: Toolc, handler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolc.cli.handlers._type_check", lambda build: ([], {}))
    (project / "handlers/greet.py").write_text(handler)
    ran = toolc("check", "--handlers")
    assert ran.code == 0, ran.out


def test_a_handler_that_drifted(project: Path, toolc: Toolc) -> None:
    handler = project / "handlers/greet.py"
    handler.write_text(handler.read_text().replace("params.times", "params.tims"))
    ran = toolc("check", "--handlers")
    assert ran.code == 1
    assert "handlers/greet.py:14:" in ran.out
    assert 'error[G707]: mypy: "GreetParams" has no attribute "tims"' in ran.out
