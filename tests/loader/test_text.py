"""Bytes -> text."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc.loader import decode, load
from toolc.loader.limits import MAX_BYTES
from toolc.model.document import SourceFile

TEXT = 'description = "café 😀"\r\n'


@pytest.mark.parametrize("data", [TEXT.encode(), codecs.BOM_UTF8 + TEXT.encode()])
def test_utf8_is_read_and_a_byte_order_mark_dropped(data: bytes) -> None:
    assert decode("a.toml", data) == (SourceFile("a.toml", TEXT), ())


@pytest.mark.parametrize(
    ("data", "code", "part"),
    [
        (TEXT.encode("utf-16"), "L102", "UTF-16 (little-endian)"),
        (TEXT.encode("utf-16-le"), "L102", "UTF-16 (little-endian)"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "L102", "UTF-16 (big-endian)"),
        (TEXT.encode("utf-16-be"), "L102", "UTF-16 (big-endian)"),
        (TEXT.encode("utf-32"), "L102", "UTF-32 (little-endian)"),
        (TEXT.encode("utf-32-be"), "L102", "UTF-32 (big-endian)"),
        (b"a = 1\nb = 'caf\xe9'\n", "L102", "0xE9 at byte offset 14 (line 2, byte 9 of it)"),
        (codecs.BOM_UTF8 + b"\xff", "L102", "0xFF at byte offset 3 "),
        (b"a = 1 # \xed\xa0\x80", "L102", "0xED at byte offset 8 "),
        (b"a = 'x'\n\0", "L103", "NUL byte stands at byte offset 8 (line 2, byte 1 of it)"),
        (b"\0", "L103", "NUL"),
        (b" " * (MAX_BYTES + 1), "L109", "4,194,305 bytes"),
    ],
)
def test_other_bytes_are_refused(data: bytes, code: str, part: str) -> None:
    source, (diagnostic,) = decode("a.toml", data)
    assert source is None
    assert diagnostic.code == code
    assert part in diagnostic.message
    assert diagnostic.path == "a.toml"


def test_the_hint_reads_a_byte_of_latin_1() -> None:
    _, (diagnostic,) = decode("a.toml", b"'caf\xe9'")
    assert diagnostic.hint == ("save the file as UTF-8; in Windows-1252 and Latin-1 that byte is é")


@given(st.binary())
def test_any_bytes_are_a_text_or_an_error(data: bytes) -> None:
    source, diagnostics = decode("a.toml", data)
    assert (source is None) == bool(diagnostics)


@pytest.mark.parametrize("path", ["a.toml", "a.yaml", "a.yml", "a.json", "A.JSON"])
@pytest.mark.parametrize("character", ["\0", "\ud800"])
def test_a_text_that_was_never_bytes_is_checked_too(path: str, character: str) -> None:
    document, (diagnostic,) = load(SourceFile(path, f"a{character}"))
    assert document is None
    assert diagnostic.code == "L103"
    assert diagnostic.site is not None and diagnostic.site.span == (1, 2)


@pytest.mark.parametrize("path", ["a.txt", "toml", "dir.toml/a", "a."])
def test_a_suffix_names_the_notation(path: str) -> None:
    document, (diagnostic,) = load(SourceFile(path, "{}"))
    assert document is None
    assert diagnostic.code == "L101"


@pytest.mark.parametrize(
    ("path", "text"), [("a.toml", "a = 1"), ("a.yaml", "a: 1"), ("a.json", '{"a":1}')]
)
def test_a_byte_order_mark_of_a_callers_string_is_dropped(path: str, text: str) -> None:
    document, diagnostics = load(SourceFile(path, "\ufeff" + text))
    assert diagnostics == ()
    assert document is not None and document.source == SourceFile(path, text)
