"""Where things stand: every value's place reads back as the value."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
import tomli
import yaml
from hypothesis import given
from hypothesis import strategies as st

from toolc.loader import load
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Document, JsonValue, Pointer, SourceFile

Load: TypeAlias = Callable[[str, str], tuple[Document | None, tuple[Diagnostic, ...]]]

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
NAMES = st.one_of(st.text("abc-_1", min_size=1, max_size=4), TEXTS)
NUMBERS = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False))
JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=12,
)


def document_of(path: str, text: str) -> Document:
    document, diagnostics = load(SourceFile(path, text))
    assert document is not None, (text, diagnostics)
    return document


def pointers(value: JsonValue, pointer: Pointer = ()) -> Iterator[tuple[Pointer, JsonValue]]:
    yield pointer, value
    if isinstance(value, dict):
        for name, child in value.items():
            yield from pointers(child, (*pointer, name))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from pointers(child, (*pointer, index))


# JSON


@given(JSON_VALUES, st.booleans(), st.sampled_from([None, 2, "\t"]), st.sampled_from(["", "\r\n"]))
def test_json_places_read_back(
    value: JsonValue, ascii_only: bool, indent: int | str | None, end: str
) -> None:
    text = end + json.dumps(value, ensure_ascii=ascii_only, indent=indent) + end
    document = document_of("a.json", text)
    assert document.value == value
    for pointer, part in pointers(value):
        place = document.places[pointer]
        assert json.loads(text[slice(*place.value)]) == part
        if pointer and isinstance(pointer[-1], str):
            assert place.key is not None
            assert json.loads(text[slice(*place.key)]) == pointer[-1]
        else:
            assert place.key is None


# TOML: a writer that uses all of the notation

Draw: TypeAlias = st.DrawFn
BLANKS = st.sampled_from(["", " ", "\t"])
LINES = st.sampled_from(["", " ", "\n", " # é]}\n", "\n\n  "])
DOTS = st.sampled_from([".", " . "])


def escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1].replace("\x7f", "\\x7F")


def write_key(draw: Draw, name: str) -> str:
    forms = [f'"{escaped(name)}"']
    if name and all(character in "abc-_1" for character in name):
        forms.append(name)
    if name.isprintable() and "'" not in name:
        forms.append(f"'{name}'")
    return draw(st.sampled_from(forms))


def write_text(draw: Draw, text: str) -> str:
    forms = [f'"{escaped(text)}"', f'"""{escaped(text)}"""']
    if text.isprintable() and "'" not in text:
        forms.append(f"'{text}'")
    # At the beginning of a line, this is what git leaves, and so refused.
    if not text.startswith(("<<<<<<< ", ">>>>>>> ")):
        forms.append(f'"""\n{escaped(text)}"""')
        if text.isprintable() and '"""' not in text:
            doubled = text.replace("\\", "\\\\")
            forms.append(f'"""\n{doubled}"""')
        if text.isprintable() and "'''" not in text:
            forms.append(f"'''\n{text}'''")
    return draw(st.sampled_from(forms))


def write_value(draw: Draw, value: Any) -> str:
    if isinstance(value, str):
        return write_text(draw, value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, list):
        brackets = "[]"
        items = [write_value(draw, item) for item in value]
    else:
        brackets = "{}"
        items = [write_pair(draw, [name], item) for name, item in value.items()]
    spaced = [draw(LINES) + item + draw(LINES) for item in items]
    trailing = draw(st.sampled_from(["", ",", ", # c\n"])) if items else ""
    return brackets[0] + ",".join(spaced) + trailing + draw(LINES) + brackets[1]


def write_pair(draw: Draw, names: list[str], value: Any) -> str:
    key = draw(DOTS).join(write_key(draw, name) for name in names)
    return key + draw(BLANKS) + "=" + draw(BLANKS) + write_value(draw, value)


def write_table(draw: Draw, table: dict[str, Any], path: tuple[str, ...] = ()) -> str:
    """The lines of a table: its pairs, then the tables in it that get a header of their own."""
    pairs, tables = [], []
    for name, value in table.items():
        here = (*path, name)
        header = draw(DOTS).join(write_key(draw, part) for part in here)
        shape = draw(st.sampled_from(["inline", "dotted", "header"]))
        if isinstance(value, dict) and value and shape == "dotted":
            pairs += [write_pair(draw, [name, inner], item) for inner, item in value.items()]
        elif isinstance(value, dict) and shape == "header":
            lines = write_table(draw, value, here)
            if not lines.startswith("[") or draw(st.booleans()):
                lines = f"[{header}]\n{lines}"  # else the table is implied by those in it
            tables.append(lines)
        elif is_tables(value) and shape == "header":
            tables += [f"[[{header}]] # c\n" + write_table(draw, item, here) for item in value]
        else:
            pairs.append(write_pair(draw, [name], value))
    return "\n".join([*pairs, *tables]) + "\n"


def is_tables(value: Any) -> bool:
    return isinstance(value, list) and value != [] and all(isinstance(one, dict) for one in value)


@st.composite
def toml_texts(draw: Draw, table: dict[str, Any]) -> str:
    return write_table(draw, table)


TOML_TABLES = st.dictionaries(
    NAMES,
    st.recursive(
        st.one_of(st.booleans(), NUMBERS, TEXTS),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.dictionaries(NAMES, inner, max_size=3),
            st.lists(st.dictionaries(NAMES, inner, max_size=3), max_size=3),
        ),
        max_leaves=8,
    ),
    min_size=1,
    max_size=4,
)


@given(
    TOML_TABLES.flatmap(lambda table: st.tuples(st.just(table), toml_texts(table))), st.booleans()
)
def test_toml_places_read_back(written: tuple[dict[str, Any], str], crlf: bool) -> None:
    value, text = written
    if crlf:
        text = text.replace("\n", "\r\n")
    document = document_of("a.toml", text)
    assert document.value == value
    assert set(document.places) == {pointer for pointer, _ in pointers(value)}
    for pointer, part in pointers(value):
        place = document.places[pointer]
        shown = text[slice(*place.value)]
        if not isinstance(part, (dict, list)):
            assert tomli.loads(f"x = {shown}") == {"x": part}
        if pointer and isinstance(pointer[-1], str):
            assert place.key is not None
            assert list(tomli.loads(f"{text[slice(*place.key)]} = 1")) == [pointer[-1]]


@pytest.mark.parametrize(
    ("pointer", "key", "value"),
    [
        ((), None, ""),
        (("a",), "a", "1"),
        (("ui",), "ui", "[ui]"),
        (("ui", "v"), "v", "['x', # c\n  2]"),
        (("ui", "v", 1), None, "2"),
        (("p",), "p", "[[p]]"),
        (("p", 0), "p", "[[p]]"),
        (("p", 1), "p", "[[ p ]]"),
        (("p", 1, "n"), "n", "'''\nlong'''"),
        (("p", 1, "s"), '"s"', '[p."s".t]'),
        (("p", 1, "s", "t"), "t", '[p."s".t]'),
        (("p", 1, "s", "t", "d"), "d", "d.e = {f = 1}"),
        (("p", 1, "s", "t", "d", "e"), "e", "{f = 1}"),
        (("p", 1, "s", "t", "d", "e", "f"), "f", "1"),
    ],
)
def test_toml_places_of_tables(pointer: Pointer, key: str | None, value: str) -> None:
    text = (
        "a = 1 # 😀\n[ui] # c\nv = ['x', # c\n  2]\n[[p]]\n[[ p ]]\nn = '''\nlong'''\n"
        '[p."s".t]\nd.e = {f = 1}\n'
    )
    place = document_of("a.toml", text).places[pointer]
    assert text[slice(*place.value)] == value
    assert (place.key and text[slice(*place.key)]) == key


def test_toml_places_end_where_they_would_take_a_minute() -> None:
    way = tuple("a" * 148)
    text = "".join(f"{'.'.join(way)}.k{number} = {number}\n" for number in range(1000))
    document = document_of("a.toml", text)
    assert document.source is not None

    first, last = document.site((*way, "k0")), document.site((*way, "k999"))
    assert first is not None and first.span is not None
    assert last is not None and last.span is not None
    assert document.source.text[slice(*first.span)] == "0"
    # The table around it, whose place is the first mention, stands for what was not scanned.
    assert document.source.line_column(last.span.start)[0] == 1


# YAML


@given(JSON_VALUES, st.sampled_from([True, False, None]), st.booleans(), st.sampled_from([20, 80]))
def test_yaml_places_read_back(
    value: JsonValue, flow: bool | None, unicode: bool, width: int
) -> None:
    """PyYAML writes YAML 1.1, so what is read may differ from what was written: not its places."""
    text = yaml.safe_dump(
        value, default_flow_style=flow, allow_unicode=unicode, width=width, sort_keys=False
    )
    document, diagnostics = load(SourceFile("a.yaml", text))
    if document is None:
        assert {diagnostic.code for diagnostic in diagnostics} <= {"L103", "L107", "L108", "L105"}
        return
    for pointer, part in pointers(document.value):
        place = document.places[pointer]
        if not isinstance(part, (dict, list)):
            assert document_of("a.yaml", f"- {text[slice(*place.value)]}").value == [part]
        if pointer and isinstance(pointer[-1], str):
            assert place.key is not None
            assert document_of("a.yaml", f"- {text[slice(*place.key)]}").value == [pointer[-1]]


@pytest.mark.parametrize(
    ("pointer", "key", "value"),
    [
        ((), None, None),
        (("a",), "a", "1.10"),
        (("é",), "é", "|\n  one\n\n  two"),
        (("b",), "b", "- x\n  - {c: [d]}"),
        (("b", 1), None, "{c: [d]}"),
        (("b", 1, "c", 0), None, "d"),
        (("m",), "m", "p: q"),
        (("n",), "n", "<<: *m\n  r: s"),
        (("n", "p"), "p", "q"),
        (("o",), "o", "p: q"),
        (("empty",), "empty", ""),
    ],
)
def test_yaml_places(loaded: Load, pointer: Pointer, key: str | None, value: str | None) -> None:
    text = (
        "# 😀\na: 1.10 # c\né: |\n  one\n\n  two\n\n# c\nb:\n  - x\n  - {c: [d]}\n\n"
        "m: &m\n  p: q\nn:\n  <<: *m\n  r: s\no: *m\nempty:\n"
    )
    place = document_of("a.yaml", text).places[pointer]
    assert value is None or text[slice(*place.value)] == value
    assert (place.key and text[slice(*place.key)]) == key
