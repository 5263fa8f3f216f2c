"""Answers without handlers: from examples, else made up from the output schema."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import CallToolResult

from toolc_runtime.envelope import envelope_schema
from toolc_runtime.facts import ServedExample, ServedFacts
from toolc_runtime.mock import mock_code
from toolc_runtime.package import ServerFacts
from toolc_runtime.server import Catalog, LiveCatalog, build_server
from toolc_runtime.tool import ServedTool

INPUT: dict[str, Any] = {
    "type": "object",
    "properties": {"n": {"type": "integer"}, "limit": {"type": "integer", "default": 20}},
    "additionalProperties": False,
}
SIZE: dict[str, Any] = {
    "type": "object",
    "properties": {"size": {"type": "integer"}},
    "required": ["size"],
}


def example(arguments: dict[str, Any] | None, *result: Any) -> ServedExample:
    return ServedExample("", arguments, result[0] if result else None, bool(result))


def never() -> Any:
    raise AssertionError("the code of a mock is not loaded")


def answer(
    output: Any,
    examples: list[ServedExample],
    arguments: dict[str, Any],
    mode: Any = "auto",
    *,
    envelope: bool = False,
) -> CallToolResult:
    wire: dict[str, Any] = {"name": "t", "inputSchema": INPUT}
    if output is not None:
        wire["outputSchema"] = output
    facts = ServedFacts(examples=tuple(examples), envelope=envelope)
    tool = ServedTool(wire, mock_code(wire, facts, never), facts)

    async def talk() -> CallToolResult:
        server = build_server(LiveCatalog(Catalog([tool])), ServerFacts("mock"))
        async with Client(server, mode=mode) as client:
            return await client.call_tool("t", arguments)

    return anyio.run(talk)


EXAMPLES = [
    example({"n": 0}),
    example({"n": 1}, {"size": 1}),
    example(None, {"size": 9}),
    example({"n": 2}, {"size": 2}),
    example({"n": 3}, {"size": "no integer"}),
]


@pytest.mark.parametrize(
    ("output", "examples", "arguments", "structured"),
    [
        (SIZE, EXAMPLES, {"n": 2}, {"size": 2}),
        (SIZE, EXAMPLES, {"n": 2, "limit": 20}, {"size": 2}),
        (SIZE, EXAMPLES, {"n": 2, "limit": 21}, {"size": 1}),
        (SIZE, EXAMPLES, {"n": 2.0}, {"size": 2}),
        (SIZE, EXAMPLES, {"n": 0}, {"size": 1}),
        (SIZE, EXAMPLES, {"n": 3}, {"size": 1}),
        (SIZE, EXAMPLES[2:], {}, {"size": 9}),
        (SIZE, EXAMPLES[4:], {}, {"size": 1}),
        (SIZE, [], {}, {"size": 1}),
        (None, EXAMPLES, {"n": 3}, {"size": "no integer"}),
        ({"type": "array", "items": {"enum": ["a"]}}, [], {}, ["a"]),
    ],
)
def test_an_answer(output: Any, examples: Any, arguments: Any, structured: Any) -> None:
    assert answer(output, examples, arguments).structured_content == structured


def test_an_answer_is_as_the_revision_has_it() -> None:
    assert answer({"type": "integer"}, [], {}, "legacy").structured_content == {"result": 1}


@pytest.mark.parametrize(
    ("examples", "size"),
    [([], 1), ([example({"n": 2}, {"size": 2})], 2), ([example({}, {"size": "none"})], 1)],
)
def test_an_answer_stands_in_its_envelope(examples: Any, size: int) -> None:
    structured = answer(envelope_schema(SIZE), examples, {}, envelope=True).structured_content
    assert structured is not None
    assert structured["data"] == {"size": size}


@pytest.mark.parametrize(
    ("examples", "text"), [([], "A mock answer of t"), ([example({}, "hello")], "hello")]
)
def test_without_a_schema_there_is_a_text(examples: Any, text: str) -> None:
    result = answer(None, examples, {})
    assert result.structured_content is None
    (content,) = result.content
    assert content.type == "text"
    assert content.text == text


def test_a_wrong_call_is_refused_as_ever() -> None:
    result = answer(SIZE, EXAMPLES, {"n": "two"})
    assert result.is_error
    assert "INVALID_INPUT" in str(result.content)


def test_a_schema_too_narrow_for_a_guess() -> None:
    result = answer({"type": "string", "pattern": "^(?!text)(?=.*zebra).*7$"}, [], {})
    assert result.is_error
    assert "NO_MOCK_ANSWER" in str(result.content)


def test_a_server_that_mocks_imports_no_handler(
    tmp_path: Path, start_http: Callable[..., AbstractContextManager[Any]]
) -> None:
    async def talk(url: str) -> Any:
        async with Client(url) as client:
            notes = await client.call_tool("find_notes", {"words": ["milk"]})
            broken = await client.call_tool("broken", {})
            return notes.structured_content, broken.content

    with start_http(tmp_path / "log", "--mock") as server:
        structured, (content,) = anyio.run(partial(talk, server.url))
        log = server.log.read_text(encoding="utf-8")
    assert structured == {"notes": [{"id": "text", "preview": "text"}]}
    assert content.text == "A mock answer of broken"
    assert "tools (mock answers)" in log
    assert "cannot be loaded" not in log
