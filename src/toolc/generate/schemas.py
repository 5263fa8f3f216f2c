"""Ways about in one JSON Schema: its local references, and what makes up an object in it."""

from __future__ import annotations

from toolc.model.document import JsonObject, JsonValue, Pointer
from toolc_runtime.light import NamedTuple


class Placed(NamedTuple):
    """A schema and where it stands."""

    schema: JsonValue
    pointer: Pointer


class Parts:
    """What the schemas that apply to one object say of its properties, together."""

    __slots__ = ("further", "properties", "required")

    def __init__(self) -> None:
        self.properties: dict[str, tuple[JsonValue, Pointer]] = {}
        """Each with its schema, and where that stands."""
        self.required: dict[str, None] = {}
        self.further: Placed | None = None
        """The schema of further properties; None where the object is closed or does not say."""


_APPLIED = ("allOf", "anyOf", "oneOf", "then", "else")
"""Schemas that apply to the same value as the one that holds them."""

_FURTHER = ("unevaluatedProperties", "patternProperties", "additionalProperties")


class SchemaTree:
    """One schema document, by pointers from its root. References never leave it."""

    def __init__(self, root: JsonValue) -> None:
        self.root = root
        self._kinds: dict[Pointer, tuple[str, ...]] = {}

    def at(self, pointer: Pointer) -> JsonValue:
        """What stands at `pointer`; None where there is nothing."""
        placed = self._walk(pointer)
        return None if placed is None else placed.schema

    def resolve(self, reference: object) -> Placed | None:
        """The target of a `$ref`; None for one that leaves the document, or goes nowhere.

        RFC 6901 in a URI fragment. Anchors are not looked for.
        """
        if not isinstance(reference, str) or not reference.startswith("#"):
            return None
        if "%" in reference:
            from urllib.parse import unquote

            reference = unquote(reference)
        if reference == "#":
            return Placed(self.root, ())
        if reference[1] != "/":
            return None
        parts = reference[2:].split("/")
        return self._walk(tuple([part.replace("~1", "/").replace("~0", "~") for part in parts]))

    def _walk(self, pointer: Pointer) -> Placed | None:
        value = self.root
        way: list[str | int] = []
        for part in pointer:
            if isinstance(value, dict) and part in value:
                value = value[str(part)]
                way.append(part)
            elif isinstance(value, list) and str(part).isdecimal() and int(part) < len(value):
                value = value[int(part)]
                way.append(int(part))
            else:
                return None
        return Placed(value, tuple(way))

    def gather(self, placed: Placed, *, with_branches: bool = False) -> Parts:
        """The properties of an object, from its schema and from the schemas that it applies.

        `$ref` and `allOf` count in full. With `with_branches` the properties of `anyOf`, `oneOf`,
        `then` and `else` are there too, none of them required, and with a union of types where
        two branches disagree. A required name that no schema describes is a property as well.
        """
        parts = Parts()
        self._gather(placed, parts, with_branches, True, set())
        for name in parts.required:
            if name not in parts.properties:
                parts.properties[name] = True, (*placed.pointer, "properties", name)
        return parts

    def _gather(
        self, placed: Placed, parts: Parts, with_branches: bool, applies: bool, seen: set[Pointer]
    ) -> None:
        schema, pointer = placed
        if not isinstance(schema, dict) or pointer in seen:
            return
        seen.add(pointer)
        target = self.resolve(schema["$ref"]) if "$ref" in schema else None
        if target is not None:
            self._gather(target, parts, with_branches, applies, seen)
        properties = schema.get("properties")
        for name, child in properties.items() if isinstance(properties, dict) else ():
            known = parts.properties.get(name)
            if known is None:
                parts.properties[name] = child, (*pointer, "properties", name)
            elif not applies and known[0] != child:
                either: JsonValue = {"anyOf": [known[0], child]}
                parts.properties[name] = either, (*known[1], "|")
        required = schema.get("required")
        if applies and isinstance(required, list):
            for one in required:
                if isinstance(one, str):
                    parts.required[one] = None
        if not schema.keys().isdisjoint(_FURTHER):
            parts.further = _further(schema, pointer) or parts.further
        if schema.keys().isdisjoint(_APPLIED):
            return
        for keyword in ("allOf", "anyOf", "oneOf") if with_branches else ("allOf",):
            branches = schema.get(keyword)
            for number, branch in enumerate(branches if isinstance(branches, list) else ()):
                place = Placed(branch, (*pointer, keyword, number))
                counts = applies and keyword == "allOf"
                self._gather(place, parts, with_branches, counts, seen)
        for keyword in ("then", "else") if with_branches else ():
            if keyword in schema:
                place = Placed(schema[keyword], (*pointer, keyword))
                self._gather(place, parts, with_branches, False, seen)

    def kinds(self, schema: JsonValue) -> tuple[str, ...]:
        """`object` and `array`, each as often as a branch of `schema` could be one."""
        if not isinstance(schema, dict):
            return ()
        target = self.resolve(schema["$ref"]) if "$ref" in schema else None
        if target is not None:
            if target.pointer not in self._kinds:
                self._kinds[target.pointer] = ()
                self._kinds[target.pointer] = self.kinds(target.schema)
            return self._kinds[target.pointer]
        kind = schema.get("type")
        if kind is not None:
            kinds = kind if isinstance(kind, list) else [kind]
            return tuple([one for one in ("object", "array") if one in kinds])
        if "properties" in schema:
            return ("object",)
        if "items" in schema or "prefixItems" in schema:
            return ("array",)
        found: tuple[str, ...] = ()
        for keyword in ("anyOf", "oneOf", "allOf"):
            branches = schema.get(keyword)
            for branch in branches if isinstance(branches, list) else ():
                found += self.kinds(branch)
        return found


def _further(schema: JsonObject, pointer: Pointer) -> Placed | None:
    """The schema of what is no property; a pattern's or a remote one's type is not worked out."""
    open_by = [keyword for keyword in _FURTHER if schema.get(keyword, False) is not False]
    if not open_by:
        return None
    typed = open_by == ["additionalProperties"]
    return Placed(schema["additionalProperties"] if typed else True, (*pointer, open_by[-1]))
