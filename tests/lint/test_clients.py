"""Profiles of clients: how they are read, and how what several of them refuse becomes one finding."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from toolc.lint.clients.kinds import KINDS
from toolc.lint.clients.profile import Blast, Certainty, Clients, Effect, Limit, Profile
from toolc.lint.clients.reader import (
    UnknownClient,
    built_in,
    built_in_names,
    built_in_source,
    load_clients,
    read_profile,
)
from toolc.lint.clients.rules import RULES
from toolc.lint.engine import lint
from toolc.lint.selection import Selection
from toolc.lint.settings import read_settings
from toolc.lint.subject import Subject
from toolc.lint.written import listed
from toolc.loader import load
from toolc.model.diagnostic import Severity
from toolc.model.document import SourceFile
from toolc.model.findings import Findings
from toolc.model.project import Project
from toolc.model.tool import Facts
from toolc.report import renderer

from .conftest import Lint

ROW = """
kind = "name-length"
most = 20
blast = "tool"
effect = "dropped"
certainty = "H"
source = "https://example.com/limits"
date = "2026-10"
"""


def profile(text: str, name: str = "ours") -> Profile:
    read, problems = read_profile(SourceFile(f"clients/{name}.toml", text))
    assert read is not None, problems
    return read


def row(**changes: str) -> str:
    """A profile of one limit, some of its values others; an empty one is left out."""
    lines = dict(line.split(" = ", 1) for line in ROW.strip().splitlines()) | changes
    body = "".join(f"{key} = {value}\n" for key, value in lines.items() if value)
    return f'title = "Ours"\n\n[[limit]]\n{body}'


@pytest.mark.parametrize("name", built_in_names())
def test_the_profiles_that_come_with_toolc(name: str) -> None:
    read, problems = read_profile(built_in_source(name))
    assert problems == () and read is not None
    assert read.name == name and read.limits
    for limit in read.limits:
        assert list(KINDS[limit.kind].words(limit.values))
        assert not limit.until or limit.until >= limit.date


def test_each_kind_has_a_rule_and_a_client() -> None:
    used = {limit.kind for name in built_in_names() for limit in built_in(name).limits}
    assert used == set(KINDS)
    assert len(RULES) == len(KINDS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            row(kind='"name-lenght"'),
            '4:8: "name-lenght" is no kind of limit (perhaps "name-length")',
        ),
        (row(most='"20"'), '5:8: "most" is a number of 0 or more, not "20"'),
        (row(most="-1"), '5:8: "most" is a number of 0 or more, not the number -1'),
        (row(most=""), '3:1: "most" is missing, a number of 0 or more'),
        (row(mots="64"), '11:1: unknown key "mots" of a limit of "name-length" (perhaps "most")'),
        (row(keywords='["not"]'), '11:1: unknown key "keywords" of a limit of "name-length"'),
        (row(blast='"tools"'), '6:9: "tools" is none of parameter, tool, server, request'),
        (row(effect='"gone"'), '7:10: "gone" is none of refused, dropped, cut, changed, fails'),
        (row(certainty='"high"'), '8:13: "high" is none of H, M, L'),
        (row(source='"a colleague"'), '9:10: "source" is a link to who says so'),
        (row(source=""), '3:1: "source" is missing, a text'),
        (row(date='"October"'), '10:8: "date" is a month like "2026-09"'),
        (row(date="2026-10-01"), "10:8: "),  # no value of JSON's
        (row(until='"2026-13"'), '11:9: "until" is a month like "2026-09"'),
        (
            row(kind='"name-pattern"', most="", pattern='"("', expected='"x"'),
            '"pattern" is no regular',
        ),
        (row(kind='"enum-values"', most="", refused='["nmbers"]'), '"nmbers" is none of numbers'),
        ('titel = "Ours"\n', '1:1: unknown key "titel" of a profile (perhaps "title")'),
        ("title = 1\n", '1:9: "title" is a text, not the number 1'),
        ('title = "Ours"\nextends = ["opnai"]\n', '2:12: "opnai" is no client; "openai" is one'),
        ('title = "Ours"\nlimit = 3\n', '2:9: "limit" is a list of tables'),
        ('title = "Ours\n', "1:14: the text is not closed"),
    ],
)
def test_a_wrong_profile_says_where(text: str, said: str) -> None:
    source = SourceFile("clients/ours.toml", text)
    read, problems = read_profile(source)
    assert read is None
    lines = []
    for one in problems:
        assert one.site is not None and one.site.span is not None
        line, column = source.line_column(one.site.span.start)
        hint = f" ({one.hint})" if one.hint else ""
        lines.append(f"{line}:{column}: {one.message}{hint}")
    assert any(said in line for line in lines), lines


def test_a_profile_of_the_project_s_own(lint_sources: Lint) -> None:
    texts = {"clients/ours.toml": row(looks='"greyed out"', note='"ask us"')}
    loaded = load_clients(["clients/ours.toml"], lambda path: SourceFile(path, texts[path]))
    assert loaded.diagnostics == ()
    (one,) = lint_sources(
        {"tooldefs/find_notes_that_contain_words.toml": 'description = "Find notes"\n'},
        RULES,
        clients=Clients(loaded.profiles),
    )
    assert one.message == (
        "this tool is missing in ours (20 at most; greyed out): the name has 29 characters"
    )
    assert one.hint == ("shorten it to 20 characters; ask us; https://example.com/limits (2026-10)")


def test_a_profile_may_extend_another() -> None:
    ours = profile('extends = ["bedrock"]\n' + row())
    assert ours.limits[:-1] == built_in("bedrock").limits
    assert ours.limits[-1].values == {"most": 20}


def test_unknown_clients() -> None:
    with pytest.raises(UnknownClient, match='"gemni" is no client; "gemini" is one'):
        load_clients(["openai", "gemni"], lambda _path: None)
    with pytest.raises(UnknownClient, match=r"there is no profile ours\.toml"):
        load_clients(["ours.toml"], lambda _path: None)


def test_all_clients_and_each_once() -> None:
    loaded = load_clients(["openai", "all", "openai"], lambda _path: None)
    assert sorted(one.name for one in loaded.profiles) == list(built_in_names())


def test_the_setting() -> None:
    source = SourceFile(
        "toolc.toml", '[lint]\nclients = ["claude-code", "all", "./our-client.toml", "opnai"]\n'
    )
    document, _ = load(source)
    assert document is not None and isinstance(document.value, dict)
    raw = document.value["lint"]
    assert isinstance(raw, dict)
    findings = Findings(document)
    settings = read_settings(raw, ("lint",), findings)
    assert settings.clients == ("claude-code", "all", "./our-client.toml")
    (one,) = findings
    assert one.site is not None and one.site.span is not None
    assert source.line_column(one.site.span.start) == (2, 55)
    assert one.message == '"opnai" is no client; "openai" is one'


def clients(*texts: str) -> Clients:
    return Clients([profile(text, f"c{at}") for at, text in enumerate(texts, 1)])


LONG = {"tooldefs/find_notes_that_contain_words.toml": 'description = "Find notes"\n'}


def test_one_finding_a_place_the_gravest_first(lint_sources: Lint) -> None:
    asked = clients(
        row(),
        row(blast='"request"', effect='"refused"', most="25"),
        row(),
        row(blast='"server"', effect='"refused"', certainty='"L"'),
        row(most="64"),
    )
    (one,) = lint_sources(LONG, RULES, clients=asked)
    assert one.message == (
        "every request is refused by c2 (25 at most), this tool is missing in c1 and c3 "
        "(20 at most), the whole server is refused by c4 (20 at most; perhaps): "
        "the name has 29 characters"
    )
    assert one.severity is Severity.WARNING


def test_the_strictest_limit_says_what_to_write(lint_sources: Lint) -> None:
    asked = clients(row(blast='"request"', most="25"), row(), row(certainty='"L"', most="10"))
    (one,) = lint_sources(LONG, RULES, clients=asked)
    assert one.hint.startswith("shorten it to 20 characters; https://")


def test_what_one_report_says_is_a_note(lint_sources: Lint) -> None:
    (one,) = lint_sources(LONG, RULES, clients=clients(row(certainty='"L"')))
    assert one.severity is Severity.NOTE


def test_what_a_client_no_longer_does_is_not_told(lint_sources: Lint) -> None:
    assert lint_sources(LONG, RULES, clients=clients(row(until='"2026-11"'))) == ()


def test_the_same_in_several_places_is_one_finding(lint_sources: Lint) -> None:
    refuses = row(kind='"keyword"', most="", keywords='["minLength", "format"]', effect='"refused"')
    text = 'description = "Find notes"\n' + "".join(
        f'\n[[parameters]]\nname = "{name}"\ntype = "string"\nminLength = 1\n' for name in "abc"
    )
    (one,) = lint_sources({"tooldefs/find.toml": text}, RULES, clients=clients(refuses))
    assert one.message == ('this tool is refused by c1: "minLength" in "a", and in 2 more places')
    source = SourceFile("tooldefs/find.toml", text)
    spans = [one.site, *(related.site for related in one.related)]
    lines = [site and site.span and source.line_column(site.span.start) for site in spans]
    assert lines == [(6, 1), (11, 13), (16, 13)]


@pytest.mark.parametrize(
    ("server", "said"),
    [("notes", '20 at most, and 21 with "notes_" before it'), ("n", None)],
)
def test_the_server_s_name_counts(server: str, said: str | None, lint_sources: Lint) -> None:
    sources = {
        "toolc.toml": f'[server]\nname = "{server}"\n',
        "tooldefs/find_some_notes.toml": 'description = "Find notes"\n',
    }
    found = lint_sources(sources, RULES, clients=clients(row(prefix='"{server}_"')))
    assert [said in one.message for one in found if said] == ([True] if said else [])
    assert len(found) == (said is not None)


def test_instructions_are_told_of_where_they_stand(lint_sources: Lint) -> None:
    sources = {
        "toolc.toml": f'[server]\nname = "n"\ninstructions = "{"Find first. " * 200}"\n',
        "tooldefs/find.toml": 'description = "Find notes"\n',
    }
    (one,) = lint_sources(sources, RULES, clients=Clients([built_in("claude-code")]))
    assert one.site is not None and one.site.path == "toolc.toml" and one.site.span is not None
    assert SourceFile("", sources["toolc.toml"]).line_column(one.site.span.start) == (3, 16)
    assert one.message.endswith('it ends with "… Find first. Find first. Find first. Find first."')


@pytest.mark.parametrize(
    ("schema", "kind", "values", "found"),
    [
        # What looks alike and is none.
        (
            '{"properties": {"additionalProperties": {"type": "string"}}}',
            "keyword",
            {"keywords": ["additionalProperties"]},
            [],
        ),
        (
            '{"properties": {"a": {"enum": ["x"], "default": {"anyOf": 1}}}}',
            "keyword",
            {"keywords": ["anyOf"]},
            [],
        ),
        (
            '{"properties": {"a": {"items": {"anyOf": []}}}}',
            "keyword",
            {"keywords": ["anyOf"]},
            ["properties/a/items/anyOf"],
        ),
        ('{"anyOf": []}', "keyword", {"keywords": ["anyOf"], "where": "nested"}, []),
        (
            '{"properties": {"a": {"items": [{}]}}}',
            "keyword",
            {"keywords": ["items"], "form": "list"},
            ["properties/a/items"],
        ),
        (
            '{"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}',
            "keyword",
            {"keywords": ["anyOf"], "form": "mixed types"},
            [],
        ),
        (
            '{"properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}',
            "keyword",
            {"keywords": ["anyOf"], "form": "mixed types"},
            ["properties/a/anyOf"],
        ),
        (
            '{"properties": {"a": {"$ref": "#/$defs/A", "description": ""}}}',
            "keyword-beside",
            {"keyword": "$ref", "allowed": ["description"]},
            [],
        ),
        (
            '{"properties": {"a": {"anyOf": [], "type": "string"}}}',
            "keyword-beside",
            {"keyword": "anyOf", "refused": ["type"]},
            ["properties/a/anyOf"],
        ),
        (
            '{"properties": {"a": {"type": "object", "properties": {"b": true}}}}',
            "boolean-schema",
            {"where": "top"},
            [],
        ),
        (
            '{"properties": {"a": {"type": "object", "properties": {"b": true}}}}',
            "boolean-schema",
            {},
            ["properties/a/properties/b"],
        ),
        ('{"properties": {"a": {"$ref": "#/$defs/A"}, "b": {}}}', "untyped", {}, ["properties/b"]),
        (
            '{"properties": {"a": {"type": ["array", "null"]}, "b": {"type": "array", "prefixItems": []}}}',
            "array-without-items",
            {},
            ["properties/a"],
        ),
        (
            '{"$defs": {"A": {"properties": {"b": {"$ref": "#/$defs/B"}}}, "B": '
            '{"items": {"$ref": "#/$defs/A"}}}, "properties": {"a": {"$ref": "#/$defs/A"}}}',
            "recursion",
            {},
            ["$defs/A/properties/b/$ref"],
        ),
        (
            '{"$defs": {"A": {"$anchor": "a"}}, "properties": {"a": {"$ref": "#a"}}}',
            "recursion",
            {},
            [],
        ),
        (
            '{"$defs": {"A": {"type": "string"}}, '
            '"properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/A"}}}',
            "recursion",
            {},
            [],
        ),
        (
            '{"properties": {"a": {"type": "object", "properties": {"up": {"$ref": "#"}}}}}',
            "recursion",
            {},
            ["properties/a/properties/up/$ref"],
        ),
        (
            '{"properties": {"a": {"type": "integer", "format": "int32"}}}',
            "format",
            {"allowed": ["date"]},
            [],
        ),
        (
            r'{"properties": {"a": {"pattern": "^\\\\d$"}}}',
            "pattern",
            {"refused": ["unanchored", "classes", "boundaries"]},
            [],
        ),
        (
            r'{"properties": {"a": {"pattern": "^a\\$"}}}',
            "pattern",
            {"refused": ["unanchored"]},
            ["properties/a/pattern"],
        ),
        (
            r'{"properties": {"a": {"pattern": "^(?:a)$"}}}',
            "pattern",
            {"refused": ["unanchored", "lookaround"]},
            [],
        ),
        (
            r'{"properties": {"a": {"pattern": "^(?!a)\\w$"}}}',
            "pattern",
            {"refused": ["lookaround", "classes"]},
            ["properties/a/pattern"],
        ),
        (
            '{"properties": {"a": {"enum": [true, "x"]}}}',
            "enum-values",
            {"refused": ["numbers"]},
            [],
        ),
        (
            '{"properties": {"a": {"enum": ["", "x", null]}}}',
            "enum-values",
            {"refused": ["empty texts", "null"]},
            ["properties/a/enum"],
        ),
        (
            '{"properties": {"a": {"maximum": 9007199254740991, "minimum": -9007199254740992}}}',
            "large-number",
            {"keywords": ["maximum", "minimum"], "most": 9007199254740991},
            ["properties/a/minimum"],
        ),
        (
            '{"properties": {"ä": {}, "a": {"properties": {"ö": {}}}}}',
            "parameter-pattern",
            {"pattern": "[a-z]+", "expected": "", "where": "top"},
            ["properties/ä"],
        ),
        (
            '{"additionalProperties": false, "properties": {"a": {"type": "object"}}}',
            "open-object",
            {},
            ["properties/a"],
        ),
    ],
)
def test_what_a_kind_finds(
    schema: str, kind: str, values: dict[str, Any], found: list[str]
) -> None:
    subject = Subject({"name": "t", "inputSchema": json.loads(schema)}, Facts(), Project())
    look = KINDS[kind].look
    assert look is not None
    assert ["/".join(map(str, hit.pointer[1:])) for hit in look(subject, values)] == found


def test_letters_with_marks_are_written_without_them() -> None:
    subject = Subject(
        {"name": "t", "inputSchema": {"properties": {"größe_é": {}}}}, Facts(), Project()
    )
    look = KINDS["parameter-pattern"].look
    assert look is not None
    (hit,) = look(subject, {"pattern": "[a-z_]+", "expected": ""})
    assert hit.rewrite.startswith('name it "grosse_e"; ')


@pytest.mark.parametrize(
    ("schema", "known"),
    [
        ("http://json-schema.org/draft-07/schema#", False),
        ("https://json-schema.org/draft/2019-09/schema", False),
        ("https://json-schema.org/draft/2020-12/schema", True),
        ("https://json-schema.org/draft/2020-12/schema#", True),
    ],
)
def test_dialects(schema: str, known: bool, lint_sources: Lint) -> None:
    text = f'description = "Find"\n\n[outputSchema]\n"$schema" = "{schema}"\ntype = "object"\n'
    found = lint_sources(
        {"tooldefs/f.toml": text}, RULES, clients=Clients([built_in("claude-code")])
    )
    assert (found == ()) is known


def test_clients_keep_their_limits_apart() -> None:
    """A limit that two clients share is looked for once."""
    shared = Limit(
        "name-length",
        {"most": 64},
        Blast.TOOL,
        Effect.DROPPED,
        Certainty.HIGH,
        "https://a.b",
        "2026-01",
    )
    asked = Clients([Profile("a", "A", "", (shared,)), Profile("b", "B", "", (shared,))])
    ((values, holders),) = asked.limits("name-length")
    assert values == {"most": 64}
    assert [name for name, _ in holders] == ["a", "b"]
    assert asked.limits("keyword") == ()


def test_the_examples_of_the_page(lint_sources: Lint) -> None:
    """The documentation's definition is told of as it says, and its profile can be read."""
    page = (Path(__file__).parents[2] / "docs/clients.md").read_text("utf-8")
    blocks = re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (_, path, definition), (_, _, said), _, (_, name, ours) = blocks
    loaded = load_clients(["claude-code", "openai", "gemini"], lambda _path: None)
    found = lint_sources({path: definition}, RULES, clients=Clients(loaded.profiles))
    assert renderer("text")(found, {path: SourceFile(path, definition)}) == said
    assert profile(ours, name.removesuffix(".toml")).name == "our-client"


@pytest.mark.parametrize(
    ("around", "length"),
    [
        ({"serverInfo": {"name": "notes"}}, 21),
        ({"server": {"serverInfo": {"name": "notes"}}}, 21),
        ({"info": {"name": "notes"}}, 21),
        ({}, None),
    ],
)
def test_the_server_s_name_in_a_manifest(around: dict[str, Any], length: int | None) -> None:
    """Without a server's name nobody knows what a client puts before a tool's."""
    tool = {"name": "find_some_notes", "inputSchema": {"type": "object"}}
    document, _ = load(SourceFile("list.json", json.dumps({**around, "tools": [tool]})))
    assert document is not None
    read = listed(document, Project())
    asked = clients(row(prefix='"{server}_"'))
    found = lint(read.tools, Selection(RULES, clients=asked), read.project)
    assert [f"and {length} with" in one.message for one in found] == ([True] if length else [])


def test_a_project_may_weigh_them() -> None:
    """No finding on a client is an error unless a project wants it so."""
    tool = {"name": "x" * 21, "inputSchema": {"type": "object"}}
    document, _ = load(SourceFile("list.json", json.dumps([tool])))
    assert document is not None
    read = listed(document, Project())
    for certainty in ("H", "L"):
        asked = clients(row(certainty=f'"{certainty}"'))
        selection = Selection(RULES, {"C102": Severity.ERROR}, clients=asked)
        (one,) = lint(read.tools, selection, read.project)
        assert one.severity is Severity.ERROR
