"""TOML 1.1 text -> value, with the dates and numbers that JSON does not have refused.

tomli parses. Where toml_rs is installed and there are many texts, it goes first, for those of which
there is nothing to say: values, problems and places are tomli's in either case.
"""

from __future__ import annotations

from functools import cache
from itertools import count
from math import isfinite

import tomli

from toolc.loader.limits import EMPTY_HINT, MAX_BITS, MAX_DEPTH, is_too_deep
from toolc.loader.problem import Problem
from toolc.model.document import JsonValue, Places, Span
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from toolc.loader import IsKnown

__all__ = ["expect_many", "is_json_number", "locate", "parse"]

FEW = 300
"""Texts that tomli parses as fast as toml_rs is imported."""

_parsed = count()

_NUL_ESCAPES = ("\\u0000", "\\U00000000", "\\x00")


def parse(text: str, is_known: IsKnown | None = None) -> tuple[JsonValue, list[Problem]]:
    """The value of a TOML text; it means nothing where there are errors."""
    if next(_parsed) >= FEW:
        accept = fast_parser()
        value = accept(text) if accept is not None else None
        if value and _is_plain(text, value, is_known):
            return value, []
    return parse_with_care(text, is_known)


def expect_many() -> None:
    """Have toml_rs go first from the next text on, here and in processes that are forked."""
    global _parsed
    _parsed = count(FEW)
    fast_parser()


@cache
def fast_parser() -> Callable[[str], dict[str, JsonValue] | None] | None:
    """`toml_fast.accept`, if toml_rs is installed."""
    try:
        from toolc.loader.toml_fast import accept
    except ImportError:
        return None
    return accept


def parse_with_care(text: str, is_known: IsKnown | None = None) -> tuple[JsonValue, list[Problem]]:
    """As `parse`, by tomli."""
    try:
        value: dict[str, JsonValue] = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        from toolc.loader.toml_errors import explain

        return None, explain(text, error.msg, error.pos)
    except RecursionError:
        return None, _too_deep(text)
    except ValueError:  # the interpreter's own bound on the digits of an integer
        from toolc.loader.toml_errors import find_long_integer

        return None, [find_long_integer(text)]
    if not value:
        return value, [Problem("L111", "the file is empty", Span(0, 0), EMPTY_HINT)]
    if _is_plain(text, value, is_known):
        return value, []
    if is_too_deep(value):
        return None, _too_deep(text)

    from toolc.loader.toml_errors import find_oddities

    return value, find_oddities(text, value)


def locate(text: str) -> Places:
    """The place of each value in a TOML text that `parse` accepted.

    A table's place is its name in the header and the whole header, `[ui]`. The first header stands
    for an array of tables, and the first mention for a table that has no header of its own. The
    root is the beginning of the text.
    """
    from toolc.loader.toml_places import scan

    return scan(text).places


def _is_plain(text: str, value: dict[str, JsonValue], is_known: IsKnown | None) -> bool:
    """Whether a parsed value is beyond doubt: nothing in it that JSON cannot hold, and not so many
    tables and lists that they could nest too deep."""
    if "\\" in text and any(nul in text for nul in _NUL_ESCAPES):
        return False
    if is_known is not None and is_known(value):
        return True
    containers: list[Any] = [value]
    for node in containers:
        for child in node.values() if type(node) is dict else node:
            kind = type(child)
            if kind is str or kind is bool:
                continue
            if kind is dict or kind is list:
                containers.append(child)
            elif not is_json_number(child):
                return False
    return len(containers) < MAX_DEPTH or not is_too_deep(value)


def is_json_number(leaf: object) -> bool:
    """Whether a leaf is a number that JSON can hold."""
    if isinstance(leaf, int):
        return leaf.bit_length() <= MAX_BITS
    return isinstance(leaf, float) and isfinite(leaf)


def _too_deep(text: str) -> list[Problem]:
    from toolc.loader.toml_errors import find_depth

    return [find_depth(text)]
