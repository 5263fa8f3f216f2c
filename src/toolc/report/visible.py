"""Hostile text made visible: what a terminal would act on, or not show, is spelled out."""

from __future__ import annotations


def visible(text: str) -> str:
    r"""`text` on one line, with every character that does not print as an escape like `\x1b`.

    That is the control characters, line ends, bidirectional overrides, zero-width characters,
    odd spaces and lone surrogates; letters of any script stay as they are.
    """
    if text.isprintable():
        return text
    return "".join(map(visible_character, text))


def visible_character(character: str) -> str:
    """One character as `visible` shows it."""
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")


def visible_lines(text: str) -> str:
    """As `visible`, for a text of many lines: line feeds and tabs stay."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "".join(
        character if character in "\n\t" else visible_character(character) for character in text
    )
