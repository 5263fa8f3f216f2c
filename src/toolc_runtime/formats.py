"""The formats that are asserted: in defaults, in examples and in calls alike, in every dialect.

JSON Schema leaves it open whether `format` is checked. These are; any other says something to
readers and nothing to the validator.
"""

from __future__ import annotations

from collections.abc import Callable

from toolc_runtime.light import NamedTuple


class Format(NamedTuple):
    expected: str
    """What a value of it is, for a message: "expected …"."""
    check: Callable[[str], bool] | None = None
    """None where jsonschema_rs checks it in every dialect."""


def _is_uuid(text: str) -> bool:
    """RFC 9562's text form: 8-4-4-4-12 hexadecimal digits, either case."""
    groups = text.split("-")
    return [len(group) for group in groups] == [8, 4, 4, 4, 12] and all(
        digit in "0123456789abcdefABCDEF" for group in groups for digit in group
    )


ASSERTED = {
    "date-time": Format('a date and time with its offset (RFC 3339, like "2026-11-29T14:03:11Z")'),
    "date": Format('a date (like "2026-11-29")'),
    "time": Format('a time with its offset (like "14:03:11Z")'),
    "email": Format('an e-mail address (like "ada@example.org")'),
    "hostname": Format('a host name (like "example.org")'),
    "ipv4": Format('an IPv4 address (like "192.0.2.1")'),
    "ipv6": Format('an IPv6 address (like "2001:db8::1")'),
    "uri": Format('a URI with its scheme (like "https://example.org/")'),
    "uuid": Format('a UUID (like "123e4567-e89b-12d3-a456-426614174000")', _is_uuid),
    "regex": Format("a regular expression"),
}
"""By name, as JSON Schema 2020-12 section 7.3 defines them."""

_ELSEWHERE = (
    "duration",
    "idn-email",
    "idn-hostname",
    "iri",
    "iri-reference",
    "json-pointer",
    "relative-json-pointer",
    "uri-reference",
    "uri-template",
)
"""What jsonschema_rs would check of itself, in some of the dialects only."""


def _accept(_text: str) -> bool:
    return True


CHECKS: dict[str, Callable[[str], bool]] = {
    **dict.fromkeys(_ELSEWHERE, _accept),
    **{name: row.check for name, row in ASSERTED.items() if row.check is not None},
}
"""The checks that replace jsonschema_rs's own."""
