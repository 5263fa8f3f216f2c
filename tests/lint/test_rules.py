"""Each rule finds something in its wrong example and nothing in its right one, and can be told from
all others."""

from __future__ import annotations

import re

import pytest

from toolc.lint.rule import Rule
from toolc.lint.table import RULES

from .conftest import Lint

EACH = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)


def sources(example: str) -> dict[str, str]:
    """An example's files: `# path` on a line of its own begins another; without one it is
    `tooldefs/example.toml`."""
    files: dict[str, str] = {}
    path = "tooldefs/example.toml"
    for line in example.splitlines(keepends=True):
        if (named := re.fullmatch(r"# (\S+\.(?:toml|yaml|json))\n", line)) is not None:
            path = named[1]
        else:
            files[path] = files.get(path, "") + line
    return files


@EACH
def test_the_wrong_example(rule: Rule, lint_sources: Lint) -> None:
    found = [one for one in lint_sources(sources(rule.wrong)) if one.code == rule.code]
    assert found
    assert all(one.site is not None and one.site.span is not None for one in found)


@EACH
def test_the_right_example(rule: Rule, lint_sources: Lint) -> None:
    assert [one for one in lint_sources(sources(rule.right)) if one.code == rule.code] == []


def test_a_rule_alone_says_nothing_else(lint_sources: Lint) -> None:
    for rule in RULES:
        assert {one.code for one in lint_sources(sources(rule.wrong), [rule])} <= {rule.code}


def test_codes_and_names_are_unique_and_in_order() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert len({rule.name for rule in RULES}) == len(RULES)
