"""The example's handlers, called with real arguments and a data folder of their own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from toolc.model.tool import Tool
from toolc_runtime import ToolError

Call: TypeAlias = "Callable[..., Any]"
"""A tool's name and arguments -> what its handler answers."""

FAR = "2999-12-04T09:30:00+01:00"


def refusal(call: Call, name: str, **arguments: Any) -> str:
    """The code of the error that a call ends in."""
    with pytest.raises(ToolError) as raised:
        call(name, **arguments)
    return raised.value.code


def test_exact_examples_hold(call: Call, tools: dict[str, Tool]) -> None:
    exact = [
        (tool.name, example)
        for tool in tools.values()
        for example in tool.facts.examples
        if example.exact
    ]
    assert exact
    for name, example in exact:
        assert call(name, **(example.arguments or {})) == example.result


# The notebook


def test_a_note_is_found_by_its_words(call: Call) -> None:
    note = call("add_note", title="Dentist moved to Friday", text="ÄRZTEHAUS, second floor")
    call("add_note", title="Gardens as rooms", fields={"page": 12})
    found = call("find_notes", words=["ärztehaus", "friday"])
    assert [row["id"] for row in found["notes"]] == [note["id"]]
    assert found["notes"][0]["preview"].startswith("Dentist moved to Friday: ")
    assert call("find_notes", words=["gardens"])["notes"][0]["fields"] == {"page": 12}


@pytest.mark.parametrize("word", ["%", "' OR 1=1 --", "_entist"])
def test_a_word_is_only_a_word(call: Call, word: str) -> None:
    call("add_note", title="Dentist")
    assert call("find_notes", words=[word]) == {"notes": []}


def test_notes_are_found_by_the_day_of_their_change(call: Call) -> None:
    day = call("add_note", title="today")["created"][:10]
    assert len(call("find_notes", words=["today"], **{"from": day, "to": day})["notes"]) == 1
    assert call("find_notes", words=["today"], **{"from": "2999-01-01"})["notes"] == []


def test_notebooks_are_apart(call: Call) -> None:
    call("add_note", title="mine", notebook="garden")
    assert call("find_notes", words=["mine"])["notes"] == []


def test_an_update_tells_null_from_absence(call: Call) -> None:
    note = call("add_note", title="Dentist", due=FAR)["id"]
    assert call("update_note", id=note, title="Dentist on Friday") == {"changed": ["title"]}
    assert [row["due"] for row in call("summarize_notebook")["due"]] == [FAR]
    assert call("update_note", id=note, due=None) == {"changed": ["due"]}
    assert call("summarize_notebook")["due"] == []
    assert call("update_note", id=note, due=None) == {"changed": []}
    assert refusal(call, "update_note", id="n999", text="") == "NOT_FOUND"


def test_a_summary_puts_urgent_notes_first(call: Call) -> None:
    call("add_note", title="soon", due="2998-01-01T00:00:00Z", tags=["a", "b"])
    urgent = call("add_note", title="urgent", due=FAR, remindBefore=60, priority="high", tags=["a"])
    summary = call("summarize_notebook", minShare=0.6)
    assert [row["title"] for row in summary["due"]] == ["urgent", "soon"]
    assert summary["due"][0]["remindAt"] == "2999-12-04T08:30:00+01:00"
    assert (summary["total"], summary["tags"]) == (2, {"a": 2})
    assert summary["newest"] == urgent["id"]


def test_a_full_notebook_takes_no_note(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generated.handlers._notebook.MOST_NOTES", 1)
    call("add_note", title="one")
    assert refusal(call, "add_note", title="two") == "NOTEBOOK_FULL"


def test_an_export_tells_its_progress(call: Call, context: Any) -> None:
    for title in ("one", "two"):
        call("add_note", title=title, text="text")
    exported = call("export_notes", path="out/notes.json", format="json", pretty=True)
    rows = json.loads(call("read_file", path="out/notes.json"))
    assert [row["title"] for row in rows] == ["two", "one"]
    assert exported["notes"] == 2
    assert context.told == [(2, 2, "notes written")]
    assert ("warning", '"pretty" has no effect any more', {}) in context.logged
    call("export_notes", path="notes.md", limit=1)
    assert call("read_file", path="notes.md") == "# two\n\ntext\n"


# Files


def test_a_file_comes_back_as_it_was_written(call: Call) -> None:
    text = "one\r\ntwo\nthree"
    call("write_file", path="a/b.txt", content=text, frontMatter={"title": 'say "hi": #'})
    head = '---\n"title": "say \\"hi\\": #"\n---\n'
    assert call("read_file", path="a/b.txt") == head + text
    assert call("read_file", path="a/b.txt", lines={"first": 5, "last": 5}) == "two"
    assert refusal(call, "read_file", path="a/b.txt", lines={"first": 5, "last": 4})


def test_rows_become_csv(call: Call) -> None:
    rows = [["article", "price"], ["tea, green", 3.5], [None, True]]
    call("write_file", path="prices.csv", content=rows)
    assert call("read_file", path="prices.csv") == 'article,price\n"tea, green",3.5\n,true\n'


def test_a_file_is_replaced_only_when_asked(call: Call, data: Path) -> None:
    call("write_file", path="a.txt", content="one")
    assert refusal(call, "write_file", path="a.txt", content="two") == "ALREADY_EXISTS"
    call("write_file", path="a.txt", content="three", overwrite=True)
    assert call("read_file", path="a.txt") == "three"
    assert sorted(os.listdir(data / "files")) == ["a.txt", "welcome.md"]


def test_a_new_folder_has_a_file_to_read(call: Call) -> None:
    assert call("read_file", path="welcome.md").startswith("# The sandbox folder\n")
    call("write_file", path="welcome.md", content="mine", overwrite=True)
    assert call("read_file", path="welcome.md") == "mine"


def test_a_picture_is_a_picture(call: Call, data: Path) -> None:
    call("write_file", path="a.txt", content="")
    (data / "files" / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (data / "files" / "a.bin").write_bytes(b"\xff\xfe\x00")
    picture = call("read_file", path="a.png")
    assert (picture.type, picture.mime_type) == ("image", "image/png")
    assert refusal(call, "read_file", path="a.bin") == "NOT_TEXT"


@pytest.mark.parametrize(
    "path",
    [
        "",
        "..",
        "../notes.sqlite3",
        "/etc/passwd",
        "a/../../notes.sqlite3",
        "a//b",
        "a\\b",
        "C:b",
        ".hidden",
        "a\nb",
        "a\n",
        "nul\0",
        "folder",
        "file/inside",
        "inward",
        "outward",
        "outward/notes.sqlite3",
        "circle",
        "circle/inside",
        "pipe",
        "/".join("abcdefghij"),
    ],
)
def test_no_path_leads_out_of_the_sandbox(data: Path, path: str) -> None:
    from generated.handlers import _sandbox

    files = data / "files"
    (files / "folder").mkdir(parents=True)
    (files / "file").write_bytes(b"file")
    (files / "inward").symlink_to(files / "file")
    (files / "outward").symlink_to(data)
    (files / "circle").symlink_to(files / "circle")
    os.mkfifo(files / "pipe")
    (data / "notes.sqlite3").write_bytes(b"secret")
    for action in (
        lambda: _sandbox.read_bytes(path),
        lambda: _sandbox.write_bytes(path, b"", overwrite=False),
        lambda: _sandbox.write_bytes(path, b"", overwrite=path != "pipe"),
    ):
        with pytest.raises(ToolError) as raised:
            action()
        assert raised.value.code in ("PERMISSION_DENIED", "NOT_FOUND", "ALREADY_EXISTS")
    assert (data / "notes.sqlite3").read_bytes() == b"secret"
    assert (files / "file").read_bytes() == b"file"


def test_sizes_are_bounded(call: Call, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from generated.handlers import _sandbox

    assert refusal(call, "write_file", path="a.txt", content="ä" * 131_073) == "TOO_LARGE"
    call("write_file", path="a.txt", content="a" * 200_000)
    assert refusal(call, "read_file", path="a.txt") == "TOO_LARGE"
    (data / "files" / "a.txt").write_bytes(b"a" * (_sandbox.LARGEST_READ + 1))
    assert refusal(call, "read_file", path="a.txt", lines={"last": 1}) == "TOO_LARGE"
    monkeypatch.setattr(_sandbox, "MOST_FILES", 1)
    assert refusal(call, "write_file", path="b.txt", content="") == "TOO_LARGE"
    call("write_file", path="a.txt", content="", overwrite=True)


# Texts, dates and units


def test_an_outline_skips_what_is_no_heading(call: Call) -> None:
    text = "## First\n```\n# code\n```\n    # code\n#tag\n#### Deep ####\n# C#\n####### seven"
    assert call("outline-text", text=text) == {
        "sections": [
            {"title": "First", "line": 1, "sections": []},
            {"title": "C#", "line": 8, "sections": []},
        ]
    }


def test_a_template_is_filled_with_values_only(call: Call) -> None:
    filled = call("fill_template", template="{{{a}}} {b} {c}", a="{b}", b=3, c=True)
    assert filled == {"text": "{{b}} 3 true"}
    assert refusal(call, "fill_template", template="{a} {template}", a=1) == "MISSING_VALUE"
    assert refusal(call, "fill_template", template="{a}" * 60, a="a" * 2_000) == "TOO_LARGE"


def test_dates_end_with_the_calendar(call: Call) -> None:
    assert call("list_dates", start="9999-12-30", unit="days") == ["9999-12-30", "9999-12-31"]
    assert call("list_dates", start="2026-01-01", until="2025-01-01") == []
    assert refusal(call, "list_dates", start="0000-01-01") == "INVALID_INPUT"


def test_units_of_different_quantities_do_not_convert(call: Call) -> None:
    assert refusal(call, "convert_units", value=1, **{"from": "m", "to": "kg"})
    assert refusal(call, "convert_units", value=1e308, **{"from": "km", "to": "mm"})


def test_every_unit_of_the_definition_is_known(tools: dict[str, Tool]) -> None:
    from generated.handlers.convert_units import UNITS

    properties: Any = tools["convert_units"].input_schema["properties"]
    assert list(UNITS) == properties["from"]["enum"]


def test_the_default_data_folder_is_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from generated.handlers import _storage

    monkeypatch.delenv("NOTEBOOK_DATA", raising=False)
    monkeypatch.setattr(_storage, "gettempdir", lambda: str(tmp_path))
    folder = _storage.data_folder()
    assert folder.parent == tmp_path and folder.stat().st_mode & 0o077 == 0
    folder.rmdir()
    folder.symlink_to(tmp_path)
    with pytest.raises(PermissionError, match="NOTEBOOK_DATA"):
        _storage.data_folder()
