"""What the official client sees of a generated server: two transports, two eras, one behaviour."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import anyio
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, LoggingMessageNotificationParams, TextContent

from toolc_runtime import project
from toolc_runtime.package import load_package

ERAS = {"2025-11-25": "legacy", "2026-07-28": "auto"}
"""Revision to the client's mode."""


class Heard(NamedTuple):
    """What reached the client beside results."""

    logs: list[tuple[str, Any]]
    progress: list[tuple[float, float | None, str | None]]


class Conversation:
    """A connected client, used from the test's own thread."""

    def __init__(self, portal: BlockingPortal, client: Client, heard: Heard, log: Path) -> None:
        self.portal = portal
        self.client = client
        self.heard = heard
        self._log = log

    def ask(self, method: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return self.portal.call(partial(method, *args, **kwargs))

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        async def note(done: float, total: float | None, message: str | None) -> None:
            self.heard.progress.append((done, total, message))

        result = self.ask(self.client.call_tool, tool, arguments, progress_callback=note)
        assert isinstance(result, CallToolResult)
        return result

    @property
    def revision(self) -> str:
        return str(self.client.protocol_version)

    @property
    def server_log(self) -> str:
        return self._log.read_text(encoding="utf-8")


@contextmanager
def talking(portal: BlockingPortal, era: str, server: Any, log: Path) -> Iterator[Conversation]:
    heard = Heard([], [])

    async def note(params: LoggingMessageNotificationParams) -> None:
        heard.logs.append((params.level, params.data))

    mode: Any = ERAS[era]
    asked: Any = {"log_level": "info"} if mode == "auto" else {}
    client = Client(server, mode=mode, logging_callback=note, **asked)
    with portal.wrap_async_context_manager(client) as connected:
        yield Conversation(portal, connected, heard, log)


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


def stdio(folder: Path, log: TextIO) -> Any:
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "notes_server"], cwd=folder, env=dict(os.environ)
    )
    return stdio_client(parameters, errlog=log)


@pytest.fixture(
    scope="module",
    params=[(transport, era) for transport in ("stdio", "http") for era in ERAS],
    ids="-".join,
)
def conversation(
    request: pytest.FixtureRequest,
    portal: BlockingPortal,
    http_server: Any,
    project_folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Conversation]:
    transport, era = request.param
    if transport == "http":
        with talking(portal, era, http_server.url, http_server.log) as conversation:
            assert conversation.revision == era
            yield conversation
    else:
        path = tmp_path_factory.mktemp("stdio") / "log"
        with (
            path.open("w") as log,
            talking(portal, era, stdio(project_folder, log), path) as conversation,
        ):
            assert conversation.revision == era
            yield conversation


def text(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def error(result: CallToolResult) -> dict[str, Any]:
    assert result.is_error
    assert result.structured_content is None
    told: dict[str, Any] = json.loads(text(result))["error"]
    return told


def test_what_a_server_says_of_itself(conversation: Conversation) -> None:
    client = conversation.client
    assert client.server_info is not None
    assert (client.server_info.name, client.server_info.version) == ("notes", "1.2.3")
    assert client.server_info.title == "Notes"
    assert client.instructions == "Ask for notes."


def test_the_list_is_the_manifest_at_the_clients_revision(
    conversation: Conversation, project_folder: Path
) -> None:
    listed = conversation.ask(conversation.client.list_tools).tools
    package = load_package(project_folder / "notes_server")
    meant = [project(tool.wire, conversation.revision)[0] for tool in package.tools]
    assert [tool.name for tool in listed] == sorted(tool.name for tool in package.tools)
    for tool, wire in zip(listed, meant, strict=True):
        del wire["name"]
        assert tool.input_schema == wire.pop("inputSchema")
        assert tool.output_schema == wire.pop("outputSchema", None)
        assert tool.description == wire.pop("description")
        assert tool.title == wire.pop("title", None)
        assert tool.meta == wire.pop("_meta", None)
        assert bool(tool.annotations) == bool(wire.pop("annotations", None))
        assert bool(tool.execution) == bool(wire.pop("execution", None))
        assert all(key.startswith("x-") for key in wire)


def test_a_list_has_one_page(conversation: Conversation) -> None:
    with pytest.raises(MCPError, match="Unknown cursor"):
        conversation.ask(conversation.client.list_tools, cursor="2")


def test_a_list_says_how_long_it_may_be_kept(conversation: Conversation) -> None:
    listed = conversation.ask(conversation.client.list_tools, cache_mode="bypass")
    if conversation.revision == "2026-07-28":
        assert (listed.ttl_ms, listed.cache_scope) == (60000, "public")


def test_a_call_with_a_contract(conversation: Conversation) -> None:
    result = conversation.call("find_notes", words=["a"], limit=1.0, **{"from": "2026-11-29"})
    notes = {"notes": [{"id": "n7", "preview": "['a'] since 2026-11-29"}]}
    assert result.structured_content == notes
    assert json.loads(text(result)) == notes
    assert len(conversation.call("find_notes", words=["a"]).structured_content["notes"]) == 20


def test_a_call_without_a_contract_runs_in_a_thread(conversation: Conversation) -> None:
    result = conversation.call("describe", count=3.0)
    assert text(result) == f"3 'none' main=False {conversation.revision}"
    assert result.structured_content is None


def test_an_output_that_is_no_object(conversation: Conversation) -> None:
    wrapped = {"result": ["home", "work"]}
    meant = wrapped if conversation.revision == "2025-11-25" else ["home", "work"]
    result = conversation.call("list_tags")
    assert result.structured_content == meant
    assert json.loads(text(result)) == meant


def test_no_answer_at_all(conversation: Conversation) -> None:
    assert conversation.call("show_notes").content == []


def test_bad_arguments(conversation: Conversation) -> None:
    told = error(conversation.call("find_notes", word="x", limit="ten", api_token="hunter2"))
    assert told["code"] == "MISSING_REQUIRED"
    assert told["message"] == (
        'find_notes needs "words"; unknown "word": did you mean "words"?; '
        'limit: expected an integer, got the string "ten"; '
        "api_token: expected at least 20 characters, got a string"
    )
    assert "hunter2" not in json.dumps(told)


def test_an_unknown_tool_is_a_protocol_error(conversation: Conversation) -> None:
    with pytest.raises(MCPError) as caught:
        conversation.call("find_note")
    assert caught.value.code == -32602
    message = 'Unknown tool: find_note; did you mean "find_notes"?'
    assert caught.value.message == message
    assert caught.value.data == {
        "error": {
            "code": "UNKNOWN_TOOL",
            "message": message,
            "suggestions": {"did_you_mean": "find_notes", "similar_tools": ["find_notes"]},
        }
    }


@pytest.mark.parametrize("how", ["raise", "exit", "stub", "surrogate", "nan", "set", "invalid"])
def test_what_fails_says_nothing_to_the_client_and_all_to_the_log(
    conversation: Conversation, how: str
) -> None:
    told = error(conversation.call("fail", how=how))
    assert told["code"] == "INTERNAL_ERROR"
    assert "hunter2" not in json.dumps(told)
    assert "Traceback" not in json.dumps(told)
    assert f"tool 'fail' failed (id {told['details']['id']})\nTraceback" in conversation.server_log


def test_a_stub_says_so(conversation: Conversation) -> None:
    told = error(conversation.call("fail", how="stub"))
    assert told["message"] == 'tool "fail" is not implemented yet'


def test_what_a_handler_tells(conversation: Conversation) -> None:
    told = error(conversation.call("fail", how="told"))
    assert (told["code"], told["suggestion"]) == ("NOT_FOUND", "list first")
    assert error(conversation.call("fail", how="told badly"))["message"] == "?"


@pytest.mark.parametrize("tool", ["broken", "misfit"])
def test_code_that_does_not_load_and_answers_that_do_not_fit(
    conversation: Conversation, tool: str
) -> None:
    for _ in range(2):
        told = error(conversation.call(tool))
        assert told["code"] == "INTERNAL_ERROR"
        assert "hunter2" not in json.dumps(told)
        assert f"(id {told['details']['id']})" in conversation.server_log


def test_messages_and_progress_on_the_way(conversation: Conversation) -> None:
    conversation.heard.logs.clear()
    conversation.heard.progress.clear()
    result = conversation.call("narrate")
    assert result.structured_content["asked"] is True
    assert conversation.heard.logs == [
        ("info", {"message": "half way", "done": 1}),
        ("warning", "from a thread ?"),
    ]
    assert conversation.heard.progress == [(1, 2, "half way")]
    assert "toolc_runtime.tools.narrate: half way done=1" in conversation.server_log


def test_a_client_of_2025_says_which_messages_it_wants(conversation: Conversation) -> None:
    if conversation.revision != "2025-11-25":
        pytest.skip("since 2026-07-28 each request says so")
    set_level: Any = conversation.client.session.send_request
    from mcp_types import EmptyResult, SetLevelRequest, SetLevelRequestParams

    for level, heard in (("warning", ["warning"]), ("debug", ["debug", "info", "warning"])):
        request: Any = SetLevelRequest(params=SetLevelRequestParams(level=level))  # type: ignore[arg-type]
        conversation.ask(set_level, request, EmptyResult)
        conversation.heard.logs.clear()
        conversation.call("narrate")
        assert [name for name, _ in conversation.heard.logs] == heard


def test_a_handler_that_blocks_blocks_no_other(conversation: Conversation) -> None:
    """`rest` waits longer than the test would: it is answered only after the calls behind it."""
    order: list[str] = []

    async def call(tool: str, **arguments: Any) -> None:
        await conversation.client.call_tool(tool, arguments)
        order.append(tool)

    async def both() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(call, "rest", seconds=0.5))
            await anyio.sleep(0.05)
            tasks.start_soon(partial(call, "describe", count=1))

    conversation.portal.call(both)
    assert order == ["describe", "rest"]


def test_cancellation_reaches_the_handler(conversation: Conversation) -> None:
    async def give_up() -> None:
        with anyio.move_on_after(0.2):
            await conversation.client.call_tool("wait", {})
        with anyio.fail_after(10):
            while "wait: cancelled" not in conversation.server_log:
                await anyio.sleep(0.02)

    before = conversation.server_log.count("wait: cancelled")
    conversation.portal.call(give_up)
    assert conversation.server_log.count("wait: cancelled") >= max(before, 1)
    assert text(conversation.call("describe", count=1))


def test_pages(conversation: Conversation) -> None:
    client = conversation.client
    (page,) = conversation.ask(client.list_resources).resources
    assert (page.uri, page.mime_type) == ("ui://notes/list.html", "text/html;profile=mcp-app")
    (content,) = conversation.ask(client.read_resource, "ui://notes/list.html").contents
    assert "<title>Notes</title>" in content.text
    assert content.mime_type == "text/html;profile=mcp-app"
    for uri in ("ui://notes/other.html", "ui://../manifest.json", "file:///etc/passwd"):
        with pytest.raises(MCPError, match="Unknown resource") as caught:
            conversation.ask(client.read_resource, uri)
        assert caught.value.code == -32602
    extensions = client.server_capabilities.extensions
    if conversation.revision == "2026-07-28":
        assert extensions == {"io.modelcontextprotocol/ui": {}}


def test_a_parameter_that_travels_in_a_header(conversation: Conversation) -> None:
    """The SDK compares header and argument by the schema that the server hands it."""
    assert not conversation.call("by_region", region="eu").is_error
    assert error(conversation.call("by_region", region=3))["code"] == "INVALID_INPUT"
