"""The three ways to take a description: `trim`, `keep` and `collapse`."""

from __future__ import annotations

import re

# Go's unicode.IsSpace: Python's own notion also holds U+001C to U+001F.
_GO_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_GO_SPACES = f"[{_GO_SPACE}]+"


def settle(text: str, mode: str) -> str:
    """`text` as `mode` wants it: `trim`, `keep` or `collapse`."""
    if mode == "trim":
        return _trim(text) if "\n" in text else text.strip()
    if mode == "collapse":
        return re.sub(_GO_SPACES, " ", text).strip(" ")
    return text


def _trim(text: str) -> str:
    """Several lines without their outer white space and the indentation that they share.

    The first line often stands behind the opening quotes, and so shares none of it: it counts
    only where it is indented itself.
    """
    lines = text.split("\n")
    counted = lines if lines[0][:1] in (" ", "\t") else lines[1:]
    indents = [line[: len(line) - len(line.lstrip(" \t"))] for line in counted if line.strip()]
    margin = len(_common_prefix(indents))
    first = lines[0][margin:] if counted is lines else lines[0]
    return "\n".join([first, *(line[margin:] for line in lines[1:])]).strip()


def _common_prefix(texts: list[str]) -> str:
    if not texts:
        return ""
    least, greatest = min(texts), max(texts)
    for at, character in enumerate(least):
        if character != greatest[at]:
            return least[:at]
    return least
