"""What a profile says: a client, and a row for each of its limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, IntEnum

from toolc.model.document import JsonValue
from toolc_runtime.light import NamedTuple


class Blast(IntEnum):
    """How much is lost with one thing that a client does not take; the greater, the more."""

    PARAMETER = 1
    TOOL = 2
    SERVER = 3
    REQUEST = 4
    """Every request that the tool is part of, whatever the other servers in it are."""


class Effect(Enum):
    """What becomes of it."""

    REFUSED = "refused"
    DROPPED = "dropped"
    """It is not there, and nothing says so."""
    CUT = "cut"
    CHANGED = "changed"
    FAILS = "fails"
    """It is there, and fails when it is called."""
    REPLACED = "replaced"
    """It takes the place of another."""


class Certainty(Enum):
    """How well a limit is known."""

    HIGH = "H"
    """Several reports that quote the error, or the vendor's own documentation."""
    MEDIUM = "M"
    """One good report, or an old one."""
    LOW = "L"
    """What one person says, or what others dispute."""


Values = Mapping[str, JsonValue]
"""What a kind of limit is told by a row, as `kinds.KINDS` has it: such as `{"most": 64}`."""


class Limit(NamedTuple):
    """One row of a profile."""

    kind: str
    """One of `kinds.KINDS`."""
    values: Values
    blast: Blast
    effect: Effect
    certainty: Certainty
    source: str
    """A link to who says so."""
    date: str
    """Of the source, `YYYY-MM`."""
    looks: str = ""
    """What one gets to see of it: `HTTP 400`."""
    until: str = ""
    """When the client stopped doing it, `YYYY-MM`; empty for one that still does."""
    note: str = ""
    """What else helps."""

    @property
    def is_sure(self) -> bool:
        """Whether what it finds deserves a warning, or a note only."""
        return self.certainty is not Certainty.LOW


class Profile(NamedTuple):
    """What is known of one client."""

    name: str
    """As people type it: the name of its file without the suffix."""
    title: str
    about: str
    limits: tuple[Limit, ...]
    """Its own behind those of the profiles that it extends."""
    extends: tuple[str, ...] = ()


class Clients:
    """The clients that a run asks for, and the limits that they have now, kind by kind."""

    def __init__(self, profiles: Sequence[Profile]) -> None:
        self.profiles = tuple(profiles)
        self._limits: dict[str, list[tuple[Values, list[tuple[str, Limit]]]]] = {}
        for profile in profiles:
            for limit in profile.limits:
                if limit.until:
                    continue  # it is told of the client, and of no tool
                rows = self._limits.setdefault(limit.kind, [])
                same = next((held for values, held in rows if values == limit.values), None)
                if same is None:
                    rows.append((limit.values, same := []))
                same.append((profile.name, limit))

    def __bool__(self) -> bool:
        return bool(self.profiles)

    def limits(self, kind: str) -> Sequence[tuple[Values, Sequence[tuple[str, Limit]]]]:
        """The different limits of a kind, each with the clients that have it: what is asked of a
        tool is asked once, however many clients ask."""
        return self._limits.get(kind, ())


NO_CLIENTS = Clients(())
