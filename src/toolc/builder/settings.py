"""The one table of the project file's keys: the reader goes by it, `docs/project.md` prints it."""

from __future__ import annotations

from toolc_runtime.light import NamedTuple
from toolc_runtime.revision import REVISIONS


class Setting(NamedTuple):
    """One key of the project file."""

    table: str
    """The table it stands in; empty for the root."""
    name: str
    field: str
    """Its name in `Project`, `PythonTarget` or `ServerInfo`."""
    kind: str
    meaning: str
    default: str
    choices: tuple[str, ...] = ()


SETTINGS: tuple[Setting, ...] = (
    Setting("", "sources", "sources", "paths", "Folders or files of definitions", '["tooldefs"]'),
    Setting("", "output", "output", "path", "Where the JSON files go", '"generated"'),
    Setting("", "revision", "revision", "choice", "The MCP revision of manifest.json", '"2026-07-28"', REVISIONS),
    Setting("", "descriptions", "descriptions", "choice", "What happens to white space in descriptions", '"trim"', ("trim", "keep", "collapse")),
    Setting("", "unknownKeys", "unknown_keys", "choice", "How unknown keys of definitions are reported", '"warn"', ("error", "warn", "ignore")),
    Setting("", "namespace", "namespace", "choice", "Whether folders go before a tool's name", '"none"', ("none", "folder")),
    Setting("", "unions", "unions", "choice", "How a union of plain types is written", '"anyOf"', ("anyOf", "list")),
    Setting("", "enumDocs", "enum_docs", "choice", "Where the meanings of `values` go", '"description"', ("description", "oneOf")),
    Setting("", "hoist", "hoist", "boolean", "Shared types go to `$defs` instead of being expanded", "false"),
    Setting("", "dialect", "dialect", "boolean", "Each schema says its dialect by `$schema`", "false"),
    Setting("", "templates", "templates", "path", "A folder of templates that override the built-in ones", "none"),
    Setting("python", "enabled", "enabled", "boolean", "false: JSON files only", "true"),
    Setting("python", "package", "package", "package", "The package that is written, dotted", 'the tail of `output`'),
    Setting("python", "handlers", "handlers", "path", "The folder of handlers, the author's own", "`handlers` in the package"),
    Setting("server", "name", "name", "string", "The server's name", '"toolc-server"'),
    Setting("server", "version", "version", "string", "Its version", '"0.1.0"'),
    Setting("server", "title", "title", "string", "A name for people", "none"),
    Setting("server", "description", "description", "string", "What it is for", "none"),
    Setting("server", "instructions", "instructions", "string", "What a model should know before it calls a tool", "none"),
    Setting("server", "websiteUrl", "website_url", "string", "Where to read more", "none"),
    Setting("server", "icons", "icons", "tables", "Icons, as a tool has them", "none"),
    Setting("server", "transports", "transports", "tables", "How the server is reached, as an MCP Description writes it", "stdio"),
    Setting("server", "tags", "tags", "tables", "The tags of the catalogue: `name`, `description`", "those of the tools"),
    Setting("server", "uiDir", "ui_dir", "path", "The folder whose files answer `ui://` resources", "none"),
    Setting("server", "app", "app", "class", "The author's application: what tools share", "none"),
    Setting("server", "ranking", "ranking", "choice", "How `tool_search` ranks", '"reference"', ("reference", "toolc")),
    Setting("server", "cache", "", "table", "How long clients may keep the list: `ttlMs`, `scope`", "none"),
    Setting("", "lint", "lint", "table", "The linter's settings", "none"),
    Setting("", "outputs", "outputs", "tables", "A project's own artefacts: `template`, `path`, `per`", "none"),
)  # fmt: skip
"""Every key of the project file; the reader and `docs/project.md` go by it."""
