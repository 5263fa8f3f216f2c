"""Lines of generated code that grew too long, broken as formatters break them.

Everything is written on one line first, and nearly everything stays there. What passes 88 columns
is taken apart here: at brackets, commas and `|`, which is all that the generated expressions
have. The outcome is what `ruff format` makes of the same line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

WIDTH = 88


@cache
def _wide() -> re.Pattern[str]:
    """Characters that formatters count as two columns; Unicode's own table changes with its version.

    Compiled when the first text needs it, as most need neither this nor the next.
    """
    return re.compile(
        "[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3"
        "\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\U0001f300-\U0001f64f"
        "\U0001f680-\U0001f6ff\U0001f900-\U0001faff\U00020000-\U0003fffd]"
    )


@cache
def _tokens() -> re.Pattern[str]:
    return re.compile(
        r""" "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' | [\[({\])}] | ,\  | \ \|\  """, re.X
    )


def assignment(target: str, annotation: str, value: str, indent: int) -> str:
    """`target: annotation = value`, all lines but the first indented by `indent` columns or more.

    `annotation` or `value` may be empty. An annotation that can be broken is, unless breaking the
    value alone is enough.
    """
    flat = target + (f": {annotation}" if annotation else "") + (f" = {value}" if value else "")
    if _fits(flat, indent):
        return flat
    if not value:
        return f"{target}: {broken(annotation, indent, _width(target) + 2)}"
    head = f"{target}: {annotation} = " if annotation else f"{target} = "
    column = _width(head)
    if annotation.endswith("]") or " | " in annotation:
        if indent + column < WIDTH:
            opens = _opens_within(value, indent + column)
            return head + (_exploded if opens else _parenthesised)(value, indent)
        is_union = len(_split(annotation, " | ")) > 1
        held = (_parenthesised if is_union else _exploded)(annotation, indent)
        head = f"{target}: {held} = "
        column = _width(head[head.rfind("\n") + 1 + indent :])
    return head + broken(value, indent, column)


def broken(expression: str, indent: int, column: int) -> str:
    """A line's last expression, `column` columns behind `indent`, broken if it has to be."""
    if _fits(expression, indent + column):
        return expression
    if len(_split(expression, " | ")) > 1:
        return _parenthesised(expression, indent)
    if indent + column >= WIDTH:
        return _exploded(expression, indent) if _bracket(expression) else expression
    if _opens_within(expression, indent + column):
        return _exploded(expression, indent)
    held = _parenthesised(expression, indent)
    if all(_fits(line, 0) for line in held.split("\n")):
        return held
    return _exploded(expression, indent) if _bracket(expression) else expression


def signature(head: str, parameters: Sequence[str], returns: str, end: str, indent: int) -> str:
    """`head(parameters) -> returns` and `end`, which is `:` and perhaps a body of one line."""
    inside = ", ".join(parameters)
    flat = f"{head}({inside}) -> {returns}{end}"
    if _fits(flat, indent):
        return flat
    margin = "\n" + " " * indent
    if _fits(inside, indent + 4):
        lines = f"{margin}    {inside}"
    else:
        lines = "".join([f"{margin}    {parameter}," for parameter in parameters])
    if not _fits(f") -> {returns}{end}", indent) and " | " in returns:
        returns = _parenthesised(returns, indent)
    return f"{head}({lines}{margin}) -> {returns}{end}"


def class_heading(name: str, base: str) -> str:
    """What stands between `class` and the colon."""
    return broken(f"{name}({base})", 0, len("class :"))


def from_import(module: str, names: Sequence[str], indent: int = 0) -> str:
    """`from module import names`, the names in the order given."""
    flat = f"from {module} import {', '.join(names)}"
    if _fits(flat, indent):
        return flat
    margin = "\n" + " " * indent
    lines = "".join([f"{margin}    {name}," for name in names])
    return f"from {module} import ({lines}{margin})"


def _opens_within(expression: str, column: int) -> bool:
    """Whether the expression has a bracket, and that opens before the line is full."""
    bracket = _bracket(expression)
    return bracket > 0 and _fits(expression[:bracket], column)


def _parenthesised(expression: str, indent: int) -> str:
    margin = " " * indent
    return f"(\n{margin}    {_item(expression, indent + 4, 0)}\n{margin})"


def _exploded(expression: str, indent: int) -> str:
    """An expression that ends in a bracket, with what is inside on lines of its own."""
    start = _bracket(expression) - 1
    opening, inside, closing = expression[: start + 1], expression[start + 1 : -1], expression[-1]
    items = _split(inside, ", ")
    is_subscript = opening[-1] == "[" and opening[-2:-1].isalnum()
    margin = "\n" + " " * indent
    if len(items) == 1:
        lines = f"{margin}    {_item(inside, indent + 4, 0)}"
    elif (is_subscript or opening[-1] == "(") and _fits(inside, indent + 4):
        lines = f"{margin}    {inside}"
    else:
        lines = "".join([f"{margin}    {_item(item, indent + 4, 1)}," for item in items])
    return f"{opening}{lines}{margin}{closing}"


def _item(text: str, indent: int, tail: int) -> str:
    """One item inside brackets, followed by `tail` columns."""
    if _fits(text, indent + tail):
        return text
    lines = []
    operands = _split(text, " | ")
    for number, operand in enumerate(operands, 1):
        bar = "| " if number > 1 else ""
        after = tail if number == len(operands) else 0
        if _bracket(operand) and not _fits(operand, indent + len(bar) + after):
            operand = _exploded(operand, indent)
        lines.append(bar + operand)
    return f"\n{' ' * indent}".join(lines)


def _split(text: str, separator: str) -> list[str]:
    """`text` at each `separator` that stands in no bracket and no string."""
    if separator not in text:
        return [text]
    parts, depth, start = [], 0, 0
    for token in _tokens().finditer(text):
        found = token[0]
        if found in "[({":
            depth += 1
        elif found in "])}":
            depth -= 1
        elif found == separator and depth == 0:
            parts.append(text[start : token.start()])
            start = token.end()
    parts.append(text[start:])
    return parts


def _bracket(text: str) -> int:
    """The position behind the first opening bracket; 0 where there is none."""
    if "[" not in text and "(" not in text and "{" not in text:
        return 0
    for token in _tokens().finditer(text):
        if token[0] in "[({":
            return token.end()
    return 0


def _fits(text: str, column: int) -> bool:
    return column + (len(text) if text.isascii() else _width(text)) <= WIDTH


def _width(text: str) -> int:
    return len(text) + (0 if text.isascii() else len(_wide().findall(text)))
