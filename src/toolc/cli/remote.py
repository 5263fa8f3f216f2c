"""The tools of a running server, as it lists them."""

from __future__ import annotations

import logging
import shlex
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from toolc.cli import UsageError
from toolc.model.document import JsonObject

PATIENCE = 30.0
"""Seconds that a server gets to start and to list its tools."""

MOST_PAGES = 1_000


def list_tools(server: str) -> JsonObject:
    """What `tools/list` of a server comes to, all pages of it: `{"tools": […]}`, to the letter.

    `server` is the URL of one that runs, or a command that starts one over stdio, in words as a shell
    has them; no shell is asked. UsageError where there is no list to have.
    """
    # What a server writes that is no message is told once, below, and not by the SDK with a traceback.
    logging.getLogger("mcp.client.stdio").setLevel(logging.CRITICAL)
    try:
        return {"tools": anyio.run(_list_all, server)}
    except BaseExceptionGroup as group:
        raise UsageError(f"--server: {_reason(group)}") from None
    except (OSError, TimeoutError, MCPError, RuntimeError, ValueError) as error:
        raise UsageError(f"--server: {_reason(error)}") from None


async def _list_all(server: str) -> list[Any]:
    heard: list[dict[str, Any]] = []
    tools: list[Any] = []
    seen: set[str | None] = set()
    with anyio.fail_after(PATIENCE):
        async with Client(_overheard(_transport(server), heard)) as client:
            cursor: str | None = None
            while cursor not in seen and len(seen) < MOST_PAGES:
                seen.add(cursor)
                heard.clear()
                try:
                    await client.list_tools(cursor=cursor)
                except ValueError:
                    if not heard:
                        raise
                    # The SDK refuses a list for one tool in it; here it is to be said which, and why.
                page = heard[-1]
                tools += page["tools"]
                cursor = page.get("nextCursor")
                if not isinstance(cursor, str):
                    break
    return tools


def _transport(server: str) -> AbstractAsyncContextManager[Any]:
    if server.startswith(("http://", "https://")):
        return streamable_http_client(server)
    command, *arguments = shlex.split(server) or [""]
    return stdio_client(StdioServerParameters(command=command, args=arguments))


@asynccontextmanager
async def _overheard(
    transport: AbstractAsyncContextManager[Any], heard: list[dict[str, Any]]
) -> AsyncIterator[Any]:
    """A transport that adds every list of tools to `heard` as it was sent: the SDK passes on what it
    understood of it."""
    async with transport as (read, write):
        yield _Overheard(read, heard), write


class _Overheard:
    """A stream of messages that are listened to on their way."""

    def __init__(self, stream: Any, heard: list[dict[str, Any]]) -> None:
        self._stream = stream
        self._heard = heard

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    async def receive(self) -> Any:
        message = await self._stream.receive()
        result = getattr(getattr(message, "message", None), "result", None)
        if isinstance(result, dict) and isinstance(result.get("tools"), list):
            self._heard.append(result)
        return message

    def __aiter__(self) -> _Overheard:
        return self

    async def __anext__(self) -> Any:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> _Overheard:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._stream.__aexit__(*error)


def _reason(error: BaseException) -> str:
    """The first reason in a group of them, in words."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TimeoutError):
        return f"no list of tools within {PATIENCE:g} seconds"
    return f"no list of tools: {str(error) or type(error).__name__}"
