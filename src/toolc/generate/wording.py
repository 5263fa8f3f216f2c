"""What a schema says and Python's types cannot, in words for a docstring."""

from __future__ import annotations

from toolc.model.document import JsonObject, JsonValue

_RANGES = (
    # lower bound, upper bound, what is counted: one of them, several
    ("minimum", "maximum", "", ""),
    ("minLength", "maxLength", " character", " characters"),
    ("minItems", "maxItems", " item", " items"),
    ("minProperties", "maxProperties", " entry", " entries"),
)

_SINGLE = (
    ("exclusiveMinimum", "above {}"),
    ("exclusiveMaximum", "below {}"),
    ("multipleOf", "a multiple of {}"),
    ("format", "format {}"),
    ("pattern", "matching `{}`"),
)

_FLAGS = (("uniqueItems", "no item twice"), ("deprecated", "deprecated"))

_RANGE_KEYWORDS = frozenset([keyword for low, high, *_ in _RANGES for keyword in (low, high)])
_OTHER_KEYWORDS = frozenset([keyword for keyword, _ in (*_SINGLE, *_FLAGS)])


def describe_property(schema: JsonValue, wire: str, identifier: str) -> str:
    """One sentence or more on a property: its description, its bounds, its name on the wire.

    Empty where there is nothing to say. `How many notes to return (1 to 50).`
    """
    schema = _flat(schema)
    text = schema.get("description")
    text = text.strip() if isinstance(text, str) else ""
    if bounds := ", ".join(describe_bounds(schema)):
        text = f"{text.removesuffix('.')} ({bounds})" if text else bounds
    if identifier != wire:
        renamed = f"`{wire}` on the wire"
        text = f"{text.removesuffix('.')}; {renamed}" if text else renamed
    if text and (text[-1].isalnum() or text[-1] in ")]}`'\"%"):
        text += "."
    return text


def describe_bounds(schema: JsonObject) -> list[str]:
    """The constraints of one schema, those of an array's items behind the word `each`."""
    bounds = []
    if not schema.keys().isdisjoint(_RANGE_KEYWORDS):
        for low, high, one, several in _RANGES:
            lower, upper = schema.get(low), schema.get(high)
            if lower is not None or upper is not None:
                bounds.append(_range(lower, upper, one, several))
    if not schema.keys().isdisjoint(_OTHER_KEYWORDS):
        for keyword, words in _SINGLE:
            if keyword in schema:
                bounds.append(words.format(_plain(schema[keyword])))
        for keyword, words in _FLAGS:
            if schema.get(keyword) is True:
                bounds.append(words)
    items = schema.get("items")
    if isinstance(items, dict):
        bounds += [f"each {words}" for words in describe_bounds(items)]
    return bounds


def _flat(schema: JsonValue) -> JsonObject:
    """`schema` with what its only branch beside null says, as an optional value is often written."""
    if not isinstance(schema, dict):
        return {}
    branches = schema.get("anyOf")
    if not isinstance(branches, list):
        return schema
    solid = [one for one in branches if isinstance(one, dict) and one.get("type") != "null"]
    return {**solid[0], **schema} if len(solid) == 1 else schema


def _range(lower: JsonValue, upper: JsonValue, one: str, several: str) -> str:
    unit = one if upper in (1, None) and lower in (1, None) else several
    if upper is None:
        return f"at least {_plain(lower)}{unit}"
    if lower is None:
        return f"at most {_plain(upper)}{unit}"
    if lower == upper:
        return f"exactly {_plain(lower)}{unit}"
    return f"{_plain(lower)} to {_plain(upper)}{unit}"


def _plain(value: JsonValue) -> str:
    return value if isinstance(value, str) else repr(value)
