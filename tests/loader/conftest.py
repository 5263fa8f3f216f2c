from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from toolc.loader import load
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Document, SourceFile

Loaded: TypeAlias = "tuple[Document | None, tuple[Diagnostic, ...]]"


def load_text(path: str, text: str) -> Loaded:
    return load(SourceFile(path, text))


def said_of(path: str, text: str) -> list[tuple[str, int, int, str]]:
    """What is said of a text: code, line, column, and the stretch of the text that is pointed at."""
    source = SourceFile(path, text)
    said = []
    for diagnostic in load(source)[1]:
        assert diagnostic.site is not None and diagnostic.site.span is not None
        start, end = diagnostic.site.span
        assert 0 <= start <= end <= len(text)
        assert diagnostic.message
        said.append((diagnostic.code, *source.line_column(start), text[start:end]))
    return said


@pytest.fixture
def loaded() -> Callable[[str, str], Loaded]:
    return load_text


@pytest.fixture
def said() -> Callable[[str, str], list[tuple[str, int, int, str]]]:
    return said_of
