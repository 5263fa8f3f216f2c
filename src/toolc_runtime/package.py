"""A generated folder, as a server reads it: `manifest.json`, `catalog.json`, and where the code is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
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

_OPENINGS = ('{"tools": [', '"tools": {')
"""Of the lines behind which the tools stand in the two files, a line each."""

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
    texts: tuple[str, str] = field(default=("", ""), repr=False)
    """What it was read from, the manifest and the catalogue, if there was one before it."""


def load_package(
    folder: Path, around: Around | None = None, before: Package | None = None
) -> Package:
    """The tools and the server facts of a generated folder; none of its code is imported.

    `around` may put other code behind each tool than its own. Of `before`, what the folder was
    earlier, tools whose lines are still the same are taken as they are, with their code.

    PackageError for a file that is missing or no JSON, a catalog of another format, and a
    manifest that does not belong to its catalog.
    """
    texts = _read(folder / "manifest.json"), _read(folder / "catalog.json")
    if before is None:
        return _load_whole(folder, texts, around)
    again = _load_again(folder, texts, around, before) or _load_whole(folder, texts, around)
    return replace(again, texts=texts)


def _load_whole(folder: Path, texts: tuple[str, str], around: Around | None) -> Package:
    manifest = _parse(texts[0], folder / "manifest.json")
    catalog = _parse(texts[1], folder / "catalog.json")
    _require_known(catalog, folder)
    entries = catalog.get("tools")
    listed = manifest.get("tools")
    if not isinstance(entries, dict) or not isinstance(listed, list):
        raise PackageError(f"{folder} holds no tools: run `toolc build`")
    tools = tuple(_served(tool, entries, folder, around) for tool in listed)
    facts = _facts(catalog.get("server"), folder)
    return Package(facts, tools, _modules(entries), _handlers(tools, entries))


def _load_again(
    folder: Path, texts: tuple[str, str], around: Around | None, before: Package
) -> Package | None:
    """The same, parsing only the lines that `before` does not know; None where the files are laid out
    in another way than `toolc build` does it."""
    (lines, frame), (rows, rest) = _tool_lines(texts[0]), _tool_lines(texts[1])
    known_lines, known_rows = (_tool_lines(text)[0] for text in before.texts)
    if not (len(lines) == len(rows) and len(known_lines) == len(known_rows) == len(before.tools)):
        return None
    known = dict(zip(zip(known_lines, known_rows, strict=True), before.tools, strict=True))
    new = [pair for pair in zip(lines, rows, strict=True) if pair not in known]
    try:
        manifest, catalog = json.loads(frame), json.loads(rest)
        listed = [json.loads(line) for line, _ in new]
        entries = json.loads("{" + ",".join(row for _, row in new) + "}")
    except ValueError:
        return None
    has_all = (manifest, catalog.get("tools")) == ({"tools": []}, {})
    if not has_all or any(tool.get("name") not in entries for tool in listed):
        return None
    _require_known(catalog, folder)
    for pair, tool in zip(new, listed, strict=True):
        known[pair] = _served(tool, entries, folder, around)
    tools = tuple(known[pair] for pair in zip(lines, rows, strict=True))
    modules = tuple(dict.fromkeys((*before.modules, *_modules(entries))))
    handlers = {**before.handlers, **_handlers(tools, entries)}
    facts = _facts(catalog.get("server"), folder)
    return Package(facts, tools, modules, {tool.name: handlers[tool.name] for tool in tools})


def _tool_lines(text: str) -> tuple[list[str], str]:
    """The lines that are a tool each, without their commas, and the text without them."""
    lines = text.split("\n")
    first = (
        next((at for at, line in enumerate(lines) if line.startswith(_OPENINGS)), len(lines)) + 1
    )
    last = next((at for at in range(first, len(lines)) if lines[at][:1] in "]}"), first)
    rest = "\n".join(lines[:first] + lines[last:])
    return [line.removesuffix(",") for line in lines[first:last]], rest


def _require_known(catalog: JsonObject, folder: Path) -> None:
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


def load_code(package: Package) -> list[str]:
    """Import the code of all tools that has not been; the names of those where that failed, which is
    logged."""
    invalidate_caches()
    return [tool.name for tool in package.tools if not (tool.is_loaded or tool.load())]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PackageError(f"{path} is not there: run `toolc build`") from None
    except OSError as error:
        raise PackageError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise _no_json(path, error) from None


def _parse(text: str, path: Path) -> JsonObject:
    from pydantic_core import from_json

    try:
        # It holds equal texts, such as "string", once, of which a thousand tools have many.
        value = from_json(text, cache_strings="all")
    except ValueError:
        try:
            value = json.loads(text)  # it lets lone surrogates pass, whose tool can then be named
        except ValueError as error:
            raise _no_json(path, error) from None
    if not isinstance(value, dict):
        raise PackageError(f"{path} holds no object: run `toolc build`")
    return value


def _no_json(path: Path, error: ValueError) -> PackageError:
    return PackageError(f"{path} is no JSON ({error}): run `toolc build`")


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
    wire = restore(tool, lacking) if lacking and isinstance(lacking, dict) else tool
    schema = wire.get("inputSchema")
    if not isinstance(schema, dict):
        raise PackageError(f"{folder}: tool {name!r} has no input schema: run `toolc build`")
    load = partial(_import, handler, contract if isinstance(contract, str) else None, schema)
    facts = facts_from_entry(entry)
    return ServedTool(wire, load if around is None else around(wire, facts, load), facts)


def _handlers(tools: Sequence[ServedTool], entries: Mapping[str, Any]) -> dict[str, str]:
    """Of the tools that have an entry."""
    return {tool.name: entries[tool.name]["handler"] for tool in tools if tool.name in entries}


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
