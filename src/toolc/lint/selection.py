"""Which rules speak, where, and how gravely."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from toolc.lint.clients.profile import NO_CLIENTS, Clients
from toolc.lint.rule import Found, Kind, Rule, Set
from toolc.model.diagnostic import Severity
from toolc_runtime.light import NamedTuple

ALL = "all"


class UnknownRule(ValueError):  # noqa: N818
    """A selector that means no rule."""


class Selection(NamedTuple):
    """The rules that a run asks for, and what is said of them otherwise."""

    rules: tuple[Rule, ...]
    levels: Mapping[str, Severity] = {}
    """By code, where a project weighs a rule otherwise."""
    per_file: tuple[tuple[str, frozenset[str]], ...] = ()
    """Patterns of paths, and the codes that are not told of files that match."""
    clients: Clients = NO_CLIENTS
    """The clients that the rules on clients speak for: of none they have nothing to say."""
    digest: str = ""
    """Of rules that are not toolc's own, and of what a project extends."""

    @property
    def codes(self) -> frozenset[str]:
        """Those of the rules of which it is known what they find; what clients take depends on the
        clients that a run asks for."""
        return frozenset(rule.code for rule in self.rules if rule.kind is not Kind.CLIENT)

    def severity(self, rule: Rule, found: Found) -> Severity:
        return self.levels.get(rule.code) or found.severity or rule.severity

    def looking(self) -> tuple[Rule, ...]:
        """Those of the rules that look at one tool by itself, and have something to say."""
        has_clients = bool(self.clients)
        return tuple(
            rule
            for rule in self.rules
            if rule.look is not None or (rule.look_for is not None and has_clients)
        )

    def is_told(self, rule: Rule, path: str) -> bool:
        """Whether the rule is told of a file; a pattern's `*` crosses folders."""
        return not self.per_file or not any(
            rule.code in codes and fnmatchcase(path, pattern) for pattern, codes in self.per_file
        )


def select(
    table: Iterable[Rule],
    *,
    select: Iterable[str] | None = None,
    extend: Iterable[str] = (),
    ignore: Iterable[str] = (),
    base: Iterable[Rule] | None = None,
) -> tuple[Rule, ...]:
    """The rules of `table` that speak: `select` and `extend` less `ignore`.

    A selector is a code (`D201`), the beginning of one (`D2`), a rule's name, a kind (`design`), a
    set (`default`, `checklist`) or `all`. Without `select` it is `default`, or the rules of `base`, of which
    every selector takes or leaves what it means. As in ruff, the more exact
    selector wins, and `ignore` where both are as exact. UnknownRule for a selector of nothing.
    """
    rows = tuple(table)
    first = select if select is not None else ("default",) if base is None else ()
    wanted = [(row, True) for row in (*first, *extend)]
    standing = {rule.code for rule in base or () if select is None}
    chosen: dict[str, tuple[int, bool]] = {}
    for selector, is_on in [*wanted, *((row, False) for row in ignore)]:
        for rule, weight in means(selector, rows):
            if (weight, not is_on) >= (chosen.get(rule.code, (-1, False))[0], False):
                chosen[rule.code] = weight, is_on
    return tuple(rule for rule in rows if chosen.get(rule.code, (0, rule.code in standing))[1])


def means(selector: str, table: Iterable[Rule]) -> Iterator[tuple[Rule, int]]:
    """The rules that a selector means, and how exact it is on them; UnknownRule where it is none."""
    rows = tuple(table)
    found = [(rule, weight) for rule in rows if (weight := _weight(selector, rule)) is not None]
    if not found and selector not in (ALL, *(kind.value for kind in Kind), *(s.value for s in Set)):
        raise UnknownRule(selector)
    return iter(found)


def _weight(selector: str, rule: Rule) -> int | None:
    """How exactly a selector means a rule; None where it does not."""
    if selector in (rule.code, rule.name):
        return 10
    if selector == ALL:
        return 0
    if selector in (rule.kind.value, rule.set.value):
        return 1
    # A prefix of codes selects what is quiet by itself only where that is named whole.
    if selector and rule.code.startswith(selector) and rule.set is not Set.OPTIONAL:
        return 1 + len(selector)
    return None
