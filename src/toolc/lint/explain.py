"""A rule in words: for the terminal, and for its page of the documentation."""

from __future__ import annotations

from collections.abc import Iterator

from toolc.lint.rule import Kind, Rule, Set
from toolc.model.codes import CODES, Basis
from toolc.model.diagnostic import Severity

_KINDS = {
    Kind.DESIGN: "a matter of design; the specification allows it",
    Kind.CLIENT: "what some clients do; the specification allows it",
    Kind.SECURITY: "a danger for whoever uses the tool",
}

_SETS = {
    Set.DEFAULT: "It speaks unless it is ignored.",
    Set.CHECKLIST: "It speaks with `--select checklist`.",
    Set.OPTIONAL: "It speaks only when it is selected by its code or its name.",
}

_BASES = {
    Basis.NOTATION: "the notation itself",
    Basis.FORMAT: "the format of definitions",
    Basis.SPECIFICATION: "the specification of MCP, or JSON Schema",
    Basis.CLIENT: "what some clients do; the specification allows it",
    Basis.POLICY: "toolc's own policy; the specification allows it",
    Basis.PROJECT: "the project file, templates and generated files",
}


def rule_page(rule: Rule) -> str:
    """A rule's page, in Markdown."""
    return "\n".join(_page_lines(rule)) + "\n"


def _page_lines(rule: Rule) -> Iterator[str]:
    yield f"# {rule.code} {rule.name}"
    yield ""
    yield f"{_capital(rule.title)}: {_level(rule.severity)}, {_KINDS[rule.kind]}."
    yield ""
    yield rule.why
    yield ""
    yield "## Wrong"
    yield ""
    yield from _example(rule.wrong)
    yield "## Right"
    yield ""
    yield from _example(rule.right)
    yield "## Configuration"
    yield ""
    yield _SETS[rule.set] + (f" {rule.configure}" if rule.configure else "")


_LONGEST_LINE = 200
"""Characters of a line of an example; what is too long is shown by its beginning."""


def _example(text: str) -> Iterator[str]:
    yield "```toml"
    for line in text.rstrip("\n").split("\n"):
        yield line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE].rstrip()} …"
    yield "```"
    yield ""


def code_page(code: str) -> str:
    """What is said of one of the compiler's own codes; KeyError for another one."""
    row = CODES[code]
    kept = (
        ""
        if row.severity is Severity.ERROR
        else "; where it stands, a suppression has `toolc lint` say nothing of it"
    )
    return (
        f"# {row.code}\n\n{_capital(row.title)}: {_level(row.severity)}.\n\n"
        f"It speaks for {_BASES[row.basis]}. `toolc build` and `toolc check` say it too; it cannot be "
        f"selected or ignored{kept}.\n"
    )


def rule_line(rule: Rule) -> str:
    """A rule in a list of them."""
    mark = "" if rule.set is Set.DEFAULT else f" ({rule.set.value})"
    return f"{rule.code}  {rule.name:<28} {rule.title}{mark}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _level(severity: Severity) -> str:
    return {"error": "an error", "warning": "a warning", "note": "a note"}[severity.name.lower()]
