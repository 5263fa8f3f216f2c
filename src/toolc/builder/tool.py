"""ToolMetadata -> Tool: the only writer of MCP's shape."""

from __future__ import annotations

from collections.abc import Mapping

from toolc.builder.schemas import SchemaBuilder, Traces
from toolc.model.document import JsonObject, JsonValue, Pointer
from toolc.model.findings import Findings
from toolc.model.metadata import Hints, Icon, Parameter, ToolMetadata
from toolc.model.project import Project
from toolc.model.tool import Facts, Tool

DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""What an MCP schema without `$schema` means since 2025-11-25 (SEP-1613)."""

_INPUT: Pointer = ("inputSchema",)


def build_tool(
    metadata: ToolMetadata, project: Project, findings: Findings, *, every_row: bool = False
) -> tuple[Tool, Mapping[Pointer, Parameter]]:
    """The Tool that the metadata describes; what does not fit together goes into `findings`.

    Beside it, which subschemas hold something that is checked later (a `default`, a `pattern` and
    the like): the pointer begins with `inputSchema` or `outputSchema`, and the parameter says
    where it was written. With `every_row` these are all subschemas that a parameter became.
    """
    document = metadata.origin.document
    input_schema, traces = _input_schema(metadata, project, findings, every_row)
    output_schema, output_traces = _output_schema(metadata, project, findings, every_row)
    traces.identifiers.update(output_traces.identifiers)
    traces.types.update(output_traces.types)
    traces.checked.update(output_traces.checked)
    tool = Tool(
        name=metadata.name,
        title=metadata.title,
        description=metadata.description,
        input_schema=input_schema,
        output_schema=output_schema,
        annotations=_annotations(metadata.hints, metadata.annotations),
        execution=None if metadata.task_support is None else {"taskSupport": metadata.task_support},
        icons=tuple(_icon(icon) for icon in metadata.icons),
        meta=_meta(metadata),
        wire=metadata.wire,
        facts=_facts(metadata, traces),
        path=document.source.path if document.source is not None else "",
        pointer=metadata.origin.pointer,
    )
    return tool, traces.checked


def _input_schema(
    metadata: ToolMetadata, project: Project, findings: Findings, every_row: bool
) -> tuple[JsonObject, Traces]:
    builder = SchemaBuilder(
        project, metadata.shared, findings, is_output=False, every_row=every_row
    )
    if metadata.input_schema is not None:
        _check_openness(metadata, findings)
        return metadata.input_schema, builder.traces
    schema = builder.object_schema(metadata.parameters, _INPUT)
    additional = metadata.additional
    if additional is None:
        schema["additionalProperties"] = metadata.extra_parameters in ("warn", "allow")
    elif additional != "absent":
        schema["additionalProperties"] = builder.additional(additional, _INPUT)
    _finish(schema, builder, metadata, findings)
    return _with_dialect(schema, project), builder.traces


def _output_schema(
    metadata: ToolMetadata, project: Project, findings: Findings, every_row: bool
) -> tuple[JsonValue, Traces]:
    builder = SchemaBuilder(project, metadata.shared, findings, is_output=True, every_row=every_row)
    if metadata.output is None:
        return metadata.output_schema, builder.traces
    schema = builder.object_schema(metadata.output, ("outputSchema",))
    _finish(schema, builder, None, findings)
    return _with_dialect(schema, project), builder.traces


def _finish(
    schema: JsonObject, builder: SchemaBuilder, metadata: ToolMetadata | None, findings: Findings
) -> None:
    """Add `$defs` and the author's further root keywords; one that stands there already is refused."""
    if builder.definitions:
        schema["$defs"] = builder.definitions
    if metadata is None:
        return
    for key, value in metadata.root.items():
        if key in schema:
            findings.add(
                "M109",
                f'"root" gives "{key}", which toolc writes itself',
                (*metadata.origin.pointer, "root", key),
                key=True,
                hint=f'take "{key}" out of "root", or write the whole as `inputSchema`',
            )
        schema[key] = value


def _with_dialect(schema: JsonObject, project: Project) -> JsonObject:
    return {"$schema": DIALECT, **schema} if project.dialect else schema


def _check_openness(metadata: ToolMetadata, findings: Findings) -> None:
    """A raw schema decides by itself what it takes; `extraParameters` may only agree."""
    wanted = metadata.extra_parameters
    assert metadata.input_schema is not None
    closed = metadata.input_schema.get("additionalProperties") is False
    if wanted is not None and closed != (wanted == "forbid"):
        findings.add(
            "M109",
            f'"extraParameters" is "{wanted}", but `inputSchema` is '
            + ("closed" if closed else "open"),
            (*metadata.origin.pointer, "extraParameters"),
            hint="take it away, or change `additionalProperties` in the schema",
        )


def _annotations(hints: Hints, further: JsonObject | None) -> JsonObject | None:
    """Set hints only, `false` included, after what the author gave verbatim; None for nothing."""
    annotations: JsonObject = {}
    for name, value in (
        ("readOnlyHint", hints.read_only),
        ("destructiveHint", hints.destructive),
        ("idempotentHint", hints.idempotent),
        ("openWorldHint", hints.open_world),
    ):
        if value is not None:
            annotations[name] = value
    if further is None:
        return annotations or None
    return {**further, **annotations}


def _icon(icon: Icon) -> JsonObject:
    wire: JsonObject = {"src": icon.src}
    if icon.mime_type:
        wire["mimeType"] = icon.mime_type
    if icon.sizes:
        wire["sizes"] = list(icon.sizes)
    if icon.theme:
        wire["theme"] = icon.theme
    return wire


def _meta(metadata: ToolMetadata) -> JsonObject | None:
    if metadata.ui is None:
        return metadata.meta
    ui: JsonObject = {}
    if metadata.ui.resource_uri:
        ui["resourceUri"] = metadata.ui.resource_uri
    if metadata.ui.visibility:
        ui["visibility"] = list(metadata.ui.visibility)
    return {**(metadata.meta or {}), "ui": ui}


def _facts(metadata: ToolMetadata, traces: Traces) -> Facts:
    return Facts(
        keywords=metadata.keywords,
        discoverable=metadata.discoverable,
        kind=metadata.kind,
        budget=metadata.budget,
        tags=metadata.tags,
        deprecated=metadata.deprecated,
        content=metadata.content,
        errors=metadata.errors,
        examples=metadata.examples,
        timeout=metadata.timeout,
        concurrency=metadata.concurrency,
        rate_limit=metadata.rate_limit,
        envelope=metadata.envelope,
        repair=metadata.repair,
        extra_parameters=_extra_parameters(metadata),
        aliases=metadata.aliases,
        handler=metadata.handler,
        parameter_aliases=traces.aliases.get(_INPUT, {}),
        nested_aliases={
            place[1:]: names for place, names in traces.aliases.items() if place != _INPUT
        },
        identifiers=traces.identifiers,
        types=traces.types,
    )


def _extra_parameters(metadata: ToolMetadata) -> str:
    """What a server does with unknown arguments; an open schema lets them through."""
    if metadata.extra_parameters is not None:
        return metadata.extra_parameters
    if metadata.input_schema is not None:
        return "forbid" if metadata.input_schema.get("additionalProperties") is False else "allow"
    return "forbid" if metadata.additional in (None, False) else "allow"
