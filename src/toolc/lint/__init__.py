"""What may be wrong with a tool that compiles: rules, and what they say of a project or a manifest.

A rule looks at one tool as the wire has it (`Subject`), or at all of them (`Index`), and yields what
it found. Where that was written, whether anybody asked for the rule, and how grave it is are not its
concern.
"""

from __future__ import annotations

from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from toolc.lint.rule import Found, Kind, Rule, Set
    from toolc.lint.subject import Index, Property, Row, Subject
    from toolc.model.diagnostic import Severity

__all__ = ["Found", "Index", "Kind", "Property", "Row", "Rule", "Set", "Severity", "Subject"]

_HOMES = {
    **dict.fromkeys(("Found", "Kind", "Rule", "Set"), "toolc.lint.rule"),
    **dict.fromkeys(("Index", "Property", "Row", "Subject"), "toolc.lint.subject"),
    "Severity": "toolc.model.diagnostic",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
