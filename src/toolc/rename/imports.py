"""Imports of a tool's contract in Python of the author's."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from toolc.generate.names import class_name, module_name
from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Site, SourceFile, Span


def find_contract_imports(source: SourceFile, old: str, new: str) -> Iterator[Diagnostic]:
    """A diagnostic for each import in a Python module of the contract that the tool `old` had, now
    that it is called `new`. A text that is no Python has none."""
    before, after = module_name(old), module_name(new)
    if before == after or before not in source.text or "contracts" not in source.text:
        return
    try:
        tree = ast.parse(source.text)
    except (SyntaxError, ValueError):
        return
    offsets = Offsets(source.text)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for written in _modules(node):
            if is_contract(written, before):
                start = offsets.offset(node.lineno, node.col_offset)
                end = offsets.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
                yield Diagnostic(
                    "P608",
                    CODES["P608"].severity,
                    f'imports the contract "{written}", which "{old}" had before it was renamed',
                    Site(source.path, Span(start, end)),
                    _hint(node, written, before, after, class_name(old), class_name(new)),
                    tool=new,
                )


def _modules(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The dotted names, leading dots included, of the modules that an import may mean."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    module = "." * node.level + (node.module or "")
    yield module
    joint = "" if module.endswith(".") else "."
    yield from (f"{module}{joint}{alias.name}" for alias in node.names)


def _hint(
    node: ast.Import | ast.ImportFrom,
    written: str,
    before: str,
    after: str,
    old_class: str,
    new_class: str,
) -> str:
    """What to import instead, as a sentence."""
    changes = [(written, written.removesuffix(before) + after)]
    changes += [
        (alias.name, new_class + alias.name.removeprefix(old_class))
        for alias in node.names
        if isinstance(node, ast.ImportFrom)
        and alias.name.startswith(old_class)
        and old_class != new_class
    ]
    return "change " + ", ".join(f"`{one}` to `{other}`" for one, other in changes)


def is_contract(dotted: str, module: str) -> bool:
    """Whether a dotted name is a contract's module, whatever package holds the contracts."""
    return dotted.split(".")[-2:] == ["contracts", module]


class Offsets:
    """Where the places that `ast` names stand in a text."""

    def __init__(self, text: str) -> None:
        # As Python counts them: a form feed or U+2028 ends no line.
        self.lines = re.findall(r"[^\n]*\n|[^\n]+", text)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def offset(self, line: int, column: int) -> int:
        """The code point of a 1-based line and a column that counts the bytes of UTF-8."""
        before = self.lines[line - 1].encode()[:column].decode()
        return self.starts[line - 1] + len(before)
