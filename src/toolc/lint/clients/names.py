"""How a tool's names, texts and number are held against limits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from toolc.lint.clients.hit import Hit, compiled, members, number
from toolc.lint.clients.profile import Values
from toolc.lint.subject import Index, Subject
from toolc.model.document import Pointer

# Names


def look_at_name(subject: Subject, values: Values) -> Iterator[Hit]:
    if not compiled(str(values["pattern"])).fullmatch(subject.name):
        other = _other_name(subject.name, str(values["pattern"]))
        yield Hit(
            ("name",),
            f'the name "{subject.name}"',
            f'name it "{other}"; `toolc mv` renames it and keeps the old name working',
            f"only {values['expected']}",
            room=-len(other),
        )


def _other_name(name: str, pattern: str) -> str:
    other = re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_") or "tool"
    return other if compiled(pattern).fullmatch(other) else f"tool_{other}"


def look_at_name_length(subject: Subject, values: Values) -> Iterator[Hit]:
    most, prefix = number(values["most"]), _prefix(values, subject.project.server.name)
    own, room = len(subject.name), most - len(prefix)
    if own > room:
        yield Hit(
            ("name",),
            f"the name has {own} characters",
            f"shorten it to {max(room, 1)} characters"
            + (", or give the server a shorter name" if prefix else ""),
            f'{most} at most, and {len(prefix) + own} with "{prefix}" before it'
            if prefix
            else f"{most} at most",
            room=room,
        )


def _prefix(values: Values, server: str) -> str:
    """What a client puts before a name; nothing where nobody knows the server's name."""
    return str(values.get("prefix", "")).replace("{server}", server) if server else ""


def look_for_clashes(index: Index, values: Values) -> Iterator[Hit]:
    prefix = _prefix(values, index.project.server.name)
    first: dict[str, str] = {}
    for subject in index.rows:
        written = _rewritten(prefix + subject.name, values)
        other = first.setdefault(written, subject.name)
        if other != subject.name:
            yield Hit(
                ("name",),
                f'"{other}" and "{subject.name}" both become "{written}"',
                "rename one of the two so that they differ in what is kept",
                str(values["how"]),
                tool=subject.name,
                related=((other, ("name",), f'"{other}"'),),
            )


def _rewritten(name: str, values: Values) -> str:
    """A name as a client passes it on."""
    if "pattern" in values:
        name = compiled(str(values["pattern"])).sub(str(values.get("by", "")), name)
    most = values.get("most")
    if most is not None and len(name) > number(most):
        head, tail = number(values.get("head", most)), number(values.get("tail", 0))
        name = name[:head] + str(values.get("between", "")) + (name[-tail:] if tail else "")
    return name


# Counts and texts


_TAIL = 50
"""Characters of a text's end that a message shows, less those of a word that is cut."""


def _ends(text: str) -> str:
    """How a long text ends: what is lost first where it is cut."""
    end = " ".join(text.split())[-_TAIL:]
    return f'it ends with "… {end.partition(" ")[2] or end}"'


def look_at_count(index: Index, values: Values) -> Iterator[Hit]:
    shown = [subject for subject in index.rows if not subject.is_hidden]
    most = number(values["most"])
    if len(shown) > most:
        yield Hit(
            ("name",),
            f"the server lists {len(shown)} tools",
            "hide the rarer ones (`discoverable = true`), or split the server",
            f"{most} at most, of all servers together",
            tool=shown[-1].name,
        )


def look_at_description(subject: Subject, values: Values) -> Iterator[Hit]:
    length, most = len(subject.description), number(values["most"])
    if length > most:
        yield Hit(
            ("description",),
            f"the description has {length:,} characters; {_ends(subject.description)}",
            "begin with what matters, and move the rest to the parameters or to errors",
            f"{most:,} at most",
        )


def look_at_instructions(index: Index, values: Values) -> Iterator[Hit]:
    text, most = index.project.server.instructions, number(values["most"])
    if len(text) > most:
        yield Hit(
            ("server", "instructions"),
            f"the server's instructions have {len(text):,} characters; {_ends(text)}",
            "say what matters first, and of single tools in their descriptions",
            f"{most:,} at most",
        )


# Parameters


def look_at_parameters(subject: Subject, values: Values) -> Iterator[Hit]:
    pattern = compiled(str(values["pattern"]))
    for pointer, name in _names(subject, values):
        if not pattern.fullmatch(name):
            yield Hit(
                pointer,
                f'the parameter "{name}"',
                f"name it {_other_parameter(name, pattern)}; "
                "what the server calls it can stay as one of its `aliases`",
                f"only {values['expected']}",
                key=True,
            )


def _other_parameter(name: str, pattern: re.Pattern[str]) -> str:
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss"))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    other = re.sub(r"[^A-Za-z0-9_]+", "_", letters).strip("_")
    return f'"{other}"' if other and pattern.fullmatch(other) else "in ASCII letters"


def look_at_parameter_lengths(subject: Subject, values: Values) -> Iterator[Hit]:
    most = number(values["most"])
    for pointer, name in _names(subject, values):
        if len(name) > most:
            yield Hit(
                pointer,
                f'the parameter "{name}" has {len(name)} characters',
                "shorten it; nested objects need no long names",
                f"{most} at most",
                key=True,
            )


def _names(subject: Subject, values: Values) -> Iterator[tuple[Pointer, str]]:
    """Parameters of the tool's own with `where = "top"`, of any depth otherwise."""
    schemas = subject.input_schemas
    for pointer, schema in schemas[:1] if values.get("where") == "top" else schemas:
        for way, _ in members(schema):
            yield (*pointer, *way), str(way[-1])
