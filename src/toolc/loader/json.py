"""JSON text -> value, by the standard library, with what it lets pass refused."""

from __future__ import annotations

import json
from math import isinf

from toolc.loader.leaves import holds_forbidden
from toolc.loader.limits import MAX_DEPTH, is_too_deep
from toolc.loader.problem import Problem
from toolc.model.document import JsonValue, Places
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from toolc.loader import IsKnown

__all__ = ["locate", "parse"]


class _Oddities:
    """Hooks for the decoder: they let everything pass and remember that there was something."""

    def __init__(self) -> None:
        self.duplicates = False
        self.numbers = False

    def make_object(self, pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
        made = dict(pairs)
        if len(made) != len(pairs):
            self.duplicates = True
        return made

    def make_float(self, text: str) -> float:
        value = float(text)
        if isinf(value):
            self.numbers = True
        return value

    def note_constant(self, _name: str) -> None:
        self.numbers = True


def parse(text: str, _is_known: IsKnown | None = None) -> tuple[JsonValue, list[Problem]]:
    """The value of a JSON text; it means nothing where there are problems."""
    oddities = _Oddities()
    decoder = json.JSONDecoder(
        object_pairs_hook=oddities.make_object,
        parse_float=oddities.make_float,
        parse_constant=oddities.note_constant,
    )
    try:
        value: JsonValue = decoder.decode(text)
    except json.JSONDecodeError as error:
        from toolc.loader.json_errors import explain

        return None, [explain(text, error.msg, error.pos)]
    except RecursionError:
        return None, _too_deep(text)
    except ValueError:  # the interpreter's own bound on the digits of an integer
        oddities.numbers = True
        value = None
    if text.count("{") + text.count("[") > MAX_DEPTH and is_too_deep(value):
        return None, _too_deep(text)
    if oddities.duplicates or oddities.numbers or ("\\u" in text and holds_forbidden(value)):
        from toolc.loader.json_errors import find_oddities

        return value, find_oddities(text, value)
    return value, []


def locate(text: str) -> Places:
    """The place of each value in a JSON text that `parse` accepted; the root is the whole value."""
    from toolc.loader.json_places import scan

    return scan(text).places


def _too_deep(text: str) -> list[Problem]:
    from toolc.loader.json_errors import find_depth

    return [find_depth(text)]
