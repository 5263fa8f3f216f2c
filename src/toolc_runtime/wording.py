"""The words of a fault: what a keyword expects, and what a value is, briefly and without secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from toolc_runtime.formats import ASSERTED
from toolc_runtime.jsonvalue import JsonValue, Pointer, clean_text, path_text

if TYPE_CHECKING:
    from toolc_runtime.subschemas import Declared

LONGEST_NAME = 100
"""Characters of a caller's name for something that a message repeats."""

HIDDEN = "***"
"""In place of a name that may be part of a secret."""

_LONGEST_TEXT = 60
"""Characters of a value that a message repeats."""

_MOST_OPTIONS = 20
"""Members of an enum that a message lists."""

_SECRET = re.compile(
    r"pass(word|wd|phrase|code)|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|"
    r"credential|authorization|bearer|cookie|(^|[_-])(pwd|pin|otp|auth)($|[_-])",
    re.IGNORECASE,
)

_KINDS = {
    "array": "an array",
    "boolean": "a boolean",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}


def looks_secret(name: str) -> bool:
    """Whether a property of this name may hold something that no message repeats."""
    return _SECRET.search(name) is not None


def told_pointer(pointer: Pointer, declared: Declared) -> Pointer:
    """`pointer` as messages repeat it: no long names, and only declared ones below a secret's."""
    told: list[str | int] = []
    is_secret = False
    for place, part in enumerate(pointer):
        if isinstance(part, str):
            hides = is_secret and part not in declared.names(pointer[:place])
            is_secret = is_secret or looks_secret(part)
            part = HIDDEN if hides else part[:LONGEST_NAME]
        told.append(part)
    return tuple(told)


def told_path(pointer: Pointer, declared: Declared) -> str:
    return path_text(told_pointer(pointer, declared))


def show(value: Any, pointer: Pointer) -> str:
    """What stands at `pointer`: `the string "ten"`; only its kind below a secret-looking name."""
    if any(isinstance(part, str) and looks_secret(part) for part in pointer):
        return _KINDS[_kind_of(value)]
    return show_value(value)


def show_value(value: Any) -> str:
    """`value` in a few words; the contents of lists and objects are not told."""
    if isinstance(value, str):
        return f"the string {_quoted(value)}"
    if isinstance(value, list):
        return _counted(len(value), "an array of {} item")
    if isinstance(value, dict):
        return _counted(len(value), "an object with {} key")
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return f"the number {_shortened(str(value))}"


def expectation(kind: Any) -> str:
    """What the keyword of a jsonschema_rs `ValidationErrorKind` wants, to follow "expected"."""
    row = _EXPECTATIONS.get(kind.name)
    return row(kind) if row is not None else f"a value that fits `{kind.name}`"


def join_expectations(phrases: Iterable[str]) -> str:
    """The phrases as alternatives, each once: `a string, an array or null`."""
    distinct = list(dict.fromkeys(phrases))
    if len(distinct) == 1:
        return distinct[0]
    return f"{', '.join(distinct[:-1])} or {distinct[-1]}"


def _types(kind: Any) -> str:
    names = sorted(kind.types, key=lambda name: name == "null")  # which reads best at the end
    return join_expectations(_KINDS.get(name, name) for name in names)


def _enum(kind: Any) -> str:
    options = [_option(option) for option in kind.options[:_MOST_OPTIONS]]
    more = len(kind.options) - len(options)
    return f"one of {', '.join(options)}{f' and {more} more' if more else ''}"


def _format(kind: Any) -> str:
    row = ASSERTED.get(kind.format)
    return row.expected if row is not None else f"a {kind.format}"


def _pattern(kind: Any) -> str:
    if not hasattr(kind, "pattern"):  # the match was given up: BacktrackLimitExceeded
        return "text that its pattern can be matched against in time"
    return f"text that matches {_shortened(kind.pattern)}"


def _option(value: JsonValue) -> str:
    return _quoted(value) if isinstance(value, str) else _shortened(json.dumps(value))


def _counted(count: int, phrase: str) -> str:
    return phrase.format(count) + ("" if count == 1 else "s")


def _quoted(text: str) -> str:
    return json.dumps(_shortened(clean_text(text)), ensure_ascii=False)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"


def _kind_of(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    names = {str: "string", list: "array", dict: "object", type(None): "null", int: "integer"}
    return names.get(type(value), "number")


_EXPECTATIONS: dict[str, Callable[[Any], str]] = {
    "type": _types,
    "enum": _enum,
    "const": lambda kind: f"exactly {_option(kind.expected_value)}",
    "format": _format,
    "minimum": lambda kind: f"at least {kind.limit}",
    "maximum": lambda kind: f"at most {kind.limit}",
    "exclusiveMinimum": lambda kind: f"more than {kind.limit}",
    "exclusiveMaximum": lambda kind: f"less than {kind.limit}",
    "multipleOf": lambda kind: f"a multiple of {kind.multiple_of}",
    "minLength": lambda kind: _counted(kind.limit, "at least {} character"),
    "maxLength": lambda kind: _counted(kind.limit, "at most {} character"),
    "pattern": _pattern,
    "minItems": lambda kind: _counted(kind.limit, "at least {} item"),
    "maxItems": lambda kind: _counted(kind.limit, "at most {} item"),
    "uniqueItems": lambda _: "items that all differ",
    "additionalItems": lambda kind: _counted(kind.limit, "at most {} item"),
    "unevaluatedItems": lambda _: "no further items",
    "contains": lambda _: "an array with the items that `contains` asks for",
    "minProperties": lambda kind: f"at least {kind.limit} of its properties",
    "maxProperties": lambda kind: f"at most {kind.limit} of its properties",
    "propertyNames": lambda kind: f"keys that are {expectation(kind.error.kind)}",
    "falseSchema": lambda _: "nothing here",
    "not": lambda _: "a value of another kind",
}
