"""The dialects of JSON Schema that toolc knows, by the URIs of their metaschemas."""

from __future__ import annotations

from collections.abc import Mapping

from toolc.model.document import JsonValue

DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""What an MCP schema without `$schema` means since 2025-11-25 (SEP-1613)."""

_VOCABULARIES: Mapping[str, tuple[str, ...]] = {
    DEFAULT_DIALECT: (
        "core",
        "applicator",
        "unevaluated",
        "validation",
        "meta-data",
        "format-annotation",
        "format-assertion",
        "content",
    ),
    "https://json-schema.org/draft/2019-09/schema": (
        "core",
        "applicator",
        "validation",
        "meta-data",
        "format",
        "content",
    ),
    "http://json-schema.org/draft-07/schema": (),
    "http://json-schema.org/draft-06/schema": (),
    "http://json-schema.org/draft-04/schema": (),
}


def known_dialect(uri: str) -> str | None:
    """The dialect that a `$schema` names, by its metaschema's own URI; None for another one.

    Drafts 4 to 7 are called by `http:`, and people write `https:` all the same.
    """
    plain = uri.removesuffix("#")
    for spelling in (plain, plain.replace("https:", "http:", 1)):
        if spelling in _VOCABULARIES:
            return spelling
    return None


def dialect_of(schema: JsonValue) -> str:
    """The dialect to read a schema in: its own, or 2020-12 where it names none that is known."""
    named = schema.get("$schema") if isinstance(schema, dict) else None
    return (known_dialect(named) if isinstance(named, str) else None) or DEFAULT_DIALECT


def identifier_keyword(dialect: str) -> str:
    """The keyword by which a schema gives itself a URI."""
    return "id" if dialect.endswith("draft-04/schema") else "$id"


def definitions_keyword(dialect: str) -> str:
    """The keyword that holds schemas for others to refer to."""
    return "$defs" if dialect.startswith("https:") else "definitions"


def metaschema_uris(dialect: str) -> frozenset[str]:
    """The documents outside itself that a schema of `dialect` may refer to: validators have them."""
    folder = dialect.removesuffix("schema")
    return frozenset({dialect, *(f"{folder}meta/{name}" for name in _VOCABULARIES[dialect])})
