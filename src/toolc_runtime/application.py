"""The author's application: what the tools of a server share while it runs.

It is a class of the author's, `[server] app`. All of these are optional:

- `lifespan`, a class method: an async context manager whose value is the state, as a rule an
  instance of the class. Without it the class is called.
- `configure(server)`, a class or static method: adds to the SDK's server before it runs.
- `adapt(tool)`, a method of the state: the tool as this server is to serve it, or None to leave it out.
- `verify_token(token)`, a method of the state: over HTTP every request then needs a bearer token
  that it knows. `auth`, an `AuthSettings` of the SDK's, says what else the SDK is to check and tell.
"""

from __future__ import annotations

import inspect
import logging
import sys
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
    redirect_stdout,
)
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
import anyio.from_thread
import anyio.lowlevel
from anyio.abc import TaskGroup

from toolc_runtime.adapting import Tool
from toolc_runtime.convert import to_json
from toolc_runtime.jsonvalue import NotJsonError
from toolc_runtime.package import PackageError
from toolc_runtime.tool import ServedTool
from toolc_runtime.validation import SchemaError, compile_schema

if TYPE_CHECKING:
    from mcp.server.auth.provider import AccessToken
    from mcp.server.auth.settings import AuthSettings
    from mcp.server.lowlevel import Server

logger = logging.getLogger("toolc_runtime")


class Running(NamedTuple):
    """What a server has while it runs; requests of the SDK's have it as `lifespan_context`."""

    tasks: TaskGroup
    """Ends with the server."""
    app: Any
    """The application's state; None where there is no application."""
    loop: anyio.lowlevel.EventLoopToken
    thread: int
    """Where it runs: `threading.get_ident()` there."""


class Application:
    """An application as a server holds it: the author's class, and its state while the server runs."""

    def __init__(self, home: Any = None) -> None:
        """`home` is the author's class; without one there is no state. PackageError for one that says
        what tokens must be like, and asks for none."""
        if hasattr(home, "auth") and not hasattr(home, "verify_token"):
            raise PackageError(
                f"{home.__name__} has `auth`, and no `verify_token`: it would let everybody in"
            )
        self._home = home
        self._state: Any = None
        self._loop: anyio.lowlevel.EventLoopToken | None = None

    def configure(self, server: Server[Any]) -> None:
        """Let the author's `configure` add to a server. PackageError where that fails, which is logged."""
        if (configure := getattr(self._home, "configure", None)) is not None:
            with _failing("the application could not configure the server"):
                configure(server)

    @property
    def auth(self) -> AuthSettings | None:
        """What the SDK is to check of requests over HTTP; None where no token is asked for."""
        if not hasattr(self._home, "verify_token"):
            return None
        from mcp.server.auth.settings import AuthSettings
        from pydantic import AnyHttpUrl

        said: AuthSettings | None = getattr(self._home, "auth", None)
        # An issuer has to be named; without a resource the SDK tells nobody of it.
        nobody = AnyHttpUrl("https://localhost")
        return said or AuthSettings(issuer_url=nobody, resource_server_url=None)

    async def verify_token(self, token: str) -> AccessToken | None:
        """What the author's `verify_token` says; as the SDK's `TokenVerifier` has it."""
        verified = self._state.verify_token(token)
        known: AccessToken | None = await verified if inspect.isawaitable(verified) else verified
        if known is not None and not hasattr(known, "scopes"):
            raise TypeError(f"verify_token has to give an AccessToken or None, not {known!r}")
        return known

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Any]:
        """The application's state, from here on and until the end.

        PackageError where it cannot be started, which is logged. So is what it raises when it ends.
        """
        self._loop = anyio.lowlevel.current_token()
        async with AsyncExitStack() as opened:
            opening = self._opened()
            with _failing("the application could not be started"):
                self._state = await opening.__aenter__()
            opened.push_async_exit(partial(_end, opening))
            yield self._state

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Any]:
        if self._home is None:
            yield None
        elif (lifespan := getattr(self._home, "lifespan", None)) is None:
            yield self._home()
        else:
            opening = lifespan()
            if not hasattr(opening, "__aenter__"):
                raise PackageError(
                    "`lifespan` has to be a class method and an async context manager"
                )
            async with opening as state:
                if state is None:
                    raise PackageError("`lifespan` yields nothing: it has to yield the state")
                yield state

    async def adapt(self, tools: Iterable[ServedTool]) -> list[ServedTool]:
        """The tools that the running application lets through, each as it is to be served.

        PackageError for a tool that no longer fits its code, and where `adapt` fails, which is logged.
        """
        adapt = getattr(self._state, "adapt", None)
        if adapt is None:
            return list(tools)
        kept = []
        for tool in tools:
            with _failing(f"the application could not adapt the tool {tool.name!r}"):
                adapted = adapt(Tool.from_wire(tool.wire))
                if inspect.isawaitable(adapted):
                    adapted = await adapted
                if adapted is not None:
                    kept.append(_adapted(tool, adapted))
        return kept

    def adapt_from_thread(self, tools: Sequence[ServedTool]) -> list[ServedTool]:
        """The same while the server runs, from a thread other than the server's own."""
        return anyio.from_thread.run(self.adapt, tools, token=self._loop)


async def _end(opened: AbstractAsyncContextManager[Any], *error: Any) -> None:
    """Leave a context manager of the author's, whatever happens: what it raises then is logged."""
    try:
        await opened.__aexit__(*error)
    except Exception:
        logger.exception("the application failed at its end")


def _adapted(tool: ServedTool, adapted: object) -> ServedTool:
    """A tool in the form that `adapt` has given it; PackageError where it cannot be served so."""
    if not isinstance(adapted, Tool):
        raise PackageError(f"adapt gave {adapted!r}, which is neither a Tool nor None")
    served = tool.with_wire(adapted.to_wire(tool.wire))
    if served is not tool:
        try:
            to_json(served.wire)
            compile_schema(served.input_schema)
            compile_schema(True if served.output_schema is None else served.output_schema)
        except SchemaError as error:
            raise PackageError(f"its schema cannot be used: {error}") from None
        except NotJsonError as error:
            raise PackageError(str(error)) from None
    return served


def load_application(name: str | None) -> Application:
    """The application that `module:Class` names; one without state for None.

    Prints of the module go to stderr: stdout may be a client's. PackageError where there is no
    such class, and where its module cannot be imported, which is logged.
    """
    if name is None:
        return Application()
    module, _, path = name.partition(":")
    said = f"[server] app = {name!r}"
    if _find_module(module) is None:
        raise PackageError(f"{said}: there is no module {module!r}")
    with redirect_stdout(sys.stderr), _failing(f"{said} cannot be imported"):
        imported = import_module(module)
    try:
        return Application(attrgetter(path)(imported))
    except AttributeError:
        raise PackageError(f"{said}: there is no {path!r} in {module!r}") from None


def _find_module(name: str) -> object:
    try:
        return find_spec(name)
    except (ImportError, ValueError):  # a package above it is missing, or no package
        return None


@contextmanager
def _failing(said: str) -> Iterator[None]:
    """What the author's code raises goes to the log, and ends as a PackageError that says `said`."""
    try:
        yield
    except PackageError as error:
        logger.error("%s: %s", said, error)
        raise PackageError(f"{said}: {error}") from None
    except (Exception, SystemExit):
        logger.exception("%s", said)
        raise PackageError(said) from None
