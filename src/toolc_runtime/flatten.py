"""Two schemas that apply to one value as one, keyword by keyword, as far as that can be written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toolc_runtime.jsonvalue import is_same
from toolc_runtime.scalars import NoValueError

Keywords = dict[str, Any]
"""A schema without references and branches."""


def merge(first: Keywords, second: Keywords) -> Keywords:
    """What both schemas say; of two patterns and the like, the first. NoValueError where the types
    exclude each other."""
    made = dict(first)
    for key, value in second.items():
        made[key] = _MERGES.get(key, _first)(made[key], value) if key in made else value
    return made


def _first(first: Any, _second: Any) -> Any:
    return first


def _both(first: Any, second: Any) -> Any:
    return {"allOf": [first, second]}


def _both_by_name(first: Mapping[str, Any], second: Mapping[str, Any]) -> Keywords:
    shared = {name: _both(first[name], second[name]) for name in second if name in first}
    return {**first, **second, **shared}


def _common_types(first: Any, second: Any) -> list[str]:
    one, other = ([kinds] if isinstance(kinds, str) else list(kinds) for kinds in (first, second))
    common = [kind for kind in one if kind in other]
    if "integer" not in common and {"integer", "number"} <= {*one, *other}:
        common = [kind for kind in common if kind != "number"] + ["integer"]
    if not common:
        raise NoValueError("no type fits")
    return common


def _common_members(first: list[Any], second: list[Any]) -> list[Any]:
    return [item for item in first if any(is_same(item, other) for other in second)]


def _every_name(first: list[str], second: list[str]) -> list[str]:
    return list(dict.fromkeys((*first, *second)))


_MERGES: dict[str, Callable[[Any, Any], Any]] = {
    "type": _common_types,
    "enum": _common_members,
    "required": _every_name,
    "properties": _both_by_name,
    "patternProperties": _both_by_name,
    **dict.fromkeys(("items", "additionalProperties", "propertyNames"), _both),
    **dict.fromkeys(("minimum", "minLength", "minItems", "minProperties", "exclusiveMinimum"), max),
    **dict.fromkeys(("maximum", "maxLength", "maxItems", "maxProperties", "exclusiveMaximum"), min),
}
