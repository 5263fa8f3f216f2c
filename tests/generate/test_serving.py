"""A word for keys that the generated server leaves alone."""

from __future__ import annotations

from toolc import api
from toolc.generate.serving import serving_notes, unserved_keys


def test_one_note_counts_them_all() -> None:
    tools = [
        api.build_tool("a", "timeout = 5\ndiscoverable = true"),
        api.build_tool("b", "discoverable = true\nrepair = 'safe'"),
        api.build_tool("c", "handler = 'app:run'\naliases = ['d']"),
    ]
    (note,) = serving_notes(unserved_keys(tool.facts) for tool in tools)
    assert note.message == "the generated server does not act on `discoverable` (2)"


def test_no_word_without_them() -> None:
    definition = (
        "keywords = ['x']\nkind = 'query'\nbudget = 9\ntimeout = 5\nconcurrency = 2\n"
        "rateLimit = '60/min'\nenvelope = true"
    )
    assert unserved_keys(api.build_tool("a", definition).facts) == ()
    assert serving_notes([()]) == ()
