"""TOML text -> value by toml_rs, as far as it is beyond doubt that tomli comes to the same.

toml_rs is seven times as fast, and takes a little that is no TOML. What could be of that kind, and
all that it refuses, is left to tomli, which explains.
"""

from __future__ import annotations

import re

from toml_rs import loads

from toolc.loader.limits import MAX_DEPTH, MAX_DIGITS
from toolc.model.document import JsonValue

# toml_rs lets line ends stand around the equals sign of an inline table's key.
_BROKEN_PAIR = r"\n[ \t]*=|=[ \t]*[#\r\n]"
# It lets a dotted key reach into an array of tables, from a table that was opened behind the array.
_TABLE_HEADER = r"\n[ \t]*\[(?!\[)"
# It converts integers of any length, in a time that grows with its square.
_LONG_INTEGER = rf"[0-9_]{{{MAX_DIGITS}}}"


def accept(text: str) -> dict[str, JsonValue] | None:
    """The value of a TOML text; None where tomli has to be asked."""
    has_braces = "{" in text
    # The stack is all that ends how deep toml_rs goes, and the process ends with it.
    opened = text.count("[") + (text.count("{") if has_braces else 0)
    if opened >= MAX_DEPTH or text.startswith("\ufeff"):
        return None
    if (
        (has_braces and re.search(_BROKEN_PAIR, text))
        or ("[[" in text and re.search(_TABLE_HEADER, text))
        or (len(text) > MAX_DIGITS and re.search(_LONG_INTEGER, text))
    ):
        return None
    try:
        value: dict[str, JsonValue] = loads(text)
    except ValueError:
        return None
    return value
