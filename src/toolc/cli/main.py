"""`toolc`: which command is meant, and what becomes of whatever goes wrong in it.

Nothing is imported here that a command may not need: `--version` and `--help` cost Python's own
start and little more.
"""

from __future__ import annotations

import gc
import os
import sys

from toolc import __version__
from toolc.cli import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from toolc.snapshot import Looked

COMMANDS = {
    "init": "write a small project that builds and serves at once",
    "new": "write the definition of a new tool",
    "build": "compile the definitions and write what comes of them",
    "watch": "build again whenever something changes",
    "check": "say what is wrong with the definitions, and write nothing",
    "lint": "say what may be wrong with tools that compile",
    "explain": "say what a code means, and how to mend it",
    "clients": "show what clients refuse or change, as a table",
    "mv": "rename a tool, with its definition and its handler",
    "clean": "delete what toolc wrote and nobody edited",
    "show": "print a tool as a client gets it",
    "search": "print the tools that a model finds for some words",
    "serve": "run the built server",
    "test": "call the built tools, and hold their answers to their contracts",
    "schema": "print the JSON Schema that editors check a file by",
    "completion": "print the completion script of a shell",
}
"""Every command is the module of its name here, with `OPTIONS` and `run`."""

OK, FAILED, MISUSED = 0, 1, 2
"""Exit codes: fine; errors in what was read; a wrong request, or a machine that cannot meet it,
as where the outputs cannot be written."""

_INTERRUPTED = 128 + 2  # as a shell reports SIGINT
_PIPE_CLOSED = 128 + 13  # as a shell reports SIGPIPE


def main(argv: list[str] | None = None) -> int:
    """Run `toolc` with these arguments (default: the process's); the exit code."""
    if argv is None:
        _run_process()
    return _run(argv)


def _run_process() -> NoReturn:
    """Run as the whole of a process, which ends before garbage in circles could add up: looking
    for it takes a tenth of a small build's time, and taking everything down once more as much."""
    gc.set_threshold(1_000_000)
    code = _run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)


def _run(argv: list[str]) -> int:
    if os.environ.get("TOOLC_TOML") == "tomli":
        sys.modules["toml_rs"] = None  # type: ignore[assignment]  # as if it were not installed
    for stream in (sys.stdout, sys.stderr):
        # None where it is closed. A terminal that cannot show a letter gets its escape.
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _dispatch(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except UsageError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # Python flushes once more when it ends, and must not meet the closed pipe again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _complain(f"{where}{error.strerror or error}")


def _dispatch(arguments: list[str]) -> int:
    name = arguments[0] if arguments else ""
    looked = None
    if arguments == ["build"]:
        looked, is_done = _look()
        if is_done:
            return OK
    if name in COMMANDS:
        from importlib import import_module

        from toolc.cli.options import parse

        command = import_module(f"toolc.cli.{name}")
        options = parse(name, COMMANDS[name], command.OPTIONS, arguments[1:])
        options.looked = looked
        code: int = command.run(options)
        return code
    if name in ("--version", "-V"):
        print(f"toolc {__version__}")
        return OK
    if name in ("--help", "-h", "help"):
        print(_help())
        return OK
    if not name:
        print(_help(), file=sys.stderr)
        return MISUSED
    raise UsageError(_unknown(name))


def _look() -> tuple[Looked | None, bool]:
    """What a build here would find, and whether it has nothing to do, which it then has said."""
    from time import perf_counter

    from toolc.snapshot import look_in

    started = perf_counter()
    home = os.getcwd()
    looked = look_in(home, home)
    if looked is None or not looked.line:
        return looked, False
    if sys.stdout is not None:
        print(f"{looked.line} in {round((perf_counter() - started) * 1000)} ms")
    return looked, True


def _help() -> str:
    width = max(map(len, COMMANDS))
    commands = "\n".join(f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items())
    return (
        "usage: toolc COMMAND [OPTION…]\n\n"
        "The contract-first compiler for MCP tools.\n\n"
        f"{commands}\n\n"
        "`toolc COMMAND --help` lists a command's options; `toolc --version` prints the version."
    )


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    if name.startswith("-"):
        return f"unknown option {name!r}; options of a command stand behind its name"
    close = get_close_matches(name, COMMANDS, 1)
    advice = f"did you mean {close[0]!r}?" if close else "`toolc --help` lists them"
    return f"unknown command {name!r}; {advice}"


def _complain(message: str) -> int:
    if sys.stderr is not None:
        print(f"toolc: {message}", file=sys.stderr)
    return MISUSED
