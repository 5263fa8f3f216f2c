"""The tools of a running server, as it lists them."""

from __future__ import annotations

import logging
import shlex
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from toolc.cli import UsageError
from toolc.model.document import JsonObject

PATIENCE = 30.0
"""Seconds that a server gets to start and to list its tools."""

MOST_PAGES = 1_000


def list_tools(server: str) -> JsonObject:
    """What `tools/list` of a server comes to, all pages of it: `{"tools": […]}`.

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
    target: Any = server
    if not server.startswith(("http://", "https://")):
        command, *arguments = shlex.split(server) or [""]
        target = StdioServerParameters(command=command, args=arguments)
    tools: list[Any] = []
    seen: set[str | None] = set()
    with anyio.fail_after(PATIENCE):
        async with Client(target) as client:
            cursor: str | None = None
            while cursor not in seen and len(seen) < MOST_PAGES:
                seen.add(cursor)
                page = await client.list_tools(cursor=cursor)
                tools += [
                    tool.model_dump(mode="json", by_alias=True, exclude_none=True)
                    for tool in page.tools
                ]
                cursor = page.next_cursor
                if cursor is None:
                    break
    return tools


def _reason(error: BaseException) -> str:
    """The first reason in a group of them, in words."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TimeoutError):
        return f"no list of tools within {PATIENCE:g} seconds"
    return f"no list of tools: {str(error) or type(error).__name__}"
