"""What is wrong with a TOML text, and where."""

from __future__ import annotations

import re

from toolc.loader.leaves import forbidden_texts, leaves
from toolc.loader.limits import LEVELS_HINT, MAX_DEPTH, MAX_DIGITS, MAX_PROBLEMS, offset_span
from toolc.loader.problem import Duplicate, Problem, duplicate_key, quoted, shown
from toolc.loader.signs import ALONE, Sign, behind_text, read_sign
from toolc.loader.toml import is_json_number
from toolc.loader.toml_places import BARE_KEY, BASIC, LITERAL, MULTI_LINE, scan
from toolc.model.document import JsonValue, Span

_DUPLICATES = (
    "Cannot overwrite",
    "Cannot declare",
    "Cannot redefine",
    "Cannot mutate",
    "Duplicate",
)
_OF_ENDS = "Unterminated|Expected \"'"
_OF_KEYS = "Expected '='|Invalid statement|key part|declaration"
_BACKSLASH_HINT = "write the backslash twice, or put the text in single quotes"

# In escapes tomli's place is behind the backslash, and the offset was moved back to it.
_SIGNS = (
    Sign(
        "Escaped character",
        r"\\(?:u.{4}|U.{8})?",
        "the escape {0} gives a surrogate, or no character at all",
        "write the character itself",
        "L103",
    ),
    Sign("Unescaped", r"\\.?", "the backslash in {0} escapes nothing", _BACKSLASH_HINT),
    Sign("Invalid hex", r"\\.?", "the escape {0} lacks hexadecimal digits", _BACKSLASH_HINT),
    Sign("", "\ufeff", "a byte order mark stands inside the text", "remove it"),
    Sign("", r"\r", "a lone carriage return stands here", "end lines with LF or CRLF"),
    Sign(
        "Invalid value",
        rf"(?i:true|false){ALONE}",
        "{0} is not TOML",
        "booleans are lower case: true, false",
    ),
    Sign(
        "Invalid value",
        rf"(?i:yes|on){ALONE}",
        "{0} is not TOML",
        "write true, or {1} for a text",
    ),
    Sign(
        "Invalid value",
        rf"(?i:no|off){ALONE}",
        "{0} is not TOML",
        "write false, or {1} for a text",
    ),
    Sign(
        "Invalid value",
        rf"(?i:null|none|nil){ALONE}",
        "{0} is no value: TOML has no null",
        "leave the key out, or write {1} for a text",
    ),
    Sign(
        "Invalid value|Invalid statement|key part",
        r"[“”„‟‘’]",
        "a typographic quotation mark, {0}, stands here",
        'use the plain one, "',
    ),
    Sign("Invalid value", r"=", "an equals sign too many stands here", "write key = value"),
    Sign(
        "Invalid value",
        r"\s*(?:#|$)|\n",
        "a value is missing",
        'write one (an empty text is ""), or close the list with ]',
    ),
    Sign(
        "Invalid value",
        r"[^\s,\[\]{}#\"'\x00-\x1f\x7f](?:[^\r\n,\[\]{}#\"]*[^\s,\[\]{}#\"])?",
        "the text {0} stands without quotes",
        "write {1}",
    ),
    Sign("Invalid value", "", "{2} stands where a value is due", "write a value"),
    Sign(
        "Invalid date",
        r"[-\d:.TtZz+ ]*[\dZz]",
        "{0} is no date, and JSON has no dates",
        "write {1} for a text",
        "L106",
    ),
    Sign(
        _OF_KEYS,
        r"(?=[\w-]*[^\s\x00-\x7f])[^\s=.,:;\[\]{}\"'#]+",
        "the key {0} has characters outside A-Z a-z 0-9 _ -",
        "put it in quotes: {1}",
    ),
    Sign("Expected '='", r":", "a colon stands behind the key", "TOML writes key = value"),
    Sign(
        "Expected '='",
        r"[^\s=#][^\r\n=#]*(?==)",
        "a key of several words stands without quotes",
        'write it in quotes: "two words" = value',
    ),
    Sign(
        "Expected '='",
        "",
        "a key stands without a value",
        "write key = value; a comment begins with #",
    ),
    Sign("Invalid statement", r"/[/*]", "{0} begins no comment", "a comment begins with #"),
    Sign(
        "Invalid statement",
        r"[{}\],]",
        "{0} cannot begin a line",
        "TOML writes key = value; for JSON, name the file .json",
    ),
    Sign("Invalid statement", "", "{2} cannot begin a key", "write the key in quotes"),
    Sign(
        "for a key part",
        "",
        "a key, or a part of one, is missing",
        "write a name: letters, digits, _ and -, or anything in quotes",
    ),
    Sign(
        "table declaration|array declaration",
        "",
        "a table's name is not closed",
        "write [name], or [[name]] for one of several",
    ),
    Sign(
        "Illegal character",
        r"\n",
        "the text is not closed on its line",
        'close it with ", or put a text of several lines in """',
    ),
    Sign(
        "(Illegal|invalid) character",
        "",
        "the character {2} cannot stand here",
        "remove it, or write it as an escape in double quotes",
    ),
    Sign(
        _OF_ENDS,
        r"\"{3}|'{3}|[\"']",
        "the text that begins here is not closed",
        "close it with {0}",
    ),
    Sign(
        "Unclosed|Expected newline",
        behind_text("'"),
        "the text in single quotes ends at the quote before {0}",
        "put the text in double quotes, where an apostrophe may stand",
    ),
    Sign(
        "Unclosed|Expected newline",
        behind_text('"'),
        "the text in double quotes ends at the quote before {0}",
        'write \\" for a quotation mark inside it, or put the text in single quotes',
    ),
    Sign(
        "Unclosed array",
        "",
        "a comma or the closing ] is missing",
        "put a comma between the values",
    ),
    Sign(
        "Unclosed inline",
        "",
        "a comma or the closing }} is missing",
        "put a comma between the pairs",
    ),
    Sign(
        "Expected newline",
        r"\]",
        "a closing ] too many stands here",
        "remove it; one of a list of tables is [[name]], with two on both sides",
    ),
    Sign(
        "Expected newline",
        r"[A-Za-z0-9_.-]+(?=[ \t]*=)",
        "a key stands behind a value, or behind a table's name",
        "put it on a line of its own",
    ),
    Sign(
        "Expected newline",
        "",
        "more stands behind the value on its line",
        "put the whole value in quotes, or what follows on a line of its own",
    ),
)

# All that is complete before a text in quotes that is never closed.
_COMPLETE = re.compile(
    rf"""(?:[^"'#]++|#[^\n]*|{MULTI_LINE}|(?!\"{{3}}){BASIC}|(?!'{{3}}){LITERAL})*+""", re.DOTALL
)
_ZERO_NUMBER = re.compile(r"[-+]?0[\d_]+(?:\.\d*)?")


def explain(text: str, said: str, folded_offset: int) -> list[Problem]:
    """The syntax error at which tomli stopped; of duplicate keys, all that can be found.

    `folded_offset` counts in the text with CRLF folded to LF, as tomli does.
    """
    offset = _unfold(text, folded_offset)
    if said.startswith(_DUPLICATES):
        return _find_duplicates(text, offset)
    number = _ZERO_NUMBER.match(text, _number_start(text, offset))
    if number is not None and number.end() > offset:
        message = f"the number {shown(number[0])} begins with a zero"
        hint = f"write {quoted(number[0])} for a text, or drop the zeros"
        return [Problem("L107", message, Span(*number.span()), hint)]
    if said.startswith(("Escaped", "Unescaped", "Invalid hex")):
        offset = text.rfind("\\", 0, offset)
    elif re.search(_OF_ENDS, said):
        offset = _unclosed_text(text, offset)
    elif not text[offset : offset + 1].isascii() and re.search(_OF_KEYS, said):
        offset = _key_start(text, offset)
    problem = read_sign(_SIGNS, said, text, offset)
    return [problem or Problem("L104", said, offset_span(text, offset))]


def find_oddities(text: str, value: JsonValue) -> list[Problem]:
    """Each date, number and text that JSON cannot hold, in the author's spelling."""
    places = scan(text).places
    problems: list[Problem] = []
    for pointer, leaf, is_key in leaves(value):
        if len(problems) == MAX_PROBLEMS:
            break
        if is_key or isinstance(leaf, (str, bool)) or is_json_number(leaf):
            continue
        span = places[pointer].value
        written = text[span.start : span.end]
        name = quoted(next(str(part) for part in reversed(pointer) if isinstance(part, str)))
        hint = f"write {quoted(written)} for a text"
        if isinstance(leaf, float):
            message = f"{name} is {shown(written)}, and JSON has finite numbers only"
        elif isinstance(leaf, int):
            message = f"{name} is an integer of more than {MAX_DIGITS} digits"
        else:
            message = f"{name} is {shown(written)}, and JSON has no dates and times"
        problems.append(Problem("L106", message, span, hint, pointer=pointer))
    return problems + forbidden_texts(value, places)


def find_depth(text: str) -> Problem:
    """Where the first table or array too many opens."""
    deep = scan(text).deep
    if deep is None:
        raise RecursionError("the stack was nearly full before a TOML text was parsed")
    message = f"tables and arrays nest deeper than {MAX_DEPTH} levels"
    return Problem("L109", message, deep, LEVELS_HINT)


def find_long_integer(text: str) -> Problem:
    """The first integer that Python does not convert."""
    match = re.compile(rf"[\d_]{{{MAX_DIGITS + 1},}}").search(text)
    span = Span(*match.span()) if match else Span(0, 0)
    message = f"an integer has more than {MAX_DIGITS} digits"
    return Problem("L106", message, span, "write a smaller number, or a text in quotes")


def _find_duplicates(text: str, offset: int) -> list[Problem]:
    """All that is defined twice; tomli stops at the first, and knows only its second place."""
    found = scan(text)
    problems = [duplicate_key(*row) for row in found.duplicates]
    problems.extend(_duplicate_table(row) for row in found.tables)
    problems.sort(key=lambda problem: problem.span)
    if not problems:
        message = "what is defined here was defined or closed before"
        span = offset_span(text, max(offset - 1, 0))
        problems.append(Problem("L105", message, span, "define each key and each table once"))
    return problems


def _duplicate_table(row: Duplicate) -> Problem:
    """A table's header that stands twice, which mostly is meant as a list of tables."""
    parts = [str(part) for part in row.pointer if isinstance(part, str)]
    name = ".".join(part if BARE_KEY.fullmatch(part) else quoted(part) for part in parts)
    problem = duplicate_key(*row)
    return problem._replace(
        message=f"the table [{shown(name)}] stands twice",
        hint=f"if a list of tables is meant, write [[{shown(name)}]] with double brackets each "
        "time; otherwise put both into one",
    )


def _number_start(text: str, offset: int) -> int:
    """Where a number begins that tomli gave up in the middle of, as it does in `0755`."""
    while offset > 0 and text[offset - 1] in "+-0":
        offset -= 1
    return offset


def _key_start(text: str, offset: int) -> int:
    """Where a key begins that tomli gave up in the middle of, as it does in `naïve`."""
    while offset > 0 and BARE_KEY.match(text[offset - 1]):
        offset -= 1
    return offset


def _unclosed_text(text: str, offset: int) -> int:
    """Where the text in quotes begins that the end of the file closes, which is at `offset`."""
    complete = _COMPLETE.match(text)
    return complete.end() if complete is not None else offset


def _unfold(text: str, offset: int) -> int:
    """An offset in the text with CRLF folded to LF, as one in `text`."""
    folded = text.replace("\r\n", "\n")
    offset = min(offset, len(folded))  # tomli's place may lie behind the end
    line_start = 0
    for _ in range(folded.count("\n", 0, offset)):
        line_start = text.index("\n", line_start) + 1
    return line_start + offset - (folded.rfind("\n", 0, offset) + 1)
