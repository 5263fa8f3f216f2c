"""What one generated module comes to hold, before it is laid out."""

from __future__ import annotations

import re

from toolc.generate.parameters import IdentifierFault
from toolc.model.document import JsonValue
from toolc_runtime.light import NamedTuple

_IMPORTED = frozenset(
    (
        *("ABSENT", "Absent", "Any", "Each", "Either", "Later", "Literal", "NotRequired"),
        *("Record", "Values", "_types", "cast", "field"),
    )
)
_WORD = re.compile(r"\w+")
_STRINGS = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""")


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
    """Where in the schema it is from: `address.lines[]`; empty at the root."""
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
        "code",
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
        """What the module imports whatever the code says."""
        self.code: list[str] = []
        """The expressions of the definitions and shapes: what they mention is imported as well."""
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
        """The names that have to be imported; text inside the code's strings is none."""
        code = _STRINGS.sub("", "\n".join(self.code))
        return self.uses.union(_IMPORTED.intersection(_WORD.findall(code)))
