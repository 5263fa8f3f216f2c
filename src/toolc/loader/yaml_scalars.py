"""What a plain YAML scalar means: the core schema of YAML 1.2.

https://yaml.org/spec/1.2.2/#103-core-schema
"""

from __future__ import annotations

import re
from math import nan

MAYBE_NOT_TEXT = frozenset("-+.0123456789~nNtTfF")
"""What a plain scalar begins with that is no text, unless it is empty."""

_CONSTANTS: dict[str, bool | None] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_DECIMAL = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_ZEROS = re.compile(r"[-+]?0[0-9]")


def resolve(text: str) -> str | int | float | bool | None:
    """The value of a plain scalar; the text itself where it is neither null, boolean nor number.

    `.inf` and `.nan` come back as NaN, a number that overflows a double as infinity. ValueError
    for an integer of more digits than the interpreter converts.
    """
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _DECIMAL.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _BASED.fullmatch(text):
        return int(text, 0)
    if _NOT_FINITE.fullmatch(text):
        return nan
    return text


def begins_with_zero(text: str) -> bool:
    """Whether a number is written like `0755` or `-01.5`, which YAML 1.1 and others read otherwise."""
    return _ZEROS.match(text) is not None
