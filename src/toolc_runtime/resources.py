"""The pages of tools as resources, beside those that a server has of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import anyio.to_thread
from mcp.server.context import HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    ListResourcesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    TextResourceContents,
)

from toolc_runtime.jsonvalue import clean_text
from toolc_runtime.pages import MIME_TYPE, read_page

_LIST, _READ = "resources/list", "resources/read"

_LONGEST_URI = 100
"""Characters of an unknown URI that an answer repeats."""


class Pages(Protocol):
    """What there is to serve now: `server.Catalog`."""

    uris: tuple[str, ...]
    ui_dir: Path | None


def serve_pages(server: Server[Any], now: Callable[[], Pages]) -> None:
    """Have a server list and read the pages of what `now` gives, besides what it lists and reads."""
    other_list, other_read = server.get_request_handler(_LIST), server.get_request_handler(_READ)

    async def list_resources(
        request: ServerRequestContext[Any, Any], params: PaginatedRequestParams
    ) -> HandlerResult:
        listed = [
            Resource(name=uri.removeprefix("ui://"), uri=uri, mime_type=MIME_TYPE)
            for uri in now().uris
        ]
        if other_list is None:
            refuse_cursor(params)
            return ListResourcesResult(resources=listed)
        result = await other_list.handler(request, params)
        if params.cursor is not None:
            return result
        told = ListResourcesResult.model_validate(result)
        return told.model_copy(update={"resources": [*listed, *told.resources]})

    async def read_resource(
        request: ServerRequestContext[Any, Any], params: ReadResourceRequestParams
    ) -> HandlerResult:
        uri, pages, text = str(params.uri), now(), None
        if uri in pages.uris and pages.ui_dir is not None:
            text = await anyio.to_thread.run_sync(read_page, uri, pages.ui_dir)
        elif other_read is not None:
            return await other_read.handler(request, params)
        if text is None:
            shown = clean_text(uri)[:_LONGEST_URI]
            raise MCPError(INVALID_PARAMS, f"Unknown resource: {shown}", {"uri": shown})
        page = TextResourceContents(uri=uri, mime_type=MIME_TYPE, text=text)
        return ReadResourceResult(contents=[page])

    server.add_request_handler(_LIST, PaginatedRequestParams, list_resources)
    server.add_request_handler(_READ, ReadResourceRequestParams, read_resource)


def refuse_cursor(params: PaginatedRequestParams | None) -> None:
    """-32602 for a cursor where a list has one page."""
    if params is not None and params.cursor is not None:
        raise MCPError(INVALID_PARAMS, "Unknown cursor: the list has one page")
