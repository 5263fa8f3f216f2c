"""Parameters -> JSON Schema, with a note of where shared types and asked-for names ended up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from toolc.builder.keys import Level
from toolc.builder.types import UNRESOLVED, unite
from toolc.builder.words import nearest
from toolc.model.document import JsonObject, JsonValue, Pointer
from toolc.model.findings import Findings
from toolc.model.metadata import (
    ArrayOf,
    MapOf,
    Named,
    Origin,
    Parameter,
    Scalar,
    TypeExpression,
    Union,
)
from toolc.model.project import Project
from toolc.model.shared import Shared
from toolc_runtime.formats import ASSERTED

_ANNOTATING = frozenset({"default", "enum", "examples", "title", "deprecated"})
"""Keywords that stand beside an `anyOf` as well as in a branch."""

_CHECKED = frozenset({"default", "enum", "const", "pattern"})
"""Keywords that the checks after building look at."""

_APPLIES = {
    name: key.applies for name, key in Level.PARAMETER.known.items() if key.keyword and key.applies
}
_NULL = Scalar("null")

_AS_BRANCHES = "write the branches as `anyOf`, each with keywords of its own"

_BOUNDS = (
    # lower bound, upper bound, whether both may be the same
    ("minimum", "maximum", True),
    ("exclusiveMinimum", "maximum", False),
    ("minimum", "exclusiveMaximum", False),
    ("exclusiveMinimum", "exclusiveMaximum", False),
    ("minLength", "maxLength", True),
    ("minItems", "maxItems", True),
    ("minProperties", "maxProperties", True),
)
_BOUNDING = frozenset({"format", *(high for _, high, _ in _BOUNDS)})

_DEEPEST = 32
_MOST_NODES = 10_000
"""Shared definitions in each other can double a schema with every level."""

_KINDS: Mapping[str, str] = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "object": "object",
    "any": "any",
}


class Traces(NamedTuple):
    """What the generator needs to know of a schema and the schema does not say."""

    identifiers: dict[Pointer, str]
    types: dict[Pointer, str]
    aliases: dict[Pointer, dict[str, str]]
    """The schemas of objects whose members have old names: these, to the present ones."""
    checked: dict[Pointer, Parameter]
    """Where a schema holds something that is checked later, and who wrote it."""


class SchemaBuilder:
    """Builds the schemas of one side (`inputSchema` or `outputSchema`) of one tool.

    Objects with named members are closed in an input, and left open in an output, so that a
    field can be added there later.
    """

    def __init__(
        self,
        project: Project,
        shared: Shared,
        findings: Findings,
        *,
        is_output: bool,
        every_row: bool = False,
    ) -> None:
        """`every_row` has the traces tell of each parameter who wrote it, checked or not."""
        self.project = project
        self.shared = shared
        self.findings = findings
        self.is_output = is_output
        self.every_row = every_row
        self.traces = Traces({}, {}, {}, {})
        self.definitions: JsonObject = {}
        """`$defs`, as far as they turned out to be needed."""
        self._expanding: list[str] = []
        self._nodes = 0
        self._gave_up = False

    def give_up(self, problem: str, origin: Origin) -> None:
        """Say once that a tool's schema is past the bounds; what comes after is left out."""
        if not self._gave_up:
            self._gave_up = True
            self.findings.add(
                "L109",
                problem,
                origin.pointer,
                key=True,
                hint="use fewer shared definitions in each other",
                document=origin.document,
            )

    def object_schema(self, parameters: tuple[Parameter, ...], pointer: Pointer) -> JsonObject:
        """`type`, `properties` and `required` of an object; openness is the caller's to add."""
        properties: JsonObject = {}
        for parameter in parameters:
            place = (*pointer, "properties", parameter.name)
            properties[parameter.name] = self.schema(parameter, place)
            if parameter.identifier is not None:
                self.traces.identifiers[place] = parameter.identifier
        aliases = {alias: row.name for row in parameters for alias in row.aliases}
        if aliases:
            self.traces.aliases[pointer] = aliases
        schema: JsonObject = {"type": "object", "properties": properties}
        required: list[JsonValue] = [row.name for row in parameters if row.required]
        if required:
            schema["required"] = required
        return schema

    def schema(self, parameter: Parameter, pointer: Pointer) -> JsonObject:
        """The schema of one parameter, or of a nameless table that is a type.

        Its keys stand in this order: the type, the description, the keywords as their author
        wrote them.
        """
        self._nodes += 1
        if self._nodes > _MOST_NODES:
            self.give_up(f"a schema of more than {_MOST_NODES:,} parts", parameter.origin)
            return {}
        keywords = dict(parameter.keywords)
        nullable = parameter.nullable
        if parameter.schema is not None:
            schema = dict(parameter.schema)
            if nullable:
                schema = {"anyOf": [schema, {"type": "null"}]}
        elif parameter.any_of:
            self.refuse_keywords(parameter, _AS_BRANCHES)
            schema = self.any_of(parameter, pointer)
        else:
            schema = self.typed(parameter, keywords, pointer)
        described = self.describe(parameter, schema, keywords)
        if nullable and isinstance(keywords.get("enum"), list) and None not in keywords["enum"]:  # type: ignore[operator]
            keywords["enum"] = [*keywords["enum"], None]  # type: ignore[misc]
        if described:
            schema.pop("description", None)
            schema["description"] = described
        schema.update(keywords)
        if parameter.header is not None:
            if self.is_output:
                self.misplaced_header(parameter)
            schema["x-mcp-header"] = parameter.header
        if self.every_row or _is_checked(parameter):
            self.traces.checked[pointer] = parameter
        return schema

    def describe(self, parameter: Parameter, schema: JsonObject, keywords: JsonObject) -> str:
        """The description, with the meanings of `values` folded in, or those as `oneOf`."""
        if not parameter.values:
            return parameter.description
        if self.project.enum_docs == "oneOf":
            branches: list[JsonValue] = []
            for value in parameter.values:
                branch: JsonObject = {"const": value.value}
                if value.title:
                    branch["title"] = value.title
                if value.description:
                    branch["description"] = value.description
                branches.append(branch)
            if parameter.nullable:
                branches.append({"const": None})
            keywords["oneOf"] = branches
            return parameter.description
        keywords["enum"] = [value.value for value in parameter.values]
        lines = []
        for value in parameter.values:
            words = [word for word in (value.title, value.description) if word]
            written = (
                f'"{value.value}"' if isinstance(value.value, str) else _json_word(value.value)
            )
            lines.append(f"- {written}: {', '.join(words)}" if words else f"- {written}")
        return "\n".join([parameter.description, *lines] if parameter.description else lines)

    # The type

    def typed(self, parameter: Parameter, keywords: JsonObject, pointer: Pointer) -> JsonObject:
        """The schema of `type` with `items`, `properties` and the like; moves constraining
        keywords into a branch of their own where the whole becomes an `anyOf`."""
        expression = parameter.type
        if expression is None:
            self.findings.add(
                "M201",
                f"{_subject(parameter)} has no type",
                parameter.origin.pointer,
                hint='give it a `type`, like "string", or "any"',
                document=parameter.origin.document,
            )
            return {}
        self.check_fit(parameter, expression)
        if not parameter.nullable or expression == _NULL:
            return self.expression(expression, parameter, pointer)
        constraining = {
            name: keywords.pop(name) for name in list(keywords) if name not in _ANNOTATING
        }
        if isinstance(expression, Union):
            return self.expression(unite((expression, _NULL)), parameter, pointer)
        if (
            self.project.unions == "list"
            and isinstance(expression, Scalar)
            and expression.name not in ("any", "object")
            and not constraining
        ):
            return {"type": [expression.name, "null"]}
        branch = self.expression(expression, parameter, (*pointer, "anyOf", 0))
        return {"anyOf": [{**branch, **constraining}, {"type": "null"}]}

    def any_of(self, parameter: Parameter, pointer: Pointer) -> JsonObject:
        branches: list[JsonValue] = [
            self.schema(branch, (*pointer, "anyOf", at))
            for at, branch in enumerate(parameter.any_of)
        ]
        if parameter.nullable:
            branches.append({"type": "null"})
        return {"anyOf": branches}

    def expression(
        self, expression: TypeExpression, parameter: Parameter | None, pointer: Pointer
    ) -> JsonObject:
        """The schema of a type expression; `parameter` lends its members and items to it."""
        if isinstance(expression, Scalar):
            if expression == UNRESOLVED:
                return {}
            if expression.name == "object" and parameter is not None:
                return self.object(parameter, pointer)
            return {} if expression.name == "any" else {"type": expression.name}
        if isinstance(expression, ArrayOf):
            place = (*pointer, "items")
            if parameter is None or parameter.items is None:
                items = self.expression(expression.item, parameter, place)
            else:
                items = self.constrain_items(expression, parameter, parameter.items, place)
            return {"type": "array", "items": items}
        if isinstance(expression, MapOf):
            place = (*pointer, "additionalProperties")
            values = self.expression(expression.value, parameter, place)
            return {"type": "object", "additionalProperties": values}
        if isinstance(expression, Named):
            return self.named(expression.name, pointer)
        if self.project.unions == "list" and all(
            isinstance(branch, Scalar) and branch.name not in ("any", "object")
            for branch in expression.branches
        ):
            return {"type": [branch.name for branch in expression.branches]}  # type: ignore[union-attr]
        return {
            "anyOf": [
                self.expression(branch, parameter, (*pointer, "anyOf", at))
                for at, branch in enumerate(expression.branches)
            ]
        }

    def object(self, parameter: Parameter, pointer: Pointer) -> JsonObject:
        """A bare `object`, or one with members; `additionalProperties` as the author wants it."""
        schema: JsonObject = {"type": "object"}
        if parameter.properties is not None:
            schema = self.object_schema(parameter.properties, pointer)
        additional = parameter.additional
        if additional is None and parameter.properties is not None and not self.is_output:
            additional = False
        if additional is not None and additional != "absent":
            schema["additionalProperties"] = self.additional(additional, pointer)
        return schema

    def additional(self, additional: bool | TypeExpression | str, pointer: Pointer) -> JsonValue:
        """`additionalProperties` for a value of the format: true, false or a type."""
        if isinstance(additional, (bool, str)):
            return additional is True
        return self.expression(additional, None, (*pointer, "additionalProperties"))

    def constrain_items(
        self, array: ArrayOf, outer: Parameter, items: Parameter, pointer: Pointer
    ) -> JsonObject:
        """The elements' schema, by the `items` table; it need not repeat what the parameter around
        it says of them: their type, and the members of their `object`."""
        says_type = items.type is not None or items.any_of or items.schema is not None
        if says_type and array.item not in (Scalar("any"), items.type):
            self.findings.add(
                "M109",
                "`items` has another type than the elements of the `array:` around it",
                items.origin.pointer,
                hint="take the type away, or write `array:any`",
                document=items.origin.document,
            )
        if not says_type:
            items = items._replace(type=array.item)
        if items.properties is None and items.additional is None:
            items = items._replace(properties=outer.properties, additional=outer.additional)
        return self.schema(items, pointer)

    def named(self, name: str, pointer: Pointer) -> JsonObject:
        """A shared type: expanded in its place, or a `$ref` where it is hoisted or recursive."""
        self.traces.types[pointer] = name
        if len(self._expanding) >= _DEEPEST:
            self.give_up(
                f"shared types nested more than {_DEEPEST} deep", self.shared.types[name].origin
            )
            return {}
        if self.project.hoist or name in self.shared.recursive:
            self.hoist(name)
            return {"$ref": f"#/$defs/{name}"}
        self._expanding.append(name)
        schema = self.schema(self.shared.types[name], pointer)
        self._expanding.pop()
        return schema

    def hoist(self, name: str) -> None:
        if name in self.definitions:
            return
        self.definitions[name] = {}
        side = "outputSchema" if self.is_output else "inputSchema"
        place = (side, "$defs", name)
        self.traces.types[place] = name
        self.definitions[name] = self.schema(self.shared.types[name], place)

    # What fits what

    def check_fit(self, parameter: Parameter, expression: TypeExpression) -> None:
        """Refuse keywords, members and items that the type has no use for."""
        members = parameter.properties is not None or parameter.additional is not None
        plain = not parameter.keywords and not members and parameter.items is None
        if plain or expression == UNRESOLVED:
            return
        if not _BOUNDING.isdisjoint(parameter.keywords):
            self.check_bounds(parameter)
        kind = self.kind_of(expression)
        if kind == "a union":
            self.refuse_keywords(parameter, _nullable_instead(expression))
        elif kind != "any":
            for name in parameter.keywords:
                applies = _APPLIES.get(name)
                if applies and applies != kind and not (name == "format" and kind == "number"):
                    self.misfit(parameter, name, kind, applies)
        if parameter.items is not None and not _contains(expression, ArrayOf):
            self.misfit(parameter, "items", kind, "array")
        for name, given in (
            ("properties", parameter.properties),
            ("additionalProperties", parameter.additional),
        ):
            if given is not None and not _contains(expression, Scalar("object")):
                self.misfit(parameter, name, "map" if kind == "object" else kind, "object")

    def refuse_keywords(self, parameter: Parameter, hint: str) -> None:
        """A union has no keywords that constrain: which of its branches would they mean?"""
        for name in parameter.keywords:
            if name not in _ANNOTATING:
                self.findings.add(
                    "M205",
                    f'{_subject(parameter)}: "{name}" cannot stand on a union',
                    (*parameter.origin.pointer, name),
                    key=True,
                    hint=hint,
                    document=parameter.origin.document,
                )

    def check_bounds(self, parameter: Parameter) -> None:
        """Bounds that no value can meet, and a format that resembles a known one."""
        keywords = parameter.keywords
        for low, high, touch in _BOUNDS:
            least, greatest = keywords.get(low), keywords.get(high)
            if (
                isinstance(least, (int, float))
                and isinstance(greatest, (int, float))
                and (least > greatest or (least == greatest and not touch))
            ):
                self.warn("M212", parameter, high, f'"{low}" and "{high}" leave no value', low)
        name = keywords.get("format")
        if isinstance(name, str) and name not in ASSERTED and (near := nearest(name, ASSERTED)):
            self.warn("M213", parameter, "format", f'"{name}" is no format that is checked', near)

    def warn(self, code: str, parameter: Parameter, key: str, problem: str, other: str) -> None:
        hint = f'did you mean "{other}"?' if code == "M213" else f'raise "{key}" or lower "{other}"'
        self.findings.add(
            code,
            f"{_subject(parameter)}: {problem}",
            (*parameter.origin.pointer, key),
            hint=hint,
            document=parameter.origin.document,
        )

    def misfit(self, parameter: Parameter, name: str, kind: str, applies: str) -> None:
        article = "an" if applies in ("array", "object") else "a"
        hint = f'"{name}" belongs to {article} {applies}'
        if kind == "map":
            hint = "a map's values have one type; write `object` for members with names"
        if kind == "array" and applies != "array":
            hint = "to constrain the elements, put it into `items`"
        self.findings.add(
            "M205",
            f'{_subject(parameter)}: "{name}" has no meaning on {_with_article(kind)}',
            (*parameter.origin.pointer, name),
            key=True,
            hint=hint,
            document=parameter.origin.document,
        )

    def misplaced_header(self, parameter: Parameter) -> None:
        self.findings.add(
            "M109",
            f'{_subject(parameter)}: "header" has no meaning in an output',
            (*parameter.origin.pointer, "header"),
            key=True,
            hint="a header mirrors an argument; take it away",
            document=parameter.origin.document,
        )

    def kind_of(self, expression: TypeExpression, depth: int = 0) -> str:
        """The family whose keywords fit a value: `string`, `number`, `array`, `object`, `any`,
        `boolean`, `null`, or `a union`."""
        if isinstance(expression, Scalar):
            return _KINDS.get(expression.name, expression.name)
        if isinstance(expression, ArrayOf):
            return "array"
        if isinstance(expression, MapOf):
            return "object"
        if isinstance(expression, Named):
            parameter = self.shared.types.get(expression.name)
            if parameter is None or parameter.schema is not None:
                return "any"
            if parameter.any_of or parameter.nullable:
                return "a union"
            if parameter.type is None or depth > _DEEPEST:
                return "any"
            return self.kind_of(parameter.type, depth + 1)
        return "a union"


def _nullable_instead(union: TypeExpression) -> str:
    """What to do with keywords on a union: where only null is the other branch, there is a shorter way."""
    if isinstance(union, Union) and len(union.branches) == 2 and _NULL in union.branches:
        return "take the null out of the type, and make it `nullable`"
    return _AS_BRANCHES


def _contains(expression: TypeExpression, wanted: type | Scalar) -> bool:
    if expression == wanted or (isinstance(wanted, type) and isinstance(expression, wanted)):
        return True
    if isinstance(expression, ArrayOf):
        return _contains(expression.item, wanted)
    if isinstance(expression, MapOf):
        return _contains(expression.value, wanted)
    if isinstance(expression, Union):
        return any(_contains(branch, wanted) for branch in expression.branches)
    return False


def _is_checked(parameter: Parameter) -> bool:
    return (
        parameter.schema is not None
        or parameter.header is not None
        or bool(parameter.values)
        or not _CHECKED.isdisjoint(parameter.keywords)
    )


def _subject(parameter: Parameter) -> str:
    return f'parameter "{parameter.name}"' if parameter.name else "this type"


def _with_article(kind: str) -> str:
    if kind == "a union":
        return kind
    return f"an {kind}" if kind in ("array", "object") else f"a {kind}"


def _json_word(value: JsonValue) -> str:
    """A value as JSON spells it; `values` of tables and lists are rare and read well enough."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)
