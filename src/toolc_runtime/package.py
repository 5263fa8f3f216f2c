"""A generated folder, as a server reads it: `manifest.json`, `catalog.json`, and where the code is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module, invalidate_caches
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, TypeAlias

from toolc_runtime.arguments import Arguments
from toolc_runtime.facts import ServedFacts, facts_from_entry
from toolc_runtime.jsonvalue import JsonObject, JsonValue
from toolc_runtime.revision import REVISIONS, restore
from toolc_runtime.tool import Implementation, ServedTool

CATALOG_FORMAT = 1

Load: TypeAlias = Callable[[], Implementation]
"""Imports the code behind a tool, and may raise whatever that raises."""

Around: TypeAlias = Callable[[JsonObject, ServedFacts, Load], Load]
"""Takes a tool's revision-free form, its facts and what loads its code; what is to load it instead."""


class PackageError(Exception):
    """A generated folder, or a set of tools, that cannot be served; says why and what to do."""


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """What a server says of itself, and how its lists may be cached."""

    name: str
    version: str = "0"
    title: str | None = None
    description: str | None = None
    instructions: str | None = None
    website_url: str | None = None
    icons: tuple[JsonObject, ...] = ()
    cache_ttl_ms: int | None = None
    cache_scope: Literal["public", "private"] = "public"
    ui_dir: Path | None = None
    """Where the pages of `ui://` resources are."""
    ranking: str = "reference"
    """How `tool_search` ranks."""
    app: str | None = None
    """The author's application, `module:Class`."""


@dataclass(frozen=True, slots=True)
class Package:
    facts: ServerFacts
    tools: tuple[ServedTool, ...] = field(repr=False)
    modules: tuple[str, ...] = field(repr=False)
    """Where the tools' contracts and handlers are, each once."""
    handlers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The tools' names, to `module:function`."""


def load_package(folder: Path, around: Around | None = None) -> Package:
    """The tools and the server facts of a generated folder; none of its code is imported.

    `around` may put other code behind each tool than its own.

    PackageError for a file that is missing or no JSON, a catalog of another format, and a
    manifest that does not belong to its catalog.
    """
    manifest, catalog = _read(folder / "manifest.json"), _read(folder / "catalog.json")
    if catalog.get("format") != CATALOG_FORMAT:
        raise PackageError(
            f"{folder / 'catalog.json'} has the format {catalog.get('format')!r}; "
            f"this toolc_runtime reads format {CATALOG_FORMAT}: "
            "run `toolc build` with the toolc that is installed beside it"
        )
    if catalog.get("revision") not in REVISIONS:
        raise PackageError(
            f"{folder / 'catalog.json'} was built for the MCP revision "
            f"{catalog.get('revision')!r}, which this toolc_runtime does not know: upgrade toolc"
        )
    entries = catalog.get("tools")
    listed = manifest.get("tools")
    if not isinstance(entries, dict) or not isinstance(listed, list):
        raise PackageError(f"{folder} holds no tools: run `toolc build`")
    tools = tuple(_served(tool, entries, folder, around) for tool in listed)
    handlers: Any = {tool.name: entries[tool.name]["handler"] for tool in tools}  # type: ignore[index,call-overload]
    return Package(_facts(catalog.get("server"), folder), tools, _modules(entries), handlers)


def load_code(package: Package) -> list[str]:
    """Import the code of all tools; the names of those where that failed, which is logged."""
    return [tool.name for tool in package.tools if not tool.load()]


def _read(path: Path) -> JsonObject:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PackageError(f"{path} is not there: run `toolc build`") from None
    except OSError as error:
        raise PackageError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise PackageError(f"{path} is no JSON ({error}): run `toolc build`") from None
    if not isinstance(value, dict):
        raise PackageError(f"{path} holds no object: run `toolc build`")
    return value


def _served(
    tool: JsonValue, entries: Mapping[str, JsonValue], folder: Path, around: Around | None
) -> ServedTool:
    name = tool.get("name") if isinstance(tool, dict) else None
    entry = entries.get(name) if isinstance(name, str) else None
    if not isinstance(tool, dict) or not isinstance(entry, dict):
        raise PackageError(
            f"{folder}: catalog.json and manifest.json do not belong together "
            f"(tool {name!r}): run `toolc build`"
        )
    handler, contract = entry.get("handler"), entry.get("contract")
    if not isinstance(handler, str):
        raise PackageError(f"{folder}: tool {name!r} has no handler, so it cannot be served")
    lacking = entry.get("unprojected")
    wire = restore(tool, lacking if isinstance(lacking, dict) else {})
    schema = wire.get("inputSchema")
    if not isinstance(schema, dict):
        raise PackageError(f"{folder}: tool {name!r} has no input schema: run `toolc build`")

    def load() -> Implementation:
        return _import(handler, contract if isinstance(contract, str) else None, schema)

    facts = facts_from_entry(entry)
    return ServedTool(wire, load if around is None else around(wire, facts, load), facts)


def _modules(entries: Mapping[str, JsonValue]) -> tuple[str, ...]:
    named = (
        entry.get(key)
        for entry in entries.values()
        if isinstance(entry, dict)
        for key in ("contract", "handler")
    )
    found = (name.partition(":")[0] for name in named if isinstance(name, str))
    return tuple(dict.fromkeys(found))


def _import(handler: str, contract: str | None, schema: JsonObject) -> Implementation:
    """Import `module:function` and the contract's `PARAMS`; whatever their code raises passes."""
    invalidate_caches()  # a handler may have been written since the last look at its folder
    module, _, function = handler.partition(":")
    found = attrgetter(function)(import_module(module))
    if contract is None:
        return Implementation(lambda given: Arguments(given, schema), found)
    return Implementation(import_module(contract).PARAMS.bind, found)


def _facts(server: JsonValue, folder: Path) -> ServerFacts:
    said: dict[str, Any] = server if isinstance(server, dict) else {}
    cache = said.get("cache", {})
    ui_dir = said.get("uiDir")
    return ServerFacts(
        name=said.get("name", "toolc-server"),
        version=said.get("version", "0"),
        title=said.get("title"),
        description=said.get("description"),
        instructions=said.get("instructions"),
        website_url=said.get("websiteUrl"),
        icons=tuple(said.get("icons", ())),
        cache_ttl_ms=cache.get("ttlMs"),
        cache_scope=cache.get("scope", "public"),
        ui_dir=folder / ui_dir if ui_dir else None,
        ranking=said.get("ranking", "reference"),
        app=said.get("app"),
    )
