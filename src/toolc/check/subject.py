"""What a rule may look at, and where it writes what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from toolc.check.places import Places
from toolc.model.diagnostic import Related
from toolc.model.document import Document, JsonValue, Pointer
from toolc.model.findings import Findings
from toolc.model.metadata import Parameter, ToolMetadata
from toolc.model.project import Project
from toolc.model.tool import Tool

if TYPE_CHECKING:
    from toolc_runtime.validation import SchemaError, Validator

MOST_ALIKE = 20
"""Findings of one code that are told of one tool; the last of them counts the rest."""


class Side(NamedTuple):
    """One of a tool's two schemas."""

    key: str
    """`inputSchema` or `outputSchema`."""
    schema: JsonValue
    is_raw: bool
    """It holds what an author wrote as it stands, so that anything may be wrong with it."""


class _Finding(NamedTuple):
    code: str
    message: str
    document: Document
    place: Pointer
    hint: str
    key: bool
    related: tuple[Related, ...]


class Subject:
    """One tool, held to the rules: each looks at it, and reports to it."""

    def __init__(
        self,
        metadata: ToolMetadata,
        tool: Tool,
        checked: Mapping[Pointer, Parameter],
        project: Project,
        findings: Findings,
    ) -> None:
        self.metadata = metadata
        self.tool = tool
        self.places = Places(metadata, checked, tool.facts.types)
        self.project = project
        self.findings = findings
        self.unusable: set[str] = set()
        """The keys of sides whose schema has an error: nothing is checked against them."""
        self._validators: dict[str, Validator | SchemaError] = {}
        self._seen: set[tuple[str, str, int, Pointer]] = set()
        self._counts: dict[str, int] = {}
        self._held_back: dict[str, _Finding] = {}

    # What there is to look at

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        metadata, tool = self.metadata, self.tool
        raw = {
            pointer[0]
            for pointer, parameter in self.places.checked.items()
            if any(_holds_raw(row) for row in self.places.rows(parameter))
        }
        given = metadata.input_schema is not None or bool(metadata.root)
        sides = [Side("inputSchema", tool.input_schema, given or "inputSchema" in raw)]
        if tool.output_schema is not None:
            given = metadata.output is None
            sides.append(Side("outputSchema", tool.output_schema, given or "outputSchema" in raw))
        return tuple(sides)

    def compiled(self, side: Side) -> Validator | SchemaError:
        """A side's validator, made once, or why there can be none."""
        from toolc_runtime.validation import SchemaError, compile_schema

        if side.key not in self._validators:
            try:
                self._validators[side.key] = compile_schema(side.schema)
            except SchemaError as error:
                self._validators[side.key] = error
        return self._validators[side.key]

    def says_null_default(self, pointer: Pointer) -> bool:
        """Whether the author of a subschema gave its null default as `nullDefault`."""
        document, place = self.places.written(pointer)
        return document.has((*place, "nullDefault"))

    # Where to report

    def report(
        self, code: str, message: str, pointer: Pointer, *, hint: str = "", key: bool = False
    ) -> None:
        """A finding at a place inside the tool's own definition."""
        self.report_at(code, message, (*self.metadata.origin.pointer, *pointer), hint=hint, key=key)

    def report_at(
        self, code: str, message: str, pointer: Pointer, *, hint: str = "", key: bool = False
    ) -> None:
        """A finding at a place in the document that the tool is defined in."""
        document = self.metadata.origin.document
        self._note(_Finding(code, message, document, pointer, hint, key, ()))

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
        document, place = self.places.written(pointer)
        beside: tuple[Related, ...] = ()
        if related is not None:
            other, other_place = self.places.written(related[0])
            if other.has(other_place) and (other is not document or other_place != place):
                beside = self.findings.related(related[1], other_place, document=other)
        if document is not self.metadata.origin.document:
            beside += self.findings.related(
                f'used by "{self.tool.name}"', self.places.user(pointer)
            )
        self._note(_Finding(code, message, document, place, hint, False, beside))

    def close(self) -> None:
        """Write what was held back until it was known how many more there are."""
        for code, finding in self._held_back.items():
            more = self._counts[code] - MOST_ALIKE
            if more:
                finding = finding._replace(message=f"{finding.message} (and {more:,} more like it)")
            self._write(finding)

    def _note(self, finding: _Finding) -> None:
        # A shared definition's fault shows wherever the tool uses it.
        key = (finding.code, finding.message, id(finding.document), finding.place)
        if key in self._seen:
            return
        self._seen.add(key)
        count = self._counts[finding.code] = self._counts.get(finding.code, 0) + 1
        if count < MOST_ALIKE:
            self._write(finding)
        elif count == MOST_ALIKE:
            self._held_back[finding.code] = finding

    def _write(self, finding: _Finding) -> None:
        self.findings.add(
            finding.code,
            finding.message,
            finding.place,
            hint=finding.hint,
            key=finding.key,
            related=finding.related,
            document=finding.document,
        )


def _holds_raw(parameter: Parameter) -> bool:
    return parameter.schema is not None or "pattern" in parameter.keywords
