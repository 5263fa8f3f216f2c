"""MCP's revisions, and what of a tool each can hold.

A tool's revision-free form is the union of what the revisions know. This is the only place that
asks which revision: build, export and the running server take a tool's wire form from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from toolc_runtime.jsonvalue import JsonObject, JsonValue

REVISIONS = ("2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Every published revision, newest first."""

LATEST_REVISION = REVISIONS[0]

_FIRST = ("name", "description", "inputSchema")

_HELD = {
    "2024-11-05": frozenset(_FIRST),
    "2025-03-26": frozenset((*_FIRST, "annotations")),
    "2025-06-18": frozenset((*_FIRST, "annotations", "title", "outputSchema", "_meta")),
    "2025-11-25": frozenset(
        (*_FIRST, "annotations", "title", "outputSchema", "_meta", "icons", "execution")
    ),
    "2026-07-28": frozenset((*_FIRST, "annotations", "title", "outputSchema", "_meta", "icons")),
}
"""The keys of a Tool object by revision. A key that no row names is a vendor's and passes."""

_ORDER = (
    "name",
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
    "execution",
    "icons",
    "_meta",
)
TOOL_KEYS = frozenset(_ORDER)

_TITLE_IN_ANNOTATIONS = "2025-03-26"
_ANY_OUTPUT = frozenset({"2026-07-28"})
"""Revisions whose `outputSchema` need not describe an object."""

# Where JSON Schema's keywords hold data instead of schemas: a `$ref` in there is not a reference.
_DATA = frozenset({"const", "enum", "default", "examples", "example", "required", "$vocabulary"})
_SCHEMAS_BY_NAME = frozenset(
    {
        "properties",
        "patternProperties",
        "$defs",
        "definitions",
        "dependentSchemas",
        "dependencies",
    }
)
_REFERENCES = frozenset({"$ref", "$dynamicRef"})
_RESULT = "result"


class Note(NamedTuple):
    """Something about a tool that a revision cannot hold, and what became of it."""

    key: str
    message: str


def project(wire: Mapping[str, JsonValue], revision: str) -> tuple[JsonObject, tuple[Note, ...]]:
    """The Tool object of `wire`, a tool's revision-free form, under `revision`.

    What the revision does not know is left out, a `title` moves into the annotations of
    2025-03-26, an output that is not an object is wrapped (see `wrap_output`); one note each.
    `wire` is not changed, and what stays as it is is shared with it. ValueError for a revision
    that is not in REVISIONS.
    """
    held = _held(revision)
    tool: JsonObject = {}
    notes: list[Note] = []
    for key, value in wire.items():
        if key not in held and key in TOOL_KEYS:
            if key != "title" or revision != _TITLE_IN_ANNOTATIONS:
                notes.append(Note(key, f"{key} was left out: {revision} does not have it"))
        elif key == "outputSchema" and wraps_output(value, revision):
            tool[key] = wrap_output(value)
            notes.append(
                Note(key, f'{key} was wrapped in an object as "result": {revision} wants an object')
            )
        else:
            tool[key] = value
    if revision == _TITLE_IN_ANNOTATIONS and "title" in wire:
        notes.append(_move_title(tool, wire["title"]))
    return tool, tuple(notes)


def wraps_output(schema: JsonValue, revision: str) -> bool:
    """Whether results of `schema` travel as `{"result": …}` under `revision`.

    Up to 2025-11-25, `structuredContent` is an object and `outputSchema` says `type: object`.
    """
    if revision in _ANY_OUTPUT:
        return False
    return not isinstance(schema, dict) or schema.get("type") != "object"


def wrap_output(schema: JsonValue) -> JsonObject:
    """An object schema whose one property, `result`, is `schema`; see `as_property`."""
    return as_property(schema, _RESULT)


def as_property(schema: JsonValue, name: str) -> JsonObject:
    """An object schema whose one property, `name`, is `schema`.

    References into the document (`#`, `#/…`) follow it to its new place; `$schema` stays at the
    root. Booleans become objects, which is all that 2025's Tool allows for a property.
    """
    wrapped: JsonObject = {"type": "object"}
    if isinstance(schema, dict):
        inner = {key: value for key, value in schema.items() if key != "$schema"}
        if "$schema" in schema:
            wrapped = {"$schema": schema["$schema"], **wrapped}
        moved = _move_references(inner, f"#/properties/{name}")
    else:
        moved = {} if schema is True else {"not": {}}
    return {**wrapped, "properties": {name: moved}, "required": [name]}


def wrap_result(value: JsonValue) -> JsonObject:
    """`value` as `wrap_output` describes it."""
    return {_RESULT: value}


def missing(wire: Mapping[str, JsonValue], projected: Mapping[str, JsonValue]) -> JsonObject:
    """What `restore` needs to get from `projected` back to `wire`; no key of either is null.

    A key with the value null is one that the revision-free tool does not have.
    """
    lost: JsonObject = {
        key: value
        for key, value in wire.items()
        if key in TOOL_KEYS and (key not in projected or projected[key] != value)
    }
    added: JsonObject = {key: None for key in projected if key in TOOL_KEYS and key not in wire}
    return {**lost, **added}


def restore(projected: Mapping[str, JsonValue], lacking: Mapping[str, JsonValue]) -> JsonObject:
    """The revision-free tool whose projection is `projected`; `lacking` as `missing` made it."""
    if not lacking:
        return dict(projected)
    merged = {**projected, **lacking}
    wire = {key: merged[key] for key in _ORDER if merged.get(key) is not None}
    wire.update((key, value) for key, value in projected.items() if key not in TOOL_KEYS)
    return wire


def _held(revision: str) -> frozenset[str]:
    if revision not in _HELD:
        raise ValueError(
            f"unknown MCP revision {revision!r}; the known ones are {', '.join(REVISIONS)}"
        )
    return _HELD[revision]


def _move_title(tool: JsonObject, title: JsonValue) -> Note:
    annotations = tool.get("annotations")
    given = annotations if isinstance(annotations, dict) else {}
    if "title" in given:
        return Note("title", "title was left out: annotations.title is set already")
    tool["annotations"] = {"title": title, **given}
    return Note("title", "title was moved to annotations.title")


def _move_references(schema: JsonValue, base: str) -> JsonValue:
    """`schema` with its references into the document's root led to `base`; shared where unchanged.

    A schema with an `$id` of its own is a document of its own: its references stay. (An `$id` that
    is only a fragment is how draft-06 and draft-07 name an anchor.)
    """
    if isinstance(schema, list):
        items = [_move_references(item, base) for item in schema]
        return items if _differ(items, schema) else schema
    if not isinstance(schema, dict):
        return schema
    identity = schema.get("$id")
    if isinstance(identity, str) and not identity.startswith("#"):
        return schema
    moved: JsonObject = {}
    for key, value in schema.items():
        if key in _REFERENCES and isinstance(value, str):
            is_root = value == "#" or value.startswith("#/")
            moved[key] = base + value[1:] if is_root else value
        elif key in _DATA:
            moved[key] = value
        elif key in _SCHEMAS_BY_NAME and isinstance(value, dict):
            named = {name: _move_references(item, base) for name, item in value.items()}
            moved[key] = named if _differ(named.values(), value.values()) else value
        else:
            moved[key] = _move_references(value, base)
    return moved if _differ(moved.values(), schema.values()) else schema


def _differ(made: Iterable[JsonValue], given: Iterable[JsonValue]) -> bool:
    return any(a is not b for a, b in zip(made, given, strict=True))
