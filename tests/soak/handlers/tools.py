"""Handlers whose answers say whose they are, and one that tells what the server holds."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from typing import Any

from toolc_runtime import Context, ToolError

_running = 0
"""Async handlers that have begun and not ended."""


async def echo(params: Any, context: Context) -> dict[str, Any]:
    return {"value": params.value}


def add(params: Any, context: Context) -> dict[str, Any]:
    return {"sum": params.left + params.right}


async def wait(params: Any, context: Context) -> str:
    global _running
    _running += 1
    try:
        await asyncio.sleep(params.seconds)
    finally:
        _running -= 1
    return str(params.token)


def rest(params: Any, context: Context) -> str:
    time.sleep(params.seconds)
    return str(params.token)


async def narrate(params: Any, context: Context) -> str:
    for step in range(3):
        context.log.info("working", token=params.token)
        await context.progress(step + 1, 3, params.token)
    return str(params.token)


async def hurry(params: Any, context: Context) -> dict[str, Any]:
    context.partial({"token": params.token})
    await asyncio.sleep(60)
    return {"token": ""}


def fail(params: Any, context: Context) -> None:
    if params.how == "told":
        raise ToolError("NOT_FOUND", f"no {params.token}")
    raise RuntimeError(params.token)


def find_me(params: Any, context: Context) -> str:
    return str(params.token)


async def tell_state(params: Any, context: Context) -> dict[str, int]:
    gc.collect()
    transports = [
        transport
        for manager in gc.get_objects()
        if type(manager).__name__ == "StreamableHTTPSessionManager"
        for transport in manager._server_instances.values()
    ]
    return {
        "tasks": len(asyncio.all_tasks()),
        "threads": threading.active_count(),
        "running": _running,
        "sessions": len(transports),
        "streams": sum(len(transport._request_streams) for transport in transports),
    }
