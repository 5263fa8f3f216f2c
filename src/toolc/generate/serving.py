"""What tools ask of a server and the generated one does not do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic
from toolc.model.tool import Facts

_NOT_ACTED_ON: Mapping[str, Callable[[Facts], bool]] = {
    "discoverable": lambda facts: facts.discoverable,
    "budget": lambda facts: facts.budget is not None,
    "timeout": lambda facts: facts.timeout is not None,
    "concurrency": lambda facts: facts.concurrency is not None,
    "rateLimit": lambda facts: facts.rate_limit is not None,
    "envelope": lambda facts: facts.envelope,
    "repair": lambda facts: facts.repair != "off",
}
"""Keys that only the catalogue holds, and whether a tool has one."""


def unserved_keys(facts: Facts) -> tuple[str, ...]:
    """Those of a tool's keys that the generated server leaves alone."""
    return tuple([key for key, has in _NOT_ACTED_ON.items() if has(facts)])


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
