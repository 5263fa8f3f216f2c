"""What `toolc check --handlers` runs in a process of its own: import each handler and look at it.

Reads rows `[tool, contract module, parameter class, "module:function"]` as JSON from stdin and
answers a line `[tool, problem]` for each, the problem empty where there is none. The answers go to
the stdout it was started with; whatever a handler prints goes to stderr.
"""

from __future__ import annotations

import inspect
import json
import os
import sys
import traceback
import typing
from importlib import import_module


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for tool, contract, params, handler in json.loads(sys.stdin.read()):
        answers.write(json.dumps([tool, problem_of(contract, params, handler)]) + "\n")
        answers.flush()


def problem_of(contract: str, params: str, handler: str) -> str:
    """What is wrong with a handler, as the rest of a sentence; empty where nothing is."""
    module, _, name = handler.partition(":")
    try:
        expected = getattr(import_module(contract), params)
    except (Exception, SystemExit) as error:
        return f"has a contract that cannot be imported: {_last_line(error)}"
    try:
        function = import_module(module)
        for part in name.split("."):
            function = getattr(function, part)
    except (Exception, SystemExit) as error:
        return f"cannot be imported: {_last_line(error)}"
    if not callable(function):
        return f"is {type(function).__name__}, not a function"
    try:
        signature = inspect.signature(function)
    except ValueError:  # some builtins do not say how they are called
        return ""
    try:
        signature.bind(None, None)
    except TypeError:
        return f"is called with (params, context), but its signature is {signature}"
    return _mismatch(function, signature, expected)


def _mismatch(function: typing.Any, signature: inspect.Signature, expected: type) -> str:
    """Where the first parameter is annotated with a class, it must be able to hold the contract's."""
    try:
        hints = typing.get_type_hints(function)
    except Exception:  # names that only a type checker sees, or an object with no annotations
        return ""
    first = hints.get(next(iter(signature.parameters)))
    if isinstance(first, type) and not issubclass(expected, first):
        return f"takes {first.__qualname__}, but its contract gives it {expected.__qualname__}"
    return ""


def _last_line(error: BaseException) -> str:
    """What was raised, and where in the project: `KeyError: 'HOME' (app.py, line 3)`."""
    lines = str(error).strip().splitlines()
    name = type(error).__name__
    return (f"{name}: {lines[-1]}" if lines else name) + _place(error)


def _place(error: BaseException) -> str:
    """The last line of the project's own code that led to an error; a syntax error says its own."""
    if isinstance(error, SyntaxError):
        return ""
    root = os.path.join(os.getcwd(), "")
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        path = frame.f_code.co_filename
        if path.startswith(root) and "site-packages" not in path:
            return f" ({path.removeprefix(root)}, line {line})"
    return ""


if __name__ == "__main__":
    main()
