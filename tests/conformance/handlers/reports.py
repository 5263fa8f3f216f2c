"""Log messages and progress, on their way while the tool works."""

from __future__ import annotations

from typing import Any

import anyio

from toolc_runtime import Context

_PAUSE = 0.05
"""Seconds; the suite wants to see that messages arrive one by one."""


async def log(params: Any, context: Context) -> str:
    context.log.info("Tool execution started")
    await anyio.sleep(_PAUSE)
    context.log.info("Tool processing data")
    await anyio.sleep(_PAUSE)
    context.log.info("Tool execution completed")
    return "Three messages were logged."


def log_once(params: Any, context: Context) -> str:
    context.log.info("This message is for clients that want it")
    return "One message was logged."


async def progress(params: Any, context: Context) -> str:
    await context.progress(0, 100)
    await anyio.sleep(_PAUSE)
    await context.progress(50, 100)
    await anyio.sleep(_PAUSE)
    await context.progress(100, 100)
    return "Progress was told three times."
