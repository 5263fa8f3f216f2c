"""The schemas for editors say what the reader says: what it takes is valid, and what it refuses is not,
as far as a schema can tell."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from toolc import pipeline
from toolc.builder.editors import definition_schema, project_schema
from toolc.builder.keys import KEYS, Key, Kind, Level, fold
from toolc.builder.project import read_project
from toolc.builder.settings import SETTINGS
from toolc.builder.types import SCALARS, TypeSyntaxError, parse_type
from toolc.lint.editors import settings_schema
from toolc.lint.settings import SETTINGS as LINT_SETTINGS
from toolc.lint.settings import read_settings
from toolc.loader import SUFFIXES, decode, load
from toolc.model.diagnostic import Diagnostic, Severity
from toolc.model.document import Document, SourceFile
from toolc.model.findings import Findings
from toolc.model.project import Project

ROOT = Path(__file__).resolve().parents[2]

DEFINITION: Any = definition_schema()
PROJECT: Any = project_schema(settings_schema())
OF_DEFINITIONS = Draft7Validator(DEFINITION)
OF_PROJECTS = Draft7Validator(PROJECT)

UNKNOWN_KEYS = {"M101", "M108", "M110"}
"""Warnings of keys that have no effect: an editor speaks of them, too."""


def document_of(path: str, text: str) -> Any:
    document, _ = load(SourceFile(path, text))
    assert document is not None
    return document.value


def faults(validator: Draft7Validator, value: Any) -> list[tuple[str, str]]:
    """What a schema finds wrong: where, like `parameters.0.type`, and in which words."""
    return [
        (".".join(map(str, error.absolute_path)), error.message)
        for error in validator.iter_errors(value)
    ]


# What the reader takes


def taken(files: Mapping[str, str], project: Project) -> Iterator[tuple[str, Any]]:
    """Those of a project's definitions that the reader takes, with nothing to say of their keys."""
    found = pipeline.compile_project(files, project).diagnostics
    refused = {
        one.path for one in found if one.severity is Severity.ERROR or one.code in UNKNOWN_KEYS
    }
    for path, text in files.items():
        if path.endswith(SUFFIXES) and path not in refused:
            document, _ = load(SourceFile(path, text))
            if document is not None:
                yield path, document.value


def project_of(files: Mapping[str, str]) -> tuple[dict[str, str], Project]:
    """The definitions of a project in memory, and its settings."""
    definitions = {path: text for path, text in files.items() if path != "toolc.toml"}
    if "toolc.toml" not in files:
        return definitions, Project()
    document, _ = load(SourceFile("toolc.toml", files["toolc.toml"]))
    assert document is not None
    return definitions, read_project(document)[0]


def folder_of(folder: Path) -> dict[str, str]:
    texts = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in (*SUFFIXES, ".md") and path.name != "expected.txt":
            texts[path.relative_to(folder).as_posix()] = path.read_text("utf-8")
    return texts


def projects() -> Iterator[Any]:
    for folder in sorted({*ROOT.glob("tooldefs"), *ROOT.glob("tests/**/tooldefs")}):
        yield pytest.param(folder_of(folder), id=folder.relative_to(ROOT).as_posix())
    for folder in sorted((ROOT / "tests/diagnostics/cases").iterdir()):
        yield pytest.param(folder_of(folder), id=folder.name)
    for example in run_path(str(ROOT / "tests/docs/test_docs.py"))["EXAMPLES"]:
        for at, files in enumerate(example.values[0].variants()):
            yield pytest.param(files, id=f"{example.id}-{at}")


PROJECTS = list(projects())


@pytest.mark.parametrize("files", PROJECTS)
def test_what_the_reader_takes_is_valid(files: dict[str, str]) -> None:
    for path, value in taken(*project_of(files)):
        assert not faults(OF_DEFINITIONS, value), path


def test_hardly_a_project_has_nothing_to_take() -> None:
    found = [sum(1 for _ in taken(*project_of(one.values[0]))) for one in PROJECTS]
    assert sum(found) > 60


def test_real_files_that_the_reader_takes_are_valid(shared: Callable[[str], Path]) -> None:
    folder = shared("realfiles")
    valid = 0
    for entry in json.loads((folder / "ORIGIN.json").read_text("utf-8")):
        source, _ = decode(Path(entry["file"]).name, (folder / entry["file"]).read_bytes())
        assert source is not None
        for path, value in taken({source.path: source.text}, Project(descriptions="collapse")):
            assert not faults(OF_DEFINITIONS, value), path
            valid += 1
    assert valid == 64  # in the others a key of the older dialect has no effect


def of_kind(key: Key, depth: int) -> st.SearchStrategy[Any]:
    """Values that are of a key's kind, or nearly."""
    if key.choices:
        one = st.sampled_from(key.choices)
        return st.lists(one, max_size=2) if key.kind is Kind.STRINGS else one
    if key.table is not None:
        rows = tables(key.table, depth + 1)
        return rows if key.kind is Kind.TABLE else st.lists(rows, max_size=2)
    words = st.sampled_from(["a", "string", "int", "array:object", "a | null", "60/min", "m:f"])
    return {
        Kind.STRING: words,
        Kind.BOOLEAN: st.booleans(),
        Kind.STRINGS: st.lists(words, max_size=2),
        Kind.NUMBER: st.integers(0, 3) | st.just(0.5),
        Kind.POSITIVE: st.integers(0, 2),
        Kind.COUNT: st.integers(0, 2),
        Kind.POSITIVE_COUNT: st.integers(0, 2),
        Kind.LIST: st.lists(words | st.integers(0, 2), max_size=2),
        Kind.OBJECT: st.just({"a": 1}),
        Kind.SCHEMA: st.sampled_from([{"type": "object"}, "{}", True]),
        Kind.TABLE: st.just({}),
        Kind.BOOLEAN_OR_STRING: st.booleans() | words,
        Kind.OPENNESS: st.booleans() | st.just("absent") | words,
    }.get(key.kind, words | st.none() | st.integers(0, 2))


@st.composite
def tables(draw: st.DrawFn, level: Level, depth: int = 0) -> dict[str, Any]:
    keys = [key for key in KEYS if key.level is level and not (depth > 2 and key.table)]
    chosen = draw(st.lists(st.sampled_from(keys), max_size=4, unique=True))
    if level is Level.PARAMETER and draw(st.integers(0, 9)):
        chosen = [level.known["name"], level.known["type"], *chosen]
    table: dict[str, Any] = {}
    for key in chosen:
        odd = draw(st.integers(0, 30))
        name = {0: key.name.upper(), 1: f"_{key.name}", 2: "x-note"}.get(odd, key.name)
        table[name] = None if odd == 3 else draw(of_kind(key, depth))
    return table


@settings(max_examples=600)
@given(tables(Level.TOOL) | tables(Level.FILE))
def test_whatever_the_reader_takes_is_valid(value: dict[str, Any]) -> None:
    for _, document in taken({"t.json": json.dumps(value)}, Project()):
        found = faults(OF_DEFINITIONS, document)
        # A default that no tool takes is not looked at as closely.
        assert not [place for place, _ in found if fold(place.partition(".")[0]) != "defaults"]


@settings(max_examples=300)
@given(tables(Level.PARAMETER), tables(Level.PARAMETER))
def test_whatever_shared_definitions_the_reader_takes_are_valid(
    shared: dict[str, Any], row: dict[str, Any]
) -> None:
    # A definition that nothing uses is not looked at as closely.
    files = {
        "_s.json": json.dumps({"types": {"T": shared}, "fragments": {"f": {"parameters": [row]}}}),
        "t.json": json.dumps(
            {"parameters": [{"name": "of-t", "type": "array:T"}, {"include": "f"}]}
        ),
    }
    found = dict(taken(files, Project()))
    if len(found) == 2:
        assert not faults(OF_DEFINITIONS, found["_s.json"])


@settings(max_examples=500)
@given(
    st.lists(
        st.sampled_from(
            ["array:", "map:", "(", ")", " ", "|", "int", "T1", "array", "null", ":", "é"]
        ),
        max_size=8,
    ).map("".join)
)
def test_the_pattern_of_types_takes_every_type(text: str) -> None:
    pattern = DEFINITION["definitions"]["parameter"]["properties"]["type"]["pattern"]
    try:
        parse_type(text)
        is_type = True
    except TypeSyntaxError:
        is_type = False
    is_matched = re.search(pattern, text) is not None
    if text.count("(") == text.count(")") == 0:
        assert is_matched == is_type
    else:
        assert is_matched or not is_type


@pytest.mark.parametrize(
    "text",
    [
        "read_only = true",
        "READONLY = true",
        "readOnlyHint = true",
        "read-only = true",
        "_meta = { a = 1 }",
        "x-owner = 'the notes team'",
        "'$schema' = '../.toolc/definition.schema.json'",
        "parameters = [{ Name = 'a', Type = 'int', x-mcp-header = 'A' }]",
        "tools = [{ NAME = 'a' }]",
        "tools = [{ title = 'A' }]\ndefaults = { name = 'a' }",
        "annotations = { title = 'A', other = 1 }",
        "output = [{ name = 'a', type = 'array:(int | Address)', items = { minimum = 1 } }]",
    ],
)
def test_equal_spellings_and_notes_are_valid(text: str) -> None:
    assert not faults(OF_DEFINITIONS, document_of("t.toml", text))


# What the reader refuses, or warns of


def said_of(text: str) -> set[str]:
    name = "_t.toml" if text.startswith(("types", "fragments")) else "t.toml"
    return {one.code for one in pipeline.compile_project({name: text}, Project()).diagnostics}


def _row(text: str) -> str:
    return f"parameters = [{{ {text} }}]"


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        # Keys
        ("descripton = 'a'", "M102", "descripton"),
        ("colour = 'red'", "M101", "colour"),
        ("scopes = []", "M110", "scopes"),
        ("[tool]\ntitle = 'a'", "M106", "tool"),
        ("script = 'a.py'", "M108", "script"),
        (_row("name = 'a', type = 'int', min = 1"), "M101", "parameters.0.min"),
        (_row("name = 'a', type = 'int', readOnly = true"), "M106", "parameters.0.readOnly"),
        ("ui = { uri = 'ui://a' }", "M101", "ui.uri"),
        # Kinds and choices
        ("title = 3", "M105", "title"),
        ("readOnly = 'true'", "M105", "readOnly"),
        ("read_only = 'true'", "M105", "read_only"),
        ("keywords = 'a'", "M105", "keywords"),
        ("keywords = [1]", "M105", "keywords.0"),
        ("budget = 0", "M105", "budget"),
        ("timeout = 0", "M105", "timeout"),
        ("[parameters]\nname = 'a'", "M105", "parameters"),
        ("kind = 'querry'", "M111", "kind"),
        ("content = ['text', 'vidio']", "M111", "content.1"),
        ("execution = { taskSupport = 'yes' }", "M111", "execution.taskSupport"),
        ("annotations = { readOnlyHint = 1 }", "M105", "annotations.readOnlyHint"),
        ("rateLimit = '60 per min'", "M111", "rateLimit"),
        ("handler = 'notes'", "M111", "handler"),
        (_row("name = 'a', type = 'int', identifier = '_a'"), "M210", "parameters.0.identifier"),
        # Types
        (_row("name = 'a', type = 'array'"), "M201", "parameters.0.type"),
        (_row("name = 'a', type = 'string[]'"), "M201", "parameters.0.type"),
        (_row("name = 'a', type = 'array: int'"), "M201", "parameters.0.type"),
        (_row("name = 'a', type = ['int', 'null']"), "M105", "parameters.0.type"),
        ("additionalProperties = 'a b'", "M201", "additionalProperties"),
        # What is missing
        (_row("type = 'int'"), "M203", "parameters.0"),
        (_row("name = '', type = 'int'"), "M203", "parameters.0.name"),
        (_row("name = 'a'"), "M201", "parameters.0"),
        (_row("name = 'a', type = 'string', values = [{ title = 'A' }]"), "M112", "parameters.0.values.0"),
        ("errors = [{ description = 'a' }]", "M112", "errors.0"),
        ("tools = [{ title = 'a' }]", "M112", "tools.0"),
        # What excludes each other
        ("parameters = []\ninputSchema = { type = 'object' }", "M109", "inputSchema"),
        ("output = []\noutputSchema = { type = 'object' }", "M109", "outputSchema"),
        ("description = 'a'\ndescriptionFile = 'a.md'", "M109", "descriptionFile"),
        (_row("name = 'a', type = 'int', schema = {}"), "M109", "parameters.0.schema"),
        (_row("name = 'a', type = 'int', default = 1, nullDefault = true"), "M109",
         "parameters.0.nullDefault"),
        (_row("include = 'a', name = 'a'"), "M109", "parameters.0.name"),
        (_row("name = 'a', type = 'array:int', items = { name = 'b' }"), "M109", "parameters.0.items.name"),
        ("title = 'a'\ntools = [{ name = 'a' }]", "M106", "title"),
        ("types = {}\ntools = []", "M109", "types"),
        ("fragments = {}\ntitle = 'a'", "M106", "title"),
        ("types = { int = { type = 'string' } }", "M201", "types"),
        # What means nothing on its type
        (_row("name = 'a', type = 'int', minLength = 1"), "M205", "parameters.0.minLength"),
        (_row("name = 'a', type = 'array:string', pattern = 'a'"), "M205", "parameters.0.pattern"),
        (_row("name = 'a', type = 'string', items = {}"), "M205", "parameters.0.items"),
        (_row("name = 'a', type = 'bool', properties = []"), "M205", "parameters.0.properties"),
    ],
)  # fmt: skip
def test_what_the_reader_speaks_of_is_flagged(text: str, code: str, place: str) -> None:
    assert code in said_of(text)
    assert place in {where for where, _ in faults(OF_DEFINITIONS, document_of("t.toml", text))}


# Project files


def said_of_project(text: str) -> tuple[Diagnostic, ...]:
    document, problems = load(SourceFile("toolc.toml", text))
    assert document is not None
    return (*(one for one in problems if one.code != "L111"), *refused_settings(document))


def refused_settings(document: Document) -> tuple[Diagnostic, ...]:
    """What is wrong with a project file, the linter's settings among it. Which rules and clients there
    are is no matter of a schema's: a project adds its own."""
    _, found = read_project(document)
    linter = document.value.get("lint") if isinstance(document.value, dict) else None
    findings = Findings(document)
    if isinstance(linter, dict):
        read_settings(linter, ("lint",), findings)
    return (*found, *(one for one in findings if "means no" not in one.message))


def project_files() -> Iterator[Any]:
    for path in sorted(ROOT.rglob("toolc.toml")):
        if ".npm" not in path.parts:
            yield pytest.param(path.read_text("utf-8"), id=path.relative_to(ROOT).as_posix())
    for one in PROJECTS:
        if "toolc.toml" in one.values[0]:
            yield pytest.param(one.values[0]["toolc.toml"], id=str(one.id))


@pytest.mark.parametrize("text", list(project_files()))
def test_project_files_that_the_reader_takes_are_valid(text: str) -> None:
    assert not said_of_project(text)
    value = document_of("toolc.toml", text)
    assert not faults(OF_PROJECTS, value)
    assert not faults(OF_PROJECTS, {"project": {"name": "a"}, "tool": {"toolc": value, "b": {}}})


_SETTING: Mapping[str, st.SearchStrategy[Any]] = {
    "string": st.sampled_from(["", "a"]),
    "path": st.sampled_from(["a", "a/b.c", "", "..", "a/../b", "a/..", "/a", "c:\\a", "..a/b", "\\a", "a:b"]),
    "package": st.sampled_from(["a.b", "a", "1", ""]),
    "class": st.sampled_from(["a:B", "a.b:C", "a", ":B"]),
    "boolean": st.booleans() | st.just(1),
    "table": st.sampled_from([{}, {"ttlMs": 1}, {"ttlMs": -1}, {"scope": "private"}]),
    "tables": st.lists(
        st.fixed_dictionaries(
            {},
            optional={
                "name": st.just("a"),
                "src": st.just("a"),
                "type": st.sampled_from(["stdio", "sse", "b"]),
                "url": st.just("a"),
                "command": st.just("a"),
                "template": st.just("a"),
                "path": st.sampled_from(["a", "{name}"]),
                "per": st.sampled_from(["tool", "project"]),
            },
        ),
        max_size=2,
    ),
}  # fmt: skip


_WORDS = st.sampled_from(
    ["all", "D2", "no-description", "claude-code", "./own.toml", "rules.py", "", 1]
)
_LINT = st.dictionaries(
    st.sampled_from([*LINT_SETTINGS, "other"]),
    st.lists(_WORDS, max_size=2)
    | st.dictionaries(_WORDS.filter(bool).map(str), st.lists(_WORDS, max_size=2) | st.just("note")),
    max_size=3,
)


@st.composite
def project_tables(draw: st.DrawFn) -> dict[str, Any]:
    root: dict[str, Any] = {}
    for setting in draw(st.lists(st.sampled_from(SETTINGS), max_size=3)):
        values = _SETTING.get(setting.kind, st.sampled_from([*setting.choices, "other"]))
        if setting.name == "lint":
            values = _LINT
        elif setting.kind == "paths":
            values = st.lists(_SETTING["path"], max_size=2)
        table = root.setdefault(setting.table, {}) if setting.table else root
        table[setting.name] = draw(values)
    return root


@settings(max_examples=500)
@given(project_tables())
def test_whatever_settings_the_reader_takes_are_valid(value: dict[str, Any]) -> None:
    document, _ = load(SourceFile("toolc.json", json.dumps(value)))
    assert document is not None
    if not refused_settings(document):
        assert not faults(OF_PROJECTS, value)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("souces = ['a']", "souces"),
        ("[server]\nhoist = true", "server.hoist"),
        ("sources = 'a'", "sources"),
        ("sources = ['../a']", "sources.0"),
        ("output = '/tmp/a'", "output"),
        ("output = 'C:\\a'", "output"),
        ("revision = '2023-01-01'", "revision"),
        ("dialect = 1", "dialect"),
        ("[python]\npackage = 'a-b'", "python.package"),
        ("python = 3", "python"),
        ("[server]\nname = ''", "server.name"),
        ("[server]\napp = 'app'", "server.app"),
        ("[server]\ncache = { ttlMs = -1 }", "server.cache.ttlMs"),
        ("[server]\ncache = { ttl = 1 }", "server.cache.ttl"),
        ("[[server.tags]]\nname = 3", "server.tags.0.name"),
        ("[[server.transports]]\ntype = 'a'", "server.transports.0.type"),
        ("[[server.transports]]\ntype = 'sse'", "server.transports.0"),
        ("[[server.icons]]\ntheme = 'dark'", "server.icons.0"),
        ("[[outputs]]\ntemplate = 'a'\npath = 'a'", "outputs.0.path"),
        ("[[outputs]]\ntemplate = 'a'\npath = '{name}'\nper = 'project'", "outputs.0.path"),
        ("[[outputs]]\ntemplate = 'a'\npath = '{name}'\nper = 'file'", "outputs.0.per"),
        ("[[outputs]]\ntemplate = '../a'\npath = '{name}'", "outputs.0.template"),
        ("[lint]\nselects = ['D2']", "lint.selects"),
        ("[lint]\nselect = 'D2'", "lint.select"),
        ("[lint]\nignore = [3]", "lint.ignore.0"),
        ("[lint]\nlevels = { D402 = 'fatal' }", "lint.levels.D402"),
        ("[lint]\nperFile = { 'a/*' = 'D2' }", "lint.perFile.a/*"),
    ],
)
def test_wrong_settings_are_flagged(text: str, place: str) -> None:
    assert said_of_project(text)
    (where, _), *_ = faults(OF_PROJECTS, {"tool": {"toolc": document_of("toolc.toml", text)}})
    assert where == f"tool.toolc.{place}"
    assert place in {where for where, _ in faults(OF_PROJECTS, document_of("toolc.toml", text))}


# The schemas themselves


def subschemas(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from subschemas(item)
    elif isinstance(value, list):
        for item in value:
            yield from subschemas(item)


@pytest.mark.parametrize("schema", [DEFINITION, PROJECT])
def test_the_schemas_are_sound_and_need_nothing_else(schema: Any) -> None:
    Draft7Validator.check_schema(schema)
    assert json.loads(json.dumps(schema)) == schema
    for part in subschemas(schema):
        assert str(part.get("$ref", "#")).startswith("#")


def test_every_key_and_setting_is_explained() -> None:
    texts = [str(part.get("description", "")) for part in subschemas([DEFINITION, PROJECT])]
    for meaning in [*(key.meaning for key in KEYS), *(row.meaning for row in SETTINGS)]:
        assert any(text.startswith(meaning) for text in texts), meaning


def test_words_of_the_grammar_are_offered() -> None:
    parameter = DEFINITION["definitions"]["parameter"]["properties"]["type"]
    assert parameter["anyOf"][0]["enum"][: len(SCALARS)] == list(SCALARS)
