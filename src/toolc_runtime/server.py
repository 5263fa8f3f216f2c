"""The MCP server: static lists, calls, and pages, on the SDK's low-level `Server`.

Both eras of the protocol, the handshake of 2025 and the stateless requests of 2026, are served by
the same object; each client sees the tools as its revision has them.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from operator import itemgetter
from pathlib import Path
from typing import Any, Protocol

import anyio
import anyio.lowlevel
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CallToolRequestParams,
    Icon,
    ListToolsResult,
    PaginatedRequestParams,
    SetLevelRequestParams,
)

from toolc_runtime.application import Application, Running
from toolc_runtime.arguments import Arguments
from toolc_runtime.context import Context
from toolc_runtime.discovery import (
    INSTRUCTIONS,
    OWN_NAMES,
    OWN_TOOLS,
    SEARCH,
    SEARCH_FOR_NAMES,
    Asked,
    ToolSearch,
    asked_for,
    no_name_result,
    shows_all,
)
from toolc_runtime.errors import UNKNOWN_TOOL, error_object, error_result
from toolc_runtime.facts import facts_of_tool
from toolc_runtime.forms import can_ask
from toolc_runtime.jsonvalue import JsonObject
from toolc_runtime.listing import Listing, StoredLists
from toolc_runtime.logs import ClientLine, LogLevels
from toolc_runtime.notices import Notices
from toolc_runtime.package import Package, PackageError, ServerFacts
from toolc_runtime.pages import EXTENSION, page_uri, page_uris
from toolc_runtime.resources import serve_pages
from toolc_runtime.revision import project
from toolc_runtime.sealing import state_security
from toolc_runtime.tool import Implementation, ServedTool

Request = ServerRequestContext[Running, Any]

Handler = Callable[[Any, Context], Any]
"""Takes the parameters and the context; sync or async."""

_GREETING = 0.5
"""Seconds that clients have for their first requests before the index of a search is made."""

_HEADERS_SINCE = "2026-07-28"

_ASKED_OF_CLIENTS = {"sampling/createMessage": "sampling", "roots/list": "roots"}
"""What an answer may ask the client for besides elicitation, to the capability that the client must
have declared."""


class BuiltTool(Protocol):
    """What `create_server` needs of a tool: `toolc.Tool` is one."""

    @property
    def name(self) -> str: ...

    @property
    def facts(self) -> Any:
        """What `facts_of_tool` reads."""

    def to_wire(self) -> JsonObject:
        """The revision-free Tool object."""


def create_server(
    tools: Iterable[BuiltTool],
    handlers: Mapping[str, Handler],
    *,
    name: str = "toolc-server",
    version: str = "0",
    app: type[Any] | None = None,
) -> Server[Running]:
    """An SDK server of `tools`, each answered by the handler of its name, to embed in a host.

    A handler takes an `Arguments` mapping and a `Context`; `app` is the class of an application, as
    `[server] app` names one. PackageError where a tool has no handler, a handler no tool, or two
    tools one name.
    """
    return server_of(tools, handlers, Application(app), name=name, version=version)


def server_of(
    tools: Iterable[BuiltTool],
    handlers: Mapping[str, Handler],
    application: Application,
    *,
    name: str,
    version: str,
) -> Server[Running]:
    """`create_server` for an application that stands already."""
    given = tuple(tools)
    names = [tool.name for tool in given]
    if without := [name for name in names if name not in handlers]:
        raise PackageError(f"no handler for {', '.join(without)}")
    if unused := [name for name in handlers if name not in names]:
        raise PackageError(f"no tool for the handlers {', '.join(unused)}")
    served = [_with_handler(tool, handlers[tool.name]) for tool in given]
    return build_server(LiveCatalog(Catalog(served)), ServerFacts(name, version), application)


def _with_handler(tool: BuiltTool, handler: Handler) -> ServedTool:
    wire = tool.to_wire()
    schema: JsonObject = wire["inputSchema"]  # type: ignore[assignment]
    implementation = Implementation(lambda given: Arguments(given, schema), handler)
    return ServedTool(wire, lambda: implementation, facts_of_tool(tool.facts))


class Catalog:
    """What a server serves at one time: tools and their pages. It never changes."""

    def __init__(
        self,
        tools: Iterable[ServedTool],
        ui_dir: Path | None = None,
        ranking: str = "reference",
    ) -> None:
        """Lists are sorted by name. `ui_dir` is where the pages are; without it none is served.
        `ranking` is that of `tool_search`, as `make_ranking` takes it.

        PackageError for two tools of one name and for a tool that JSON cannot carry.
        """
        by_name = _by_name(tools)
        self.tools = tuple(by_name.values())
        self._called = _by_any_name(by_name)
        self._ranking = ranking
        self.search = ToolSearch(by_name, ranking)
        wires = [tool.wire for tool in by_name.values()]
        self.has_pages = any(page_uri(wire) is not None for wire in wires)
        self.uris = page_uris(wires) if ui_dir is not None else ()
        self.ui_dir = ui_dir
        shown = [tool.wire for tool in by_name.values() if not tool.facts.discoverable]
        self.hides_tools = len(shown) < len(wires)
        if self.hides_tools:
            shown = sorted([*shown, *OWN_TOOLS], key=itemgetter("name"))
        self.lists = {True: wires, False: shown}
        """Of all tools, and of those that a client sees who does not ask for all."""
        self._listing: Callable[[str, bool], Listing] = cache(
            lambda revision, is_all: Listing(
                [_projected(wire, revision) for wire in self.lists[is_all]]
            )
        )

    @classmethod
    def of(cls, package: Package) -> Catalog:
        """What a generated folder has."""
        return cls(package.tools, package.facts.ui_dir, package.facts.ranking)

    def with_tools(self, tools: Sequence[ServedTool]) -> Catalog:
        """The same with other tools; this catalog itself where they are the same."""
        if tuple(tools) == self.tools:
            return self
        return Catalog(tools, self.ui_dir, self._ranking)

    def listing(self, revision: str, *, is_all: bool = False) -> Listing:
        """The tools as a revision has them, made once: all, or the discovery in place of some."""
        return self._listing(revision, is_all)

    def prepare(self) -> None:
        """Make what the first search would have to wait for, if clients are told to search."""
        if self.hides_tools:
            self.search.prepare()

    def find(self, name: str) -> ServedTool | None:
        """The tool of a name; a call may use an old one."""
        return self._called.get(name)


class LiveCatalog:
    """The catalog that a running server serves now. A call goes on with the one it began with."""

    def __init__(self, catalog: Catalog) -> None:
        self.now = catalog
        self._whole = catalog
        self.on_change: Callable[[], None] = lambda: None
        """Called on the thread that swaps, when clients see other tools than before."""

    async def adapt(self, application: Application) -> None:
        """Serve what a running application makes of the tools."""
        self._serve(self._whole.with_tools(await application.adapt(self._whole.tools)))

    def swap(self, catalog: Catalog) -> None:
        """Serve another from now on."""
        self._whole = catalog
        self._serve(catalog)

    def _serve(self, catalog: Catalog) -> None:
        before, self.now = self.now, catalog
        if before.lists != catalog.lists:
            self.on_change()


def build_server(
    live: LiveCatalog,
    facts: ServerFacts,
    application: Application | None = None,
    reload: Callable[[], None] | None = None,
    *,
    state_key: str | None = None,
) -> Server[Running]:
    """An SDK server of what `live` holds at each request, with the author's `application`.

    `reload` is called when the server begins to listen, and begins to swap what `live` holds. Such a
    server does not let clients keep its lists, tells them when the tools are others, and has pages,
    as a tool with one may come. `state_key` (see `sealing`) is for several
    servers that stand for one: what a client is to bring back may reach another of them.
    """
    application = application or Application()
    notices = Notices() if reload is not None else None
    levels = LogLevels()

    async def call_tool(request: Request, params: CallToolRequestParams) -> HandlerResult:
        catalog = live.now
        asked = asked_for(params.name, params.arguments or {})
        if asked.name == SEARCH:
            # In a thread: the first search may make the index, which other calls need not wait for.
            return await anyio.to_thread.run_sync(catalog.search.answer, asked.arguments)
        tool = catalog.find(asked.name)
        if tool is None:
            return _answer_unknown(asked, catalog, request.protocol_version)
        if asked.is_passed_on:
            _refuse_headers(request, tool, asked)
        line = ClientLine(tool.name, request, request.lifespan_context, levels)
        context = Context(
            tool=tool.name,
            request_id=request.request_id,
            protocol_version=request.protocol_version,
            meta=(request.params or {}).get("_meta") or {},
            line=line,
            app=request.lifespan_context.app,
            sdk=request,
        )
        result = await tool.call(asked.arguments, context)
        if line.has_unsent:
            await line.flush()
        if "inputRequests" in result:
            _refuse_undeclared(result, request)
        return result

    def mirrored_schema(name: str) -> JsonObject | None:
        tool = live.now.find(name)
        return None if tool is None else tool.mirrored_schema

    server: Server[Running] = Server(
        facts.name,
        version=facts.version,
        title=facts.title,
        description=facts.description,
        instructions=facts.instructions,
        website_url=facts.website_url,
        icons=[Icon.model_validate(icon) for icon in facts.icons] or None,
        lifespan=partial(_lifespan, live, application, reload, notices),
        # Without it the SDK makes the whole list of tools at every call over HTTP; it looks for the
        # headers that the schema names, and for nothing else.
        get_tool_input_schema=mirrored_schema,
        cache_hints=_cache_hints(facts) if reload is None else {},
        on_list_tools=_list_nothing,
    )
    server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    server.middleware.append(
        StoredLists(lambda revision, is_all: live.now.listing(revision, is_all=is_all))
    )
    server.middleware.append(_Instructions(live))
    # What a handler hands the client to bring back comes back as it was, or the call is refused.
    security = state_security(state_key)
    server.middleware.append(RequestStateBoundary(security, default_audience=facts.name))
    # Not by the constructor's argument, which warns of the capability's deprecation since
    # 2026-07-28; clients of the revisions before it have no other way to ask for log messages.
    server.add_request_handler("logging/setLevel", SetLevelRequestParams, levels.set_level)
    if notices is not None:
        notices.serve(server)
        live.on_change = notices.tools_changed
    application.configure(server)
    if reload is not None or live.now.has_pages:
        server.extensions[EXTENSION] = {}
    if reload is not None or live.now.uris:
        serve_pages(server, lambda: live.now)
    return server


@asynccontextmanager
async def _lifespan(
    live: LiveCatalog,
    application: Application,
    reload: Callable[[], None] | None,
    notices: Notices | None,
    _server: Server[Running],
) -> AsyncIterator[Running]:
    """The application, and the tasks that send log messages, live as long as the server."""
    async with application.running() as state:
        await live.adapt(application)
        async with anyio.create_task_group() as tasks:
            if notices is not None:
                notices.open()
            if reload is not None:
                reload()
            tasks.start_soon(_prepare_search, live)
            yield Running(tasks, state, anyio.lowlevel.current_token(), threading.get_ident())
            tasks.cancel_scope.cancel()


def _projected(wire: JsonObject, revision: str) -> JsonObject:
    """The tool as a revision has it; `wire` itself where it has all of it as it is."""
    tool, notes = project(wire, revision)
    return tool if notes else wire


async def _prepare_search(live: LiveCatalog) -> None:
    """Have the index for `tool_search` made before anybody asks for it, once clients are greeted.

    In a thread that keeps neither other calls nor the end of the process waiting.
    """
    if live.now.hides_tools:
        await anyio.sleep(_GREETING)
        threading.Thread(target=live.now.prepare, name="toolc-search", daemon=True).start()


def _by_name(tools: Iterable[ServedTool]) -> dict[str, ServedTool]:
    catalog: dict[str, ServedTool] = {}
    for tool in sorted(tools, key=lambda tool: tool.name):
        if tool.name in OWN_NAMES:
            raise PackageError(f"{tool.name!r} is the name of one of the server's own tools")
        if tool.name in catalog:
            raise PackageError(f"two tools are named {tool.name!r}")
        if tool.fault is not None:
            raise PackageError(f"tool {tool.name!r}: {tool.fault}")
        catalog[tool.name] = tool
    return catalog


def _by_any_name(catalog: Mapping[str, ServedTool]) -> dict[str, ServedTool]:
    """The tools by their names and aliases.

    A tool's own name wins over an alias, and an alias that several tools claim means none of them:
    a call must not reach a tool that its caller may not have meant.
    """
    claims: dict[str, list[ServedTool]] = {}
    for tool in catalog.values():
        for alias in dict.fromkeys(tool.facts.aliases):
            claims.setdefault(alias, []).append(tool)
    old = {alias: tools[0] for alias, tools in claims.items() if len(tools) == 1}
    return {**old, **catalog}


def _cache_hints(facts: ServerFacts) -> dict[Any, CacheHint]:
    if facts.cache_ttl_ms is None:
        return {}
    hint = CacheHint(ttl_ms=facts.cache_ttl_ms, scope=facts.cache_scope)
    return dict.fromkeys(("tools/list", "resources/list", "resources/read"), hint)


async def _list_nothing(
    _request: Request, _params: PaginatedRequestParams | None
) -> ListToolsResult:
    """The envelope of `tools/list`; `StoredLists` puts the tools in."""
    return ListToolsResult(tools=[])


def _answer_unknown(asked: Asked, catalog: Catalog, revision: str) -> JsonObject:
    """What a call of a tool that is not there comes to: a result inside `execute_tool`, and a
    protocol error otherwise, as MCP has it. It names near ones of those that the caller may know."""
    from toolc_runtime.guidance import unknown_tool

    if asked.is_passed_on and not asked.name:
        return no_name_result()
    known = catalog.listing(revision, is_all=asked.is_passed_on).tools
    told = unknown_tool(asked.name, (str(tool["name"]) for tool in known))
    if asked.is_passed_on:
        return error_result(
            UNKNOWN_TOOL,
            told.message,
            suggestion=SEARCH_FOR_NAMES,
            suggestions=told.suggestions,
        )
    error = error_object(UNKNOWN_TOOL, told.message, suggestions=told.suggestions)
    raise MCPError(INVALID_PARAMS, told.message, error)


def _refuse_headers(request: Request, tool: ServedTool, asked: Asked) -> None:
    """Over HTTP, see to the headers that mirror arguments; earlier revisions have none."""
    if request.request is None or request.protocol_version < _HEADERS_SINCE:
        return
    from toolc_runtime.headers import refuse_contradictions

    refuse_contradictions(request.request.headers, tool.input_schema, asked.arguments)


def _refuse_undeclared(result: JsonObject, request: Request) -> None:
    """Answer -32021 in place of a result that asks the client for what it has not declared.

    MCP 2026-07-28, "Client Capabilities": a server must not rely on anything else.
    """
    asked = result.get("inputRequests")
    if not isinstance(asked, dict):
        return
    missing: dict[str, JsonObject] = {}
    for item in asked.values():
        if isinstance(item, dict):
            missing.update(_undeclared(item, request.session.client_capabilities))
    if missing:
        raise MCPError(
            MISSING_REQUIRED_CLIENT_CAPABILITY,
            f"The client has not declared what this call needs: {', '.join(missing)}",
            {"requiredCapabilities": missing},
        )


def _undeclared(asked: JsonObject, declared: Any) -> dict[str, JsonObject]:
    """The capability that a request to the client needs, if it is not among those declared."""
    if asked["method"] == "elicitation/create":
        params = asked.get("params")
        mode = "url" if isinstance(params, dict) and params.get("mode") == "url" else "form"
        return {} if can_ask(declared, mode) else {"elicitation": {mode: {}}}
    capability = _ASKED_OF_CLIENTS.get(str(asked["method"]))
    if capability is None or getattr(declared, capability, None) is not None:
        return {}
    return {capability: {}}


class _Instructions:
    """Middleware that tells a client of the tools that its list does not show, if there are any."""

    _METHODS = frozenset({"initialize", "server/discover"})

    def __init__(self, live: LiveCatalog) -> None:
        self._live = live

    def __call__(self, ctx: Request, call_next: CallNext) -> Any:
        return self._tell(ctx, call_next) if ctx.method in self._METHODS else call_next(ctx)

    async def _tell(self, ctx: Request, call_next: CallNext) -> HandlerResult:
        result = await call_next(ctx)
        if not isinstance(result, dict):
            return result
        if not self._live.now.hides_tools or shows_all(ctx.request):
            return result
        told = [result.get("instructions"), INSTRUCTIONS]
        return {**result, "instructions": "\n\n".join(filter(None, told))}
