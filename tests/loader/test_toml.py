"""TOML -> value, or what is wrong with it and where."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TypeAlias

import pytest

from toolc.loader import toml
from toolc.loader.toml import FEW
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Document, JsonValue, SourceFile

Load: TypeAlias = Callable[[str, str], tuple[Document | None, tuple[Diagnostic, ...]]]
Said: TypeAlias = Callable[[str, str], list[tuple[str, int, int, str]]]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a = 1\nb = 1.0\nc = true", {"a": 1, "b": 1.0, "c": True}),
        ('a = """\r\nx\r\ny"""', {"a": "x\ny"}),
        ('a = "\\e\\x41"', {"a": "\x1bA"}),
        ("ui = {\n  a = 1, # one\n  b = [2,],\n}", {"ui": {"a": 1, "b": [2]}}),
        ("a = 9223372036854775808", {"a": 9223372036854775808}),
        ("a = 0x1F\nb = 1_000", {"a": 31, "b": 1000}),
        ("a = '2024-01-01'", {"a": "2024-01-01"}),
        ("a.b.c = 1\n[[d]]\n[[d]]\ne = 2", {"a": {"b": {"c": 1}}, "d": [{}, {"e": 2}]}),
    ],
)
def test_value(loaded: Load, text: str, value: JsonValue) -> None:
    document, diagnostics = loaded("a.toml", text)
    assert diagnostics == ()
    assert document is not None and document.value == value


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "\r\n# nothing"])
def test_an_empty_file_is_an_empty_table_with_a_warning(loaded: Load, text: str) -> None:
    document, (diagnostic,) = loaded("a.toml", text)
    assert document is not None and document.value == {}
    assert diagnostic.code == "L111"


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "pointed"),
    [
        # values
        ("a = hello world # c", "L104", 1, 5, "hello world"),
        ("a = [1, hello, 2]", "L104", 1, 9, "hello"),
        ("required = True", "L104", 1, 12, "True"),
        ("a = True story", "L104", 1, 5, "True story"),
        ("a = null", "L104", 1, 5, "null"),
        ("a = “x”", "L104", 1, 5, "“"),
        ("a =", "L104", 1, 4, ""),
        ("a = # x", "L104", 1, 5, "#"),
        ("a = [1,\n", "L104", 2, 1, ""),
        ("a = \x01", "L104", 1, 5, "\x01"),
        ("a = 1 b = 2", "L104", 1, 7, "b"),
        ("a = [1 2]", "L104", 1, 8, "2"),
        ("a = {b=1 c=2}", "L104", 1, 10, "c"),
        ("a = 0755", "L107", 1, 5, "0755"),
        ("a = [1, -01.5]", "L107", 1, 9, "-01.5"),
        # texts
        ('a = "abc\nb = 1', "L104", 1, 9, "\n"),
        ("a = 'x", "L104", 1, 5, "'"),
        ('a = ["", "x', "L104", 1, 10, '"'),
        ('a = """x', "L104", 1, 5, '"""'),
        ("# \"\"\"\na = \"\"\nb = 'it\"'\r\nc = '''x\n\ny = 'z'\n", "L104", 4, 5, "'''"),
        ("a = 'a reader's book'", "L104", 1, 15, "s book'"),
        ("a = ['the readers' books',\n 2]", "L104", 1, 20, "books',"),
        ('a = {b = "say "hi" now"}', "L104", 1, 16, 'hi" now"}'),
        ("a = 'x' b = 'y'", "L104", 1, 9, "b"),
        ('a = "C:\\Users"', "L104", 1, 8, "\\U"),
        ('a = "\\q"', "L104", 1, 6, "\\q"),
        ('a = "\\ud800"', "L103", 1, 6, "\\ud800"),
        ('a = "\\u0000"', "L103", 1, 5, '"\\u0000"'),
        ('"a\\u0000" = 1', "L103", 1, 1, '"a\\u0000"'),
        ('a = "x\rb"', "L104", 1, 7, "\r"),
        ('a = "\\', "L104", 1, 6, "\\"),
        # statements
        ("a: b", "L104", 1, 2, ":"),
        ('x = 1\n  déscription = "x"', "L104", 2, 3, "déscription"),
        ("[a.paramètres]", "L104", 1, 4, "paramètres"),
        ("a = {é-1 = 1}", "L104", 1, 6, "é-1"),
        ("my key = 1", "L104", 1, 4, "key "),
        ("a", "L104", 1, 2, ""),
        ("a. = 1", "L104", 1, 4, "="),
        ('{"a": 1}', "L104", 1, 1, "{"),
        ("// c", "L104", 1, 1, "//"),
        ("[a", "L104", 1, 3, ""),
        ("= 1", "L104", 1, 1, "="),
        ("\ufeff\ufeffa = 1", "L104", 1, 1, "\ufeff"),
        ("“a” = 1", "L104", 1, 1, "“"),
        # what JSON does not have
        ("x = 1\nday = 2024-01-01", "L106", 2, 7, "2024-01-01"),
        ("a = [{b = 2024-01-01 10:00:00}]", "L106", 1, 11, "2024-01-01 10:00:00"),
        ("a = 07:32:00", "L106", 1, 5, "07:32:00"),
        ("a = -inf", "L106", 1, 5, "-inf"),
        ("a = 1e400", "L106", 1, 5, "1e400"),
        ("a = " + "9" * 4301, "L106", 1, 5, "9" * 4301),
        ("a = 0x" + "f" * 4000, "L106", 1, 5, "0x" + "f" * 4000),
        # limits
        ("a = " + "[" * 200 + "]" * 200, "L109", 1, 204, "["),
        ("a = " + "[" * 3000, "L109", 1, 204, "["),
        (".".join("a" * 201) + " = 1", "L109", 1, 401, "a"),
        (".".join("a" * 2000) + " = 1", "L109", 1, 401, "a"),
        ("[" + ".".join("a" * 200) + "]", "L109", 1, 400, "a"),
        # places count code points, and CRLF as two
        ("😀é = 1", "L104", 1, 1, "😀é"),
        ('a = "😀" # 😀\r\n\r\nb = "😀" c', "L104", 3, 9, "c"),
    ],
)
def test_error(said: Said, text: str, code: str, line: int, column: int, pointed: str) -> None:
    assert said("a.toml", text) == [(code, line, column, pointed)]


def test_depth_is_read_up_to_the_limit(loaded: Load) -> None:
    for text in ("a = " + "[" * 199 + "]" * 199, ".".join("a" * 200) + " = 1"):
        document, diagnostics = loaded("a.toml", text)
        assert document is not None and diagnostics == ()


@pytest.mark.parametrize(
    ("text", "firsts_and_seconds"),
    [
        ("a = 1\na = 2", [((1, 1), (2, 1))]),
        ("a = 1\n\r\n'a' = 2\na = 3", [((1, 1), (3, 1)), ((1, 1), (4, 1))]),
        ("a = 1\na.b = 2", [((1, 1), (2, 1))]),
        ("a.b = 1\na = 2", [((1, 1), (2, 1))]),
        ("[ui]\nx = 1\n[ui]\ny = 2", [((1, 2), (3, 2))]),
        ("a = {x = 1, x = 2}\nb = 1\nb = {x = 1}", [((1, 6), (1, 13)), ((2, 1), (3, 1))]),
        ("a = {x = 1}\na = {x = 1}", [((1, 1), (2, 1))]),
        ("[a]\nb = 1\n[a.b]", [((2, 1), (3, 4))]),
        ("[a.b]\n[a]\nb.c = 1", [((1, 4), (3, 1))]),
        ("parameters = []\n[[parameters]]", [((1, 1), (2, 3))]),
        ("[[a]]\nx = 1\nx = 2\n[[a]]\nx = 1", [((2, 1), (3, 1))]),
        ("a.b = 1\n[a]", [((1, 1), (2, 2))]),
    ],
)
def test_duplicates_show_both_places(
    loaded: Load,
    text: str,
    firsts_and_seconds: list[tuple[tuple[int, int], tuple[int, int]]],
) -> None:
    source = SourceFile("a.toml", text)
    document, diagnostics = loaded("a.toml", text)
    assert document is None
    found = []
    for diagnostic in diagnostics:
        assert diagnostic.code == "L105"
        (related,) = diagnostic.related
        assert diagnostic.site and diagnostic.site.span and related.site.span
        first, second = related.site.span.start, diagnostic.site.span.start
        found.append((source.line_column(first), source.line_column(second)))
    assert found == firsts_and_seconds


def test_a_date_shows_its_quoted_form(loaded: Load) -> None:
    _, (day, ratio) = loaded("a.toml", "day = 1979-05-27T07:32:00Z\n[x]\nratio = nan")
    assert day.message == '"day" is 1979-05-27T07:32:00Z, and JSON has no dates and times'
    assert day.hint == 'write "1979-05-27T07:32:00Z" for a text'
    assert ratio.message == '"ratio" is nan, and JSON has finite numbers only'
    assert ratio.pointer == ("x", "ratio")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("required = yes", 'write true, or "yes" for a text'),
        ("required = [Off, 1]", 'write false, or "Off" for a text'),
        ("a = no further notice", 'write "no further notice"'),
        ("déscription = 1", 'put it in quotes: "déscription"'),
        ("a = 'it's'", "put the text in double quotes, where an apostrophe may stand"),
        ('[[examples]] prompt = "x"', "put it on a line of its own"),
        ('title = "a" description = "b"', "put it on a line of its own"),
        (
            "[examples]]",
            "remove it; one of a list of tables is [[name]], with two on both sides",
        ),
        (
            'keywords = ["a"]]',
            "remove it; one of a list of tables is [[name]], with two on both sides",
        ),
        (
            'title = "a" or b',
            "put the whole value in quotes, or what follows on a line of its own",
        ),
    ],
)
def test_hint(loaded: Load, text: str, hint: str) -> None:
    assert loaded("a.toml", text)[1][0].hint == hint


@pytest.mark.parametrize(
    ("text", "name", "places"),
    [
        ("[p]\na = 1\n[p]\na = 2\n[p]\na = 3", "p", [(1, 11), (1, 21)]),
        ("[[p]]\n[p]", "p", [(2, 7)]),
        ("[p]\n[[p]]", "p", [(1, 6)]),
        ('[a."é b"]\n[a."é b"]', 'a."é b"', [(3, 13)]),
    ],
)
def test_a_table_that_stands_twice_may_be_meant_as_a_list(
    loaded: Load, text: str, name: str, places: list[tuple[int, int]]
) -> None:
    _, diagnostics = loaded("a.toml", text)
    found = []
    for diagnostic in diagnostics:
        assert diagnostic.code == "L105"
        assert diagnostic.message == f"the table [{name}] stands twice"
        assert f"write [[{name}]] with double brackets" in diagnostic.hint
        assert diagnostic.site and diagnostic.site.span
        found.append((diagnostic.related[0].site.span[0], diagnostic.site.span.start))  # type: ignore[index]
    assert found == places


@pytest.mark.parametrize("first", [0, FEW], ids=["toml_rs, if it is there", "tomli"])
def test_what_somebody_knows_is_not_looked_through(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toml, "FEW", first)
    monkeypatch.setattr(toml, "_parsed", count())
    asked = []

    def know(value: JsonValue) -> bool:
        asked.append(value)
        return True

    assert toml.parse("a = nan", know)[1] == []
    assert len(asked) == 1
    # Only the text shows some of it, and then nobody is asked.
    assert [found.code for found in toml.parse('a = "\\u0000"', know)[1]] == ["L103"]
    assert [found.code for found in toml.parse("", know)[1]] == ["L111"]
    assert len(asked) == 1
