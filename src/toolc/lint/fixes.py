"""Fixes carried out on texts: round by round, each of them proven before it is kept.

A fix is kept if the file, loaded again, holds what it held before but for what the fix says, and
whatever else its caller wants to hold. Fixes that overlap wait for the next round.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from toolc import edits
from toolc.edits import Edit
from toolc.loader import load
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Document, JsonValue, Pointer, SourceFile
from toolc.model.fix import Cut, Fix, Put, Remove, Rename, Rewrite, Step
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

Sources: TypeAlias = "Mapping[str, SourceFile]"
"""By path; the texts are as `loader.decode` gives them, without a byte order mark."""

Look: TypeAlias = "Callable[[Sources], tuple[Diagnostic, ...]]"
"""What is found in some texts."""

IsRight: TypeAlias = "Callable[[Sources, SourceFile, Diagnostic], bool]"
"""Whether a text may take the place of the one of its path, for the sake of a finding."""

MOST_ROUNDS = 20


class Outcome(NamedTuple):
    sources: Sources
    """All texts, those that changed among them."""
    made: tuple[Diagnostic, ...]
    """The findings that are mended, with their places at the time."""
    refused: tuple[Diagnostic, ...]
    """Those whose fix came to something else than it says."""
    left: tuple[Diagnostic, ...]
    """What is found in the end."""

    def changed(self, before: Sources) -> dict[str, str]:
        """The paths and the new texts of the files that differ."""
        return {
            path: source.text
            for path, source in self.sources.items()
            if source.text != before[path].text
        }


def is_wanted(found: Diagnostic, *, unsafe: bool) -> bool:
    """Whether a finding has a fix that may be made."""
    return found.fix is not None and (found.fix.is_safe or unsafe)


def fix_all(sources: Sources, look: Look, is_right: IsRight, *, unsafe: bool = False) -> Outcome:
    """Mend what `look` finds in the texts, until nothing is left that can be mended."""
    texts = dict(sources)
    made: list[Diagnostic] = []
    refused: dict[tuple[object, ...], Diagnostic] = {}
    found = look(texts)
    for _ in range(MOST_ROUNDS):
        waiting: dict[str, list[Diagnostic]] = {}
        for one in found:
            if is_wanted(one, unsafe=unsafe) and one.fix and _identity(one) not in refused:
                waiting.setdefault(one.fix.path, []).append(one)
        number = len(made)
        for path, some in waiting.items():
            if path in texts:
                texts[path], done, failed = fix_file(texts, path, some, is_right)
                made += done
                refused.update((_identity(one), one) for one in failed)
        if len(made) == number:
            break
        found = look(texts)
    return Outcome(texts, tuple(made), tuple(refused.values()), found)


def _identity(found: Diagnostic) -> tuple[object, ...]:
    """What is the same of a finding after other lines have moved."""
    return found.code, found.path, found.tool, found.pointer, found.message


def fix_file(
    sources: Sources, path: str, found: Iterable[Diagnostic], is_right: IsRight
) -> tuple[SourceFile, list[Diagnostic], list[Diagnostic]]:
    """A file with as many findings mended as do not overlap; those, and the ones that cannot be.

    It goes from the end to the beginning, so that places and list positions before a fix stay true.
    """
    texts = dict(sources)
    document = load(texts[path])[0]
    made: list[Diagnostic] = []
    refused: list[Diagnostic] = []
    rows: list[tuple[int, int, Diagnostic, list[Edit]]] = []
    for one in found:
        some = None if document is None or one.fix is None else edits_of(document, one.fix)
        if not some:
            refused.append(one)
            continue
        start, end = min(edit.span.start for edit in some), max(edit.span.end for edit in some)
        rows.append((start, end, one, some))
    rows.sort(key=lambda row: (row[1], row[0]), reverse=True)
    frontier = len(texts[path].text) + 1
    for start, end, one, some in rows:
        if end > frontier:
            continue
        after = SourceFile(path, edits.apply(texts[path].text, some))
        if _is_meant(texts[path], after, one.fix) and is_right(texts, after, one):
            texts[path], frontier = after, start
            made.append(one)
        else:
            refused.append(one)
    return texts[path], made[::-1], refused


def _is_meant(before: SourceFile, after: SourceFile, fix: Fix | None) -> bool:
    """Whether a text holds what it held before, but for what the fix says."""
    old, new = load(before)[0], load(after)[0]
    if old is None or new is None or fix is None:
        return False
    return new.value == meant(old.value, fix)


def meant(value: JsonValue, fix: Fix) -> JsonValue:
    """A document's value after a fix."""
    value = copy.deepcopy(value)
    for step in fix.steps:
        if not isinstance(step, Cut):
            _carry_out(value, step)
    return value


def _carry_out(value: JsonValue, step: Put | Remove | Rename | Rewrite) -> None:
    holder = edits.value_at(value, step.pointer[:-1])
    last = step.pointer[-1]
    assert isinstance(holder, (dict, list))
    match step:
        case Put():
            holder[last] = step.value  # type: ignore[index]
        case Remove():
            del holder[last]  # type: ignore[arg-type]
        case Rewrite():
            holder[last] = "".join(step.letters(str(holder[last])))  # type: ignore[index]
        case Rename():
            assert isinstance(holder, dict)
            rows = [(step.name if key == last else key, held) for key, held in holder.items()]
            holder.clear()
            holder.update(rows)


def edits_of(document: Document, fix: Fix) -> list[Edit] | None:
    """The edits that a fix comes to; None where the text is laid out so that it cannot be made."""
    found: list[Edit] = []
    for step in fix.steps:
        some = _edits_of_step(document, step)
        if some is None:
            return None
        found += some
    found.sort()
    if any(one.span.end > other.span.start for one, other in pairwise(found)):
        return None
    return found


def _edits_of_step(document: Document, step: Step) -> list[Edit] | None:
    match step:
        case Cut():
            return [Edit(step.span, "")]
        case Put():
            return _edits_of_put(document, step)
        case Remove():
            return edits.remove(document, step.pointer)
        case Rename():
            return edits.rename_key(document, step.pointer, step.name)
        case Rewrite():
            text = _value_at(document, step.pointer)
            if not isinstance(text, str):
                return None
            return edits.rewrite(document, step.pointer, step.letters(text))


def _edits_of_put(document: Document, step: Put) -> list[Edit] | None:
    if document.has(step.pointer):
        return edits.replace_value(document, step.pointer, step.value)
    if not step.beside:
        return None
    *table, name = step.pointer
    edit = edits.add_key(document, tuple(table), str(name), edits.scalar(step.value), step.beside)
    return None if edit is None else [edit]


def _value_at(document: Document, pointer: Pointer) -> JsonValue:
    return edits.value_at(document.value, pointer) if document.has(pointer) else None
