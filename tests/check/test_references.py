"""References of a schema: which are inside the document, which leave it, which go in a circle."""

from __future__ import annotations

from typing import Any

import pytest

from toolc.check.dialects import DEFAULT_DIALECT, dialect_of
from toolc.check.references import reference_faults
from toolc.model.document import pointer_text

DRAFT_4 = "http://json-schema.org/draft-04/schema"
DRAFT_7 = "http://json-schema.org/draft-07/schema"
META = "https://json-schema.org/draft/2020-12/meta/validation"
E_COM = "https://e.com/a/"


def found(schema: Any) -> list[tuple[str, str]]:
    return [
        (fault.code, pointer_text(fault.pointer))
        for fault in reference_faults(schema, dialect_of(schema))
    ]


FINE = {
    "no reference": {"properties": {"$ref": {"type": "string"}}},
    "the root": {"properties": {"a": {"$ref": "#"}}},
    "the empty one": {"items": {"$ref": ""}},
    "a pointer": {"$ref": "#/$defs/a", "$defs": {"a": {}}},
    "escapes": {"$ref": "#/$defs/a~1b~0c%20%25", "$defs": {"a/b~c %": {}}},
    "a position": {"properties": {"a": {"$ref": "#/allOf/1"}}, "allOf": [{}, True]},
    "outside $defs": {"properties": {"a": {"$ref": "#/components/A"}}, "components": {"A": {}}},
    "an anchor": {"$ref": "#here", "$defs": {"a": {"$anchor": "here"}}},
    "a dynamic anchor": {"items": {"$dynamicRef": "#n"}, "$dynamicAnchor": "n"},
    "draft 7's anchor": {
        "$schema": DRAFT_7,
        "$ref": "#here",
        "definitions": {"a": {"$id": "#here"}},
    },
    "its own $id": {"$id": E_COM + "root.json", "items": {"$ref": "root.json"}},
    "its own $id in full": {"$id": E_COM + "root.json", "items": {"$ref": E_COM + "root.json#"}},
    "a part's $id": {
        "$id": E_COM + "root.json",
        "items": {"$ref": E_COM + "b.json"},
        "$defs": {"b": {"$id": "b.json"}},
    },
    "relative to a part": {
        "$id": E_COM + "root.json",
        "$defs": {"b": {"$id": "b.json", "items": {"$ref": "#/$defs/c"}, "$defs": {"c": {}}}},
    },
    "an anchor of a part": {
        "items": {"$ref": "b.json#c"},
        "$defs": {"b": {"$id": "b.json", "$defs": {"c": {"$anchor": "c"}}}},
    },
    "a urn": {"$id": "urn:a:b", "items": {"$ref": "urn:a:b#/$defs/a"}, "$defs": {"a": {}}},
    "draft 4's id": {"$schema": DRAFT_4, "id": E_COM, "items": {"$ref": E_COM + "#"}},
    "the metaschema": {"items": {"$ref": DEFAULT_DIALECT + "#"}},
    "its vocabulary": {"items": {"$ref": META + "#/$defs/stringArray"}},
    "a circle with an item between": {
        "$defs": {"a": {"allOf": [{"items": {"$ref": "#/$defs/a"}}]}}
    },
    "data": {"const": {"$ref": "http://evil/x"}},
}


@pytest.mark.parametrize("schema", FINE.values(), ids=FINE)
def test_fine(schema: Any) -> None:
    assert found(schema) == []


AMISS = [
    ("remote", {"items": {"$ref": "http://evil/x"}}, "S402", "/items/$ref"),
    ("nowhere", {"items": {"$ref": "#/$defs/a"}}, "S402", "/items/$ref"),
    ("no anchor", {"items": {"$ref": "#a"}}, "S402", "/items/$ref"),
    ("no schema", {"items": {"$ref": "#/required"}, "required": []}, "S402", "/items/$ref"),
    ("no digit", {"items": {"$ref": "#/allOf/²"}, "allOf": [{}]}, "S402", "/items/$ref"),
    ("no URI", {"items": {"$ref": "#/$defs/ä"}, "$defs": {"ä": {}}}, "S402", "/items/$ref"),
    ("no host", {"items": {"$ref": "http://[x"}}, "S402", "/items/$ref"),
    ("no dynamic anchor", {"items": {"$dynamicRef": "#a"}}, "S402", "/items/$dynamicRef"),
    ("remote recursion", {"items": {"$recursiveRef": "urn:x"}}, "S402", "/items/$recursiveRef"),
    ("below json-schema.org", {"items": {"$ref": META + "/x"}}, "S402", "/items/$ref"),
    ("another metaschema", {"items": {"$ref": DRAFT_7 + "#"}}, "S402", "/items/$ref"),
    ("another base", {"$id": E_COM, "items": {"$ref": "/b.json"}}, "S402", "/items/$ref"),
    ("behind data", {"$ref": "#/x/a", "x": {"a": {"$ref": "urn:y"}}}, "S402", "/x/a/$ref"),
    ("itself", {"$ref": "#"}, "S403", "/$ref"),
    ("itself in a list", {"anyOf": [True, {"$ref": "#"}]}, "S403", "/anyOf/1/$ref"),
    ("itself in not", {"not": {"$ref": "#"}}, "S403", "/not/$ref"),
    ("itself in if", {"if": {"$ref": "#"}}, "S403", "/if/$ref"),
    ("itself in then", {"then": {"$ref": "#"}}, "S403", "/then/$ref"),
    ("itself in else", {"else": {"$ref": "#"}}, "S403", "/else/$ref"),
    ("itself if", {"dependentSchemas": {"a": {"$ref": "#"}}}, "S403", "/dependentSchemas/a/$ref"),
    ("dynamically", {"allOf": [{"$dynamicRef": "#"}]}, "S403", "/allOf/0/$dynamicRef"),
    ("recursively", {"allOf": [{"$recursiveRef": "#"}]}, "S403", "/allOf/0/$recursiveRef"),
    (
        "two in turn",
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"oneOf": [{"$ref": "#/$defs/a"}]}}},
        "S403",
        "/$defs/b/oneOf/0/$ref",
    ),
    (
        "entered in the middle",
        {"items": {"$ref": "#/$defs/a/allOf/0"}, "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}},
        "S403",
        "/$defs/a/allOf/0/$ref",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("_", "schema", "code", "pointer"), AMISS, ids=[row[0] for row in AMISS])
def test_amiss(_: str, schema: Any, code: str, pointer: str) -> None:
    assert found(schema) == [(code, pointer)]


def test_a_long_chain_is_no_circle_and_a_closed_one_is_one() -> None:
    links: dict[str, Any] = {f"d{at}": {"$ref": f"#/$defs/d{at + 1}"} for at in range(5000)}
    assert found({"$defs": {**links, "d5000": {}}}) == []
    assert found({"$defs": {**links, "d5000": {"$ref": "#/$defs/d0"}}}) == [
        ("S403", "/$defs/d5000/$ref")
    ]
