"""What a project asks of the linter: `[lint]` of the project file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from toolc.lint.rule import Rule
from toolc.lint.selection import UnknownRule, means
from toolc.lint.table import RULES
from toolc.model.diagnostic import Severity
from toolc.model.document import JsonObject, JsonValue, Pointer
from toolc.model.findings import Findings
from toolc_runtime.light import NamedTuple

LEVELS = {"error": Severity.ERROR, "warning": Severity.WARNING, "note": Severity.NOTE}


class Kind(Enum):
    """What a setting holds."""

    SELECTORS = "selectors"
    SELECTORS_OF_FILES = "selectors of files"
    LEVELS = "levels"
    CLIENTS = "clients"
    RULES = "rules"
    FILE = "file"


class Setting(NamedTuple):
    """One key of `[lint]`."""

    field: str
    """Its name in `LintSettings`. Empty where it is read before the others, as it says what there is to
    select."""
    kind: Kind
    meaning: str
    option: str = ""
    """The option of `toolc lint` that says the same."""


SETTINGS: Mapping[str, Setting] = {
    "select": Setting("select", Kind.SELECTORS, "the rules that speak, in the place of `default`", "--select"),
    "extendSelect": Setting("extend_select", Kind.SELECTORS, "further ones", "--extend-select"),
    "ignore": Setting("ignore", Kind.SELECTORS, "those that do not", "--ignore"),
    "perFile": Setting("per_file", Kind.SELECTORS_OF_FILES, "those that do not in some files: patterns of paths, `*` crosses folders"),
    "levels": Setting("levels", Kind.LEVELS, "how grave a rule is: `error`, `warning`, `note`"),
    "clients": Setting("clients", Kind.CLIENTS, "the [clients](clients.md) that rules on clients speak for", "--client"),
    "rules": Setting("", Kind.RULES, "[rules of your own](#rules-of-your-own)"),
    "extend": Setting("", Kind.FILE, "[settings shared with others](#sharing-settings)"),
}  # fmt: skip
"""Every key of `[lint]`; the reader, the schema for editors and `docs/linting.md` go by it."""


class LintSettings(NamedTuple):
    """`[lint]`, checked."""

    select: tuple[str, ...] | None = None
    """None where the project does not say, which means `default`."""
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    levels: Mapping[str, Severity] = {}
    """Code to severity."""
    per_file: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Pattern of paths to selectors that are not told there."""
    clients: tuple[str, ...] = ()
    """Names of clients, and paths of profiles."""


def read_settings(
    raw: JsonObject, pointer: Pointer, findings: Findings, table: Sequence[Rule] = RULES
) -> LintSettings:
    """The settings; what is wrong with them is reported at `pointer`, and left out. `table` has the
    rules that selectors can mean."""
    reader = _Reader(pointer, findings, table)
    values: dict[str, object] = {}
    for name, value in raw.items():
        row = SETTINGS.get(name)
        if row is None:
            hint = "the settings are " + ", ".join(SETTINGS)
            findings.add("P602", f'unknown setting "{name}"', (*pointer, name), key=True, hint=hint)
        elif row.field:
            values[row.field] = _READERS[row.kind](reader, name, value)
    return LintSettings(**values)  # type: ignore[arg-type]


class _Reader:
    def __init__(self, pointer: Pointer, findings: Findings, table: Sequence[Rule]) -> None:
        self._pointer = pointer
        self._findings = findings
        self._rules = table

    def clients(self, name: str, value: JsonValue) -> tuple[str, ...]:
        """A list of clients' names, and of paths of profiles."""
        return tuple(
            text
            for at, text in enumerate(self._texts((name,), value))
            if self._is_client((name, at), text)
        )

    def selectors(self, name: str, value: JsonValue) -> tuple[str, ...]:
        """A list of selectors, all of which mean a rule."""
        return self._selectors((name,), value)

    def levels(self, name: str, value: JsonValue) -> dict[str, Severity]:
        """A table: selector to `error`, `warning` or `note`."""
        levels: dict[str, Severity] = {}
        for selector, level in self._table((name,), value).items():
            place = (name, selector)
            if not isinstance(level, str) or level not in LEVELS:
                self._wrong(place, '"levels" are "error", "warning" and "note"')
            else:
                levels.update(dict.fromkeys(self._codes(place, selector), LEVELS[level]))
        return levels

    def per_file(self, name: str, value: JsonValue) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """A table: pattern of paths to a list of selectors."""
        rows = self._table((name,), value).items()
        return tuple((pattern, self._selectors((name, pattern), said)) for pattern, said in rows)

    def _selectors(self, place: Pointer, value: JsonValue) -> tuple[str, ...]:
        return tuple(
            text
            for at, text in enumerate(self._texts(place, value))
            if self._codes((*place, at), text)
        )

    def _codes(self, place: Pointer, selector: str) -> list[str]:
        try:
            return [rule.code for rule, _ in means(selector, self._rules)]
        except UnknownRule:
            hint = "`toolc explain` lists the rules"
            self._wrong(place, f'"{selector}" means no rule', hint)
            return []

    def _is_client(self, place: Pointer, name: str) -> bool:
        from toolc.lint.clients.reader import ALL, UnknownClient, built_in, is_path

        try:
            if name != ALL and not is_path(name):
                built_in(name)
        except UnknownClient as error:
            self._wrong(place, str(error))
            return False
        return True

    def _texts(self, place: Pointer, value: JsonValue) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(row, str) for row in value):
            self._wrong(place, f'"{place[0]}" takes a list of texts')
            return ()
        return tuple(str(row) for row in value)

    def _table(self, place: Pointer, value: JsonValue) -> JsonObject:
        if not isinstance(value, dict):
            self._wrong(place, f'"{place[0]}" must be a table')
            return {}
        return value

    def _wrong(self, place: Pointer, message: str, hint: str = "") -> None:
        self._findings.add("P603", message, (*self._pointer, *place), hint=hint)


_READERS: Mapping[Kind, Callable[[_Reader, str, JsonValue], object]] = {
    Kind.SELECTORS: _Reader.selectors,
    Kind.SELECTORS_OF_FILES: _Reader.per_file,
    Kind.LEVELS: _Reader.levels,
    Kind.CLIENTS: _Reader.clients,
}


def rules_of(settings: LintSettings) -> tuple[Rule, ...]:
    """The rules that a project's settings select."""
    from toolc.lint.selection import select

    return select(
        RULES, select=settings.select, extend=settings.extend_select, ignore=settings.ignore
    )
