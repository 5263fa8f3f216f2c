"""Python names for wire names: each a function of its wire name alone, and no two of them alike.

A new tool or parameter therefore never renames an old one. Four forms share the work, and their
images are kept apart by where underscores stand in them; only the last one relies on a digest.
"""

from __future__ import annotations

import re
from functools import lru_cache

from toolc.model.digest import text_sha256


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_KEYWORDS = _words(
    """False None True and as assert async await break class continue def del elif else except
    finally for from global if import in is lambda nonlocal not or pass raise return try while
    with yield"""
)
"""Written out: what Python 3.14 reserves, whichever Python the compiler runs on."""

_ANNOTATION_NAMES = _words(
    """ABSENT Absent Any Awaitable Context Each Either Later Literal NotRequired Protocol Record
    Reply TypeAlias TypedDict Values bool dataclass dict field float int list object str"""
)
"""What a contract imports or annotates with. An attribute of that name would hide it in its class."""

_AMBIGUOUS = _words("I O l")
"""What linters take for digits."""

RESERVED_CLASSES = _KEYWORDS | _ANNOTATION_NAMES | _AMBIGUOUS
RESERVED_ATTRIBUTES = RESERVED_CLASSES | {"annotations", "cls", "extra", "self"}

_DEVICES = frozenset(
    ["aux", "con", "nul", "prn"] + [f"{port}{n}" for port in ("com", "lpt") for n in range(10)]
)
"""File names that Windows keeps for itself, whatever their suffix."""

RESERVED_MODULES = _KEYWORDS | _DEVICES | {"annotations", "l", "str"}
"""A tool's module is also its handler's function, beside which `str` is an annotation."""

# Not compiled here: most builds meet words only, for which no pattern is needed.
_KEBAB = r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+"
_LOWER_KEBAB = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+"
_CAMEL = r"[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+"
_DIGEST_TAIL = r"__[0-9a-f]{6}$"
_UPPER = r"[A-Z]"
_HUMP = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
_FOREIGN = r"[^A-Za-z0-9]+"
_ASKED = r"[A-Za-z][A-Za-z0-9_]*"

_STEM_LENGTH = 40


@lru_cache(maxsize=1024)  # a project's tools have most of their parameters' names in common
def attribute_name(wire: str) -> str:
    """The Python name of a parameter whose name on the wire is `wire`.

    `limit` and `dueDate` stay; a reserved word gains an underscore (`from_`); kebab case changes
    its dashes and gains one (`auth_method_`); anything else becomes a stem and six digits of the
    name's sha256 (`_id` is `id__b6f746`).
    """
    if _is_word(wire):
        return wire + "_" if wire in RESERVED_ATTRIBUTES else wire
    if re.fullmatch(_KEBAB, wire):
        return wire.replace("-", "_") + "_"
    return _digested(wire, re.sub(_FOREIGN, "_", wire))


def is_usable_attribute(name: str) -> bool:
    """Whether an author may ask for `name` as a parameter's Python name."""
    return bool(re.fullmatch(_ASKED, name)) and name not in RESERVED_ATTRIBUTES


def is_usable_key(key: str) -> bool:
    """Whether a TypedDict's class body can have `key` as it is: no dash, no mangling, no shadow."""
    is_name = key.isascii() and key.isidentifier() and not key.startswith("__")
    return is_name and key not in RESERVED_CLASSES


@lru_cache(maxsize=8)  # several of its files ask for a tool's name
def module_name(wire: str) -> str:
    """The name of a tool's two modules and of its handler's function: lower case throughout.

    File systems that fold case or normalise never merge two of them. `find_notes` stays,
    `find-notes` is `find_notes_`, `findNotes` is `find__notes`, `import` is `import_`, anything
    else a stem and six digits of the name's sha256.
    """
    if _is_word(wire) and wire == wire.lower():
        return wire + "_" if wire in RESERVED_MODULES else wire
    if re.fullmatch(_LOWER_KEBAB, wire):
        return wire.replace("-", "_") + "_"
    if re.fullmatch(_CAMEL, wire):
        name = re.sub(_UPPER, lambda capital: "__" + capital[0].lower(), wire)
        # A last word such as `Facade` reads like a digest, which another name could have.
        if not re.search(_DIGEST_TAIL, name):
            return name
    return _digested(wire, re.sub(_FOREIGN, "_", re.sub(_HUMP, "_", wire)).lower())


@lru_cache(maxsize=8)
def class_name(wire: str) -> str:
    """The class named for a tool: `FindNotes` for `find_notes` and for `findNotes` alike.

    Unique only within the tool's own module.
    """
    name = pascal_words(wire)
    if not name or not name[0].isalpha():
        name = "Tool" + name
    return name + "_" if name in RESERVED_CLASSES else name


def shared_class_name(name: str) -> str:
    """The parameter class of a shared type: the author's own spelling wherever Python takes it.

    A name ending in `Result` gains an underscore, so that `<name>Result` is free for the type's
    other form.
    """
    if _is_word(name):
        reserved = name in RESERVED_CLASSES or name.endswith("Result")
        return name + "_" if reserved else name
    if re.fullmatch(_KEBAB, name):
        return name.replace("-", "_") + "_"
    return _digested(name, re.sub(_FOREIGN, "_", name))


def pascal_words(text: str) -> str:
    """The ASCII words of `text`, each with a capital, run together; empty where there are none."""
    if not text.isascii():
        words = re.split(_FOREIGN, text)
    elif text.isalnum():  # one word, as most names are
        return text[0].upper() + text[1:]
    elif text.isidentifier():
        words = text.split("_")
    else:
        words = re.split(_FOREIGN, text)
    return "".join([word[0].upper() + word[1:] for word in words if word])


def shorten(name: str, length: int) -> str:
    """`name`, or where it is longer than `length` its beginning and a digest of the whole."""
    return name if len(name) <= length else f"{name[: length - 6]}{_digest(name)}"


def _is_word(text: str) -> bool:
    """Whether `text` is ASCII letters and digits, a letter first, with single underscores inside."""
    is_name = text.isascii() and text.isidentifier()
    return is_name and text[0] != "_" != text[-1] and "__" not in text


def _digested(wire: str, ascii_text: str) -> str:
    stem = ascii_text.strip("_")[:_STEM_LENGTH].rstrip("_")
    if not stem[:1].isalpha():
        stem = f"p_{stem}".rstrip("_")
    return f"{stem}__{_digest(wire)}"


def _digest(text: str) -> str:
    return text_sha256(text)[:6]
