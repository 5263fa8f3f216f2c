"""A tool as the author's application may change it before it is served."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from toolc_runtime.jsonvalue import JsonObject, Pointer
from toolc_runtime.package import PackageError


@dataclass(slots=True, kw_only=True)
class Tool:
    """A copy of a tool, to change and return: its schemas are plain JSON objects.

    The name stays, and so do the parameters' names, which the tool's code knows: what changes is
    which values they take (an `enum` from live data, another `maximum`), what is said of them, and
    which of them have to be there; one that is optional may be taken away. Defaults stay too: the code
    applies those of the definition.
    """

    name: str
    title: str | None
    description: str
    input_schema: dict[str, Any]
    output_schema: Any
    """None where the tool promises nothing of its results."""
    annotations: dict[str, Any]
    meta: dict[str, Any]
    """`_meta` on the wire."""

    @classmethod
    def from_wire(cls, wire: JsonObject) -> Tool:
        """The tool that a revision-free form is of."""
        copy: dict[str, Any] = deepcopy(wire)
        return cls(
            name=copy["name"],
            title=copy.get("title"),
            description=copy.get("description", ""),
            input_schema=copy["inputSchema"],
            output_schema=copy.get("outputSchema"),
            annotations=copy.get("annotations", {}),
            meta=copy.get("_meta", {}),
        )

    def to_wire(self, before: JsonObject) -> JsonObject:
        """The form of this tool, which was made from `before`; its further keys stay.

        PackageError where the code behind the tool could no longer take its calls.
        """
        if self.name != before["name"]:
            raise PackageError(f"adapt renamed the tool {before['name']!r} to {self.name!r}")
        self._refuse_other_parameters(before["inputSchema"])
        changed: JsonObject = {
            "title": self.title,
            "description": self.description or before.get("description"),
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "annotations": self.annotations or None,
            "_meta": self.meta or None,
        }
        return {
            key: value
            for key, value in {**before, **changed}.items()
            if value is not None or key not in changed
        }

    def _refuse_other_parameters(self, before: Any) -> None:
        known, required = _names(before, "properties"), _names(before, "required")
        offered = _names(self.input_schema, "properties")
        for name in sorted(known & _names(self.input_schema, "required") - offered):
            raise PackageError(
                f"adapt took the parameter {name!r} from {self.name!r}, which still requires it"
            )
        for name in sorted(offered - known):
            raise PackageError(
                f"adapt gave {self.name!r} the parameter {name!r}, which its code does not know"
            )
        now = dict(_defaults(self.input_schema, ()))
        for place, value in _defaults(before, ()):
            if place in now and now[place] != value:
                name = next(str(part) for part in reversed(place) if part != "properties")
                raise PackageError(
                    f"adapt gave {name!r} of {self.name!r} another default, which its code has not"
                )
        for name in sorted(required - _names(self.input_schema, "required")):
            raise PackageError(
                f"adapt made the parameter {name!r} of {self.name!r} optional; its code needs it"
            )


def _defaults(schema: Any, place: Pointer) -> Iterator[tuple[Pointer, Any]]:
    """The defaults of the parameters, nested ones too, by their places."""
    table = schema.get("properties") if isinstance(schema, dict) else None
    for name, inner in (table if isinstance(table, dict) else {}).items():
        way = (*place, "properties", name)
        if isinstance(inner, dict) and "default" in inner:
            yield way, inner["default"]
        yield from _defaults(inner, way)


def _names(schema: Any, key: str) -> set[str]:
    said = schema.get(key) if isinstance(schema, dict) else None
    return set(said) if isinstance(said, (dict, list)) else set()
