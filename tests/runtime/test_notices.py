"""Clients hear of it when a running server has other tools, in both eras."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp import Client
from mcp_types import ToolListChangedNotification

from toolc_runtime import Arguments
from toolc_runtime.package import ServerFacts
from toolc_runtime.server import Catalog, LiveCatalog, build_server
from toolc_runtime.tool import Implementation, ServedTool


def catalog(*names: str) -> Catalog:
    schema: Any = {"type": "object"}

    def served(name: str) -> ServedTool:
        made = Implementation(lambda given: Arguments(given, schema), lambda *_: name)
        return ServedTool({"name": name, "inputSchema": schema}, lambda: made)

    return Catalog(map(served, names))


async def swap(live: LiveCatalog, names: Iterable[str]) -> None:
    """As a reload does it, on another thread than the server's."""
    await anyio.to_thread.run_sync(live.swap, catalog(*names))


async def listed(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


def test_a_client_that_listens() -> None:
    async def talk() -> None:
        live = LiveCatalog(catalog("one"))
        server = build_server(live, ServerFacts("notes"), reload=lambda: None)
        async with Client(server) as client:
            assert client.server_capabilities.tools is not None
            assert client.server_capabilities.tools.list_changed
            async with client.listen(tools_list_changed=True) as heard:
                await swap(live, ["one", "two"])
                with anyio.fail_after(5):
                    assert type(await anext(aiter(heard))).__name__ == "ToolsListChanged"
                assert await listed(client) == ["one", "two"]

    anyio.run(talk)


def test_a_client_of_the_handshake() -> None:
    async def talk() -> None:
        live = LiveCatalog(catalog("one"))
        server = build_server(live, ServerFacts("notes"), reload=lambda: None)
        told = anyio.Event()

        async def hear(message: Any) -> None:
            if isinstance(message, ToolListChangedNotification):
                told.set()

        async with Client(server, mode="legacy", message_handler=hear) as client:
            assert client.server_capabilities.tools is not None
            assert client.server_capabilities.tools.list_changed
            await swap(live, ["one", "two"])
            with anyio.fail_after(5):
                await told.wait()
            assert await listed(client) == ["one", "two"]

    anyio.run(talk)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_nobody_is_told_of_the_same_tools(mode: Any) -> None:
    async def talk() -> list[int]:
        live = LiveCatalog(catalog("one"))
        server = build_server(live, ServerFacts("notes"), reload=lambda: None)
        told: list[int] = []
        tell = live.on_change

        def count() -> None:
            told.append(1)
            tell()

        live.on_change = count
        async with Client(server, mode=mode):
            await swap(live, ["one"])
            await swap(live, ["two"])
        return told

    assert anyio.run(talk) == [1]


def test_a_server_that_never_reloads_does_not_promise_it() -> None:
    async def talk() -> None:
        server = build_server(LiveCatalog(catalog("one")), ServerFacts("notes"))
        for mode in ("legacy", "auto"):
            async with Client(server, mode=mode) as client:
                assert client.server_capabilities.tools is not None
                assert not client.server_capabilities.tools.list_changed

    anyio.run(talk)
