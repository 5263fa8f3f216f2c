"""The author's application: its state, its part in the server, and what it makes of the tools."""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp_types import (
    ListPromptsResult,
    ListResourcesResult,
    PaginatedRequestParams,
    Prompt,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    TextResourceContents,
)

import toolc
from toolc_runtime import Context, Tool, create_server
from toolc_runtime.application import Application, load_application
from toolc_runtime.package import PackageError, ServerFacts
from toolc_runtime.server import Catalog, LiveCatalog, build_server
from toolc_runtime.tool import Implementation, ServedTool

ERAS = pytest.mark.parametrize("era", ["legacy", "auto"])

MOVE = toolc.build_tool(
    "move",
    {
        "description": "Move to a room",
        "parameters": [
            {"name": "room", "type": "string", "required": True},
            {"name": "slowly", "type": "bool", "default": False},
        ],
    },
)
PING = toolc.build_tool("ping", {"description": "Say that the server is there"})


class App:
    def __init__(self) -> None:
        self.rooms = ["attic"]


def talk(server: Server[Any], era: str, act: Callable[[Client], Any]) -> Any:
    async def run() -> Any:
        async with Client(server, mode=era) as client:
            return await act(client)

    return anyio.run(run)


def serve(app: Any, handler: Callable[[Any, Context[Any]], Any] = lambda *_: "ok") -> Server[Any]:
    return create_server([MOVE, PING], {"move": handler, "ping": handler}, app=app)


async def listed(client: Client) -> dict[str, Any]:
    return {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}


async def moved(client: Client) -> str:
    result = await client.call_tool("move", {"room": "attic"})
    return "".join(block.text for block in result.content if block.type == "text")


@ERAS
def test_handlers_have_its_state_as_long_as_the_server_runs(era: str) -> None:
    said: list[str] = []

    class Opened:
        @classmethod
        @asynccontextmanager
        async def lifespan(cls) -> AsyncIterator[str]:
            said.append("opened")
            yield "the state"
            said.append("closed")

    def handler(_: Any, context: Context[str]) -> str:
        said.append("called")
        return context.app

    assert talk(serve(Opened, handler), era, moved) == "the state"
    assert said == ["opened", "called", "closed"]


def test_without_a_lifespan_the_class_is_called() -> None:
    def handler(_: Any, context: Context[App]) -> str:
        return context.app.rooms[0]

    assert talk(serve(App, handler), "auto", moved) == "attic"


def test_without_an_application_there_is_no_state() -> None:
    assert talk(serve(None, lambda _, context: str(context.app)), "auto", moved) == "None"


@ERAS
def test_it_adds_prompts_to_the_server(era: str) -> None:
    class Configured(App):
        @staticmethod
        def configure(server: Server[Any]) -> None:
            async def prompts(request: Any, params: Any) -> ListPromptsResult:
                rooms = request.lifespan_context.app.rooms
                return ListPromptsResult(prompts=[Prompt(name=room) for room in rooms])

            server.add_request_handler("prompts/list", PaginatedRequestParams, prompts)

    async def act(client: Client) -> list[str]:
        assert client.server_capabilities.prompts is not None
        return [prompt.name for prompt in (await client.list_prompts()).prompts]

    assert talk(serve(Configured), era, act) == ["attic"]


@ERAS
def test_its_resources_stand_beside_the_pages_of_tools(era: str, tmp_path: Path) -> None:
    class Configured:
        @staticmethod
        def configure(server: Server[Any]) -> None:
            async def resources(request: Any, params: Any) -> ListResourcesResult:
                return ListResourcesResult(resources=[Resource(name="own", uri="own://one")])

            async def read(request: Any, params: Any) -> ReadResourceResult:
                page = TextResourceContents(uri=params.uri, text="mine")
                return ReadResourceResult(contents=[page])

            server.add_request_handler("resources/list", PaginatedRequestParams, resources)
            server.add_request_handler("resources/read", ReadResourceRequestParams, read)

    async def act(client: Client) -> Any:
        uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
        texts = [(await client.read_resource(uri)).contents[0] for uri in uris]
        return dict(zip(uris, (text.text for text in texts), strict=True))  # type: ignore[union-attr]

    (tmp_path / "page.html").write_text("<p>hello")
    wire: Any = {**PING.to_wire(), "_meta": {"ui": {"resourceUri": "ui://page"}}}
    tool = ServedTool(wire, lambda: Implementation(dict, lambda *_: None))
    live = LiveCatalog(Catalog([tool], tmp_path))
    server = build_server(live, ServerFacts("s"), Application(Configured))
    assert talk(server, era, act) == {"ui://page": "<p>hello", "own://one": "mine"}


class TestAdapt:
    @ERAS
    @pytest.mark.parametrize("is_async", [False, True])
    def test_an_enum_from_live_data_and_a_tool_left_out(self, era: str, is_async: bool) -> None:
        def changed(app: App, tool: Tool) -> Tool | None:
            if tool.name == "ping":
                return None
            tool.description += f"; there are {len(app.rooms)}"
            tool.input_schema["properties"]["room"]["enum"] = app.rooms
            return tool

        class Sync(App):
            def adapt(self, tool: Tool) -> Tool | None:
                return changed(self, tool)

        class Async(App):
            async def adapt(self, tool: Tool) -> Tool | None:
                await anyio.sleep(0)
                return changed(self, tool)

        async def act(client: Client) -> Any:
            tools = (await client.list_tools()).tools
            refused = await client.call_tool("move", {"room": "cellar"})
            return [(tool.name, tool.description) for tool in tools], refused.is_error

        server = serve(Async if is_async else Sync)
        assert talk(server, era, act) == ([("move", "Move to a room; there are 1")], True)
        assert talk(server, era, moved) == "ok"

    def test_the_tool_that_is_given_is_a_copy(self) -> None:
        class Careless(App):
            def adapt(self, tool: Tool) -> Tool:
                kept = Tool.from_wire(
                    tool.to_wire(MOVE.to_wire() if tool.name == "move" else PING.to_wire())
                )
                tool.input_schema.clear()
                return kept

        assert "properties" in talk(serve(Careless), "auto", listed)["move"]

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (lambda tool: setattr(tool, "name", "go"), "adapt renamed the tool 'move' to 'go'"),
            (
                lambda tool: tool.input_schema["properties"].update(speed={}),
                "adapt gave 'move' the parameter 'speed', which its code does not know",
            ),
            (
                lambda tool: tool.input_schema["properties"].pop("room"),
                "adapt took the parameter 'room' from 'move', which still requires it",
            ),
            (
                lambda tool: tool.input_schema.pop("required"),
                "adapt made the parameter 'room' of 'move' optional; its code needs it",
            ),
            (
                lambda tool: tool.input_schema["properties"]["slowly"].update(default=True),
                "adapt gave 'slowly' of 'move' another default, which its code has not",
            ),
        ],
    )
    def test_what_the_code_could_not_take_is_refused(
        self, change: Callable[[Tool], Any], message: str
    ) -> None:
        tool = Tool.from_wire(MOVE.to_wire())
        change(tool)
        with pytest.raises(PackageError, match=message):
            tool.to_wire(MOVE.to_wire())

    def test_an_example_that_no_longer_fits_is_not_told(self) -> None:
        tool = toolc.build_tool(
            "move",
            {
                "description": "Move",
                "parameters": [{"name": "room", "type": "string"}],
                "examples": [{"arguments": {"room": "cellar"}}, {"arguments": {"room": "attic"}}],
            },
        )

        class Changed(App):
            def adapt(self, tool: Tool) -> Tool:
                tool.input_schema["properties"]["room"]["enum"] = self.rooms
                return tool

        async def act(client: Client) -> str:
            result = await client.call_tool("move", {"room": 1})
            return "".join(block.text for block in result.content if block.type == "text")

        server = create_server([tool], {"move": lambda *_: "ok"}, app=Changed)
        told = talk(server, "auto", act)
        assert "attic" in told
        assert "cellar" not in told

    def test_what_is_not_changed_stays_to_the_letter(self) -> None:
        wire: Any = {**MOVE.to_wire(), "x-vendor": {"a": None}}
        assert Tool.from_wire(wire).to_wire(wire) == wire

    def test_a_reload_adapts_what_it_brings(self) -> None:
        class Upper(App):
            def adapt(self, tool: Tool) -> Tool:
                tool.description = tool.description.upper()
                return tool

        application = Application(Upper)
        tools = [ServedTool(MOVE.to_wire(), lambda: Implementation(dict, lambda *_: None))]
        live = LiveCatalog(Catalog([]))

        async def run() -> Any:
            async with Client(build_server(live, ServerFacts("s"), application)) as client:
                adapted = await anyio.to_thread.run_sync(application.adapt_from_thread, tools)
                live.swap(live.now.with_tools(adapted))
                return (await client.list_tools()).tools[0].description

        assert anyio.run(run) == "MOVE TO A ROOM"


class Broken:
    def __init__(self) -> None:
        raise OSError("no database")


class NoManager:
    @classmethod
    async def lifespan(cls) -> AsyncIterator[Any]:
        yield cls()


class Nothing:
    @classmethod
    @asynccontextmanager
    async def lifespan(cls) -> AsyncIterator[None]:
        yield


def adapting(adapt: Callable[[Tool], Any]) -> type[Any]:
    """An application that adapts so."""
    return type("Adapting", (), {"adapt": lambda self, tool: adapt(tool)})


def without_a_database(tool: Tool) -> Tool:
    raise OSError("no database")


def with_a_wrong_schema(tool: Tool) -> Tool:
    tool.input_schema["properties"] = {"room": {"type": "strin"}}
    tool.input_schema.pop("required")
    return tool


def with_a_wrong_output(tool: Tool) -> Tool:
    tool.output_schema = {"type": "strin"}
    return tool


def with_what_is_no_json(tool: Tool) -> Tool:
    tool.annotations["a"] = {1}
    return tool


def renamed(tool: Tool) -> Tool:
    tool.name = "x"
    return tool


@pytest.mark.parametrize(
    ("app", "message", "logged"),
    [
        (Broken, "the application could not be started", "OSError: no database"),
        (NoManager, "could not be started: `lifespan` has to be a class method and", ""),
        (Nothing, "could not be started: `lifespan` yields nothing", ""),
        (adapting(without_a_database), "could not adapt the tool 'move'", "OSError: no database"),
        (adapting(lambda tool: 42), "adapt the tool 'move': adapt gave 42, which is neither", ""),
        (adapting(renamed), "adapt the tool 'move': adapt renamed the tool 'move' to 'x'", ""),
        (adapting(with_a_wrong_schema), "adapt made the parameter 'room' of 'move' optional", ""),
        (
            adapting(with_a_wrong_output),
            "adapt the tool 'move': its schema cannot be used: ",
            "",
        ),
        (
            adapting(with_what_is_no_json),
            "adapt the tool 'move': annotations.a: ",
            "",
        ),
    ],
)
def test_a_server_whose_application_fails_does_not_start(
    app: type[Any], message: str, logged: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(PackageError) as raised, caplog.at_level(logging.ERROR):
        talk(serve(app), "auto", moved)
    assert message in str(raised.value)
    assert (logged or message) in caplog.text


def test_settings_of_tokens_need_who_knows_them() -> None:
    with pytest.raises(PackageError, match="App has `auth`, and no `verify_token`"):
        Application(type("App", (), {"auth": object()}))


class TestLoading:
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.syspath_prepend(tmp_path)
        (tmp_path / "an_app.py").write_text("print('hello')\nclass App: pass\n")
        (tmp_path / "bad_app.py").write_text("import nowhere_at_all\n")
        (tmp_path / "worse_app.py").write_text("raise SystemExit(3)\n")

    def test_prints_of_its_module_go_to_stderr(self, capsys: pytest.CaptureFixture[str]) -> None:
        load_application("an_app:App")
        assert capsys.readouterr() == ("", "hello\n")
        del sys.modules["an_app"]

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("no_app:App", "there is no module 'no_app'"),
            ("no_app.inner:App", "there is no module 'no_app.inner'"),
            ("an_app:Ap", "there is no 'Ap' in 'an_app'"),
            ("bad_app:App", "cannot be imported"),
            ("worse_app:App", "cannot be imported"),
        ],
    )
    def test_what_cannot_be_loaded(self, name: str, message: str) -> None:
        with pytest.raises(PackageError, match=message):
            load_application(name)
