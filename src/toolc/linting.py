"""A project, linted: each file by itself, what only shows of all together, and what is kept of that.

What was said of a file is said again without a look at it as long as the file, the files that it names,
the shared definitions, the settings and the rules are what they were.
"""

from __future__ import annotations

import marshal
import os
import time
from collections.abc import Iterable, Mapping, Sequence

from toolc import cache, driver, pipeline
from toolc.driver import Opened, Reader
from toolc.kept import diagnostic_from, diagnostic_row
from toolc.lint.engine import Place, SettingSite, lint_one, lint_together, project_place
from toolc.lint.selection import Selection
from toolc.lint.subject import Row
from toolc.lint.suppressions import (
    TAKE_AWAY,
    UNUSED,
    Suppression,
    apply,
    find_suppressions,
    may_suppress,
)
from toolc.lint.written import Definitions
from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic, Severity, in_order
from toolc.model.digest import text_sha256
from toolc.model.document import Document, Pointer, Site, SourceFile, Span
from toolc.model.fix import Fix
from toolc.model.shared import NOTHING_SHARED, Shared
from toolc.snapshot import NO_STAT, Stat, is_older, read_part, stat_of, write_parts
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

MANY = 300
"""Files from which on several processes are faster than one."""

_BATCH = 50

_TICK = 20_000_000
"""Nanoseconds: what was written within this time before a run may be written again, and look the same."""


class LintedTool(NamedTuple):
    """What is kept of one tool."""

    row: Row
    path: str
    pointer: Pointer
    aliases: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.row.name


class LintedFile(NamedTuple):
    """All that one file came to."""

    path: str
    tools: tuple[LintedTool, ...]
    diagnostics: tuple[Diagnostic, ...]
    """What a build says of it."""
    found: tuple[Diagnostic, ...]
    """What the rules say that look at one tool, suppressed or not."""
    suppressions: tuple[Suppression, ...]
    attachments: tuple[str, ...]


class LintRun(NamedTuple):
    """What came of it."""

    tools: int
    files: int
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]
    """The texts of the files that something is said of."""


def lint_project(
    opened: Opened,
    selection: Selection,
    only: Sequence[str] = (),
    setting: SettingSite | None = None,
) -> LintRun:
    """Compile and lint a project; `only` names the definition files that are wanted, all where it is
    empty. Nothing is written but what is kept."""
    run = _Run(opened, selection, setting, time.time_ns())
    return run.lint(only)


class _Run:
    def __init__(
        self, opened: Opened, selection: Selection, setting: SettingSite | None, now: int
    ) -> None:
        self._root = opened.root
        self._project = opened.project
        self._selection = selection
        self._looking = selection.looking()
        self._setting = setting
        self._now = now
        self._reader = Reader(opened.root)
        self._kept: dict[str, _Kept] = {}
        self._shared: Shared = NOTHING_SHARED
        self._definitions: Definitions | None = None

    def lint(self, only: Sequence[str]) -> LintRun:
        paths, problems, _ = driver.find_sources(self._root, self._project)
        self._reader.problems.extend(problems)
        shared_paths = [path for path in paths if pipeline.is_shared_file(path)]
        wanted = [path for path in paths if path not in shared_paths and (not only or path in only)]
        found_shared = self._read_shared(shared_paths)
        before = _load(self._root, self._key(shared_paths))
        standing = {
            path: kept
            for path in wanted
            if (kept := before.get(path)) is not None and self._stands(path, kept)
        }
        made = self._lint_files([path for path in wanted if path not in standing])
        self._kept = {path: standing.get(path) or made[path] for path in wanted}
        files = [kept.file for kept in self._kept.values()]
        tools, said = pipeline.link(files, self._document, (*self._reader.problems, *found_shared))
        diagnostics = [one for one in said if one.severity is Severity.ERROR]
        if not wanted and not only and not diagnostics:
            diagnostics.append(driver.no_tools(self._project))
        warnings = [one for one in said if one.severity is not Severity.ERROR]
        diagnostics += self._findings(files, tools, warnings, shared_paths, is_whole=not only)
        if not only and self._kept != before:
            _save(self._root, self._key(shared_paths), self._kept)
        for path in {one.path for one in diagnostics if one.path}:
            if path not in self._reader.sources:
                self._reader.read(path)
        return LintRun(len(tools), len(wanted), in_order(diagnostics), self._reader.sources)

    # What everything depends on

    def _read_shared(self, paths: Iterable[str]) -> tuple[Diagnostic, ...]:
        sources = [source for path in paths if (source := self._reader.read(path)) is not None]
        self._shared, problems = pipeline.compile_shared(sources, self._project)
        return self._with_fixes(problems)

    def _key(self, shared_paths: Iterable[str]) -> str:
        texts = [repr(self._reader.sources.get(path)) for path in shared_paths]
        codes, levels, per_file, clients, digest = self._selection
        asked = (
            [rule.code for rule in codes],
            sorted(levels.items()),
            per_file,
            clients.profiles,
            digest,
        )
        return text_sha256(repr((self._project, asked, texts)))

    def _stands(self, path: str, kept: _Kept) -> bool:
        return all(
            known != NO_STAT and stat_of(os.path.join(self._root, other)) == known
            for other, known in ((path, kept.stat), *kept.attached)
        )

    # One file, and many

    def _lint_files(self, paths: Sequence[str]) -> dict[str, _Kept]:
        """Lint by this process, or by some that it forks; what these leave undone is done here."""
        if len(paths) < MANY or not _can_fork():
            return {path: self._lint_file(path) for path in paths}
        from toolc.forks import batches_forked

        made: dict[str, _Kept] = {}
        for batch, data in batches_forked(paths, self._lint_batch, _BATCH):
            if data is None:
                made.update((path, self._lint_file(path)) for path in batch)
            else:
                rows, problems = marshal.loads(data)
                made.update(zip(batch, map(_from_row, rows), strict=True))
                self._reader.problems += map(_found_from, problems)
        return made

    def _lint_batch(self, paths: Sequence[str]) -> bytes:
        """What came of some files, and what kept them from being read, as a process sends it."""
        known = len(self._reader.problems)
        rows = tuple([_as_row(self._lint_file(path)) for path in paths])
        problems = tuple(map(_found_row, self._reader.problems[known:]))
        return marshal.dumps((rows, problems))

    def _lint_file(self, path: str) -> _Kept:
        source = self._reader.read(path)
        if source is None:
            file = LintedFile(path, (), (), (), (), ())
            return _Kept(NO_STAT, (), file)
        compiled = pipeline.compile_file(
            source, self._project, self._shared, self._reader.read_attachment
        )
        definitions = self._placing()
        linted = [definitions.linted(tool) for tool in compiled.tools]
        found = tuple(
            _without_steps(one)
            for tool in linted
            for one in lint_one(tool, self._selection, self._looking)
        )
        if found and compiled.diagnostics:
            from toolc.lint.compiled import without_twins

            found = tuple(without_twins(found, compiled.diagnostics))
        file = LintedFile(
            path,
            tuple(
                [
                    LintedTool(row.subject.row, path, tool.pointer, tool.aliases)
                    for row, tool in zip(linted, compiled.tools, strict=True)
                ]
            ),
            self._with_fixes(compiled.diagnostics),
            found,
            self._suppressions(path),
            compiled.attachments,
        )
        attached = tuple((other, self._stat(other)) for other in compiled.attachments)
        return _Kept(self._stat(path), attached, file)

    def _with_fixes(self, found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        if not found:
            return ()

        from toolc.lint.compiled import with_fixes

        return tuple(map(_without_steps, with_fixes(found, self._document)))

    def _suppressions(self, path: str) -> tuple[Suppression, ...]:
        source = self._reader.sources.get(path)
        if source is None or not may_suppress(source.text):
            return ()
        document = self._document(path)
        found = () if document is None else find_suppressions(document)
        return tuple(row._replace(without=TAKE_AWAY) for row in found)

    def _stat(self, path: str) -> Stat:
        """What a file was like when it was read; NO_STAT where it may have changed meanwhile."""
        known = self._reader.seen.get(path)
        stat = NO_STAT if known is None else known.stat
        return stat if is_older(stat, self._now - _TICK) else NO_STAT

    # All together

    def _findings(
        self,
        files: Sequence[LintedFile],
        tools: Iterable[LintedTool],
        warnings: Iterable[Diagnostic],
        shared_paths: Sequence[str],
        *,
        is_whole: bool,
    ) -> list[Diagnostic]:
        """What is left of what rules find, and of what compiling warns of, when each file's
        suppressions have been applied."""
        by_name = {tool.name: tool for tool in tools}

        def place_of(name: str) -> Place | None:
            if not name:
                return project_place(self._project, self._setting)
            tool = by_name.get(name)
            if tool is None:
                return None
            if tool.path not in self._reader.sources:
                self._reader.read(tool.path)
            site = self._placing().site_of(tool.path, tool.name, tool.pointer)
            return Place(tool.path, site)

        rows = [tool.row for tool in by_name.values()]
        found: dict[str, list[Diagnostic]] = {}
        together = lint_together(rows, place_of, self._selection, self._project)
        for one in (*warnings, *(one for file in files for one in file.found), *together):
            found.setdefault(one.path, []).append(one)
        suppressions = {file.path: file.suppressions for file in files}
        suppressions |= {path: self._suppressions(path) for path in shared_paths}
        left: list[Diagnostic] = []
        asked = self._selection.codes | CODES.keys()
        for path in dict.fromkeys((*suppressions, *found)):
            # What uses a shared file may be among the files that are left out.
            is_sure = is_whole or path not in shared_paths
            told = apply(found.get(path, ()), suppressions.get(path, ()), asked)
            left += (one for one in told if is_sure or one.code != UNUSED.code)
        return left

    def _placing(self) -> Definitions:
        if self._definitions is None:
            self._definitions = Definitions(self._reader.sources, self._shared, self._project)
        return self._definitions

    def _document(self, path: str) -> Document | None:
        if path not in self._reader.sources:
            self._reader.read(path)
        return self._placing().document(path)


def _can_fork() -> bool:
    from toolc.forks import can_fork  # which few files have no need to load

    return can_fork()


def _without_steps(found: Diagnostic) -> Diagnostic:
    """A finding with a fix that says what would be done, and whether it is safe: who edits looks anew."""
    fix = found.fix
    return found if fix is None else found._replace(fix=fix._replace(steps=(), path=""))


def _found_row(found: Diagnostic) -> tuple[Any, ...]:
    return diagnostic_row(found), None if found.fix is None else tuple(found.fix)


def _found_from(row: tuple[Any, ...]) -> Diagnostic:
    found, fix = row
    return diagnostic_from(found)._replace(fix=None if fix is None else Fix(*fix))


class _Kept(NamedTuple):
    """A file, and what it was like when it was linted."""

    stat: Stat
    attached: tuple[tuple[str, Stat], ...]
    """The same of the files that it names."""
    file: LintedFile


def _load(root: str, key: str) -> dict[str, _Kept]:
    """What was kept under the same key; nothing where there is nothing to rely on."""
    read = read_part(root, cache.LINT, 1)
    if read is None:
        return {}
    try:
        known, rows = marshal.loads(read[1])
        return {} if known != key else {row[2][0]: _from_row(row) for row in rows}
    except (ValueError, EOFError, TypeError):
        return {}


def _save(root: str, key: str, kept: Mapping[str, _Kept]) -> None:
    """Keep it; where that cannot be done, the next run does it all again."""
    try:
        if cache.make_folder(root):
            rows = tuple(map(_as_row, kept.values()))
            write_parts(root, cache.LINT, b"", marshal.dumps((key, rows)))
    except OSError:
        pass


def _as_row(kept: _Kept) -> tuple[Any, ...]:
    file = kept.file
    return (
        kept.stat,
        kept.attached,
        (
            file.path,
            tuple([(tuple(tool.row), *tool[1:]) for tool in file.tools]),
            tuple(map(_found_row, file.diagnostics)),
            tuple(map(_found_row, file.found)),
            tuple(
                [
                    (row.code, tuple(row.covered), row.site.path, tuple(row.site.span or ()))
                    for row in file.suppressions
                ]
            ),
            file.attachments,
        ),
    )


def _from_row(row: tuple[Any, ...]) -> _Kept:
    stat, attached, (path, tools, diagnostics, found, suppressions, attachments) = row
    return _Kept(
        stat,
        attached,
        LintedFile(
            path,
            tuple([LintedTool(Row(*tool[0]), *tool[1:]) for tool in tools]),
            tuple(map(_found_from, diagnostics)),
            tuple(map(_found_from, found)),
            tuple(
                [
                    Suppression(code, Span(*covered), Site(where, Span(*span)), TAKE_AWAY)
                    for code, covered, where, span in suppressions
                ]
            ),
            attachments,
        ),
    )
