"""Handlers that nobody has written yet."""

from __future__ import annotations

import ast


def is_stub(text: str, function: str) -> bool:
    """Whether a module's `function` does nothing but raise NotImplementedError, as it was made.

    A module that is not Python is no stub: somebody is at work in it.
    """
    # Parsing a thousand handlers takes a while, and most of them say that word nowhere.
    if "NotImplementedError" not in text:
        return False
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return any(_only_raises(node) for node in tree.body if _is_function(node, function))


def _is_function(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name


def _only_raises(node: ast.stmt) -> bool:
    match getattr(node, "body", []):
        case [ast.Expr(ast.Constant()), ast.Raise(exc=raised)] | [ast.Raise(exc=raised)]:
            call = raised.func if isinstance(raised, ast.Call) else raised
            return isinstance(call, ast.Name) and call.id == "NotImplementedError"
    return False
