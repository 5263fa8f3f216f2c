"""toolc's own ranking: which tool comes first for a prompt as people write them."""

from __future__ import annotations

import pytest

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
