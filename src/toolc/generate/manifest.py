"""manifest.json and catalog.json: what `tools/list` sends, and what only a server and toolc need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from toolc.generate.names import module_name
from toolc.generate.parameters import parameter_names
from toolc.model.artifact import Artifact, JoinedLines, Owner, Text, read_text
from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic
from toolc.model.digest import text_sha256
from toolc.model.document import JsonObject, JsonValue, Pointer, Site
from toolc.model.jsontext import compact, compact_sorted
from toolc.model.piece import Pieces
from toolc.model.project import CATALOG_FILE, Project, ServerInfo
from toolc.model.tool import Facts, Tool
from toolc_runtime.light import TYPE_CHECKING, NamedTuple
from toolc_runtime.revision import Note, missing
from toolc_runtime.revision import project as project_tool

if TYPE_CHECKING:
    from typing import Any

    from toolc.model.metadata import DeclaredError, Example

CATALOG_FORMAT = 1


class Projected(NamedTuple):
    """A tool, as one revision has it on the wire, and what that revision could not hold."""

    tool: Tool
    wire: JsonObject
    notes: tuple[Note, ...]
    """One at least where `wire` is not `whole`."""
    whole: JsonObject
    """The tool with all that any revision knows."""


def project_wire(tool: Tool, revision: str) -> Projected:
    whole = tool.to_wire()
    return Projected(tool, *project_tool(whole, revision), whole)


def revision_notes(row: Projected) -> tuple[Diagnostic, ...]:
    """A note for each thing that the chosen revision cannot hold as it was defined.

    That a tool forbids tasks goes without saying where a revision has none.
    """
    if not row.notes:
        return ()
    return tuple(
        Diagnostic(
            "R501",
            CODES["R501"].severity,
            f'"{row.tool.name}": {note.message}',
            Site(row.tool.path) if row.tool.path else None,
            tool=row.tool.name,
        )
        for note in row.notes
        if (note.key, row.tool.execution) != ("execution", {"taskSupport": "forbidden"})
    )


def wire_line(row: Projected) -> str:
    """A tool's line in the manifest."""
    return compact(row.wire)


def manifest_text(lines: Iterable[bytes | bytearray]) -> JoinedLines:
    """`{"tools": [...]}`, one line a tool, sorted by name."""
    return _block('{"tools": [', lines, "]}\n")


def tool_digest(whole: JsonObject) -> str:
    """sha256 of what the wire says of a tool in any revision; the order of keys does not count."""
    return text_sha256(compact_sorted(whole))


def entry_line(row: Projected, project: Project) -> str:
    """A tool's line in the catalogue."""
    return f"{compact(row.tool.name)}: {compact(catalog_entry(row, project))}"


def catalog_text(
    lines: Iterable[bytes | bytearray],
    project: Project,
    output_digests: Mapping[str, str],
) -> JoinedLines:
    """The catalogue: one line a tool, keys that have their default left out.

    `output_digests` are those of the project's own artefacts, by path.
    """
    head = (
        f'{{"format": {CATALOG_FORMAT}, "revision": {compact(project.revision)},\n'
        f'"server": {compact(_server(project))},\n'
        '"tools": {'
    )
    return _block(head, lines, f"}},{_files(output_digests)}")


def with_recorded_files(catalog: Text, output_digests: Mapping[str, str]) -> Text:
    """A `catalog_text` with these digests in the place of its own."""
    tail = _files(output_digests)
    if isinstance(catalog, JoinedLines):
        return catalog.with_tail(_before_files(catalog.tail) + tail)
    return _before_files(read_text(catalog)) + tail


_FILES = '\n"files": {'
"""Where the catalogue's last table begins; its own rows hold texts, so that none begins so too."""


def _before_files(text: str) -> str:
    return text[: text.rindex(_FILES)]


def _files(output_digests: Mapping[str, str]) -> str:
    lines = ",\n".join(
        f"{compact(path)}: {compact(output_digests[path])}" for path in sorted(output_digests)
    )
    rows = f"\n{lines}\n" if lines else ""
    return f"{_FILES}{rows}}}}}\n"


def _block(head: str, lines: Iterable[bytes | bytearray], tail: str) -> JoinedLines:
    """Lines in a bracket that stays on one line where there are none."""
    return JoinedLines(head, lines, tail, first="\n", last="\n")


def catalog_entry(row: Projected, project: Project) -> JsonObject:
    """What the catalogue holds of one tool."""
    tool, facts = row.tool, row.tool.facts
    entry: JsonObject = {"digest": tool_digest(row.whole)}
    if project.python.enabled:
        module = module_name(tool.name)
        entry["contract"] = f"{project.python.package}.contracts.{module}"
        entry["handler"] = facts.handler or f"{project.python.handlers_package}.{module}:{module}"
    elif facts.handler is not None:
        entry["handler"] = facts.handler
    values: Sequence[Any] = facts
    for at, default, key, as_json in _ENTRY_KEYS:
        value = values[at]
        if value and value != default:
            entry[key] = value if as_json is None else as_json(value)
    lost = missing(row.whole, row.wire) if row.notes else None
    if lost:
        entry["unprojected"] = lost
    entry["parameters"] = {**parameter_names(tool)}
    return entry


def _errors(errors: Iterable[DeclaredError]) -> JsonValue:
    return [{"code": error.code, "description": error.description} for error in errors]


def _examples(examples: Iterable[Example]) -> JsonValue:
    return [_example(example) for example in examples]


def _nested_aliases(aliases: Mapping[Pointer, Mapping[str, str]]) -> JsonValue:
    return [{"at": list(place), "names": dict(names)} for place, names in aliases.items()]


def _example(example: Example) -> JsonObject:
    row: JsonObject = {}
    if example.prompt:
        row["prompt"] = example.prompt
    if example.arguments is not None:
        row["arguments"] = example.arguments
    if example.has_result:
        row["result"] = example.result
    if example.exact:
        row["exact"] = True
    return row


_FACTS: Mapping[str, tuple[str, Callable[[Any], JsonValue] | None]] = {
    "keywords": ("keywords", list),
    "discoverable": ("discoverable", None),
    "kind": ("kind", None),
    "budget": ("budget", None),
    "tags": ("tags", list),
    "deprecated": ("deprecated", None),
    "content": ("content", list),
    "errors": ("errors", _errors),
    "examples": ("examples", _examples),
    "timeout": ("timeout", None),
    "concurrency": ("concurrency", None),
    "rate_limit": ("rateLimit", None),
    "envelope": ("envelope", None),
    "repair": ("repair", None),
    "extra_parameters": ("extraParameters", None),
    "aliases": ("aliases", list),
    "parameter_aliases": ("parameterAliases", dict),
    "nested_aliases": ("nestedAliases", _nested_aliases),
}
"""The fields of `Facts` that stand in an entry: the key, and what makes JSON of the value."""

_ENTRY_KEYS = tuple(
    [(at, Facts()[at], *_FACTS[field]) for at, field in enumerate(Facts._fields) if field in _FACTS]
)


def _server(project: Project) -> JsonObject:
    server = project.server
    entry = server_identity(server)
    optional: JsonObject = {
        "instructions": server.instructions,
        "uiDir": relative_path(project.output, server.ui_dir) if server.ui_dir else "",
        "app": server.app,
        "ranking": server.ranking if server.ranking != "reference" else "",
    }
    entry.update((key, value) for key, value in optional.items() if value)
    if server.cache_ttl_ms is not None:
        entry["cache"] = {"ttlMs": server.cache_ttl_ms, "scope": server.cache_scope}
    return entry


def server_identity(server: ServerInfo) -> JsonObject:
    """The server as MCP's `Implementation` describes one; what is empty is left out."""
    entry: JsonObject = {"name": server.name, "version": server.version}
    optional: JsonObject = {
        "title": server.title,
        "description": server.description,
        "websiteUrl": server.website_url,
        "icons": list(server.icons),
    }
    entry.update((key, value) for key, value in optional.items() if value)
    return entry


def relative_path(start: str, target: str) -> str:
    """The way from one folder of the project to another, both relative to its root."""
    here = [part for part in start.split("/") if part]
    there = [part for part in target.split("/") if part]
    while here and there and here[0] == there[0]:
        here, there = here[1:], there[1:]
    return "/".join([".."] * len(here) + there) or "."


def manifest_artifacts(
    pieces: Pieces, project: Project, output_digests: Mapping[str, str]
) -> tuple[Artifact, ...]:
    catalog = catalog_text(pieces.lines("entry"), project, output_digests)
    return (
        Artifact(
            project.data_path("manifest.json"),
            manifest_text(pieces.lines("wire")),
            Owner.DATA,
        ),
        Artifact(project.data_path(CATALOG_FILE), catalog, Owner.DATA),
    )
