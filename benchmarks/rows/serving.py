"""Running servers of 1,000 tools: toolc's, the bare low-level SDK server, and decorated functions.

The same tools everywhere: those of the measured definitions. The called one answers two notes; toolc
validates its arguments and its result, the bare server neither, and the decorated ones as pydantic
does. What is compared is the CPU that the server's process uses, with the requests of all servers in
turns.
"""

from __future__ import annotations

import contextlib
import json
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import clients
import peers
from bench import FLOORS, Bench, Task
from clients import HANDSHAKE, STATELESS, Server
from figure import Figure, NotMeasuredError
from projects import Project

_SERVERS = FLOORS.parent / "servers"

RAW = "low-level, raw dicts"
TYPED = "low-level, typed objects"
MCP_SERVER = "MCPServer, functions"
FASTMCP = "FastMCP, functions"

_CALLED = "find_notes_0"
_ARGUMENTS = {"words": ["dentist", "friday"], "limit": 10, "from": "2026-11-01"}
_DECORATED_ARGUMENTS = {"words": ["dentist", "friday"], "limit": 10, "since": "2026-11-01"}

_HANDLER = '''"""Handler of `{name}`."""


async def {name}(params, context):
    return {"notes": [{"id": "n7", "preview": "Dentist moved to Friday"}, {"id": "n8"}]}
'''

_ARRIVAL = 30.0  # seconds that a notice may take
_PAUSE = 0.3  # seconds between two saves


class Runnable(NamedTuple):
    """A server that can be started, and what its tool is called with."""

    command: Sequence[str]
    arguments: Mapping[str, Any]


def start(bench: Bench) -> Iterator[Figure]:
    """From the start of a process to its first list of tools, over stdio."""
    project = _project(bench)
    servers = _stdio_servers(bench, project)

    def run(runnable: Runnable) -> float:
        begun = time.perf_counter()
        with _stdio(bench, project, runnable, HANDSHAKE) as server:
            answer = server.ask("tools/list", {})
            seconds = time.perf_counter() - begun
            _require_all(project, answer)
        return seconds

    medians = bench.medians({name: Task(lambda of=of: run(of)) for name, of in servers.items()})  # type: ignore[misc]
    what = f"start to tools/list, {project.size:,} tools, stdio"
    goals = {RAW: 1.1, MCP_SERVER: 0.25}
    for name in list(servers)[1:]:
        yield Figure(what, "ms", medians["toolc"], medians[name], name, goals.get(name))


def lists(bench: Bench) -> Iterator[Figure]:
    """`tools/list`, the whole of it each time."""
    project = _project(bench)
    for revision in (HANDSHAKE, STATELESS):
        for opened, kind in ((_stdio_opened, "stdio"), (_http_opened, "http")):
            with opened(bench, project, revision) as servers:
                for server, _ in servers.values():
                    _require_all(project, server.ask("tools/list", {}))
                used = _cpu(
                    bench,
                    {
                        name: lambda server=server: server.ask("tools/list", {})  # type: ignore[misc]
                        for name, (server, _) in servers.items()
                    },
                    {name: server for name, (server, _) in servers.items()},
                    5,
                )
            what = f"tools/list, {project.size:,} tools, {kind}, {revision}"
            goals = {RAW: 0.15, TYPED: 0.15} if kind == "stdio" else {}
            yield from _compared(what, used, goals)


def calls(bench: Bench) -> Iterator[Figure]:
    """`tools/call` of one tool."""
    project = _project(bench)
    for revision in (HANDSHAKE, STATELESS):
        for opened, kind, goal in ((_stdio_opened, "stdio", 0.6), (_http_opened, "http", 1.05)):
            with opened(bench, project, revision) as servers:
                asks = {}
                for name, (server, runnable) in servers.items():
                    params = {"name": _CALLED, "arguments": dict(runnable.arguments)}
                    if len(server.result("tools/call", params)["structuredContent"]["notes"]) != 2:
                        raise NotMeasuredError(f"{name} answers something else")
                    asks[name] = lambda server=server, params=params: server.ask(
                        "tools/call", params
                    )
                used = _cpu(
                    bench, asks, {name: server for name, (server, _) in servers.items()}, 200
                )
            what = f"tools/call, {project.size:,} tools, {kind}, {revision}"
            yield from _compared(what, used, {RAW: goal, TYPED: goal})


def memory(bench: Bench) -> Iterator[Figure]:
    """What a server holds in memory after a list and a call, over stdio."""
    project = _project(bench)
    taken: dict[str, list[int]] = {}
    for _ in range(bench.runs):
        for name, runnable in _stdio_servers(bench, project).items():
            with _stdio(bench, project, runnable, HANDSHAKE) as server:
                _require_all(project, server.ask("tools/list", {}))
                server.result(
                    "tools/call", {"name": _CALLED, "arguments": dict(runnable.arguments)}
                )
                taken.setdefault(name, []).append(server.memory())
    sizes = {name: statistics.median(values) / 2**20 for name, values in taken.items()}
    what = f"resident after tools/list, {project.size:,} tools"
    for name in list(sizes)[1:]:
        yield Figure(what, "MiB", sizes["toolc"], sizes[name], name, 1.1 if name == RAW else None)


def reload(bench: Bench) -> Iterator[Figure]:
    """A save under `toolc serve --watch`, until the client is told that the tools are others."""
    project = _project(bench)
    saves = 5 if bench.quick else 10 * bench.runs
    command = bench.toolc("serve", "--watch")
    with clients.stdio(command, project.root, bench.environment) as server:
        _require_all(project, server.ask("tools/list", {}))
        time.sleep(1.0)
        # The first finds handlers that were written a moment ago, and imports them all anew.
        times = [
            _save(bench, project, server, number, "At most 50.") for number in range(saves + 1)
        ]
        deep = [_save(bench, project, server, number, "How many notes") for number in range(3)]
    what = f"save to list_changed, {project.size:,} tools"
    yield Figure(f"{what}, median of {saves}", "ms", statistics.median(times[1:]), goal=100)
    slowest = statistics.quantiles(times[1:], n=10, method="inclusive")[8]
    yield Figure(f"{what}, p90", "ms", slowest)
    note = "a contract changes with it, so all handlers are imported anew"
    yield Figure(f"{what}, a parameter's text", "ms", statistics.median(deep), note=note)


def _save(
    bench: Bench, project: Project, server: clients.StdioServer, number: int, place: str
) -> float:
    """Milliseconds from a save of a remark behind a text of a definition to the notice of it."""
    remark = bench.remark()
    saved = project.save(number * 7 % project.size, remark, place)
    while b"notifications/tools/list_changed" not in server.receive():
        if time.perf_counter() - saved > _ARRIVAL:
            raise NotMeasuredError("a save was not told")
    told = time.perf_counter()
    if remark.encode() not in server.ask("tools/list", {}):
        raise NotMeasuredError("the notice came before the tools")
    time.sleep(_PAUSE)
    return (told - saved) * 1000


# Servers


def _project(bench: Bench) -> Project:
    """The built project, with all handlers written."""
    project = bench.built(bench.small)
    for number in range(project.size):
        name = f"find_notes_{number}"
        handler = project.root / "generated" / "handlers" / f"{name}.py"
        handler.write_text(_HANDLER.replace("{name}", name), "utf-8")
    return project


def _toolc(bench: Bench, *options: str) -> list[str]:
    return [bench.python, "-m", "generated", *options]


def _bare(bench: Bench, project: Project, kind: str, transport: str) -> list[str]:
    script = str(_SERVERS / "bare.py")
    return [bench.python, script, str(project.manifest), kind, transport]


def _stdio_servers(bench: Bench, project: Project) -> dict[str, Runnable]:
    """toolc's first, and its peers as far as they are installed."""
    script, count = str(_SERVERS / "decorated.py"), str(project.size)
    found = {
        "toolc": Runnable(_toolc(bench), _ARGUMENTS),
        RAW: Runnable(_bare(bench, project, "raw", "stdio"), _ARGUMENTS),
        TYPED: Runnable(_bare(bench, project, "typed", "stdio"), _ARGUMENTS),
        MCP_SERVER: Runnable([bench.python, script, "mcp", count], _DECORATED_ARGUMENTS),
    }
    if peers.FASTMCP.exists():
        command = [str(peers.FASTMCP), script, "fastmcp", count]
        found[FASTMCP] = Runnable(command, _DECORATED_ARGUMENTS)
    return found


@contextlib.contextmanager
def _stdio(
    bench: Bench, project: Project, runnable: Runnable, revision: str
) -> Iterator[clients.StdioServer]:
    with clients.stdio(runnable.command, project.root, bench.environment, revision) as server:
        yield server


Opened = dict[str, tuple[Server, Runnable]]


@contextlib.contextmanager
def _stdio_opened(bench: Bench, project: Project, revision: str) -> Iterator[Opened]:
    with contextlib.ExitStack() as stack:
        opened: Opened = {}
        for name, runnable in _stdio_servers(bench, project).items():
            server = stack.enter_context(_stdio(bench, project, runnable, revision))
            opened[name] = (server, runnable)
        yield opened


@contextlib.contextmanager
def _http_opened(bench: Bench, project: Project, revision: str) -> Iterator[Opened]:
    commands = {
        "toolc": _toolc(bench, "--transport", "http", "--port", "{port}"),
        RAW: _bare(bench, project, "raw", "{port}"),
        TYPED: _bare(bench, project, "typed", "{port}"),
    }
    with contextlib.ExitStack() as stack:
        opened: Opened = {}
        for name, command in commands.items():
            server = stack.enter_context(
                clients.http_server(command, project.root, bench.environment, revision)
            )
            opened[name] = (server, Runnable(command, _ARGUMENTS))
        yield opened


# Figures


def _require_all(project: Project, answer: bytes) -> None:
    listed = json.loads(answer)["result"]["tools"]
    if len(listed) != project.size:
        raise NotMeasuredError(f"a list has {len(listed)} tools instead of {project.size}")


def _cpu(
    bench: Bench,
    asks: Mapping[str, Callable[[], object]],
    servers: Mapping[str, Server],
    count: int,
) -> dict[str, float]:
    """Milliseconds of CPU a request, by server: the median of batches of `count`, in turns, after
    one that does not count."""
    count = min(count, 5) if bench.quick else count
    taken: dict[str, list[float]] = {name: [] for name in asks}
    for run in range(2 * bench.runs + 1):
        for name, ask in list(asks.items())[:: -1 if run % 2 else 1]:
            before = servers[name].cpu()
            for _ in range(count):
                ask()
            taken[name].append((servers[name].cpu() - before) / count * 1000)
    return {name: statistics.median(values[1:]) for name, values in taken.items()}


def _compared(what: str, used: Mapping[str, float], goals: Mapping[str, float]) -> Iterator[Figure]:
    for name in list(used)[1:]:
        yield Figure(what, "CPU ms", used["toolc"], used[name], name, goals.get(name))
