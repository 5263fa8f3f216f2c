"""What is wrong with a JSON text, and where."""

from __future__ import annotations

import re
from itertools import islice
from math import isinf

from toolc.loader.json_places import TOKEN, scan
from toolc.loader.leaves import forbidden_texts
from toolc.loader.limits import LEVELS_HINT, MAX_DEPTH, MAX_DIGITS, MAX_PROBLEMS, offset_span
from toolc.loader.problem import Problem, duplicate_key, shown
from toolc.loader.signs import ALONE, Sign, behind_text, read_sign
from toolc.model.document import JsonValue, Span

# What stands at the place says more than the decoder, and says the same under every Python.
_SIGNS = (
    Sign(
        "Unterminated",
        "",
        "the string that begins here is not closed",
        'close it with ", and write a line break in it as \\n',
    ),
    Sign(
        "Invalid control",
        r"[\r\n]",
        "a string is not closed on its line",
        'close it with ", and write a line break in it as \\n',
    ),
    Sign(
        "Invalid control",
        "",
        "a string holds the control character {2}",
        "write it as an escape, as \\t for a tab",
    ),
    Sign(
        r"Invalid \\u",
        "",
        "a \\u escape lacks its four hexadecimal digits",
        "write the backslash twice, or four digits as in \\u0041",
    ),
    Sign(
        r"Invalid \\",
        "",
        "a string holds a backslash that escapes nothing",
        "write the backslash twice",
    ),
    Sign(
        "Expecting|Extra",
        behind_text('"'),
        "the string ends at the quote before {0}",
        'write \\" for a quotation mark inside it',
    ),
    Sign(
        "Extra data",
        r"[{\[\"]",
        "a second document begins here",
        "a file holds one JSON value; give each tool a file, or list them under tools",
    ),
    Sign(
        "",
        r",(?=\s*[}\]])",
        "a comma stands before the closing bracket",
        "remove the comma; JSON has no trailing commas",
    ),
    Sign(
        "",
        r"//[^\r\n]*|/\*.*?(?:\*/|$)|#[^\r\n]*",
        "a comment stands here: {0}",
        "remove it; JSON has no comments (TOML and YAML do)",
    ),
    Sign(
        "",
        r"[-+]?0\d+(?:\.\d*)?",
        "the number {0} begins with a zero",
        "write {1} for a text, or drop the zeros",
        "L107",
    ),
    Sign(
        "",
        r"\d{4}-\d\d-\d\d[\dTtZz:.+-]*",
        "the date {0} stands without quotes",
        "write {1}",
    ),
    Sign("", r"0[xob]\w+", "{0} is not JSON", "write the number in decimal"),
    Sign(
        "",
        r"[-+]?(?:\d+\.|\.\d|\+\d)[\d.eE]*|[-+]?\d+[eE][-+]?(?!\d)",
        "the number {0} is not JSON",
        "JSON wants digits on both sides of the point, and no plus sign",
    ),
    Sign("Extra data", "", "{2} stands behind the end of the document", "remove what follows"),
    Sign("", r"'[^'\r\n]*'?", "{0} is in single quotes", "use double quotes"),
    Sign(
        "",
        r"[“”„‟‘’]",
        "a typographic quotation mark, {0}, stands here",
        'use the plain one, "',
    ),
    Sign("", rf"(?i:yes|on){ALONE}", "{0} is not JSON", "write true, or {1} for a text"),
    Sign("", rf"(?i:no|off){ALONE}", "{0} is not JSON", "write false, or {1} for a text"),
    Sign("", r"(?i:true|false|null)\b", "{0} is not JSON", "write it in lower case"),
    Sign("", r"(?:None|undefined|nil)\b", "{0} is not JSON", "write null"),
    Sign("", r"[^\W\d][\w.-]*", "{0} stands without quotes", "write {1}"),
    Sign("", "\ufeff", "a byte order mark stands inside the text", "remove it"),
    Sign(
        "Expecting ','",
        r'"[^"\r\n]*"?',
        "a comma or the closing bracket is missing before {0}",
        "add the comma",
    ),
    Sign(
        "Expecting ','",
        "",
        "a comma or the closing bracket is missing before {2}",
        "add the comma",
    ),
    Sign("Expecting ':'", "", "the colon behind a key is missing before {2}", "write the colon"),
    Sign(
        "property name",
        "",
        "{2} stands where a key is due",
        "write the key as a text in double quotes",
    ),
    Sign("", "", "{2} stands where a value is due", "write a value"),
)

_SPACES = " \t\r\n"


def explain(text: str, said: str, offset: int) -> Problem:
    """The syntax error at which the decoder stopped, saying `said` about `offset`."""
    if not text.strip(_SPACES):
        return Problem("L104", "the file is empty", Span(0, 0), "write a JSON object, at least {}")
    if not said.startswith(("Unterminated", "Invalid")):  # else the place is inside a string
        offset = _blamed(text, offset)
        if offset == len(text):
            return Problem(
                "L104",
                "the text ends before its objects and lists are closed",
                Span(offset, offset),
                "close what is open, or look for a part that was lost",
            )
    problem = read_sign(_SIGNS, said, text, offset)
    return problem or Problem("L104", said, offset_span(text, offset))


def find_oddities(text: str, value: JsonValue) -> list[Problem]:
    """What the decoder let pass: duplicate keys, numbers and texts that JSON cannot hold.

    `value` is what the text came to, or None where it was not made.
    """
    places, duplicates = scan(text)
    problems = [duplicate_key(*row) for row in duplicates]
    numbers = (
        Problem("L106", message, Span(*token.span()), "write a finite number, or a text in quotes")
        for token in TOKEN.finditer(text)
        if (message := _judge_number(token[0]))
    )
    problems.extend(islice(numbers, MAX_PROBLEMS))
    return problems + forbidden_texts(value, places)


def _judge_number(token: str) -> str:
    """What is wrong with a token as a number; empty where it is fine, or no number."""
    if token in ("NaN", "Infinity", "-Infinity"):
        return f"JSON has no {token}"
    if token[0] not in "-0123456789":
        return ""
    digits = token.lstrip("-")
    if digits.isdigit():
        return f"an integer has more than {MAX_DIGITS} digits" if len(digits) > MAX_DIGITS else ""
    return f"the number {shown(token)} overflows a double" if isinf(float(token)) else ""


def find_depth(text: str) -> Problem:
    """Where the first object or list too many opens; the text need not be valid behind it."""
    depth = 0
    for token in TOKEN.finditer(text):
        if token[0] in "{[":
            depth += 1
            if depth > MAX_DEPTH:
                message = f"objects and lists nest deeper than {MAX_DEPTH} levels"
                return Problem("L109", message, Span(*token.span()), LEVELS_HINT)
        elif token[0] in "}]":
            depth -= 1
    raise RecursionError("the stack was nearly full before a JSON text was parsed")


def _blamed(text: str, offset: int) -> int:
    """The place to show: behind white space; before `}` or `]` the comma that leads there.

    Of a number that the decoder gave up in the middle of (`0755`, `0x1F`, `1.`), its beginning.
    """
    match = re.compile(r"[-+.\w]|").match(text, offset)
    if match is not None and match[0]:
        while offset > 0 and text[offset - 1] in "+-.0123456789":
            offset -= 1
        return offset
    while text[offset : offset + 1] in tuple(_SPACES):
        offset += 1
    if text[offset : offset + 1] in ("}", "]"):
        before = len(text[:offset].rstrip(_SPACES)) - 1
        return before if text[before : before + 1] == "," and before >= 0 else offset
    return offset
