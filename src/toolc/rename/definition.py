"""Renaming a tool in its definition."""

from __future__ import annotations

import copy

from toolc.edits import Edit, add_item, add_key, apply, quoted
from toolc.loader import load
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import (
    Document,
    JsonObject,
    JsonValue,
    Pointer,
    Site,
    SourceFile,
)
from toolc.rename.edits import Renamed, beside, refusal


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
        written = quoted(new.removeprefix(prefix), source.text[span.start : span.end])
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


def _alias_edit(document: Document, pointer: Pointer, old: str, new: str) -> Edit | None:
    """The edit that makes `old` an alias; in the place of `new`, where a tool gets its name back."""
    source = document.source
    assert source is not None
    table = _table_at(document.value, pointer[:-1])
    if pointer not in document.places:
        name = _spelling_of(table, "name")
        return add_key(document, pointer[:-1], "aliases", f'["{old}"]', name)
    aliases = table[str(pointer[-1])]
    assert isinstance(aliases, list)
    if new not in aliases:
        return add_item(document, pointer, old)
    span = document.places[*pointer, aliases.index(new)].value
    return Edit(span, quoted(old, source.text[span.start : span.end]))
