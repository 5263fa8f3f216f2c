"""The tables in these pages that come from the code: `python docs/tables.py` writes them anew.

A page holds a table between two markers, and what follows the marker's colon says which:

    <!-- table: keys tool -->
    ...
    <!-- /table -->
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from toolc.builder.keys import KEYS, RESERVED, Key, Kind, Level
from toolc.builder.settings import SETTINGS, Setting
from toolc.cli.clients import lost
from toolc.cli.main import COMMANDS
from toolc.lint.clients.kinds import KINDS
from toolc.lint.clients.kinds import Kind as LimitKind
from toolc.lint.clients.reader import built_in, built_in_names
from toolc.lint.clients.rules import RULES as CLIENT_RULES
from toolc.lint.explain import rule_page
from toolc.lint.rule import Kind as RuleKind
from toolc.lint.settings import SETTINGS as LINT_SETTINGS
from toolc.lint.table import RULES
from toolc.model.codes import CODES, Basis
from toolc_runtime.formats import ASSERTED

DOCS = Path(__file__).resolve().parent

_MARKED = re.compile(r"(?<=<!-- table: )([^\n]*?)( -->\n)(.*?)(?=<!-- /table -->)", re.DOTALL)

_BASES = {
    Basis.NOTATION: "the notation",
    Basis.FORMAT: "the format",
    Basis.SPECIFICATION: "the specification",
    Basis.CLIENT: "some clients",
    Basis.POLICY: "toolc's policy",
    Basis.PROJECT: "the project",
}
"""Whose rule a code speaks for, in words."""

_KINDS = {
    "choice": "one of",
    "string": "a string",
    "path": "a path inside the project",
    "paths": "a list of paths inside the project",
    "package": "a dotted name",
    "class": "`module:Class`",
    "boolean": "`true` or `false`",
    "table": "a table",
    "tables": "a list of tables",
}
"""What a setting takes, in words."""

_FORMS = {
    "text": "a text",
    "texts": "a list",
    "count": "a number",
    "pattern": "a regular expression",
}
"""What a value of a profile's row is, in words."""


def keys_table(level: Level) -> str:
    """The keys of one of the format's tables; JSON Schema's keywords have a table of their own."""
    keys = [key for key in KEYS if key.level is level and not key.keyword]
    # Where only some of the keys are the reference's too, a column says which.
    mixed = len({key.core for key in keys}) > 1
    rows = [
        (
            f"`{key.name}`",
            _value(key),
            _code(key.default),
            *(["yes" if key.core else ""] * mixed),
            key.meaning,
        )
        for key in keys
    ]
    return _table(("key", "value", "without it", *(["core"] * mixed), "meaning"), rows)


def keywords_table() -> str:
    """JSON Schema's keywords that a parameter takes, and the types that they are for."""
    rows = [
        (f"`{key.name}`", _value(key), key.applies or "any", key.meaning)
        for key in KEYS
        if key.keyword
    ]
    return _table(("keyword", "value", "on a type", "meaning"), rows)


def _value(key: Key) -> str:
    choices = ", ".join(f"`{choice}`" for choice in key.choices)
    if not choices:
        return key.kind.value
    return f"a list of {choices}" if key.kind is Kind.STRINGS else f"one of {choices}"


def settings_table(table: str) -> str:
    """The settings at the root of the project file, or in one of its tables."""
    rows = [
        (f"`{setting.name}`", _setting_value(setting), _code(setting.default), setting.meaning)
        for setting in SETTINGS
        if setting.table == table
    ]
    return _table(("setting", "value", "default", "meaning"), rows)


def lint_settings_table() -> str:
    """The keys of `[lint]`, and the options that say the same."""
    rows = [
        (f"`{name}`", f"`{setting.option}`" if setting.option else "", setting.meaning)
        for name, setting in LINT_SETTINGS.items()
    ]
    return _table(("in the project file", "on the command line", ""), rows)


def _setting_value(setting: Setting) -> str:
    choices = ", ".join(f"`{choice}`" for choice in setting.choices)
    return f"{_KINDS[setting.kind]} {choices}".strip()


def _code(default: str) -> str:
    """A default as code where it is a value of TOML; otherwise it is words."""
    return f"`{default}`" if default[:1] in ('"', "[") or default in ("true", "false") else default


def codes_table(family: str) -> str:
    """The codes that begin with one letter."""
    rows = [
        (f"`{row.code}`", row.severity.name.lower(), _BASES[row.basis], row.title)
        for row in CODES.values()
        if row.code.startswith(family)
    ]
    return _table(("code", "severity", "whose rule", "what it is about"), rows)


def formats_table() -> str:
    rows = [(f"`{name}`", row.expected) for name, row in ASSERTED.items()]
    return _table(("format", "a value of it is"), rows)


def reserved_table() -> str:
    return _table(("key",), [(f"`{name}`",) for name in sorted(RESERVED)])


def rules_table(kind: RuleKind) -> str:
    """The rules of one kind, each with a link to its page."""
    rows = [
        (f"[`{rule.code}`](rules/{rule.code}.md)", f"`{rule.name}`", rule.title, rule.set.value)
        for rule in RULES
        if rule.kind is kind
    ]
    return _table(("code", "name", "what it finds", "set"), rows)


def commands_table() -> str:
    rows = [(f"`toolc {name}`", summary) for name, summary in COMMANDS.items()]
    return _table(("command", "what it does"), rows)


def clients_table() -> str:
    """The clients that toolc has a profile of."""
    profiles = map(built_in, built_in_names())
    rows = [(f"`{profile.name}`", profile.title, profile.about) for profile in profiles]
    return _table(("client", "what it is", "what to know"), rows)


def limits_table() -> str:
    """What each of them does not take; what it took over from another profile stands there."""
    rows = []
    for profile in map(built_in, built_in_names()):
        others = {id(limit) for other in profile.extends for limit in built_in(other).limits}
        rows += [
            (
                f"`{profile.name}`",
                ", ".join(KINDS[limit.kind].words(limit.values)),
                lost(limit),
                limit.certainty.value,
                f"[{limit.date}]({limit.source})",
            )
            for limit in profile.limits
            if id(limit) not in others
        ]
        rows += [
            (f"`{profile.name}`", f"all that `{other}` does not take", "", "", "")
            for other in profile.extends
        ]
    return _table(("client", "does not take", "what is lost", "sure", "source"), rows)


def kinds_table() -> str:
    """What a row of a profile may limit."""
    rows = [
        (f"`{name}`", _fields(KINDS[name]), f"[{rule.code}](rules/{rule.code}.md)", rule.title)
        for name, rule in zip(KINDS, CLIENT_RULES, strict=True)
    ]
    return _table(("`kind`", "its values", "code", "what is found"), rows)


def _fields(kind: LimitKind) -> str:
    shown = []
    for field in kind.fields:
        choices = ", ".join(f"`{choice}`" for choice in field.choices)
        if field.form == "text" and choices:
            form = choices
        else:
            form = _FORMS[field.form] + (f" of {choices}" if choices else "")
        shown.append(f"`{field.name}`, {form}" + ("" if field.is_required else "; optional"))
    return "<br>".join(shown)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join(
        "| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |\n" for line in lines
    )


TABLES: Mapping[str, Callable[[], str]] = {
    **{f"keys {level.value}": partial(keys_table, level) for level in Level},
    "keywords": keywords_table,
    "reserved": reserved_table,
    "formats": formats_table,
    "settings": partial(settings_table, ""),
    "settings python": partial(settings_table, "python"),
    "settings server": partial(settings_table, "server"),
    **{f"codes {family}": partial(codes_table, family) for family in "LMSRPG"},
    "commands": commands_table,
    "lint settings": lint_settings_table,
    "clients": clients_table,
    "limits": limits_table,
    "kinds of limit": kinds_table,
    **{
        f"rules {kind.value}": partial(rules_table, kind)
        for kind in (RuleKind.DESIGN, RuleKind.SECURITY)
    },
}
"""The words behind `table:` in a marker -> the table."""


def render(text: str) -> str:
    """A page with its marked tables as the code has them now. KeyError for an unknown table."""
    return _MARKED.sub(lambda found: f"{found[1]}{found[2]}{TABLES[found[1]]()}", text)


def pages() -> dict[Path, str]:
    """Every page that is made of the code, whole or in part, as it should be."""
    made = {DOCS / "rules" / f"{rule.code}.md": rule_page(rule) for rule in RULES}
    return {page: render(_read(page)) for page in sorted(DOCS.glob("*.md"))} | made


def stale_pages() -> list[Path]:
    """The pages that are not what the code says, and those of rules that are no more."""
    wanted = pages()
    stale = [page for page, text in wanted.items() if not page.exists() or _read(page) != text]
    return [*stale, *(page for page in sorted(DOCS.glob("rules/*.md")) if page not in wanted)]


def _read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def main() -> None:
    wanted = pages()
    (DOCS / "rules").mkdir(exist_ok=True)
    for page in stale_pages():
        if page in wanted:
            page.write_text(wanted[page], encoding="utf-8", newline="\n")
        else:
            page.unlink()


if __name__ == "__main__":
    main()
