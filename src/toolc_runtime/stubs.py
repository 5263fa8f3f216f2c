"""Handlers that nobody has written yet. They are told by their files; none is imported."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from toolc_runtime.package import Package

_RAISED = "NotImplementedError"

_LONGEST = 64 * 1024
"""Bytes of a file from which on it is taken for written."""

_MOST_TOLD = 10
"""How many tools are named that are left out."""

_REST_OF_STUB = re.compile(
    rb"""
    \( [^()]*+ \) (?: [ ]->[ ] [^\n:]++ )? :\n                                  # parameters, result
    (?: [ ]+ \"{3} [^"\\]*+ (?: (?: \\. | "(?!"") ) [^"\\]*+ )*+ \"{3} \n )?+   # docstring
    [ ]+ raise [ ] NotImplementedError \( "[^"\\\n]*+" \) \s*+
    """,
    re.VERBOSE | re.DOTALL,
)
"""What a stub has from behind its function's name to the end of the file, as toolc wrote it."""


def is_stub(source: bytes, function: str) -> bool:
    """Whether a module's `function` does nothing but raise NotImplementedError.

    A function with a decorator may do more, and a module that is not Python is no stub: somebody is
    at work in it.
    """
    # A thousand handlers are to be told in the time that parsing takes for a hundred.
    if _RAISED.encode() not in source:
        return False
    return _is_as_written(source, function) or _is_parsed_as_stub(source, function)


def _is_as_written(source: bytes, function: str) -> bool:
    """Whether a module without decorators ends in a stub to the letter."""
    if b"@" in source:
        return False
    start = b"\n\nasync def " + function.encode()
    _, found, rest = source.replace(b"\r\n", b"\n").rpartition(start)
    return bool(found) and _REST_OF_STUB.fullmatch(rest) is not None


def _is_parsed_as_stub(source: bytes, function: str) -> bool:
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for node in reversed(body):  # where a name has several meanings, the last one holds
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == function:
            return not node.decorator_list and _only_raises(node.body)
        if function in _bound_names(node):
            return False
    return False


def _bound_names(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement may give a meaning, and some that it does not."""
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.alias(asname=str(name)):
                yield name
            case ast.alias(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name


def _only_raises(body: Sequence[ast.stmt]) -> bool:
    match body:
        case [ast.Expr(ast.Constant()), ast.Raise(exc=raised)] | [ast.Raise(exc=raised)]:
            call = raised.func if isinstance(raised, ast.Call) else raised
            return isinstance(call, ast.Name) and call.id == _RAISED
    return False


def written(package: Package) -> tuple[Package, Mapping[str, str]]:
    """The package without the tools whose handlers are stubs; the names of these, and the files.

    A handler whose file cannot be told without an import is taken for written.
    """
    stubs = dict(_stubs(package.handlers))
    tools = tuple(tool for tool in package.tools if tool.name not in stubs)
    return replace(package, tools=tools), stubs


def _stubs(handlers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Those of the tools, with their `module:function`s, that are not written; and their files."""

    @cache
    def folders(package: str) -> Sequence[str]:
        """Where the modules of a package are."""
        if not package:
            return sys.path
        if package in sys.modules:
            return list(getattr(sys.modules[package], "__path__", ()))
        above, _, name = package.rpartition(".")
        found = [os.path.join(folder, name) for folder in folders(above)]
        regular = [path for path in found if os.path.isfile(os.path.join(path, "__init__.py"))]
        return regular[:1] or found

    for tool, handler in handlers.items():
        module, _, function = handler.partition(":")
        package, _, name = module.rpartition(".")
        for folder in folders(package):
            path = os.path.join(folder, f"{name}.py")
            source = _read(path)
            if source is not None:
                if is_stub(source, function):
                    yield tool, path
                break


def _read(path: str) -> bytes | None:
    """What a file holds, nothing of a long one; None where it cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return None
    try:
        source = os.read(descriptor, _LONGEST)
    except OSError:  # a folder
        return None
    finally:
        os.close(descriptor)
    return source if len(source) < _LONGEST else b""


def describe_left_out(stubs: Mapping[str, str], total: int) -> str:
    """What a developer is told of tools whose handlers are stubs, of `total` that there are."""
    told = [f"{tool} ({_shown(path)})" for tool, path in list(stubs.items())[:_MOST_TOLD]]
    more = f" and {len(stubs) - _MOST_TOLD} more" if len(stubs) > _MOST_TOLD else ""
    if len(stubs) == 1:
        why = "is left out, as its handler is still a stub"
    else:
        why = "are left out, as their handlers are still stubs"
    counted = f"{len(stubs)} of {total} tools {why}"
    return f"{counted}: {', '.join(told)}{more}; `--mock` and `toolc serve --watch` show all"


def _shown(path: str) -> str:
    try:
        return os.path.relpath(path)
    except ValueError:  # on another drive than the working folder
        return path
