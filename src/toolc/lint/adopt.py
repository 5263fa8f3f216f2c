"""Suppressions for all that is found, so that an old project can take up the linter in one go.

In TOML and YAML a comment on a line of its own stands above what a finding is about; in JSON the key
`x-toolc-ignore` in the innermost object that can have one without changing a tool.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from toolc import edits
from toolc.edits import Edit
from toolc.lint.fixes import IsRight, Look, Outcome, Sources
from toolc.lint.suppressions import KEY, UNUSED, find_suppressions
from toolc.loader import load
from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic, Severity
from toolc.model.document import Document, JsonValue, Pointer, SourceFile, Span
from toolc.model.fix import Fix

_KEEPS_TOOLS = Fix("ignore it", (), is_safe=True, keeps_tools=True)


def add_ignores(sources: Sources, look: Look, is_right: IsRight) -> Outcome:
    """Suppress what `look` finds in the texts. Where a definition does not compile, nothing is."""
    texts = dict(sources)
    found = look(texts)
    made: list[Diagnostic] = []
    refused: list[Diagnostic] = []
    if any(one.severity is Severity.ERROR and one.code in CODES for one in found):
        return Outcome(texts, (), (), found)
    by_path: dict[str, list[Diagnostic]] = {}
    for one in found:
        if one.path in texts and one.site is not None and one.site.span and one.code != UNUSED.code:
            by_path.setdefault(one.path, []).append(one)
    for path, some in by_path.items():
        for group, ways in _groups(texts[path], some):
            after = _ignored(texts, path, group, ways, is_right)
            (made if after is not None else refused).extend(group)
            texts[path] = after or texts[path]
    return Outcome(texts, tuple(made), tuple(refused), look(texts) if made else found)


def _groups(
    source: SourceFile, found: Iterable[Diagnostic]
) -> Iterator[tuple[list[Diagnostic], list[Pointer]]]:
    """The findings line by line from the last to the first, so that places before an edit stay true;
    in JSON each by itself, with the objects around it from the innermost on."""
    if source.path.endswith(".json"):
        document = load(source)[0]
        for one in found:
            yield [one], [] if document is None else _around(document, _start(one))
        return
    groups: dict[int, list[Diagnostic]] = {}
    for one in found:
        groups.setdefault(edits.line_around(source.text, _start(one))[0], []).append(one)
    for line in sorted(groups, reverse=True):
        yield groups[line], []


def _start(found: Diagnostic) -> int:
    return found.site.span.start if found.site is not None and found.site.span is not None else 0


def _ignored(
    sources: Sources,
    path: str,
    found: Sequence[Diagnostic],
    ways: Sequence[Pointer],
    is_right: IsRight,
) -> SourceFile | None:
    """A file in which some findings of one line are suppressed, in JSON in one of the objects `ways`;
    None where that cannot be done."""
    document = load(sources[path])[0]
    if document is None or document.source is None:
        return None
    if path.endswith(".json"):
        one = found[0]
        if any(one.code in _standing(document, way) for way in ways):
            return sources[path]  # another finding of the rule has brought it in
        for edit in _json_edits(document, ways, one.code):
            after = SourceFile(path, edits.apply(document.source.text, [edit]))
            if is_right(sources, after, one._replace(fix=_KEEPS_TOOLS)):
                return after
        return None
    codes = sorted({one.code for one in found})
    for edit in _comment_edits(document, _start(found[0]), codes):
        after = SourceFile(path, edits.apply(document.source.text, [edit]))
        shift = len(edit.text) if edit.span.start <= _start(found[0]) else 0
        if _is_commented(document, after, {(one.code, _start(one) + shift) for one in found}):
            return after
    return None


def _comment_edits(document: Document, start: int, codes: Sequence[str]) -> Iterator[Edit]:
    """Ways to have a comment name some codes for the line of `start`, the best first."""
    text = document.source.text if document.source is not None else ""
    covering = [
        row for row in find_suppressions(document) if row.code and _covers(row.covered, start)
    ]
    missing = [code for code in codes if code not in {row.code for row in covering}]
    if covering and covering[-1].site.span is not None:
        end = covering[-1].site.span.end
        yield Edit(Span(end, end), "".join(f", {code}" for code in missing))
    comment = f"# toolc: ignore[{', '.join(missing)}]"
    first, end = edits.line_around(text, start)
    line = text[first:end]
    indent = line[: len(line) - len(line.lstrip())]
    yield Edit(Span(first, first), indent + comment + edits.newline(text))
    yield Edit(Span(end, end), "  " + comment)


def _covers(covered: Span, offset: int) -> bool:
    return covered.start <= offset < covered.end


def _is_commented(before: Document, after: SourceFile, rows: Iterable[tuple[str, int]]) -> bool:
    """Whether a text says what it said before, with suppressions of these codes at these places."""
    document = load(after)[0]
    if document is None or document.value != before.value:
        return False
    suppressions = find_suppressions(document)
    return all(
        any(row.code == code and _covers(row.covered, offset) for row in suppressions)
        for code, offset in rows
    )


def _around(document: Document, offset: int) -> list[Pointer]:
    """The objects around a place, from the innermost to the outermost."""
    around = [
        pointer
        for pointer, place in document.places.items()
        if isinstance(edits.value_at(document.value, pointer), dict)
        and KEY not in pointer
        and _covers(place.value, offset)
    ]
    return sorted(around, key=len, reverse=True)


def _standing(document: Document, pointer: Pointer) -> Collection[JsonValue]:
    """The codes that an object suppresses."""
    table = edits.value_at(document.value, pointer)
    codes = table.get(KEY) if isinstance(table, dict) else None
    return codes if isinstance(codes, (list, dict)) else ()


def _json_edits(document: Document, ways: Iterable[Pointer], code: str) -> Iterator[Edit]:
    """The edits that suppress a code in one or another of some objects."""
    for pointer in ways:
        table = edits.value_at(document.value, pointer)
        assert isinstance(table, dict)
        edit: Edit | None
        standing = table.get(KEY)
        if isinstance(standing, list):
            edit = edits.add_item(document, (*pointer, KEY), code)
        elif isinstance(standing, dict):
            edit = edits.add_key(document, (*pointer, KEY), code, '""', None)
        else:
            beside = "name" if "name" in table else None
            edit = edits.add_key(document, pointer, KEY, f'["{code}"]', beside)
        if edit is not None:
            yield edit
