"""YAML -> value by the 1.2 core schema, or what is wrong with it and where."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest
import yaml

from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Document, JsonValue, Span

Load: TypeAlias = Callable[[str, str], tuple[Document | None, tuple[Diagnostic, ...]]]
Said: TypeAlias = Callable[[str, str], list[tuple[str, int, int, str]]]


@pytest.fixture(params=["libyaml", "python"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every case of this file runs with both of PyYAML's parsers."""
    if request.param == "libyaml" and not yaml.__with_libyaml__:
        pytest.skip("PyYAML was built without libyaml")
    if request.param == "python":
        from toolc.loader import yaml as loader

        monkeypatch.setattr(loader, "EventSource", yaml.BaseLoader)
    return str(request.param)


@pytest.mark.parametrize(
    ("plain", "value"),
    [
        *[(word, word) for word in ("yes", "no", "on", "off", "y", "n", "Yes", "NO")],
        *[(word, True) for word in ("true", "True", "TRUE")],
        *[(word, False) for word in ("false", "False", "FALSE")],
        *[(word, None) for word in ("null", "Null", "NULL", "~", "")],
        ("tRUE", "tRUE"),
        ("2024-01-01", "2024-01-01"),
        ("2024-01-01 10:00:00", "2024-01-01 10:00:00"),
        ("12:30", "12:30"),
        ("01:30", "01:30"),
        ("1_000", "1_000"),
        ("0b11", "0b11"),
        ("0o17", 15),
        ("0x1F", 31),
        ("-12", -12),
        ("+12", 12),
        ("0", 0),
        ("-0", 0),
        ("1e3", 1000.0),
        ("1.10", 1.1),
        (".5", 0.5),
        ("-1.", -1.0),
        ("0.5", 0.5),
        ("1.2.3", "1.2.3"),
        (".", "."),
        ("=", "="),
        ("12345678901234567890123", 12345678901234567890123),
        ("'yes'", "yes"),
        ('"0755"', "0755"),
        ("'1'", "1"),
        ("|\n  1", "1"),
        (">-\n  true\n", "true"),
        ("a#b", "a#b"),
    ],
)
def test_scalar(loaded: Load, plain: str, value: JsonValue) -> None:
    document, diagnostics = loaded("a.yaml", f"k: {plain}")
    assert diagnostics == ()
    assert document is not None and document.value == {"k": value}
    assert type(document.value["k"]) is type(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on: 1\nyes: 2", {"on": 1, "yes": 2}),
        ("- a\n- [b, {c: d}]\n-\n", ["a", ["b", {"c": "d"}], None]),
        ("a: 1\n...\n", {"a": 1}),
        ("%YAML 1.2\n---\na: 1", {"a": 1}),
        ("text", "text"),
        ("a: \ufeffb", {"a": "\ufeffb"}),
        # line ends in YAML 1.1, characters of a text in 1.2
        ("a: x\u2028y\nb\x85: 'x\u2028 y'", {"a": "x\u2028y", "b\x85": "x\u2028 y"}),
        ("a: |\n  x\u2029y\x85\n  z\nb: \ue000", {"a": "x\u2029y\x85\nz\n", "b": "\ue000"}),
        ('a: "x\u2028\\L\\_"', {"a": "x\u2028\u2028\xa0"}),
        ('{"a": "\\/", "b": [1.5, null]}', {"a": "/", "b": [1.5, None]}),
        # aliases are copies, keys too
        ("a: &x {b: [1]}\nc: *x", {"a": {"b": [1]}, "c": {"b": [1]}}),
        ("- &k foo\n- {*k : bar}", ["foo", {"foo": "bar"}]),
        ("- &a x\n- &a y\n- *a", ["x", "y", "y"]),
        # merges: what is written out wins, then the earlier
        ("x: &x {a: 1, b: 2}\ny: {<<: *x, a: 9}", {"x": {"a": 1, "b": 2}, "y": {"b": 2, "a": 9}}),
        (
            "- &x {a: 1}\n- &y {a: 2, b: 3}\n- {c: 0, <<: [*x, *y]}",
            [{"a": 1}, {"a": 2, "b": 3}, {"c": 0, "a": 1, "b": 3}],
        ),
        ("<<: {a: 1}\nb: 2", {"a": 1, "b": 2}),
        ('"<<": {a: 1}', {"<<": {"a": 1}}),
    ],
)
def test_value(loaded: Load, text: str, value: JsonValue) -> None:
    document, diagnostics = loaded("a.yaml", text)
    assert diagnostics == ()
    assert document is not None and document.value == value


def test_an_alias_is_a_copy_and_keeps_the_order_of_keys(loaded: Load) -> None:
    document, _ = loaded("a.yaml", "a: &x {p: [1]}\nb: *x\nc: {z: 1, <<: *x, y: 2}")
    assert document is not None and isinstance(document.value, dict)
    first, second, third = document.value.values()
    assert isinstance(first, dict) and isinstance(second, dict) and isinstance(third, dict)
    assert first == second and first is not second and first["p"] is not second["p"]
    assert list(third) == ["z", "p", "y"]


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "---\n", "--- # nothing\n"])
def test_an_empty_file_is_an_empty_mapping_with_a_warning(loaded: Load, text: str) -> None:
    document, (diagnostic,) = loaded("a.yaml", text)
    assert document is not None and document.value == {}
    assert diagnostic.code == "L111"


BILLION_LAUGHS = "\n".join(
    ["- &a0 [x,x,x,x,x,x,x,x,x,x]"]
    + [f"- &a{n} [" + ",".join([f"*a{n - 1}"] * 10) + "]" for n in range(1, 9)]
)


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "pointed"),
    [
        ("mode: 0755", "L107", 1, 7, "0755"),
        ("a: -01", "L107", 1, 4, "-01"),
        ("01: a", "L107", 1, 1, "01"),
        ("a: .inf", "L106", 1, 4, ".inf"),
        ("a: [-.INF]", "L106", 1, 5, "-.INF"),
        ("a: .nan", "L106", 1, 4, ".nan"),
        ("a: 1e999", "L106", 1, 4, "1e999"),
        ("a: " + "1" * 4301, "L106", 1, 4, "1" * 4301),
        ("a: 0x" + "f" * 4000, "L106", 1, 4, "0x" + "f" * 4000),
        # keys
        ("1: x", "L108", 1, 1, "1"),
        ("true: x", "L108", 1, 1, "true"),
        ("~: x", "L108", 1, 1, "~"),
        ("? [a]\n: b", "L108", 1, 5, "]"),
        ("a: 1\na: 2", "L105", 2, 1, "a"),
        ('a: {b: 1, "b": 2}', "L105", 1, 11, '"b"'),
        ("<<: {a: 1}\n<<: {b: 1}", "L105", 2, 1, "<<"),
        ("a: {<<: 5}", "L108", 1, 5, "<<"),
        ("<<: [{a: 1}, 2]", "L108", 1, 1, "<<"),
        # what YAML has and the format has not
        ("a: !!str 5", "L108", 1, 4, "!!str"),
        ("a: !x {b: 1}", "L108", 1, 4, "!x"),
        ("a: ! 5", "L108", 1, 4, "!"),
        ("a: !e!x 5", "L108", 1, 4, "!"),
        ("a: 1\n---\nb: 1", "L108", 2, 1, "---"),
        ("a: &a [*a]", "L108", 1, 8, "*a"),
        ("a: &a {b: {c: *a}}", "L108", 1, 15, "*a"),
        ("a: *b", "L104", 1, 4, "*b"),
        ("*b : a", "L104", 1, 1, "*b"),
        # syntax
        ("a:\n\tb: 1", "L104", 2, 1, "\t"),
        ("a: b: c", "L104", 1, 5, ":"),
        ("a: @x", "L104", 1, 4, "@x"),
        ("a: `x` y", "L104", 1, 4, "`x` y"),
        ("a: - b", "L104", 1, 4, "-"),
        ("a:\n  b: 1\n c: 2", "L104", 3, 2, "c"),
        ("- a\nb: 1", "L104", 2, 1, "b"),
        (" a: 1\nb: 2", "L104", 2, 1, "b"),
        ("a: [1", "L104", 1, 6, ""),
        ("a: {b: 1", "L104", 1, 9, ""),
        ('a: "x', "L104", 1, 4, '"'),
        ('a: "x\nb: 1\n---\n', "L104", 1, 4, '"'),
        ('a: "x\nb: "y"\nc: 1', "L104", 1, 4, '"'),
        ("- 'x\n- b\n- 'y'", "L104", 1, 3, "'"),
        ('a: "x\nb: y\nc: ""\n', "L104", 1, 4, '"'),
        ("a: 'Take a reader's book back'\nb: 1", "L104", 1, 19, "s book back'"),
        ("- 'the readers' books'\n- b", "L104", 1, 17, "books'"),
        ("['it's', b]", "L104", 1, 6, "s', b]"),
        ('{a: "say "hi" now"}', "L104", 1, 11, 'hi" now"}'),
        ("'it's'", "L104", 1, 5, "s'"),
        ('a: "\\ud800"', "L103", 1, 7, "d"),
        ('a: "x\\0"', "L103", 1, 4, '"x\\0"'),
        ('"\\0": 1', "L103", 1, 1, '"\\0"'),
        ('"": "\\0"', "L103", 1, 5, '"\\0"'),
        ("!!map", "L108", 1, 1, "!!map"),
        ("a: \x01", "L104", 1, 4, "\x01"),
        ("a: \x7f", "L104", 1, 4, "\x7f"),
        # limits
        ("a: " + "[" * 300, "L109", 1, 203, "["),
        ("\n".join(" " * n + "a:" for n in range(250)), "L109", 201, 201, ""),
        (
            "- &a0 x\n" + "\n".join(f"- &a{n} [*a{n - 1}]" for n in range(1, 400)),
            "L109",
            201,
            10,
            "*a199",
        ),
        (BILLION_LAUGHS, "L109", 6, 20, "*a4"),
        # places count code points, and every line end of YAML's
        ('"😀é": "🛠"\r\nb: 01', "L107", 2, 4, "01"),
        ('a: "x\u2028y"\nb: 01', "L107", 2, 4, "01"),
        # a comment that was none
        ("a: Use issue #1 as an example", "L110", 1, 14, "#1 as an example"),
        ("a: [x #y\n  ]", "L110", 1, 7, "#y"),
    ],
)
def test_error(
    said: Said, parser: str, text: str, code: str, line: int, column: int, pointed: str
) -> None:
    ((found_code, *place),) = said("a.yaml", text)
    assert found_code == code
    if parser == "libyaml" or code not in ("L104", "L103"):
        assert place == [line, column, pointed]  # the two do not stop at the same character


@pytest.mark.parametrize("text", ["a: x # a comment", "a: 'x' #no", "a: 5 #no", "a: |\n  x #y"])
def test_a_comment_that_is_one_does_not_warn(loaded: Load, text: str) -> None:
    assert loaded("a.yaml", text)[1] == ()


def test_a_warning_comes_with_the_document(loaded: Load) -> None:
    document, (diagnostic,) = loaded("a.yaml", "a: Use issue #1\nb: 2")
    assert document is not None and document.value == {"a": "Use issue", "b": 2}
    assert diagnostic.hint == 'write "Use issue #1", or a blank behind # for a comment'
    assert diagnostic.pointer == ("a",)


def test_all_problems_are_said_at_once_with_their_pointers(loaded: Load) -> None:
    text = "a: 07\nb: {c: [.inf, !t x]}\nb: 1\n2: x\ne: *f"
    found = [(d.code, d.pointer) for d in loaded("a.yaml", text)[1]]
    assert found == [
        ("L107", ("a",)),
        ("L106", ("b", "c", 0)),
        ("L108", ("b", "c", 1)),
        ("L105", ("b",)),
        ("L108", ()),
        ("L104", ("e",)),
    ]


def test_a_duplicate_shows_both_places(loaded: Load) -> None:
    _, (diagnostic,) = loaded("a.yaml", "x:\n  id: 1\n  id: 2")
    assert diagnostic.pointer == ("x", "id")
    assert diagnostic.site is not None and diagnostic.site.span == (13, 15)
    assert [related.site.span for related in diagnostic.related] == [(5, 7)]


def test_depth_beyond_the_parsers_own_limit_is_the_same_error(loaded: Load) -> None:
    assert [diagnostic.code for diagnostic in loaded("a.yaml", "[" * 1100)[1]] == ["L109"]


def test_a_hundred_problems_are_enough(loaded: Load) -> None:
    warnings = "- x #y\n" * 200
    document, diagnostics = loaded("a.yaml", warnings)
    assert document is not None and {diagnostic.code for diagnostic in diagnostics} == {"L110"}
    assert len(diagnostics) == 100
    document, diagnostics = loaded("a.yaml", warnings + "- 01\n- 02\n")
    assert document is None and diagnostics[-1].code == "L107"


def test_quoted_forms(loaded: Load) -> None:
    _, (number, key) = loaded("a.yaml", "mode: 0755\n1: x")
    assert number.message == "the number 0755 begins with a zero"
    assert number.hint == 'write "0755" for a text, or drop the zeros'
    assert key.message == "the key 1 is not a text"
    assert key.hint == 'write "1"'


def test_the_source_text_of_a_number_can_be_found(loaded: Load) -> None:
    text = "base: &v 1.10\nversion: *v"
    document, _ = loaded("a.yaml", text)
    assert document is not None
    place = document.places[("version",)]
    assert text[place.value.start : place.value.end] == "1.10"
    assert place.key is not None and text[place.key.start : place.key.end] == "version"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            "a: 'a reader's book'\nb: 1",
            "the text in single quotes ends at the quote before s book'",
            "write '' for an apostrophe inside it, or put the text in double quotes",
        ),
        (
            'a: "x\nb: 1\nc: "y"\n',
            'the text that begins here ends only 2 lines below, before y"',
            'close it with " where it should end',
        ),
    ],
)
def test_quotes_that_end_a_text_too_early_or_too_late(
    loaded: Load, text: str, message: str, hint: str
) -> None:
    _, (diagnostic,) = loaded("a.yaml", text)
    assert (diagnostic.message, diagnostic.hint) == (message, hint)


@pytest.mark.parametrize(
    ("written", "character"),
    [
        ("*bold* text", "*"),
        ("**bold**", "*"),
        ("* star", "*"),
        ("&amp; more", "&"),
        ("& more", "&"),
        (", or so", ","),
        ("]", "]"),
        ("%d items", "%"),
    ],
)
@pytest.mark.parametrize("way", ["description: ", "keywords:\n  - "])
def test_a_text_that_begins_with_a_sign_of_yaml(
    loaded: Load, way: str, written: str, character: str
) -> None:
    document, (diagnostic,) = loaded("a.yaml", f"{way}{written}\ntitle: x\n")
    assert document is None
    assert diagnostic.message == f'a text without quotes cannot begin with "{character}"'
    assert diagnostic.hint == f'write "{written}"'
    assert diagnostic.site is not None
    assert diagnostic.site.span == Span(len(way), len(way + written))


def test_a_text_that_begins_as_a_key_does(loaded: Load) -> None:
    _, (diagnostic,) = loaded("a.yaml", "description: ? what\n")
    assert diagnostic.hint == 'write "? what"'


@pytest.mark.parametrize("written", ["> 5 items", ">5 items", "| pipe", ">items"])
def test_a_text_on_the_line_of_its_sign(loaded: Load, written: str) -> None:
    _, (diagnostic,) = loaded("a.yaml", f"description: {written}\n")
    assert diagnostic.message == f'a text without quotes cannot begin with "{written[0]}"'
    assert diagnostic.hint == f'begin the text on the next line, or write "{written}"'


@pytest.mark.parametrize(
    ("written", "more", "closing", "quoted"),
    [
        ("[beta] Find notes", "Find notes", "]", '"[beta] Find notes"'),
        ("[a](http://x)", "(http://x)", "]", '"[a](http://x)"'),
        ("{name} is greeted", "is greeted", "}", '"{name} is greeted"'),
        ('"Ada" and others', "and others", '"', r'"\"Ada\" and others"'),
        ("'Ada' and others", "and others", "'", "\"'Ada' and others\""),
    ],
)
@pytest.mark.parametrize("way", ["description: ", "parameters:\n  - name: a\n    description: "])
def test_more_of_a_text_behind_a_bracket_or_quote(
    loaded: Load, way: str, written: str, more: str, closing: str, quoted: str
) -> None:
    _, (diagnostic,) = loaded("a.yaml", f"{way}{written}\n")
    assert diagnostic.message == f"{more} stands behind the closing {closing}"
    assert diagnostic.hint == f"write {quoted} for one text"
    assert diagnostic.related == ()


@pytest.mark.parametrize(
    "text",
    [
        "enum: [a,,b]\n",
        "enum: [*, a]\n",
        "title: [a]\n description: b\n",
        'title: "a"\n - b\n',
        "enum: [a,\n  b] c\n",
    ],
)
def test_what_only_looks_like_a_text(loaded: Load, text: str) -> None:
    _, (diagnostic,) = loaded("a.yaml", text)
    assert "cannot begin" not in diagnostic.message
    assert "behind the closing" not in diagnostic.message


def test_a_path_of_windows_in_double_quotes(loaded: Load) -> None:
    _, (diagnostic,) = loaded("a.yaml", 'description: "C:\\users"\n')
    assert diagnostic.code == "L104"
    assert diagnostic.message == "an escape lacks its hexadecimal digits"
    assert diagnostic.hint == "write the backslash twice, or put the text in single quotes"
