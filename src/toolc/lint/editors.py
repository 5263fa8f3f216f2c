"""What an editor checks and completes `[lint]` of a project file by, made from the table of its keys."""

from __future__ import annotations

import re

from toolc.lint.clients.reader import ALL as ALL_CLIENTS
from toolc.lint.clients.reader import built_in_names
from toolc.lint.rule import Kind as RuleKind
from toolc.lint.rule import Set
from toolc.lint.selection import ALL
from toolc.lint.settings import LEVELS, SETTINGS, Kind
from toolc.lint.table import RULES
from toolc.model.document import JsonObject, JsonValue

_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")


def settings_schema() -> JsonObject:
    """The JSON Schema of the keys in `[lint]`, by name.

    Selectors may mean rules of a project's own, and clients be paths of profiles: those that toolc
    has are offered, and any other text is one as well.
    """
    selectors = _some_of(
        [
            ALL,
            *(one.value for one in Set),
            *(one.value for one in RuleKind),
            *(rule.code for rule in RULES),
            *(rule.name for rule in RULES),
        ]
    )
    forms: dict[Kind, JsonObject] = {
        Kind.SELECTORS: selectors,
        Kind.SELECTORS_OF_FILES: {"type": "object", "additionalProperties": selectors},
        Kind.LEVELS: {"type": "object", "additionalProperties": {"enum": list(LEVELS)}},
        Kind.CLIENTS: _some_of([ALL_CLIENTS, *built_in_names()]),
        Kind.RULES: {"type": "array", "items": {"type": "string"}},
        Kind.FILE: {"type": "string", "pattern": r"\.toml$"},
    }
    rows: JsonObject = {}
    for name, row in SETTINGS.items():
        text = _LINK.sub(r"\1", row.meaning)
        rows[name] = {"description": text, "markdownDescription": text, **forms[row.kind]}
    return rows


def _some_of(words: list[JsonValue]) -> JsonObject:
    """A list of texts; these are offered."""
    return {"type": "array", "items": {"type": "string", "anyOf": [{"enum": words}, {}]}}
