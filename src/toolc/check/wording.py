"""Values in messages: as JSON writes them, and never longer than a reader wants."""

from __future__ import annotations

import json

from toolc.model.document import JsonValue

_LONGEST_MESSAGE = 300


def shown(value: JsonValue, longest: int = 40) -> str:
    """`value` as JSON writes it, shortened to about `longest` characters."""
    if isinstance(value, str):
        return json.dumps(shortened(value, longest), ensure_ascii=False)
    return shortened(json.dumps(value, ensure_ascii=False), longest)


def shortened(text: str, longest: int = _LONGEST_MESSAGE) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
