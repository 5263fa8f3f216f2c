"""`toolc clients`: what clients refuse, listed and compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolc.cli import UsageError, clients
from toolc.cli.options import parse

OURS = """title = "Our client"

[[limit]]
kind = "root-keyword"
keywords = ["anyOf", "not"]
blast = "tool"
effect = "dropped"
certainty = "L"
source = "https://example.com/limits"
date = "2026-10"
"""


def run(*arguments: str) -> int:
    return clients.run(parse("clients", "", clients.OPTIONS, arguments))


@pytest.fixture
def ours(folder: Path) -> Path:
    (folder / "ours.toml").write_text(OURS, "utf-8")
    return folder


def test_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    lines = capsys.readouterr().out.splitlines()
    assert "bedrock                Amazon Bedrock, Converse                     3 limits" in lines
    assert {"claude-code", "openai", "gemini", "vscode"} <= {line.split()[0] for line in lines}


@pytest.mark.parametrize("form", ["ours.toml", "./ours.toml", "{folder}/ours.toml"])
def test_one_with_its_sources(form: str, ours: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(form.format(folder=ours)) == 0
    assert capsys.readouterr().out == (
        "Our client\n\n"
        "anyOf at the root  tool dropped  L  https://example.com/limits (2026-10)\n"
        "not at the root    tool dropped  L  https://example.com/limits (2026-10)\n"
    )


def test_several_compared(ours: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bedrock", "ours.toml") == 0
    assert capsys.readouterr().out == (
        "                                       bedrock  ours\n"
        "tool names of more than 64 characters  request  ·\n"
        "oneOf at the root                      request  ·\n"
        "anyOf at the root                      request  tool?\n"
        "allOf at the root                      request  ·\n"
        "not at the root                        ·        tool?\n"
        "properties as null                     request  ·\n"
        "? is not sure; `toolc clients NAME` has the sources\n"
    )


def test_as_json(ours: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("ours.toml", "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)
    (limit,) = row.pop("limits")
    assert row == {"name": "ours", "title": "Our client", "about": None}
    assert limit == {
        "kind": "root-keyword",
        "limited": ["anyOf at the root", "not at the root"],
        "keywords": ["anyOf", "not"],
        "blast": "tool",
        "effect": "dropped",
        "looks": None,
        "certainty": "L",
        "source": "https://example.com/limits",
        "date": "2026-10",
        "until": None,
        "note": None,
    }


def test_a_wrong_profile(ours: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (ours / "ours.toml").write_text(OURS.replace("certainty", "certainly"), "utf-8")
    assert run("ours.toml") == 1
    out = capsys.readouterr().out
    assert 'ours.toml:8:1: error[P611]: unknown key "certainly"' in out
    assert '"certainty" is missing' in out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gemmini", '"gemmini" is no client; "gemini" is one'),
        ("teapot", '"teapot" is no client; `toolc clients` lists them'),
        ("gone.toml", "gone.toml: the file is not there"),
    ],
)
def test_a_name_of_nothing(name: str, said: str, folder: Path) -> None:
    with pytest.raises(UsageError) as raised:
        run("openai", name)
    assert str(raised.value) == said
