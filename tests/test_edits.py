"""Edits of definitions: what is not edited stays as its author wrote it, byte for byte."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc import edits
from toolc.edits import apply
from toolc.loader import load
from toolc.model.document import Document, JsonValue, Pointer, SourceFile

from .written import LAYOUTS, WORDS, Row, Written, definitions, json_definitions


def read(path: str, text: str) -> Document:
    document, found = load(SourceFile(path, text))
    assert document is not None, found
    return document


def value_of(path: str, text: str) -> JsonValue:
    return read(path, text).value


@given(written=definitions(), data=st.data())
def test_a_removed_key_takes_its_lines_and_nothing_else(
    written: Written, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(written.rows) - 1))
    row = written.rows[at]
    comment = (row.comment.lstrip(),) if row.comment else ()
    left = Row((*row.gap, *comment), "", None, "", "", "")
    expected = written._replace(rows=(*written.rows[:at], left, *written.rows[at + 1 :]))
    made = edits.remove(written.document(), (row.key,))
    assert made is not None
    assert apply(written.text, made) == expected.text


@given(written=definitions(), data=st.data())
def test_a_renamed_key_changes_in_its_letters(written: Written, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(written.rows) - 1))
    row = written.rows[at]
    renamed = row._replace(spelling=row.spelling.replace(row.key, "x-other"))
    expected = written._replace(rows=(*written.rows[:at], renamed, *written.rows[at + 1 :]))
    made = edits.rename_key(written.document(), (row.key,), "x-other")
    assert made is not None
    assert apply(written.text, made) == expected.text


@given(written=definitions(), data=st.data())
def test_a_new_value_takes_the_place_of_the_old_one(written: Written, data: st.DataObject) -> None:
    plain = [
        at
        for at, row in enumerate(written.rows)
        if not isinstance(row.value, (list, dict)) and "\n" not in row.written
    ]
    if not plain:
        return
    at = data.draw(st.sampled_from(plain))
    row = written.rows[at]
    replaced = row._replace(written="false")
    expected = written._replace(rows=(*written.rows[:at], replaced, *written.rows[at + 1 :]))
    made = edits.replace_value(written.document(), (row.key,), False)
    assert made is not None
    assert apply(written.text, made) == expected.text


@given(written=definitions(), data=st.data())
def test_a_new_key_stands_behind_another(written: Written, data: st.DataObject) -> None:
    row = data.draw(st.sampled_from(written.rows))
    document = written.document()
    edit = edits.add_key(document, (), "x-new", "true", row.key)
    assert edit is not None
    assert edit.span.start == edit.span.end
    if "\n" not in row.written:
        assert isinstance(document.value, dict)
        after = value_of(written.path, apply(written.text, [edit]))
        assert after == {**document.value, "x-new": True}


@given(json_definitions(), st.data())
def test_json(definition: tuple[JsonValue, str], data: st.DataObject) -> None:
    value, text = definition
    assert isinstance(value, dict)
    document = read("tool.json", text)
    name = data.draw(st.sampled_from([*value]))
    made = edits.remove(document, (name,))
    assert made is not None
    assert value_of("tool.json", apply(text, made)) == {
        key: held for key, held in value.items() if key != name
    }
    edit = edits.add_key(document, (), "x-new", '"text"', name)
    assert edit is not None
    assert value_of("tool.json", apply(text, [edit])) == {**value, "x-new": "text"}
    made = edits.rename_key(document, (name,), "x-new")
    assert made is not None
    assert (
        apply(text, made) == text.replace(f'"{name}"', '"x-new"', 1)
        or name in text[: made[0].span.start]
    )


@given(st.lists(WORDS, min_size=1, unique=True), st.sampled_from(LAYOUTS), st.data())
def test_an_item_leaves_a_list(
    words: list[str], layout: tuple[int | str | None, tuple[str, str]], data: st.DataObject
) -> None:
    indent, separators = layout
    at = data.draw(st.integers(0, len(words) - 1))
    before, after = (
        json.dumps({"x-a": some}, indent=indent, separators=separators, ensure_ascii=False)
        for some in (words, words[:at] + words[at + 1 :])
    )
    made = edits.remove(read("tool.json", before), ("x-a", at))
    assert made is not None
    result = apply(before, made)
    assert value_of("tool.json", result) == value_of("tool.json", after)
    if len(words) > 1:
        assert result == after


HIDDEN = ("\u200b", "\u202e", "\U000e0041")

STYLES = {
    "toml: basic": ("tool.toml", '"{}"', True),
    "toml: literal": ("tool.toml", "'{}'", False),
    "toml: lines": ("tool.toml", '"""\n{}"""', True),
    "toml: literal lines": ("tool.toml", "'''{}\n'''", False),
    "yaml: plain": ("tool.yaml", "q{}q", False),
    "yaml: single": ("tool.yaml", "'it''s {}'", False),
    "yaml: double": ("tool.yaml", '"\\t\\" {}"', True),
    "yaml: block": ("tool.yaml", "|-  # why\n  {}\n\n  more", False),
    "yaml: folded": ("tool.yaml", ">\n   {}\n   more\n", False),
    "json": ("tool.json", '"\\u00e9 \\/ {}"', True),
}


def escaped(letter: str, path: str) -> str:
    if path.endswith(".json"):
        return json.dumps(letter)[1:-1]
    return f"\\u{ord(letter):04x}" if letter < "\uffff" else f"\\U{ord(letter):08x}"


@pytest.mark.parametrize("style", STYLES)
@given(parts=st.lists(WORDS, min_size=2, max_size=4), data=st.data())
def test_letters_leave_a_text(style: str, parts: list[str], data: st.DataObject) -> None:
    path, form, takes_escapes = STYLES[style]
    joints = []
    for _ in parts[1:]:
        hidden = data.draw(st.sampled_from(HIDDEN))
        joints.append(
            escaped(hidden, path) if takes_escapes and data.draw(st.booleans()) else hidden
        )
    joints.append("")
    key = {"toml": "x-t = ", "yaml": "x-t: ", "json": '{"x-t": '}[path[5:]]
    end = "}" if path.endswith(".json") else ""
    before = key + form.format("".join(map("".join, zip(parts, joints, strict=True)))) + end
    after = key + form.format("".join(parts)) + end
    document = read(path, before)
    assert isinstance(document.value, dict)
    text = document.value["x-t"]
    assert isinstance(text, str)
    made = edits.rewrite(
        document, ("x-t",), ["" if letter in HIDDEN else letter for letter in text]
    )
    assert made is not None
    assert apply(before, made) == after


CASES: dict[str, tuple[str, str, Pointer, str]] = {
    "toml: the first of an inline table": ("a.toml", "t = { a = 1, b = 2 }", ("t", "a"), "t = { b = 2 }"),
    "toml: the last of an inline table": ("a.toml", "t = { a = 1, b = 2 }", ("t", "b"), "t = { a = 1 }"),
    "toml: a comment between items": (
        "a.toml",
        "t = [\n  1, # one\n  2, # two\n]\n",
        ("t", 1),
        "t = [\n  1, # one\n  # two\n]\n",
    ),
    "toml: a dotted key": ("a.toml", "t.a = 1\nt.b = 2\n", ("t", "b"), "t.a = 1\n"),
    "toml: under a header": ("a.toml", "[t]\n  a = 1 # a\nb = 2", ("t", "a"), "[t]\n  # a\nb = 2"),
    "yaml: the first behind a dash": (
        "a.yaml",
        "l:\n  - a: 1\n    b: 2 # b\n",
        ("l", 0, "a"),
        "l:\n  - b: 2 # b\n",
    ),
    "yaml: an item": ("a.yaml", "l:\n- a # 1\n- b\n", ("l", 0), "l:\n# 1\n- b\n"),
    "yaml: in braces": ("a.yaml", "{a: 1,\n b: 2}", ("b",), "{a: 1}"),
    "json: the first of several lines": (
        "a.json",
        '{\n  "a": 1,\n  "b": 2\n}\n',
        ("a",),
        '{\n  "b": 2\n}\n',
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_removal(name: str) -> None:
    path, before, pointer, after = CASES[name]
    made = edits.remove(read(path, before), pointer)
    assert made is not None
    assert apply(before, made) == after


REFUSED: dict[str, tuple[str, str, Pointer]] = {
    "a table of TOML": ("a.toml", "[t]\na = 1\n", ("t",)),
    "an alias of YAML": ("a.yaml", "a: &x [1]\nb: *x\n", ("b",)),
    "what is not there": ("a.yaml", "a: 1\n", ("b",)),
    "a comment between it and the key that follows": (
        "a.yaml",
        "l:\n  - a: 1 # a\n    b: 2\n",
        ("l", 0, "a"),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_removed(name: str) -> None:
    path, text, pointer = REFUSED[name]
    assert edits.remove(read(path, text), pointer) is None


def test_headers_are_renamed_wherever_they_mention_the_key() -> None:
    text = "[[in_put]]\nname = 'a'\n[in_put.items] # in_put\n[['in_put']]\nname = 'b'\n"
    made = edits.rename_key(read("a.toml", text), ("in_put",), "input")
    assert made is not None
    assert apply(text, made) == (
        "[[input]]\nname = 'a'\n[input.items] # in_put\n[['input']]\nname = 'b'\n"
    )
