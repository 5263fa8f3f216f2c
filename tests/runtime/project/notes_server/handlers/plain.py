"""Handlers without a contract: they take `Arguments`."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from typing import Any

from toolc_runtime import Arguments, Context, ToolError

cancelled = threading.Event()


def describe(params: Arguments, context: Context) -> str:
    """Sync: says on which thread it ran and what it got."""
    print("describe: printed by a handler")
    main = threading.current_thread() is threading.main_thread()
    return f"{params.count!r} {params.tag!r} main={main} {context.protocol_version}"


def list_tags(params: Arguments, context: Context) -> list[str]:
    return ["home", "work"][: params.get("limit", 2)]


async def show_notes(params: Arguments, context: Context) -> None:
    return None


async def narrate(params: Arguments, context: Context) -> dict[str, Any]:
    context.log.debug("too quiet to be heard")
    context.log.info("half way", done=1)
    await context.progress(1, 2, "half way")
    await asyncio.to_thread(context.log.warning, "from a thread \ud800")
    return {"request": context.request_id, "asked": "progressToken" in context.meta}


def rest(params: Arguments, context: Context) -> str:
    time.sleep(params.seconds)
    return "rested"


async def wait(params: Arguments, context: Context) -> str:
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        print("wait: cancelled", file=sys.stderr, flush=True)
        cancelled.set()
        raise
    return "waited"


def fail(params: Arguments, context: Context) -> Any:
    match params.how:
        case "raise":
            raise RuntimeError("the password is hunter2")
        case "exit":
            sys.exit("hunter2")
        case "stub":
            raise NotImplementedError("fail")
        case "told":
            raise ToolError(
                "NOT_FOUND", 'no note "n1"', details={"id": "n1"}, suggestion="list first"
            )
        case "told badly":
            raise ToolError("NOT_FOUND", "\ud800", details={"id": {1, 2}})
        case "surrogate":
            return "\ud800"
        case "nan":
            return {"value": float("nan")}
        case "set":
            return {1, 2}
        case "invalid":
            from mcp_types import Tool

            return Tool.model_validate({"name": "hunter2"})
    return None


async def misfit(params: Arguments, context: Context) -> dict[str, str]:
    return {"size": "hunter2"}
