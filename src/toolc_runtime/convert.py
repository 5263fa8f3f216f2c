"""What a handler returns, as a JSON value: every conversion is named here, and there is no other."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from toolc_runtime.absent import ABSENT
from toolc_runtime.jsonvalue import DEEPEST, JsonObject, JsonValue, NotJsonError, Pointer, is_sound

LONGEST_INTEGER = 4096
"""Bits of the longest integer sent: Python refuses to write those past 4,300 digits."""

_AS_ISO_TEXT = (datetime, date, time)
_AS_STRING = (Decimal, UUID)


def to_json(value: Any) -> JsonValue:
    """`value` as a JSON value, made anew.

    Dates and times become ISO 8601 text, decimals, UUIDs and paths their text, enum members their
    values, dataclasses and pydantic models objects (a field that is ABSENT is left out), tuples
    lists. NotJsonError for anything else: NaN and infinity, lone surrogates, bytes, sets (they have no
    order), keys that are not strings, and what nests deeper than DEEPEST.
    """
    try:
        return _copied(value, DEEPEST)
    except _OtherError:
        return _to_json(value, ())


class _OtherError(Exception):
    """Not all of a value is JSON already, or not all of it can be."""


def _copied(value: Any, levels: int) -> JsonValue:
    """A copy of what is JSON already, which most answers are; `levels` may still nest."""
    kind = type(value)
    if kind is str:
        if is_sound(value):
            return value  # type: ignore[no-any-return]
    elif kind is dict:
        if levels:
            made: JsonObject = {}
            for key, item in value.items():
                if type(key) is not str or not is_sound(key):
                    raise _OtherError
                made[key] = _copied(item, levels - 1)
            return made
    elif kind is list:
        if levels:
            return [_copied(item, levels - 1) for item in value]
    elif kind is int:
        if value.bit_length() <= LONGEST_INTEGER:
            return value  # type: ignore[no-any-return]
    elif value is None or kind is bool or (kind is float and math.isfinite(value)):
        return value  # type: ignore[no-any-return]
    raise _OtherError


def _to_json(value: Any, pointer: Pointer) -> JsonValue:
    if value is None or value is True or value is False:
        return value
    if isinstance(value, Enum):
        return _to_json(value.value, pointer)
    if isinstance(value, str):
        if not is_sound(value):
            raise NotJsonError(pointer, "text with a lone surrogate")
        return str(value)
    if isinstance(value, int):
        if value.bit_length() > LONGEST_INTEGER:
            raise NotJsonError(pointer, f"an integer of more than {LONGEST_INTEGER} bits")
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NotJsonError(pointer, f"{value} is no JSON number")
        return float(value)
    if isinstance(value, _AS_ISO_TEXT):
        return value.isoformat()
    if isinstance(value, _AS_STRING):
        return str(value)
    if isinstance(value, os.PathLike):
        return _to_json(os.fspath(value), pointer)
    if len(pointer) >= DEEPEST:
        raise NotJsonError(pointer[:3], f"nested deeper than {DEEPEST} levels, or in a circle")
    if isinstance(value, Mapping):
        return _object_to_json(value, pointer)
    if isinstance(value, (list, tuple)):
        return [_to_json(item, (*pointer, place)) for place, item in enumerate(value)]
    if is_dataclass(value) and not isinstance(value, type):
        held = {field.name: getattr(value, field.name) for field in fields(value)}
        held = {name: item for name, item in held.items() if item is not ABSENT}
        return _object_to_json(held, pointer)
    if hasattr(type(value), "model_dump"):  # a pydantic model, without importing pydantic
        return _to_json(value.model_dump(by_alias=True), pointer)
    raise NotJsonError(pointer, _refusal(value))


def _object_to_json(value: Mapping[Any, Any], pointer: Pointer) -> JsonObject:
    made: JsonObject = {}
    for key, item in value.items():
        if not isinstance(key, str):
            raise NotJsonError(pointer, f"the key {key!r} is not a string")
        if not is_sound(key):
            raise NotJsonError(pointer, "a key with a lone surrogate")
        made[str(key)] = _to_json(item, (*pointer, key))
    return made


def shown(value: Any) -> str:
    """`value` as Python shows it; the name of its type where it cannot be shown."""
    try:
        return repr(value)
    except Exception:
        return f"<{type(value).__name__}>"


def _refusal(value: Any) -> str:
    kind = type(value).__name__
    if isinstance(value, (set, frozenset)):
        return f"a {kind} has no order; return a list"
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"{kind} are no text; decode them, or encode them as base64"
    return f"a {kind} has no JSON form"
