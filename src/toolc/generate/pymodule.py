"""What one generated module comes to hold, before it is laid out."""

from __future__ import annotations

import re
from collections.abc import Collection

from toolc.generate.parameters import IdentifierFault
from toolc.model.document import JsonValue
from toolc_runtime.light import NamedTuple

_MENTIONED = (
    *("ABSENT", "Absent", "Any", "Each", "Either", "Later", "Literal", "NotRequired", "Record"),
    *("Values", "_types", "cast", "field"),
)
"""What expressions mention and a module imports."""

_WORD = r"\w+"
_STRING = r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'"""


class Field(NamedTuple):
    wire: str
    identifier: str
    """Equal to `wire` in results, whose keys are the wire's own."""
    annotation: str
    default: str
    """An expression; empty where there is none."""
    schema: JsonValue


class Definition(NamedTuple):
    """A class or alias of a generated module, in the order in which they may stand."""

    kind: str
    """`record` (a dataclass), `typed_dict`, `typed_dict_call` (keys that no class body takes), or
    `alias`."""
    name: str
    path: str
    """Where in the schema a record is from: `address.lines[]`; empty at the root."""
    fields: tuple[Field, ...] = ()
    further: str = ""
    """The type of a record's `extra`; empty where it is closed."""
    alias: str = ""


class ShapeLine(NamedTuple):
    """`constant: annotation = expression`; the annotation is often empty."""

    constant: str
    annotation: str
    expression: str


class Module:
    """What one generated module comes to hold; filled by readers of schemas."""

    __slots__ = (
        "ahead",
        "definitions",
        "faults",
        "is_shared",
        "shapes",
        "shared",
        "taken",
        "uses",
    )

    def __init__(self, is_shared: bool = False) -> None:
        self.is_shared = is_shared
        """The module of the shared types, to which the others refer as `_types`."""
        self.taken: set[str] = set()
        self.definitions: list[Definition] = []
        self.shapes: list[ShapeLine] = []
        self.uses: set[str] = set()
        """What the module imports, beside what its definitions and shapes mention."""
        self.ahead: set[str] = set()
        """Shape constants that are mentioned before they are made: type checkers need them
        annotated."""
        self.faults: list[IdentifierFault] = []
        self.shared: set[str] = set()
        """In the module of the shared types: those that are made."""

    def claim(self, name: str) -> str:
        """`name`, or the first of `name2`, `name3` … that nothing else in the module has."""
        free, number = name, 2
        while free in self.taken:
            free, number = f"{name}{number}", number + 1
        self.taken.add(free)
        return free

    def imported(self) -> set[str]:
        """The names that the module has to import."""
        code = [expression for _, _, expression in self.shapes]
        for _, _, _, fields, further, alias in self.definitions:
            code += (further, alias)
            for _, _, annotation, default, _ in fields:
                code += (annotation, default)
        return self.uses.union(mentioned_names("\n".join(code), self.uses))


def mentioned_names(code: str, known: Collection[str] = ()) -> list[str]:
    """The names in expressions that have to be imported, but for `known` ones; text inside the
    strings is none."""
    # Most of them are nowhere, not even in a string or in a longer name.
    names = [name for name in _MENTIONED if name in code and name not in known]
    if names:
        words = re.findall(_WORD, re.sub(_STRING, "", code))
        names = [name for name in names if name in words]
    return names
