"""Bytes -> text: UTF-8 and nothing else, with a word about what the file seems to be instead."""

from __future__ import annotations

import re

from toolc.loader.limits import MAX_BYTES
from toolc.loader.problem import Problem, file_problem
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import SourceFile, Span

BYTE_ORDER_MARK = "\ufeff"

_UTF8_MARK = b"\xef\xbb\xbf"
_SAVE_HINT = "save the file as UTF-8"

# What the first four bytes of a text look like in encodings that the format does not take; the
# longer marks come first, since UTF-16's begins UTF-32's.
_ENCODINGS = (
    (rb"\xff\xfe\0\0|[^\0]\0\0\0", "UTF-32 (little-endian)"),
    (rb"\0\0\xfe\xff|\0\0\0[^\0]", "UTF-32 (big-endian)"),
    (rb"\xff\xfe|[^\0]\0[^\0]\0|[^\0]\0$", "UTF-16 (little-endian)"),
    (rb"\xfe\xff|\0[^\0]\0[^\0]|\0[^\0]$", "UTF-16 (big-endian)"),
)

_FORBIDDEN = "[\0\ud800-\udfff]"


def decode(path: str, data: bytes) -> tuple[SourceFile | None, tuple[Diagnostic, ...]]:
    """The text of a file: UTF-8, a byte order mark dropped, line ends as they stand.

    None together with an error for another encoding (L102), a NUL byte (L103) and a file of more
    than MAX_BYTES (L109).
    """
    if len(data) > MAX_BYTES:
        message = f"the file has {len(data):,} bytes, more than the {MAX_BYTES:,} that are read"
        return None, (file_problem("L109", path, message, "split it into several files"),)
    try:
        text = data.removeprefix(_UTF8_MARK).decode()
    except UnicodeDecodeError as error:
        encoding = _other_encoding(path, data)
        return None, (encoding or _not_utf8(path, data, data.index(error.object) + error.start),)
    if "\0" in text:
        return None, (_other_encoding(path, data) or _holds_nul(path, data),)
    return SourceFile(path, text), ()


def find_forbidden(text: str) -> Problem | None:
    """The first NUL or lone surrogate of a text that did not come through `decode`."""
    if text.isascii() and "\0" not in text:
        return None
    match = re.search(_FORBIDDEN, text)
    if match is None:
        return None
    message = f"the text holds {name_forbidden(match[0])}"
    return Problem("L103", message, Span(*match.span()), "remove it; JSON cannot carry it safely")


def name_forbidden(text: str) -> str:
    """What `text` holds that no text may: a NUL or a lone surrogate; empty where it holds neither."""
    if text.isascii() and "\0" not in text:
        return ""
    match = re.search(_FORBIDDEN, text)
    if match is None:
        return ""
    return "a NUL character" if match[0] == "\0" else f"the lone surrogate U+{ord(match[0]):04X}"


def _other_encoding(path: str, data: bytes) -> Diagnostic | None:
    """What a file that is no UTF-8, or has a NUL in it, seems to be."""
    for pattern, name in _ENCODINGS:
        if re.match(pattern, data, re.DOTALL):
            return file_problem("L102", path, f"the file is {name}, not UTF-8", _SAVE_HINT)
    return None


def _holds_nul(path: str, data: bytes) -> Diagnostic:
    message = f"a NUL byte stands at {_byte_place(data, data.index(0))}"
    return file_problem("L103", path, message, "remove it; a text cannot hold NUL")


def _not_utf8(path: str, data: bytes, offset: int) -> Diagnostic:
    byte = data[offset : offset + 1]
    message = f"byte 0x{byte[0]:02X} at {_byte_place(data, offset)} is not UTF-8"
    reading = byte.decode("cp1252", "ignore")
    meant = f"; in Windows-1252 and Latin-1 that byte is {reading}" if reading.isprintable() else ""
    return file_problem("L102", path, message, _SAVE_HINT + (meant if reading else ""))


def _byte_place(data: bytes, offset: int) -> str:
    line = data.count(b"\n", 0, offset) + 1
    column = offset - data.rfind(b"\n", 0, offset)
    return f"byte offset {offset} (line {line}, byte {column} of it)"
