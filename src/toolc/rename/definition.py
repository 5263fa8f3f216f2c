"""Renaming a tool in its definition."""

from __future__ import annotations

import copy
import re

from toolc.loader import load
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import (
    Document,
    JsonObject,
    JsonValue,
    Place,
    Pointer,
    Site,
    SourceFile,
    Span,
)
from toolc.rename.edits import Edit, Renamed, apply, beside, refusal


def rename_definition(
    document: Document, pointer: Pointer, old: str, new: str, prefix: str = ""
) -> Renamed | Diagnostic:
    """The definition file of the tool `old`, after it has become `new` with `old` as an alias.

    `pointer` is the tool's table in the document. The name is changed where it is written; a tool
    that is named by its file's stem gets a file of the new name. `prefix` is what the project's
    `namespace` puts before the written name; both names begin with it.
    """
    source = document.source
    assert source is not None
    table = _table_at(document.value, pointer)
    expected = copy.deepcopy(document.value)
    wanted = _table_at(expected, pointer)
    path = source.path
    edits: list[Edit] = []

    name_key = _spelling_of(table, "name")
    if name_key is None:
        path = beside(path, new.removeprefix(prefix) + path[path.rfind(".") :])
    else:
        span = document.places[*pointer, name_key].value
        written = _quoted(new.removeprefix(prefix), source.text[span.start : span.end])
        edits.append(Edit(span, written))
        wanted[name_key] = new.removeprefix(prefix)

    aliases_key = _spelling_of(table, "aliases") or "aliases"
    aliases = wanted.setdefault(aliases_key, [])
    if not isinstance(aliases, list):
        return refusal(path, "`aliases` is not a list", "make it a list of old names")
    if old not in aliases:
        edit = _alias_edit(document, (*pointer, aliases_key), old, new)
        if edit is not None:
            edits.append(edit)
        if new in aliases:
            aliases[aliases.index(new)] = old
        else:
            aliases.append(old)

    text = apply(source.text, edits)
    edited, _ = load(SourceFile(path, text))
    if edited is None or edited.value != expected:
        hint = f'write the name "{new}" and `aliases = ["{old}"]` into it by hand, then build'
        return refusal(source.path, "the definition is laid out so that mv cannot edit it", hint)
    return Renamed(path, text)


def alias_site(document: Document, pointer: Pointer, old: str) -> Site | None:
    """Where the tool whose table is at `pointer` has `old` among its aliases."""
    table = _table_at(document.value, pointer)
    key = _spelling_of(table, "aliases")
    aliases = table[key] if key is not None else None
    if key is None or not isinstance(aliases, list) or old not in aliases:
        return None
    return document.site((*pointer, key, aliases.index(old)))


def _table_at(value: JsonValue, pointer: Pointer) -> JsonObject:
    for part in pointer:
        value = value[part]  # type: ignore[index]
    assert isinstance(value, dict)
    return value


def _spelling_of(table: JsonObject, key: str) -> str | None:
    """How a table spells one of the format's keys: case, `_` and `-` do not count."""
    folded = (name for name in table if name.replace("_", "").replace("-", "").lower() == key)
    return next(folded, None)


_PLAIN = re.compile(r"(?!(?:null|true|false)$)[a-z][a-z0-9_-]*", re.IGNORECASE)


def _quoted(name: str, like: str) -> str:
    """A tool's name as a string, in the quotes of the text that it stands for or beside."""
    if like.startswith("'"):
        return f"'{name}'"
    return name if not like.startswith('"') and _PLAIN.fullmatch(name) else f'"{name}"'


def _alias_edit(document: Document, pointer: Pointer, old: str, new: str) -> Edit | None:
    """The edit that makes `old` an alias; in the place of `new`, where a tool gets its name back."""
    source = document.source
    assert source is not None
    text = source.text
    place = document.places.get(pointer)
    if place is None:
        return _new_key_edit(document, pointer, old)
    aliases = _table_at(document.value, pointer[:-1])[str(pointer[-1])]
    assert isinstance(aliases, list)
    if not aliases:
        start = place.value.start + 1
        return Edit(Span(start, start), f'"{old}"')
    index = aliases.index(new) if new in aliases else len(aliases) - 1
    span = document.places[*pointer, index].value
    written = _quoted(old, text[span.start : span.end])
    if new in aliases:
        return Edit(span, written)
    if text[place.value.start] == "[":
        return Edit(Span(span.end, span.end), f", {written}")
    # A YAML block sequence: the new item is a line of its own, with the dash of the one above.
    start, end = _line_around(text, span.start)
    return Edit(Span(end, end), f"{_newline(text)}{text[start : span.start]}{written}")


def _new_key_edit(document: Document, pointer: Pointer, old: str) -> Edit:
    """The edit that writes `aliases` behind the name of its table, or before the first key."""
    source = document.source
    assert source is not None
    text, places, table = source.text, document.places, pointer[:-1]
    notation = source.path[source.path.rfind(".") :].lower()
    entry = {".toml": 'aliases = ["{}"]', ".json": '"aliases": ["{}"]'}.get(
        notation, 'aliases: ["{}"]'
    )
    entry = entry.format(old)
    within = places.get(table)
    in_braces = within is not None and text[within.value.start : within.value.start + 1] == "{"
    name = _spelling_of(_table_at(document.value, table), "name")
    if name is not None:
        return _behind(text, places[*table, name], entry, in_braces)
    keys = [
        place.key.start
        for key in _table_at(document.value, table)
        if (place := places.get((*table, key))) is not None and place.key is not None
    ]
    if not keys:
        start = within.value.start + 1 if within is not None and in_braces else 0
        return Edit(Span(start, start), entry if in_braces else entry + _newline(text))
    first = min(keys)
    line_start, _ = _line_around(text, first)
    indent = text[line_start:first]
    if in_braces:
        gap = "," + _newline(text) + indent if not indent.strip() else ", "
    elif notation == ".toml":
        # The first key may be the name in a `[header]`, which must stay together.
        indent = indent[: len(indent) - len(indent.lstrip())]
        return Edit(Span(line_start, line_start), indent + entry + _newline(text))
    else:
        gap = _newline(text) + " " * len(indent)
    return Edit(Span(first, first), entry + gap)


def _behind(text: str, place: Place, entry: str, in_braces: bool) -> Edit:
    """The edit that writes `entry` behind the key and value at `place`, laid out as they are."""
    assert place.key is not None
    before = text[_line_around(text, place.key.start)[0] : place.key.start]
    if in_braces:
        gap = ", " if before.strip() else "," + _newline(text) + before
        return Edit(Span(place.value.end, place.value.end), gap + entry)
    # In YAML a list's dash may stand before the key.
    indent = before if not before.strip() else " " * len(before)
    line_end = _line_around(text, place.value.end)[1]
    return Edit(Span(line_end, line_end), _newline(text) + indent + entry)


def _line_around(text: str, offset: int) -> tuple[int, int]:
    """Where the line at `offset` begins, and where its line end does."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    return start, end - 1 if text[start:end].endswith("\r") else end


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
