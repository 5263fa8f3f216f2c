"""Renaming a tool in its handler's module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import TypeGuard

from toolc.edits import Edit, apply
from toolc.generate.names import class_name, module_name
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Span
from toolc.rename.edits import Renamed, beside, refusal
from toolc.rename.imports import Offsets, is_contract


def rename_handler(path: str, text: str, old: str, new: str) -> Renamed | Diagnostic:
    """The handler module of the tool `old`, after the tool has become `new`.

    Renamed are the file, the handler's function and its uses, the import of the contract, the
    contract's classes and their uses, and the name in the texts that the stub came with. A module
    that uses one of those names for something else is refused.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return refusal(path, "the handler is not Python that can be read", "mend it first")
    names = {module_name(old): module_name(new)}
    own: set[ast.AST] = {node for node in tree.body if _defines(node, module_name(old))}
    if not own:
        message = f'the handler defines no function "{module_name(old)}"'
        return refusal(path, message, "rename the tool by hand")
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and any(
            is_contract(alias.name, module_name(old)) for alias in node.names
        ):
            message = "the handler imports its contract as a module"
            return refusal(path, message, "import the contract's classes by name instead")
        if _imports_contract(node, module_name(old)):
            own.add(node)
            for alias in node.names:
                if alias.name.startswith(class_name(old)):
                    own.add(alias)
                    names[alias.name] = class_name(new) + alias.name.removeprefix(class_name(old))
    for name, node in _bindings(tree):
        if (name in names and node not in own) or name in set(names.values()) - names.keys():
            message = f'the handler uses the name "{name}" for something else'
            return refusal(path, message, "rename that first, or rename the tool by hand")

    renaming = _Renaming(text, old, new, names, own)
    edited = apply(text, [edit for node in ast.walk(tree) for edit in renaming.rename(node)])
    if ast.dump(ast.parse(edited)) != ast.dump(tree):
        message = "the handler is laid out so that mv cannot edit it"
        return refusal(path, message, "rename the tool by hand")
    return Renamed(beside(path, module_name(new) + ".py"), edited)


def _defines(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name


def _imports_contract(node: ast.AST, module: str) -> TypeGuard[ast.ImportFrom]:
    """Whether a statement imports from the tool's contract: `from …contracts.MODULE import …`."""
    return isinstance(node, ast.ImportFrom) and is_contract(node.module or "", module)


def _bindings(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Every name that a module gives a meaning to, with the node that does."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name, node
            case ast.arg():
                yield node.arg, node
            case ast.alias():
                yield (node.asname or node.name).partition(".")[0], node
            case ast.Name(ctx=ast.Store() | ast.Del()):
                yield node.id, node
            case ast.Global() | ast.Nonlocal():
                yield from ((name, node) for name in node.names)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name, node
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield name, node


class _Renaming:
    """Renames the nodes of a tree and says the edits that do the same to its text."""

    def __init__(
        self, text: str, old: str, new: str, names: Mapping[str, str], own: set[ast.AST]
    ) -> None:
        self.text = text
        self.old = old
        self.new = new
        self.names = names
        self.own = own
        self.offset = Offsets(text).offset

    def rename(self, node: ast.AST) -> Iterator[Edit]:
        match node:
            case ast.Name() if node.id in self.names:
                yield from self.replace(node, node.id, self.names[node.id])
                node.id = self.names[node.id]
            case ast.FunctionDef() | ast.AsyncFunctionDef() if node in self.own:
                yield from self.replace(node, node.name, self.names[node.name])
                node.name = self.names[node.name]
            case ast.alias() if node in self.own:
                yield from self.replace(node, node.name, self.names[node.name])
                node.name = self.names[node.name]
            case ast.ImportFrom() if node in self.own:
                module = module_name(self.old)
                yield from self.replace(node, module, self.names[module])
                node.module = f"{(node.module or '').rpartition('.')[0]}.{self.names[module]}"
            case ast.Call(func=ast.Name("NotImplementedError"), args=[ast.Constant() as said]):
                if said.value == self.old:
                    yield from self.replace(said, self.old, self.new)
                    said.value = self.new
            case ast.Module(body=[ast.Expr(ast.Constant(str(docstring)) as said), *_]):
                if f"`{self.old}`" in docstring:
                    yield from self.replace(said, f"`{self.old}`", f"`{self.new}`")
                    said.value = docstring.replace(f"`{self.old}`", f"`{self.new}`", 1)

    def replace(self, node: ast.expr | ast.stmt | ast.alias, old: str, new: str) -> Iterator[Edit]:
        """The edit of the first whole `old` from where `node` begins.

        That is the name itself, or the one behind `def`, behind `from`, or within quotes.
        """
        start = self.offset(node.lineno, node.col_offset)
        found = re.compile(rf"(?<![\w]){re.escape(old)}(?![\w])").search(self.text, start)
        if found is not None:
            yield Edit(Span(*found.span()), new)
