"""Many files to units: by this process, by processes of its own, or by an executor that is given."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

from toolc import driver, pipeline
from toolc.driver import Reader
from toolc.model.diagnostic import Diagnostic
from toolc.model.digest import expect_many_texts
from toolc.model.piece import Unit
from toolc.model.project import Project
from toolc.model.shared import Shared
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Executor, Future

    from toolc.generate.templates import Render

MANY = 3_000
"""Files from which on several processes are faster than one."""

_MANY_STUBS = 600
"""Files with Python stubs from which on faster hashes are worth their loading."""

_BATCH = 256
"""Files in one task of an executor."""

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
    """The units of these files. Without an executor this process makes them, or where there are
    MANY, processes of its own, which end with it."""
    is_large = len(paths) >= MANY
    if is_large:
        pipeline.expect_many_files()
    elif len(paths) >= _MANY_STUBS and settings.project.python.enabled:
        expect_many_texts()

    def compile_one(path: str, data: bytes) -> Unit:
        return pipeline.compile_unit(
            path, data, settings.project, settings.shared, settings.render, reader.read_attachment
        )

    own = _processes() if executor is None and is_large else None
    executor = own or executor
    try:
        if executor is None:
            yield from _compile_here(paths, reader, compile_one)
        else:
            yield from _compile_in(executor, paths, settings, reader, compile_one)
    finally:
        if own is not None:
            own.shutdown(cancel_futures=True)


def _unreadable(path: str, data: bytes | Diagnostic) -> Unit | None:
    return Unit(path, (), (data,)) if isinstance(data, Diagnostic) else None


def _compile_here(
    paths: Iterable[str], reader: Reader, compile_one: Callable[[str, bytes], Unit]
) -> Iterator[Unit]:
    for path in paths:
        data = reader.data(path)
        yield _unreadable(path, data) or compile_one(path, data)  # type: ignore[arg-type]


def _compile_in(
    executor: Executor,
    paths: Sequence[str],
    settings: Settings,
    reader: Reader,
    compile_one: Callable[[str, bytes], Unit],
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
            yield unit if unit is not None else compile_one(path, data)


def _processes() -> Executor | None:
    """Processes that compile side by side; None where that does not pay."""
    import multiprocessing

    workers = os.cpu_count() or 1
    # Where each process begins from nothing, its start costs more than it saves.
    if workers < 2 or multiprocessing.get_start_method(allow_none=True) not in (None, "fork"):
        return None
    if "fork" not in multiprocessing.get_all_start_methods():
        return None

    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(workers, multiprocessing.get_context("fork"), _end_with_parent)


def _end_with_parent() -> None:
    """Have this process end with the one that forked it, even if that one is killed: it would wait
    for work for ever."""
    import multiprocessing
    import threading

    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
