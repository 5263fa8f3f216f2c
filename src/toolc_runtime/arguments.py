"""Shapes that turn validated JSON arguments into typed objects, and the mapping for untyped tools.

A contract describes its parameter objects with these:

    PARAMS = Record(
        MoveParams,
        names={"from": "from_"},                       # wire name to field, only where they differ
        nested={"stops": Each(Record(MoveParamsStop))},
    )
    params = PARAMS.bind({"from": "Delft", "stops": [{"city": "Leiden"}]})

A value of another kind than a shape's passes through unchanged, as null does where an object may be
null: the schema has decided already what is valid. Defaults are the classes' own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import fields
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from toolc_runtime.absent import ABSENT, Absent
from toolc_runtime.jsonvalue import JsonObject, JsonValue

__all__ = ["ABSENT", "Absent", "Arguments", "Each", "Either", "Later", "Record", "Shape", "Values"]

T = TypeVar("T")

Kind: TypeAlias = "type | tuple[Kind, ...]"
"""What `isinstance` takes."""

_EXTRA = "extra"
"""The field that holds the further keys of an open object."""


class Shape(Protocol):
    """How one JSON value becomes a typed one."""

    @property
    def kind(self) -> Kind:
        """The JSON kinds that the shape is about: `dict`, `list`, or a tuple of such."""

    def bind(self, value: Any) -> Any:
        """`value`, valid against its schema, as its typed object."""


class Record(Generic[T]):
    """An object with known properties: an instance of the dataclass `cls`.

    `names` maps wire names to fields where they differ, `nested` wire names to the shapes of their
    values. With `open`, keys that are no property go into the field `extra`, each through the
    shape `extra` if there is one; otherwise they are left out.
    """

    @property
    def kind(self) -> Kind:
        return dict

    def __init__(
        self,
        cls: type[T],
        *,
        names: Mapping[str, str] | None = None,
        nested: Mapping[str, Shape] | None = None,
        open: bool = False,
        extra: Shape | None = None,
    ) -> None:
        renamed = dict(names or {})
        taken = {*renamed.values(), _EXTRA} if open else set(renamed.values())
        own = {field.name: field.name for field in fields(cls) if field.name not in taken}  # type: ignore[arg-type]
        self._cls = cls
        self._fields = {**own, **renamed}
        self._nested = dict(nested or {})
        self._open = open
        self._extra = extra

    def bind(self, value: Any) -> T:
        if not isinstance(value, dict):
            return value  # type: ignore[no-any-return]
        held: dict[str, Any] = {}
        further: dict[str, Any] = {}
        for key, item in value.items():
            field = self._fields.get(key)
            if field is not None:
                shape = self._nested.get(key)
                held[field] = item if shape is None else shape.bind(item)
            elif self._open:
                further[key] = item if self._extra is None else self._extra.bind(item)
        if further:
            held[_EXTRA] = further
        return self._cls(**held)


class Each:
    """An array whose items have one shape."""

    @property
    def kind(self) -> Kind:
        return list

    def __init__(self, shape: Shape) -> None:
        self._shape = shape

    def bind(self, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return [self._shape.bind(item) for item in value]


class Values:
    """An object used as a map: its values have one shape."""

    @property
    def kind(self) -> Kind:
        return dict

    def __init__(self, shape: Shape) -> None:
        self._shape = shape

    def bind(self, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {key: self._shape.bind(item) for key, item in value.items()}


class Either:
    """A union: the first shape whose kind is the value's."""

    def __init__(self, *shapes: Shape) -> None:
        self._shapes = shapes

    @property
    def kind(self) -> Kind:
        return tuple(shape.kind for shape in self._shapes)

    def bind(self, value: Any) -> Any:
        for shape in self._shapes:
            if isinstance(value, shape.kind):
                return shape.bind(value)
        return value


class Later:
    """A shape that is named before it exists, as a recursive one has to be."""

    def __init__(self, shape: Callable[[], Shape]) -> None:
        self._shape = shape

    @property
    def kind(self) -> Kind:
        return self._shape().kind

    def bind(self, value: Any) -> Any:
        return self._shape().bind(value)


class Arguments(Mapping[str, Any]):
    """What a handler without a contract gets: the arguments by wire name, defaults applied.

    `arguments["limit"]` and `arguments.limit` are the same. As an attribute, a declared parameter
    that was not given and has no default is None; as a key it is not there. The methods of a
    mapping stay what they are, so that `dict(arguments)` works whatever a tool declares:
    parameters called `get`, `items`, `keys` or `values` are reached as keys only, like those whose
    names are no identifiers. Defaults are those of the schema's top level, each call with copies
    of its own.
    """

    __slots__ = ("_declared", "_given")

    def __init__(self, given: JsonObject, schema: JsonObject) -> None:
        properties = schema.get("properties")
        self._declared: JsonObject = properties if isinstance(properties, dict) else {}
        self._given: JsonObject = {**_defaults(self._declared, given), **given}

    def __getitem__(self, name: str) -> Any:
        return self._given[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def __getattr__(self, name: str) -> Any:
        # Python asks for methods such as `__setstate__` before there are slots to look into.
        if not name.startswith("__") and (name in self._given or name in self._declared):
            return self._given.get(name)
        raise AttributeError(f"there is no parameter {name!r}")

    def __repr__(self) -> str:
        return f"Arguments({self._given!r})"


def _defaults(properties: JsonObject, given: JsonObject) -> dict[str, JsonValue]:
    return {
        name: deepcopy(schema["default"])
        for name, schema in properties.items()
        if name not in given and isinstance(schema, dict) and "default" in schema
    }
