"""What is wrong with a YAML text, from the place where PyYAML stopped."""

from __future__ import annotations

import re

from yaml.error import MarkedYAMLError, YAMLError

from toolc.loader.limits import LEVELS_HINT, MAX_DEPTH, offset_span
from toolc.loader.problem import Problem, character_name, pointer_name, quoted, shown
from toolc.loader.signs import Sign, behind_text, read_sign
from toolc.model.document import Pointer, Span

# What YAML calls printable; the byte order mark, which may stand at the start, is dropped before.
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_INDENT_HINT = "indent all keys of one mapping, and all items of one list, alike"
_LINE = r"[^\r\n]*"
_UNCLOSED = "end of stream|document indicator|document separator"
_EXPECTED = "expected|document start"

_BEHIND_TEXT = re.compile(r"[\w\"'][^\r\n]*")

# libyaml and the parser in Python word some errors differently; the patterns take both.
_SIGNS = (
    Sign("tab|token", r"\t", "a tab stands where YAML wants spaces", "indent with spaces"),
    Sign(
        "cannot start any token",
        _LINE,
        "a text without quotes cannot begin with {2}",
        "write {1}",
    ),
    Sign(
        "Unicode character escape",
        "",
        "an escape gives a surrogate, which is half a character",
        "write the character itself",
        "L103",
    ),
    Sign(
        "hexa?decimal",
        "",
        "an escape lacks its hexadecimal digits",
        "write the backslash twice, or put the text in single quotes",
    ),
    Sign(
        "escape",
        "",
        "a backslash in double quotes escapes nothing",
        "write the backslash twice, or put the text in single quotes",
    ),
    Sign(
        "mapping values are not allowed",
        "",
        "a second colon stands in one entry, or a line is indented too far",
        'put a text that contains ": " in quotes; ' + _INDENT_HINT,
    ),
    Sign(
        "sequence entries are not allowed",
        "",
        "a list begins on the line of its key",
        "begin it on a line of its own, or put a text that begins with - in quotes",
    ),
    Sign(
        _UNCLOSED,
        "",
        "the text in quotes that begins here is not closed",
        "close it with the same quotation mark",
    ),
    Sign(
        _EXPECTED,
        behind_text("'"),
        "the text in single quotes ends at the quote before {0}",
        "write '' for an apostrophe inside it, or put the text in double quotes",
    ),
    Sign(
        _EXPECTED,
        behind_text('"'),
        "the text in double quotes ends at the quote before {0}",
        'write \\" for a quotation mark inside it, or put the text in single quotes',
    ),
    Sign(
        r"expected ',' or '\]'",
        "",
        "a comma or the closing ] is missing",
        "put a comma between the items",
    ),
    Sign(
        r"expected ',' or '\}'",
        "",
        "a comma or the closing }} is missing",
        "put a comma between the pairs, and a blank behind each colon",
    ),
    Sign(
        "expected ':'",
        "",
        "a key stands without its colon",
        "write key: value, with a blank behind the colon",
    ),
)
_OUT_OF_PLACE = "'-' indicator|block end|expected key|document start"
_LATER_SIGNS = (
    Sign(
        "'-' indicator|block end|expected key",
        "",
        "this belongs neither to the mapping or list above nor to what is around it",
        _INDENT_HINT,
    ),
    Sign(
        "nesting depth",
        "",
        f"mappings and lists nest deeper than {MAX_DEPTH} levels",
        LEVELS_HINT,
        "L109",
    ),
    Sign("tag", "", "tags are not taken", "remove the tag", "L108"),
    Sign("document start", "", "more stands behind the end of the document", _INDENT_HINT),
)

# What is said where a text without quotes begins with one of these, and means none of them.
_START = "alphabetic or numeric|line break|chomping|indentation|mapping keys are|node content"
_NAMES, _BLOCK = "*&", "|>"
_INDICATORS = _NAMES + _BLOCK + "?,]}"
_VALUE_BEGINS = re.compile(r"[ \t]*(?:-[ \t]+)*(?:[^\s:'\"\[{#][^:\r\n]*:[ \t]+)?(?:-[ \t]+)*")
_REST = re.compile(_LINE)
_CLOSED = re.compile(r"[\[{'\"][^\r\n]*([\]}'\"])[ \t]*\Z")


def explain(text: str, error: YAMLError, pointer: Pointer, leaf: Span) -> Problem:
    """The problem that made PyYAML stop.

    `pointer` is the way to the node it was reading, `leaf` the last scalar before that.
    """
    mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
    if not isinstance(error, MarkedYAMLError) or mark is None:
        return _explain_character(text)
    said = error.problem or error.context or ""
    begin = error.context_mark
    offset: int = mark.index
    if begin is not None and re.search(_UNCLOSED, said):
        offset = begin.index  # the end of the file says nothing
    begun = _explain_begin(text, said, offset, offset if begin is None else begin.index)
    if begun is not None:
        return begun
    problem = _explain_long_text(text, leaf, offset) or read_sign(_SIGNS, said, text, offset)
    if problem is None and (more := _explain_more(text, said, offset)) is not None:
        return more
    problem = problem or read_sign(_LATER_SIGNS, said, text, offset)
    if problem is None:
        problem = Problem("L104", said, offset_span(text, offset), "see yaml.org/spec/1.2.2")
    if begin is not None and begin.index not in (offset, problem.span.start):
        related = ("what was being read begins here", offset_span(text, begin.index))
        problem = problem._replace(related=(related,))
    if problem.code == "L103":
        message = f"{problem.message}, at {pointer_name(pointer)}"
        problem = problem._replace(message=message, pointer=pointer)
    return problem


def _explain_begin(text: str, said: str, offset: int, begin: int) -> Problem | None:
    """A text without quotes that begins with a character which means something in YAML."""
    if re.search(_START, said) is None:
        return None
    at = begin if text[begin : begin + 1] in (*_NAMES, *_BLOCK) else offset
    if text[at : at + 1] not in (*_INDICATORS,) or at != _value_begin(text, at):
        return None
    written = _rest(text, at)
    hint = f"write {quoted(written)}"
    if text[at] in _BLOCK:
        hint = f"begin the text on the next line, or {hint}"
    message = f"a text without quotes cannot begin with {character_name(text[at])}"
    return Problem("L104", message, Span(at, at + len(written)), hint)


def _explain_more(text: str, said: str, offset: int) -> Problem | None:
    """What stands behind a list, a mapping or a text in quotes that was meant as the text's beginning."""
    begin = _value_begin(text, offset)
    closed = _CLOSED.match(text, begin, offset)
    more = _rest(text, offset)
    if closed is None or not more or re.search(_OUT_OF_PLACE, said) is None:
        return None
    message = f"{shown(more)} stands behind the closing {closed[1]}"
    hint = f"write {quoted(_rest(text, begin))} for one text"
    return Problem("L104", message, Span(offset, offset + len(more)), hint)


def _value_begin(text: str, offset: int) -> int:
    """Where the value of the entry begins that stands on the line of `offset`."""
    line = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    match = _VALUE_BEGINS.match(text, line)
    return match.end() if match else line


def _rest(text: str, offset: int) -> str:
    """The rest of a line."""
    match = _REST.match(text, offset)
    return match[0].rstrip() if match else ""


def _explain_long_text(text: str, leaf: Span, offset: int) -> Problem | None:
    """A text in quotes that was closed by what begins another one, some lines below."""
    quote = text[leaf.start : leaf.start + 1]
    if quote not in ("'", '"') or leaf.end != offset or "\n" not in text[leaf.start : leaf.end]:
        return None
    rest = _BEHIND_TEXT.match(text, offset)
    if rest is None:
        return None
    lines = text.count("\n", leaf.start, leaf.end)
    below = "on the next line" if lines == 1 else f"{lines} lines below"
    return Problem(
        "L104",
        f"the text that begins here ends only {below}, before {shown(rest[0])}",
        offset_span(text, leaf.start),
        f"close it with {quote} where it should end",
    )


def _explain_character(text: str) -> Problem:
    """PyYAML's reader refuses a character before any syntax, and counts its place in bytes."""
    match = _UNPRINTABLE.search(text)
    if match is None:
        return Problem("L104", "the text cannot be read as YAML", Span(0, 0))
    message = f"the character {character_name(match[0])} cannot stand in YAML"
    hint = "remove it, or write it as an escape in double quotes"
    return Problem("L104", message, Span(*match.span()), hint)
