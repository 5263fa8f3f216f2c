"""The Go reference's discovery over HTTP, request by request, and each difference that is meant."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from toolc import api
from toolc_runtime import create_server
from toolc_runtime.discovery import OWN_NAMES
from toolc_runtime.package import PackageError

TRANSCRIPT = Path(__file__).parent / "discovery-transcript.json"
READ: dict[str, Any] = json.loads(TRANSCRIPT.read_text("utf-8"))

SERVER = """
import json, sys
from toolc import api
from toolc_runtime import create_server
from toolc_runtime.application import Application
from toolc_runtime.transports import bind_socket, run_http

def answering(name):
    return lambda arguments, context: f"{name} called with " + json.dumps(
        dict(arguments), separators=(",", ":"), sort_keys=True
    )

rows = json.load(open(sys.argv[1], encoding="utf-8"))["tools"]
left_out = sys.argv[2:]
tools = [api.build_tool(row["name"], row["metadata"]) for row in rows if row["name"] not in left_out]
server = create_server(tools, {tool.name: answering(tool.name) for tool in tools}, name="goref")
bound = bind_socket("127.0.0.1", 0)
bound.listen()
print(bound.getsockname()[1], flush=True)
run_http(server, bound, Application(), host="127.0.0.1")
"""
"""The transcript's tools, except those named; each answers as the reference's did."""

DIFFERENCES: dict[str, tuple[Any, str]] = {
    # exchange: what toolc answers, and why
    "search_none": ("No tool matches this query. Try other words, or fewer.", "words of its own"),
    "exec_no_name": ("MISSING_REQUIRED", "an error that does not say so is taken for an answer"),
    "exec_name_empty": ("MISSING_REQUIRED", "the same"),
    "exec_name_int": ("MISSING_REQUIRED", "the same"),
    "exec_unknown_tool": ("UNKNOWN_TOOL", "the same"),
    "exec_missing_required": ("MISSING_REQUIRED", "what a model can mend is a result"),
    "call_missing_required": ("MISSING_REQUIRED", "the same"),
    "exec_null_required": ("INVALID_INPUT", "the same; null is there, and no string"),
    "exec_empty_required": (
        'send_email called with {"to":""}',
        "an empty string is a string; `minLength` says where it may not be empty",
    ),
    "exec_wrong_type_not_checked": ("INVALID_INPUT", "arguments are checked against the schema"),
    "call_wrong_type_passes": ("INVALID_INPUT", "the same"),
    "call_required_false_ok": ("INVALID_INPUT", "the same"),
    "call_no_arguments": ("get_status called with {}", "no arguments are an empty object"),
    "call_unknown": (-32602, "the specification's code for a tool that is not there"),
    "call_unknown_no_discoverable": (-32602, "the same"),
}


@contextmanager
def running(*left_out: str) -> Iterator[Callable[[dict[str, Any]], Any]]:
    """A server without some of the tools, as a function from an exchange to its answer."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(TRANSCRIPT), *left_out],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        port = int(process.stdout.readline())
        session: dict[str, str] = {}

        def ask(exchange: dict[str, Any]) -> Any:
            is_first = exchange["request"]["method"] == "initialize"
            headers = {
                "Content-Type": "application/json",
                "Accept": "application/json, text/event-stream",
                **exchange["headers"],
                **({} if is_first else session),
            }
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            connection.request(
                "POST", exchange["url"], json.dumps(exchange["request"]).encode(), headers
            )
            answer = connection.getresponse()
            told = json.loads(answer.read())
            if is_first:
                session["Mcp-Session-Id"] = answer.headers["Mcp-Session-Id"]
            connection.close()
            return told

        ask(READ["exchanges"][0])
        yield ask
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture(scope="module")
def server() -> Iterator[Callable[[dict[str, Any]], Any]]:
    with running() as ask:
        yield ask


@pytest.fixture(scope="module")
def plain_server() -> Iterator[Callable[[dict[str, Any]], Any]]:
    with running("send_email") as ask:
        yield ask


def essence(answer: Any) -> Any:
    """What an answer comes to, whatever its words, its order of keys and the server's other powers."""
    if "error" in answer:
        return answer["error"]["code"]
    result = answer["result"]
    if "protocolVersion" in result:
        return result["protocolVersion"], "tool_search" in result.get("instructions", "")
    if "tools" in result:
        return [in_own_words(tool) for tool in result["tools"]]
    if "content" not in result:
        return result
    (content,) = result["content"]
    told = json.loads(content["text"]) if content["text"][0] in "[{" else content["text"]
    return told["error"]["code"] if result.get("isError") else told


def in_own_words(tool: dict[str, Any]) -> dict[str, Any]:
    """One of the two tools for discovery without its texts; another one as it is."""
    if tool["name"] not in OWN_NAMES:
        return tool
    schema = tool["inputSchema"]
    properties = {
        name: {key: value for key, value in parameter.items() if key != "description"}
        for name, parameter in schema["properties"].items()
    }
    return {"name": tool["name"], "inputSchema": {**schema, "properties": properties}}


def meant(exchange: dict[str, Any]) -> Any:
    if exchange["name"] in DIFFERENCES:
        return DIFFERENCES[exchange["name"]][0]
    return essence(exchange["response"])


@pytest.mark.parametrize("exchange", READ["exchanges"], ids=lambda exchange: exchange["name"])
def test_where_a_tool_is_hidden(exchange: dict[str, Any], server: Any) -> None:
    assert essence(server(exchange)) == meant(exchange)


@pytest.mark.parametrize("exchange", READ["no_discoverable"], ids=lambda exchange: exchange["name"])
def test_where_none_is_hidden(exchange: dict[str, Any], plain_server: Any) -> None:
    assert essence(plain_server(exchange)) == meant(exchange)


def test_each_difference_is_one() -> None:
    for exchange in (*READ["exchanges"], *READ["no_discoverable"]):
        if exchange["name"] in DIFFERENCES:
            assert DIFFERENCES[exchange["name"]][0] != essence(exchange["response"])
    names = {exchange["name"] for exchange in (*READ["exchanges"], *READ["no_discoverable"])}
    assert DIFFERENCES.keys() <= names


@pytest.mark.parametrize("name", sorted(OWN_NAMES))
def test_a_tool_of_a_reserved_name_is_refused(name: str) -> None:
    """The reference lists the author's tool and calls its own."""
    with pytest.raises(api.MetadataError, match="the server's own tools"):
        api.build_tool(name, {"description": "mine"})


def test_two_tools_of_one_name_are_refused() -> None:
    """The reference forgets the first."""
    tools = [api.build_tool("a", {"description": text}) for text in ("first", "second")]
    with pytest.raises(PackageError, match="two tools are named 'a'"):
        create_server(tools, {"a": print})
