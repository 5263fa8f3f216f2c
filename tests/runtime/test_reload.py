"""A server that reloads in place, as the official client sees it on a session that stays open."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

from toolc.cli.main import main
from toolc_runtime import reload
from toolc_runtime.application import Application
from toolc_runtime.control import VARIABLE
from toolc_runtime.package import load_code, load_package
from toolc_runtime.reload import put_back, take_out
from toolc_runtime.server import Catalog, LiveCatalog

PARENT = """
import sys
from toolc import driver
from toolc.cli.served import ServedProcess

root, orders, *options = sys.argv[1:]
served = ServedProcess(root, driver.open_project(root).project, options)
served.start()
with open(orders) as lines:
    for line in lines:
        served.reload()
served.stop()
"""
"""The program that the server is a child of: a reload for each line of the pipe `orders`."""

PROJECT = {
    "toolc.toml": """
        python.handlers = "handlers"
        [server]
        name = "live"
        uiDir = "pages"
        cache = { ttlMs = 600000 }
        """,
    "tooldefs/greet.toml": """
        description = "First"
        parameters = [{ name = "name", type = "string", required = true }]
        """,
    "handlers/greet.py": """
        from .words import HELLO
        def greet(params, context):
            return f"{HELLO}, {params.name}"
        """,
    "handlers/words.py": "HELLO = 'Hello'",
    "tooldefs/wait.toml": "description = 'Wait for the file `go`'",
    "handlers/wait.py": """
        import sys
        from pathlib import Path
        import anyio
        async def wait(params, context):
            print("wait: begun", file=sys.stderr)
            while not Path("go").exists():
                await anyio.sleep(0.02)
            return "old"
        """,
}

ERAS = {"2025-11-25": "legacy", "2026-07-28": "auto"}
"""Revision to the client's mode."""

HTTP = ("--transport", "http", "--port", "0")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="named pipes")


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        indent = re.match(r"\n( *)", text)
        path.write_text(text.replace(indent[0], "\n") if indent else text)


def build(folder: Path, files: dict[str, str]) -> None:
    """Write files, and build what they come to."""
    write(folder, files)
    assert main(["build", "--quiet", "--project", str(folder)]) == 0


class Live:
    """A server that serves a project, and the means to change the project."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log_file = folder.parent / "log"
        self.orders_file = folder.parent / "orders"
        os.mkfifo(self.orders_file)
        # Both ends, as to open one alone waits for the other.
        self._orders = os.open(self.orders_file, os.O_RDWR)
        self._told = 0

    def command(self, *options: str) -> list[str]:
        return [sys.executable, "-c", PARENT, str(self.folder), str(self.orders_file), *options]

    @property
    def log(self) -> str:
        return self.log_file.read_text(encoding="utf-8")

    def wait_for(self, pattern: str, number: int = 1) -> str:
        """The numberth match of a pattern in the log."""
        deadline = time.monotonic() + 60
        while len(found := re.findall(pattern, self.log, re.M)) < number:
            assert time.monotonic() < deadline, self.log
            time.sleep(0.02)
        return str(found[number - 1])

    def reload(self) -> str:
        """What the server says of it."""
        self._told += 1
        os.write(self._orders, b"\n")
        return self.wait_for("^live: (.*reloaded.*)$", self._told)

    def close(self) -> None:
        if self._orders >= 0:
            os.close(self._orders)
            self._orders = -1


class Conversation:
    """A connected client, used from the test's own thread."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self.portal = portal
        self.client = client

    def ask(self, method: Callable[..., Any], *args: Any) -> Any:
        return self.portal.call(partial(method, *args))

    def tools(self) -> dict[str, str | None]:
        """Descriptions by name."""
        listed = self.ask(self.client.list_tools).tools
        return {tool.name: tool.description for tool in listed}

    def call(self, tool: str, **arguments: Any) -> str:
        return text(self.ask(self.client.call_tool, tool, arguments))


def text(result: Any) -> str:
    return "".join(content.text for content in result.content)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    live = Live(tmp_path / "project")
    build(live.folder, PROJECT)
    yield live
    live.close()


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


@contextmanager
def talking(
    live: Live, portal: BlockingPortal, transport: str = "stdio", era: str = "2026-07-28"
) -> Iterator[Conversation]:
    with ExitStack() as stack:
        log = stack.enter_context(live.log_file.open("w"))
        server: Any
        if transport == "http":
            parent = stack.enter_context(subprocess.Popen(live.command(*HTTP), stderr=log))
            stack.callback(live.close)
            server = live.wait_for(r"http://\S+/mcp")
            assert parent.poll() is None
        else:
            command, *arguments = live.command()
            environment = dict(os.environ)
            server = stdio_client(
                StdioServerParameters(command=command, args=arguments, env=environment), errlog=log
            )
        mode: Any = ERAS[era]
        client = Client(server, mode=mode)
        connected = stack.enter_context(portal.wrap_async_context_manager(client))
        stack.callback(live.close)
        assert connected.protocol_version == era
        yield Conversation(portal, connected)


@pytest.fixture(
    params=[(transport, era) for transport in ("stdio", "http") for era in ERAS], ids="-".join
)
def conversation(
    request: pytest.FixtureRequest, live: Live, portal: BlockingPortal
) -> Iterator[Conversation]:
    with talking(live, portal, *request.param) as conversation:
        yield conversation


def test_new_tools_and_new_code(live: Live, conversation: Conversation) -> None:
    assert conversation.tools() == {"greet": "First", "wait": "Wait for the file `go`"}
    assert conversation.call("greet", name="Ada") == "Hello, Ada"
    files = {
        "tooldefs/greet.toml": """
            description = "Second"
            parameters = [{ name = "whom", type = "string", required = true }]
            """,
        "handlers/greet.py": """
            from .words import HELLO
            def greet(params, context):
                return f"{HELLO}, {params.whom}"
            """,
        "handlers/words.py": "HELLO = 'Salut'",
        "tooldefs/count.toml": "description = 'New'",
        "handlers/count.py": "def count(params, context): return '1'",
    }
    build(live.folder, files)
    (live.folder / "tooldefs/wait.toml").unlink()
    build(live.folder, {})
    assert conversation.tools()["greet"] == "First"
    assert live.reload() == "reloaded · 2 tools"
    assert conversation.tools() == {"count": "New", "greet": "Second"}
    assert conversation.call("greet", whom="Ada") == "Salut, Ada"
    assert "whom" in conversation.call("greet", name="Ada")
    assert conversation.call("count") == "1"
    with pytest.raises(MCPError, match="Unknown tool: wait"):
        conversation.call("wait")


def test_a_call_under_way_ends_with_the_old_code(live: Live, conversation: Conversation) -> None:
    under_way = conversation.portal.start_task_soon(conversation.client.call_tool, "wait")
    live.wait_for("wait: begun")
    write(live.folder, {"handlers/wait.py": "def wait(params, context): return 'new'"})
    live.reload()
    assert conversation.call("wait") == "new"
    assert not under_way.done()
    (live.folder / "go").touch()
    assert text(under_way.result(timeout=60)) == "old"


@pytest.mark.parametrize(
    ("file", "broken", "reason"),
    [
        ("handlers/greet.py", "def greet(", "1 of 2 handlers cannot be loaded: greet"),
        ("handlers/greet.py", "raise SystemExit", "1 of 2 handlers cannot be loaded: greet"),
        ("handlers/greet.py", "hello = 1", "1 of 2 handlers cannot be loaded: greet"),
        ("generated/manifest.json", "<<<<<<< ours", "manifest.json is no JSON"),
        ("generated/catalog.json", "{}", "catalog.json has the format None"),
    ],
)
def test_what_cannot_be_loaded_leaves_the_old_in_service(
    live: Live, portal: BlockingPortal, file: str, broken: str, reason: str
) -> None:
    """Its modules too, for what it imports while it runs."""
    late = """
        def greet(params, context):
            from .words import HELLO
            return f"{HELLO}, {params.name}"
        """
    write(live.folder, {"handlers/greet.py": late})
    good = (live.folder / file).read_text()
    with talking(live, portal) as conversation:
        assert conversation.call("greet", name="Ada") == "Hello, Ada"
        write(live.folder, {"handlers/words.py": "HELLO = 'Salut'", file: broken})
        refused = live.reload()
        assert refused.startswith("not reloaded, the tools from before are served on: ")
        assert reason in refused
        assert conversation.call("greet", name="Ada") == "Hello, Ada"
        write(live.folder, {file: good})
        assert live.reload() == "reloaded · 2 tools"
        assert conversation.call("greet", name="Ada") == "Salut, Ada"


def test_what_an_application_leaves_out_is_not_counted(live: Live, portal: BlockingPortal) -> None:
    files = {
        "toolc.toml": PROJECT["toolc.toml"].replace("uiDir", "app = 'rooms:App'\nuiDir"),
        "rooms.py": """
            class App:
                def adapt(self, tool):
                    return tool if tool.name == "greet" else None
            """,
    }
    build(live.folder, files)
    with talking(live, portal, "http") as conversation:
        assert live.wait_for(r"^live 0.1.0 · (.*) · http://127") == "1 tool"
        assert list(conversation.tools()) == ["greet"]
        assert live.reload() == "reloaded · 1 tool"


def test_a_handler_that_never_worked_holds_up_no_other(live: Live, portal: BlockingPortal) -> None:
    write(live.folder, {"handlers/wait.py": "import nowhere_to_be_found"})
    with talking(live, portal, "http") as conversation:
        write(live.folder, {"handlers/words.py": "HELLO = 'Salut'"})
        assert live.reload() == "reloaded · 2 tools"
        assert conversation.call("greet", name="Ada") == "Salut, Ada"
        assert "INTERNAL_ERROR" in conversation.call("wait")


def test_code_that_no_call_has_needed_yet_is_the_old_one_too(
    live: Live, portal: BlockingPortal
) -> None:
    """Over stdio code is imported late; what stands on the disk by then may be of another build."""
    write(live.folder, {"handlers/wait.py": "def wait(params, context): return 'old'\nprint('in')"})
    with talking(live, portal) as conversation:
        live.wait_for("^in$")
        write(live.folder, {"handlers/wait.py": "oops"})
        assert "not reloaded" in live.reload()
        assert conversation.call("wait") == "old"


def test_what_only_looks_unchanged(
    live: Live, portal: BlockingPortal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python takes compiled code for that of any source of the same size and second."""
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    file = live.folder / "handlers/words.py"
    os.utime(file, (0, 0))
    with talking(live, portal) as conversation:
        assert conversation.call("greet", name="Ada") == "Hello, Ada"
        file.write_text("HELLO = 'Salut'")
        os.utime(file, (0, 0))
        live.reload()
        assert conversation.call("greet", name="Ada") == "Salut, Ada"


def test_functions_of_the_authors_own(live: Live, portal: BlockingPortal) -> None:
    files = {
        "tooldefs/greet.toml": "handler = 'app.tools:greet'",
        "app/__init__.py": "",
        "app/tools.py": """
            from .words import HELLO
            def greet(params, context):
                return HELLO
            """,
        "app/words.py": "HELLO = 'Hello'",
        "tooldefs/join.toml": """
            handler = "posixpath:join"
            parameters = [{ name = "a", type = "string" }]
            """,
    }
    build(live.folder, files)
    with talking(live, portal) as conversation:
        assert conversation.call("greet") == "Hello"
        write(live.folder, {"app/words.py": "HELLO = 'Salut'"})
        assert live.reload() == "reloaded · 3 tools"
        assert conversation.call("greet") == "Salut"


@pytest.mark.parametrize("era", ERAS)
def test_a_page_that_comes(live: Live, portal: BlockingPortal, era: str) -> None:
    with talking(live, portal, era=era) as conversation:
        assert conversation.ask(conversation.client.list_resources).resources == []
        files = {
            "tooldefs/wait.toml": "ui = { resourceUri = 'ui://wait' }",
            "pages/wait.html": "<p>Wait",
        }
        build(live.folder, files)
        live.reload()
        (page,) = conversation.ask(conversation.client.list_resources).resources
        (content,) = conversation.ask(conversation.client.read_resource, page.uri).contents
        assert content.text == "<p>Wait"


@pytest.mark.parametrize("options", [(), HTTP], ids=["stdio", "http"])
@pytest.mark.parametrize("then", ["", "time.sleep(3600)"], ids=["serving", "hanging"])
def test_it_never_outlives_its_parent(live: Live, options: tuple[str, ...], then: str) -> None:
    """Not even in an import that never ends. stderr is at its end when nobody holds it any more."""
    handler = f"import sys, time\nprint('imported', file=sys.stderr)\n{then}\nwait = print"
    write(live.folder, {"handlers/wait.py": handler})
    with subprocess.Popen(
        live.command(*options), stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stderr is not None
        assert parent.stderr.readline() == "imported\n"
        parent.kill()
        parent.stderr.read()


def test_a_handlers_own_processes_know_nothing_of_it(live: Live, portal: BlockingPortal) -> None:
    handler = f"import os\ndef greet(params, context): return str(os.environ.get('{VARIABLE}'))"
    write(live.folder, {"handlers/greet.py": handler})
    with talking(live, portal) as conversation:
        assert conversation.call("greet", name="Ada") == "None"


@pytest.mark.parametrize("value", ["", "x", "1000"])
def test_a_variable_that_names_no_pipe(live: Live, value: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "generated"],
        cwd=live.folder,
        env={**os.environ, VARIABLE: value},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert ran.stderr.startswith(f"error: {VARIABLE} names no open pipe: ")


@pytest.fixture
def importable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project's folder, and two more on the search path; all their modules begin with `own_`."""
    files = {
        "project/own_package/__init__.py": "from . import inner",
        "project/own_package/inner.py": "",
        "project/own_other.py": "",
        "project/own_space/here.py": "",
        "project/.venv/site-packages/own_installed.py": "",
        "elsewhere/own_space/there.py": "",
    }
    write(tmp_path, files)
    for folder in ("project", "project/.venv/site-packages", "elsewhere"):
        monkeypatch.syspath_prepend(tmp_path / folder)
    yield tmp_path / "project"
    for name in [name for name in sys.modules if name.startswith("own_")]:
        del sys.modules[name]


def test_which_modules_are_taken_out(importable: Path) -> None:
    """By name and by place: of a package that is half outside, the half that is inside."""
    gone = ["own_package", "own_package.inner", "own_space.here"]
    stay = ["own_other", "own_installed", "own_space", "own_space.there", "json"]
    modules = {name: import_module(name) for name in (*gone, *stay)}
    tops = ["own_package", "own_installed", "own_space", "json"]

    taken = take_out(tops, importable)
    assert sorted(taken) == gone
    assert [name for name in modules if name in sys.modules] == stay
    for name in gone:
        assert import_module(name) is not modules[name]
    space: Any = modules["own_space"]
    assert space.here is not modules["own_space.here"]

    take_out(tops, importable)
    assert not hasattr(space, "here")
    put_back(taken)
    assert {name: sys.modules[name] for name in modules} == modules
    assert space.here is modules["own_space.here"]


def test_code_is_imported_anew_only_if_a_file_of_it_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Definitions, new tools and files that are no code's leave what modules hold alone."""
    monkeypatch.setattr(reload, "_SETTLED", -60.0)  # these files are new
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    files = {
        "toolc.toml": "output = 'own_generated'\npython.handlers = 'own_handlers'",
        "tooldefs/a.toml": "description = 'First'",
        "own_handlers/__init__.py": "",
        "own_handlers/a.py": "from .held import HELD\ndef a(params, context): return str(HELD)",
        "own_handlers/held.py": "HELD = []",
    }
    build(tmp_path, files)
    read = partial(load_package, tmp_path / "own_generated", None)
    package = read(None)
    assert load_code(package) == []
    live = LiveCatalog(Catalog.of(package))
    application = Application()
    monkeypatch.setattr(application, "adapt_from_thread", list)
    control: Any = None
    reloader = reload.Reloader(read, package, live, control, application, is_loaded=True)
    reloader._mark(reloader._modules(package))

    def held() -> list[int]:
        found: list[int] = import_module("own_handlers.held").HELD
        return found

    def load() -> None:
        reloader._package, catalog = reloader._load()
        live.swap(catalog)

    try:
        held().append(1)
        build(tmp_path, {"tooldefs/a.toml": "description = 'Second'", "notes.txt": ""})
        load()
        assert live.now.tools[0].wire["description"] == "Second"
        assert held() == [1]
        build(tmp_path, {"tooldefs/b.toml": "description = 'New'"})
        load()
        assert [tool.name for tool in live.now.tools if tool.is_loaded] == ["a", "b"]
        assert held() == [1]
        write(tmp_path, {"own_handlers/__init__.py": "'Other.'"})
        load()
        assert held() == []
        # A file that is as new as its import may have changed since.
        monkeypatch.setattr(reload, "_SETTLED", 60.0)
        held().append(1)
        reloader._marks.clear()
        reloader._mark(reloader._modules(package))
        load()
        assert held() == []
    finally:
        for name in [name for name in sys.modules if name.startswith("own_")]:
            del sys.modules[name]
