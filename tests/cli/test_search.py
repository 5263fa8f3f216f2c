"""`toolc search`: what a model finds, as the server ranks it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

DEFINITIONS = {
    "send_email": 'description = "Send a letter. At once."\nkeywords = ["post"]\ndiscoverable = true\n',
    "email": 'title = "Mailbox"\ndescription = "The mailbox"\nkeywords = ["post"]\n',
}


@pytest.fixture(autouse=True)
def definitions(project: Path) -> None:
    for name, text in DEFINITIONS.items():
        (project / f"tooldefs/{name}.toml").write_text(text)


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (["email"], "1.00  email       Mailbox\n0.92  send_email  Send a letter\n"),
        (["email", "--max-results", "1"], "1.00  email  Mailbox\n"),
        (["post"], "0.85  send_email  Send a letter\n"),  # only a hidden tool has keywords
        (["sned email", "--max-results", "1"], "0.47  email  Mailbox\n"),
        (["zzzz"], "no tool matches\n"),
        (["zzzz", "--quiet"], ""),
        (["zzzz", "--json"], "[]\n"),
    ],
)
def test_the_best_come_first(arguments: list[str], out: str, toolc: Toolc) -> None:
    assert toolc("search", *arguments) == (0, out, "")


def test_as_json(toolc: Toolc) -> None:
    assert json.loads(toolc("search", "email", "--json").out) == [
        {"name": "email", "score": 1.0, "description": "The mailbox"},
        {"name": "send_email", "score": 0.92, "description": "Send a letter. At once."},
    ]


def test_errors_do_not_hide_the_others(project: Path, toolc: Toolc) -> None:
    (project / "tooldefs/bad.toml").write_text("keywrods = []\n")
    ran = toolc("search", "email", "--max-results", "1")
    assert (ran.code, ran.out) == (1, "1.00  email  Mailbox\n")
    assert "error[M102]" in ran.err


def test_by_the_project_s_ranking(project: Path, toolc: Toolc) -> None:
    file = project / "toolc.toml"
    file.write_text(file.read_text().replace("[server]", '[server]\nranking = "toolc"'))
    ran = toolc("search", "what is in the mailboxes?", "--max-results", "1")
    assert (ran.code, ran.out.split()[1]) == (0, "email")


EXAMPLES = """
[[examples]]
prompt = "send a letter to Ada"
[[examples]]
prompt = "zzzz"
"""


@pytest.fixture
def examples(project: Path) -> None:
    for path in (project / "tooldefs").iterdir():
        path.unlink()
    for name, text in DEFINITIONS.items():
        (project / f"tooldefs/{name}.toml").write_text(text)
    with (project / "tooldefs/send_email.toml").open("a") as file:
        file.write(EXAMPLES)
    with (project / "tooldefs/email.toml").open("a") as file:
        file.write('[[examples]]\nprompt = "send a mail"\n')


def test_the_prompts_of_the_definitions(examples: None, toolc: Toolc) -> None:
    assert toolc("search", "--examples").out == (
        "  2  email       send a mail                                                   send_email\n"
        "  1  send_email  send a letter to Ada\n"
        "  –  send_email  zzzz                                                          nothing\n"
        'send_email before email on "send a mail"\n'
        "3 prompts: 1 finds their tool first, 2 do not\n"
    )


def test_the_prompts_as_json(examples: None, toolc: Toolc) -> None:
    report = json.loads(toolc("search", "--examples", "--json").out)
    assert report["prompts"][0] == {
        "prompt": "send a mail",
        "tool": "email",
        "rank": 2,
        "first": "send_email",
    }
    assert report["prompts"][2]["rank"] is None
    assert report["thefts"] == [
        {"thief": "send_email", "tool": "email", "prompt": "send a mail", "example": 0}
    ]
    assert (report["unfound"], report["unreachable"], report["rivals"]) == ([], [], [])


@pytest.mark.parametrize("arguments", [[], ["email", "--examples"]])
def test_a_query_or_the_examples(arguments: list[str], toolc: Toolc) -> None:
    assert toolc("search", *arguments).code == 2
