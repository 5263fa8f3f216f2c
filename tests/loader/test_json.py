"""JSON -> value, or what is wrong with it and where."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from toolc.loader import parse_json_text
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Document, JsonValue

Load: TypeAlias = Callable[[str, str], tuple[Document | None, tuple[Diagnostic, ...]]]
Said: TypeAlias = Callable[[str, str], list[tuple[str, int, int, str]]]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (' \n\t{"a": [1, 1.0, -0.5e3, true, null]}\r\n', {"a": [1, 1.0, -500.0, True, None]}),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ('"\\ud83d\\udee0"', "🛠"),
        ("[" * 200 + "]" * 200, None),
    ],
)
def test_value(loaded: Load, text: str, value: JsonValue) -> None:
    document, diagnostics = loaded("a.json", text)
    assert diagnostics == ()
    assert document is not None
    if value is not None:
        assert document.value == value


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "pointed"),
    [
        ("", "L104", 1, 1, ""),
        (" \r\n", "L104", 1, 1, ""),
        # what other notations allow
        ('{"a": 1,}', "L104", 1, 8, ","),
        ("[1,\n 2,\n]", "L104", 2, 3, ","),
        ('{"a": 1} // c', "L104", 1, 10, "// c"),
        ('{"a": /* c */ 1}', "L104", 1, 7, "/* c */"),
        ("# c\n{}", "L104", 1, 1, "# c"),
        ("{'a': 1}", "L104", 1, 2, "'a'"),
        ("{a: 1}", "L104", 1, 2, "a"),
        ('{"a": yes}', "L104", 1, 7, "yes"),
        ('{"a": True}', "L104", 1, 7, "True"),
        ('{"a": None}', "L104", 1, 7, "None"),
        ('{"a": “x”}', "L104", 1, 7, "“"),
        ('{"a": 2024-01-01}', "L104", 1, 7, "2024-01-01"),
        # numbers
        ('{"a": 0755}', "L107", 1, 7, "0755"),
        ("[-01]", "L107", 1, 2, "-01"),
        ("[+1]", "L104", 1, 2, "+1"),
        ("[.5]", "L104", 1, 2, ".5"),
        ("[1.]", "L104", 1, 2, "1."),
        ("[0x1F]", "L104", 1, 2, "0x1F"),
        ('{"a": NaN}', "L106", 1, 7, "NaN"),
        ('["NaN", -Infinity]', "L106", 1, 9, "-Infinity"),
        ("[1e400]", "L106", 1, 2, "1e400"),
        ("[" + "1" * 4301 + "]", "L106", 1, 2, "1" * 4301),
        # strings
        ('{"a": "x}', "L104", 1, 7, '"'),
        ('["x\ny"]', "L104", 1, 4, "\n"),
        ('{"a": "say "hi" now"}', "L104", 1, 13, 'hi" now"}'),
        ('["\\q"]', "L104", 1, 3, "\\"),
        ('["a\\ud800b"]', "L103", 1, 2, '"a\\ud800b"'),
        ('{"\\u0000": 1}', "L103", 1, 2, '"\\u0000"'),
        # structure
        ('{"a": 1 "b": 2}', "L104", 1, 9, '"b"'),
        ('{"a" 1}', "L104", 1, 6, "1"),
        ('{"a": }', "L104", 1, 7, "}"),
        ("[1,, 2]", "L104", 1, 4, ","),
        ('{"a": [1', "L104", 1, 9, ""),
        ("},", "L104", 1, 1, "}"),
        ('{"a": 1}}', "L104", 1, 9, "}"),
        ('{"a": 1}\n{"b": 2}', "L104", 2, 1, "{"),
        ('{"a": 1} x', "L104", 1, 10, "x"),
        # limits
        ("[" * 201 + "]" * 201, "L109", 1, 201, "["),
        ("[" * 100_000, "L109", 1, 201, "["),
        # places count code points
        ('{"😀é": ["🛠", nan]}', "L104", 1, 14, "nan"),
    ],
)
def test_error(said: Said, text: str, code: str, line: int, column: int, pointed: str) -> None:
    assert said("a.json", text) == [(code, line, column, pointed)]


def test_all_duplicates_and_all_numbers_are_said_at_once(said: Said) -> None:
    text = '{"a": {"b": 1, "b": 2}, "c": NaN,\n "a": 1e999}'
    assert said("a.json", text) == [
        ("L105", 1, 16, '"b"'),
        ("L105", 2, 2, '"a"'),
        ("L106", 1, 30, "NaN"),
        ("L106", 2, 7, "1e999"),
    ]


def test_a_duplicate_shows_both_places(loaded: Load) -> None:
    _, (diagnostic,) = loaded("a.json", '{"x": {"id": 1, "\\u0069d": 2}}')
    assert diagnostic.message == 'the key "id" stands twice'
    assert diagnostic.pointer == ("x", "id")
    assert diagnostic.site is not None and diagnostic.site.span == (16, 25)
    assert [related.site.span for related in diagnostic.related] == [(7, 11)]


def test_json_text_inside_a_string() -> None:
    assert parse_json_text('{"default": null}') == ({"default": None}, None)
    value, problem = parse_json_text('{"default": null,}')
    assert value is None
    assert problem is not None and problem.span == (16, 17)
    assert problem.message == "a comma stands before the closing bracket"
    assert parse_json_text("\ud800")[1] is not None
