"""Text into Python code: the only way that it gets there, as a literal or as a docstring.

What is escaped is decided by the tables below and not by `str.isprintable`, whose answer changes
with Python's version: the same text has to become the same bytes everywhere.
"""

from __future__ import annotations

import re

from toolc.model.document import JsonValue

_INVISIBLE = (
    "\x00-\x1f\x7f-\xa0\xad"  # controls, no-break space, soft hyphen
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # joiners, fillers, marks
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164"  # spaces, line ends, bidi controls
    "\ud800-\udfff\ufeff\uffa0\ufff0-\uffff"  # surrogates, BOM, specials
    "\U000e0000-\U0010ffff"  # tags, private planes
)
"""What a reader cannot see, or what ends a line somewhere."""

# Not compiled here: most builds meet plain texts only, for which no pattern is needed.
_SURROGATE = "[\ud800-\udfff]"
_LITERAL_ESCAPED = rf"[\\{_INVISIBLE}]"
_INNER_LINE = rf'\\|"""+|[{_INVISIBLE}]'
_FIRST_LINE = rf'\A"|{_INNER_LINE}'
_ONLY_LINE = rf'\A"|"\Z|{_INNER_LINE}'
"""A quote at either edge would run into the docstring's own."""

_NAMED_ESCAPES = {"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t", '"': r"\""}


def literal(value: JsonValue) -> str:
    """A JSON value as a Python expression on one line; evaluating it gives an equal value.

    Strings are quoted as formatters quote them: with double quotes, or single ones where that
    leaves less to escape.
    """
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, list):
        return f"[{', '.join([literal(item) for item in value])}]"
    if isinstance(value, dict):
        pairs = [f"{_string(key)}: {literal(item)}" for key, item in value.items()]
        return f"{{{', '.join(pairs)}}}"
    return repr(value)


def _string(text: str) -> str:
    if _is_plain(text):
        return f'"{text}"'
    quote = "'" if text.count('"') > text.count("'") else '"'
    escaped = re.sub(_LITERAL_ESCAPED, _escape, text).replace(quote, "\\" + quote)
    return f"{quote}{escaped}{quote}"


def _is_plain(text: str) -> bool:
    """Whether a text is on one line, and nothing in it has to be escaped."""
    # Of ASCII, every version of Python prints the same.
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text


def docstring(text: str, indent: int) -> str:
    """`text` as a docstring for a body indented by `indent` spaces.

    `inspect.getdoc` gives the text back, but for what it takes away from any docstring
    (common indentation, tabs, blank lines around), for white space at line ends, and for lone
    surrogates, which no docstring can hold: they show as `\\ud800`. The first line carries no
    indentation of its own: it goes where the caller puts it.
    """
    if text and _is_plain(text) and text[0] != " " != text[-1]:
        return f'"""{text}"""'
    cleaned = _clean_lines(text)
    lines = cleaned[next((at for at, line in enumerate(cleaned) if line), 0) :]
    if len(lines) < 2:
        return f'"""{re.sub(_ONLY_LINE, _escape, "".join(lines))}"""'
    # A reader takes away what the lines behind the first one share, which before Python 3.13 is more
    # than spaces. Below a blank line the first one shares it too, and so stays below one.
    if len(lines) < len(cleaned):
        indented = [line[0].isspace() for line in lines if line]
        if indented[0] or all(indented[1:]):
            lines.insert(0, "")
    margin = "\n" + " " * indent
    if not _is_plain(text.replace("\n", "")):
        first = re.sub(_FIRST_LINE, _escape, lines[0])
        lines = [first, *[re.sub(_INNER_LINE, _escape, line) for line in lines[1:]]]
    rest = [margin + line if line else "\n" for line in lines[1:]]
    return f'"""{lines[0]}{"".join(rest)}{margin}"""'


def _clean_lines(text: str) -> list[str]:
    """The lines of `text` without common indentation, trailing white space, or blank lines after it."""
    if not text.isascii():
        text = re.sub(_SURROGATE, _escape, text)
    text = text.replace("\r\n", "\n").expandtabs()
    lines = [line.rstrip() for line in text.split("\n")]
    lines[0] = lines[0].lstrip(" ")
    if not any(line and line[0] != " " for line in lines[1:]):
        margin = min([len(line) - len(line.lstrip(" ")) for line in lines[1:] if line], default=0)
        lines[1:] = [line[margin:] for line in lines[1:]]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _escape(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) > 1:
        return found.replace('"', '\\"')
    named = _NAMED_ESCAPES.get(found)
    if named is not None:
        return named
    code = ord(found)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
