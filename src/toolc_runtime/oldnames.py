"""Parameters that a call names as they were called before, in nested objects too."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, NamedTuple

from toolc_runtime.facts import ServedFacts
from toolc_runtime.jsonvalue import JsonObject, JsonValue, Pointer
from toolc_runtime.subschemas import Declared
from toolc_runtime.validation import Fault
from toolc_runtime.wording import told_path


class PresentNames(NamedTuple):
    """Arguments by the present names of their parameters."""

    arguments: JsonObject
    old_names: Mapping[Pointer, str]
    """Where a parameter was sent by an old name, by the present one: the old one."""
    warnings: tuple[str, ...]
    """A sentence for each of them."""
    faults: tuple[Fault, ...]
    """Of parameters that were sent by two names; only the present one is among the arguments."""


def with_present_names(
    arguments: JsonObject, schema: JsonObject, declared: Declared, facts: ServedFacts
) -> PresentNames:
    """`arguments` with old names replaced; `declared` is of their `schema`.

    A name that is declared where it stands means that, whatever it meant before.
    """
    renaming = _Renaming(schema, declared, facts)
    now = renaming.object(arguments, (), ())
    return PresentNames(now, renaming.old_names, tuple(renaming.warnings), tuple(renaming.faults))


def mentions(value: JsonValue, names: Set[str]) -> bool:
    """Whether one of `names` is a key in `value`, at any depth."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            if not names.isdisjoint(item):
                return True
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
    return False


class _Renaming:
    def __init__(self, schema: JsonObject, declared: Declared, facts: ServedFacts) -> None:
        self.old_names: dict[Pointer, str] = {}
        self.warnings: list[str] = []
        self.faults: list[Fault] = []
        self._declared = declared
        self._is_deep = bool(facts.nested_aliases)
        self._aliases: dict[int, Mapping[str, str]] = {id(schema): facts.parameter_aliases}
        """The aliases that a schema has, by its identity."""
        for place, names in facts.nested_aliases.items():
            found: Any = schema
            for part in place:
                found = found[part]
            self._aliases[id(found)] = names
        self._known: dict[Pointer, Mapping[str, str]] = {}

    def value(self, value: JsonValue, way: Pointer, pointer: Pointer) -> JsonValue:
        """`way` is the pointer with 0 for every place of an array: the names are those of all."""
        if isinstance(value, dict):
            return self.object(value, way, pointer)
        if isinstance(value, list):
            below = (*way, 0)
            return [self.value(item, below, (*pointer, at)) for at, item in enumerate(value)]
        return value

    def object(self, value: JsonObject, way: Pointer, pointer: Pointer) -> JsonObject:
        meant = self._meant(value, self._at(way), pointer)
        made: JsonObject = {}
        for key, item in value.items():
            name = meant.get(key, key)
            if name is None:
                continue
            if self._is_deep:
                item = self.value(item, (*way, name), (*pointer, name))
            made[name] = item
        return made

    def _at(self, way: Pointer) -> Mapping[str, str]:
        """The old names of the parameters of an object, to the present ones."""
        known = self._known.get(way)
        if known is None:
            found: dict[str, str] = {}
            for schema in self._declared.schemas(way):
                found |= self._aliases.get(id(schema), {})
            names = self._declared.names(way) if found else {}
            known = {old: name for old, name in found.items() if old not in names}
            self._known[way] = known
        return known

    def _meant(
        self, value: JsonObject, aliases: Mapping[str, str], pointer: Pointer
    ) -> dict[str, str | None]:
        """The names in `value` that are old ones, to the present ones; None for one too many."""
        meant: dict[str, str | None] = {}
        taken: set[str] = set()
        for old in [key for key in value if key in aliases] if aliases else ():
            present = aliases[old]
            if present in value or present in taken:
                expected = f'its present name "{present}" alone'
                self.faults.append(Fault((*pointer, old), "parameterAliases", expected, "both"))
                meant[old] = None
            else:
                taken.add(present)
                meant[old] = present
                self.old_names[(*pointer, present)] = old
                shown = told_path((*pointer, old), self._declared)
                self.warnings.append(f'"{shown}" is the old name of "{present}"')
        return meant
