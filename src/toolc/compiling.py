"""Many files to units: by this process, by some that it forks, or by an executor that is given."""

from __future__ import annotations

import marshal
from collections.abc import Generator, Iterable, Iterator, Sequence

from toolc import driver, pipeline
from toolc.driver import Reader
from toolc.model.artifact import Artifact, Owner, read_text
from toolc.model.diagnostic import Diagnostic
from toolc.model.digest import expect_many_texts
from toolc.model.piece import Lines, Piece, Unit
from toolc.model.project import Project
from toolc.model.shared import Shared
from toolc.table import Known
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Executor, Future
    from typing import Any

    from toolc.generate.templates import Render

MANY = 3_000
"""Files from which on several processes are faster than one."""

_MANY_STUBS = 600
"""Files with Python stubs from which on faster hashes are worth their loading."""

_BATCH = 256
"""Files in one task of an executor."""

_FORKED_BATCH = 64
"""The same of a process of its own, to which a task costs hardly anything."""

_UNDER_WAY = 16
"""Tasks that wait or run at a time, and so are in memory."""


class Settings(NamedTuple):
    """What every file of a project is compiled with."""

    project: Project
    shared: Shared
    templates: Mapping[str, str]
    """The project's own."""
    render: Render


def compile_files(
    paths: Sequence[str], settings: Settings, reader: Reader, executor: Executor | None = None
) -> Generator[Unit, None, None]:
    """The units of these files, in whatever order they get ready. Without an executor this process
    makes them, or where there are MANY, processes of its own, which end with it."""
    is_large = len(paths) >= MANY
    if is_large:
        pipeline.expect_many_files()
    elif len(paths) >= _MANY_STUBS and settings.project.python.enabled:
        expect_many_texts()
    if executor is not None:
        yield from _compile_in(executor, paths, settings, reader)
    elif is_large and _can_fork():
        yield from _compile_forked(paths, settings, reader)
    else:
        yield from _compile_here(paths, settings, reader)


def _can_fork() -> bool:
    from toolc.forks import can_fork  # which a small build has no need to load

    return can_fork()


def _compile(path: str, data: bytes, settings: Settings, reader: Reader) -> Unit:
    project, shared, _, render = settings
    return pipeline.compile_unit(path, data, project, shared, render, reader.read_attachment)


def _compile_here(paths: Iterable[str], settings: Settings, reader: Reader) -> Iterator[Unit]:
    for path in paths:
        data = reader.data(path)
        if isinstance(data, Diagnostic):
            yield Unit(path, (), (data,))
        else:
            yield _compile(path, data, settings, reader)


def _compile_forked(paths: Sequence[str], settings: Settings, reader: Reader) -> Iterator[Unit]:
    """Compile by processes that read the files themselves; what they leave undone is done here."""
    from toolc.forks import batches_forked

    def compile_batch(batch: Sequence[str]) -> bytes:
        own = reader.fresh()
        rows = [_unit_row(unit) for unit in _compile_here(batch, settings, own)]
        return marshal.dumps((rows, {path: tuple(known) for path, known in own.seen.items()}))

    made = batches_forked(paths, compile_batch, _FORKED_BATCH)
    try:
        for batch, data in made:
            if data is None:
                yield from _compile_here(batch, settings, reader)
                continue
            rows, seen = marshal.loads(data)
            reader.take({path: _new(Known, known) for path, known in seen.items()})
            yield from map(_unit_from, rows)
    finally:
        made.close()


# What a forked process sends of a unit: marshal is twice as fast as pickle, and knows no classes.

_new = tuple.__new__
"""A named tuple from a plain one, in half the time that its class takes for it."""


def _unit_row(unit: Unit) -> tuple[Any, ...]:
    """A unit as plain tuples."""
    tools = [
        (piece[:-2], tuple(piece.lines), [_artifact_row(one) for one in piece.artifacts])
        for piece in unit.tools
    ]
    found = b""
    if unit.diagnostics:
        from pickle import dumps

        found = dumps(unit.diagnostics)
    return unit.path, tools, found, unit.attachments, unit.uses


def _unit_from(row: tuple[Any, ...]) -> Unit:
    """The unit that `_unit_row` made these of."""
    path, tools, found, attachments, uses = row
    pieces = [
        _new(Piece, (*plain, _new(Lines, lines), tuple([_artifact_from(*one) for one in made])))
        for plain, lines, made in tools
    ]
    diagnostics: tuple[Diagnostic, ...] = ()
    if found:
        from pickle import loads

        diagnostics = loads(found)
    return _new(Unit, (path, tuple(pieces), diagnostics, attachments, uses))


def _artifact_row(artifact: Artifact) -> tuple[str, str, str]:
    return artifact.path, read_text(artifact.text), artifact.owner.value


def _artifact_from(path: str, text: str, owner: str) -> Artifact:
    return Artifact(path, text, Owner(owner))


def _compile_in(
    executor: Executor,
    paths: Sequence[str],
    settings: Settings,
    reader: Reader,
) -> Iterator[Unit]:
    """Compile by an executor, in batches of which only some are under way at a time; here, where
    its processes die."""
    from collections import deque
    from concurrent.futures import BrokenExecutor

    project, shared, templates, _ = settings
    builtin = driver.read_builtin_templates() if templates else {}
    under_way: deque[tuple[pipeline.Batch, Future[tuple[Unit | None, ...]] | None]] = deque()
    starts = iter(range(0, len(paths), _BATCH))
    while True:
        while len(under_way) < _UNDER_WAY and (start := next(starts, None)) is not None:
            batch = []
            for path in paths[start : start + _BATCH]:
                data = reader.data(path)
                if isinstance(data, Diagnostic):
                    yield Unit(path, (), (data,))
                else:
                    batch.append((path, data))
            work = pipeline.Batch(tuple(batch), project, shared, templates, builtin)
            try:
                under_way.append((work, executor.submit(pipeline.compile_batch, work)))
            except BrokenExecutor:
                under_way.append((work, None))
        if not under_way:
            return
        work, future = under_way.popleft()
        try:
            units = None if future is None else future.result()
        except BrokenExecutor:
            units = None
        for (path, data), unit in zip(work.files, units or [None] * len(work.files), strict=True):
            yield unit if unit is not None else _compile(path, data, settings, reader)
