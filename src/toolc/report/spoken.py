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


def spoken(diagnostic: Diagnostic) -> str:
    """The message on one line, hostile characters visible, with whose rule it is where that matters."""
    row = CODES.get(diagnostic.code)
    suffix = _SUFFIXES.get(row.basis, "") if row is not None else ""
    return visible(diagnostic.message) + suffix
