"""The files whose names begin with `_`: fragments of parameters, and named types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from toolc.builder.circles import circular
from toolc.builder.keys import Level
from toolc.builder.parameters import ParameterReader, Surroundings
from toolc.builder.tables import UNKNOWN_KEY_SEVERITY, read_table
from toolc.builder.types import SCALARS
from toolc.builder.words import quoted
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Document, JsonObject, Pointer
from toolc.model.findings import Findings
from toolc.model.metadata import Named, Origin, Parameter, Union
from toolc.model.shared import Shared

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_PREFIX_WORDS = frozenset({"array", "map"})
_DEEPEST = 32


def read_shared(
    documents: Mapping[str, Document], surroundings: Surroundings
) -> tuple[Shared, tuple[Diagnostic, ...]]:
    """What the shared files of a project, by path, define together.

    Problems are reported here, at the place where a definition was written, and not again for
    each tool that uses it.
    """
    definitions = _Definitions(surroundings)
    for path in sorted(documents):
        definitions.collect(documents[path])
    return definitions.read()


class _Definition(NamedTuple):
    document: Document
    pointer: Pointer
    raw: JsonObject


class _Definitions:
    def __init__(self, surroundings: Surroundings) -> None:
        self.surroundings = surroundings
        self.types: dict[str, _Definition] = {}
        self.fragments: dict[str, _Definition] = {}
        self.problems: list[Diagnostic] = []
        self.uses: dict[str, frozenset[str]] = {}

    def collect(self, document: Document) -> None:
        """Find the definitions of one file, by name."""
        findings = Findings(document)
        root = document.value
        if not isinstance(root, dict):
            findings.add("M105", f"shared definitions must be tables, not {quoted(root)}", ())
        else:
            unknown_keys = UNKNOWN_KEY_SEVERITY[self.surroundings.project.unknown_keys]
            table = read_table(root, Level.FILE, (), findings, unknown_keys)
            for kind, known in (("types", self.types), ("fragments", self.fragments)):
                for name, raw in table.get(kind, {}).items():
                    self.define(name, raw, (*table.at(kind), name), kind, known, findings)
            if "tools" in table:
                findings.add(
                    "M109",
                    'a file whose name begins with "_" is never a tool: its "tools" are not built',
                    table.at("tools"),
                    key=True,
                    hint='take the "_" away, or move the tools to a file of their own',
                )
        self.problems.extend(findings)

    def define(
        self,
        name: str,
        raw: object,
        pointer: Pointer,
        kind: str,
        known: dict[str, _Definition],
        findings: Findings,
    ) -> None:
        if not isinstance(raw, dict):
            findings.add("M105", f'"{name}" must be a table', pointer)
        elif kind == "types" and (
            not _NAME.fullmatch(name) or name in SCALARS or name in _PREFIX_WORDS
        ):
            findings.add(
                "M201",
                f'a shared type cannot be called "{name}"',
                pointer,
                key=True,
                hint="use letters, digits and _, begin with a letter, and no word of the grammar",
            )
        elif name in known:
            first = known[name]
            findings.add(
                "M211",
                f'"{name}" is defined twice in "{kind}"',
                pointer,
                key=True,
                related=findings.related(
                    "the first one", first.pointer, key=True, document=first.document
                ),
            )
        else:
            known[name] = _Definition(findings.document, pointer, raw)

    def read(self) -> tuple[Shared, tuple[Diagnostic, ...]]:
        # A type may name any other, itself included, so their names are known before their bodies.
        names = {
            name: Parameter(Origin(definition.document, definition.pointer))
            for name, definition in self.types.items()
        }
        fragments = _Fragments(self, self.surroundings, names)
        for name in self.fragments:
            fragments[name]
        shared = Shared(fragments, names, {})
        mode = self.surroundings.project.descriptions
        types: dict[str, Parameter] = {}
        for name, (document, pointer, raw) in self.types.items():
            reader = ParameterReader(document, self.surroundings._replace(shared=shared))
            types[name] = reader.nameless(raw, pointer, mode, 0)
            self.settle(reader, f"type:{name}")
        immediate = {name: list(_immediate(parameter)) for name, parameter in types.items()}
        for name in sorted(circular(immediate)):
            definition = self.types[name]
            findings = Findings(definition.document)
            findings.add(
                "M208",
                f'the shared type "{name}" is defined by itself',
                definition.pointer,
                key=True,
                hint="put an array, a map or an object between",
            )
            self.problems.extend(findings)
            types[name] = Parameter(types[name].origin, type=SCALARS["any"])
        uses = {
            name: [used.removeprefix("type:") for used in self.uses[f"type:{name}"]]
            for name in types
        }
        return Shared(fragments.read, types, self.uses, circular(uses)), tuple(self.problems)

    def settle(self, reader: ParameterReader, name: str) -> None:
        """Take over what a reader found, and what the definition that it read depends on."""
        reader.close_findings()
        self.problems.extend(reader.diagnostics)
        self.uses[name] = frozenset(reader.used)


class _Fragments(Mapping[str, tuple[Parameter, ...]]):
    """Fragments, read when they are first asked for, since one may include another."""

    def __init__(
        self,
        definitions: _Definitions,
        surroundings: Surroundings,
        types: Mapping[str, Parameter],
    ) -> None:
        self._definitions = definitions
        self._surroundings = surroundings._replace(shared=Shared(self, types, {}))
        self._reading: list[str] = []
        self.read: dict[str, tuple[Parameter, ...]] = {}

    def __getitem__(self, name: str) -> tuple[Parameter, ...]:
        if name in self.read:
            return self.read[name]
        document, pointer, raw = self._definitions.fragments[name]
        if name in self._reading or len(self._reading) >= _DEEPEST:
            findings = Findings(document)
            if name in self._reading:
                circle = " -> ".join([*self._reading[self._reading.index(name) :], name])
                message, hint = f'the shared fragment "{name}" includes itself', circle
                findings.add("M208", message, pointer, key=True, hint=f"break the circle: {hint}")
            else:
                message = f"fragments include each other more than {_DEEPEST} deep"
                findings.add("L109", message, pointer, key=True)
            self._definitions.problems.extend(findings)
            return ()
        self._reading.append(name)
        reader = ParameterReader(document, self._surroundings)
        table = reader.table(raw, Level.FRAGMENT, pointer)
        rows = reader.parameters(table, "parameters", self._surroundings.project.descriptions)
        self._definitions.settle(reader, f"fragment:{name}")
        self._reading.pop()
        return self.read.setdefault(name, rows or ())

    def __iter__(self) -> Iterator[str]:
        return iter(self._definitions.fragments)

    def __len__(self) -> int:
        return len(self._definitions.fragments)


def _immediate(parameter: Parameter) -> Iterator[str]:
    """The types that a value of this one must have as a whole."""
    for branch in parameter.any_of:
        yield from _immediate(branch)
    if isinstance(parameter.type, Named):
        yield parameter.type.name
    elif isinstance(parameter.type, Union):
        for expression in parameter.type.branches:
            if isinstance(expression, Named):
                yield expression.name
