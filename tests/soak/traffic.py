"""What the clients send, good and bad, and what each must be answered: a row a kind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from random import Random
from typing import NamedTuple

from .wires import Answer, HttpPeer, Json, Peer, encode

TOO_LARGE = 5 * 1024 * 1024
"""Bytes: more than the SDK takes in one request."""

DEEP, TOO_DEEP = 30, 20_000
"""Levels of arrays."""


class WrongAnswerError(Exception):
    """What was answered in place of the right answer."""


class Kind(NamedTuple):
    name: str
    weight: int
    run: Callable[[Peer, Random, str], Awaitable[None]]
    """Sends what the kind is of, with a token that nothing else has; WrongAnswerError for its answer."""
    only: frozenset[str] = frozenset()
    """Transports and eras that have it; all, where none is named."""

    def fits(self, peer: Peer) -> bool:
        return self.only <= {peer.transport, peer.era}


def expect(is_right: bool, answer: Answer | None) -> None:
    if not is_right:
        raise WrongAnswerError(str(answer)[:600])


def result(answer: Answer) -> Json:
    """What a call that succeeded was answered with."""
    expect(answer.status == 200 and "result" in (answer.message or {}), answer)
    told = answer.message["result"]
    expect(not told.get("isError"), answer)
    return told


def text(answer: Answer) -> str:
    return str(result(answer)["content"][0]["text"])


def expect_code(answer: Answer, code: str, *words: str) -> None:
    """That a call was answered with an error of its tool, and the words stand in it."""
    expect("result" in (answer.message or {}), answer)
    told = answer.message["result"]
    expect(told.get("isError") is True, answer)
    error = json.loads(told["content"][0]["text"])["error"]
    expect(error["code"] == code and all(word in error["message"] for word in words), answer)


def expect_protocol_error(answer: Answer, *codes: int) -> None:
    expect((answer.message or {}).get("error", {}).get("code") in codes, answer)


# --- good calls ---


def nested(value: Json, levels: int) -> Json:
    for _ in range(levels):
        value = [value]
    return value


async def echo(peer: Peer, random: Random, token: str) -> None:
    value: Json = random.choice(
        [
            token,
            {"token": token, "list": [1, 2.5, None, True, {}]},
            f"é 漢 🐈 \u2028 \u0000 {token}",
            nested(token, DEEP),
            [token, 2**53, -1, 1e-9, ""],
        ]
    )
    answer = await peer.call("echo", value=value)
    expect(result(answer)["structuredContent"] == {"value": value}, answer)


async def echo_much(peer: Peer, random: Random, token: str) -> None:
    value = token * random.randint(10_000, 40_000)
    answer = await peer.call("echo", value=value)
    expect(result(answer)["structuredContent"] == {"value": value}, answer)


async def add(peer: Peer, random: Random, token: str) -> None:
    left, right = random.randint(0, 10**9), random.randint(0, 10**9)
    answer = await peer.call("add", left=left, right=right)
    expect(result(answer)["structuredContent"] == {"sum": left + right}, answer)


async def add_mended(peer: Peer, random: Random, token: str) -> None:
    left, right = random.randint(0, 10**9), random.randint(0, 10**9)
    answer = await peer.call("add", first=left, Right=str(right))
    expect(result(answer)["structuredContent"] == {"sum": left + right}, answer)
    expect(len(result(answer)["content"]) > 2, answer)  # with warnings


async def wait(peer: Peer, random: Random, token: str) -> None:
    answer = await peer.call("wait", token=token, seconds=random.random() / 20)
    expect(text(answer) == token, answer)


async def rest(peer: Peer, random: Random, token: str) -> None:
    answer = await peer.call("rest", token=token, seconds=random.random() / 50)
    expect(text(answer) == token, answer)


async def narrate(peer: Peer, random: Random, token: str) -> None:
    request = peer.tool_call("narrate", {"token": token})
    request["params"].setdefault("_meta", {})["progressToken"] = request["id"]
    answer = await peer.ask(request)
    expect(text(answer) == token, answer)
    told = [
        (note["params"]["progress"], note["params"]["message"])
        for note in answer.told
        if note["method"] == "notifications/progress"
    ]
    expect(told == [(step, token) for step in (1, 2, 3)] * peer.streams, answer)


async def hurry(peer: Peer, random: Random, token: str) -> None:
    answer = await peer.call("hurry", token=token)
    told = result(answer)["structuredContent"]
    expect(told["data"] == {"token": token}, answer)
    expect(told["metadata"] == {"partial": True, "complete": False}, answer)


async def execute(peer: Peer, random: Random, token: str) -> None:
    answer = await peer.call("execute_tool", name="find_me", parameters={"token": token})
    expect(text(answer) == token, answer)


async def search(peer: Peer, random: Random, token: str) -> None:
    answer = await peer.call("tool_search", query="hidden")
    expect(json.loads(text(answer))[0]["name"] == "find_me", answer)


async def list_tools(peer: Peer, random: Random, token: str) -> None:
    answer = await peer.ask(peer.request("tools/list"))
    expect(len(result(answer)["tools"]) == 10, answer)


# --- calls that a tool or the server refuses ---


async def unknown_tool(peer: Peer, random: Random, token: str) -> None:
    answer = await peer.call(f"no_{token}")
    expect_protocol_error(answer, -32602)
    expect(token in answer.message["error"]["message"], answer)


async def wrong_arguments(peer: Peer, random: Random, token: str) -> None:
    answer = await peer.call("add", left=token, right=[], **{token: 1})
    expect_code(answer, "INVALID_INPUT", token)


async def no_arguments(peer: Peer, random: Random, token: str) -> None:
    expect_code(await peer.call("wait"), "MISSING_REQUIRED", "token")


async def told_failure(peer: Peer, random: Random, token: str) -> None:
    expect_code(await peer.call("fail", token=token, how="told"), "NOT_FOUND", token)


async def broken_failure(peer: Peer, random: Random, token: str) -> None:
    answer = await peer.call("fail", token=token, how="broken")
    expect_code(answer, "INTERNAL_ERROR")
    expect(token not in str(answer.message), answer)


async def surrogate(peer: Peer, random: Random, token: str) -> None:
    answer = await peer.call("echo", value=token + "\ud800")
    if "error" in (answer.message or {}):
        expect_protocol_error(answer, -32700)
    else:
        expect_code(answer, "INVALID_INPUT")


# --- what is no message ---


def raw(
    make: Callable[[str], bytes], *codes: int
) -> Callable[[Peer, Random, str], Awaitable[None]]:
    async def send(peer: Peer, random: Random, token: str) -> None:
        expect_protocol_error(await peer.ask_raw(make(token)), *codes)

    return send


def batch(token: str) -> bytes:
    return encode([{"jsonrpc": "2.0", "id": f"{token}-{n}", "method": "ping"} for n in range(3)])


def deep(token: str) -> bytes:
    return b"[" * TOO_DEEP + b"]" * TOO_DEEP


async def too_large(peer: Peer, random: Random, token: str) -> None:
    answer = await peer.ask_raw(b" " * TOO_LARGE)
    expect(answer.status == 413, answer)


# --- what a client should not do, and does ---


async def cancel(peer: Peer, random: Random, token: str) -> None:
    request = peer.tool_call(random.choice(["wait", "rest"]), {"token": token, "seconds": 0.3})
    answer = await peer.cancel(request, random.random() / 10)
    if answer is not None and "error" not in answer.message:
        expect(text(answer) == token, answer)  # it was done before it was taken back


async def leave(peer: Peer, random: Random, token: str) -> None:
    assert isinstance(peer, HttpPeer)
    tool = random.choice(["wait", "rest", "narrate"])
    request = peer.tool_call(tool, {"token": token})
    await peer.leave(encode(request), peer.headers(request), random.random() / 50)


async def leave_midway(peer: Peer, random: Random, token: str) -> None:
    assert isinstance(peer, HttpPeer)
    request = peer.tool_call("echo", {"value": token * 1000})
    await peer.leave(encode(request), peer.headers(request), 0.001, share=random.random())


async def listen(peer: Peer, random: Random, token: str) -> None:
    assert isinstance(peer, HttpPeer)
    await peer.listen(random.random() / 50)


async def lost_session(peer: Peer, random: Random, token: str) -> None:
    assert isinstance(peer, HttpPeer)
    request = peer.tool_call("echo", {"value": token})
    answer = await peer.post(encode(request), {**peer.headers(), "Mcp-Session-Id": token})
    expect(answer.status == 404, answer)


async def renew(peer: Peer, random: Random, token: str) -> None:
    await peer.end()
    await peer.begin()


async def pause(peer: Peer, random: Random, token: str) -> None:
    await asyncio.sleep(random.random() / 10)


HTTP, LEGACY = frozenset({"http"}), frozenset({"http", "legacy"})

KINDS = (
    Kind("echo", 30, echo),
    Kind("echo of 100 KB and more", 2, echo_much),
    Kind("add, in a thread", 15, add),
    Kind("add, with slips", 5, add_mended),
    Kind("wait", 8, wait),
    Kind("rest in a thread", 8, rest),
    Kind("progress and log messages", 6, narrate),
    Kind("partial results", 4, hurry),
    Kind("execute_tool", 6, execute),
    Kind("tool_search", 3, search),
    Kind("tools/list", 3, list_tools),
    Kind("an unknown tool", 4, unknown_tool),
    Kind("wrong arguments", 4, wrong_arguments),
    Kind("no arguments", 3, no_arguments),
    Kind("a tool's error", 4, told_failure),
    Kind("an unforeseen error", 1, broken_failure),
    Kind("a lone surrogate", 3, surrogate),
    Kind("broken JSON", 3, raw(lambda token: b'{"jsonrpc": "2.0", "id": ', -32700)),
    # Of the sessions over HTTP the SDK says -32602.
    Kind("a text", 2, raw(lambda token: encode(token), -32600, -32602)),
    Kind("a batch", 2, raw(batch, -32600, -32602)),
    Kind("20,000 levels", 1, raw(deep, -32700)),
    Kind("more than 4 MiB", 1, too_large, HTTP),
    Kind("a cancelled call", 4, cancel),
    Kind("a client that leaves", 4, leave, HTTP),
    Kind("a client that leaves in a body", 3, leave_midway, HTTP),
    Kind("a stream opened and closed", 2, listen, LEGACY),
    Kind("a session that is not there", 2, lost_session, LEGACY),
    Kind("another session", 2, renew, LEGACY),
    Kind("a pause", 2, pause),
)
