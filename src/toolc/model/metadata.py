"""What an author said about a tool, checked and typed, before any of it takes MCP's shape."""

from __future__ import annotations

from toolc.model.document import NOTHING, Document, JsonObject, JsonValue, Pointer
from toolc.model.shared import NOTHING_SHARED, Shared
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias


class Origin(NamedTuple):
    """Where a part of a tool was written: its own file, or a shared definition's."""

    document: Document
    pointer: Pointer


# The type grammar: `type = term { "|" term }`.


class _Expression:
    """Equal to another of the same class with the same part: `array:int` is no `map:int`."""

    __slots__: tuple[str, ...] = ()

    def _part(self) -> object:
        return getattr(self, type(self).__slots__[0])

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._part() == other._part()

    def __hash__(self) -> int:
        return hash((type(self), self._part()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._part()!r})"


class Scalar(_Expression):
    """`string`, `integer`, `number`, `boolean`, `null`, a bare `object`, or `any` (the schema `{}`)."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class ArrayOf(_Expression):
    __slots__ = ("item",)

    def __init__(self, item: TypeExpression) -> None:
        self.item = item


class MapOf(_Expression):
    __slots__ = ("value",)

    def __init__(self, value: TypeExpression) -> None:
        self.value = value


class Union(_Expression):
    __slots__ = ("branches",)

    def __init__(self, branches: tuple[TypeExpression, ...]) -> None:
        self.branches = branches


class Named(_Expression):
    """A `[types.NAME]` of a shared file."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


TypeExpression: TypeAlias = "Scalar | ArrayOf | MapOf | Union | Named"


class EnumValue(NamedTuple):
    value: JsonValue
    title: str
    description: str


class Parameter(NamedTuple):
    """One row of `parameters` or `output`; without a name, an `items`, an `anyOf` branch or a shared type."""

    origin: Origin
    name: str = ""
    type: TypeExpression | None = None
    """None where `schema` or `any_of` stands instead."""
    description: str = ""
    required: bool = False
    keywords: JsonObject = NOTHING
    """JSON Schema's keywords by their own names, in the author's order."""
    nullable: bool = False
    values: tuple[EnumValue, ...] = ()
    header: str | None = None
    properties: tuple[Parameter, ...] | None = None
    items: Parameter | None = None
    any_of: tuple[Parameter, ...] = ()
    additional: bool | TypeExpression | str | None = None
    """`additionalProperties`: true, false, "absent", or a type; None where the author is silent."""
    aliases: tuple[str, ...] = ()
    identifier: str | None = None
    schema: JsonObject | None = None


class Hints(NamedTuple):
    """Three-valued: None is absent, and `false` is written."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


class Ui(NamedTuple):
    resource_uri: str
    """Empty where absent."""
    visibility: tuple[str, ...]


class Icon(NamedTuple):
    src: str
    mime_type: str
    sizes: tuple[str, ...]
    theme: str


class DeclaredError(NamedTuple):
    code: str
    description: str


class Example(NamedTuple):
    pointer: Pointer
    prompt: str = ""
    arguments: JsonObject | None = None
    result: JsonValue = None
    has_result: bool = False
    exact: bool = False


class ToolMetadata(NamedTuple):
    """One tool as its author described it; key by key what `docs/format.md` lists."""

    name: str
    origin: Origin
    title: str = ""
    description: str | None = None
    """Already as the project's `descriptions` setting wants it; None where the key is absent."""
    keywords: tuple[str, ...] = ()
    discoverable: bool = False
    hints: Hints = Hints()
    ui: Ui | None = None
    icons: tuple[Icon, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    output: tuple[Parameter, ...] | None = None
    input_schema: JsonObject | None = None
    output_schema: JsonObject | None = None
    root: JsonObject = NOTHING
    additional: bool | TypeExpression | str | None = None
    extra_parameters: str | None = None
    annotations: JsonObject | None = None
    meta: JsonObject | None = None
    wire: JsonObject = NOTHING
    task_support: str | None = None
    tags: tuple[str, ...] = ()
    deprecated: bool | str = False
    kind: str | None = None
    budget: int | None = None
    content: tuple[str, ...] = ()
    errors: tuple[DeclaredError, ...] = ()
    examples: tuple[Example, ...] = ()
    timeout: float | None = None
    concurrency: int | None = None
    rate_limit: str | None = None
    envelope: bool = False
    repair: str = "off"
    aliases: tuple[str, ...] = ()
    handler: str | None = None
    shared: Shared = NOTHING_SHARED
    """The shared definitions that its types name."""
