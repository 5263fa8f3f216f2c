"""The index against the rules as they are said, a tool at a time."""

from __future__ import annotations

import re
from functools import reduce
from operator import add

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolc_runtime.ranking import Hit, Ranking, Searched

SPACE = " \t\n\v\f\r\x85\xa0\u1680\u2000\u2028\u3000"


def words_of(text: str) -> list[str]:
    return [word for word in re.split(f"[{SPACE}]", text) if word]


def lower(text: str) -> str:
    return "".join(letter.lower()[0] for letter in text)


def distance(one: bytes, other: bytes) -> int:
    row = list(range(len(other) + 1))
    for place, byte in enumerate(one):
        last, row = row, [place + 1]
        for at, against in enumerate(other):
            row.append(min(last[at + 1] + 1, row[at] + 1, last[at] + (byte != against)))
    return row[-1]


def likeness(word: str, text: str) -> float:
    one, other = word.encode(), text.encode()
    found = 1 - distance(one, other) / max(len(one), len(other))
    return found if found > 0.6 else 0


def word_score(word: str, tool: Searched) -> float:
    name, description = lower(tool.name), lower(tool.description)
    keywords = [lower(keyword) for keyword in tool.keywords]
    parts = [part for keyword in keywords for part in [keyword, *words_of(keyword)]]
    said = [text.strip(".,;:!?()[]{}\"'") for text in words_of(description)]
    return max(
        0.95 * name.startswith(word),
        0.92 * (word in re.split("[_-]", name)),
        0.9 * any(part.startswith(word) for part in re.split("[_-]", name)),
        0.8 * (word in name),
        0.85 * (word in parts),
        0.7 * any(word in keyword for keyword in keywords),
        0.6 * (word in said),
        0.5 * (word in description),
    ) or max([likeness(word, name) * 0.7, *(likeness(word, text) * 0.6 for text in keywords)])


def score(query: str, tool: Searched) -> float:
    query = lower(query).strip(SPACE)
    words = words_of(query)
    if not words or query == lower(tool.name):
        return 1
    return reduce(add, (word_score(word, tool) for word in words)) / len(words)


def said_search(query: str, tools: list[Searched], limit: int) -> list[Hit]:
    hits = [Hit(tool.name, score(query, tool)) for tool in tools]
    best = sorted((hit for hit in hits if hit.score > 0), key=lambda hit: (-hit.score, hit.name))
    return best[:limit]


NAMES = st.text("abcABé_-İΣ", min_size=1, max_size=9)
TEXTS = st.text("abcABé_-İΣ.(' \x1c\xa0\n", max_size=20)
TOOLS = st.lists(
    st.builds(Searched, NAMES, TEXTS, st.lists(TEXTS, max_size=3).map(tuple)),
    max_size=12,
    unique_by=lambda tool: tool.name,
)


@settings(max_examples=400)
@given(TOOLS, NAMES | TEXTS, st.integers(1, 12))
def test_any_tools_and_query(tools: list[Searched], query: str, limit: int) -> None:
    assert Ranking(tools).search(query, limit) == said_search(query, tools, limit)


WORDS = [
    "calendar",
    "event",
    "list",
    "create",
    "invoice",
    "customer",
    "report",
    "search",
    "remove",
    "update",
]
MANY = [
    Searched(f"{verb}_{noun}{number}", f"{verb} the {noun}, if there is one.", (f"{noun}s", "all"))
    for verb in WORDS
    for noun in WORDS
    for number in ("", 2, 30)
]


@pytest.mark.parametrize(
    "query",
    [
        "calendar",
        "create_invoice",
        "create_invoce",  # like many names of many lengths
        "cutsomers",  # like keywords
        "e",
        "_",
        "customer2 lsit",
        "please update the report of a customer, and then list all events",
        "an an an an an",
    ],
)
@pytest.mark.parametrize("limit", [5, 1000])
def test_many_tools(query: str, limit: int) -> None:
    assert Ranking(MANY).search(query, limit) == said_search(query, MANY, limit)


def test_no_tools_at_all() -> None:
    for query in ("", "a", "abcdef"):
        assert Ranking([]).search(query, 5) == []


def test_half_a_character_is_looked_for_like_any_other() -> None:
    assert Ranking([Searched("zz")]).search("\ud800", 5) == []
