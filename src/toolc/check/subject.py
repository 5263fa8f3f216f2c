"""What a rule may look at, and where it writes what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from toolc.model.diagnostic import Related
from toolc.model.document import Document, JsonValue, Pointer
from toolc.model.findings import Findings
from toolc.model.metadata import Parameter, ToolMetadata
from toolc.model.project import Project
from toolc.model.tool import Tool

HEADER = "x-mcp-header"
"""What a parameter's `header` is called in a schema."""


class Side(NamedTuple):
    """One of a tool's two schemas."""

    key: str
    """`inputSchema` or `outputSchema`."""
    schema: JsonValue
    is_raw: bool
    """Written by the author as it stands, so that anything may be wrong with it."""


class Subject(NamedTuple):
    metadata: ToolMetadata
    tool: Tool
    checked: Mapping[Pointer, Parameter]
    """Subschemas that hold what an author gave to be checked, by the pointer that begins with the
    side's key, and the parameter that it was written in."""
    project: Project
    findings: Findings

    def sides(self) -> tuple[Side, ...]:
        given = self.metadata.input_schema is not None
        # A parameter's own `schema` and `root` put raw keywords into a schema built by toolc.
        given = given or bool(self.metadata.root) or _holds_raw(self.metadata.parameters)
        sides = [Side("inputSchema", self.tool.input_schema, given)]
        if self.tool.output_schema is not None:
            raw = self.metadata.output is None or _holds_raw(self.metadata.output)
            sides.append(Side("outputSchema", self.tool.output_schema, raw))
        return tuple(sides)

    def says_null_default(self, pointer: Pointer) -> bool:
        """Whether the author of a subschema gave its null default as `nullDefault`."""
        document, place = self._written(pointer)
        return document.has((*place, "nullDefault"))

    def report(
        self,
        code: str,
        message: str,
        pointer: Pointer,
        *,
        hint: str = "",
        key: bool = False,
    ) -> None:
        """A finding at a place inside the tool's own definition."""
        self.findings.add(
            code,
            message,
            (*self.metadata.origin.pointer, *pointer),
            hint=hint,
            key=key,
        )

    def report_in_schema(
        self,
        code: str,
        message: str,
        pointer: Pointer,
        *,
        hint: str = "",
        related: tuple[Pointer, str] | None = None,
    ) -> None:
        """A finding in a schema: `pointer` begins with the side's key.

        Where toolc built that part of the schema from a parameter, the parameter's own place is
        reported instead. `related` is another place in the schema and what stands there.
        """
        document, place = self._written(pointer)
        beside: tuple[Related, ...] = ()
        if related is not None:
            other, other_place = self._written(related[0])
            if other.has(other_place):
                beside = self.findings.related(related[1], other_place, document=other)
        own = self.metadata.origin
        if document is not own.document:
            beside += self.findings.related(f'used by "{self.tool.name}"', own.pointer)
        self.findings.add(code, message, place, hint=hint, document=document, related=beside)

    def _written(self, pointer: Pointer) -> tuple[Document, Pointer]:
        """Where an author wrote what stands at a place in a schema."""
        for length in range(len(pointer), 0, -1):
            parameter = self.checked.get(pointer[:length])
            if parameter is not None:
                origin = parameter.origin
                raw = ("schema",) if parameter.schema is not None else ()
                rest = tuple("header" if part == HEADER else part for part in pointer[length:])
                return origin.document, (*origin.pointer, *raw, *rest)
        return self.metadata.origin.document, (*self.metadata.origin.pointer, *pointer)


def _holds_raw(parameters: tuple[Parameter, ...]) -> bool:
    return any(
        row.schema is not None
        or "pattern" in row.keywords
        or _holds_raw(row.properties or ())
        or _holds_raw(row.any_of)
        or (row.items is not None and _holds_raw((row.items,)))
        for row in parameters
    )
