"""What tools ask of a server and the generated one does not do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter

from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic
from toolc.model.tool import Facts

_NOT_ACTED_ON: Mapping[str, str] = {
    "budget": "budget",
    "timeout": "timeout",
    "concurrency": "concurrency",
    "rateLimit": "rate_limit",
    "envelope": "envelope",
    "repair": "repair",
}
"""Keys that only the catalogue holds, and the fields of `Facts` that say what a tool has of them."""

_said = attrgetter(*_NOT_ACTED_ON.values())
_DEFAULTS = _said(Facts())


def unserved_keys(facts: Facts) -> tuple[str, ...]:
    """Those of a tool's keys that the generated server leaves alone."""
    said = _said(facts)
    if said == _DEFAULTS:
        return ()
    of_keys = zip(_NOT_ACTED_ON, said, _DEFAULTS, strict=True)
    return tuple([key for key, value, default in of_keys if value != default])


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
