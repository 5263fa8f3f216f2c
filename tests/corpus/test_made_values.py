"""The schemas of 173 real servers: a value for each, and wrong calls for each required parameter."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from toolc.cli.wrong import wrong_calls
from toolc_runtime.scalars import NoValueError
from toolc_runtime.values import make_value

UNSATISFIABLE = {"netlify-coding-rules"}
"""An `enum` without members: no value fits."""


def corpus_tools(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("*.json")):
        yield from json.loads(path.read_text("utf-8"))["tools"]


def test_every_schema_has_a_value(shared: Callable[[str], Path]) -> None:
    without = []
    for tool in corpus_tools(shared("corpus")):
        for key in ("inputSchema", "outputSchema"):
            try:
                make_value(tool.get(key, {}))
            except NoValueError:
                without.append(tool["name"])
    assert set(without) == UNSATISFIABLE


def test_whatever_is_required_is_left_out_once(shared: Callable[[str], Path]) -> None:
    for tool in corpus_tools(shared("corpus")):
        schema = tool["inputSchema"]
        whats = {call.what for call in wrong_calls(schema)}
        lacking = [name for name in schema.get("required", ()) if f"{name} left out" not in whats]
        assert lacking == [], tool["name"]
