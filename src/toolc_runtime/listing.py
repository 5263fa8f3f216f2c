"""The answers to `tools/list`: made once for each list and revision, with their bytes, and in pages."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS
from pydantic_core import to_json

from toolc_runtime.discovery import shows_all
from toolc_runtime.jsonvalue import JsonObject

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST_PAGE = 4 * 1024 * 1024
"""Bytes of tools on a page, but for a tool that is longer by itself. Not all clients ask for a second
page, so lists of some thousand tools stay one."""

_SLOT = "toolc.tools"
"""Where an HTTP request's scope has the `_Slot` of its answer."""

_NO_TOOLS = re.compile(rb'"tools": ?\[\]')


class StoredTools(list[JsonObject]):
    """The tools of a page. Transports that know it send `encoded` instead of serialising the tools."""

    @cached_property
    def encoded(self) -> bytes:
        """The JSON text of the list."""
        return to_json(self)


class Listing:
    """One list of a catalogue as one revision has it. It never changes."""

    def __init__(self, tools: list[JsonObject]) -> None:
        self.tools = tools

    @cached_property
    def _pages(self) -> list[StoredTools]:
        whole = StoredTools(self.tools)
        if len(whole.encoded) <= LONGEST_PAGE:
            return [whole]
        pages: list[StoredTools] = []
        size = LONGEST_PAGE
        for tool in self.tools:
            length = len(to_json(tool)) + len(",")
            if size + length > LONGEST_PAGE:
                pages.append(StoredTools())
                size = len("[")
            pages[-1].append(tool)
            size += length
        return pages

    @cached_property
    def _cursors(self) -> list[str]:
        """The cursors that lead to the pages after the first. Processes that serve the same list make
        the same ones, and another list has others."""
        digest = hashlib.sha256()
        for page in self._pages:
            digest.update(page.encoded)
        return [f"{digest.hexdigest()[:32]}-{at}" for at in range(1, len(self._pages))]

    def page(self, cursor: str | None) -> tuple[StoredTools, str | None]:
        """The page that a cursor leads to, the first without one, and the cursor of the next page.

        KeyError for a cursor that is not of this list.
        """
        at = 0 if cursor is None else self._place(cursor)
        following = self._cursors[at] if at + 1 < len(self._pages) else None
        return self._pages[at], following

    def _place(self, cursor: str) -> int:
        if len(self._pages) == 1 or cursor not in self._cursors:
            raise KeyError(cursor)
        return self._cursors.index(cursor) + 1


class StoredLists:
    """Middleware that answers `tools/list` with what a catalogue holds.

    The SDK's own way checks and copies every tool at every request, which is most of the cost of a
    large list, and drops the keys that it does not know: vendors' keys would not arrive. Its
    envelope, its checks of the request, and telemetry (the first middleware) stay as they are.
    """

    def __init__(self, listing: Callable[[str, bool], Listing]) -> None:
        """`listing` gives the list of a revision now: all tools, or those that clients see."""
        self._listing = listing

    def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> Any:
        # Of no other request it is worth the while to wait for the answer here.
        return self._list(ctx, call_next) if ctx.method == "tools/list" else call_next(ctx)

    async def _list(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        result = await call_next(ctx)
        if not isinstance(result, dict):
            return result
        listing = self._listing(ctx.protocol_version, shows_all(ctx.request))
        try:
            tools, following = listing.page((ctx.params or {}).get("cursor"))
        except KeyError:
            told = (
                "Unknown cursor: the tools have changed since it was given, or it never was. "
                "List them again from the start"
            )
            raise MCPError(INVALID_PARAMS, told) from None
        result = {**result, "tools": tools}
        if following is not None:
            result["nextCursor"] = following
        return result


class _Slot:
    """What is to be put into the answer to an HTTP request."""

    def __init__(self) -> None:
        self.tools: StoredTools | None = None
        self._start: Message | None = None

    async def splice(self, message: Message, send: Send) -> None:
        """Send the answer's next message, the tools in their place."""
        assert self.tools is not None
        if message["type"] == "http.response.start":
            self._start = message  # its length is known with the body
            return
        body = message.get("body", b"")
        tools = b'"tools":' + self.tools.encoded
        spliced, found = _NO_TOOLS.subn(lambda _: tools, body, count=1)
        if self._start is not None:
            await send(_longer(self._start, len(spliced) - len(body)))
            self._start = None
        if found:
            self.tools = None
        await send({**message, "body": spliced})


class SplicedLists:
    """An ASGI application around a server's, which puts the bytes of stored tools into its answers.

    All that the SDK does stays its own: its checks of the request, and the answer but for the tools.
    """

    def __init__(self, app: ASGIApp, server: Server[Any]) -> None:
        """To be made when the server has all its middleware: what alters a list has to come before."""
        self._app = app
        server.middleware.insert(0, _set_aside)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "http":
            slot = scope[_SLOT] = _Slot()
            # Few requests are for a list: the messages of others pass without a further await.
            return self._app(
                scope,
                receive,
                lambda message: send(message) if slot.tools is None else slot.splice(message, send),
            )
        return self._app(scope, receive, send)


def _set_aside(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> Any:
    """Leave stored tools out of a result whose answer gets their bytes."""
    return _list_without(ctx, call_next) if ctx.method == "tools/list" else call_next(ctx)


async def _list_without(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    result = await call_next(ctx)
    slot = None if ctx.request is None else ctx.request.scope.get(_SLOT)
    if slot is not None and isinstance(result, dict):
        tools = result.get("tools")
        if isinstance(tools, StoredTools):
            slot.tools = tools
            return {**result, "tools": []}
    return result


def _longer(start: Message, more: int) -> Message:
    """The beginning of an answer whose body is so many bytes longer."""
    headers = [
        (name, b"%d" % (int(value) + more) if name == b"content-length" else value)
        for name, value in start["headers"]
    ]
    return {**start, "headers": headers}
