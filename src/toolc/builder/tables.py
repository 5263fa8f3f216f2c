"""One table of an author's, its keys recognised and its values of the right kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from toolc.builder.keys import (
    EQUAL_SPELLINGS,
    MISTAKES,
    NULL_IS_A_VALUE,
    OTHER_SPELLINGS,
    RESERVED,
    SYNONYMS,
    Key,
    Kind,
    Level,
    Mistake,
    fold,
)
from toolc.builder.words import nearest, quoted
from toolc.model.diagnostic import Severity
from toolc.model.document import JsonObject, JsonValue, Pointer
from toolc.model.findings import Findings

UNKNOWN_KEY_SEVERITY: Mapping[str, Severity | None] = {
    "error": Severity.ERROR,
    "warn": Severity.WARNING,
    "ignore": None,
}
"""The project's `unknownKeys` -> how an unknown key is reported; None: not at all."""


class Exclusions:
    """Pairs of keys that say the same thing in two ways; the second of each is the rarer one."""

    def __init__(self, *pairs: tuple[str, str]) -> None:
        self.pairs = pairs
        self._rare = frozenset(rare for _, rare in pairs)

    def found(self, values: Mapping[str, JsonValue]) -> Iterator[tuple[str, str]]:
        """The pairs of which both stand in a table, in the order in which they stand there."""
        if self._rare.isdisjoint(values):
            return
        order = list(values)
        for pair in self.pairs:
            if pair[0] in values and pair[1] in values:
                one, other = sorted(pair, key=order.index)
                yield one, other


class Table:
    """The recognised keys of one table: canonical name -> value, and where each stands."""

    __slots__ = ("_pointers", "absent", "pointer", "unfit", "values")

    def __init__(self, pointer: Pointer) -> None:
        self.pointer = pointer
        self.values: JsonObject = {}
        self.absent: set[str] = set()
        """Keys that stand in the table without a value to use: null, or of the wrong kind."""
        self.unfit: set[str] = set()
        """Of those, the ones whose value is of the wrong kind, which has been reported."""
        self._pointers: dict[str, Pointer] = {}

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def get(self, name: str, default: Any = None) -> Any:
        return self.values.get(name, default)

    def at(self, name: str) -> Pointer:
        """Where the value of `name` stands in the document, as its author spelled the key."""
        return self._pointers.get(name) or (*self.pointer, name)

    def spell(self, name: str, spelling: str) -> None:
        """Note how the author spelled a key."""
        if spelling != name:
            self._pointers[name] = (*self.pointer, spelling)

    def inherit(self, defaults: Table, excluded: Exclusions) -> None:
        """Take from `defaults` what this table does not say itself, in one way or another; the
        places stay theirs."""
        said = set(self.values)
        for pair in excluded.pairs:
            if not said.isdisjoint(pair):
                said.update(pair)
        for name, value in defaults.values.items():
            if name not in said:
                self.values[name] = value
                self._pointers[name] = defaults.at(name)

    def strings(self, name: str) -> tuple[str, ...]:
        return tuple(self.values.get(name, ()))  # type: ignore[arg-type]


def read_table(
    raw: Mapping[str, JsonValue],
    level: Level,
    pointer: Pointer,
    findings: Findings,
    unknown_keys: Severity | None,
) -> Table:
    """Recognise the keys of `raw` and check the kind of each value.

    What is wrong is reported and left out; what is null is absent, except where null is a value.
    """
    table = Table(pointer)
    values, absent = table.values, table.absent
    known, plain = level.known, level.plain
    for spelling, value in raw.items():
        # Nearly every key: spelled as it should be, with a value that is plainly of its kind.
        if plain.get(spelling) is type(value) and spelling not in values and not absent:
            values[spelling] = value
            continue
        key = known.get(spelling)
        if key is None:
            key = _recognise(spelling, value, level, pointer, findings, unknown_keys)
            if key is None:
                continue
        name = key.name
        if name in values or name in absent:
            findings.add(
                "M104",
                f'"{spelling}" says "{name}" a second time',
                (*pointer, spelling),
                key=True,
                hint=f'keep one of the two, spelled "{name}"',
                related=findings.related("the first one", table.at(name), key=True),
            )
            continue
        table.spell(name, spelling)
        if value is None and name not in NULL_IS_A_VALUE:
            absent.add(name)
        elif _fits(key, value, (*pointer, spelling), findings):
            values[name] = value
        else:
            absent.add(name)
            table.unfit.add(name)
    return table


def _recognise(
    spelling: str,
    value: JsonValue,
    level: Level,
    pointer: Pointer,
    findings: Findings,
    unknown_keys: Severity | None,
) -> Key | None:
    """The key that a spelling outside the table means, or None; either way with what to say of it."""
    place = (*pointer, spelling)
    key = _meant(spelling, level)
    if key is None:
        verdict = _judge_unknown(spelling, value, level, pointer)
        is_unknown = verdict is not None and verdict.code == "M101"
        if verdict is not None and not (is_unknown and unknown_keys is None):
            code, message, hint, _ = verdict
            severity = unknown_keys if is_unknown else None
            findings.add(code, message, place, key=True, hint=hint, severity=severity)
    elif spelling not in EQUAL_SPELLINGS and not _others_read(spelling, key, findings):
        findings.add(
            "M103",
            f'"{spelling}" is read as "{key.name}"; other readers of this format ignore it',
            place,
            key=True,
            hint=f'write "{key.name}"',
        )
    return key


def _meant(spelling: str, level: Level) -> Key | None:
    """The key that a spelling means although it is not the key's own."""
    if spelling == "_meta" and level is Level.TOOL:
        return level.known["meta"]
    folded = fold(spelling)
    name = OTHER_SPELLINGS.get((level, folded))
    return level.known[name] if name else level.folded.get(folded)


def _judge_unknown(
    spelling: str, value: JsonValue, level: Level, pointer: Pointer
) -> Mistake | None:
    """What to say of a key that the format does not have; None for a note of the author's."""
    if spelling.startswith("x-") or spelling == "$schema":
        return None
    folded = fold(spelling)
    for mistake in MISTAKES.get((level, folded), ()):
        if isinstance(value, mistake.kinds):
            return mistake
    own = f'a note of your own can be called "x-{spelling}"'
    if level is Level.TOOL and spelling in RESERVED:
        return Mistake("M110", f'"{spelling}" is reserved for later and has no effect', own)
    if level is not Level.TOOL and _is_swallowed(folded, value):
        return _judge_swallowed(spelling, folded, level, pointer)
    near = nearest(spelling, level.known)
    if near is not None:
        return Mistake(
            "M102", f'unknown key "{spelling}"; did you mean "{near}"?', f'write "{near}"; {own}'
        )
    meant = SYNONYMS.get(level, {}).get(folded)
    return Mistake(
        "M101",
        f'unknown key "{spelling}" in {_table_name(pointer)} has no effect',
        f'did you mean "{meant}"? If not, {own}' if meant else own,
    )


def _judge_swallowed(spelling: str, folded: str, level: Level, pointer: Pointer) -> Mistake:
    """A tool's key in a table that is not the tool's: in TOML, a header above took it with it."""
    if level is Level.FILE:
        return Mistake(
            "M106",
            f'"{spelling}" belongs to a tool, and this file holds several, or shared definitions',
            "write it in the tools themselves, or below `defaults` for all of them",
        )
    key = Level.TOOL.folded.get(folded) or Level.TOOL.known[OTHER_SPELLINGS[Level.TOOL, folded]]
    return Mistake(
        "M106",
        f'"{spelling}" belongs to the tool but stands inside {_table_name(pointer)}',
        f'move "{key.name}" to the root of the definition; in TOML that is above the first [table]',
    )


def _others_read(spelling: str, key: Key, findings: Findings) -> bool:
    """Whether the reference knows the spelling too: in TOML and JSON it folds case, in YAML it
    takes the lower-cased name alone."""
    source = findings.document.source
    if source is not None and source.path.endswith((".yaml", ".yml")):
        return spelling == key.name.lower()
    return spelling.casefold() == key.name.casefold()


def _is_swallowed(folded: str, value: JsonValue) -> bool:
    """Whether a key that a small table does not know is one of the tool's, by name and kind."""
    key = Level.TOOL.folded.get(folded)
    if key is None:
        return (Level.TOOL, folded) in OTHER_SPELLINGS
    return fits(key, value)


def _table_name(pointer: Pointer) -> str:
    """How a message calls the table at `pointer`: `parameters[2]`, or the definition at the root."""
    if not pointer:
        return "the definition"
    text = ""
    for part in pointer:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return f'"{text}"'


# What may stand behind a key.


def _is_number(value: JsonValue) -> bool:
    return type(value) in (int, float)


def _is_count(value: JsonValue) -> bool:
    return type(value) is int and value >= 0


_FITS: Mapping[Kind, Callable[[Any], bool]] = {
    Kind.STRING: lambda value: type(value) is str,
    Kind.BOOLEAN: lambda value: type(value) is bool,
    Kind.STRINGS: lambda value: type(value) is list and all(type(item) is str for item in value),
    Kind.NUMBER: _is_number,
    Kind.POSITIVE: lambda value: _is_number(value) and value > 0,
    Kind.COUNT: _is_count,
    Kind.POSITIVE_COUNT: lambda value: _is_count(value) and value > 0,
    Kind.LIST: lambda value: type(value) is list,
    Kind.ANY: lambda value: True,
    Kind.OBJECT: lambda value: type(value) in (dict, str),
    Kind.SCHEMA: lambda value: type(value) in (dict, str, bool),
    Kind.TABLE: lambda value: type(value) is dict,
    Kind.TABLES: lambda value: type(value) is list and all(type(item) is dict for item in value),
    Kind.BOOLEAN_OR_STRING: lambda value: type(value) in (bool, str),
    Kind.OPENNESS: lambda value: type(value) in (bool, str),
}


def fits(key: Key, value: JsonValue) -> bool:
    """Whether a value is of the kind that `key` wants."""
    return _FITS[key.kind](value)


def _fits(key: Key, value: JsonValue, place: Pointer, findings: Findings) -> bool:
    if not _FITS[key.kind](value):
        _report_mismatch(key, value, place, findings)
        # A list whose other items are right is still read, so that they are checked as well.
        return key.kind is Kind.TABLES and isinstance(value, list)
    if key.choices:
        chosen = value if isinstance(value, list) else [value]
        wrong = [(at, item) for at, item in enumerate(chosen) if item not in key.choices]
        for at, item in wrong:
            near = nearest(str(item), key.choices)
            findings.add(
                "M111",
                f'"{key.name}" is {quoted(item)}',
                (*place, at) if isinstance(value, list) else place,
                hint=(f'did you mean "{near}"? It' if near else "it")
                + " can be "
                + ", ".join(f'"{choice}"' for choice in key.choices),
            )
        return not wrong
    return True


def _report_mismatch(key: Key, value: JsonValue, place: Pointer, findings: Findings) -> None:
    """Say what was expected and what stands there, at the very item of a list that is wrong."""
    if key.kind in (Kind.STRINGS, Kind.TABLES) and isinstance(value, list):
        item_kind = Kind.STRING if key.kind is Kind.STRINGS else Kind.TABLE
        for at, item in enumerate(value):
            if not _FITS[item_kind](item):
                _report_one(
                    key, f'item {at + 1} of "{key.name}"', item_kind, item, (*place, at), findings
                )
        return
    _report_one(key, f'"{key.name}"', key.kind, value, place, findings)


def _report_one(
    key: Key, subject: str, kind: Kind, value: JsonValue, place: Pointer, findings: Findings
) -> None:
    if key.name in ("parameters", "output") and isinstance(value, dict):
        _report_parameter_table(key.name, value, place, findings)
        return
    written = _source_text(value, place, findings)
    hint = f'"{key.name}": {key.meaning[0].lower()}{key.meaning[1:]}'
    if key.name == "type" and isinstance(value, list):
        hint = f'write "{" | ".join(str(item) for item in value)}"'
    elif key.name == "values" and isinstance(value, str):
        hint = "values without meanings are an `enum`"
    elif kind is Kind.STRING and not isinstance(value, (dict, list)):
        hint = f'put it in quotes: "{written}"'
    elif kind is Kind.BOOLEAN and str(value).lower() in ("true", "false"):
        hint = f"write {str(value).lower()} without quotes"
    elif kind is Kind.BOOLEAN:
        hint = "write true or false, without quotes"
    elif kind is Kind.STRINGS and isinstance(value, str):
        hint = f'write a list: ["{written}"]'
    findings.add(
        "M105", f"{subject} must be {kind.value}, not {quoted(value, written)}", place, hint=hint
    )


def _report_parameter_table(
    key: str, value: JsonObject, place: Pointer, findings: Findings
) -> None:
    """A table where a list of them is due: a JSON Schema, the older dialect, or a single one."""
    if value.get("type") == "object" and isinstance(value.get("properties"), dict):
        schema = "inputSchema" if key == "parameters" else "outputSchema"
        message, hint = f'"{key}" is a JSON Schema here', f'call it "{schema}"'
        findings.add("M105", message, place, hint=hint)
        return
    source = findings.document.source
    is_toml = source is not None and source.path.endswith(".toml")
    names = [name for name, item in value.items() if isinstance(item, dict)]
    if not names:
        hint = f"write [[{key}]] with double brackets, once for each" if is_toml else "write a list"
        message = f'"{key}" must be a list of tables, not one table'
        findings.add("M105", message, place, hint=hint)
    for name in names:
        findings.add(
            "M107",
            f'{f"[{key}.{name}]" if is_toml else name} is the older dialect: "{key}" is a list now',
            (*place, name),
            key=True,
            hint=f'write [[{key}]] and name = "{name}" instead of the line [{key}.{name}]'
            if is_toml
            else f'make it an item of a list, with the name "{name}" inside',
        )


def _source_text(value: JsonValue, place: Pointer, findings: Findings) -> str:
    """A scalar as its author wrote it: `1.10`, which its value (1.1) no longer shows."""
    document = findings.document
    site = document.site(place)
    if document.source is not None and site is not None and site.span is not None:
        place_found = document.places.get(place)
        if place_found is not None:
            text = document.source.text[site.span.start : site.span.end]
            if "\n" not in text and len(text) <= 60:
                return text.strip("\"'")
    return str(value)
