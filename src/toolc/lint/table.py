"""All rules, in the order of their codes."""

from __future__ import annotations

from toolc.lint import (
    cost,
    descriptions,
    discovery,
    hints,
    names,
    parameters,
    security,
    shape,
    structure,
    unsaid,
    values,
)
from toolc.lint.clients import rules as clients
from toolc.lint.rule import Rule
from toolc.lint.suppressions import UNUSED

RULES: tuple[Rule, ...] = (
    *clients.RULES,
    UNUSED,
    *names.RULES,
    *descriptions.RULES,
    *parameters.RULES,
    *sorted((*unsaid.RULES, *values.RULES, *structure.RULES), key=lambda rule: rule.code),
    *hints.RULES,
    *shape.RULES,
    *discovery.RULES,
    *cost.RULES,
    *security.RULES,
)

BY_CODE = {rule.code: rule for rule in RULES}
BY_NAME = {rule.name: rule for rule in RULES}
