"""Handlers that nobody has written yet: how they are told, and that clients do not see their tools."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

from toolc_runtime import stubs
from toolc_runtime.stubs import describe_left_out, is_stub

DOC = '    """Doc."""\n'
RAISE = '    raise NotImplementedError("f")\n'
STUB = "async def f(p: P, c: C) -> R:\n" + DOC + RAISE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (STUB, True),
        ("import os\n\n\n" + STUB, True),
        ("import os\n\n\n" + STUB.replace("\n", "\r\n"), True),
        ("import os\n\n\n" + STUB + "\n\nx = 1\n", True),
        ("import os\n\n\n" + STUB + "\n\nf = traced(f)\n", False),
        ("import os\n\n\n" + STUB + "\n\nfrom there import f\n", False),
        ("import os\n\n\n" + STUB + "\n\nfrom there import g as f\n", False),
        ("import os\n\n\n" + STUB + "\n\ndef f(p, c):\n    return 1\n", False),
        ("import os\n\n\n" + STUB + "\n\nif x:\n    def f(p, c):\n        return 1\n", False),
        ("def f(p, c):\n    return 1\n\n\n" + STUB, True),
        ("@traced\n" + STUB, False),
        ("@traced\n\n\n" + STUB, False),
        ("import os\n\n\n" + STUB.replace(" f(", " g("), False),
        ("import os\n\n\nclass A:\n    " + STUB.replace("\n", "\n    "), False),
        ("def f(p, c):\n    raise NotImplementedError\n", True),
        ("def f(p, c):\n    # soon\n    raise NotImplementedError('f') from None\n", True),
        ("def f(p, c):\n" + DOC + "    log(p)\n" + RAISE, False),
        ("\n\nasync def f(p, c):\n" + DOC + "    log(p)\n" + RAISE, False),
        ("\n\nasync def f(p, c):\n" + DOC + RAISE.replace("raise", "return"), False),
        ("\n\nasync def f(p, c):\n    if p:\n        return 1\n" + RAISE, False),
        ("def f(p, c):\n    return 1\ndef g():\n    raise NotImplementedError\n", False),
        ("def f(p, c):\n    raise ValueError('NotImplementedError')\n", False),
        ("def f(p, c): NotImplementedError(\n", False),
        ("", False),
    ],
)
def test_is_stub(text: str, expected: bool) -> None:
    assert is_stub(text.encode(), "f") is expected


@pytest.mark.parametrize(
    "description",
    ['Find """notes""".', "A \\ b", "Two\n\nparagraphs", 'ends in "', "a@b.example", "é"],
)
def test_what_toolc_writes_is_told_without_parsing(
    description: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But where there is an @, which may be a decorator's."""
    import toolc
    from toolc import driver
    from toolc.generate.python import handler_text
    from toolc.model.project import PythonTarget

    tool = toolc.build_tool("find_notes", {"description": description})
    source = handler_text(tool, PythonTarget(), driver.renderer({})).encode()
    assert is_stub(source, "find_notes")
    monkeypatch.setattr(stubs, "_is_parsed_as_stub", lambda *_: False)
    assert is_stub(source, "find_notes") is ("@" not in description)


FILES = {
    "toolc.toml": '[python]\nhandlers = "handlers"\n',
    "tooldefs/done.toml": 'description = "Written"\n',
    "tooldefs/later.toml": 'description = "Not written"\naliases = ["soon"]\n',
    "tooldefs/found.toml": 'description = "Not written, and discoverable"\ndiscoverable = true\n',
    "tooldefs/adopted.toml": 'description = "Not written"\nhandler = "own.parts.work:run"\n',
    "tooldefs/borrowed.toml": 'description = "Written elsewhere"\ndiscoverable = true\n'
    'handler = "own.parts.work:walk"\n',
    "own/parts/work.py": "walk = lambda params, context: 'walked'\n"
    "def run(params, context):\n    raise NotImplementedError\n"
    "print('imported')\n",
}
LISTED = ["done", "execute_tool", "tool_search"]
LISTED_BY_MOCK = ["adopted", "done", "execute_tool", "later", "tool_search"]
FOUND = ["borrowed", "done"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of five tools, two of which are written."""
    root = tmp_path_factory.mktemp("project")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    subprocess.run([sys.executable, "-m", "toolc", "build"], cwd=root, check=True)
    done = root / "handlers/done.py"
    done.write_text(done.read_text().replace("raise NotImplementedError", "return str"))
    return root


def text(result: Any) -> str:
    assert not result.is_error
    return str(result.content[0].text)


Serve = Callable[..., Any]


def over_stdio(_start_http: Serve, project: Path, log: Path, *options: str) -> Any:
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "generated", *options],
        cwd=project,
        env=dict(os.environ),
    )

    @contextmanager
    def running() -> Iterator[Any]:
        with log.open("w") as file:
            yield stdio_client(parameters, errlog=file)

    return running()


def over_http(start_http: Serve, project: Path, log: Path, *options: str) -> Any:
    @contextmanager
    def running() -> Iterator[Any]:
        with start_http(log, *options, folder=project, package="generated") as server:
            yield server.url

    return running()


def over_workers(start_http: Serve, project: Path, log: Path, *options: str) -> Any:
    return over_http(start_http, project, log, "--workers", "2", *options)


@pytest.mark.parametrize("serve", [over_stdio, over_http, over_workers])
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_clients_do_not_see_them(
    serve: Serve, mode: Any, project: Path, start_http: Serve, tmp_path: Path
) -> None:
    log = tmp_path / "log"

    async def talk(server: Any) -> None:
        async with Client(server, mode=mode) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == LISTED
            found = json.loads(text(await client.call_tool("tool_search", {"query": "written"})))
            assert [tool["name"] for tool in found] == FOUND
            assert text(await client.call_tool("borrowed", {})) == "walked"
            for name in ("later", "soon", "found", "adopted"):
                with pytest.raises(MCPError, match=f"Unknown tool: {name}") as refused:
                    await client.call_tool(name, {})
                assert refused.value.code == -32602

    with serve(start_http, project, log) as server:
        anyio.run(talk, server)
    told = log.read_text()
    assert told.count("left out") == 1
    assert (
        "3 of 5 tools are left out, as their handlers are still stubs: adopted (own/parts/work.py), "
        "found (handlers/found.py), later (handlers/later.py); `--mock` and `toolc serve --watch` "
        "show all\n"
    ) in told


@pytest.mark.parametrize("serve", [over_stdio, over_http, over_workers])
def test_mock_answers_show_all(
    serve: Serve, project: Path, start_http: Serve, tmp_path: Path
) -> None:
    log = tmp_path / "log"

    async def talk(server: Any) -> None:
        async with Client(server) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == LISTED_BY_MOCK
            assert not (await client.call_tool("soon", {})).is_error

    with serve(start_http, project, log, "--mock") as server:
        anyio.run(talk, server)
    assert "left out" not in log.read_text()


def test_one_is_told_in_the_singular() -> None:
    assert describe_left_out({"a": "a.py"}, 2).startswith(
        "1 of 2 tools is left out, as its handler is still a stub: a (a.py); "
    )


def test_not_all_are_named() -> None:
    told = describe_left_out({f"t{n}": f"t{n}.py" for n in range(12)}, 12)
    assert "t9 (t9.py) and 2 more; " in told
