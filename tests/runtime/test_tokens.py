"""The estimate of tokens, against what OpenAI's o200k_base counts."""

from __future__ import annotations

import pytest

from toolc_runtime.tokens import tokens_in


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("", 0),
        ("four", 1),
        ("Find notes that contain a word, and return at most fifty of them, newest first.", 18),
        (
            '{"type":"object","properties":{"maxResults":{"type":"integer","minimum":1,'
            '"description":"How many notes"}},"required":["maxResults"]}',
            31,
        ),
        ('{\n  "id": 1234567,\n  "tags": [\n    "home",\n    "shop"\n  ]\n}', 26),
        ("def find(word: str) -> list[str]:\n    return [note for note in notes if word in note]\n", 23),
        ("Sucht Notizen, die ein bestimmtes Wort enthalten, und gibt höchstens fünfzig davon zurück.", 21),
        ("查找包含指定词语的笔记，最多返回五十条，按日期排序。", 20),
        ("指定された単語を含むメモを検索し、最大五十件を返します。", 21),
        ("🎉🚀 done ✅", 6),
    ],
)  # fmt: skip
def test_it_is_near_the_count(text: str, counted: int) -> None:
    assert tokens_in(text) == pytest.approx(counted, rel=0.2)


def test_it_takes_any_text() -> None:
    assert tokens_in("\ud800", "a") == 2
    assert tokens_in() == 0


def test_the_counts_are_those_of_a_tokenizer() -> None:
    toktok = pytest.importorskip("toktok")
    texts = ["Find notes that contain a word", "查找包含指定词语的笔记"]
    counted = toktok.batch_count(texts, "o200k_base")
    assert [tokens_in(text) for text in texts] == pytest.approx(counted, rel=0.25)
