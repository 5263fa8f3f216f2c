"""A server's OpenTelemetry spans: the SDK makes them, and nothing of toolc's takes them away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError

import toolc
from toolc_runtime import create_server
from toolc_runtime.application import Application
from toolc_runtime.transports import http_app

pytest.importorskip("opentelemetry.sdk")

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "traceparent": f"00-{TRACE}-{PARENT}-01",
}


@pytest.fixture(scope="module")
def exporter() -> InMemorySpanExporter:
    """Where the spans of this process go; a process has one provider for good."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return exporter


@pytest.fixture
def exported(exporter: InMemorySpanExporter) -> Iterator[InMemorySpanExporter]:
    exporter.clear()
    yield exporter


def span_of_handler() -> str:
    return f"{trace.get_current_span().get_span_context().span_id:016x}"


def in_thread(arguments: Any, context: Any) -> str:
    return span_of_handler()


async def on_loop(arguments: Any, context: Any) -> str:
    return span_of_handler()


def failing(arguments: Any, context: Any) -> None:
    raise RuntimeError("hunter2")


def server() -> Any:
    handlers = {"in_thread": in_thread, "on_loop": on_loop, "failing": failing}
    tools = [toolc.build_tool(name, {"description": name}) for name in handlers]
    return create_server(tools, handlers)


def served(exporter: InMemorySpanExporter, name: str) -> ReadableSpan:
    """The server's one span of that name."""
    (span,) = [
        span
        for span in exporter.get_finished_spans()
        if (span.name, span.kind) == (name, trace.SpanKind.SERVER)
    ]
    return span


def identity(span: ReadableSpan) -> str:
    return f"{span.context.span_id:016x}"


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize("tool", ["in_thread", "on_loop"])
def test_a_call_has_a_span_in_which_its_handler_runs(
    exported: InMemorySpanExporter, mode: Any, tool: str
) -> None:
    async def talk() -> str:
        async with Client(server(), mode=mode) as client:
            result: Any = await client.call_tool(tool, {})
            return str(result.content[0].text)

    inside = anyio.run(talk)
    span = served(exported, f"tools/call {tool}")
    assert inside == identity(span)
    assert span.attributes is not None
    assert span.attributes["gen_ai.tool.name"] == tool


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_list_has_one_though_it_is_stored(exported: InMemorySpanExporter, mode: Any) -> None:
    async def talk() -> None:
        async with Client(server(), mode=mode) as client:
            await client.list_tools(cache_mode="bypass")

    anyio.run(talk)
    served(exported, "tools/list")


@pytest.mark.parametrize(
    ("tool", "error"), [("in_thread", None), ("failing", "tool_error"), ("none_such", "-32602")]
)
def test_what_failed_is_marked_and_its_text_is_not_told(
    exported: InMemorySpanExporter, tool: str, error: str | None
) -> None:
    async def talk() -> None:
        async with Client(server()) as client:
            try:
                await client.call_tool(tool, {})
            except MCPError:
                assert tool == "none_such"

    anyio.run(talk)
    span = served(exported, f"tools/call {tool}")
    assert span.attributes is not None
    assert span.attributes.get("error.type") == error
    assert span.status.is_ok is (error is None)
    assert "hunter2" not in span.to_json()


@pytest.mark.parametrize("method", ["tools/call", "tools/list"])
@pytest.mark.parametrize("stream", [False, True])
def test_the_trace_of_a_request_goes_on(
    exported: InMemorySpanExporter, method: str, stream: bool
) -> None:
    """Over HTTP, by the `traceparent` in its `_meta`."""
    from starlette.testclient import TestClient

    app = http_app(server(), Application(), host="127.0.0.1", stream=stream)
    called = {"name": "on_loop", "arguments": {}} if method == "tools/call" else {}
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
        **({"Mcp-Name": "on_loop"} if called else {}),
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**called, "_meta": META}}
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert client.post("/mcp", json=body, headers=headers).status_code == 200
    span = served(exported, f"{method} on_loop" if called else method)
    assert span.parent is not None
    assert f"{span.context.trace_id:032x}" == TRACE
    assert f"{span.parent.span_id:016x}" == PARENT
