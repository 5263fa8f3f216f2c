"""The built-in templates as Python: `python docs/builtin.py` writes the module anew.

`templates/*.j2` stay their only source. What becomes of them is `src/toolc/generate/builtin.py`, a
function each, so that a build needs Jinja2 only for a project's own templates. They may use text,
`{{ name }}`, `for`, `if`, `==`, `not` and `loop.first`: all else is refused.
"""

from __future__ import annotations

import builtins
import json
from collections.abc import Iterable, Sequence
from keyword import iskeyword
from pathlib import Path

from jinja2 import Environment, nodes

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "templates"
MODULE = ROOT / "src" / "toolc" / "generate" / "builtin.py"

_WIDTH = 100

_HEAD = '''\
"""The built-in templates as functions: `python docs/builtin.py` writes them anew from templates/."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any
'''


class Refused(Exception):  # noqa: N818
    """A template that uses what is not translated; the message names the place."""


def module_text() -> str:
    """The module that goes with the templates as they are now. Raises Refused."""
    paths = sorted(TEMPLATES.glob("*.j2"))
    functions = [function_text(path.name, path.read_text(encoding="utf-8")) for path in paths]
    rows = [f'    "{path.name}": {function_name(path.name)},\n' for path in paths]
    table = (
        "BUILTIN: Mapping[str, Callable[[Mapping[str, Any]], str]] = {\n" + "".join(rows) + "}\n"
    )
    words = '"""A template\'s name -> the values for its slots -> its text."""\n'
    return "\n\n".join([_HEAD, *functions, table + words])


def function_name(template: str) -> str:
    return template.partition(".")[0]


def function_text(template: str, source: str) -> str:
    """The function that renders a template. Raises Refused."""
    return _Function(template, source).text()


class _Function:
    """Translates one template, and notes on the way which names it takes from outside."""

    def __init__(self, template: str, source: str) -> None:
        self._template = template
        # As `toolc.generate.templates` reads the templates of a project.
        jinja = Environment(keep_trailing_newline=True, trim_blocks=True, lstrip_blocks=True)
        self._body = jinja.parse(source).body
        self._slots: dict[str, None] = {}
        self._targets: dict[str, None] = {}
        self._visible: list[str] = []
        """The targets of the loops around."""
        self._counted: list[bool] = []
        """For each of the loops around, whether it has to count its rounds."""

    def text(self) -> str:
        body = self._block(self._body, 4)
        for name in (*self._slots, *self._targets):
            reserved = iskeyword(name) or name in vars(builtins) or name in ("parts", "values")
            if reserved or name.startswith("index"):
                raise Refused(f"{self._template}: the name {name} cannot be used")
        if shadowed := self._slots.keys() & self._targets.keys():
            raise Refused(f"{self._template}: a loop hides the name {min(shadowed)}")
        return "\n".join(
            [
                f"def {function_name(self._template)}(values: Mapping[str, Any]) -> str:",
                *[f'    {name} = values["{name}"]' for name in self._slots],
                "    parts = []",
                *body,
                '    return "".join(parts)\n',
            ]
        )

    def _block(self, body: Iterable[nodes.Node], indent: int) -> list[str]:
        """The statements of a body; what it puts out in a row becomes one piece."""
        lines: list[str] = []
        row: list[nodes.Expr] = []
        for node in body:
            if isinstance(node, nodes.Output):
                row += node.nodes
                continue
            lines += self._output(row, indent)
            row = []
            if isinstance(node, nodes.For):
                lines += self._loop(node, indent)
            elif isinstance(node, nodes.If):
                lines += self._branches(node, indent)
            else:
                raise self._refused(node)
        lines += self._output(row, indent)
        return lines or [" " * indent + "pass"]

    def _output(self, row: Sequence[nodes.Expr], indent: int) -> list[str]:
        """`parts.append(…)` on one line, or where it is too long with a line for each of the text's."""
        text = "".join([self._piece(node) for node in row])
        if not text:
            return []
        margin = " " * indent
        flat = f"{margin}parts.append({_quoted(text)})"
        if len(flat) <= _WIDTH:
            return [flat]
        lines = text.replace("\\n", "\\n\0").removesuffix("\0").split("\0")
        return [
            f"{margin}parts.append(",
            *[f"{margin}    {_quoted(line)}" for line in lines],
            f"{margin})",
        ]

    def _piece(self, node: nodes.Expr) -> str:
        """What goes between the quotes of an f-string."""
        if isinstance(node, nodes.TemplateData):
            text = node.data.replace("\\", r"\\").replace("\n", r"\n")
            return text.replace("{", "{{").replace("}", "}}")
        if isinstance(node, nodes.Const) and isinstance(node.value, str):
            return self._piece(nodes.TemplateData(node.value))
        return "{" + self._name(node) + "}"

    def _loop(self, node: nodes.For, indent: int) -> list[str]:
        items: list[nodes.Expr] | list[nodes.Node] = [node.target]
        if isinstance(node.target, nodes.Tuple) and len(node.target.items) > 1:
            items = node.target.items
        if node.else_ or node.test is not None or node.recursive:
            raise self._refused(node)
        sequence = self._name(node.iter)
        targets = [self._target(one) for one in items]
        target = ", ".join(targets)
        self._visible += targets
        self._counted.append(False)
        index = self._index()
        body = self._block(node.body, indent + 4)
        del self._visible[-len(targets) :]
        if self._counted.pop():
            target = f"{index}, ({target})" if len(items) > 1 else f"{index}, {target}"
            sequence = f"enumerate({sequence})"
        return [f"{' ' * indent}for {target} in {sequence}:", *body]

    def _branches(self, node: nodes.If, indent: int) -> list[str]:
        margin = " " * indent
        lines = []
        for word, branch in [("if", node), *[("elif", one) for one in node.elif_]]:
            lines += [f"{margin}{word} {self._condition(branch.test)}:"]
            lines += self._block(branch.body, indent + 4)
        return lines + ([f"{margin}else:", *self._block(node.else_, indent + 4)] * bool(node.else_))

    def _condition(self, node: nodes.Node, *, negated: bool = False) -> str:
        if isinstance(node, nodes.Not):
            return self._condition(node.node, negated=not negated)
        equals = "!=" if negated else "=="
        if isinstance(node, nodes.Getattr) and self._counted:
            if isinstance(node.node, nodes.Name) and (node.node.name, node.attr) == (
                "loop",
                "first",
            ):
                self._counted[-1] = True
                return f"{self._index()} {equals} 0"
        elif isinstance(node, nodes.Compare) and [one.op for one in node.ops] == ["eq"]:
            other = node.ops[0].expr
            if isinstance(other, nodes.Const) and isinstance(other.value, str):
                return f"{self._name(node.expr)} {equals} {json.dumps(other.value)}"
        elif isinstance(node, nodes.Name):
            return ("not " if negated else "") + self._name(node)
        raise self._refused(node)

    def _index(self) -> str:
        """What counts the rounds of the innermost loop."""
        depth = len(self._counted)
        return f"index{depth}" if depth > 1 else "index"

    def _name(self, node: nodes.Node) -> str:
        if not isinstance(node, nodes.Name) or node.name == "loop":
            raise self._refused(node)
        if node.name not in self._visible:
            self._slots[node.name] = None
        return node.name

    def _target(self, node: nodes.Node) -> str:
        if not isinstance(node, nodes.Name):
            raise self._refused(node)
        self._targets[node.name] = None
        return node.name

    def _refused(self, node: nodes.Node) -> Refused:
        kind = type(node).__name__
        return Refused(f"{self._template}, line {node.lineno}: {kind} has no translation")


def _quoted(text: str) -> str:
    """The inside of an f-string in quotes, as formatters choose them; plain where it has no slot."""
    is_formatted = "{" in text.replace("{{", "")
    if not is_formatted:
        text = text.replace("{{", "{").replace("}}", "}")
    quote = "'" if text.count('"') > text.count("'") else '"'
    return f"{'f' * is_formatted}{quote}{text.replace(quote, chr(92) + quote)}{quote}"


def main() -> None:
    MODULE.write_text(module_text(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
