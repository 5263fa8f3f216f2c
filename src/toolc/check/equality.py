"""Which values are one to JSON Schema."""

from __future__ import annotations

import json

from toolc.model.document import JsonValue


def identity(value: JsonValue) -> str:
    """A text that is the same for values that JSON Schema takes for equal: 1 and 1.0 are, 1 and true
    are not."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, sort_keys=True)
