"""Edits of a definition's text, in all three notations: what is not edited stays to the letter.

Each function answers the edits that do one thing to a document, or None where its text is laid out so
that it cannot be done. They do not prove that the text then says what was meant: whoever applies
them loads it again and compares.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from toolc.model.document import Document, JsonValue, Place, Pointer, Span
from toolc_runtime.light import NamedTuple


class Edit(NamedTuple):
    """Put `text` in the place of `span`."""

    span: Span
    text: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """`text` with all the edits made, which do not overlap."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def value_at(value: JsonValue, pointer: Pointer) -> JsonValue:
    """What stands at `pointer` in a value, where something does."""
    for part in pointer:
        value = value[part]  # type: ignore[index]
    return value


def line_around(text: str, offset: int) -> tuple[int, int]:
    """Where the line at `offset` begins, and where its line end does."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    return start, end - 1 if text[start:end].endswith("\r") else end


def newline(text: str) -> str:
    """The line end that a text has."""
    return "\r\n" if "\r\n" in text else "\n"


_PLAIN = re.compile(r"(?!(?:null|true|false)$)[a-z][a-z0-9_-]*", re.IGNORECASE)


def quoted(name: str, like: str) -> str:
    """A name as a string, in the quotes of the text that it stands for or beside."""
    if like.startswith("'"):
        return f"'{name}'"
    return name if not like.startswith('"') and _PLAIN.fullmatch(name) else f'"{name}"'


def scalar(value: JsonValue) -> str:
    """A boolean, a number or a text, as all three notations read it."""
    return json.dumps(value, ensure_ascii=False)


def _notation(document: Document) -> str:
    """`.toml`, `.yaml` or `.json`."""
    path = document.source.path if document.source is not None else ""
    suffix = path[path.rfind(".") :].lower()
    return suffix if suffix in (".toml", ".json") else ".yaml"


def _text(document: Document) -> str:
    return "" if document.source is None else document.source.text


def _stands_elsewhere(place: Place) -> bool:
    """Whether the value does not stand behind its key: an alias of YAML's, a table of TOML's."""
    return place.key is not None and place.value.start < place.key.end


def _is_in_brackets(document: Document, pointer: Pointer) -> bool:
    """Whether the container at `pointer` is written with braces or brackets."""
    place = document.places.get(pointer)
    if place is None:
        return False
    # `[name]` is the place of a TOML table, and no list.
    opening = "{" if isinstance(value_at(document.value, pointer), dict) else "["
    return _text(document).startswith(opening, place.value.start)


# Values and keys


def replace_value(document: Document, pointer: Pointer, value: JsonValue) -> list[Edit] | None:
    """Another boolean, number or text in the place of one."""
    place = document.places.get(pointer)
    if place is None or _stands_elsewhere(place) or isinstance(value, (list, dict)):
        return None
    like = _text(document)[place.value.start : place.value.end]
    written = scalar(value)
    is_quoted = like.startswith(("'", '"')) or _notation(document) == ".yaml"
    if is_quoted and isinstance(value, str) and _PLAIN.fullmatch(value):
        written = quoted(value, like)
    return [Edit(place.value, written)]


def rename_key(document: Document, pointer: Pointer, name: str) -> list[Edit] | None:
    """Another name for a key, in its quotes; in TOML wherever a header mentions it."""
    text = _text(document)
    place = document.places.get(pointer)
    if place is None or place.key is None:
        return None
    spans = {place.key, *_header_mentions(document, pointer)}
    edits = []
    for span in spans:
        quote = text[span.start] if text[span.start] in "\"'" else ""
        edits.append(Edit(span, f"{quote}{name}{quote}"))
    return edits


_HEADER_PART = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")


def _header_mentions(document: Document, pointer: Pointer) -> Iterator[Span]:
    """Where the headers of a TOML text mention the table at `pointer`."""
    if _notation(document) != ".toml":
        return
    text = _text(document)
    at = sum(isinstance(part, str) for part in pointer) - 1
    for other, place in document.places.items():
        if other[: len(pointer)] != pointer or place.key is None:
            continue
        start, end = place.value
        if start < place.key.start and text.startswith("[", start):
            parts = [*_HEADER_PART.finditer(text, start, end)]
            if at < len(parts):
                yield Span(*parts[at].span())


def add_key(
    document: Document, table: Pointer, name: str, written: str, beside: str | None
) -> Edit | None:
    """A new key of a table, behind the key `beside` and laid out as that is, or before the first."""
    text, places = _text(document), document.places
    notation = _notation(document)
    entry = {".toml": f"{name} = {written}", ".json": f'"{name}": {written}'}.get(
        notation, f"{name}: {written}"
    )
    within = places.get(table)
    in_braces = within is not None and text.startswith("{", within.value.start)
    if beside is not None:
        place = places.get((*table, beside))
        if place is None or place.key is None:
            return None
        return _behind(text, place, place.key, entry, in_braces, notation)
    keys = _key_starts(document, table)
    if not keys:
        start = within.value.start + 1 if within is not None and in_braces else 0
        return Edit(Span(start, start), entry if in_braces else entry + newline(text))
    first = min(keys)
    line_start, _ = line_around(text, first)
    indent = text[line_start:first]
    if in_braces:
        gap = "," + newline(text) + indent if not indent.strip() else ", "
    elif notation == ".toml":
        # The first key may be the name in a `[header]`, which must stay together.
        indent = indent[: len(indent) - len(indent.lstrip())]
        return Edit(Span(line_start, line_start), indent + entry + newline(text))
    else:
        gap = newline(text) + " " * len(indent)
    return Edit(Span(first, first), entry + gap)


def _key_starts(document: Document, table: Pointer) -> list[int]:
    """Where the keys of a table begin."""
    names = value_at(document.value, table)
    places = (
        document.places.get((*table, name)) for name in (names if isinstance(names, dict) else ())
    )
    return [place.key.start for place in places if place is not None and place.key is not None]


def _behind(text: str, place: Place, key: Span, entry: str, in_braces: bool, notation: str) -> Edit:
    """The edit that writes `entry` behind the key and value at `place`, laid out as they are."""
    before = text[line_around(text, key.start)[0] : key.start]
    if in_braces:
        gap = ", " if before.strip() else "," + newline(text) + before
        return Edit(Span(place.value.end, place.value.end), gap + entry)
    # In TOML a dotted name may stand before the key, in YAML a list's dash.
    indent = before if notation == ".toml" or not before.strip() else " " * len(before)
    line_end = line_around(text, key.end if _stands_elsewhere(place) else place.value.end)[1]
    return Edit(Span(line_end, line_end), newline(text) + indent + entry)


def add_item(document: Document, pointer: Pointer, item: str) -> Edit | None:
    """A further text in a list, behind its last item, in the quotes of that."""
    text = _text(document)
    place = document.places.get(pointer)
    items = value_at(document.value, pointer)
    if place is None or not isinstance(items, list):
        return None
    if not items:
        start = place.value.start + 1
        return Edit(Span(start, start), f'"{item}"')
    span = document.places[*pointer, len(items) - 1].value
    written = quoted(item, text[span.start : span.end])
    if text[place.value.start] == "[":
        return Edit(Span(span.end, span.end), f", {written}")
    # A YAML block sequence: the new item is a line of its own, with the dash of the one above.
    start, end = line_around(text, span.start)
    return Edit(Span(end, end), f"{newline(text)}{text[start : span.start]}{written}")


# Taking away

_COMMA_BEHIND = re.compile(r"\s*,[ \t]*(?:\r?\n[ \t]*)?")
_COMMA_BEFORE = re.compile(r",\s*\Z")


def remove(document: Document, pointer: Pointer) -> list[Edit] | None:
    """Without a key and its value, or an item of a list. A comment behind it stays, on a line of its
    own."""
    place = document.places.get(pointer)
    if not pointer or place is None or _stands_elsewhere(place):
        return None
    span = Span((place.key or place.value).start, place.value.end)
    if _is_in_brackets(document, pointer[:-1]):
        return [_remove_between_commas(document, pointer[:-1], span)]
    edit = _remove_line(document, pointer, span)
    return None if edit is None else [edit]


def _remove_between_commas(document: Document, container: Pointer, span: Span) -> Edit:
    text = _text(document)
    opening = document.places[container].value.start + 1
    before = _COMMA_BEFORE.search(text[opening : span.start])
    behind = _COMMA_BEHIND.match(text, span.end)
    if before is not None:
        return Edit(Span(opening + before.start(), span.end), "")
    return Edit(Span(span.start, span.end if behind is None else behind.end()), "")


def _remove_line(document: Document, pointer: Pointer, span: Span) -> Edit | None:
    text = _text(document)
    start, _ = line_around(text, span.start)
    _, end = line_around(text, span.end)
    before, rest = text[start : span.start], text[span.end : end]
    comment = rest.lstrip()
    if comment and not comment.startswith("#"):
        return None
    if before.strip() and _notation(document) == ".yaml" and isinstance(pointer[-1], str):
        # The first key of a list's item: the next one takes its place behind the dash.
        following = _next_key(document, pointer, span.end)
        if following is None or text[span.end : following].strip():
            return None
        return Edit(Span(span.start, following), "")
    if comment:
        indent = before if not before.strip() else ""
        return Edit(Span(start, end), indent + comment)
    return remove_lines(text, start, end)


def remove_lines(text: str, start: int, end: int) -> Edit:
    """Without the lines from where the first begins to where the line end of the last does. A text
    that ends without a line end still does."""
    following = text.find("\n", end) + 1
    if following:
        return Edit(Span(start, following), "")
    if start:
        start -= 2 if text[:start].endswith("\r\n") else 1
    return Edit(Span(start, len(text)), "")


def _next_key(document: Document, pointer: Pointer, offset: int) -> int | None:
    """Where the next key of the same table begins."""
    behind = [start for start in _key_starts(document, pointer[:-1]) if start >= offset]
    return min(behind, default=None)


# Letters of a text

_ESCAPE = re.compile(
    r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|(\r?\n[ \t]*)|(.))", re.DOTALL
)
_PAIR = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_NAMED = dict(zip("0abtnvfreN_LP", "\0\a\b\t\n\v\f\r\x1b\x85\xa0\u2028\u2029", strict=True))
"""What a letter behind a backslash means; any other means itself."""

_BLANK = " \t\r\n"


def rewrite(document: Document, pointer: Pointer, letters: list[str]) -> list[Edit] | None:
    """Other letters in a text, one for each of its own: the same, another letter or digit, or
    nothing. Blanks cannot be changed."""
    place, value = document.places.get(pointer), value_at(document.value, pointer)
    if place is None or _stands_elsewhere(place) or not isinstance(value, str):
        return None
    spans = _aligned(value, _letters(_text(document), place.value, _notation(document)))
    if spans is None or len(letters) != len(value):
        return None
    edits = []
    for letter, other, span in zip(value, letters, spans, strict=True):
        if letter != other:
            if span is None or (other and not other.isalnum()):
                return None
            edits.append(Edit(span, other))
    return edits


def _aligned(value: str, written: Iterable[tuple[str, Span]]) -> list[Span | None] | None:
    """Where each letter of a value stands, None for blanks; None where the two do not go together.

    A notation folds and indents blanks, and leaves all else in its order.
    """
    standing = iter([row for row in written if row[0] not in _BLANK])
    spans: list[Span | None] = []
    for letter in value:
        if letter in _BLANK:
            spans.append(None)
            continue
        found, span = next(standing, ("", Span(0, 0)))
        if found != letter:
            return None
        spans.append(span)
    return spans if next(standing, None) is None else None


def _letters(text: str, span: Span, notation: str) -> Iterator[tuple[str, Span]]:
    """The letters that a string is written with, escapes read."""
    at, end = span
    written = text[at:end]
    quote = written[:1] if written[:1] in ("'", '"') else ""
    if quote:
        length = 3 if notation == ".toml" and written.startswith(quote * 3) else 1
        at, end = at + length, end - length
    elif notation == ".yaml" and written[:1] in ("|", ">"):
        at = line_around(text, at)[1]
    while at < end:
        pair = _PAIR.match(text, at, end) if quote == '"' else None
        escape = _ESCAPE.match(text, at, end) if quote == '"' else None
        if pair is not None:
            stop = pair.end()
            high, low = int(pair[1], 16), int(pair[2], 16)
            letter = chr(0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF))
        elif escape is not None:
            stop = escape.end()
            code = escape[1] or escape[2] or escape[3]
            letter = chr(int(code, 16)) if code else _NAMED.get(escape[5] or "", escape[5] or "\n")
        else:
            doubled = quote == "'" and notation == ".yaml" and text.startswith("''", at)
            letter, stop = text[at], at + 1 + doubled
        yield letter, Span(at, stop)
        at = stop
