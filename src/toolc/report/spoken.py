"""A diagnostic's message as people read it."""

from __future__ import annotations

from toolc.model.codes import CODES, Basis
from toolc.model.diagnostic import Diagnostic
from toolc.report.visible import visible

_SUFFIXES = {
    Basis.POLICY: " (toolc's policy, not the specification's word)",
    Basis.CLIENT: " (some clients; the specification allows it)",
}
"""What is said besides, so that a rule of toolc's own is never taken for the protocol's."""

_OF_CLIENTS = " (the specification allows it)"
"""What is said of the linter's findings on clients, whose codes begin with C; they name the clients."""


def spoken(diagnostic: Diagnostic) -> str:
    """The message on one line, hostile characters visible, with whose rule it is where that matters."""
    row = CODES.get(diagnostic.code)
    if row is None:
        suffix = _OF_CLIENTS if diagnostic.code.startswith("C") else ""
    else:
        suffix = _SUFFIXES.get(row.basis, "")
    return visible(diagnostic.message) + suffix
