"""Definitions as authors write them, for property tests: quotes, comments, line ends, layout."""

from __future__ import annotations

import json
from typing import NamedTuple

from hypothesis import strategies as st

from toolc.loader import load
from toolc.model.document import Document, JsonValue, SourceFile

WORDS = st.text("abé €x y", min_size=1, max_size=12).map(str.strip).filter(bool)
COMMENTS = st.sampled_from(["", " # note", "  # a: [b] = \"c\" 'd'", "\t#"])
ENDS = st.sampled_from(["\n", "\r\n"])
GAPS = st.sampled_from([(), ("",), ("# about", "#"), ("", "  # indented = {"), ("# é",)])


class Row(NamedTuple):
    """A key of a definition, and the lines that it is written in."""

    gap: tuple[str, ...]
    """Lines of comments and blanks above it."""
    key: str
    value: JsonValue
    written: str
    """The value; its lines are separated by a line feed."""
    comment: str
    spelling: str
    """The key as it is written, quotes and all."""


class Written(NamedTuple):
    path: str
    rows: tuple[Row, ...]
    newline: str
    has_end: bool

    @property
    def text(self) -> str:
        sign = ": " if self.path.endswith(".yaml") else " = "
        lines: list[str] = []
        for row in self.rows:
            lines += row.gap
            if row.spelling:
                lines += f"{row.spelling}{sign}{row.written}{row.comment}".split("\n")
        return self.newline.join(lines) + (self.newline if self.has_end else "")

    def document(self) -> Document:
        document, _ = load(SourceFile(self.path, self.text))
        assert document is not None
        return document


def _toml_values() -> st.SearchStrategy[tuple[JsonValue, str]]:
    return st.one_of(
        st.booleans().map(lambda value: (value, json.dumps(value))),
        st.integers(0, 99).map(lambda value: (value, str(value))),
        WORDS.map(lambda text: (text, f'"{text}"')),
        WORDS.map(lambda text: (text, f"'{text}'")),
        WORDS.map(lambda text: (text, f'"""\n{text}"""')),
        st.lists(WORDS, max_size=3).map(lambda some: (some, json.dumps(some, ensure_ascii=False))),
        st.lists(WORDS, min_size=1, max_size=3).map(
            lambda some: (some, "[\n" + "".join(f"  '{one}', # , ]\n" for one in some) + "]")
        ),
        WORDS.map(lambda text: ({"a": text, "b": True}, f"{{ a = '{text}', b = true }}")),
    )


def _yaml_values() -> st.SearchStrategy[tuple[JsonValue, str]]:
    return st.one_of(
        st.booleans().map(lambda value: (value, json.dumps(value))),
        st.integers(0, 99).map(lambda value: (value, str(value))),
        WORDS.map(lambda text: (text, text)),
        WORDS.map(lambda text: (text, f'"{text}"')),
        WORDS.map(lambda text: (text, f"'{text}'")),
        WORDS.map(lambda text: (f"{text}\nend\n", f"|\n  {text}\n  end")),
        WORDS.map(lambda text: (f"{text} end", f">-\n   {text}\n   end")),
        st.lists(WORDS, max_size=3).map(lambda some: (some, json.dumps(some, ensure_ascii=False))),
        st.lists(WORDS, min_size=1, max_size=3).map(
            lambda some: (some, "".join(f"\n  - '{one}'" for one in some))
        ),
        WORDS.map(lambda text: ({"a": text, "b": True}, f"{{a: '{text}', b: true}}")),
    )


@st.composite
def definitions(draw: st.DrawFn) -> Written:
    """A flat TOML or YAML definition of keys that may hold anything: `x-one`, `x-two`, …"""
    notation = draw(st.sampled_from(["toml", "yaml"]))
    values = _toml_values() if notation == "toml" else _yaml_values()
    rows: list[Row] = []
    for name in draw(
        st.lists(st.sampled_from(["x-one", "x-two", "x-three", "x-four"]), min_size=2, unique=True)
    ):
        value, written = draw(values)
        # Nothing but its text can stand behind the last line of a block.
        is_block = written.startswith(("|", ">"))
        comment = "" if is_block else draw(COMMENTS)
        gap = draw(GAPS)
        if rows and rows[-1].written.startswith(("|", ">")):
            gap = tuple(map(str.strip, gap))  # what is indented would be the block's
        spelling = draw(st.sampled_from([name, f'"{name}"', f"'{name}'"]))
        rows.append(Row(gap, name, value, written, comment, spelling))
    return Written(f"tool.{notation}", tuple(rows), draw(ENDS), draw(st.booleans()))


LAYOUTS = (
    (None, (", ", ": ")),
    (None, (",", ":")),
    (2, (",", ": ")),
    ("\t", (",", " : ")),
)


@st.composite
def json_definitions(draw: st.DrawFn) -> tuple[JsonValue, str]:
    """A JSON definition's value and text."""
    values: st.SearchStrategy[JsonValue] = st.one_of(st.booleans(), WORDS, st.lists(WORDS))
    names = st.sampled_from(["x-one", "x-two", "x-three"])
    value = draw(st.dictionaries(names, values | st.dictionaries(names, values), min_size=2))
    indent, separators = draw(st.sampled_from(LAYOUTS))
    text = json.dumps(value, indent=indent, separators=separators, ensure_ascii=False)
    end = draw(st.sampled_from(["", "\n"]))
    newline = draw(ENDS)
    return value, (text + end).replace("\n", newline)
