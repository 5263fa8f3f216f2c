"""The first line of generated Python: a digest of the rest, by which an edit by hand shows.

It survives clones, branch switches and merges, which a ledger beside the files would not. Line
ends are normalised, so that a checkout with CRLF is no edit.
"""

from __future__ import annotations

from hashlib import sha256

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


def text_digest(text: str) -> str:
    """sha256 of a text in UTF-8 with LF as its line ends, hexadecimal."""
    if "\r" in text:  # one character is found, or not, far quicker than two
        text = text.replace("\r\n", "\n")
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _digest(body: str) -> str:
    return text_digest(body)[:_DIGITS]
