"""The checked project file: every setting with its default, so that an empty file is a project."""

from __future__ import annotations

from toolc.model.document import NOTHING, JsonObject
from toolc_runtime.light import NamedTuple
from toolc_runtime.revision import LATEST_REVISION


class Output(NamedTuple):
    """One of a project's own artefacts: a template, where it goes, and how often."""

    template: str
    path: str
    """A pattern relative to the project root; `{name}` is the tool's name in it."""
    per: str
    """`tool` or `project`."""


class PythonTarget(NamedTuple):
    enabled: bool = True
    package: str = "generated"
    """Dotted, as it is imported."""
    folder: str = "generated"
    """Where the package lies, relative to the project root."""
    handlers: str = "generated/handlers"
    """The author's folder of handlers, relative to the project root."""
    handlers_package: str = "generated.handlers"
    """The same, as it is imported."""
    app: str = ""
    """The author's application, `module:Class`, which handlers know by its type; `[server] app`."""


class ServerInfo(NamedTuple):
    name: str = "toolc-server"
    version: str = "0.1.0"
    title: str = ""
    description: str = ""
    instructions: str = ""
    website_url: str = ""
    icons: tuple[JsonObject, ...] = ()
    transports: tuple[JsonObject, ...] = ()
    tags: tuple[JsonObject, ...] = ()
    ui_dir: str = ""
    app: str = ""
    ranking: str = "reference"
    cache_ttl_ms: int | None = None
    cache_scope: str = "public"


CATALOG_FILE = "catalog.json"
DATA_FILES = ("manifest.json", CATALOG_FILE, "mcpdesc.json")
"""What every build writes into its output folder."""


class Project(NamedTuple):
    """What `toolc.toml`, or `[tool.toolc]` in `pyproject.toml`, says; paths relative to its folder."""

    sources: tuple[str, ...] = ("tooldefs",)
    output: str = "generated"
    revision: str = LATEST_REVISION
    descriptions: str = "trim"
    unknown_keys: str = "warn"
    namespace: str = "none"
    unions: str = "anyOf"
    enum_docs: str = "description"
    hoist: bool = False
    dialect: bool = False
    templates: str | None = None
    python: PythonTarget = PythonTarget()
    server: ServerInfo = ServerInfo()
    lint: JsonObject = NOTHING
    outputs: tuple[Output, ...] = ()
    path: str = ""
    """The project file's own name in its folder; empty where there is none."""

    def data_path(self, name: str) -> str:
        """Where one of `DATA_FILES` stands, relative to the project."""
        return f"{self.output}/{name}" if self.output else name
