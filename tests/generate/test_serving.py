"""A word for keys that the generated server leaves alone."""

from __future__ import annotations

from toolc import api
from toolc.generate.serving import serving_notes, unserved_keys


def test_no_key_is_left_alone() -> None:
    definition = (
        "keywords = ['x']\ndiscoverable = true\nkind = 'query'\nbudget = 9\ntimeout = 5\nconcurrency = 2\n"
        "rateLimit = '60/min'\nenvelope = true\nrepair = 'safe'"
    )
    assert unserved_keys(api.build_tool("a", definition).facts) == ()
    assert serving_notes([()]) == ()
