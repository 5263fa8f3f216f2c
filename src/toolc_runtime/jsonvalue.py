"""JSON values: what they are, their text, and which Python values only look like one."""

from __future__ import annotations

import json
import math
from typing import Any, NamedTuple, TypeAlias

JsonValue: TypeAlias = "None | bool | int | float | str | list[JsonValue] | dict[str, JsonValue]"
"""What JSON can hold: no dates, no NaN or infinity, string keys only."""

JsonObject: TypeAlias = "dict[str, JsonValue]"

Pointer: TypeAlias = "tuple[str | int, ...]"
"""The way from a value's root to one of its parts: keys and list positions."""

DEEPEST = 100
"""How many levels of lists and objects a value may have; the SDK's writer gives up at 255."""


class NotJsonError(ValueError):
    """A value that has no JSON form, with the place where it stands."""

    def __init__(self, pointer: Pointer, reason: str) -> None:
        super().__init__(f"{path_text(pointer) or 'the value'}: {reason}")
        self.pointer = pointer
        self.reason = reason


def path_text(pointer: Pointer) -> str:
    """`pointer` as people write it: `notes[0].id`, `["a b"].c`; the root is the empty string."""
    text = ""
    for part in pointer:
        if isinstance(part, int):
            text += f"[{part}]"
        elif part.replace("-", "_").isidentifier():
            text += f".{part}" if text else part
        else:
            text += f"[{json.dumps(part)}]"
    return text


_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def write_json(value: JsonValue) -> str:
    """`value` as compact JSON text."""
    return _compact.encode(value)


def clean_text(text: str) -> str:
    """`text` with each lone surrogate replaced: UTF-8 has no form for it, and writers die of it."""
    return text.encode("utf-8", "replace").decode("utf-8")


class Survey(NamedTuple):
    """What a walk over a parsed JSON value found."""

    fault: NotJsonError | None
    """The first part that strict JSON cannot hold."""
    has_integral_float: bool
    """Whether a float such as 3.0 stands anywhere in it."""


_NOTHING_FOUND = Survey(None, False)


def survey(value: Any) -> Survey:
    """Look through `value`, as lenient parsers make it, for what strict JSON has no form for.

    Both transports' parsers let NaN and Infinity pass, and one of them lone surrogates.
    """
    if _is_plain(value, DEEPEST):
        return _NOTHING_FOUND
    has_integral_float = False
    pending: list[tuple[Any, Pointer]] = [(value, ())]
    while pending:
        item, pointer = pending.pop()
        if isinstance(item, str):
            if not is_sound(item):
                return Survey(NotJsonError(pointer, "text with a lone surrogate"), False)
        elif isinstance(item, float):
            if not math.isfinite(item):
                return Survey(NotJsonError(pointer, f"{item} is no JSON number"), False)
            has_integral_float = has_integral_float or item.is_integer()
        elif isinstance(item, (dict, list)):
            if len(pointer) >= DEEPEST:
                return Survey(
                    NotJsonError(pointer[:3], f"nested deeper than {DEEPEST} levels"), False
                )
            if isinstance(item, dict):
                for key in item:
                    if not is_sound(key):
                        return Survey(NotJsonError(pointer, "a key with a lone surrogate"), False)
                pending.extend((child, (*pointer, key)) for key, child in item.items())
            else:
                pending.extend((child, (*pointer, place)) for place, child in enumerate(item))
    return Survey(None, has_integral_float)


def _is_plain(value: Any, levels: int) -> bool:
    """Whether it is quickly seen that a survey finds nothing; `levels` may still nest."""
    kind = type(value)
    if kind is str:
        return is_sound(value)
    if kind is dict:
        return (
            levels > 0
            and all(map(is_sound, value))
            and all(_is_plain(item, levels - 1) for item in value.values())
        )
    if kind is list:
        return levels > 0 and all(_is_plain(item, levels - 1) for item in value)
    if kind is float:
        return math.isfinite(value) and not value.is_integer()
    return value is None or kind is int or kind is bool


def is_sound(text: str) -> bool:
    """Whether `text` has a UTF-8 form."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_same(first: JsonValue, second: JsonValue) -> bool:
    """Whether two values are one to JSON Schema: 1 and 1.0 are, 1 and true are not."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(
            is_same(item, second[key]) for key, item in first.items()
        )
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(is_same, first, second))
    if isinstance(first, bool) or isinstance(second, bool):
        return first is second
    return first == second
