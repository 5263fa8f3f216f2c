"""toolc's own ranking: which tool comes first for a prompt as people write them."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolc_runtime.likeness import Likeness
from toolc_runtime.natural import NaturalRanking, stems, telling
from toolc_runtime.ranking import Hit, Searched

TOOLS = [
    Searched("create_issue", "Open an issue in a repository."),
    Searched("create_branch", "Make a branch of a repository for new work."),
    Searched("list_commits", "List the commits of a branch, newest first."),
    Searched("listEvents", "The events of a calendar.", ("meeting", "appointment")),
    Searched("merge_pull_request", "Merge a pull request into its base branch."),
    Searched("merge_pull_request_queue", "Merge a pull request into its base branch."),
    Searched("refund", "Give a customer money back."),
]
RANKING = NaturalRanking(TOOLS)

PROMPTS = [
    ("I want to open a new issue about the crash", "create_issue"),
    ("what are the commits on this branch?", "list_commits"),
    ("when is my next appointment?", "listEvents"),
    ("show me the event list", "listEvents"),
    ("please merge the pull requests", "merge_pull_request"),
    ("merging of a queue", "merge_pull_request_queue"),
    ("could you refund the customers", "refund"),
    ("creat a brnach", "create_branch"),
    ("REFUND", "refund"),
]


@pytest.mark.parametrize(("prompt", "name"), PROMPTS)
def test_the_first_for_a_prompt(prompt: str, name: str) -> None:
    assert RANKING.search(prompt, 1)[0].name == name


def test_scores() -> None:
    assert RANKING.search("", 2) == [Hit("create_branch", 1.0), Hit("create_issue", 1.0)]
    assert RANKING.search("list_commits", 9)[0] == Hit("list_commits", 1.0)
    assert RANKING.search("xylophone", 9) == []
    assert NaturalRanking([]).search("anything", 9) == []
    hits = RANKING.search("merge the base of a branch and list its commits", 9)
    assert all(0 < hit.score <= 1 for hit in hits)
    assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.name))


def said_search(query: str, tools: list[Searched], limit: int) -> list[Hit]:
    """The ranking as it is said, a tool at a time."""
    asked = list(dict.fromkeys(telling(query)))
    if not asked:
        return [Hit(tool.name, 1.0) for tool in sorted(tools)[:limit]]
    weights = [(stem, weights_of(stem, tools)) for stem in asked]
    rarities = [log(1 + len(tools) / max(sum(map(bool, row)), 1)) for _, row in weights]
    hits = []
    for number, tool in enumerate(tools):
        own = set(stems(tool.name))
        total = possible = 0.0
        for (_, row), rarity in zip(weights, rarities, strict=True):
            total += row[number] * rarity
            possible += rarity
        whole = len(own.intersection(asked)) / max(len(own), 1)
        score = total / possible * (1 - 0.1 + 0.1 * whole)
        hits.append(Hit(tool.name, 1.0 if tool.name.lower() == query.strip().lower() else score))
    found = sorted((hit for hit in hits if hit.score), key=lambda hit: (-hit.score, hit.name))
    return found[:limit]


def weights_of(stem: str, tools: list[Searched]) -> list[float]:
    fields = [
        (stems(tool.name), stems(" ".join(tool.keywords)), stems(tool.description))
        for tool in tools
    ]
    weights = [max(1.0 * (stem in a), 0.8 * (stem in b), 0.5 * (stem in c)) for a, b, c in fields]
    if any(weights):
        return weights
    known = {word for row in fields for field in row for word in field}
    like = [(likeness, set(found)) for likeness, found in Likeness(known).like(stem).items()]
    return [
        max(
            (likeness * 0.7 for likeness, found in like if found & {*a, *b, *c}),
            default=0.0,
        )
        for a, b, c in fields
    ]


TEXTS = st.text("abcdeBC_ s.", max_size=25)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.builds(Searched, st.text("abcdB_", min_size=1, max_size=9), TEXTS, st.tuples(TEXTS)),
        max_size=12,
        unique_by=lambda tool: tool.name,
    ),
    TEXTS,
    st.integers(1, 12),
)
def test_any_tools_and_query(tools: list[Searched], query: str, limit: int) -> None:
    assert NaturalRanking(tools).search(query, limit) == said_search(query, tools, limit)


FORMS = [
    ["create", "creates", "created", "creating"],
    ["query", "queries"],
    ["copy", "copies", "copied", "copying"],
    ["branch", "branches"],
    ["file", "files", "filing"],
    ["stop", "stops", "stopped", "stopping"],
    ["address"],
]


@pytest.mark.parametrize("forms", FORMS, ids=lambda forms: forms[0])
def test_forms_of_a_word_are_one(forms: list[str]) -> None:
    assert len({stem for form in forms for stem in stems(form)}) == 1


def test_words() -> None:
    assert stems("listAllItems-of_v2") == ["list", "all", "item", "of", "v2"]
    assert telling("What is the title of it?") == ["titl"]
    assert telling("what is it") == ["what", "is", "it"]
