"""Whatever the text: a document or an error, never an exception, and places for all of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc.loader import decode, load
from toolc.loader.leaves import leaves
from toolc.model.diagnostic import has_errors
from toolc.model.document import SourceFile

PATHS = ("a.toml", "a.yaml", "a.json")

# Pieces that make the parsers do something, so that soups of them go further than random letters.
PIECES = {
    "a.toml": (
        "a = b . c [ ] [[ ]] { } , # \" ' \"\"\" ''' \n \r\n \r \\ \\u0000 \\ud800 \\x41 "
        "1 01 0x 1e999 nan -inf true True 2024-01-01 07:32:00 é 😀 \ufeff "
        "[a] [[a]] a=1\n a.b=1\n b={c=1}"
    ),
    "a.yaml": (
        "a : - ? [ ] { } , # & * &x *x <<: ! !!str | > |- \" ' \n \t \r \r\n \\ \\0 \\ud800 "
        "1 01 1e999 .inf .nan ~ null true --- ... % @ ` é 😀 \u2028 \x85 \ufeff "
        "a:_ <<:_*x _#x _-_ \n__ \na:_&x_"
    ),
    "a.json": (
        '{ } [ ] , : " \\ \\u0000 \\ud800 "a" "a": 1 01 1. -1 1e999 NaN -Infinity '
        "true True null // /* # ' \n \r\n \t é 😀 \ufeff \x01"
    ),
}


def soups(path: str) -> st.SearchStrategy[str]:
    pieces = [" ", *(piece.replace("_", " ") for piece in PIECES[path].split(" "))]
    return st.lists(st.sampled_from(pieces), max_size=25).map("".join)


def check(path: str, text: str) -> None:
    document, diagnostics = load(SourceFile(path, text))
    assert (document is None) == has_errors(diagnostics)
    for diagnostic in diagnostics:
        assert diagnostic.message and diagnostic.path == path
        spans = [diagnostic.site, *(related.site for related in diagnostic.related)]
        for site in spans:
            assert site is not None and site.span is not None
            assert 0 <= site.span.start <= site.span.end <= len(text)
    if document is not None:
        json.dumps(document.value, allow_nan=False, ensure_ascii=False).encode()
        for pointer, leaf, _ in leaves(document.value):
            assert not isinstance(leaf, str) or "\0" not in leaf
            for length in range(len(pointer) + 1):
                place = document.places[pointer[:length]]
                assert 0 <= place.value.start <= place.value.end <= len(text)


@pytest.mark.parametrize("path", PATHS)
@given(text=st.text())
def test_any_text(path: str, text: str) -> None:
    check(path, text)


@pytest.mark.parametrize("path", PATHS)
@given(data=st.data())
def test_any_soup_of_pieces(path: str, data: st.DataObject) -> None:
    check(path, data.draw(soups(path)))


@pytest.mark.parametrize("path", PATHS)
@given(data=st.binary())
def test_any_bytes(path: str, data: bytes) -> None:
    source, _ = decode(path, data)
    if source is not None:
        check(path, source.text)
