"""Telling clients that the tools have changed, in both eras of the protocol.

Since 2026-07-28 a client that wants to know keeps a `subscriptions/listen` request open. Before, a
server that said so when it was initialized notifies each session.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from functools import partial
from typing import Any

import anyio
import anyio.from_thread
import anyio.lowlevel
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp_types import SubscriptionsListenRequestParams

_MOST_SESSIONS = 1_000
"""Of how many sessions are remembered: some end without a word."""

_PATIENCE = 5
"""Seconds that one client gets to take a notice."""


class Notices:
    """The clients of one server that want to hear of changes."""

    def __init__(self) -> None:
        self._bus = InMemorySubscriptionBus()
        self._sessions: deque[ServerSession] = deque(maxlen=_MOST_SESSIONS)
        self._loop: anyio.lowlevel.EventLoopToken | None = None

    def serve(self, server: Server[Any]) -> None:
        """Have a server say that it notifies, and remember who is to be told."""
        server.add_request_handler(
            "subscriptions/listen", SubscriptionsListenRequestParams, ListenHandler(self._bus)
        )
        # The HTTP transport asks for these without a word of what is notified.
        options = partial(
            server.create_initialization_options, NotificationOptions(tools_changed=True)
        )
        setattr(server, "create_initialization_options", options)  # noqa: B010
        server.middleware.append(self._remember)

    def open(self) -> None:
        """Know the event loop on which the clients are; called on it."""
        self._loop = anyio.lowlevel.current_token()

    def tools_changed(self) -> None:
        """Tell everybody, from any thread but the event loop's; before the server has begun there is
        nobody."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the server has ended
                anyio.from_thread.run(self._tell, token=self._loop)

    async def _tell(self) -> None:
        await self._bus.publish(ToolsListChanged())
        async with anyio.create_task_group() as tasks:
            for session in list(self._sessions):
                tasks.start_soon(self._notify, session)

    async def _notify(self, session: ServerSession) -> None:
        try:
            with anyio.fail_after(_PATIENCE):
                await session.send_tool_list_changed()
        except Exception:  # whatever it is: this client has gone, and others wait
            with suppress(ValueError):
                self._sessions.remove(session)

    async def _remember(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        result = await call_next(ctx)
        if ctx.method == "initialize":
            self._sessions.append(ctx.session)
        return result
