"""`x-mcp-header`: the parameters that HTTP clients mirror in a header (MCP 2026-07-28, transports)."""

from __future__ import annotations

import re

from toolc.check.subject import HEADER, Subject
from toolc.check.walk import subschemas
from toolc.model.document import JsonObject, Pointer

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_TYPES = frozenset({"string", "integer", "boolean"})
_SAFE = 2**53 - 1


def check_headers(subject: Subject) -> None:
    """A header must be a token, once in a tool, on a primitive property reached by `properties`
    alone; a client must drop a tool that breaks this."""
    if not _mentions_header(subject):
        return
    seen: dict[str, str] = {}
    for pointer, schema in subschemas(subject.tool.input_schema):
        if HEADER not in schema:
            continue
        problem = _fault(pointer, schema, seen)
        if problem:
            subject.report_in_schema(
                "S404",
                f"{_where(pointer)}: {problem}",
                ("inputSchema", *pointer, HEADER),
                hint="a client must drop a tool whose headers break the rules",
            )


def _mentions_header(subject: Subject) -> bool:
    metadata = subject.metadata
    if metadata.input_schema is None and not metadata.root:
        return any(
            row.header is not None or row.schema or row.properties or row.items or row.any_of
            for row in metadata.parameters
        )
    return True


def _where(pointer: Pointer) -> str:
    return f'parameter "{pointer[1]}"' if len(pointer) > 1 else "the input schema"


def _fault(pointer: Pointer, schema: JsonObject, seen: dict[str, str]) -> str:
    header = schema[HEADER]
    on_properties = all(part == "properties" for part in pointer[::2])
    if not pointer or not on_properties or len(pointer) % 2:
        return f"{HEADER} stands where no client looks for it"
    if not isinstance(header, str) or not _TOKEN.fullmatch(header):
        return f'{HEADER} "{header}" is no name of a header'
    kind = schema.get("type")
    if not isinstance(kind, str) or kind not in _TYPES:
        return f"{HEADER} can stand on a string, an integer or a boolean only"
    if kind == "integer" and any(
        isinstance(bound, (int, float)) and abs(bound) > _SAFE
        for bound in (schema.get("minimum"), schema.get("maximum"))
    ):
        return f"{HEADER} needs whole numbers within ±(2^53-1)"
    name = str(pointer[-1])
    first = seen.setdefault(header.lower(), name)
    if first != name:
        return f'{HEADER} "{header}" is that of "{first}" already'
    return ""
