"""The command line of a generated server, and `serve` for tools without a generated folder."""

from __future__ import annotations

import gc
import logging
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from toolc_runtime.context import LOGGER
from toolc_runtime.control import VARIABLE, Control, take_control

if TYPE_CHECKING:
    from socket import socket

    from mcp.server.lowlevel import Server

    from toolc_runtime.application import Application
    from toolc_runtime.package import Package, PackageError
    from toolc_runtime.server import BuiltTool, Handler, LiveCatalog

HOST = "127.0.0.1"
PORT = 8000

_EXTRA = frozenset({"mcp", "mcp_types", "uvicorn", "anyio"})
"""What the extra `serve` installs, as far as it is imported by name here."""

_INTERRUPTED = 130
_CANNOT_SERVE = 2

_REFUSALS = "mcp.server.transport_security"
"""The SDK's logger of requests that name another host than this server's."""

_REQUESTS = "uvicorn.error"
"""uvicorn's logger of requests that failed."""

_REFUSED = re.compile(
    r"Invalid (Host|Origin) header: (?:\w+://)?(?!null$)([^\s/]{1,255}?)(?::\d+)?"
)
"""What the SDK says of a request in another host's name: the header, and the host without its port."""


def main(folder: str | Path, argv: Sequence[str] | None = None) -> int:
    """Serve a generated folder as the command line says; the exit code.

    0 when the client left or the server was told to stop, 130 after Ctrl-C, 2 with a message on
    stderr where it cannot serve: the extra `serve` is not installed, the folder is not in order,
    the port is taken.
    """
    options = _parse(argv)
    set_up_logging()
    try:
        control = take_control()
    except (OSError, ValueError) as error:
        return _fail(f"{VARIABLE} names no open pipe: {error}")
    # What a start makes is there to stay: the collector would only look through it again and again.
    gc.disable()
    try:
        return _serve_folder(Path(folder), options, control)
    except KeyboardInterrupt:
        return _INTERRUPTED
    finally:
        gc.enable()


def serve(
    tools: Iterable[BuiltTool],
    handlers: Mapping[str, Handler],
    *,
    name: str = "toolc-server",
    version: str = "0",
    transport: Literal["stdio", "http"] = "stdio",
    host: str = HOST,
    port: int = PORT,
    stream: bool = False,
    app: type[Any] | None = None,
) -> None:
    """Serve built tools, each with the handler of its name; returns when the server has ended.

    A handler takes an `Arguments` mapping and a `Context`, and is sync or async. `stream` is for
    HTTP: progress and log messages arrive while a tool runs. `app` is the class of an application, as
    `[server] app` names one. PackageError where tools and handlers do not pair, and where the
    application cannot be started; OSError where the port is taken.
    """
    from toolc_runtime.application import Application
    from toolc_runtime.package import PackageError
    from toolc_runtime.server import server_of
    from toolc_runtime.stdio import run_stdio
    from toolc_runtime.transports import bind_socket, run_http

    set_up_logging()
    application = Application(app)
    server = server_of(tools, handlers, application, name=name, version=version)
    if transport == "stdio":
        run_stdio(server)
    elif not run_http(server, bind_socket(host, port), application, host=host, stream=stream):
        raise PackageError("the application could not be started")


_DEFAULTS: Mapping[str, Any] = {
    "transport": "stdio",
    "host": HOST,
    "port": PORT,
    "allow_host": (),
    "workers": 1,
    "stream": False,
    "mock": False,
}
"""What a command line without options says."""


def _parse(argv: Sequence[str] | None) -> Any:
    """The values of the options, as attributes."""
    arguments = sys.argv[1:] if argv is None else argv
    if not arguments:  # as clients start it: without the parser there is less to load
        return SimpleNamespace(**_DEFAULTS)

    import argparse

    started = Path(sys.argv[0])
    program = f"python -m {started.parent.name}" if started.name == "__main__.py" else started.name
    parser = argparse.ArgumentParser(program, description="Serve these tools over MCP.")
    parser.add_argument("--transport", choices=("stdio", "http"))
    parser.add_argument("--host", help=f"address to listen on ({HOST})")
    parser.add_argument("--port", type=int, help=f"port, 0 for a free one ({PORT})")
    parser.add_argument(
        "--allow-host",
        action="append",
        metavar="NAME",
        help="a further name by which clients may reach the server; repeatable",
    )
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="how many processes serve HTTP (1); with more than one no session is kept, so that "
        "clients of revisions before 2026-07-28 get no notices and no questions",
    )
    parser.add_argument(
        "--stream",
        action="store_true",
        help="answer HTTP requests with event streams: progress arrives while a tool runs",
    )
    parser.add_argument(
        "--mock",
        action="store_true",
        help="answer with examples and made-up values, without the handlers",
    )
    parser.set_defaults(**{**_DEFAULTS, "allow_host": []})
    return parser.parse_args(arguments)


def set_up_logging() -> None:
    """Everything to stderr, which on stdio is the only place there is."""
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger(LOGGER).setLevel(logging.INFO)
    logging.getLogger(_REFUSALS).addFilter(_name_the_option)
    logging.getLogger(_REQUESTS).addFilter(_was_not_cut_short)


class Served(NamedTuple):
    """A generated folder, ready to be served."""

    read: Callable[[Package | None], Package]
    """Loads it again, as it is then; see `load_package` for what it takes."""
    package: Package
    live: LiveCatalog
    application: Application
    left_out: Mapping[str, str]
    """The names of tools that are not in the package, as their handlers are stubs; and the files."""


def open_folder(folder: Path, *, mock: bool, has_stubs: bool = False) -> Served:
    """A generated folder; with `mock` its tools have made-up answers for code, and no application.

    Tools whose handlers are stubs are left out, but with `mock` or `has_stubs`. PackageError where
    the folder is not in order.
    """
    from toolc_runtime.application import Application, load_application
    from toolc_runtime.package import load_package
    from toolc_runtime.server import Catalog, LiveCatalog

    around = None
    if mock:
        from toolc_runtime.mock import mock_code

        around = mock_code
    read = partial(load_package, folder, around)
    package = read(None)
    left_out: Mapping[str, str] = {}
    if not (mock or has_stubs):
        from toolc_runtime.stubs import written

        package, left_out = written(package)
    live = LiveCatalog(Catalog.of(package))
    application = Application() if mock else load_application(package.facts.app)
    return Served(read, package, live, application, left_out)


def _serve_folder(folder: Path, options: SimpleNamespace, control: Control | None) -> int:
    try:
        from toolc_runtime.package import PackageError
        from toolc_runtime.server import build_server

        try:
            served = open_folder(folder, mock=options.mock, has_stubs=control is not None)
            _tell_left_out(served)
            if options.transport == "http" and options.workers > 1 and control is None:
                return _run_workers(served, options, folder)
            reload = None if control is None else _reload(served, control, options)
            server = build_server(served.live, served.package.facts, served.application, reload)
            if options.transport == "stdio":
                settle()
                return _run_stdio(server)
            return _run_http(server, served, options, reloads=reload is not None)
        except PackageError as error:
            return _fail(str(error))
    except ModuleNotFoundError as error:
        return _fail_without_extra(error)


def _reload(served: Served, control: Control, options: SimpleNamespace) -> Callable[[], None]:
    """What has a server follow its control as soon as it runs."""
    from toolc_runtime.reload import Reloader

    # Of two versions in one second with one size, Python would take the cached one.
    sys.dont_write_bytecode = True
    reloader = Reloader(
        served.read,
        served.package,
        served.live,
        control,
        served.application,
        is_loaded=options.transport == "http",
    )
    return reloader.start


def _tell_left_out(served: Served) -> None:
    """Name on stderr the tools that clients do not see, as nobody has written their handlers."""
    if served.left_out:
        from toolc_runtime.stubs import describe_left_out

        total = len(served.package.tools) + len(served.left_out)
        sys.stderr.write(f"{describe_left_out(served.left_out, total)}\n")


def _run_stdio(server: Server[Any]) -> int:
    from toolc_runtime.package import PackageError
    from toolc_runtime.stdio import run_stdio

    code = 0
    try:
        run_stdio(server)
    except* PackageError:  # of the application: the log has it
        code = _CANNOT_SERVE
    return code


def settle() -> None:
    """Collect garbage from now on, but not in what there is: it stays."""
    gc.freeze()
    gc.enable()


def _run_http(
    server: Server[Any], served: Served, options: SimpleNamespace, *, reloads: bool
) -> int:
    from toolc_runtime.package import load_code
    from toolc_runtime.tool import count_failed, count_tools
    from toolc_runtime.transports import run_http

    bound = _bind(options)
    if reloads:
        settle()  # now, as the code is to be replaced
    # Before the port opens: a client that reaches the server finds all of it there, and no print
    # of an import meets a request.
    failed = load_code(served.package)
    if failed:
        sys.stderr.write(f"{count_failed(failed, len(served.package.tools))}\n")
    _listen(bound, options)
    if not reloads:
        settle()
    has_run = run_http(
        server,
        bound,
        served.application,
        host=options.host,
        names=tuple(options.allow_host),
        stream=options.stream,
        # Not before: the application may leave tools out.
        on_start=lambda: _tell_address(
            bound, served.package, options, count_tools(len(served.live.now.tools))
        ),
    )
    return 0 if has_run else _CANNOT_SERVE


def _run_workers(served: Served, options: SimpleNamespace, folder: Path) -> int:
    """Serve over HTTP by processes that each make their own server."""
    from toolc_runtime.sealing import common_keys

    common_keys()  # here, where it can be said once
    bound = _bind(options)
    from toolc_runtime.workers import run_workers

    _listen(bound, options)
    _tell_address(bound, served.package, options, f"{options.workers} processes")
    has_run = run_workers(
        folder,
        bound,
        options.workers,
        host=options.host,
        names=tuple(options.allow_host),
        stream=options.stream,
        mock=options.mock,
    )
    return 0 if has_run else _CANNOT_SERVE


def _bind(options: SimpleNamespace) -> socket:
    """The socket to listen on; PackageError where there is none to have."""
    import uvicorn  # noqa: F401  (what is not installed is said now, not when the port is open)

    from toolc_runtime.transports import bind_socket

    try:
        return bind_socket(options.host, options.port)
    except (OSError, OverflowError) as error:
        raise _cannot_listen(options, error) from None


def _listen(bound: socket, options: SimpleNamespace) -> None:
    """Open the port; PackageError where another server, which was bound to it as well, was faster."""
    try:
        bound.listen()
    except OSError as error:
        raise _cannot_listen(options, error) from None


def _cannot_listen(options: SimpleNamespace, error: Exception) -> PackageError:
    from toolc_runtime.package import PackageError

    reason = getattr(error, "strerror", None) or str(error)
    return PackageError(f"cannot listen on {options.host}:{options.port}: {reason}")


def _tell_address(bound: socket, package: Package, options: SimpleNamespace, served: str) -> None:
    """Say on stderr where the server is, and what is `served` there."""
    from toolc_runtime.transports import PATH

    facts, port = package.facts, bound.getsockname()[1]
    shown = f"[{options.host}]" if ":" in options.host else options.host
    served += " (mock answers)" * options.mock
    sys.stderr.write(f"{facts.name} {facts.version} · {served} · http://{shown}:{port}{PATH}\n")


def _name_the_option(record: logging.LogRecord) -> bool:
    """Say in the SDK's record of a refused request what lets such requests in."""
    refused = _REFUSED.fullmatch(record.getMessage())
    if refused is not None:
        record.msg = (
            "a request was refused: its %s names the host %s. If that is a name of this server, "
            "start it with --allow-host %s"
        )
        record.args = (refused[1], refused[2], refused[2])
    return True


def _was_not_cut_short(record: logging.LogRecord) -> bool:
    """Whether a record is no traceback of a request that the server's end has cancelled: of these
    uvicorn says how many there are."""
    from asyncio import CancelledError

    return record.exc_info is None or not isinstance(record.exc_info[1], CancelledError)


def _fail_without_extra(error: ModuleNotFoundError) -> int:
    package = (error.name or "").partition(".")[0]
    if package not in _EXTRA:
        raise error
    return _fail(f'{package} is not installed; a server needs: pip install "toolc[serve]"')


def _fail(message: str) -> int:
    sys.stderr.write(f"error: {message}\n")
    return _CANNOT_SERVE
