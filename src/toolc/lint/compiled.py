"""What mends some of the things that compiling finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from toolc.builder.keys import OTHER_SPELLINGS, Key, Level, fold
from toolc.builder.words import nearest
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Document, JsonValue, Pointer
from toolc.model.fix import Fix, Put, Remove, Rename
from toolc_runtime.formats import ASSERTED


def with_fixes(
    found: Iterable[Diagnostic], document_of: Callable[[str], Document | None]
) -> Iterator[Diagnostic]:
    """The same findings, each with its fix if there is one."""
    for one in found:
        make = _FIXES.get(one.code)
        document = document_of(one.path) if make is not None and one.pointer else None
        fix = None
        if make is not None and document is not None and one.pointer and document.has(one.pointer):
            fix = make(one.pointer, document.value)
        yield one if fix is None else one._replace(fix=fix._replace(path=one.path))


_SAID_BY_A_BUILD = {"D316": "M212", "D319": "M213"}
"""Rules that find in a schema of any making what a build finds in rows of parameters."""


def without_twins(
    found: Iterable[Diagnostic], compiled: Iterable[Diagnostic]
) -> Iterator[Diagnostic]:
    """What rules found, but for what a build has said of the same place."""
    said = {(one.code, one.site) for one in compiled if one.code in _SAID_BY_A_BUILD.values()}
    return (one for one in found if (_SAID_BY_A_BUILD.get(one.code), one.site) not in said)


def level_at(pointer: Pointer, value: JsonValue) -> Level | None:
    """Which of the format's tables stands at `pointer` of a definition file's value."""
    keys = [part for part in pointer if isinstance(part, str)]
    level = Level.TOOL
    if isinstance(value, dict) and keys[:1] in (["tools"], ["defaults"]) and keys[0] in value:
        keys = keys[1:]
    elif keys[:1] in (["types"], ["fragments"]):
        level, keys = (Level.PARAMETER if keys[0] == "types" else Level.FRAGMENT), keys[2:]
    for name in keys:
        key = _key(name, level)
        if key is None or key.table is None:
            return None
        level = key.table
    return level


def _key(spelling: str, level: Level) -> Key | None:
    folded = fold(spelling)
    name = OTHER_SPELLINGS.get((level, folded))
    return level.known[name] if name is not None else level.folded.get(folded)


def _known_spelling(pointer: Pointer, value: JsonValue) -> Fix | None:
    level = level_at(pointer[:-1], value)
    key = None if level is None else _key(str(pointer[-1]), level)
    if key is None:
        return None
    steps = (Rename(pointer, key.name),)
    return Fix(f'write "{key.name}"', steps, is_safe=True, keeps_tools=True)


def _nearest_key(pointer: Pointer, value: JsonValue) -> Fix | None:
    level = level_at(pointer[:-1], value)
    near = None if level is None else nearest(str(pointer[-1]), level.known)
    return None if near is None else Fix(f'write "{near}"', (Rename(pointer, near),))


def _no_default(pointer: Pointer, _value: JsonValue) -> Fix | None:
    # A shared type's default may be of use to others.
    if pointer[0] == "types":
        return None
    return Fix("take the default away", (Remove(pointer),))


def _known_format(pointer: Pointer, value: JsonValue) -> Fix | None:
    for part in pointer:
        value = value[part]  # type: ignore[index]
    near = nearest(value, ASSERTED) if isinstance(value, str) else None
    return None if near is None else Fix(f'write "{near}"', (Put(pointer, near),))


_FIXES: Mapping[str, Callable[[Pointer, JsonValue], Fix | None]] = {
    "M102": _nearest_key,
    "M103": _known_spelling,
    "M209": _no_default,
    "M213": _known_format,
}
"""By code; the pointer is that of what the finding is about."""
