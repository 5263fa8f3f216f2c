from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc.generate import pytext
from toolc.generate.pytext import docstring, literal

ANY_TEXT = st.one_of(
    st.text(),
    st.text(alphabet=st.characters(categories=["Cs", "Cc", "Cf", "Zl", "Zp", "Zs", "Co"])),
    st.text(alphabet="\"'\\{}%$N\n\r\t\x00 a\u2028\ud800"),
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("plain", '"plain"'),
        ("", '""'),
        ("it's", '"it\'s"'),
        ('say "hi"', "'say \"hi\"'"),
        ("\"'", '"\\"\'"'),
        ("a\\b\n\t", '"a\\\\b\\n\\t"'),
        ("größe 東京", '"größe 東京"'),
        ("\x00\u2028\ud800\U000e0041", '"\\x00\\u2028\\ud800\\U000e0041"'),
        (True, "True"),
        (None, "None"),
        (1e100, "1e+100"),
        ([1, {"a": []}], '[1, {"a": []}]'),
    ],
)
def test_literals(value: object, code: str) -> None:
    assert literal(value) == code  # type: ignore[arg-type]


@given(JSON)
def test_a_literal_is_one_line_that_evaluates_to_its_value(value: object) -> None:
    code = literal(value)  # type: ignore[arg-type]
    assert len(code.splitlines()) == 1
    assert ast.literal_eval(code) == value


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("plain", '"""plain"""'),
        ("", '""""""'),
        (" padded \n", '"""padded"""'),
        ("a\\d", '"""a\\\\d"""'),
        ('"quoted"', '"""\\"quoted\\""""'),
        ('has """ inside', '"""has \\"\\"\\" inside"""'),
        ("{{ x }} %s $y", '"""{{ x }} %s $y"""'),
        ("one\n  two\n\n  three", '"""one\n    two\n\n    three\n    """'),
        ('one\n"two"', '"""one\n    "two"\n    """'),
        ("one\r\ntwo", '"""one\n    two\n    """'),
        ("\n    deep\n  shallow", '"""\n      deep\n    shallow\n    """'),
        ("\none\n  two", '"""\n    one\n      two\n    """'),
        ("\none\ntwo", '"""one\n    two\n    """'),
        ("\none\n\rtwo", '"""\n    one\n    \\rtwo\n    """'),
        ("\n\rone\ntwo", '"""\n    \\rone\n    two\n    """'),
        ("größe\u200b", '"""größe\\u200b"""'),
        ("\ud800", '"""\\\\ud800"""'),
    ],
)
def test_docstrings(text: str, code: str) -> None:
    assert docstring(text, 4) == code


def documented(text: str) -> str:
    """What `inspect.getdoc` shows of a text, without white space at line ends."""
    text = re.sub("[\ud800-\udfff]", lambda lone: f"\\u{ord(lone[0]):04x}", text)
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").expandtabs().split("\n")]
    return inspect.cleandoc("\n".join(lines))


@given(ANY_TEXT)
def test_a_docstring_gives_its_text_back(text: str) -> None:
    source = f"def documented():\n    {docstring(text, 4)}\n"
    compile(source, "<documented>", "exec", dont_inherit=True)
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    assert len(function.body) == 1
    assert (ast.get_docstring(function) or "") == documented(text)


def test_formatters_leave_docstrings_alone(tmp_path_factory: pytest.TempPathFactory) -> None:
    texts = [
        "",
        "a",
        '"a"',
        'a"""b',
        "a\\",
        '\\"',
        "a\n b\n  c",
        " \n a\n\nb \n",
        '"""',
        '""',
        "'",
        'x\n"',
        "\t x\n\ty",
    ]
    blocks = [f"def f{n}():\n    {docstring(text, 4)}\n" for n, text in enumerate(texts)]
    path = tmp_path_factory.mktemp("docstrings") / "docstrings.py"
    path.write_text("\n\n".join(blocks), "utf-8")
    ruff = [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", str(path)]
    run = subprocess.run(ruff, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_plain_texts_need_no_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(pytext, "re")
    assert literal({"it's": ["plain", ""]}) == '{"it\'s": ["plain", ""]}'
    assert docstring("Plain.", 4) == '"""Plain."""'
    assert docstring("Plain.\n\n  more\n", 4) == '"""Plain.\n\n    more\n    """'
    with pytest.raises(NameError):
        literal("\\")
