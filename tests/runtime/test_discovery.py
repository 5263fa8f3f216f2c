"""Hidden tools: who sees them, how they are found, and how they are called."""

from __future__ import annotations

import json
import threading
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from mcp import Client

from toolc.check.names import RESERVED_NAMES
from toolc.model.tool import Facts, Tool
from toolc_runtime import create_server
from toolc_runtime.discovery import (
    INSTRUCTIONS,
    MOST_TOKENS,
    OWN_NAMES,
    asked_for,
    how_many,
    shows_all,
)
from toolc_runtime.facts import ServedFacts
from toolc_runtime.package import PackageError, ServerFacts
from toolc_runtime.server import Catalog, LiveCatalog, build_server
from toolc_runtime.tool import Implementation, ServedTool

HIDDEN = Facts(keywords=("post",), discoverable=True, aliases=("mail",))
SEND = Tool(
    "send_email",
    {
        "type": "object",
        "properties": {"to": {"type": "string"}},
        "required": ["to"],
        "additionalProperties": False,
    },
    description="Send an email",
    facts=HIDDEN,
)
PLAIN = Tool("ping", {"type": "object"}, description="Ping", facts=Facts(keywords=("alive",)))
HANDLERS: dict[str, Any] = {
    "send_email": lambda params, context: f"sent to {params.to}",
    "ping": lambda params, context: "pong",
}

ERAS = pytest.mark.parametrize("mode", ["legacy", "auto"])


def talk(server: Any, mode: Any, say: Callable[[Client], Awaitable[Any]]) -> Any:
    async def connected() -> Any:
        async with Client(server, mode=mode) as client:
            return await say(client)

    return anyio.run(connected)


def call(server: Any, mode: Any, tool: str, **arguments: Any) -> Any:
    """The text of an answer, or the error that it tells."""

    async def say(client: Client) -> Any:
        result = await client.call_tool(tool, arguments)
        content: Any
        (content,) = result.content
        return json.loads(content.text)["error"] if result.is_error else content.text

    return talk(server, mode, say)


@pytest.fixture
def server() -> Any:
    return create_server([SEND, PLAIN], HANDLERS)


@ERAS
def test_a_hidden_tool_gives_way_to_the_two_that_find_it(mode: Any, server: Any) -> None:
    async def say(client: Client) -> Any:
        names = [tool.name for tool in (await client.list_tools()).tools]
        return names, client.instructions

    assert talk(server, mode, say) == (["execute_tool", "ping", "tool_search"], INSTRUCTIONS)
    assert talk(create_server([PLAIN], {"ping": print}), mode, say) == (["ping"], None)


@ERAS
def test_the_author_s_instructions_come_first(mode: Any) -> None:
    implementation = Implementation(dict, HANDLERS["ping"])
    tool = ServedTool(SEND.to_wire(), lambda: implementation, ServedFacts(discoverable=True))
    live = LiveCatalog(Catalog([tool]))
    server = build_server(live, ServerFacts("mail", instructions="Be kind."))

    async def say(client: Client) -> Any:
        return client.instructions

    assert talk(server, mode, say) == f"Be kind.\n\n{INSTRUCTIONS}"
    live.swap(Catalog([]))
    assert talk(server, mode, say) == "Be kind."


@ERAS
@pytest.mark.parametrize(
    ("query", "names"),
    [("email", ["send_email"]), ("post", ["send_email"]), ("alive", []), ("ping", ["ping"])],
)
def test_only_hidden_tools_are_found_by_keywords(
    mode: Any, query: str, names: list[str], server: Any
) -> None:
    text = call(server, mode, "tool_search", query=query)
    found = json.loads(text) if names else []
    assert [row["name"] for row in found] == names


CALLS = [
    # tool, arguments, text or error code
    ("send_email", {"to": "a"}, "sent to a"),
    ("execute_tool", {"name": "send_email", "parameters": {"to": "a"}}, "sent to a"),
    ("execute_tool", {"name": "mail", "parameters": {"to": "a"}}, "sent to a"),
    ("execute_tool", {"name": "send_email", "parameters": {"to": 1}}, "INVALID_INPUT"),
    ("execute_tool", {"name": "send_email"}, "MISSING_REQUIRED"),
    ("execute_tool", {"name": "send_mail"}, "UNKNOWN_TOOL"),
    ("execute_tool", {}, "MISSING_REQUIRED"),
]


@ERAS
@pytest.mark.parametrize(("tool", "arguments", "answer"), CALLS)
def test_calls(mode: Any, tool: str, arguments: dict[str, Any], answer: str, server: Any) -> None:
    told = call(server, mode, tool, **arguments)
    assert (told["code"] if isinstance(told, dict) else told) == answer


@pytest.mark.parametrize(
    ("arguments", "message", "suggestion"),
    [
        ({}, 'execute_tool needs "name"', "call tool_search for the names of tools"),
        (
            {"name": "x" * 200},
            f"Unknown tool: {'x' * 100}",
            "call tool_search for the names of tools",
        ),
    ],
)
def test_what_an_error_inside_execute_tool_says(
    arguments: dict[str, Any], message: str, suggestion: str, server: Any
) -> None:
    told = call(server, "auto", "execute_tool", **arguments)
    assert (told["message"], told["suggestion"]) == (message, suggestion)


MEANT = [
    # arguments of execute_tool, the tool and the arguments that are meant
    ({"name": "a", "parameters": {"p": 1}}, ("a", {"p": 1})),
    ({"name": "a", "arguments": {"p": 1}}, ("a", {"p": 1})),
    ({"name": "a", "parameters": {}, "arguments": {"p": 1}}, ("a", {})),
    ({"name": "a", "parameters": "{}", "arguments": {"p": 1}}, ("a", {"p": 1})),
    ({"name": "a", "parameters": None}, ("a", {})),
    (
        {"name": "execute_tool", "parameters": {"name": "a", "parameters": {"p": 1}}},
        ("a", {"p": 1}),
    ),
    ({"name": "execute_tool"}, ("", {})),
    ({"name": ["a"]}, ("", {})),
]


@pytest.mark.parametrize(("arguments", "meant"), MEANT)
def test_the_call_that_is_meant(arguments: Any, meant: Any) -> None:
    assert asked_for("execute_tool", arguments) == (*meant, True)
    assert asked_for("a", arguments) == ("a", arguments, False)


NUMBERS = [
    # max_results, how many
    (None, 5),
    (1, 1),
    (2.9, 2),
    (0.5, 5),
    (-3, 5),
    (101, 100),
    (1e300, 100),
    (True, 5),
    ("7", 5),
]


@pytest.mark.parametrize(("asked", "number"), NUMBERS)
def test_how_many(asked: Any, number: int) -> None:
    assert how_many(asked) == number


REQUESTS = [
    # header, query of the URL, whether all tools are shown
    (None, {}, False),
    ("true", {}, True),
    ("TRUE", {"show_all": "false"}, True),
    ("1", {"show_all": "true"}, False),
    ("", {"show_all": "true"}, False),
    (None, {"show_all": "True"}, True),
    (None, {"show_all": "1"}, False),
]


@pytest.mark.parametrize(("header", "query", "is_all"), REQUESTS)
def test_who_is_shown_all(header: str | None, query: dict[str, str], is_all: bool) -> None:
    headers = {} if header is None else {"x-mcp-show-all": header}
    request = SimpleNamespace(headers=headers, query_params=query)
    assert shows_all(request) is is_all


def test_nobody_is_where_there_is_no_http() -> None:
    assert not shows_all(None)


def test_the_two_names_are_the_server_s_own() -> None:
    assert OWN_NAMES == RESERVED_NAMES
    for name in OWN_NAMES:
        with pytest.raises(PackageError, match="one of the server's own tools"):
            create_server([Tool(name, {"type": "object"})], {name: print})


def test_an_alias_takes_none_of_them() -> None:
    tool = Tool("ping", {"type": "object"}, facts=Facts(aliases=("tool_search", "execute_tool")))
    server = create_server([tool], {"ping": HANDLERS["ping"]})
    assert call(server, "auto", "tool_search", query="nothing").startswith("No tool matches")
    assert call(server, "auto", "execute_tool", name="ping") == "pong"


def test_a_query_with_half_a_character_is_answered() -> None:
    catalog = Catalog([ServedTool(SEND.to_wire(), lambda: Implementation(dict, print))])
    assert "send_email" in str(catalog.search.answer({"query": "email \ud800"}))


@pytest.mark.parametrize(("ranking", "is_found"), [("reference", False), ("toolc", True)])
def test_the_ranking_that_is_asked_for(ranking: str, is_found: bool) -> None:
    facts = ServedFacts(keywords=("alive",))
    tool = ServedTool(PLAIN.to_wire(), lambda: Implementation(dict, print), facts)
    answer = Catalog([tool], ranking=ranking).search.answer({"query": "alive"})
    assert ('"name":"ping"' in json.dumps(answer).replace("\\", "")) is is_found


def catalog_of(sizes: list[int]) -> Catalog:
    """Tools whose descriptions have so many bytes, all found by "mail"."""
    wires: list[Any] = [
        {"name": f"mail_{at:02}", "description": "x" * size, "inputSchema": {"type": "object"}}
        for at, size in enumerate(sizes)
    ]
    return Catalog([ServedTool(wire, lambda: Implementation(dict, print)) for wire in wires])


WEIGHTS = [
    # bytes of the descriptions, asked for, told, left out
    ([100] * 9, 5, 5, 0),
    ([4_000] * 20, 20, 9, 11),
    ([4_000] * 20, 9, 9, 0),
    ([90_000, 10, 10], 5, 1, 2),
    (
        [10, 90_000, 10],
        5,
        1,
        2,
    ),  # whole results, and the best ones: none behind one that is too long
]


@pytest.mark.parametrize(("sizes", "asked", "told", "left_out"), WEIGHTS)
def test_an_answer_fits_a_budget(sizes: list[int], asked: int, told: int, left_out: int) -> None:
    search = catalog_of(sizes).search
    answer: Any = search.answer({"query": "mail", "max_results": asked})
    texts = [block["text"] for block in answer["content"]]
    assert [row["name"] for row in json.loads(texts[0])] == [f"mail_{at:02}" for at in range(told)]
    assert [text.partition(" ")[0] for text in texts[1:]] == [str(left_out)] * bool(left_out)
    assert told == 1 or len(texts[0]) <= 4 * MOST_TOKENS


def test_the_index_is_made_before_anybody_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for_index = threading.Event()

    def make_ranking(*_: object) -> object:
        asked_for_index.set()
        return object()

    monkeypatch.setattr("toolc_runtime.server._GREETING", 0)
    monkeypatch.setattr("toolc_runtime.discovery.make_ranking", make_ranking)

    async def say(client: Client) -> Any:
        return await anyio.to_thread.run_sync(asked_for_index.wait, 20)

    assert talk(create_server([SEND], {"send_email": print}), "auto", say)
    asked_for_index.clear()
    Catalog([ServedTool(PLAIN.to_wire(), lambda: Implementation(dict, print))]).prepare()
    assert not asked_for_index.is_set()  # no tool is hidden


def test_clients_hear_of_a_tool_that_is_hidden_from_now_on() -> None:
    def catalog(is_hidden: bool) -> Catalog:
        facts = ServedFacts(discoverable=is_hidden)
        return Catalog([ServedTool(PLAIN.to_wire(), lambda: Implementation(dict, print), facts)])

    heard: list[str] = []
    live = LiveCatalog(catalog(False))
    live.on_change = lambda: heard.append("changed")
    live.swap(catalog(False))
    assert heard == []
    live.swap(catalog(True))
    assert heard == ["changed"]
