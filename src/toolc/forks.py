"""Work done side by side by processes that are forked, and so know all that this one knows.

Of `multiprocessing` this needs nothing, whose import alone takes as long as compiling a thousand
files. The processes only read: they take the number of a task from one pipe, and write what they
made to another, each to its own. None of them ever waits for anything but this process to read, and
so all end with it, even if it is killed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress

from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")

_NUMBER = 4
"""Bytes of a task's number, and of the length of what came of it."""

MOST_TASKS = 1_000
"""Their numbers are in a pipe from the beginning; any pipe takes 4096 bytes."""


def can_fork() -> bool:
    """Whether this program's processes are forked, and there is more than one processor."""
    if not hasattr(os, "fork") or (os.cpu_count() or 1) < 2:
        return False
    # Somebody who starts processes in another way may well have threads that no fork survives.
    multiprocessing = sys.modules.get("multiprocessing")
    return multiprocessing is None or multiprocessing.get_start_method(allow_none=True) in (
        None,
        "fork",
    )


def batches_forked(
    items: Sequence[T], work: Callable[[Sequence[T]], bytes], size: int
) -> Generator[tuple[Sequence[T], bytes | None], None, None]:
    """The items in batches of about `size`, each with what `work` made of it in another process, as
    they get ready; at the end those that were left undone, with None. Closing the generator ends the
    processes."""
    size = max(size, -(-len(items) // MOST_TASKS))
    batches = [items[start : start + size] for start in range(0, len(items), size)]
    undone = dict(enumerate(batches))
    made = each_forked(lambda number: work(batches[number]), len(batches))
    try:
        for number, data in made:
            yield undone.pop(number), data
    finally:
        made.close()
    for batch in undone.values():
        yield batch, None


def each_forked(
    work: Callable[[int], bytes], count: int
) -> Generator[tuple[int, bytes], None, None]:
    """The number of each of `count` tasks with what `work` made of it, as they get ready.

    There are as many processes as processors. One that fails, or is killed, is not replaced: what is
    missing at the end is left to the caller. Closing the generator ends them all.
    """
    import select

    tasks = _filled_pipe(count)
    results: dict[int, int] = {}
    poll = select.poll()
    try:
        for _ in range(min(os.cpu_count() or 1, count)):
            result, target = os.pipe()
            results[result] = _fork(work, tasks, target, [*results, result])
            os.close(target)
            poll.register(result, select.POLLIN)
        while results:
            for result, _ in poll.poll():
                made = _receive(result)
                if made is not None:
                    yield made
                else:
                    poll.unregister(result)
                    _end(result, results.pop(result))
    finally:
        os.close(tasks)
        while results:
            _end(*results.popitem())


def _filled_pipe(count: int) -> int:
    """The end to read from of a pipe that holds the numbers of `count` tasks."""
    assert count <= MOST_TASKS
    tasks, source = os.pipe()
    os.write(source, b"".join(number.to_bytes(_NUMBER, "little") for number in range(count)))
    os.close(source)
    return tasks


def _fork(work: Callable[[int], bytes], tasks: int, target: int, others: list[int]) -> int:
    """The process that does the tasks that it can get; `others` are not its to read from."""
    process = -1
    try:
        process = os.fork()
        if process == 0:
            for other in others:
                os.close(other)
            while number := os.read(tasks, _NUMBER):
                made = work(int.from_bytes(number, "little"))
                _send(target, number + len(made).to_bytes(_NUMBER, "little") + made)
    except BaseException:
        if process:
            raise
        # A task that is missing is done once more where somebody can be told what is wrong.
    finally:
        if process == 0:
            os._exit(0)
    return process


def _send(target: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(target, rest) :]


def _receive(result: int) -> tuple[int, bytes] | None:
    """The next task that a process has done; None where it is at its end."""
    head = _read(result, 2 * _NUMBER)
    if head is None:
        return None
    made = _read(result, int.from_bytes(head[_NUMBER:], "little"))
    return None if made is None else (int.from_bytes(head[:_NUMBER], "little"), made)


def _read(result: int, size: int) -> bytes | None:
    parts = []
    while size:
        part = os.read(result, size)
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _end(result: int, process: int) -> None:
    """Wait for the end of a process, which comes at the latest when it has something to write."""
    os.close(result)
    # It is not to be found where the program wants to hear of none that ends.
    with suppress(ChildProcessError):
        os.waitpid(process, 0)
