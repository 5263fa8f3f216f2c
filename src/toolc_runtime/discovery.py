"""Tools that clients find instead of being shown: `tool_search`, `execute_tool`, and who gets which list.

Both take their arguments as the Go reference does: what is of another type than it should be counts
as absent.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from toolc_runtime.errors import MISSING_REQUIRED, error_result
from toolc_runtime.facts import ServedFacts
from toolc_runtime.jsonvalue import JsonObject, JsonValue, clean_text, write_json
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from toolc_runtime.natural import NaturalRanking
    from toolc_runtime.ranking import Ranking

SEARCH = "tool_search"
EXECUTE = "execute_tool"

FEW, MOST = 5, 100
"""How many tools `tool_search` answers with where the call does not say, and at most."""

MOST_TOKENS = 10_000
"""About how many tokens an answer of `tool_search` weighs at most: four bytes each. What does not fit
is left out, the worst matches first; the best one is told whatever it weighs."""

INSTRUCTIONS = (
    "The list of tools is not complete. Call tool_search to find further ones, and execute_tool to "
    "call what it finds."
)
"""What a model is told where tools are hidden."""

OWN_TOOLS: tuple[JsonObject, ...] = (
    {
        "name": EXECUTE,
        "description": "Call one of this server's tools by its name. Use it for a tool that "
        "tool_search found and that is not in the list of tools.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "name": {
                    "type": "string",
                    "description": "The tool's name, exactly as tool_search gives it",
                },
                "parameters": {
                    "type": "object",
                    "description": "The tool's arguments, as its inputSchema wants them",
                    "additionalProperties": True,
                },
            },
            "required": ["name"],
            "additionalProperties": False,
        },
    },
    {
        "name": SEARCH,
        "description": "Find tools of this server, also those that its list does not show. Looks "
        "for the words of the query in names, keywords and descriptions, and answers with the best "
        "matches: name, description, input schema, and a score from 0 to 1. Call what it finds with "
        "execute_tool. Without a query, all tools match.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {
                    "type": "string",
                    "description": "What the tool should do, or a part of its name",
                },
                "max_results": {
                    "type": "number",
                    "description": f"How many tools to answer with (default: {FEW}, at most {MOST})",
                },
            },
            "additionalProperties": False,
        },
    },
)
"""The wire forms, sorted by name."""

OWN_NAMES = frozenset({SEARCH, EXECUTE})


SEARCH_FOR_NAMES = f"call {SEARCH} for the names of tools"
"""What to do after a call of a tool that is not there."""

_NOTHING_FOUND = "No tool matches this query. Try other words, or fewer."

_LEFT_OUT = (
    "{number} more left out: an answer has about {tokens:,} tokens at most. Search with other or more "
    "words to see them."
)

_ALSO_TOLD = ("_meta", "icons")
"""Keys of a found tool that are told where it has them."""

_SHOW_ALL_HEADER, _SHOW_ALL_PARAMETER = "x-mcp-show-all", "show_all"


class Findable(Protocol):
    """What a search needs of a tool."""

    wire: JsonObject
    facts: ServedFacts


class Asked(NamedTuple):
    """The call that a client means."""

    name: str
    arguments: JsonObject
    is_passed_on: bool
    """Whether it came through `execute_tool`."""


def asked_for(name: str, arguments: JsonObject) -> Asked:
    """The call that is meant by one of `name`: `execute_tool` passes calls on, also to itself.

    The name is empty where `execute_tool` was given none.
    """
    is_passed_on = False
    while name == EXECUTE:
        is_passed_on = True
        inner = arguments.get("name")
        name = inner if isinstance(inner, str) else ""
        given = [arguments.get(key) for key in ("parameters", "arguments")]
        arguments = next((value for value in given if isinstance(value, dict)), {})
    return Asked(name, arguments, is_passed_on)


def no_name_result() -> JsonObject:
    """The answer to a call of `execute_tool` that names no tool."""
    return error_result(
        MISSING_REQUIRED,
        f'{EXECUTE} needs "name"',
        details={"missing": ["name"]},
        suggestion=SEARCH_FOR_NAMES,
    )


def shows_all(request: Any) -> bool:
    """Whether a client wants every tool in its list, hidden ones too.

    The header decides, or without it the URL's query; `request` is None where there is no HTTP.
    """
    if request is None:
        return False
    said = request.headers.get(_SHOW_ALL_HEADER)
    if said is None:
        said = request.query_params.get(_SHOW_ALL_PARAMETER, "")
    return bool(said.lower() == "true")


def make_ranking(kind: str, tools: Iterable[tuple[str, str, Any]]) -> Ranking | NaturalRanking:
    """The index of tools that `[server] ranking` asks for: `reference` or `toolc`.

    A tool is its name, its description, and its facts, a server's or the compiler's. In the
    reference's ranking only the keywords of hidden tools count.
    """
    from toolc_runtime.ranking import Ranking, Searched

    if kind == "toolc":
        from toolc_runtime.natural import NaturalRanking

        return NaturalRanking(Searched(name, text, facts.keywords) for name, text, facts in tools)
    return Ranking(
        Searched(name, text, facts.keywords if facts.discoverable else ())
        for name, text, facts in tools
    )


class ToolSearch:
    """Answers `tool_search`."""

    def __init__(self, tools: Mapping[str, Findable], ranking: str = "reference") -> None:
        """`ranking` as `make_ranking` takes it."""
        self._tools = tools
        self._kind = ranking
        self._made: Ranking | NaturalRanking | None = None
        self._lock = threading.Lock()

    def prepare(self) -> Ranking | NaturalRanking:
        """The index, made by the first call: a server's start does without it."""
        with self._lock:
            if self._made is None:
                self._made = make_ranking(
                    self._kind,
                    (
                        (name, str(tool.wire.get("description", "")), tool.facts)
                        for name, tool in self._tools.items()
                    ),
                )
        return self._made

    def answer(self, arguments: JsonObject) -> JsonObject:
        """The `tools/call` result: one text, a JSON list of the tools found, best first.

        Where not all of them fit, a second text says how many are left out.
        """
        query = arguments.get("query")
        text = clean_text(query) if isinstance(query, str) else ""
        hits = self.prepare().search(text, how_many(arguments.get("max_results")))
        rows = [write_json(self._told(hit.name, hit.score)) for hit in hits]
        shown = _fitting(rows)
        texts = [f"[{','.join(rows[:shown])}]" if rows else _NOTHING_FOUND]
        if shown < len(rows):
            texts.append(_LEFT_OUT.format(number=len(rows) - shown, tokens=MOST_TOKENS))
        content: list[JsonValue] = [{"type": "text", "text": text} for text in texts]
        return {"content": content, "resultType": "complete"}

    def _told(self, name: str, score: float) -> JsonObject:
        tool = self._tools[name]
        told: JsonObject = {
            "name": name,
            "description": tool.wire.get("description", ""),
            "score": int(score) if score.is_integer() else score,
            "inputSchema": tool.wire["inputSchema"],
        }
        if tool.facts.discoverable and tool.facts.keywords:
            told["keywords"] = list(tool.facts.keywords)
        told.update((key, tool.wire[key]) for key in _ALSO_TOLD if key in tool.wire)
        return told


def _fitting(rows: Sequence[str]) -> int:
    """How many of the rows fit an answer, one at least if there is one."""
    weight = 0
    for number, row in enumerate(rows):
        weight += len(row.encode()) + 1
        if weight > 4 * MOST_TOKENS and number:
            return number
    return len(rows)


def how_many(asked: JsonValue) -> int:
    """How many tools an answer may hold, of what a call has for `max_results`."""
    if isinstance(asked, bool) or not isinstance(asked, (int, float)) or not asked >= 1:
        return FEW
    return int(min(asked, MOST))
