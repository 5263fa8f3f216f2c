"""Files that git could not merge, in every notation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Document

Load: TypeAlias = Callable[[str, str], tuple[Document | None, tuple[Diagnostic, ...]]]
Said: TypeAlias = Callable[[str, str], list[tuple[str, int, int, str]]]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.toml", "a = 1\n{}b = 2\n{}b = 3\n{}c = 4\n"),
        ("a.toml", 'a = """\n{}b\n{}c\n{}"""\n'),
        ("a.yaml", "a: 1\n{}b: 2\n{}b: 3\n{}c: 4\n"),
        ("a.yaml", "a: |\n{}  b\n{}  c\n{}d: 1\n"),
        ("a.json", '{{"a": 1,\n{}"b": 2\n{}"b": 3\n{}}}\n'),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_conflict_is_said_once_where_it_begins(
    said: Said, loaded: Load, path: str, text: str, line_end: str
) -> None:
    text = text.format("<<<<<<< HEAD\n", "=======\n", ">>>>>>> branch\n")
    text = text.replace("\n", line_end)
    assert said(path, text) == [("L104", 2, 1, "<<<<<<< HEAD")]
    _, (diagnostic,) = loaded(path, text)
    assert diagnostic.message == "a git conflict marker stands here: <<<<<<< HEAD"
    assert diagnostic.hint.startswith("resolve the conflict")


def test_each_conflict_is_said(said: Said) -> None:
    conflict = "<<<<<<< a\nx = 1\n=======\ny = 1\n>>>>>>> b\n"
    assert [row[:3] for row in said("a.toml", conflict * 2)] == [("L104", 1, 1), ("L104", 6, 1)]


def test_a_marker_that_was_left(said: Said) -> None:
    assert said("a.toml", "a = 1\n>>>>>>> b\n") == [("L104", 2, 1, ">>>>>>> b")]


def test_a_marker_in_a_valid_text_would_reach_the_models(said: Said, loaded: Load) -> None:
    assert said("a.toml", 'a = ["""\n<<<<<<< """]\n') == [("L104", 2, 1, '<<<<<<< """]')]
    document, diagnostics = loaded("a.toml", 'a = ["<<<<<<< "]\n')
    assert document is not None and document.value == {"a": ["<<<<<<< "]}
    assert diagnostics == ()


@pytest.mark.parametrize(
    "text", ["Heading\n=======", "  <<<<<<< a\n  =======\n  >>>>>>> b", "<<<<<<<", "x <<<<<<< a"]
)
def test_a_text_that_only_looks_like_one(loaded: Load, text: str) -> None:
    document, diagnostics = loaded("a.toml", f"a = '''\n{text}'''")
    assert document is not None and document.value == {"a": text}
    assert diagnostics == ()
