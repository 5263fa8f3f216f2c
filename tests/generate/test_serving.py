"""A word for keys that the generated server leaves alone."""

from __future__ import annotations

from toolc import api
from toolc.generate.serving import serving_notes, unserved_keys


def test_one_note_counts_them_all() -> None:
    tools = [
        api.build_tool("a", "timeout = 5\nbudget = 100"),
        api.build_tool("b", "timeout = 1\nrepair = 'safe'"),
        api.build_tool("c", "handler = 'app:run'\naliases = ['d']"),
    ]
    (note,) = serving_notes(unserved_keys(tool.facts) for tool in tools)
    assert note.message == (
        "the generated server does not act on `budget` (1), `timeout` (2), `repair` (1)"
    )


def test_no_word_without_them() -> None:
    assert (
        unserved_keys(
            api.build_tool("a", "keywords = ['x']\ndiscoverable = true\nkind = 'query'").facts
        )
        == ()
    )
    assert serving_notes([()]) == ()
