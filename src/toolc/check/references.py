"""`$ref`: inside the document, to something that is there, and never round in a circle."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import unquote, urljoin

from toolc.check.dialects import identifier_keyword, metaschema_uris
from toolc.check.walk import IN_PLACE, follow, inner_schemas, subschemas, value_at
from toolc.check.wording import shown
from toolc.model.document import JsonObject, JsonValue, Pointer, pointer_text

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")

_CHARACTER = r"[A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2}"
_URI = re.compile(rf"(?:{_CHARACTER}|[\[\]])*(?:#(?:{_CHARACTER})*)?")
"""The characters of a URI reference (RFC 3986)."""


class Fault(NamedTuple):
    """What is wrong with a schema, and where in it."""

    code: str
    pointer: Pointer
    message: str
    hint: str


class _Reference(NamedTuple):
    place: Pointer
    keyword: str
    target: Pointer


class _Parts:
    """The schemas of a document, as references see them."""

    def __init__(self, document: JsonValue, dialect: str) -> None:
        self.document = document
        self.dialect = dialect
        self.nodes: dict[Pointer, JsonObject] = {}
        self.bases: dict[Pointer, str] = {}
        """The absolute URI that the references of a schema are relative to, as far as there is one."""
        self.names: dict[str, Pointer] = {}
        """The URIs, with `#anchor` where it has one, that the document gives to its own parts."""

    def add(self, schema: JsonValue, at: Pointer, base: str) -> list[Pointer]:
        """Take in a schema and those inside it; which of them are new."""
        identifier_key = identifier_keyword(self.dialect)
        new: list[Pointer] = []
        for place, node in subschemas(schema, at):
            if place in self.nodes:
                continue
            new.append(place)
            self.nodes[place] = node
            # The schema around is one or two steps up: `not`, or `properties` and a name.
            around = self.bases.get(place[:-1], self.bases.get(place[:-2], base))
            identifier = node.get(identifier_key)
            if not isinstance(identifier, str):
                self.bases[place] = around
            elif identifier.startswith("#"):  # an anchor, as drafts 4 to 7 write it
                self.bases[place] = around
                self.names.setdefault(around + identifier, place)
            else:
                own = _absolute(around, identifier).partition("#")[0]
                self.bases[place] = own
                self.names.setdefault(own, place)
            for key in ("$anchor", "$dynamicAnchor"):
                if isinstance(node.get(key), str):
                    self.names.setdefault(f"{self.bases[place]}#{node[key]}", place)
        self.names.setdefault(self.bases.get((), ""), ())
        return new

    def resolve(self, reference: str, base: str) -> Pointer | str | None:
        """The place that a reference means, what is wrong with it, or None where it is the
        dialect's own metaschema."""
        if not _URI.fullmatch(reference):
            return "is no URI reference"
        whole, _, fragment = _absolute(base, reference).partition("#")
        if whole not in self.names:
            if whole in metaschema_uris(self.dialect):
                return None
            return "leaves the document; nothing is ever fetched"
        if fragment and not fragment.startswith("/"):
            return self.names.get(f"{whole}#{fragment}", "names an anchor that is not there")
        return self.follow(self.names[whole], unquote(fragment))

    def follow(self, start: Pointer, way: str) -> Pointer | str:
        """The place that a JSON pointer (RFC 6901) leads to from `start`."""
        place = follow(self.document, pointer_text(start) + way)
        if place is None:
            return "goes nowhere"
        node = value_at(self.document, place)
        if not isinstance(node, (dict, bool)):
            return "points to something that is no schema"
        return place


def _absolute(base: str, reference: str) -> str:
    """`reference` in full; as it stands where it cannot be joined to `base`."""
    if not reference or reference.startswith("#"):
        return base.partition("#")[0] + reference  # urljoin knows no `urn:` bases
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


def reference_faults(schema: JsonValue, dialect: str) -> Iterator[Fault]:
    """What is wrong with the references and the URIs of a schema, at the keyword concerned."""
    identifier_key = identifier_keyword(dialect)
    speaking = frozenset((*REFERENCES, identifier_key))
    if all(speaking.isdisjoint(node) for _, node in subschemas(schema)):
        return
    parts = _Parts(schema, dialect)
    found: dict[Pointer, list[_Reference]] = {}
    places = parts.add(schema, (), "")
    for place in places:
        node = parts.nodes[place]
        identifier = node.get(identifier_key)
        if isinstance(identifier, str) and not _URI.fullmatch(identifier):
            yield _fault(place, identifier_key, identifier, "is no URI reference")
        for keyword in REFERENCES:
            reference = node.get(keyword)
            if not isinstance(reference, str):
                continue  # absent, or the metaschema's to refuse
            target = parts.resolve(reference, parts.bases[place])
            if isinstance(target, str):
                yield _fault(place, keyword, reference, target)
            elif target is not None:
                found.setdefault(place, []).append(_Reference(place, keyword, target))
                if target not in parts.nodes:
                    # It need not stand where schemas stand: `#/components/schemas/A`.
                    places.extend(parts.add(value_at(schema, target), target, parts.bases[place]))
    for circle in _circles(parts.nodes, found):
        reference = parts.nodes[circle.place][circle.keyword]
        yield Fault(
            "S403",
            (*circle.place, circle.keyword),
            f"{circle.keyword} {shown(reference, 80)} comes back to itself with no schema between",
            "take it away, or put a property or an item between",
        )


def _fault(place: Pointer, keyword: str, uri: str, problem: str) -> Fault:
    hint = "put what it names under `$defs` of the same schema, or write it in its place"
    if problem == "is no URI reference":
        hint = "write what URIs cannot hold as %XX"
    return Fault("S402", (*place, keyword), f"{keyword} {shown(uri, 80)} {problem}", hint)


def _circles(
    nodes: Mapping[Pointer, JsonObject], references: Mapping[Pointer, list[_Reference]]
) -> Iterator[_Reference]:
    """The references that close a circle: validating a value there would ask for the same value
    there again. A depth-first search that visits each schema once."""

    def ways(place: Pointer) -> Iterator[tuple[Pointer, _Reference | None]]:
        for reference in references.get(place, ()):
            yield reference.target, reference
        for way, _ in inner_schemas(nodes.get(place, {})):
            if way[0] in IN_PLACE:
                yield (*place, *way), None

    seen: set[Pointer] = set()
    for start in references:
        if start in seen:
            continue
        seen.add(start)
        # The schemas from `start` to here, each with what is left of its ways and the one taken.
        path = [(start, ways(start))]
        taken: dict[Pointer, _Reference | None] = {}
        while path:
            place, rest = path[-1]
            step = next(rest, None)
            if step is None:
                taken.pop(place, None)
                path.pop()
                continue
            target, taken[place] = step
            if target in taken:
                at = len(path) - 1
                while taken[path[at][0]] is None:
                    at -= 1
                closing = taken[path[at][0]]
                assert closing is not None
                yield closing
            elif target not in seen:
                seen.add(target)
                path.append((target, ways(target)))
