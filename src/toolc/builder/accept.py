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

_SCALARS: Mapping[str, str] = {
    "string": "string",
    "int": "integer",
    "integer": "integer",
    "float": "number",
    "number": "number",
    "bool": "boolean",
    "boolean": "boolean",
}
_ARRAYS: Mapping[str, str] = {f"array:{word}": kind for word, kind in _SCALARS.items()}

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

_STRING_BOUNDS = frozenset({"minLength", "maxLength"})
_ARRAY_BOUNDS = frozenset({"minItems", "maxItems"})
_NUMBER_BOUNDS = frozenset({"minimum", "maximum"})
_BOUNDS: Mapping[str, tuple[frozenset[str], str, str]] = {
    "string": (_STRING_BOUNDS, "minLength", "maxLength"),
    "integer": (_NUMBER_BOUNDS, "minimum", "maximum"),
    "number": (_NUMBER_BOUNDS, "minimum", "maximum"),
    "array": (_ARRAY_BOUNDS, "minItems", "maxItems"),
}
_NO_BOUNDS: tuple[frozenset[str], str, str] = (frozenset(), "", "")

_DEFAULTS: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}


def accept(raw: JsonObject, name: str, path: str, project: Project) -> Tool | None:
    """The Tool of a definition that is plainly right, called `name`; None where it takes a closer
    look. `name` has been checked; the definition stands at the root of the file `path`."""
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
    words = [raw.get("keywords", []), raw.get("tags", [])]
    for given in words:
        for word in given:  # type: ignore[union-attr]
            if type(word) is not str:
                return None
    kind = raw.get("kind")
    if kind is not None and kind not in KINDS:
        return None
    keywords, tags = (tuple(given) for given in words)  # type: ignore[arg-type]
    return Facts(keywords, raw.get("discoverable", False), kind, tags=tags)  # type: ignore[arg-type]


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
        if row.get("required", False):
            required.append(name)
    schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return schema


def _parameter(row: JsonObject, mode: str, is_output: bool, depth: int) -> JsonObject | None:
    """One row's schema, its keys in the order that the careful way gives them."""
    word = row.get("type")
    if type(word) is not str:
        return None
    if "properties" in row and word not in ("object", "array:object"):
        return None
    if word in _SCALARS:
        kind = _SCALARS[word]
        schema: JsonObject = {"type": kind}
    elif word in _ARRAYS:
        kind = "array"
        schema = {"type": "array", "items": {"type": _ARRAYS[word]}}
    elif word in ("object", "array:object") and type(row.get("properties")) is list:
        members = _object(row["properties"], mode, is_output=is_output, depth=depth + 1)
        if members is None:
            return None
        if not is_output:
            members["additionalProperties"] = False
        kind = "object" if word == "object" else "array"
        schema = members if word == "object" else {"type": "array", "items": members}
    else:
        return None
    description = row.get("description", "")
    if type(description) is not str:
        return None
    if description:
        text = settle(description, "keep" if mode == "collapse" else mode)
        if text:
            schema["description"] = text
    return _with_keywords(row, kind, schema)


def _with_keywords(row: JsonObject, kind: str, schema: JsonObject) -> JsonObject | None:
    bounds, low, high = _BOUNDS.get(kind, _NO_BOUNDS)
    for key, value in row.items():
        if key in ("name", "type", "description"):
            continue
        if key == "required":
            # A default of something required is never used, and worth a word.
            if type(value) is not bool or (value and "default" in row):
                return None
        elif key in bounds:
            if type(value) is not int or (value < 0 and kind in ("string", "array")):
                return None
            schema[key] = value
        elif key == "format":
            if kind != "string" or value not in ASSERTED or "default" in row:
                return None
            schema[key] = value
        elif key == "title":
            if type(value) is not str:
                return None
            schema[key] = value
        elif key == "default":
            if not _default_fits(value, row, kind, low, high):
                return None
            schema[key] = value
        elif key != "properties":
            return None
    if low in row and high in row and row[low] > row[high]:  # type: ignore[operator]
        return None
    return schema


def _default_fits(value: JsonValue, row: JsonObject, kind: str, low: str, high: str) -> bool:
    if type(value) not in _DEFAULTS.get(kind, ()):
        return False
    size = len(value) if kind == "string" else value  # type: ignore[arg-type]
    least, greatest = row.get(low), row.get(high)
    return (least is None or (type(least) is int and size >= least)) and (  # type: ignore[operator]
        greatest is None or (type(greatest) is int and size <= greatest)  # type: ignore[operator]
    )
