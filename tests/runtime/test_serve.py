"""Serving built tools without a generated folder, and the command line where something is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from toolc.model.tool import Facts, Tool
from toolc_runtime import Arguments, Context, create_server, main
from toolc_runtime.package import PackageError

ADD = Tool(
    name="add",
    description="Adds.",
    input_schema={
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer", "default": 1}},
        "required": ["a"],
    },
    output_schema={"type": "integer"},
)


def add(params: Arguments, context: Context) -> int:
    return int(params.a + params.b)


@pytest.mark.parametrize(("mode", "structured"), [("legacy", {"result": 3}), ("auto", 3)])
def test_a_server_to_embed(mode: Any, structured: Any) -> None:
    async def talk() -> Any:
        async with Client(create_server([ADD], {"add": add}, name="calc"), mode=mode) as client:
            assert client.server_info is not None
            assert client.server_info.name == "calc"
            (tool,) = (await client.list_tools()).tools
            assert tool.description == "Adds."
            return (await client.call_tool("add", {"a": 2.0})).structured_content

    assert anyio.run(talk) == structured


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_old_names_are_answered_and_not_listed(mode: Any) -> None:
    def named(name: str, *aliases: str) -> Tool:
        return Tool(name, {"type": "object"}, facts=Facts(aliases=aliases))

    tools = [named("a", "old", "b", "both"), named("b", "b", "both"), named("c", "c2", "c2")]

    def answering(name: str) -> Callable[[Arguments, Context], str]:
        return lambda params, context: name

    handlers = {name: answering(name) for name in "abc"}

    async def talk() -> Any:
        async with Client(create_server(tools, handlers), mode=mode) as client:
            content: Any
            listed = [tool.name for tool in (await client.list_tools()).tools]
            answers = {}
            for name in ("old", "b", "c2"):
                (content,) = (await client.call_tool(name, {})).content
                answers[name] = content.text
            with pytest.raises(MCPError, match="Unknown tool: both"):
                await client.call_tool("both", {})
            return listed, answers

    assert anyio.run(talk) == (["a", "b", "c"], {"old": "a", "b": "b", "c2": "c"})


@pytest.mark.parametrize(
    ("tools", "handlers", "message"),
    [
        ([ADD], {}, "no handler for add"),
        ([ADD], {"add": add, "sub": add}, "no tool for the handlers sub"),
        ([ADD, ADD], {"add": add}, "two tools are named 'add'"),
    ],
)
def test_tools_and_handlers_that_do_not_pair(tools: Any, handlers: Any, message: str) -> None:
    with pytest.raises(PackageError, match=message):
        create_server(tools, handlers)


def test_telemetry_stays_the_first_middleware() -> None:
    first = create_server([ADD], {"add": add}).middleware[0]
    assert type(first).__name__ == "OpenTelemetryMiddleware"


SCRIPT = """
from toolc.model.tool import Tool
from toolc_runtime import serve

print("before serving")
serve(
    [Tool(name="greet", description="Greets.", input_schema={"type": "object"})],
    {"greet": lambda params, context: "hello"},
)
"""


def test_serve_over_stdio(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace('print("before serving")\n', ""), encoding="utf-8")

    async def talk() -> Any:
        parameters = StdioServerParameters(
            command=sys.executable, args=[str(script)], env=dict(os.environ)
        )
        async with Client(parameters) as client:
            return (await client.call_tool("greet", {})).content

    (content,) = anyio.run(talk)
    assert content.text == "hello"


def test_a_folder_that_is_not_built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(tmp_path, []) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == f"error: {tmp_path / 'manifest.json'} is not there: run `toolc build`\n"


def test_without_the_sdk(project_folder: Path) -> None:
    """As where only `toolc` was installed: a module that is None in sys.modules cannot be imported."""
    for missing in ("mcp", "uvicorn"):
        code = f"""
import sys
sys.modules["{missing}"] = None
from notes_server.server import main
sys.exit(main(["--transport", "http", "--port", "0"]))
"""
        ended = subprocess.run(
            [sys.executable, "-c", code],
            cwd=project_folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ended.returncode == 2
        assert ended.stderr.endswith(
            f'error: {missing} is not installed; a server needs: pip install "toolc[serve]"\n'
        )


def test_a_wrong_option_is_told_without_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(tmp_path, ["--transport", "carrier-pigeon"])
    assert caught.value.code == 2
    assert "invalid choice: 'carrier-pigeon'" in capsys.readouterr().err
