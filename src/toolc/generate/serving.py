"""What tools ask of a server and the generated one does not do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic
from toolc.model.tool import Facts

_NOT_ACTED_ON: Mapping[str, str] = {}
"""Keys that only the catalogue holds, and the fields of `Facts` that say what a tool has of them."""

_DEFAULTS = Facts()


def unserved_keys(facts: Facts) -> tuple[str, ...]:
    """Those of a tool's keys that the generated server leaves alone."""
    rows = _NOT_ACTED_ON.items()
    return tuple([key for key, at in rows if getattr(facts, at) != getattr(_DEFAULTS, at)])


def serving_notes(unserved: Iterable[tuple[str, ...]]) -> tuple[Diagnostic, ...]:
    """One note for all the keys that the generated server leaves alone, if any tool has one."""
    counts = dict.fromkeys(_NOT_ACTED_ON, 0)
    for keys in unserved:
        for key in keys:
            counts[key] += 1
    used = [f"`{key}` ({count})" for key, count in counts.items() if count]
    if not used:
        return ()
    return (
        Diagnostic(
            "M309",
            CODES["M309"].severity,
            "the generated server does not act on " + ", ".join(used),
            hint="they stand in catalog.json for whoever does; in brackets, how many tools have each",
        ),
    )
