"""JSON texts are those of Python's `json`, with and without CPython's encoder."""

from __future__ import annotations

import json
import sys
from importlib import reload
from typing import Any

import pytest

from toolc.model import jsontext
from toolc.model.document import JsonValue

VALUES: list[JsonValue] = [
    None,
    True,
    0,
    -1.5,
    1e300,
    10**30,
    "",
    'é"\\/\n\t\x00\x7f\u2028\ud800',
    [],
    {},
    [[], {}],
    {"b": 1, "a": [1, {"z": None, "y": "ü"}], "": {}, "é\n": [["x"], []]},
]


@pytest.fixture(params=["_json", "json"], autouse=True)
def encoder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """CPython's own encoder, or that of a Python that has none."""
    if request.param == "json":
        monkeypatch.setitem(sys.modules, "_json", None)
    reload(jsontext)
    yield
    monkeypatch.undo()
    reload(jsontext)


@pytest.mark.parametrize("value", VALUES)
def test_texts_are_json_s(value: JsonValue) -> None:
    kinds: dict[str, Any] = {"ensure_ascii": False}
    assert jsontext.compact(value) == json.dumps(value, separators=(",", ":"), **kinds)
    in_order = json.dumps(value, separators=(",", ":"), sort_keys=True, **kinds)
    assert jsontext.compact_sorted(value) == in_order
    assert jsontext.indented(value) == json.dumps(value, indent=2, **kinds)


def test_what_json_does_not_have() -> None:
    nested: list[Any] = [{"x": float("nan")}]
    for write in (jsontext.compact, jsontext.compact_sorted, jsontext.indented):
        with pytest.raises(ValueError):
            write(nested)
        with pytest.raises(TypeError, match="set"):
            write([set()])  # type: ignore[list-item]
