"""`toolc explain`: what a code means, why it matters, and how to mend it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from types import SimpleNamespace

from toolc.builder.words import nearest
from toolc.cli import UsageError
from toolc.cli.console import Console
from toolc.cli.main import OK
from toolc.cli.options import COLOR, FORMAT, QUIET, Option
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from toolc.lint.rule import Rule

OPTIONS = (
    Option(("codes",), "codes or names of rules; without one, all rules", "CODE", number="*"),
    FORMAT,
    COLOR,
    QUIET,
)


def run(options: SimpleNamespace) -> int:
    from toolc.lint.explain import code_page, rule_line, rule_page
    from toolc.lint.table import RULES
    from toolc.model.codes import CODES

    console = Console(options)
    if not options.codes:
        console.emit("".join(f"{rule_line(rule)}\n" for rule in _with_own()))
        return OK
    rules = _by_code_and_name(RULES)
    pages = []
    for asked in options.codes:
        if not {asked.upper(), asked.lower()} & {*rules, *CODES}:
            rules = _by_code_and_name(_with_own())
        code = asked.upper()
        if (rule := rules.get(code) or rules.get(asked.lower())) is not None:
            pages.append(rule_page(rule))
        elif code in CODES:
            pages.append(code_page(code))
        else:
            near = nearest(code, (*rules, *CODES)) or nearest(asked.lower(), rules)
            hint = f'; did you mean "{near}"?' if near else "; `toolc explain` lists the rules"
            raise UsageError(f'"{asked}" is no code and no rule{hint}')
    console.emit("\n".join(pages))
    return OK


def _with_own() -> tuple[Rule, ...]:
    """toolc's rules, and those of the project around the working folder, if they can be used."""
    from toolc import driver
    from toolc.configured import configure

    return configure(driver.open_project(os.getcwd(), None)).table


def _by_code_and_name(rules: Iterable[Rule]) -> dict[str, Rule]:
    return {key: rule for rule in rules for key in (rule.code, rule.name)}
