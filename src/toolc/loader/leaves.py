"""Walks over a parsed value, for what the parsers let pass and JSON does not take."""

from __future__ import annotations

from collections.abc import Iterator

from toolc.loader.limits import MAX_PROBLEMS
from toolc.loader.problem import Problem, pointer_name
from toolc.loader.text import name_forbidden
from toolc.model.document import Place, Places, Pointer, Span

_WHOLE = Place(None, Span(0, 0))


def leaves(value: object) -> Iterator[tuple[Pointer, object, bool]]:
    """Each key and each value that is no dict or list, depth first: its pointer, itself, is-a-key."""
    waiting: list[tuple[Pointer, object, bool]] = [((), value, False)]
    while waiting:
        pointer, node, is_key = waiting.pop()
        if isinstance(node, dict):
            for name, child in reversed(node.items()):
                waiting.append(((*pointer, name), child, False))
                waiting.append(((*pointer, name), name, True))
        elif isinstance(node, list):
            waiting.extend(
                ((*pointer, index), node[index], False) for index in reversed(range(len(node)))
            )
        else:
            yield pointer, node, is_key


def holds_forbidden(value: object) -> bool:
    """Whether a NUL or a lone surrogate stands in a string or key of `value`."""
    return any(isinstance(leaf, str) and name_forbidden(leaf) for _, leaf, _ in leaves(value))


def forbidden_texts(value: object, places: Places) -> list[Problem]:
    """A problem for each string and key with a NUL or a lone surrogate, which escapes can write."""
    problems: list[Problem] = []
    for pointer, leaf, is_key in leaves(value):
        held = name_forbidden(leaf) if isinstance(leaf, str) else ""
        if held and len(problems) < MAX_PROBLEMS:
            place = places.get(pointer, _WHOLE)
            span = place.key if is_key and place.key is not None else place.value
            problems.append(forbidden_text(pointer, held, span, is_key=is_key))
    return problems


def forbidden_text(pointer: Pointer, held: str, span: Span, *, is_key: bool = False) -> Problem:
    """`held` is what `name_forbidden` said."""
    what = "the key" if is_key else "the text"
    return Problem(
        "L103",
        f"{what} at {pointer_name(pointer)} holds {held}",
        span,
        "remove it, or write the character that was meant",
        pointer=pointer,
    )
