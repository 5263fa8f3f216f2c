"""sha256 of texts, by default without OpenSSL: loading it takes longer than what a small build
hashes with it."""

from __future__ import annotations

from importlib import import_module
from itertools import islice

from toolc_runtime.light import SHA256_MODULE, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def text_sha256(text: str) -> str:
    """sha256 of a text in UTF-8 (lone surrogates as they are), hexadecimal."""
    digest: str = _SHA256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return digest


def chunks_sha256(chunks: Iterable[bytes]) -> str:
    """sha256 of a text's pieces, hexadecimal; of many pieces, by OpenSSL."""
    rest = iter(chunks)
    first = [*islice(rest, 2)]
    more = next(rest, b"")
    make = import_module("hashlib").sha256 if more else _SHA256
    digest = make(b"".join((*first, more)))
    for chunk in rest:
        digest.update(chunk)
    text: str = digest.hexdigest()
    return text


def bytes_sha256(data: bytes) -> str:
    digest: str = _SHA256(data).hexdigest()
    return digest


def _find_sha256() -> Any:
    try:
        return import_module(SHA256_MODULE).sha256
    except ImportError:
        return import_module("hashlib").sha256


_SHA256 = _find_sha256()


def expect_many_texts() -> None:
    """Take OpenSSL from now on, if it is there: it hashes four times as fast."""
    global _SHA256
    _SHA256 = import_module("hashlib").sha256
