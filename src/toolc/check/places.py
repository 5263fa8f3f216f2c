"""From a place in a tool's schema back to the definition: where it was written, and as what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from toolc.model.document import Document, Pointer
from toolc.model.metadata import Named, Parameter, ToolMetadata
from toolc_runtime.light import NamedTuple

HEADER = "x-mcp-header"
"""What a parameter's `header` is called in a schema."""


class Places(NamedTuple):
    """The places of one tool's schemas; a pointer into them begins with `inputSchema` or
    `outputSchema`."""

    metadata: ToolMetadata
    checked: Mapping[Pointer, Parameter]
    """Subschemas that hold what an author gave to be checked, and the parameter that it was
    written in."""
    types: Mapping[Pointer, str]
    """Subschemas that a shared type was expanded to, and its name."""

    def written(self, pointer: Pointer) -> tuple[Document, Pointer]:
        """Where an author wrote what stands at `pointer`."""
        start, parameter = self.nearest(pointer)
        if parameter is not None:
            way = pointer[len(start) :]
            rows = tuple(self.rows(parameter)) if way else (parameter,)
            row = next((row for row in rows if way and _says(row, way)), rows[-1])
            return row.origin.document, (*row.origin.pointer, *_way_in_row(row, way))
        own, root = self.metadata.origin, self.metadata.root
        if pointer[0] == "inputSchema" and len(pointer) > 1 and pointer[1] in root:
            return own.document, (*own.pointer, "root", *pointer[1:])
        return own.document, (*own.pointer, *pointer)

    def name(self, pointer: Pointer) -> str:
        """What a message calls a subschema: a parameter by its way from the root, a part of a
        shared definition by its way from there, so that all tools that use it say the same."""
        start, parameter = self.nearest(pointer)
        if parameter is None or parameter.origin.document is self.metadata.origin.document:
            way = _properties(pointer)
            return f'parameter "{way}"' if way else f'"{pointer[0]}"'
        for length in range(len(pointer), 0, -1):
            if pointer[:length] in self.types:
                shared = f'the shared type "{self.types[pointer[:length]]}"'
                way = _properties(pointer[length:])
                return f'"{way}" of {shared}' if way else shared
        way = ".".join(filter(None, (parameter.name, _properties(pointer[len(start) :]))))
        return f'parameter "{way}"'

    def user(self, pointer: Pointer) -> Pointer:
        """The place in the tool's own definition that brought in what stands at `pointer`."""
        own = self.metadata.origin
        is_input = pointer[0] == "inputSchema"
        for row in (self.metadata.parameters if is_input else self.metadata.output) or ():
            if pointer[1:3] == ("properties", row.name) and row.origin.document is own.document:
                return row.origin.pointer
        return (*own.pointer, "parameters" if is_input else "output")

    def nearest(self, pointer: Pointer) -> tuple[Pointer, Parameter | None]:
        """The innermost subschema around a place that is known to come from a parameter."""
        for length in range(len(pointer), 0, -1):
            parameter = self.checked.get(pointer[:length])
            if parameter is not None:
                return pointer[:length], parameter
        return (), None

    def rows(self, parameter: Parameter) -> Iterator[Parameter]:
        """A parameter, and the shared types that it is made of where its type is only a name:
        all of them speak in one subschema."""
        shared = self.metadata.shared.types
        seen: set[str] = set()
        while True:
            yield parameter
            if not isinstance(parameter.type, Named) or parameter.type.name in seen:
                return
            name = parameter.type.name
            if name not in shared:
                return
            seen.add(name)
            parameter = shared[name]


def _properties(pointer: Pointer) -> str:
    """The properties on a way through a schema, joined by dots."""
    return ".".join(str(part) for before, part in pairwise(pointer) if before == "properties")


def _says(parameter: Parameter, way: Pointer) -> bool:
    """Whether a parameter itself, and not the type that it names, gives a keyword of its schema."""
    if way[0] == HEADER:
        return parameter.header is not None
    if way[0] == "description":
        return bool(parameter.description)
    if parameter.values and way[0] in ("enum", "oneOf"):
        return True
    return way[0] in parameter.keywords


def _way_in_row(parameter: Parameter, way: Pointer) -> Pointer:
    """Where the table that a parameter was written as has what its schema has at `way`."""
    if parameter.nullable and not parameter.any_of and way[:2] == ("anyOf", 0):
        way = way[2:]  # the branch beside null
    if way and _says(parameter, way):
        if way[0] == HEADER:
            return ("header",)
        if way[0] in ("enum", "oneOf") and way[0] not in parameter.keywords:
            return ("values", *way[1:2], "value")
        return way
    return ("schema", *way) if parameter.schema is not None else way
