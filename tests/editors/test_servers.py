"""Language servers of editors, the real ones, in a project that `toolc init` wrote. `make editors`
installs them; where it has not been run, these tests are skipped."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

HERE = Path(__file__).resolve().parent


def _module(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"editors_{name}", HERE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


run, lsp = _module("run"), _module("lsp")

pytestmark = pytest.mark.skipif(
    not run.is_installed(), reason="`make editors` installs the language servers, by npm"
)

SETTINGS = {
    "evenBetterToml": {"schema": {"enabled": True, "catalogs": []}},
    "yaml": {
        "validate": True,
        "hover": True,
        "completion": True,
        "schemaStore": {"enable": False},
    },
    "json": {"validate": {"enable": True}},
}


class Opened(NamedTuple):
    server: Any
    root: Path
    notation: str

    def open(self, name: str, text: str) -> dict[int, str]:
        """What the server finds in a file, by 1-based lines; the first message of each."""
        path = self.root / name
        path.write_text(text, encoding="utf-8")
        found: dict[int, str] = {}
        for shown in self.server.open(path, self.notation):
            found.setdefault(shown.line + 1, shown.message)
        return found


@pytest.fixture(scope="module", params=["toml", "yaml", "json"])
def opened(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Iterator[Opened]:
    root = tmp_path_factory.mktemp(request.param)
    for arguments in (["init"], ["new", "find_notes", "--format", request.param]):
        subprocess.run([sys.executable, "-m", "toolc", *arguments], cwd=root, check=True)
    server = lsp.LanguageServer(run.command(request.param), root, SETTINGS)
    yield Opened(server, root, request.param)
    server.close()


WRONG = {
    "toml": """\
#:schema ../.toolc/definition.schema.json
title = 3
read_only = "yes"
colour = "red"
x-colour = "red"
kind = "querry"
parameters = []
inputSchema = { type = "object" }

[[output]]
name = "notes"
type = "array of string"

[[output]]
name = "total"
type = "int"
minLength = 3
""",
    "yaml": """\
# yaml-language-server: $schema=../.toolc/definition.schema.json
title: 3
read_only: "yes"
colour: red
x-colour: red
kind: querry
parameters: []
inputSchema: { type: object }

output:
  - name: notes
    type: array of string

  -
    name: total
    type: int
    minLength: 3
""",
    "json": """\
{ "$schema": "../.toolc/definition.schema.json",
  "title": 3,
  "read_only": "yes",
  "colour": "red",
  "x-colour": "red",
  "kind": "querry",
  "parameters": [],
  "inputSchema": { "type": "object" },

  "output": [
    { "name": "notes",
      "type": "array of string" },

    {
      "name": "total",
      "type": "int",
      "minLength": 3 }
  ] }
""",
}

MISTAKES = {
    2: "string",
    3: "boolean",
    4: "unknown key; a note of your own begins with",
    6: "analysis",
    8: "exclude each other",
    12: "array",
    17: "means nothing on the type beside it",
}
"""The lines with mistakes, and words that each editor shows there."""


def test_mistakes_are_shown_where_they_are(opened: Opened) -> None:
    found = opened.open(f"tooldefs/wrong.{opened.notation}", WRONG[opened.notation])
    assert found.keys() == MISTAKES.keys()
    for line, words in MISTAKES.items():
        assert words in found[line]


def test_nothing_is_wrong_with_what_toolc_writes(opened: Opened) -> None:
    name = f"tooldefs/find_notes.{opened.notation}"
    text = (opened.root / name).read_text(encoding="utf-8")
    # An editor that says nothing may not have found the schema. Of one mistake it does speak.
    wrong = {
        "toml": ("keywords = []", "keywords = 3"),
        "yaml": ("keywords: []", "keywords: 3"),
        "json": ('"keywords": []', '"keywords": 3'),
    }[opened.notation]
    assert wrong[0] in text
    line = text[: text.index(wrong[0])].count("\n") + 1
    assert opened.open(name, text.replace(*wrong)).keys() == {line}


def test_keys_are_explained_and_offered(opened: Opened) -> None:
    typed = {
        "toml": '#:schema ../.toolc/definition.schema.json\ntitle = 3\nkind = ""\n\n',
        "yaml": "# yaml-language-server: $schema=../.toolc/definition.schema.json\n"
        "title: 3\nkind: \n\n",
        "json": '{ "$schema": "../.toolc/definition.schema.json",\n"title": 3,\n"kind": "",\n\n}',
    }[opened.notation]
    name = f"tooldefs/typed.{opened.notation}"
    opened.open(name, typed)
    path = opened.root / name
    assert "A name for people" in opened.server.hover(path, 1, 2)
    assert "inputSchema" in opened.server.complete(path, 3, 0)
    column = {"toml": 8, "yaml": 6, "json": 9}[opened.notation]
    values = {value.strip('"') for value in opened.server.complete(path, 2, column)}
    assert {"query", "lookup", "analysis", "management"} <= values


def test_types_are_offered(opened: Opened) -> None:
    line = (opened.root / "tooldefs/greet.toml").read_text("utf-8").partition("\n")[0]
    typed = {
        "toml": f'{line}\ntitle = 3\n[[parameters]]\nname = "a"\ntype = ""\n',
        "yaml": "# yaml-language-server: $schema=../.toolc/definition.schema.json\n"
        "title: 3\nparameters:\n  - name: a\n    type: \n",
        "json": '{ "$schema": "../.toolc/definition.schema.json",\n"title": 3,\n"parameters": [{\n'
        '"name": "a",\n"type": ""\n}]}',
    }[opened.notation]
    name = f"tooldefs/types.{opened.notation}"
    opened.open(name, typed)
    column = {"toml": 8, "yaml": 10, "json": 9}[opened.notation]
    values = opened.server.complete(opened.root / name, 4, column)
    assert {"string", "array:string"} <= {value.strip('"') for value in values}


@pytest.mark.parametrize("opened", ["toml"], indirect=True)
def test_the_project_file(opened: Opened) -> None:
    text = (opened.root / "toolc.toml").read_text(encoding="utf-8")
    assert 'version = "0.1.0"' in text
    wrong = text.replace('version = "0.1.0"', 'verson = "0.1.0"')
    line = wrong[: wrong.index("verson")].count("\n") + 1
    assert opened.open("toolc.toml", wrong) == {line: '"0.1.0" is not one of ["unknown setting"]'}
    path, at = opened.root / "toolc.toml", wrong[: wrong.index("output")].count("\n")
    assert "Where the JSON files go" in opened.server.hover(path, at, 2)
