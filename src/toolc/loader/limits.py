"""How large and how deep a document may be: toolc's own bounds, the same in every notation."""

from __future__ import annotations

from toolc.model.document import Span

MAX_BYTES = 4 * 1024 * 1024
"""Of a file. The largest real definition known, a server's 300 tools in one file, is half of it."""

MAX_DEPTH = 200
"""Objects and lists inside each other. Real schemas stay below 30."""

MAX_EXPANSION = 1_000_000
"""Values and characters that a YAML file's aliases, or a caller's shared lists, may come to."""

MAX_DIGITS = 4300
"""Of an integer in decimal: as many as Python converts by default."""

MAX_BITS = int(MAX_DIGITS * 3.3219)
"""The same bound for an integer that was written in another base."""

MAX_PROBLEMS = 100
"""Of one kind, in one text. A file in the wrong notation would have one a line."""

LEVELS_HINT = f"at most {MAX_DEPTH} levels of objects and lists are read"

EMPTY_HINT = "describe the tool, or delete the file"


def is_too_deep(value: object) -> bool:
    """Whether objects and lists nest deeper than MAX_DEPTH, whatever the interpreter's own limits."""
    level: list[object] = [value]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for node in level
            for child in (
                node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
            )
            if isinstance(child, (dict, list))
        ]
        if not level:
            return False
    return True


def offset_span(text: str, offset: int) -> Span:
    """The one character at `offset`, or the empty span behind the last."""
    return Span(min(offset, len(text)), min(offset + 1, len(text)))
