"""The example's definitions: flawless, and between them they show the whole format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from toolc.builder.keys import KEYS, Level
from toolc.builder.project import read_project
from toolc.loader import SUFFIXES, load
from toolc.model.document import SourceFile
from toolc.model.tool import Tool
from toolc.pipeline import Program

FORMS = ["string", "int", "number", "bool", "object", "any", "null", "array:", "map:", "|", "("]
NAMED_TABLES = {
    (Level.FILE, "fragments"): Level.FRAGMENT,
    (Level.FILE, "types"): Level.PARAMETER,
}
HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]


def test_nothing_is_to_be_said_of_them(program: Program) -> None:
    assert program.diagnostics == ()
    assert 8 <= len(program.tools) <= 12


def test_nothing_is_to_be_said_of_the_project_file(root: Path) -> None:
    text = (root / "toolc.toml").read_text(encoding="utf-8")
    document, problems = load(SourceFile("toolc.toml", text))
    assert document is not None
    project, findings = read_project(document)
    assert (problems, findings) == ((), ())
    assert (root / project.server.ui_dir / "notebook" / "overview.html").is_file()


def test_they_use_every_key_of_the_format(sources: dict[str, str]) -> None:
    written: set[tuple[Level, str]] = set()
    for value in documents(sources).values():
        is_file = "tools" in value or "types" in value
        written.update(keys_in(value, Level.FILE if is_file else Level.TOOL))
    assert [
        (key.level.value, key.name) for key in KEYS if (key.level, key.name) not in written
    ] == []


def test_they_use_every_form_of_type(sources: dict[str, str]) -> None:
    texts = " ".join(
        text
        for value in documents(sources).values()
        for key, text in strings_in(value)
        if key in ("type", "additionalProperties")
    )
    for form in FORMS:
        assert form in texts
    for shared_type in ("NoteId", "Section"):
        assert shared_type in texts


def test_they_use_every_notation(sources: dict[str, str]) -> None:
    counts = {suffix: sum(path.endswith(suffix) for path in sources) for suffix in SUFFIXES}
    assert counts[".toml"] >= 2 and counts[".yaml"] >= 2 and counts[".json"] >= 2


def test_each_tool_says_what_a_client_needs(tools: dict[str, Tool]) -> None:
    for tool in tools.values():
        assert set(HINTS) <= set(tool.annotations or {}), tool.name
        assert tool.title and tool.description and tool.facts.keywords and tool.facts.kind
        assert tool.output_schema is not None or tool.facts.content
        assert tool.facts.examples


def documents(sources: dict[str, str]) -> dict[str, dict[str, Any]]:
    found = {}
    for path, text in sources.items():
        if path.endswith(SUFFIXES):
            document, _ = load(SourceFile(path, text))
            assert document is not None and isinstance(document.value, dict)
            found[path] = document.value
    return found


def keys_in(table: dict[str, Any], level: Level) -> Iterator[tuple[Level, str]]:
    """The keys of a table and of the tables in it, each with the level that it stands on."""
    for name, value in table.items():
        yield level, name
        key = level.known.get(name)
        if key is not None and key.table is not None:
            for row in value if isinstance(value, list) else [value]:
                yield from keys_in(row, key.table)
        elif (level, name) in NAMED_TABLES:
            for row in value.values():
                yield from keys_in(row, NAMED_TABLES[level, name])


def strings_in(value: Any) -> Iterator[tuple[str, str]]:
    """Every string in a JSON value, with the key that it stands behind."""
    for key, child in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(child, str):
            yield str(key), child
        elif isinstance(child, (dict, list)):
            yield from strings_in(child)
