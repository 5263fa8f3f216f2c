"""What to write instead of a keyword that a client does not take."""

from __future__ import annotations

_BRANCHES = (
    "make the parameters optional, say in the description which belong together, and have the "
    "handler check it"
)

ROOT_REWRITES = {
    "anyOf": _BRANCHES,
    "oneOf": _BRANCHES,
    "allOf": "put the properties of all its schemas into one",
    "not": _BRANCHES,
    "if": _BRANCHES,
    "then": _BRANCHES,
    "else": _BRANCHES,
    "enum": "say what each parameter may be",
}
"""At the root of an input schema."""

_REWRITES = {
    "anyOf": "take one type that holds all the branches, and have the handler check the rest",
    "oneOf": '`anyOf` says the same where the branches exclude each other (`unions = "anyOf"`)',
    "allOf": "put its schemas into one",
    "not": "say in the description what may not be there, and have the handler check it",
    "if": "say in the description what depends on what, and have the handler check it",
    "additionalProperties": "a client can leave it out; the server refuses unknown keys all the same",
    "$schema": "take it away: without it a schema is 2020-12",
    "$ref": "write out what it refers to, in its place",
    "$defs": "write out each definition where it is used",
    "definitions": "write out each definition where it is used",
    "exclusiveMinimum": "`minimum` with the next number says the same of integers",
    "exclusiveMaximum": "`maximum` with the number before says the same of integers",
    "prefixItems": "make it an object with a property for each place",
    "default": "say it in the description; the server fills it in all the same",
    "const": "an `enum` of one value says the same",
}
_OF_A_FORM = {
    ("type", "list"): "name one type; make the parameter optional instead of nullable",
    ("items", "list"): "make it an object with a property for each place",
    ("exclusiveMinimum", "boolean"): "give the bound itself: `exclusiveMinimum: 0`",
    ("exclusiveMaximum", "boolean"): "give the bound itself: `exclusiveMaximum: 100`",
    ("properties", "null"): "say `properties: {}`",
}
_ANY = "say it in the description; the server checks it all the same"


def rewrite_of(keyword: str, form: str = "") -> str:
    """What says the same without `keyword`, or without a value of that form."""
    return _OF_A_FORM.get((keyword, form)) or _REWRITES.get(keyword, _ANY)
