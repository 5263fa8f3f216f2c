"""The example server as its users meet it: the official client, both transports, both eras."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from toolc_runtime.discovery import OWN_NAMES
from toolc_runtime.revision import project

ROOT = Path(__file__).resolve().parents[2]
HIDDEN = "convert_temperature"
ERAS = {"auto": "2026-07-28", "legacy": "2025-11-25"}


def environment(data: Path) -> dict[str, str]:
    return {**os.environ, "NOTEBOOK_DATA": str(data)}


@contextmanager
def http_server(data: Path) -> Iterator[str]:
    log = data / "log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "generated", "--transport", "http", "--port", "0"],
            cwd=ROOT,
            env=environment(data),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
        )
    try:
        while not (told := re.search(r"http://\S+/mcp", log.read_text("utf-8"))):
            assert process.poll() is None, log.read_text("utf-8")
            time.sleep(0.05)
        yield told[0]
    finally:
        process.kill()
        process.wait()


@contextmanager
def server(transport: str, data: Path) -> Iterator[str | StdioServerParameters]:
    if transport == "http":
        with http_server(data) as url:
            yield url
    else:
        yield StdioServerParameters(
            command=sys.executable,
            args=["-m", "generated"],
            cwd=str(ROOT),
            env=environment(data),
        )


def manifest(revision: str) -> dict[str, dict[str, Any]]:
    text = (ROOT / "generated" / "manifest.json").read_text("utf-8")
    return {tool["name"]: project(tool, revision)[0] for tool in json.loads(text)["tools"]}


def texts(result: Any) -> list[str]:
    return [content.text for content in result.content]


def test_the_tools_keep_their_contracts(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "toolc", "test"],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        encoding="utf-8",
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "12 tools: 12 passed" in ran.stdout


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_official_client_lists_and_calls(transport: str, mode: str, tmp_path: Path) -> None:
    async def talk(target: str | StdioServerParameters) -> None:
        async with Client(target, mode=mode) as client:
            assert client.protocol_version == ERAS[mode]
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
            expected = manifest(ERAS[mode])
            assert listed.keys() ^ expected.keys() == {HIDDEN, *OWN_NAMES}
            for name in listed.keys() & expected.keys():
                assert listed[name].input_schema == expected[name]["inputSchema"]
                assert listed[name].output_schema == expected[name].get("outputSchema")

            added = await client.call_tool("add_note", {"title": "Dentist on Friday"})
            assert not added.is_error
            note = added.structured_content
            assert note is not None and set(note) == {"id", "created"}
            found = await client.call_tool("find_notes", {"words": ["dentist"]})
            assert found.structured_content == {
                "notes": [{"id": note["id"], "preview": "Dentist on Friday"}]
            }
            wrong = await client.call_tool("find_notes", {"words": [], "limit": "ten"})
            assert wrong.is_error
            (told,) = texts(wrong)
            error = json.loads(told)["error"]
            assert error["code"] == "INVALID_INPUT"
            assert "words" in error["message"] and "limit" in error["message"]

            (told,) = texts(await client.call_tool("tool_search", {"query": "fahrenheit"}))
            best = json.loads(told)[0]
            assert (best["name"], best["keywords"][-1]) == (HIDDEN, "fahrenheit")
            asked = {"name": HIDDEN, "parameters": {"celsius": 100}}
            warm = await client.call_tool("execute_tool", asked)
            assert warm.structured_content == {"fahrenheit": 212}

    with server(transport, tmp_path) as target:
        asyncio.run(talk(target))
