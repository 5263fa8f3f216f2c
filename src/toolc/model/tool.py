"""A compiled tool: what the wire says of it, whatever the revision, and what only a server needs."""

from __future__ import annotations

from collections.abc import Mapping

from toolc.model.document import NOTHING, JsonObject, JsonValue, Pointer
from toolc_runtime.light import TYPE_CHECKING, NamedTuple
from toolc_runtime.revision import LATEST_REVISION, project

if TYPE_CHECKING:
    from typing import Any

    import mcp_types

    from toolc.model.diagnostic import Diagnostic
    from toolc.model.metadata import DeclaredError, Example


KINDS = ("query", "lookup", "analysis", "management")
"""What `Facts.kind` can be."""


class Facts(NamedTuple):
    """What a server, a generator or a report needs of a tool and the wire does not have."""

    keywords: tuple[str, ...] = ()
    discoverable: bool = False
    kind: str | None = None
    budget: int | None = None
    tags: tuple[str, ...] = ()
    deprecated: bool | str = False
    content: tuple[str, ...] = ()
    errors: tuple[DeclaredError, ...] = ()
    examples: tuple[Example, ...] = ()
    timeout: float | None = None
    concurrency: int | None = None
    rate_limit: str | None = None
    envelope: bool = False
    repair: str = "off"
    extra_parameters: str = "forbid"
    aliases: tuple[str, ...] = ()
    handler: str | None = None
    """The author's own `module:function`; None where toolc writes a stub."""
    parameter_aliases: Mapping[str, str] = {}
    """Old parameter name to the present one, both as on the wire."""
    nested_aliases: Mapping[Pointer, Mapping[str, str]] = {}
    """The same of nested objects, by the place of the object's schema in `input_schema`."""
    identifiers: Mapping[Pointer, str] = {}
    """Property in `input_schema` or `output_schema` (the pointer begins with that word, as in
    `("inputSchema", "properties", "from")`) to the Python name that its author asked for."""
    types: Mapping[Pointer, str] = {}
    """Subschema (addressed likewise) to the shared type that it was expanded from."""


class Tool(NamedTuple):
    """One MCP tool, revision-free: the union of what the revisions know.

    The schemas and the other JSON values are shared, not copied: treat them as frozen.
    """

    name: str
    input_schema: JsonObject
    title: str = ""
    description: str | None = None
    output_schema: JsonValue = None
    """None where the tool declares none; otherwise a schema, an object or a boolean. It describes
    the data alone: `to_wire` puts it into the envelope of a tool that has one."""
    annotations: JsonObject | None = None
    execution: JsonObject | None = None
    icons: tuple[JsonObject, ...] = ()
    meta: JsonObject | None = None
    wire: JsonObject = NOTHING
    """Further keys of the Tool object, verbatim."""
    facts: Facts = Facts()
    path: str = ""
    """The file that defines it, and `pointer` the place in it; never on the wire."""
    pointer: Pointer = ()

    @property
    def aliases(self) -> tuple[str, ...]:
        return self.facts.aliases

    def to_wire(self) -> JsonObject:
        """The Tool as a JSON object with all that any revision knows; keys in MCP's order."""
        wire: JsonObject = {"name": self.name}
        if self.title:
            wire["title"] = self.title
        if self.description is not None:
            wire["description"] = self.description
        wire["inputSchema"] = self.input_schema
        if self.facts.envelope:
            from toolc_runtime.envelope import envelope_schema

            wire["outputSchema"] = envelope_schema(self.output_schema)
        elif self.output_schema is not None:
            wire["outputSchema"] = self.output_schema
        if self.annotations is not None:
            wire["annotations"] = self.annotations
        if self.execution is not None:
            wire["execution"] = self.execution
        if self.icons:
            wire["icons"] = list(self.icons)
        if self.meta is not None:
            wire["_meta"] = self.meta
        wire.update(self.wire)
        return wire

    def to_dict(self, revision: str = LATEST_REVISION) -> JsonObject:
        """The Tool as `tools/list` sends it under an MCP revision; ValueError for an unknown one."""
        return project(self.to_wire(), revision)[0]

    def to_mcp(self) -> mcp_types.Tool:
        """The official SDK's Tool object. It drops top-level keys that the protocol does not define."""
        import mcp_types

        wire: dict[str, Any] = self.to_wire()
        return mcp_types.Tool.model_validate(wire)


class CompiledFile(NamedTuple):
    """All that one source file came to: the unit that a cache can keep.

    It depends on the file's text, the files it names (`attachments`), and the shared definitions
    in `uses`; on no other file.
    """

    path: str
    tools: tuple[Tool, ...]
    diagnostics: tuple[Diagnostic, ...]
    attachments: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
