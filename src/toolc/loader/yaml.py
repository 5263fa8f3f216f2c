"""YAML text -> value: PyYAML's parser for the events, our own builder for what they mean.

One builder makes both the value and the places. It runs without places first; only a text with
something to report is built a second time, with every leaf as a node that knows where it stands.
"""

from __future__ import annotations

import re
from math import isfinite, isinf
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from yaml.error import YAMLError
from yaml.events import (
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from toolc.loader.leaves import forbidden_text
from toolc.loader.limits import (
    EMPTY_HINT,
    LEVELS_HINT,
    MAX_BITS,
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_EXPANSION,
    MAX_PROBLEMS,
)
from toolc.loader.problem import Problem, duplicate_key, quoted, shown
from toolc.loader.text import name_forbidden
from toolc.loader.yaml_scalars import MAYBE_NOT_TEXT, begins_with_zero, resolve
from toolc.model.codes import CODES
from toolc.model.diagnostic import Severity
from toolc.model.document import JsonValue, Place, Places, Pointer, Span

try:
    from yaml._yaml import CParser as EventSource
except ImportError:  # PyYAML was built without libyaml: the same events, ten times slower
    from yaml.loader import BaseLoader as EventSource  # type: ignore[assignment]

if TYPE_CHECKING:
    from toolc.loader import IsKnown

__all__ = ["locate", "parse"]


class _Leaf(NamedTuple):
    """A scalar, where places are wanted."""

    value: JsonValue
    span: Span


_Node: TypeAlias = Any
"""A dict or list of nodes, or a leaf: the scalar itself, or a _Leaf where places are wanted."""


class _Open:
    """A mapping or sequence that is not closed yet."""

    __slots__ = ("is_mapping", "key", "merge", "node", "start")

    def __init__(self, node: _Node, is_mapping: bool, start: int) -> None:
        self.node = node
        self.is_mapping = is_mapping
        self.start = start
        self.key: str | None = None  # of the value that is due; None where a key is due
        self.merge: Span | None = None  # of the key `<<`


class _StopBuild(Exception):  # noqa: N818 (a signal, not an error)
    """Nothing more can be built; the problem is noted."""


def parse(text: str, _is_known: IsKnown | None = None) -> tuple[JsonValue, list[Problem]]:
    """The value of a YAML text; it means nothing where there are errors."""
    builder = _Builder(text, with_places=False)
    value = builder.build()
    if not builder.problems:
        return value, []
    again = _Builder(text, with_places=True)
    again.build()
    return value, again.problems


def locate(text: str) -> Places:
    """The place of each value in a YAML text that `parse` accepted.

    What an alias or a merge brings stands where it was written, at the anchor, so that the text at
    a value's place is always the value's own; its key is the one beside the alias.
    """
    builder = _Builder(text, with_places=True)
    places: dict[Pointer, Place] = {}
    waiting: list[tuple[Pointer, Span | None, _Node]] = [((), None, builder.build())]
    while waiting:
        pointer, key, node = waiting.pop()
        span = node.span if isinstance(node, _Leaf) else builder.spans.get(id(node), Span(0, 0))
        places[pointer] = Place(key, span)
        if isinstance(node, dict):
            keys = builder.keys.get(id(node), {})
            waiting.extend(((*pointer, name), keys.get(name), node[name]) for name in node)
        elif isinstance(node, list):
            waiting.extend(((*pointer, index), None, child) for index, child in enumerate(node))
    return places


# `<<` waits in its mapping under a name that no YAML text can hold.
_MERGE = "<<\0"

# Line ends to YAML 1.1 and to PyYAML, characters of a text to YAML 1.2 and to whoever pasted them.
_FORMER_LINE_ENDS = "\x85\u2028\u2029"
_PRIVATE_USE = range(0xE000, 0xF900)

_CUT_TEXT = re.compile(r"[ \t]+(#[^\s#][^\r\n]*)")
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*\s*)+")


class _Builder:
    """Builds the one document of a text, and notes the problems on the way.

    `spans` and `keys`, by the identity of a container, are filled only with places.
    """

    def __init__(self, text: str, with_places: bool) -> None:
        self.problems: list[Problem] = []
        self.spans: dict[int, Span] = {}
        self.keys: dict[int, dict[str, Span]] = {}
        self._text = text
        self._with_places = with_places
        self._opened: list[_Open] = []
        self._anchors: dict[str, _Node] = {}
        self._budget = MAX_EXPANSION
        self._leaf = Span(0, 0)  # the last one, with places
        self._end = 0  # of the last leaf or bracket, with places
        self._may_be_cut = " #" in text or "\t#" in text
        self._stand_ins = _choose_stand_ins(text)
        self._originals = {ord(new): old for old, new in self._stand_ins.items()}

    def build(self) -> _Node:
        """The document's node; None where a problem lets nothing be built."""
        try:
            text = self._text.translate(self._stand_ins) if self._stand_ins else self._text
            return self._document(EventSource(text))
        except YAMLError as error:
            from toolc.loader.yaml_errors import explain

            self.problems.append(explain(self._text, error, self._pointer(), self._leaf))
        except _StopBuild:
            pass
        return None

    def _document(self, source: EventSource) -> _Node:
        next_event = source.get_event
        next_event()  # the stream's start
        event = next_event()
        if type(event) is StreamEndEvent:
            return self._empty()
        event = next_event()
        if type(event) is ScalarEvent and not (event.value or event.style or event.tag):
            root = self._empty()
            next_event()
        else:
            root = self._node(event, next_event)
        next_event()  # the document's end
        event = next_event()
        if type(event) is DocumentStartEvent:
            self._note(
                "L108",
                "a second document begins here",
                _span(event),
                "a file holds one document; give each tool a file, or list them under tools",
            )
        return root

    def _empty(self) -> _Node:
        self._note("L111", "the file is empty", Span(0, 0), EMPTY_HINT)
        return {}

    def _node(self, event: Any, next_event: Any) -> _Node:
        """The node that begins with `event`, and all inside it."""
        opened = self._opened
        while True:
            kind = type(event)
            if kind is ScalarEvent:
                node = self._scalar(event)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                self._open(event, kind is MappingStartEvent)
                event = next_event()
                continue
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                node = self._close(event)
            else:
                node = self._alias(event)
            if not opened:
                return node
            inside = opened[-1]
            if not inside.is_mapping:
                inside.node.append(node)
            elif inside.key is None:
                inside.key = self._key(inside, node, event)
            else:
                inside.node[inside.key] = node
                inside.key = None
            event = next_event()

    # Leaves

    def _scalar(self, event: Any) -> _Node:
        if self._originals:
            event.value = event.value.translate(self._originals)
        value: JsonValue = event.value
        if not event.style:  # plain: libyaml says "", the parser in Python None
            if not value or event.value[0] in MAYBE_NOT_TEXT:
                value = self._plain(event)
            if self._may_be_cut and isinstance(value, str):
                self._warn_of_cut(event)
        elif event.style == '"' and (held := name_forbidden(event.value)):
            self._refuse_text(event, held)
        node: _Node = value
        if self._with_places:
            span = self._leaf_span(event)
            self._leaf, self._end = span, span.end
            node = _Leaf(value, span)
        if event.tag is not None:
            self._refuse_tag(event)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _plain(self, event: Any) -> JsonValue:
        """The value of a plain scalar; its text where that is refused, so that it is said once."""
        text: str = event.value
        try:
            value = resolve(text)
        except ValueError:
            value = 1 << (MAX_BITS + 1)
        if isinstance(value, str) or value is None or isinstance(value, bool):
            return value
        hint = f"write {quoted(text)} for a text"
        if begins_with_zero(text):
            message = f"the number {shown(text)} begins with a zero"
            self._note("L107", message, _span(event), f"{hint}, or drop the zeros")
        elif isinstance(value, int):
            if value.bit_length() <= MAX_BITS:
                return value
            message = f"the integer {shown(text)} has more than {MAX_DIGITS} digits"
            self._note("L106", message, _span(event), hint)
        elif isinf(value):
            self._note("L106", f"the number {shown(text)} overflows a double", _span(event), hint)
        elif not isfinite(value):
            self._note("L106", f"JSON has no {shown(text)}", _span(event), hint)
        else:
            return value
        return text

    def _warn_of_cut(self, event: Any) -> None:
        start, end = _span(event)
        cut = _CUT_TEXT.match(self._text, end)
        if cut is not None:
            whole = self._text[start : cut.end()].rstrip()
            self._note(
                "L110",
                f"{shown(cut[1])} was read as a comment; the text ends before it",
                Span(cut.start(1), cut.end(1)),
                f"write {quoted(whole)}, or a blank behind # for a comment",
            )

    def _refuse_text(self, event: Any, held: str) -> None:
        inside = self._opened[-1] if self._opened else None
        is_key = inside is not None and inside.is_mapping and inside.key is None
        pointer = (*self._pointer(), event.value) if is_key else self._pointer()
        self._add(forbidden_text(pointer, held, _span(event), is_key=is_key))

    def _refuse_tag(self, event: Any) -> None:
        start = event.start_mark.index
        match = _PROPERTIES.match(self._text, start)
        span = Span(start, match.end() if match else start)
        written = self._text[start : span.end].strip()
        span = Span(start, start + len(written))
        hint = "remove the tag; quotes make a text, and their absence a number or boolean"
        self._note("L108", f"the tag {shown(written)} is not taken", span, hint)

    # Containers

    def _open(self, event: Any, is_mapping: bool) -> None:
        node: _Node = {} if is_mapping else []
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        if event.tag is not None:
            self._refuse_tag(event)
        start = 0
        if self._with_places:
            start = self._start(event)
            self.keys[id(node)] = {}
            self._end = event.end_mark.index
        self._opened.append(_Open(node, is_mapping, start))
        if len(self._opened) > MAX_DEPTH:
            self._stop(
                f"mappings and lists nest deeper than {MAX_DEPTH} levels", event, LEVELS_HINT
            )

    def _close(self, event: Any) -> _Node:
        closed = self._opened.pop()
        if closed.merge is not None:
            self._merge(closed.node, closed.merge)
        if self._with_places:
            # The end of a block is where the next thing begins: its last leaf's end says more.
            self._end = max(self._end, event.end_mark.index if _is_bracket(event) else 0)
            self.spans[id(closed.node)] = Span(closed.start, max(closed.start, self._end))
        return closed.node

    def _key(self, inside: _Open, node: _Node, event: Any) -> str:
        """The key that `node` is; a name of nobody's where it is none, so that building goes on."""
        name = _value_of(node)
        span = _span(event)
        if not isinstance(name, str):
            written = self._text[span.start : span.end]
            message, hint = f"the key {shown(written)} is not a text", f"write {quoted(written)}"
            if isinstance(name, (dict, list)) or not written:
                message, hint = "a key is no text but a mapping, a list or null", "write a text"
            self._note("L108", message, span, hint)
            name = f"{written} {span.start}"
        elif name == "<<" and type(event) is ScalarEvent and not event.style:
            name = _MERGE
            inside.merge = inside.merge or span
        if name in inside.node:
            keys = self.keys.get(id(inside.node), {})
            known = name.removesuffix("\0")
            pointer = (*self._pointer(), known)
            self._add(duplicate_key(known, keys.get(name, span), span, pointer))
        if self._with_places:
            self.keys[id(inside.node)][name] = span
        return name

    # Aliases and merges

    def _alias(self, event: Any) -> _Node:
        """What an alias means; its own name where it means nothing, so that it is said once."""
        span = _span(event)
        if event.anchor not in self._anchors:
            message = f"the alias *{shown(event.anchor)} has no anchor before it"
            hint = f"put a text that begins with * in quotes, or write &{shown(event.anchor)} at a value"
            self._note("L104", message, span, hint)
            return event.anchor
        node = self._anchors[event.anchor]
        if any(container.node is node for container in self._opened):
            message = f"the alias *{shown(event.anchor)} stands inside its own anchor"
            self._note("L108", message, span, "a document cannot contain itself; write it out")
            return event.anchor
        self._end = span.end
        copy = self._copy(node, len(self._opened), event)
        return node if self._with_places else copy

    def _copy(self, node: _Node, level: int, event: Any) -> _Node:
        """A copy of an anchor's node, `level` containers deep, paid from the budget."""
        self._budget -= 1
        if isinstance(node, dict):
            copy: _Node = {}
            for name, child in node.items():
                self._budget -= len(name)
                copy[name] = self._copy(child, level + 1, event)
        elif isinstance(node, list):
            copy = [self._copy(child, level + 1, event) for child in node]
        else:
            value = _value_of(node)
            self._budget -= len(value) if isinstance(value, str) else 0
            copy = node
        if self._budget < 0:
            message = f"aliases expand to more than {MAX_EXPANSION:,} values and characters"
            self._stop(message, event, "repeat less, or write shared parameters as a fragment")
        if level > MAX_DEPTH:
            self._stop(f"aliases nest deeper than {MAX_DEPTH} levels", event, LEVELS_HINT)
        return copy

    def _merge(self, node: _Node, span: Span) -> None:
        """Put what `<<` brings in its place: keys written out win, then the earlier mapping."""
        merged = node[_MERGE]
        sources = merged if isinstance(merged, list) else [merged]
        if not all(isinstance(source, dict) for source in sources):
            hint = "write <<: *anchor, or <<: [*one, *two]"
            self._note("L108", "<< takes a mapping or a list of mappings", span, hint)
            sources = []
        own = dict(node)
        node.clear()
        for name, child in own.items():
            if name != _MERGE:
                node[name] = child
                continue
            for source in sources:
                for inherited in source:
                    if inherited not in own and inherited not in node:
                        node[inherited] = source[inherited]
                        if self._with_places:
                            self.keys[id(node)][inherited] = self.keys[id(source)][inherited]

    # Places and problems

    def _leaf_span(self, event: Any) -> Span:
        """A leaf without its anchor, its tag, and the line ends behind a block text."""
        start, end = self._start(event), event.end_mark.index
        start = min(start, end)
        if event.style in ("|", ">"):
            end = start + len(self._text[start:end].rstrip())
        return Span(start, end)

    def _start(self, event: Any) -> int:
        """Where a node begins, behind its anchor and tag."""
        start: int = event.start_mark.index
        if event.anchor is None and event.tag is None:
            return start
        match = _PROPERTIES.match(self._text, start)
        return match.end() if match else start

    def _pointer(self) -> Pointer:
        """The way to the value that is being built; to its mapping where that is a key."""
        return tuple(
            len(inside.node) if inside.key is None else inside.key.removesuffix("\0")
            for inside in self._opened
            if inside.key is not None or not inside.is_mapping
        )

    def _note(self, code: str, message: str, span: Span, hint: str) -> None:
        self._add(Problem(code, message, span, hint, pointer=self._pointer()))

    def _add(self, problem: Problem) -> None:
        """Enough errors end the building; enough warnings end the warnings."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)
        elif CODES[problem.code].severity is Severity.ERROR:
            self.problems[-1] = problem  # an error must be among them, whatever came before
            raise _StopBuild

    def _stop(self, message: str, event: Any, hint: str) -> None:
        self._note("L109", message, _span(event), hint)
        raise _StopBuild


def _choose_stand_ins(text: str) -> dict[int, str]:
    """For each former line end in a text a character that the text does not have.

    The parser takes these as the text that they stand for, and places stay what they are. None
    where there is nothing to stand in for, or in a text that has every private character.
    """
    former = [ord(character) for character in _FORMER_LINE_ENDS if character in text]
    unused = (chr(code) for code in _PRIVATE_USE if chr(code) not in text) if former else ()
    return dict(zip(former, unused, strict=False))


def _span(event: Any) -> Span:
    return Span(event.start_mark.index, event.end_mark.index)


def _is_bracket(event: Any) -> bool:
    """Whether a container's end is written, as `]` or `}`."""
    return bool(event.end_mark.index > event.start_mark.index)


def _value_of(node: _Node) -> object:
    return node.value if type(node) is _Leaf else node
