"""toml_rs says nothing that tomli would not: the same values, and the same problems elsewhere."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
import tomli
from hypothesis import given, settings
from hypothesis import strategies as st

from toolc.loader import toml
from toolc.loader.limits import MAX_DEPTH

from .test_any_text import soups

pytest.importorskip("toml_rs", reason="needs pip install 'toolc[fast]'")

from toolc.loader.toml_fast import accept

ROOT = Path(__file__).resolve().parents[2]


def by_tomli(text: str) -> str:
    try:
        return repr(tomli.loads(text))
    except (tomli.TOMLDecodeError, RecursionError):
        return "refused"


def is_accepted(text: str) -> bool:
    """Whether toml_rs decides about a text; then it comes to what tomli does, in the same order."""
    value = accept(text)
    if value is not None:
        assert repr(value) == by_tomli(text)
    return value is not None


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask toml_rs from the first text on."""
    monkeypatch.setattr(toml, "FEW", 0)


def vectors() -> list[str]:
    """The TOML texts of the repository, and those of the golden vectors."""
    files = [
        path
        for path in sorted(ROOT.rglob("*.toml"))
        if not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
    ]
    datas = [path.read_bytes() for path in files]
    for vector in json.loads((ROOT / "tests/reference/text-vectors.json").read_text("utf-8")):
        if vector["format"] == "toml":
            datas.append(base64.b64decode(vector["base64"]))
    return [data.decode("utf-8", "ignore").removeprefix("\ufeff") for data in datas]


def test_the_repository_and_the_golden_vectors(soon: None) -> None:
    texts = vectors()
    accepted = [text for text in texts if is_accepted(text)]
    assert len(accepted) > len(texts) / 2 > 50
    for text in texts:
        assert repr(toml.parse(text)) == repr(toml.parse_with_care(text))


@pytest.mark.parametrize(
    "text",
    [
        "z = 1\ny = 1\n[b.a]\n[c]\n[b]\nx = 1\n[a]\n",
        "a.b.c = 1\na.d = 2\n[[e]]\n[[e.f]]\n[[e]]",
        "a = 9223372036854775807\nb = -9223372036854775808",
        "a = 9223372036854775808\nb = 0xFFFFFFFFFFFFFFFFFFFF\nc = 1_000",
        "a = " + "9" * 4000,
        "a = [1, 1.0, -0.0, +0.0, 5e-324, 1.7976931348623157e308, 0.1, 1e22, -0, 1_0.0_1]",
        "a = [0o17, 0b11, 0x1f, true, false]",
        'a = "\\e\\x41\\u00e9\\U0001F600\\r\\n\\t"\nb = \'\\e\'\n"é" = "é😀\u2028\ufeff"',
        "a = \"\"\"\r\nx\r\n\\\r\n   y\"\"\"\r\nb = '''\r\nx\r\n'''\r\n",
        "ui = {\n  a = 1, # one\n  b = [2,],\n  c.d = 1\n}",
        "a = [\n  1, # one\n  2,\n]",
        "a = 1979-05-27 07:32:00.1234567\nb = 1979-05-27T07:32Z\nc = 07:32\nd = 1979-05-27",
        "a = [inf, -inf, nan, 1e400]",
        '"" = 1\n"a.b" = 2\n1.2 = 3\n"\\u0000" = 4',
        "".join(f"[[a]]\nb = {number}\n" for number in range(MAX_DEPTH // 2 - 1)),
    ],
)
def test_what_is_toml_in_all_its_forms(text: str) -> None:
    assert is_accepted(text)


@pytest.mark.parametrize(
    "text",
    [
        # toml_rs takes these.
        "\ufeffa = 1",
        "a = {b\n= 1}",
        "a = {b # c\r\n\t = 1}",
        "a = {b =\n1}",
        "a = {b = # c\n1}",
        "a = [{c\n= 1}]",
        "[[b.a]]\n[b]\na.c.d = 1",
        "[[b.a]]\n\t['b']\na.c.d = 1",
        # Of these it would die.
        "a = " + "[" * 100_000,
        "a = " + "{a = " * 100_000,
        # These would take it minutes.
        "a = " + "1_" * 2_000_000 + "1",
    ],
    ids=range(11),
)
def test_what_is_for_tomli(text: str) -> None:
    assert accept(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing",
        "a = 1\na = 2",
        "a = 2024-01-01",
        "a = inf",
        "a = " + "9" * 4301,
        "a = 0x" + "f" * 4000,
        'a = "\\u0000"',
        'a = "\\ud800"',
        ".".join("a" * 201) + " = 1",
        "a = " + "[" * 199 + "]" * 199,
        "a = 'x\nb = 1",
    ],
)
def test_problems_are_the_same(text: str, soon: None) -> None:
    assert toml.parse(text) == toml.parse_with_care(text)


KEY = st.sampled_from(
    ["a", "b", "c", "a.b", "b.a", "a.b.c", '"a"', "'b'", '"é.b"', "a . b", "1", '""']
)
SCALAR = st.sampled_from(
    [
        "0",
        "-0",
        "1.5",
        "1e400",
        "nan",
        "true",
        '""',
        "'x'",
        '"""\nx\\\n  y"""',
        "'''\r\n'''",
        '"\\e"',
    ]
    + ["2024-01-01", "07:32", "0x1f", "9223372036854775808", "1_0", '"{"', '"[[a]]"', '"= #"']
)
GAP = st.sampled_from(["", " ", "\t", "\n", "\r\n", " # c\n"])


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(GAP, KEY, GAP, st.just("="), GAP, inner, GAP).map("".join)
    comma = st.sampled_from(["", ","])
    tables = st.tuples(st.lists(pair, max_size=3).map(",".join), comma)
    lists = st.tuples(
        st.lists(st.tuples(GAP, inner, GAP).map("".join), max_size=3).map(",".join), comma
    )
    return tables.map(lambda parts: "{" + "".join(parts) + "}") | lists.map(
        lambda parts: "[" + "".join(parts) + "]"
    )


VALUE = st.recursive(SCALAR, nested, max_leaves=5)
LINE = st.one_of(
    st.tuples(KEY, st.just(" = "), VALUE).map("".join),
    KEY.map(lambda key: f"[{key}]"),
    KEY.map(lambda key: f"[[{key}]]"),
)


@settings(max_examples=500)
@given(st.lists(LINE, max_size=8), st.sampled_from(["\n", "\r\n", "\n\n  "]))
def test_any_statements(lines: list[str], end: str) -> None:
    is_accepted(end.join(lines))


@settings(max_examples=300)
@given(soups("a.toml"))
def test_any_soup_of_pieces(text: str) -> None:
    is_accepted(text)


@given(st.text())
def test_any_text(text: str) -> None:
    is_accepted(text)
