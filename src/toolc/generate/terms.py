"""What a value's type can be in Python: annotations, joined into unions, and the shapes beside them."""

from __future__ import annotations

from collections.abc import Sequence

from toolc.generate.pytext import literal
from toolc.model.document import JsonValue
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

_SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}

LONGEST_ANNOTATION = 20_000
"""In characters; what is nested more richly is `Any` inside."""


class RecordShape(NamedTuple):
    """A `Record` by its constant's name; `later` where the constant does not exist yet."""

    constant: str
    later: bool = False


class EachShape(NamedTuple):
    item: Shape


class ValuesShape(NamedTuple):
    value: Shape


class EitherShape(NamedTuple):
    shapes: tuple[Shape, ...]


Shape: TypeAlias = "RecordShape | EachShape | ValuesShape | EitherShape"
"""How the runtime makes typed objects of a value; what needs no making has no shape."""


class PythonType(NamedTuple):
    branches: tuple[str, ...]
    """The alternatives as annotations, without None. `Any` stands alone."""
    nullable: bool = False
    shape: Shape | None = None


ANY = PythonType(("Any",), nullable=True)
NONE = PythonType((), nullable=True)
MAPPING = PythonType(("dict[str, Any]",))
LIST = PythonType(("list[Any]",))
SCALAR_TYPES = {kind: PythonType((text,)) for kind, text in _SCALARS.items()} | {"null": NONE}


def shape_text(shape: Shape) -> str:
    """A shape as the expression that makes it."""
    if isinstance(shape, RecordShape):
        return f"Later(lambda: {shape.constant})" if shape.later else shape.constant
    if isinstance(shape, EachShape):
        return f"Each({shape_text(shape.item)})"
    if isinstance(shape, ValuesShape):
        return f"Values({shape_text(shape.value)})"
    return f"Either({', '.join(map(shape_text, shape.shapes))})"


def annotate(held: PythonType) -> str:
    """A type as an annotation."""
    branches, nullable, _ = held
    if branches == ("Any",):
        return "Any"
    if len(branches) == 1 and not nullable:
        return branches[0]
    return " | ".join((*branches, "None") if nullable else branches)


def closed_type(members: JsonValue) -> PythonType | None:
    """The type of a closed list of values; None where Python's `Literal` cannot hold one of them."""
    if not isinstance(members, list) or not members:
        return None
    texts: dict[str, None] = {}
    for member in members:
        if isinstance(member, (str, int)):
            texts[literal(member)] = None
        elif member is not None:
            return None
    if not texts:
        return NONE
    text = f"Literal[{', '.join(texts)}]"
    return PythonType((text,), None in members) if len(text) <= LONGEST_ANNOTATION else None


def union(types: Sequence[PythonType]) -> PythonType:
    """A union: literals become one, at the place of the first, and `Any` takes in all the rest."""
    branches: dict[str, None] = {}
    closed: dict[str, None] = {}
    shapes: list[Shape] = []
    for one in types:
        if one.branches == ("Any",):
            return ANY
        for branch in one.branches:
            if branch.startswith("Literal["):
                branches["Literal"] = None
                closed[branch[len("Literal[") : -1]] = None
            else:
                branches[branch] = None
        if one.shape is not None and one.shape not in shapes:
            shapes.append(one.shape)
    texts = [f"Literal[{', '.join(closed)}]" if b == "Literal" else b for b in branches]
    nullable = any(one.nullable for one in types)
    if not texts and not nullable:
        return ANY
    shape = EitherShape(tuple(shapes)) if len(shapes) > 1 else next(iter(shapes), None)
    return PythonType(tuple(texts), nullable, shape)
