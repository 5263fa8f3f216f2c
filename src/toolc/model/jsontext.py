"""JSON texts, characters as they are; without `json`, most of which is for reading.

`json.dumps` and `JSONEncoder.encode` make the encoder in C anew at each call, which takes a quarter
of the time of a tool's line. Here CPython's own is made once; another Python's `json` is as good.
"""

from __future__ import annotations

from toolc.model.document import JsonValue
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def compact(value: JsonValue) -> str:
    """A value on one line, its keys in their order. ValueError for NaN and infinity."""
    return _encode(value)


def compact_sorted(value: JsonValue) -> str:
    """As `compact`, the keys of each object sorted."""
    return _encode_sorted(value)


def indented(value: JsonValue, margin: str = "\n") -> str:
    """A value with each item and member on a line of its own, indented by two spaces more than
    `margin` is, as `json.dumps` has it with `indent=2`."""
    inner = f"{margin}  "
    if isinstance(value, dict) and value:
        members = [f"{compact(key)}: {indented(item, inner)}" for key, item in value.items()]
        return f"{{{inner}{f',{inner}'.join(members)}{margin}}}"
    if isinstance(value, list) and value:
        return f"[{inner}{f',{inner}'.join([indented(item, inner) for item in value])}{margin}]"
    return compact(value)


def _make_encoder(*, sort_keys: bool) -> Callable[[JsonValue], str]:
    try:
        from _json import encode_basestring, make_encoder
    except ImportError:
        import json

        return json.JSONEncoder(
            ensure_ascii=False, separators=(",", ":"), allow_nan=False, sort_keys=sort_keys
        ).encode
    chunks = make_encoder(None, _refuse, encode_basestring, None, ":", ",", sort_keys, False, False)
    return lambda value: "".join(chunks(value, 0))


def _refuse(value: Any) -> Any:
    raise TypeError(f"JSON has no {type(value).__name__}")


_encode = _make_encoder(sort_keys=False)
_encode_sorted = _make_encoder(sort_keys=True)
