"""`toolc explain`: what a code means, why it matters, and how to mend it."""

from __future__ import annotations

from types import SimpleNamespace

from toolc.builder.words import nearest
from toolc.cli import UsageError
from toolc.cli.console import Console
from toolc.cli.main import OK
from toolc.cli.options import COLOR, FORMAT, QUIET, Option

OPTIONS = (
    Option(("codes",), "codes or names of rules; without one, all rules", "CODE", number="*"),
    FORMAT,
    COLOR,
    QUIET,
)


def run(options: SimpleNamespace) -> int:
    from toolc.lint.explain import code_page, rule_line, rule_page
    from toolc.lint.table import BY_CODE, BY_NAME, RULES
    from toolc.model.codes import CODES

    console = Console(options)
    if not options.codes:
        console.emit("".join(f"{rule_line(rule)}\n" for rule in RULES))
        return OK
    pages = []
    for asked in options.codes:
        code = asked.upper()
        if (rule := BY_CODE.get(code) or BY_NAME.get(asked.lower())) is not None:
            pages.append(rule_page(rule))
        elif code in CODES:
            pages.append(code_page(code))
        else:
            near = nearest(code, (*BY_CODE, *CODES)) or nearest(asked.lower(), BY_NAME)
            hint = f"; did you mean {near!r}?" if near else "; `toolc explain` lists the rules"
            raise UsageError(f"{asked!r} is no code and no rule{hint}")
    console.emit("\n".join(pages))
    return OK
