"""What a server knows of a tool beside its wire form: the tool's entry in the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from toolc_runtime.jsonvalue import JsonObject, JsonValue, Pointer

_NONE: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class ServedExample:
    """A call that the tool's author gave as an example."""

    prompt: str = ""
    arguments: JsonObject | None = None
    result: JsonValue = None
    has_result: bool = False
    exact: bool = False


@dataclass(frozen=True, slots=True)
class ServedFacts:
    """The keys of a catalogue's entry that a server acts on; each with its default."""

    keywords: tuple[str, ...] = ()
    discoverable: bool = False
    kind: str | None = None
    budget: int | None = None
    """Tokens of an answer past which the server warns."""
    errors: tuple[str, ...] = ()
    """The codes that the tool declares."""
    examples: tuple[ServedExample, ...] = ()
    timeout: float | None = None
    """Seconds."""
    concurrency: int | None = None
    rate_limit: str | None = None
    """A number of calls and a span: `60/min`."""
    envelope: bool = False
    repair: str = "off"
    extra_parameters: str = "forbid"
    aliases: tuple[str, ...] = ()
    """Names that the tool had before: it answers to them, and is not listed so."""
    parameter_aliases: Mapping[str, str] = field(default_factory=dict)
    """Old parameter name to the present one."""
    nested_aliases: Mapping[Pointer, Mapping[str, str]] = field(default_factory=dict)
    """The same of nested objects, by the place of the object's schema in the input schema."""


NO_FACTS = ServedFacts()


def facts_from_entry(entry: JsonObject) -> ServedFacts:
    """The facts of a catalogue's entry; what is of another kind than it should be is its default."""
    read = _Entry(entry)
    return ServedFacts(
        keywords=read.texts("keywords"),
        discoverable=entry.get("discoverable") is True,
        kind=read.text("kind"),
        budget=read.number("budget", int),
        errors=tuple(
            row["code"]
            for row in read.rows("errors")
            if isinstance(row, dict) and isinstance(row.get("code"), str)
        ),
        examples=tuple(_example(row) for row in read.rows("examples") if isinstance(row, dict)),
        timeout=read.number("timeout", (int, float)),
        concurrency=read.number("concurrency", int),
        rate_limit=read.text("rateLimit"),
        envelope=entry.get("envelope") is True,
        repair=read.text("repair") or "off",
        extra_parameters=read.text("extraParameters") or "forbid",
        aliases=read.texts("aliases"),
        parameter_aliases=read.names("parameterAliases") or _NONE,
        nested_aliases={
            tuple(row["at"]): _Entry(row).names("names")
            for row in read.rows("nestedAliases")
            if isinstance(row, dict) and isinstance(row.get("at"), list)
        },
    )


def facts_of_tool(facts: Any) -> ServedFacts:
    """The facts of a tool built in memory: those of `toolc.Tool.facts`."""
    return ServedFacts(
        keywords=facts.keywords,
        discoverable=facts.discoverable,
        kind=facts.kind,
        budget=facts.budget,
        errors=tuple(error.code for error in facts.errors),
        examples=tuple(
            ServedExample(row.prompt, row.arguments, row.result, row.has_result, row.exact)
            for row in facts.examples
        ),
        timeout=facts.timeout,
        concurrency=facts.concurrency,
        rate_limit=facts.rate_limit,
        envelope=facts.envelope,
        repair=facts.repair,
        extra_parameters=facts.extra_parameters,
        aliases=facts.aliases,
        parameter_aliases=facts.parameter_aliases,
        nested_aliases=facts.nested_aliases,
    )


def _example(row: JsonObject) -> ServedExample:
    prompt, arguments = row.get("prompt"), row.get("arguments")
    return ServedExample(
        prompt if isinstance(prompt, str) else "",
        arguments if isinstance(arguments, dict) else None,
        row.get("result"),
        "result" in row,
        row.get("exact") is True,
    )


class _Entry:
    """Reads the values of an entry by their kinds."""

    def __init__(self, entry: JsonObject) -> None:
        self._entry = entry

    def text(self, key: str) -> str | None:
        value = self._entry.get(key)
        return value if isinstance(value, str) else None

    def number(self, key: str, kind: Any) -> Any:
        value = self._entry.get(key)
        return value if isinstance(value, kind) and not isinstance(value, bool) else None

    def rows(self, key: str) -> list[Any]:
        value = self._entry.get(key)
        return value if isinstance(value, list) else []

    def texts(self, key: str) -> tuple[str, ...]:
        return tuple(item for item in self.rows(key) if isinstance(item, str))

    def names(self, key: str) -> dict[str, str]:
        value = self._entry.get(key)
        pairs = value.items() if isinstance(value, dict) else ()
        return {old: new for old, new in pairs if isinstance(new, str)}
