"""The common definition in one pass: accept what is plainly right, and leave the rest to be read.

Nine definitions in ten use a handful of keys and have nothing wrong with them. For these, reading
key by key, building and checking come to the same Tool as this does, at three times the cost. What
is not beyond doubt here is None: the careful way decides, and explains. A property test holds both
to the same result.
"""

from __future__ import annotations

from collections.abc import Mapping

from toolc.builder.descriptions import settle
from toolc.model.document import JsonObject, JsonValue
from toolc.model.project import Project
from toolc.model.tool import KINDS, Facts, Tool
from toolc_runtime.formats import ASSERTED
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, TypeAlias

_SCALARS: Mapping[str, str] = {
    "string": "string",
    "int": "integer",
    "integer": "integer",
    "float": "number",
    "number": "number",
    "bool": "boolean",
    "boolean": "boolean",
}
_WORDS: Mapping[str, tuple[str, str]] = {
    **{word: (kind, "") for word, kind in _SCALARS.items()},
    **{f"array:{word}": ("array", kind) for word, kind in _SCALARS.items()},
    "object": ("object", ""),
    "array:object": ("array", "object"),
}
"""A parameter's `type`: its JSON type, and that of its items if it is an array."""

_HINTS: Mapping[str, str] = {
    "readOnly": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "openWorld": "openWorldHint",
}

_TOOL_TYPES: Mapping[str, type] = {
    "description": str,
    "title": str,
    "keywords": list,
    "tags": list,
    "discoverable": bool,
    "parameters": list,
    "output": list,
    "kind": str,
    **dict.fromkeys(_HINTS, bool),
}
"""The keys that are looked at here, and the type that each must have."""

_DEEPEST = 8
_GREATEST = 2**53
"""Of numbers, either way. Beyond it, and of what is none, others decide."""

_Types: TypeAlias = "Mapping[str, tuple[type, ...]]"

_TEXT: _Types = {
    "title": (str,),
    "minLength": (int,),
    "maxLength": (int,),
    "format": (str,),
    "default": (str,),
}
_NUMBER: _Types = {
    "title": (str,),
    "minimum": (int,),
    "maximum": (int,),
    "default": (int, float),
}
_KEYWORDS: Mapping[str, tuple[_Types, str, str]] = {
    "string": (_TEXT, "minLength", "maxLength"),
    "integer": ({**_NUMBER, "default": (int,)}, "minimum", "maximum"),
    "number": (_NUMBER, "minimum", "maximum"),
    "boolean": ({"title": (str,), "default": (bool,)}, "", ""),
    "array": ({"title": (str,), "minItems": (int,), "maxItems": (int,)}, "minItems", "maxItems"),
    "object": ({"title": (str,)}, "", ""),
}
"""By JSON type: the keys of a parameter that stand in its schema as they are, with the types that
each may have, and which of them bound it from below and above."""

_READ_BEFORE = ("name", "type", "description", "required", "properties")
_SIZED = ("string", "array")


def accept(raw: JsonObject, name: str, path: str, project: Project) -> Tool | None:
    """The Tool of a definition that is plainly right, called `name`; None where it takes a closer
    look. `name` has been checked; the definition stands at the root of the file `path`.

    Every part of `raw` is looked at, so that it may hold what JSON does not have: dates, infinities.
    """
    for key, value in raw.items():
        if _TOOL_TYPES.get(key) is not type(value):
            return None
    if project.unions != "anyOf" or project.dialect:
        return None
    mode = project.descriptions
    parameters = _object(raw.get("parameters", []), mode, is_output=False)
    if parameters is None:
        return None
    parameters["additionalProperties"] = False
    output: JsonObject | None = None
    if "output" in raw:
        output = _object(raw["output"], mode, is_output=True)
        if output is None:
            return None
    facts = _facts(raw)
    if facts is None:
        return None
    annotations: JsonObject = {hint: raw[key] for key, hint in _HINTS.items() if key in raw}
    return Tool(
        name,
        parameters,
        raw.get("title", ""),  # type: ignore[arg-type]
        settle(raw.get("description", ""), mode),  # type: ignore[arg-type]
        output,
        annotations or None,
        facts=facts,
        path=path,
    )


def _facts(raw: JsonObject) -> Facts | None:
    keywords, tags, kind = raw.get("keywords", ()), raw.get("tags", ()), raw.get("kind")
    for word in (*keywords, *tags):  # type: ignore[misc]
        if type(word) is not str:
            return None
    if kind is not None and kind not in KINDS:
        return None
    discoverable = raw.get("discoverable", False)
    return Facts(tuple(keywords), discoverable, kind, tags=tuple(tags))  # type: ignore[arg-type]


def _object(rows: JsonValue, mode: str, *, is_output: bool, depth: int = 0) -> JsonObject | None:
    if depth > _DEEPEST:
        return None
    properties: JsonObject = {}
    required: list[JsonValue] = []
    for row in rows:  # type: ignore[union-attr]
        if type(row) is not dict:
            return None
        name = row.get("name")
        if type(name) is not str or not name or name in properties:
            return None
        schema = _parameter(row, mode, is_output, depth)
        if schema is None:
            return None
        properties[name] = schema
        if row.get("required"):
            required.append(name)
    if required:
        return {"type": "object", "properties": properties, "required": required}
    return {"type": "object", "properties": properties}


def _parameter(row: JsonObject, mode: str, is_output: bool, depth: int) -> JsonObject | None:
    """One row's schema, its keys in the order that the careful way gives them."""
    word = row.get("type")
    if type(word) is not str or word not in _WORDS:
        return None
    kind, items = _WORDS[word]
    schema: JsonObject
    if kind == "object" or items == "object":
        members = _members(row.get("properties"), mode, is_output, depth)
        if members is None:
            return None
        schema = members if kind == "object" else {"type": "array", "items": members}
    elif "properties" in row:
        return None
    else:
        schema = {"type": kind, "items": {"type": items}} if items else {"type": kind}
    count = len(row) - ("properties" in row)
    if "description" in row:
        description = row["description"]
        if type(description) is not str:
            return None
        if text := settle(description, "keep" if mode == "collapse" else mode):
            schema["description"] = text
        count -= 1
    if "required" in row:
        if type(row["required"]) is not bool:
            return None
        count -= 1
    # Besides the name and the type, there is nothing else in most.
    if count == 2 or _add_keywords(schema, kind, row):
        return schema
    return None


def _members(rows: JsonValue, mode: str, is_output: bool, depth: int) -> JsonObject | None:
    """The schema of an object's properties."""
    if type(rows) is not list:
        return None
    members = _object(rows, mode, is_output=is_output, depth=depth + 1)
    if members is not None and not is_output:
        members["additionalProperties"] = False
    return members


def _add_keywords(schema: JsonObject, kind: str, row: JsonObject) -> bool:
    """Add what `row` says besides; whether all of it is right."""
    types, low, high = _KEYWORDS[kind]
    for key, value in row.items():
        if key in _READ_BEFORE:
            continue
        if key not in types or type(value) not in types[key]:
            return False
        if type(value) is not str and not -_GREATEST <= value <= _GREATEST:  # type: ignore[operator]
            return False
        schema[key] = value
    least: Any = row.get(low)
    greatest: Any = row.get(high)
    if least is not None or greatest is not None:
        if least is not None and greatest is not None and least > greatest:
            return False
        if kind in _SIZED and ((least or 0) < 0 or (greatest or 0) < 0):
            return False
    if "default" in schema:
        # A default of something required is never used, and worth a word.
        if row.get("required") or "format" in schema:
            return False
        size: Any = schema["default"]
        if kind == "string":
            size = len(size)
        if (least is not None and size < least) or (greatest is not None and size > greatest):
            return False
    return "format" not in schema or schema["format"] in ASSERTED
