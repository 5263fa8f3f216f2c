"""How the prompts of tools find them: ranks, tools that nothing finds, and tools in each other's way."""

from __future__ import annotations

import pytest

from toolc.check.discovery import (
    Asked,
    Report,
    Searchable,
    Theft,
    ask,
    check_prompts,
    examine,
    make_index,
)
from toolc.model.diagnostic import Prompts
from toolc.model.document import Site


def tool(
    name: str, *prompts: str, says: str = "", keywords: tuple[str, ...] = (), hidden: bool = True
) -> Searchable:
    return Searchable(name, says, keywords, hidden, tuple(enumerate(prompts)))


CROWD = [tool(f"mail_{letter}", says="mail") for letter in "abcdefgh"]
"""Tools that all come before others for the word mail."""

BANK = tool("pay", "send money to Ada", "mail", says="Send money")
POST = tool("post", "post a letter", keywords=("letter",))


def outcome(tools: list[Searchable], ranking: str = "reference") -> Report:
    return examine(sorted(tools), ranking)


def test_the_rank_of_a_tool_for_its_prompts() -> None:
    tools = [*CROWD, BANK, tool("late", "mail", says="by mail"), tool("zz", "qqqq")]
    asked = ask(tools, make_index(tools, "reference"))
    assert [(one.tool, one.prompt, one.rank, one.is_told) for one in asked] == [
        ("pay", "send money to Ada", 1, True),
        ("pay", "mail", None, False),
        ("late", "mail", 9, False),
        ("zz", "qqqq", None, False),
    ]
    # As far as the tool, or as many as are told.
    assert [len(one.found) for one in asked] == [1, 5, 9, 0]


@pytest.mark.parametrize(
    ("one", "unfound", "unreachable"),
    [
        (tool("pay", "send money", says="send money"), False, False),
        (tool("pay", "send money", "mail", says="send money"), False, False),  # one is enough
        (tool("pay", "mail"), True, False),  # its name finds it
        (tool("mail", "mail"), False, False),
        (tool("z_mail", "mail", says="mail"), True, True),
        (tool("z_mail", "mail", keywords=("money",)), True, False),
        (tool("z_mail", "mail", hidden=False), False, False),  # it is listed
        (tool("z_mail"), False, True),  # has no prompt that could find it
    ],
)
def test_tools_that_are_not_found(one: Searchable, unfound: bool, unreachable: bool) -> None:
    crowd = [tool(f"mail_z_{at}", says="mail") for at in range(9)]
    report = outcome([*crowd, one])
    assert (one.name in report.unfound) is unfound
    assert (one.name in report.unreachable) is unreachable


def test_tools_in_each_other_s_way() -> None:
    one = tool("find_note", "list the notes", says="find one", hidden=False)
    other = tool("list_notes", "find my note", says="list all notes", hidden=False)
    third = tool("letter", "find it", says="by post", hidden=False)
    report = outcome([one, other, third])
    assert report.rivals == (
        (
            Theft("find_note", "list_notes", "find my note", 0),
            Theft("list_notes", "find_note", "list the notes", 0),
        ),
    )
    assert report.thefts == (Theft("find_note", "letter", "find it", 0),)


def place(asked: Asked) -> Site:
    return Site(f"{asked.tool}.toml")


def test_what_a_build_says() -> None:
    prompts = check_prompts([*CROWD, BANK, POST], "reference", place)
    assert prompts[:2] == (3, 2)
    (note,) = prompts.diagnostics
    assert (note.code, note.path, note.tool) == ("P610", "pay.toml", "pay")
    assert note.message == '"pay" is not found by its own prompt: "mail_a" comes first'


def test_a_prompt_that_finds_its_tool_too_late() -> None:
    late = tool("z", "mail", says="mail")
    (note,) = check_prompts([*CROWD, late], "reference", place).diagnostics
    assert note.message == '"z" is number 9 for its own prompt: "mail_a" comes first'


def test_where_no_tool_is_hidden_nothing_is_asked() -> None:
    shown = [one._replace(discoverable=False) for one in (*CROWD, BANK)]
    assert check_prompts(shown, "reference", place) == Prompts()


def test_a_flood_of_notes_is_counted() -> None:
    tools = [tool(f"t{at}", "qqqq", hidden=at > 0) for at in range(31)]
    notes = check_prompts(tools, "toolc", place).diagnostics
    assert len(notes) == 21
    assert notes[-1].message == "10 more prompts do not find their hidden tools"
