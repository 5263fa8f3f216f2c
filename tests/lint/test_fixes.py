"""Fixes: what they change in the author's file, that it is all they change, and what is left alone."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.written import Written, definitions

from toolc.lint.fixes import MOST_ROUNDS, Outcome, Sources, fix_all
from toolc.lint.project import Workshop
from toolc.lint.selection import Selection
from toolc.lint.table import RULES
from toolc.loader import load
from toolc.model.diagnostic import Diagnostic, Severity
from toolc.model.document import Site, SourceFile, Span
from toolc.model.fix import Cut, Fix, Put, Remove, Rename, Step
from toolc.model.project import Project
from toolc.pipeline import compile_project, nothing_beside

from .test_rules import sources

PLAIN = Project()


def fix(
    texts: Mapping[str, str], codes: tuple[str, ...] = (), *, unsafe: bool = False
) -> tuple[dict[str, str], Outcome]:
    """The texts as fixes leave them, and the outcome; the rules of these codes speak."""
    workshop = Workshop(
        PLAIN,
        Selection(tuple(rule for rule in RULES if rule.code in (*codes, "D001"))),
        nothing_beside,
    )
    files = {path: SourceFile(path, text) for path, text in texts.items()}
    outcome = fix_all(files, workshop.look, workshop.is_right, unsafe=unsafe)
    return {path: source.text for path, source in outcome.sources.items()}, outcome


Case = tuple[str, str, str, str]
"""Code, path, the text before, the text after."""

SAFE: dict[str, Case] = {
    "a spelling, TOML": ("M103", "a.toml", "read_only = true # so\n", "readOnly = true # so\n"),
    "a spelling, YAML": (
        "M103",
        "a.yaml",
        "parameters:\n- name: n\n  'min-length': 1\n  type: string\n",
        "parameters:\n- name: n\n  'minLength': 1\n  type: string\n",
    ),
    "a spelling, JSON": ("M103", "a.json", '{"read-only" : true}', '{"readOnly" : true}'),
    "a spelling of MCP's": ("M103", "a.toml", "readOnlyHint = true\n", "readOnly = true\n"),
    "a spelling in a header": (
        "M103",
        "a.toml",
        '[input_schema]\ntype = "object"\n[input_schema.properties.n]\ntype = "string"\n',
        '[inputSchema]\ntype = "object"\n[inputSchema.properties.n]\ntype = "string"\n',
    ),
    "a spelling in one of several tools": (
        "M103",
        "a.toml",
        '[[tools]]\nname = "a"\n[[tools]]\nname = "b"\nopen_world = true\n',
        '[[tools]]\nname = "a"\n[[tools]]\nname = "b"\nopenWorld = true\n',
    ),
    "a spelling in a shared file": (
        "M103",
        "_shared.toml",
        '[types.Id]\ntype = "string"\nmax_length = 9\n',
        '[types.Id]\ntype = "string"\nmaxLength = 9\n',
    ),
    "hidden characters": (
        "X104",
        "a.toml",
        'description = "Find\u202e notes \\u200b"\n',
        'description = "Find notes "\n',
    ),
    "hidden characters, folded": (
        "X104",
        "a.yaml",
        "description: >\n  Find\u200b\n  no\u2060tes\n",
        "description: >\n  Find\n  notes\n",
    ),
    "hidden characters of a parameter": (
        "X104",
        "a.toml",
        "[[parameters]]\nname = 'n'\ntype = 'int'\ndescription = 'How\u200b many'\n",
        "[[parameters]]\nname = 'n'\ntype = 'int'\ndescription = 'How many'\n",
    ),
    "hidden characters of a member": (
        "X104",
        "a.yaml",
        "parameters:\n- name: n\n  type: array:object | null\n  properties:\n"
        "  - {name: m, type: int, description: How\u200b many}\n",
        "parameters:\n- name: n\n  type: array:object | null\n  properties:\n"
        "  - {name: m, type: int, description: How many}\n",
    ),
    "hidden characters of an answer": (
        "X104",
        "a.yaml",
        "title: A\u2062\noutput: [{name: m, type: int, description: How\u200b many}]\n",
        "title: A\noutput: [{name: m, type: int, description: How many}]\n",
    ),
    "an unused suppression": (
        "D202",
        "a.toml",
        'description = "Find notes" # toolc: ignore[D202] it is fine\n',
        'description = "Find notes"\n',
    ),
    "an unused suppression with its line": (
        "D202",
        "a.yaml",
        "# one\n  # toolc: ignore[D202]\n# two\ndescription: Find notes\n",
        "# one\n# two\ndescription: Find notes\n",
    ),
    "an unused suppression at the end": (
        "D202",
        "a.yaml",
        "description: Find notes\r\n# toolc: ignore[D202]",
        "description: Find notes",
    ),
    "an unused suppression before another": (
        "D202",
        "a.toml",
        'description = "a" # toolc: ignore[D202] x # toolc: ignore[D999]\n',
        'description = "a" # toolc: ignore[D999]\n',
    ),
    "an unused code of several": (
        "D204",
        "a.toml",
        '# toolc: ignore[M103, D204, D999]\nread_only = true\ndescription = "Find a note"\n',
        '# toolc: ignore[M103, D999]\nread_only = true\ndescription = "Find a note"\n',
    ),
    "an unused code at the end": (
        "D204",
        "a.toml",
        'read_only = true # toolc: ignore[M103, D204]\ndescription = "Find a note"\n',
        'read_only = true # toolc: ignore[M103]\ndescription = "Find a note"\n',
    ),
    "an unused suppression, JSON": (
        "D204",
        "a.json",
        '{\n  "x-toolc-ignore": ["D204"],\n  "description": "Find a note"\n}\n',
        '{\n  "description": "Find a note"\n}\n',
    ),
    "an unused suppression with a reason, JSON": (
        "D204",
        "a.json",
        '{"x-toolc-ignore": {"D999": "", "D204": "why"}, "description": "Find a note"}\n',
        '{"x-toolc-ignore": {"D999": ""}, "description": "Find a note"}\n',
    ),
}

UNSAFE: dict[str, Case] = {
    "a key that resembles one": ("M102", "a.toml", 'descripton = "x"\n', 'description = "x"\n'),
    "a default that is never used": (
        "M209",
        "a.yaml",
        "parameters:\n- default: 1\n  name: n\n  type: int\n  required: true\n",
        "parameters:\n- name: n\n  type: int\n  required: true\n",
    ),
    "a format that resembles one": (
        "M213",
        "a.toml",
        "[[parameters]]\nname = 'n'\ntype = 'string'\nformat = 'date_time'\n",
        "[[parameters]]\nname = 'n'\ntype = 'string'\nformat = 'date-time'\n",
    ),
    "a boolean text": (
        "D308",
        "a.toml",
        'parameters = [{ name = "n", type = "string", enum = ["Yes", "no"], default = "Yes" }]\n',
        'parameters = [{ name = "n", type = "boolean", default = true }]\n',
    ),
    "a boolean text in a raw schema": (
        "D308",
        "a.json",
        '{"inputSchema": {"type": "object", "properties": {"n": {"type": "string", '
        '"enum": ["true", "false"]}}}}',
        '{"inputSchema": {"type": "object", "properties": {"n": {"type": "boolean"}}}}',
    ),
    "a required name that is no parameter": (
        "D307",
        "a.json",
        '{"inputSchema": {"type": "object", "properties": {"n": {}}, "required": ["m", "n"]}}',
        '{"inputSchema": {"type": "object", "properties": {"n": {}}, "required": ["n"]}}',
    ),
    "an open schema": (
        "D310",
        "a.toml",
        '[inputSchema]\ntype = "object" # all\n[inputSchema.properties.n]\ntype = "string"\n',
        '[inputSchema]\ntype = "object" # all\nadditionalProperties = false\n'
        '[inputSchema.properties.n]\ntype = "string"\n',
    ),
    "a hint against the verb": (
        "D402",
        "a.yaml",
        "name: delete_note\nread-only: true\n",
        "name: delete_note\nreadOnly: false\n",
    ),
    "an annotation against the verb": (
        "D402",
        "a.yaml",
        "name: delete_note\nannotations:\n  destructiveHint: false # no\n",
        "name: delete_note\nannotations:\n  destructiveHint: true # no\n",
    ),
    "keywords that nobody reads": (
        "D601",
        "a.toml",
        'keywords = [\n  "note",\n] # words\ntitle = "T"\n',
        '# words\ntitle = "T"\n',
    ),
    "hidden characters in text that is read from right to left": (
        "X104",
        "a.toml",
        'description = "פתק\u200f notes"\n',
        'description = "פתק notes"\n',
    ),
    "letters that only look Latin": (
        "X105",
        "a.yaml",
        "description: >\n  Find p\u0430ges\n  of \u0421\u041c and \uff30\uff41ges here\ntitle: Te\u03bft\n",
        "description: >\n  Find pages\n  of \u0421\u041c and Pages here\ntitle: Teot\n",
    ),
    "hidden characters in a value": (
        "X104",
        "a.yaml",
        "parameters: [{name: n, type: string, enum: [a\u200bb, c]}]\n",
        "parameters: [{name: n, type: string, enum: [ab, c]}]\n",
    ),
}


def tools(texts: Mapping[str, str]) -> list[object]:
    return [tool._replace(pointer=()) for tool in compile_project(texts, PLAIN).tools]


@pytest.mark.parametrize("name", SAFE)
def test_safe(name: str) -> None:
    code, path, before, after = SAFE[name]
    texts, outcome = fix({path: before}, (code,))
    assert texts == {path: after}
    assert outcome.refused == ()
    if code != "X104":
        assert tools({path: before}) == tools({path: after})


def test_a_text_that_tools_share_is_mended_once() -> None:
    use = '[[parameters]]\nname = "n"\ntype = "Id"\n'
    shared = '[types.Id]\ntype = "string"\ndescription = "An\u200b id"\n'
    texts, outcome = fix({"_shared.toml": shared, "a.toml": use, "b.toml": use}, ("X104",))
    assert texts["_shared.toml"] == shared.replace("\u200b", "")
    assert (texts["a.toml"], texts["b.toml"]) == (use, use)
    assert len(outcome.made) == 1
    assert outcome.left == ()


@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe(name: str) -> None:
    code, path, before, after = UNSAFE[name]
    texts, outcome = fix({path: before}, (code,), unsafe=True)
    assert texts == {path: after}
    assert code not in {one.code for one in outcome.left}
    texts, outcome = fix({path: before}, (code,))
    assert code in {one.code for one in outcome.left}


LEFT: dict[str, Case] = {
    "a parameter's shared type": (
        "M209",
        "_shared.toml",
        '[types.N]\ntype = "int"\ndefault = 3\n',
        '[[parameters]]\nname = "n"\ntype = "N"\nrequired = true\n',
    ),
    "a default that is an alias of YAML": (
        "M209",
        "b.yaml",
        "description: B\n",
        "timeout: &x 1\nparameters: [{name: n, type: int, required: true, default: *x}]\n",
    ),
    "a key that a file's defaults have": (
        "D601",
        "b.yaml",
        "description: B\n",
        "defaults: {keywords: [a]}\ntools:\n- name: a\n",
    ),
    "a key whose known spelling is there": (
        "M102",
        "b.yaml",
        "description: B\n",
        "description: a\ndescripton: b\n",
    ),
    "letters of which one looks like none of Latin": (
        "X105",
        "b.yaml",
        "description: B\n",
        "description: Find p\u0430ge\u0436 of it\n",
    ),
    "a spelling that dotted keys repeat": (
        "M103",
        "b.toml",
        "description = 'B'\n",
        "input_schema.type = 'object'\ninput_schema.title = 'A'\n",
    ),
    "a boolean text with more than two meanings": (
        "D308",
        "b.yaml",
        "description: B\n",
        "parameters: [{name: n, type: string, enum: ['on', 'off'], values: []}]\n",
    ),
}
"""Code, the path and text of another file, and the text of `a.yaml`, or TOML beside a shared file."""


@pytest.mark.parametrize("name", LEFT)
def test_what_is_left_alone(name: str) -> None:
    code, other, shared, text = LEFT[name]
    before = {other: shared, "a" + other[other.rindex(".") :]: text}
    texts, outcome = fix(before, (code,), unsafe=True)
    assert texts == before
    assert outcome.made == ()


EACH = pytest.mark.parametrize(
    "rule",
    [rule for rule in RULES if "# toolc.toml" not in rule.wrong],
    ids=lambda rule: rule.code,
)


@EACH
def test_a_rule_that_mends_mends_its_wrong_example(rule: object) -> None:
    """Where a rule says a fix, it is one: nothing is found any more."""
    code, wrong = rule.code, rule.wrong  # type: ignore[attr-defined]
    texts, outcome = fix(sources(wrong), (code,), unsafe=True)
    assert outcome.refused == ()
    if outcome.made:
        assert code not in {one.code for one in outcome.left}
        assert not any(
            one.severity is Severity.ERROR for one in compile_project(texts, PLAIN).diagnostics
        )
    else:
        assert texts == sources(wrong)


# Rounds


def told(path: str, fix: Fix) -> Diagnostic:
    return Diagnostic("D999", Severity.NOTE, fix.title, Site(path, Span(0, 0)), fix=fix)


def always(_sources: Sources, _after: SourceFile, _found: Diagnostic) -> bool:
    return True


def test_what_overlaps_waits_for_the_next_round() -> None:
    """Each of three items that stand beside each other is to go; one a round does."""
    rounds = 0

    def look(texts: Sources) -> tuple[Diagnostic, ...]:
        nonlocal rounds
        rounds += 1
        text = texts["a.json"].text
        return tuple(
            told("a.json", Fix(item, (Remove(("x-l", at)),), True, path="a.json"))
            for at, item in enumerate(item for item in "abc" if f'"{item}"' in text)
        )

    outcome = fix_all({"a.json": SourceFile("a.json", '{"x-l": ["a", "b", "c"]}')}, look, always)
    assert outcome.sources["a.json"].text == '{"x-l": []}'
    assert len(outcome.made) == 3
    assert rounds > 2


def test_rounds_end() -> None:
    """Two fixes that undo each other do not go on for ever."""

    def look(texts: Sources) -> tuple[Diagnostic, ...]:
        value = "true" in texts["a.yaml"].text
        return (told("a.yaml", Fix("turn", (Put(("x-a",), not value),), True, path="a.yaml")),)

    outcome = fix_all({"a.yaml": SourceFile("a.yaml", "x-a: true\n")}, look, always)
    assert len(outcome.made) == MOST_ROUNDS
    assert outcome.left


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("x-a: &v true\nx-b: *v\n", Fix("the alias goes along", (Put(("x-a",), False),))),
        ("x-a: 1\n", Fix("it is no comment", (Cut(Span(0, 6)),))),
        ("x-a: 1\nx-b: 2\n", Fix("the key is there", (Rename(("x-a",), "x-b"),))),
        ("x-a: 1\n", Fix("nobody has it", (Remove(("x-b",)),))),
        ("x-a: |\n  b\nx-b: 1\n  # c\nx-d: 1\n", Fix("a block takes it", (Remove(("x-b",)),))),
    ],
    ids=lambda row: row.title if isinstance(row, Fix) else "",
)
def test_a_fix_that_does_something_else_is_dropped(text: str, fix: Fix) -> None:
    found = (told("a.yaml", fix._replace(is_safe=True, path="a.yaml")),)
    outcome = fix_all({"a.yaml": SourceFile("a.yaml", text)}, lambda _: found, always)
    assert outcome.sources["a.yaml"].text == text
    assert outcome.refused == found


@given(written=definitions(), data=st.data())
def test_fixes_of_one_file_together_are_those_of_each(
    written: Written, data: st.DataObject
) -> None:
    """Some keys go, others are renamed, in one run: what remains is the text without these, with the
    others' letters changed."""
    if any(row.written.startswith(("|", ">")) for row in written.rows):
        # A block keeps its last line end, and would take what is indented below it.
        flat = tuple(row._replace(gap=tuple(map(str.strip, row.gap))) for row in written.rows)
        written = written._replace(rows=flat, has_end=True)
    fates = [data.draw(st.sampled_from(["", "remove", "rename"])) for _ in written.rows]
    rows = []
    for row, fate in zip(written.rows, fates, strict=True):
        comment = (row.comment.lstrip(),) if row.comment else ()
        if fate == "remove":
            row = row._replace(gap=(*row.gap, *comment), spelling="")
        elif fate == "rename":
            row = row._replace(spelling=row.spelling.replace(row.key, f"{row.key}-new"))
        rows.append(row)

    def look(texts: Sources) -> tuple[Diagnostic, ...]:
        document, _ = load(texts[written.path])
        left = document.value if document is not None else {}
        assert isinstance(left, dict)
        steps: dict[str, Step] = {
            row.key: Remove((row.key,))
            if fate == "remove"
            else Rename((row.key,), f"{row.key}-new")
            for row, fate in zip(written.rows, fates, strict=True)
            if fate and row.key in left
        }
        return tuple(
            told(written.path, Fix(key, (step,), True, path=written.path))
            for key, step in steps.items()
        )

    source = SourceFile(written.path, written.text)
    outcome = fix_all({written.path: source}, look, always)
    if all(fate == "remove" for fate in fates):
        return  # an empty file is another matter
    assert outcome.sources[written.path].text == written._replace(rows=tuple(rows)).text
