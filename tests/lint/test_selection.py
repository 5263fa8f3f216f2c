"""Which rules speak: selectors, and which of two wins."""

from __future__ import annotations

import pytest

from toolc.lint.selection import Selection, UnknownRule, select
from toolc.lint.table import BY_CODE, RULES


def codes(
    *,
    select_: list[str] | None = None,
    extend: list[str] | None = None,
    ignore: list[str] | None = None,
) -> set[str]:
    return {
        rule.code
        for rule in select(RULES, select=select_, extend=extend or (), ignore=ignore or ())
    }


def test_without_a_selector_the_default_set_speaks() -> None:
    assert codes() == {rule.code for rule in RULES if rule.set.value == "default"}


@pytest.mark.parametrize(
    ("given", "with_", "without"),
    [
        ({"select_": ["all"]}, {"D201", "D102", "D503", "X101"}, set()),
        ({"select_": ["D2"]}, {"D201", "D205"}, {"D101", "X101"}),
        ({"select_": ["no-description"]}, {"D201"}, {"D202"}),
        ({"select_": ["security"]}, {"X101"}, {"D201"}),
        ({"extend": ["checklist"]}, {"D201", "D102", "D503"}, {"D505"}),
        ({"extend": ["D505"]}, {"D201", "D505"}, {"D504"}),
        ({"ignore": ["D2"]}, {"D101"}, {"D201", "D202"}),
        ({"ignore": ["D2"], "extend": ["D201"]}, {"D201"}, {"D202"}),
        ({"select_": ["D201"], "ignore": ["D201"]}, set(), {"D201"}),
        ({"select_": ["D2"], "ignore": ["all"]}, {"D201"}, {"D101"}),
        ({"select_": ["D5"]}, {"D501", "D503"}, {"D505"}),
    ],
)
def test_the_more_exact_selector_wins(
    given: dict[str, list[str]], with_: set[str], without: set[str]
) -> None:
    chosen = codes(**given)
    assert with_ <= chosen
    assert not without & chosen


@pytest.mark.parametrize("selector", ["D999", "nothing", "", "d201"])
def test_a_selector_means_something(selector: str) -> None:
    with pytest.raises(UnknownRule):
        codes(select_=[selector])


def test_rules_are_not_told_of_some_files() -> None:
    rule = BY_CODE["D201"]
    selection = Selection((rule,), per_file=(("tooldefs/old/*", frozenset({"D201"})),))
    assert selection.is_told(rule, "tooldefs/new.toml")
    assert not selection.is_told(rule, "tooldefs/old/deep/one.toml")
