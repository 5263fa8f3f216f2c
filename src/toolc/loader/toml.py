"""TOML 1.1 text -> value, by tomli, with the dates and numbers that JSON does not have refused."""

from __future__ import annotations

from math import isfinite

import tomli

from toolc.loader.limits import EMPTY_HINT, MAX_BITS, MAX_DEPTH, is_too_deep
from toolc.loader.problem import Problem
from toolc.model.document import JsonValue, Places, Span
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

__all__ = ["is_json_number", "locate", "parse"]

_NUL_ESCAPES = ("\\u0000", "\\U00000000", "\\x00")


def parse(text: str) -> tuple[JsonValue, list[Problem]]:
    """The value of a TOML text; it means nothing where there are errors."""
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
    containers, others = _walk(value)
    if containers >= MAX_DEPTH and is_too_deep(value):
        return None, _too_deep(text)
    is_json = all(map(is_json_number, others))
    if not is_json or ("\\" in text and any(nul in text for nul in _NUL_ESCAPES)):
        from toolc.loader.toml_errors import find_oddities

        return value, find_oddities(text, value)
    return value, []


def locate(text: str) -> Places:
    """The place of each value in a TOML text that `parse` accepted.

    A table's place is its name in the header and the whole header, `[ui]`. The first header stands
    for an array of tables, and the first mention for a table that has no header of its own. The
    root is the beginning of the text.
    """
    from toolc.loader.toml_places import scan

    return scan(text).places


def _walk(value: dict[str, JsonValue]) -> tuple[int, list[object]]:
    """How many tables and lists there are, and the leaves that are neither texts nor booleans."""
    containers: list[Any] = [value]
    others: list[object] = []
    for node in containers:
        for child in node.values() if type(node) is dict else node:
            kind = type(child)
            if kind is dict or kind is list:
                containers.append(child)
            elif kind is not str and kind is not bool:
                others.append(child)
    return len(containers), others


def is_json_number(leaf: object) -> bool:
    """Whether a leaf is a number that JSON can hold."""
    if isinstance(leaf, int):
        return leaf.bit_length() <= MAX_BITS
    return isinstance(leaf, float) and isfinite(leaf)


def _too_deep(text: str) -> list[Problem]:
    from toolc.loader.toml_errors import find_depth

    return [find_depth(text)]
