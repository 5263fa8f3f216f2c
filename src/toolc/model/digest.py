"""sha256 of texts, without OpenSSL: loading it takes longer than what a build hashes with it."""

from __future__ import annotations

from importlib import import_module

from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def text_sha256(text: str) -> str:
    """sha256 of a text in UTF-8 (lone surrogates as they are), hexadecimal."""
    digest: str = _SHA256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return digest


def chunks_sha256(chunks: Iterable[bytes]) -> str:
    """sha256 of a long text's pieces, hexadecimal; here OpenSSL pays."""
    from hashlib import sha256

    digest = sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()


def bytes_sha256(data: bytes) -> str:
    digest: str = _SHA256(data).hexdigest()
    return digest


def _find_sha256() -> Any:
    """CPython's own implementation, by its names since 3.12 and before, or else whatever there is."""
    for name in ("_sha2", "_sha256"):
        try:
            return import_module(name).sha256
        except ImportError:
            continue
    return import_module("hashlib").sha256


_SHA256 = _find_sha256()
