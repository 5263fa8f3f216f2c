"""Suppressions for all that is found: afterwards nothing is, and the tools are what they were."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.written import Written, definitions, json_definitions

from toolc.lint.adopt import add_ignores
from toolc.lint.fixes import Outcome, Sources, fix_all
from toolc.lint.project import Workshop
from toolc.lint.selection import Selection
from toolc.lint.suppressions import UNUSED, without_suppressed
from toolc.lint.table import RULES
from toolc.loader import load
from toolc.model.diagnostic import Diagnostic, Severity
from toolc.model.document import Site, SourceFile, Span
from toolc.model.project import Project
from toolc.pipeline import compile_project, nothing_beside

from .test_rules import sources

PLAIN = Project()

WORKSHOP = Workshop(PLAIN, Selection(RULES), nothing_beside)


def adopt(texts: Mapping[str, str], codes: tuple[str, ...]) -> tuple[dict[str, str], Outcome]:
    selection = Selection(tuple(rule for rule in RULES if rule.code in (*codes, "D001")))
    workshop = Workshop(PLAIN, selection, nothing_beside)
    files = {path: SourceFile(path, text) for path, text in texts.items()}
    outcome = add_ignores(files, workshop.look, workshop.is_right)
    return {path: source.text for path, source in outcome.sources.items()}, outcome


def tools(texts: Mapping[str, str]) -> list[object]:
    return [
        (tool.to_wire(), tool.facts._replace(examples=()))
        for tool in compile_project(texts, PLAIN).tools
    ]


CASES: dict[str, tuple[tuple[str, ...], str, str, str]] = {
    "above a value": (
        ("D204",),
        "a.toml",
        '# About\ndescription = "Find notes"  # why\n',
        '# About\n# toolc: ignore[D204]\ndescription = "Find notes"  # why\n',
    ),
    "two on one line": (
        ("D202", "D204"),
        "find_notes.toml",
        'description = "Find notes"\r\n',
        '# toolc: ignore[D202, D204]\r\ndescription = "Find notes"\r\n',
    ),
    "where there is one already": (
        ("D202", "D204"),
        "find_notes.yaml",
        "description: Find notes # toolc: ignore[D202] so be it\n",
        "description: Find notes # toolc: ignore[D202, D204] so be it\n",
    ),
    "where there is one above": (
        ("D202", "D204"),
        "find_notes.yaml",
        "# toolc: ignore[D202] so be it\n\ndescription: Find notes\n",
        "# toolc: ignore[D202, D204] so be it\n\ndescription: Find notes\n",
    ),
    "before a block": (
        ("D203",),
        "a.yaml",
        "parameters:\n  - name: n\n    type: int\n    description: |\n      TODO: say it\n",
        "parameters:\n  - name: n\n    type: int\n    # toolc: ignore[D203]\n    description: |\n"
        "      TODO: say it\n",
    ),
    "between a key and its text": (
        ("D203",),
        "a.yaml",
        "description:\n  TODO it goes\n  on\n",
        "description:\n  # toolc: ignore[D203]\n  TODO it goes\n  on\n",
    ),
    "behind a text that ends on the line": (
        ("D203",),
        "a.toml",
        'description = "Find a note"\nparameters = [ { name = "a", type = "string", description = """\n'
        'a""" }, { name = "b", type = "string", description = "TODO" } ]\n',
        'description = "Find a note"\nparameters = [ { name = "a", type = "string", description = """\n'
        'a""" }, { name = "b", type = "string", description = "TODO" } ]  # toolc: ignore[D203]\n',
    ),
    "at the name of a parameter": (
        ("D301",),
        "a.toml",
        '  [[parameters]]\n  name = "n"\n  type = "int"',
        '  [[parameters]]\n  # toolc: ignore[D301]\n  name = "n"\n  type = "int"',
    ),
    "what a build warns of": (
        ("D204",),
        "a.toml",
        "[[parameters]]\nname = 'n'\ntype = 'int'\nrequired = true\ndefault = 1\n",
        "[[parameters]]\nname = 'n'\ntype = 'int'\nrequired = true\n# toolc: ignore[M209]\ndefault = 1\n",
    ),
    "JSON": (
        ("D204",),
        "a.json",
        '{\n  "description": "Find notes"\n}\n',
        '{\n  "x-toolc-ignore": ["D204"],\n  "description": "Find notes"\n}\n',
    ),
    "JSON, in a parameter": (
        ("D203",),
        "a.json",
        '{"parameters": [{"name": "n", "type": "int", "description": "TODO"}]}',
        '{"parameters": [{"name": "n", "x-toolc-ignore": ["D203"], "type": "int", "description": "TODO"}]}',
    ),
    "JSON, not in a schema": (
        ("D308",),
        "a.json",
        '{"title": "A", "inputSchema": {"type": "object", "properties": {"n": {"type": "string", '
        '"enum": ["on", "off"]}}}}',
        '{"x-toolc-ignore": ["D308"], "title": "A", "inputSchema": {"type": "object", "properties": '
        '{"n": {"type": "string", "enum": ["on", "off"]}}}}',
    ),
    "JSON, here and there": (
        ("D203", "D301", "D308"),
        "a.json",
        '{"parameters": [{"name": "n", "type": "int"}, {"name": "m", "type": "int", "title": "TODO", '
        '"description": "TODO"}], "annotations": {"title": "TODO"}}',
        '{"x-toolc-ignore": ["D203"], "parameters": [{"name": "n", "x-toolc-ignore": ["D301"], '
        '"type": "int"}, {"name": "m", "x-toolc-ignore": ["D203"], "type": "int", "title": "TODO", '
        '"description": "TODO"}], "annotations": {"title": "TODO"}}',
    ),
    "JSON, with others": (
        ("D202", "D204"),
        "find_notes.json",
        '{"x-toolc-ignore": ["D202"], "description": "Find notes"}',
        '{"x-toolc-ignore": ["D202", "D204"], "description": "Find notes"}',
    ),
    "JSON, with reasons": (
        ("D202", "D204"),
        "find_notes.json",
        '{"x-toolc-ignore": {"D202": "so be it"}, "description": "Find notes"}',
        '{"x-toolc-ignore": {"D204": "", "D202": "so be it"}, "description": "Find notes"}',
    ),
}
"""The codes of rules that speak, a path, the text before and after."""


@pytest.mark.parametrize("name", CASES)
def test_a_suppression(name: str) -> None:
    codes, path, before, after = CASES[name]
    texts, outcome = adopt({path: before}, codes)
    assert texts == {path: after}
    assert outcome.left == outcome.refused == ()
    assert tools(texts) == tools({path: before})


@pytest.mark.parametrize(
    "rule",
    [rule for rule in RULES if "# toolc.toml" not in rule.wrong and rule is not UNUSED],
    ids=lambda rule: rule.code,
)
def test_nothing_is_left_of_a_wrong_example(rule: object) -> None:
    before = sources(rule.wrong)  # type: ignore[attr-defined]
    everything = tuple(other.code for other in RULES)
    texts, outcome = adopt(before, everything)
    assert outcome.made
    assert outcome.left == outcome.refused == ()
    assert tools(texts) == tools(before)


def test_a_shared_file() -> None:
    before = {
        "_shared.yaml": "types:\n  Id: {type: string, max_length: 9}\n",
        "a.toml": 'description = "Find a note"\n[[parameters]]\nname = "n"\ntype = "Id"\n',
    }
    texts, outcome = adopt(before, ("D204",))
    assert outcome.left == ()
    assert texts["_shared.yaml"] == (
        "types:\n  # toolc: ignore[M103]\n  Id: {type: string, max_length: 9}\n"
    )
    assert texts["a.toml"] == before["a.toml"]


def test_errors_are_not_ignored() -> None:
    before = {"a.toml": 'description = "Find notes"\nkind = "none"\n'}
    texts, outcome = adopt(before, ("D204",))
    assert texts == before
    assert {one.code for one in outcome.left} == {"M111"}


def finding(path: str, span: Span, code: str) -> Diagnostic:
    return Diagnostic(code, Severity.NOTE, code, Site(path, span))


@given(written=definitions(), data=st.data())
def test_there_and_back(written: Written, data: st.DataObject) -> None:
    """Suppressions at any values of a file hold, change no value, and leave no trace when they are
    taken away as unused."""
    document = written.document()
    names = data.draw(st.lists(st.sampled_from(written.rows), min_size=1))
    codes = data.draw(st.lists(st.sampled_from(["D201", "X104", "D999"]), min_size=1, unique=True))
    there_and_back(
        SourceFile(written.path, written.text),
        lambda now: [(row.key,) for row in names if now.has((row.key,))],
        codes,
        document.value,
    )


@given(json_definitions(), st.data())
def test_there_and_back_in_json(definition: tuple[object, str], data: st.DataObject) -> None:
    value, text = definition
    assert isinstance(value, dict)
    name = data.draw(st.sampled_from([*value]))
    there_and_back(SourceFile("tool.json", text), lambda _: [(name,)], ["D201"], None)


def there_and_back(source: SourceFile, places: object, codes: list[str], value: object) -> None:
    asked = frozenset({"D001", "D201", "X104", "D999"})
    is_found = True

    def look(texts: Sources) -> tuple[Diagnostic, ...]:
        document, _ = load(texts[source.path])
        assert document is not None
        found = []
        if is_found:
            for pointer in places(document):  # type: ignore[operator]
                site = document.site(pointer)
                assert site is not None
                assert site.span is not None
                found += [finding(source.path, site.span, code) for code in codes]
        return without_suppressed(found, [document], asked)

    def is_right(_sources: Sources, _after: SourceFile, _found: Diagnostic) -> bool:
        return True

    outcome = add_ignores({source.path: source}, look, is_right)
    assert outcome.left == outcome.refused == ()
    if value is not None:
        document, _ = load(outcome.sources[source.path])
        assert document is not None
        assert document.value == value
    is_found = False
    back = fix_all(outcome.sources, look, is_right)
    assert back.left == back.refused == ()
    assert back.sources[source.path].text == source.text
