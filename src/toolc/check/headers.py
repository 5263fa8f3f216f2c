"""`x-mcp-header`: the parameters that HTTP clients mirror in a header (MCP 2026-07-28, transports)."""

from __future__ import annotations

import re

from toolc.check.places import HEADER
from toolc.check.subject import Subject
from toolc.check.walk import subschemas
from toolc.check.wording import shown
from toolc.model.document import JsonObject, Pointer

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_TYPES = frozenset({"string", "integer", "boolean"})
_SAFE = 2**53 - 1


def check_headers(subject: Subject) -> None:
    """A header must be a token, once in a tool, on a primitive property reached by `properties`
    alone; a client must drop a tool that breaks this."""
    if not _may_hold_header(subject):
        return
    first: dict[str, Pointer] = {}
    for pointer, schema in subschemas(subject.tool.input_schema, ("inputSchema",)):
        if HEADER not in schema:
            continue
        place = (*pointer, HEADER)
        problem = _fault(pointer, schema)
        if problem:
            _report(subject, f"{subject.places.name(pointer)}: {problem}", place)
            continue
        header = str(schema[HEADER])
        taken = first.setdefault(header.lower(), place)
        if taken != place:
            # Two uses of one shared type clash as well, so both go by their way in the tool.
            one, other = (".".join(map(str, at[2:-1:2])) for at in (taken, place))
            _report(
                subject,
                f'parameter "{other}": {HEADER} {shown(header)} is that of "{one}" already',
                place,
                (taken, "the first one"),
            )


def _report(
    subject: Subject, message: str, place: Pointer, related: tuple[Pointer, str] | None = None
) -> None:
    subject.report_in_schema(
        "S404",
        message,
        place,
        hint="a client must drop a tool whose headers break the rules",
        related=related,
    )


def _may_hold_header(subject: Subject) -> bool:
    return subject.sides[0].is_raw or any(
        row.header is not None
        for parameter in subject.places.checked.values()
        for row in subject.places.rows(parameter)
    )


def _fault(pointer: Pointer, schema: JsonObject) -> str:
    header = schema[HEADER]
    way = pointer[1:]
    if not way or len(way) % 2 or any(part != "properties" for part in way[::2]):
        return f"{HEADER} stands where no client looks for it"
    if not isinstance(header, str) or not _TOKEN.fullmatch(header):
        return f"{HEADER} {shown(header)} is no name of a header"
    kind = schema.get("type")
    if not isinstance(kind, str) or kind not in _TYPES:
        return f"{HEADER} can stand on a string, an integer or a boolean only"
    if kind == "integer" and any(
        isinstance(bound, (int, float)) and abs(bound) > _SAFE
        for bound in (schema.get("minimum"), schema.get("maximum"))
    ):
        return f"{HEADER} needs whole numbers within ±(2^53-1)"
    return ""
