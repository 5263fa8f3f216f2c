"""JSON Schema to Python types: the classes of a tool's parameters and of its result.

Whatever a schema says, there is a type for it, if need be `Any`; the schema itself is enforced by
the runtime, before a handler sees a value. What Python's types cannot say is for docstrings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from toolc.generate.names import (
    is_usable_key,
    pascal_words,
    shared_class_name,
    shorten,
)
from toolc.generate.parameters import name_properties
from toolc.generate.pymodule import Definition, Field, Module, ShapeLine, mentioned_names
from toolc.generate.pytext import literal
from toolc.generate.schemas import Parts, Placed, SchemaTree
from toolc.generate.terms import (
    ANY,
    LIST,
    LONGEST_ANNOTATION,
    MAPPING,
    SCALAR_TYPES,
    EachShape,
    EitherShape,
    PythonType,
    RecordShape,
    Shape,
    ValuesShape,
    annotate,
    closed_type,
    shape_text,
    union,
)
from toolc.model.document import JsonObject, JsonValue, Pointer
from toolc.model.tool import Tool

_WORD = r"\w+"

_BEFORE_TYPE = ("$ref", "const", "enum")
"""Keywords from which a type is read before `type` is looked at."""

_LONGEST_SUFFIX = 60
"""Of a nested class's name, behind that of the root."""

_LARGEST_EXACT = 2**53
"""Up to here a float holds every integer."""

_DEEPEST = 60
"""Levels of a schema, references followed; whatever lies deeper is `Any`."""


def read_arguments(tool: Tool, name: str, module: Module) -> None:
    """Add the parameter class `name`, with the classes and shapes that it needs."""
    _Reader(tool, "inputSchema", module, name).read_root_record()


def read_result(tool: Tool, name: str, module: Module) -> None:
    """Add the result type `name`: a TypedDict, or an alias where the output is no plain object."""
    _Reader(tool, "outputSchema", module, name).read_root_result()


def read_shared_types(tools: Iterable[Tool]) -> Module | None:
    """The module of the shared types that the tools use, or None where they use none.

    Each type is read where the first tool uses it: they are expanded in place, alike everywhere.
    """
    users = [tool for tool in tools if tool.facts.types]
    if not users:
        return None
    module = Module(is_shared=True)
    for tool in users:
        for name in tool.facts.types.values():
            class_ = shared_class_name(name)
            module.taken.update((class_, f"{class_}Result"))
    for tool in users:
        for side in ("inputSchema", "outputSchema"):
            _Reader(tool, side, module, "").read_shared()
    return module


class _Reader:
    """Reads one schema of one tool into a module."""

    # Of a shared type that is being read: where it stands, and what its path begins with.
    _base: Pointer = ()
    _base_path = ""
    _depth = 0

    def __init__(self, tool: Tool, side: str, module: Module, root_name: str) -> None:
        self._side = side
        self._is_input = side == "inputSchema"
        schema = tool.input_schema if self._is_input else tool.output_schema
        self.root = Placed(schema, ())
        self.tree = SchemaTree(schema)
        self._facts = tool.facts
        self._module = module
        self._root_name = root_name
        self._classes: dict[Pointer, str] = {}
        self._unfinished: set[str] = set()
        self._following: set[Pointer] = set()
        self._followed: dict[tuple[Pointer, bool], PythonType] = {}

    # The roots

    def read_root_record(self) -> None:
        parts = self.tree.gather(self.root, with_branches=True)
        if parts.further is None and self._facts.extra_parameters != "forbid":
            parts.further = Placed(True, ())
        self._record(parts, (), self._root_name)

    def read_root_result(self) -> None:
        self._module.taken.add(self._root_name)
        self._following.add(())
        held = self.read(self.root.schema, (), self._root_name)
        if () not in self._classes:
            alias = annotate(held)
            self._module.uses.add("TypeAlias")
            self._module.definitions.append(Definition("alias", self._root_name, "", alias=alias))

    def read_shared(self) -> None:
        for (side, *pointer), name in self._facts.types.items():
            if side == self._side:
                place = tuple(pointer)
                self._shared_type(name, Placed(self.tree.at(place), place))

    # Any schema

    def read(
        self, schema: JsonValue, pointer: Pointer, name: str, plain: bool = False
    ) -> PythonType:
        """The type of `schema`, which stands at `pointer`; a class that it needs is called `name`.

        With `plain`, objects stay dictionaries.
        """
        if not isinstance(schema, dict) or not schema or self._depth > _DEEPEST:
            return ANY
        # Nearly every schema is of one `type`, and no keyword goes before that.
        kind = schema.get("type")
        is_plain = not self._facts.types and schema.keys().isdisjoint(_BEFORE_TYPE)
        only = kind if is_plain and isinstance(kind, str) else ""
        if only in SCALAR_TYPES:
            return SCALAR_TYPES[only]
        self._depth += 1
        if only:
            held = self._typed(only, schema, pointer, name, plain)
        else:
            held = self._read(schema, pointer, name, plain)
        self._depth -= 1
        return held

    def _read(self, schema: JsonObject, pointer: Pointer, name: str, plain: bool) -> PythonType:
        if self._facts.types and not plain:
            shared = self._facts.types.get((self._side, *pointer))
            held = self._shared_type(shared, Placed(schema, pointer)) if shared else None
            if held is not None:
                return held
        if "$ref" in schema:
            return self._follow(schema["$ref"], plain)
        if "const" in schema or "enum" in schema:
            closed = closed_type([schema["const"]] if "const" in schema else schema["enum"])
            if closed is not None:
                return closed
        kind = schema.get("type")
        if isinstance(kind, str):
            return self._typed(kind, schema, pointer, name, plain)
        if isinstance(kind, list):
            kinds = [one for one in kind if isinstance(one, str)]
            return union([self._typed(one, schema, pointer, name, plain) for one in kinds])
        return self._untyped(schema, pointer, name, plain)

    def _typed(
        self, kind: str, schema: JsonObject, pointer: Pointer, name: str, plain: bool
    ) -> PythonType:
        if kind == "array":
            return self._array(schema, pointer, name, plain)
        if kind == "object":
            return self._object(schema, pointer, name, plain)
        return SCALAR_TYPES.get(kind, ANY)

    def _untyped(self, schema: JsonObject, pointer: Pointer, name: str, plain: bool) -> PythonType:
        if "properties" in schema:
            return self._object(schema, pointer, name, plain)
        if "items" in schema or "prefixItems" in schema:
            return self._array(schema, pointer, name, plain)
        for keyword in ("anyOf", "oneOf"):
            branches = schema.get(keyword)
            if isinstance(branches, list):
                return self._union(branches, (*pointer, keyword), name, plain)
        parts = schema.get("allOf")
        if isinstance(parts, list):
            if self.tree.gather(Placed(schema, pointer)).properties:
                return self._object(schema, pointer, name, plain)
            if len(parts) == 1:
                return self.read(parts[0], (*pointer, "allOf", 0), name, plain)
        return ANY

    def _follow(self, reference: JsonValue, plain: bool) -> PythonType:
        target = self.tree.resolve(reference)
        if target is None:
            return ANY
        pointer = target.pointer
        if pointer in self._classes and not plain:
            return self._class_type(self._classes[pointer])
        known = self._followed.get((pointer, plain))
        if known is not None:
            return known
        if pointer in self._following:
            # Round again with no class between.
            return ANY
        self._following.add(pointer)
        last = pointer[-1] if pointer else ""
        name = self._root_name + (pascal_words(str(last)) or "Value")
        held = self.read(target.schema, pointer, name, plain)
        self._following.discard(pointer)
        self._followed[pointer, plain] = held
        return held

    def _array(self, schema: JsonObject, pointer: Pointer, name: str, plain: bool) -> PythonType:
        items = schema.get("items")
        if not isinstance(items, dict) or "prefixItems" in schema:
            return LIST
        item = self.read(items, (*pointer, "items"), f"{name}Item", plain)
        text = f"list[{annotate(item)}]"
        if len(text) > LONGEST_ANNOTATION:
            return LIST
        return PythonType((text,), shape=EachShape(item.shape) if item.shape else None)

    def _union(
        self, branches: list[JsonValue], pointer: Pointer, name: str, plain: bool
    ) -> PythonType:
        kinds = [self.tree.kinds(branch) for branch in branches]
        every = [kind for some in kinds for kind in some]
        # The runtime tells arguments apart by their kind alone: two kinds of object stay plain.
        twice = [kind for kind in ("object", "array") if self._is_input and every.count(kind) > 1]
        return union(
            [
                self.read(branch, (*pointer, at), name, plain or any(k in twice for k in kinds[at]))
                for at, branch in enumerate(branches)
            ]
        )

    # Objects

    def _object(self, schema: JsonObject, pointer: Pointer, name: str, plain: bool) -> PythonType:
        has_properties = bool(schema.get("properties"))
        if not plain and (has_properties or "allOf" in schema):
            known = self._classes.get(pointer)
            if known is not None:
                return self._class_type(known)
            parts = self.tree.gather(Placed(schema, pointer), with_branches=has_properties)
            if parts.properties:
                if pointer:
                    longest = len(self._root_name) + _LONGEST_SUFFIX
                    name = self._module.claim(shorten(name, longest))
                return self._record(parts, pointer, name)
        values = schema.get("additionalProperties")
        if not isinstance(values, dict) or "patternProperties" in schema or has_properties:
            return MAPPING
        value = self.read(values, (*pointer, "additionalProperties"), f"{name}Value", plain)
        text = f"dict[str, {annotate(value)}]"
        if len(text) > LONGEST_ANNOTATION:
            return MAPPING
        return PythonType((text,), shape=ValuesShape(value.shape) if value.shape else None)

    def _record(self, parts: Parts, pointer: Pointer, name: str) -> PythonType:
        """Make the class `name` of an object with known properties."""
        self._module.taken.add(name)
        self._classes[pointer] = name
        self._unfinished.add(name)
        if self._is_input:
            self._add_record(parts, pointer, name)
        else:
            self._add_typed_dict(parts, pointer, name)
        self._unfinished.discard(name)
        return self._class_type(name)

    def _class_type(self, name: str) -> PythonType:
        if not self._is_input:
            return PythonType((name,))
        constant = self._constant(name)
        later = name in self._unfinished
        if later:
            self._module.ahead.add(constant)
        return PythonType((name,), shape=RecordShape(constant, later))

    def _constant(self, class_: str) -> str:
        suffix = class_.removeprefix(self._root_name)
        return f"PARAMS_{suffix}" if suffix else "PARAMS"

    def _add_record(self, parts: Parts, pointer: Pointer, name: str) -> None:
        module = self._module
        identifiers, faults = name_properties(parts, self._side, self._facts)
        module.faults.extend(faults)
        fields: list[Field] = []
        renamed: list[str] = []
        nested: list[str] = []
        for wire, (schema, place) in parts.properties.items():
            held = self.read(schema, place, name + (pascal_words(wire) or "Value"))
            annotation, default = self._parameter(schema, held, wire in parts.required)
            identifier = identifiers[wire]
            fields.append(Field(wire, identifier, annotation, default, schema))
            if identifier != wire:
                renamed.append(f"{literal(wire)}: {literal(identifier)}")
            if held.shape is not None:
                nested.append(f"{literal(wire)}: {shape_text(held.shape)}")
        hidden = [one.identifier for one in fields if one.identifier in module.taken]
        fields = _unhidden(fields, hidden)
        further = ""
        arguments = [name]
        if renamed:
            arguments.append(f"names={{{', '.join(renamed)}}}")
        if nested:
            arguments.append(f"nested={{{', '.join(nested)}}}")
        if parts.further is not None:
            held = self.read(*parts.further, f"{name}Value")
            further = f"dict[str, {annotate(held)}]"
            arguments.append("open=True")
            if held.shape is not None:
                arguments.append(f"extra={shape_text(held.shape)}")
        expression = f"Record({', '.join(arguments)})"
        module.shapes.append(ShapeLine(self._constant(name), f"Record[{name}]", expression))
        self._add(Definition("record", name, self._path(pointer), tuple(fields), further))

    def _add_typed_dict(self, parts: Parts, pointer: Pointer, name: str) -> None:
        taken = self._module.taken
        in_class = all(is_usable_key(wire) and wire not in taken for wire in parts.properties)
        fields: list[Field] = []
        for wire, (schema, place) in parts.properties.items():
            text = annotate(self.read(schema, place, name + (pascal_words(wire) or "Value")))
            if not in_class and self._unfinished.intersection(re.findall(_WORD, text)):
                # A call evaluates its arguments at once, when the class is not there yet.
                self._module.uses.update(mentioned_names(text))
                text = literal(text)
            if wire not in parts.required:
                text = f"NotRequired[{text}]"
                self._module.uses.add("NotRequired")
            fields.append(Field(wire, wire, text, "", schema))
        kind = "typed_dict" if in_class else "typed_dict_call"
        self._module.uses.add("TypedDict")
        self._add(Definition(kind, name, "", tuple(fields)))

    def _add(self, definition: Definition) -> None:
        self._module.definitions.append(definition)
        if definition.further:
            self._module.uses.add("field")

    def _shared_type(self, name: str, placed: Placed) -> PythonType | None:
        """The class of a shared type; None where it is no object with properties."""
        parts = self.tree.gather(placed)
        if not parts.properties:
            return None
        module = self._module
        class_ = shared_class_name(name) + ("" if self._is_input else "Result")
        if not module.is_shared:
            shape = RecordShape(f"_types.PARAMS_{class_}") if self._is_input else None
            return PythonType((f"_types.{class_}",), shape=shape)
        if class_ not in module.shared:
            module.shared.add(class_)
            outer = self._base, self._base_path
            self._base, self._base_path = placed.pointer, name
            self._record(parts, placed.pointer, class_)
            self._base, self._base_path = outer
        return self._class_type(class_)

    def _path(self, pointer: Pointer) -> str:
        return (self._base_path + _spoken(pointer[len(self._base) :])).removeprefix(".")

    # Fields

    def _parameter(self, schema: JsonValue, held: PythonType, required: bool) -> tuple[str, str]:
        """Annotation and default of a parameter's field; an empty default is none."""
        text = annotate(held)
        if required:
            return text, ""
        if isinstance(schema, dict) and "default" in schema:
            value = schema["default"]
            if value is not None:
                return text, self._default(value, held)
            return text if held.nullable else f"{text} | None", "None"
        if held.nullable:
            return f"{text} | Absent", "ABSENT"
        return f"{text} | None", "None"

    def _default(self, value: JsonValue, held: PythonType) -> str:
        text = annotate(held)
        if "Any" not in text and ("int" in text) != ("float" in text):
            value = _with_numbers(value, int if "int" in text else float)
        if not isinstance(value, (list, dict)):
            return literal(value)
        bound = self._bound(value, held.shape)
        if bound in ("[]", "{}"):
            return f"field(default_factory={type(value).__name__})"
        if bound == literal(value) and " | " in text:
            # Type checkers do not see through a union to what the items of a default may be.
            branch = next(
                (one for one in held.branches if one.startswith(type(value).__name__)), ""
            )
            if "Literal[" in branch or " | " in branch:
                bound = f"cast({branch}, {bound})"
        return f"field(default_factory=lambda: {bound})"

    def _bound(self, value: JsonValue, shape: Shape | None) -> str:
        """An expression that makes a default and its typed objects, anew each time."""
        if isinstance(shape, EitherShape):
            kind = EachShape if isinstance(value, list) else (RecordShape, ValuesShape)
            shape = next((one for one in shape.shapes if isinstance(one, kind)), None)
        if isinstance(shape, RecordShape) and isinstance(value, dict):
            self._module.ahead.add(shape.constant)
            return f"{shape.constant}.bind({literal(value)})"
        if isinstance(shape, EachShape) and isinstance(value, list):
            return f"[{', '.join([self._bound(item, shape.item) for item in value])}]"
        if isinstance(shape, ValuesShape) and isinstance(value, dict):
            pairs = [f"{literal(k)}: {self._bound(item, shape.value)}" for k, item in value.items()]
            return f"{{{', '.join(pairs)}}}"
        return literal(value)


def _unhidden(fields: list[Field], hidden: list[str]) -> list[Field]:
    """`fields` where a field named like a class hides that class from no annotation.

    Nobody names a parameter `FindNotesParamsAddress`; who does gets `Any` for the address.
    """
    if not hidden:
        return fields
    names = re.compile(rf"\b(?:{'|'.join(hidden)})\b")
    return [
        one._replace(annotation="Any") if names.search(one.annotation) else one for one in fields
    ]


def _with_numbers(value: JsonValue, kind: type[int] | type[float]) -> JsonValue:
    """`value` with its numbers as `kind`, but for those that no exact number of that kind equals."""
    if isinstance(value, float):
        return kind(value) if value.is_integer() else value
    if isinstance(value, int) and not isinstance(value, bool):
        return kind(value) if abs(value) <= _LARGEST_EXACT else value
    if isinstance(value, list):
        return [_with_numbers(item, kind) for item in value]
    if isinstance(value, dict):
        return {key: _with_numbers(item, kind) for key, item in value.items()}
    return value


def _spoken(pointer: Pointer) -> str:
    """A pointer as a reader would write it: `.address.lines[]`."""
    text = ""
    parts = iter(pointer)
    for part in parts:
        if part in ("properties", "$defs", "definitions"):
            text += f".{next(parts, '')}"
        elif part == "items":
            text += "[]"
        elif part in ("anyOf", "oneOf", "allOf"):
            next(parts, None)
        elif part in ("additionalProperties", "patternProperties"):
            text += ".*"
    return text
