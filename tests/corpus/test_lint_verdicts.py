"""What the linter says of the tools of 173 real servers, and whether it is right.

`lint-verdicts.tsv` has a verdict on each finding on the specification, the format and security, and on
200 of all findings, drawn at random. A verdict is `right` or `wrong`; it is `gone` once a rule has been
changed so that the finding is no more, and then the reason is the cause.
"""

from __future__ import annotations

import csv
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest

from toolc.lint.engine import lint
from toolc.lint.selection import Selection, select
from toolc.lint.table import BY_CODE, RULES
from toolc.lint.written import listed
from toolc.loader import load
from toolc.model.codes import CODES
from toolc.model.document import Pointer, SourceFile
from toolc.model.project import Project

TOOLS = 5637
DRAWN, SEED = 200, 5637
SHARE_RIGHT = 0.95
MOST_PER_TOOL = 1.0
ALL_JUDGED = ("specification", "format", "security")
"""The kinds of which each finding has a verdict."""


class Finding(NamedTuple):
    server: str
    tool: str
    code: str
    pointer: str
    """The way into the Tool object, its parts joined by `/`."""


class Verdict(NamedTuple):
    finding: Finding
    is_drawn: bool
    verdict: str
    reason: str


def kind_of(code: str) -> str:
    return BY_CODE[code].kind.value if code in BY_CODE else CODES[code].basis.value


def corpus_findings(folder: Path) -> Iterator[Finding]:
    """All that the default set and the specification find, server by server."""
    selection = Selection(select(RULES))
    for path in sorted(folder.glob("*.json")):
        document, _ = load(SourceFile(path.name, path.read_text("utf-8")))
        assert document is not None, path.name
        read = listed(document, Project())
        for one in [*read.diagnostics, *lint(read.tools, selection, read.project)]:
            yield Finding(path.stem, one.tool, one.code, in_tool(one.pointer or ()))


def draw(found: Iterable[Finding]) -> list[Finding]:
    """How the findings to be judged are drawn; another draw once the rules find something else."""
    return sorted(random.Random(SEED).sample(sorted(set(found)), DRAWN))


def in_tool(pointer: Pointer) -> str:
    """The way into the Tool object; a build's begins at the document."""
    return "/".join(map(str, pointer[2:] if pointer[:1] == ("tools",) else pointer))


def verdicts() -> list[Verdict]:
    text = Path(__file__).with_name("lint-verdicts.tsv").read_text("utf-8")
    rows = csv.reader(text.splitlines()[1:], delimiter="\t", quoting=csv.QUOTE_NONE)
    return [Verdict(Finding(*row[:4]), row[4] == "drawn", *row[5:]) for row in rows]


@pytest.fixture(scope="module")
def found() -> frozenset[Finding]:
    folder = Path(__file__).resolve().parents[3] / "shared/corpus"
    if not folder.exists():
        pytest.skip("the third-party data in ../shared/corpus is not here")
    return frozenset(corpus_findings(folder))


def test_a_tool_has_few_findings(found: frozenset[Finding]) -> None:
    assert 0 < len(found) / TOOLS <= MOST_PER_TOOL


def test_every_verdict_says_why() -> None:
    rows = verdicts()
    assert {row.verdict for row in rows} <= {"right", "wrong", "gone"}
    assert all(row.reason for row in rows)
    assert len({row.finding for row in rows}) == len(rows)


def test_most_of_the_drawn_are_right() -> None:
    counts = Counter(row.verdict for row in verdicts() if row.is_drawn)
    assert counts.total() == DRAWN
    assert counts["right"] >= SHARE_RIGHT * (DRAWN - counts["gone"])


def test_what_was_judged_is_found_or_gone_for_a_cause(found: frozenset[Finding]) -> None:
    unlike = [row for row in verdicts() if (row.finding in found) is (row.verdict == "gone")]
    assert unlike == []


def test_all_of_the_grave_kinds_is_right(found: frozenset[Finding]) -> None:
    grave = {one for one in found if kind_of(one.code) in ALL_JUDGED}
    judged = {row.finding for row in verdicts() if row.verdict == "right"}
    assert grave - judged == set()


def test_another_validator_agrees_on_defaults(
    found: frozenset[Finding], shared: Callable[[str], Path]
) -> None:
    """It refuses each default that is said to be refused, and that of no parameter of other tools; of
    one tool not all need be told."""
    said: dict[tuple[str, str], list[str]] = {}
    for one in found:
        if one.code == "S406":
            said.setdefault(one[:2], []).append(one.pointer)
    for path in sorted(shared("corpus").glob("*.json")):
        for tool in json.loads(path.read_text("utf-8"))["tools"]:
            schema = tool["inputSchema"]
            pointers = said.get((path.stem, tool["name"]), [])
            assert all(is_refused(schema, at(tool, pointer)) for pointer in pointers)
            rows = [row for row in schema.get("properties", {}).values() if isinstance(row, dict)]
            if not pointers:
                assert not any(is_refused(schema, row) for row in rows), (path.stem, tool["name"])


def at(tool: dict[str, Any], pointer: str) -> Any:
    """The schema that has the default at `pointer`."""
    node: Any = tool
    for part in pointer.split("/")[:-1]:
        node = node[int(part)] if isinstance(node, list) else node[part]
    return node


def is_refused(schema: dict[str, Any], row: dict[str, Any]) -> bool:
    """Whether a row of a schema has a default that it refuses itself."""
    parts = {key: schema[key] for key in ("$defs", "definitions") if key in schema}
    return "default" in row and not jsonschema.Draft202012Validator(parts | row).is_valid(
        row["default"]
    )
