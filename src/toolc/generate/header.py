"""The first line of generated Python: a digest of the rest, by which an edit by hand shows.

It survives clones, branch switches and merges, which a ledger beside the files would not. Line
ends are normalised, so that a checkout with CRLF is no edit.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolc.model.artifact import Text, read_text
from toolc.model.digest import chunks_sha256, text_sha256

_PREFIX = "# toolc: generated "
_DIGITS = 16


def stamp(body: str) -> str:
    """`body` behind a header line that holds its digest."""
    return f"{_PREFIX}{_digest(body)}\n{body}"


def stamped_digest_is_valid(text: str) -> bool | None:
    """Whether `text` is as it was generated; None where it carries no header."""
    header, _, body = text.replace("\r\n", "\n").partition("\n")
    if not header.startswith(_PREFIX):
        return None
    return header[len(_PREFIX) :] == _digest(body)


def text_digest(text: Text) -> str:
    """sha256 of a text in UTF-8 with LF as its line ends, hexadecimal."""
    if isinstance(text, str):
        return text_sha256(text.replace("\r\n", "\n") if "\r" in text else text)
    has_returns = False

    def chunks() -> Iterator[bytes]:
        nonlocal has_returns
        for chunk in text.chunks():
            has_returns = has_returns or b"\r" in chunk
            yield chunk

    digest = chunks_sha256(chunks())
    return text_digest(read_text(text)) if has_returns else digest


def _digest(body: str) -> str:
    return text_digest(body)[:_DIGITS]
