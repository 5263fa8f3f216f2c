"""The Python names of a tool's parameters."""

from __future__ import annotations

from toolc.generate.names import attribute_name, is_usable_attribute
from toolc.generate.schemas import Parts, Placed, SchemaTree
from toolc.model.tool import Facts, Tool
from toolc_runtime.light import NamedTuple


class IdentifierFault(NamedTuple):
    """A Python name that its author asked for and cannot have."""

    wire: str
    asked: str
    given: str


_PLAIN = frozenset({"type", "description", "properties", "required", "additionalProperties"})
"""Keywords of which no other than `properties` brings a property."""


def parameter_names(tool: Tool) -> dict[str, str]:
    """Wire name to Python name of the parameters at the root of a tool's input schema."""
    schema = tool.input_schema
    properties, required = schema.get("properties"), schema.get("required", [])
    if (
        schema.keys() <= _PLAIN
        and not tool.facts.identifiers
        and isinstance(properties, dict)
        and isinstance(required, list)
        and all(type(name) is str and name in properties for name in required)
    ):
        return {wire: attribute_name(wire) for wire in properties}
    parts = SchemaTree(schema).gather(Placed(schema, ()), with_branches=True)
    return name_properties(parts, "inputSchema", tool.facts)[0]


def name_properties(
    parts: Parts, side: str, facts: Facts
) -> tuple[dict[str, str], list[IdentifierFault]]:
    """Wire name to Python name; what an author asked for wherever it can be had.

    `side` is `inputSchema` or `outputSchema`, whichever the properties stand in.
    """
    names = {wire: attribute_name(wire) for wire in parts.properties}
    faults: list[IdentifierFault] = []
    if not facts.identifiers:
        return names, faults
    for wire, (_, place) in parts.properties.items():
        asked = facts.identifiers.get((side, *place))
        if asked is None or asked == names[wire]:
            continue
        if is_usable_attribute(asked) and asked not in names.values():
            names[wire] = asked
        else:
            faults.append(IdentifierFault(wire, asked, names[wire]))
    return names, faults
