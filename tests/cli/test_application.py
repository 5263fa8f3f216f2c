"""A built server with an application: over HTTP and stdio, with tokens, questions and failures."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp_types import CallToolResult, ElicitResult

APP = """
from dataclasses import dataclass

from mcp.server.auth.provider import AccessToken


class App:
    def __init__(self):
        self.known = {"ada's": "ada", "bob's": "bob"}

    async def verify_token(self, token):
        subject = self.known.get(token)
        if subject is None:
            return None
        claims = {"iss": "desk"}
        return AccessToken(
            token=token, client_id="desk", scopes=["greet"], subject=subject, claims=claims
        )
"""

SCOPED = """
from mcp.server.auth.settings import AuthSettings

App.auth = AuthSettings(
    issuer_url="https://auth.example",
    resource_server_url="https://notes.example/mcp",
    required_scopes=["admin"],
    validate_token_resource=False,
)
"""

TELLS = """
async def greet(params, context):
    auth = context.auth
    who = "nobody" if auth is None else f"{auth.subject} {sorted(auth.scopes)} {auth.claims}"
    return {"greeting": who}
"""

ASKS = """
async def greet(params, context):
    answer = await context.elicit("Whom else?", {"properties": {"name": {"type": "string"}}})
    return {"greeting": f"{context.app.greeting}, {params.name} and {answer.data['name']}!"}
"""


@contextmanager
def serving(project: Path, *options: str) -> Iterator[str]:
    """The URL of a server over HTTP, for the time of a `with`."""
    log = project / "log"
    with log.open("wb") as file:
        command = [sys.executable, "-m", "generated", "--transport", "http", "--port", "0"]
        process = subprocess.Popen([*command, *options], cwd=project, stdout=file, stderr=file)
    try:
        while not (told := re.search(r"http://\S+/mcp", log.read_text("utf-8"))):
            assert process.poll() is None, log.read_text("utf-8")
            time.sleep(0.02)
        yield told[0]
    finally:
        process.terminate()
        process.wait()


async def greet(server: Any, era: str = "auto") -> CallToolResult:
    async def answer(context: Any, params: Any) -> ElicitResult:
        assert params.message == "Whom else?"
        return ElicitResult(action="accept", content={"name": "Bob"})

    async with Client(server, mode=era, elicitation_callback=answer) as client:
        return await client.call_tool("greet", {"name": "Ada"})


def greeting(result: CallToolResult) -> Any:
    assert not result.is_error, result
    return result.structured_content["greeting"]


class TestTokens:
    @pytest.fixture
    def guarded(self, project: Path) -> Path:
        (project / "app.py").write_text(APP)
        (project / "handlers/greet.py").write_text(TELLS)
        return project

    def status(self, url: str, body: bytes | None = b"{}", **headers: str) -> tuple[int, str]:
        request = urllib.request.Request(url, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, ""
        except urllib.error.HTTPError as error:
            return error.code, error.headers.get("WWW-Authenticate", "")

    @pytest.mark.parametrize("options", [[], ["--workers", "2"]])
    def test_who_has_none_is_refused(self, guarded: Path, options: list[str]) -> None:
        with serving(guarded, *options) as url:
            assert self.status(url)[0] == 401
            assert self.status(url, Authorization="Bearer eve's")[0] == 401
            code, told = self.status(url.replace("/mcp", "/healthz"), None)
            assert (code, told) == (200, "")

    @pytest.mark.parametrize("era", ["legacy", "auto"])
    def test_the_handler_knows_who_calls(self, guarded: Path, era: str) -> None:
        async def talk(url: str, token: str) -> CallToolResult:
            headers = {"Authorization": f"Bearer {token}"}
            async with create_mcp_http_client(headers) as http:
                return await greet(streamable_http_client(url, http_client=http), era)

        with serving(guarded) as url:
            told = [greeting(anyio.run(talk, url, token)) for token in ("ada's", "bob's")]
        assert told == [f"{name} ['greet'] {{'iss': 'desk'}}" for name in ("ada", "bob")]

    def test_scopes_and_the_place_of_the_issuer_are_the_sdk_s_settings(self, guarded: Path) -> None:
        (guarded / "app.py").write_text(APP + SCOPED)
        with serving(guarded) as url:
            code, told = self.status(url, Authorization="Bearer ada's")
            assert code == 403
            assert "https://notes.example/.well-known/oauth-protected-resource/mcp" in told

    def test_over_stdio_there_are_none(self, guarded: Path) -> None:
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "generated"], cwd=str(guarded)
        )
        assert greeting(anyio.run(greet, stdio_client(command))) == "nobody"


class TestQuestions:
    @pytest.fixture
    def asking(self, project: Path) -> Path:
        (project / "handlers/greet.py").write_text(ASKS)
        return project

    @pytest.mark.parametrize(
        ("era", "options"),
        [
            ("legacy", ["--stream"]),
            ("auto", []),
            ("auto", ["--stream"]),
            ("auto", ["--workers", "2"]),
        ],
    )
    def test_over_http(self, asking: Path, era: str, options: list[str]) -> None:
        with serving(asking, *options) as url:
            assert greeting(anyio.run(greet, url, era)) == "Hello, Ada and Bob!"

    @pytest.mark.parametrize("era", ["legacy", "auto"])
    def test_over_stdio(self, asking: Path, era: str) -> None:
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "generated"], cwd=str(asking)
        )
        assert greeting(anyio.run(greet, stdio_client(command), era)) == "Hello, Ada and Bob!"

    def test_of_a_client_of_2025_that_gets_no_stream(self, asking: Path) -> None:
        with serving(asking) as url:
            result = anyio.run(greet, url, "legacy")
        assert result.is_error
        assert "--stream" in str(result.content)


class TestFailures:
    @pytest.mark.parametrize("transport", ["stdio", "http", "http --workers 2"])
    @pytest.mark.parametrize(
        ("app", "message", "cause"),
        [
            (
                "raise OSError('no disk')\n",
                "error: [server] app = 'app:App' cannot be imported",
                "OSError: no disk",
            ),
            (
                "class App:\n    def __init__(self):\n        raise OSError('no disk')\n",
                "the application could not be started",
                "OSError: no disk",
            ),
            (
                "class App:\n    def adapt(self, tool):\n        tool.name = 'x'\n        return tool\n",
                "could not adapt the tool 'greet': adapt renamed the tool 'greet' to 'x'",
                "",
            ),
            ("App2 = 1\n", "error: [server] app = 'app:App': there is no 'App' in 'app'", ""),
        ],
    )
    def test_the_server_ends_and_says_why(
        self, project: Path, transport: str, app: str, message: str, cause: str
    ) -> None:
        (project / "app.py").write_text(app)
        ran = subprocess.run(
            [sys.executable, "-m", "generated", "--port", "0", "--transport", *transport.split()],
            cwd=project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (ran.returncode, ran.stdout) == (2, "")
        assert message in ran.stderr
        assert not re.search(r"tools? · http", ran.stderr)
        assert cause in ran.stderr
        assert ("Traceback" in ran.stderr) == bool(cause)

    @pytest.mark.parametrize("transport", ["stdio", "http"])
    def test_what_it_raises_at_the_end_is_told_once(self, project: Path, transport: str) -> None:
        app = project / "app.py"
        failing = "@classmethod\n    @asynccontextmanager\n    async def lifespan(cls):\n"
        failing += "        yield cls()\n        raise OSError('no disk')\n"
        app.write_text(f"from contextlib import asynccontextmanager\nclass App:\n    {failing}")
        if transport == "http":
            with serving(project):
                pass
            told = (project / "log").read_text("utf-8")
        else:
            command = [sys.executable, "-m", "generated"]
            ran = subprocess.run(command, cwd=project, input="", capture_output=True, text=True)
            assert ran.returncode == 0
            told = ran.stderr
        assert "the application failed at its end" in told
        assert told.count("OSError: no disk") == 1
        assert "Application shutdown failed" not in told

    @pytest.mark.parametrize("workers", ["1", "2"])
    def test_a_key_that_is_too_short(self, project: Path, workers: str) -> None:
        ran = subprocess.run(
            [sys.executable, "-m", "generated", "--transport", "http", "--workers", workers],
            cwd=project,
            env={**os.environ, "TOOLC_STATE_KEY": "short"},
            capture_output=True,
            text=True,
            timeout=60,
        )
        said = "error: TOOLC_STATE_KEY has a key of 5 characters; 32 are the least\n"
        assert (ran.returncode, ran.stderr) == (2, said)

    def test_mock_answers_need_no_application(self, project: Path) -> None:
        (project / "app.py").unlink()
        with serving(project, "--mock") as url:
            assert greeting(anyio.run(greet, url)) == "Hello, Ada!"
