"""What is measured: a row of the table for each thing that toolc is held to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from bench import Bench
from figure import Figure
from rows import cold, growth, linting, searching, serving, starting, unchanged, watching

Row = Callable[[Bench], Iterator[Figure]]

ROWS: dict[str, Row] = {
    "no-op": partial(unchanged.no_op, notation="toml"),
    "one-change": partial(unchanged.one_change, notation="toml"),
    "cold": partial(cold.manifest, notation="toml"),
    "cold-fast-toml": cold.fast_toml,
    "cold-stubs": cold.with_stubs,
    "stubs-peer": cold.peer,
    "growth": growth.growth,
    "no-op-yaml": partial(unchanged.no_op, notation="yaml"),
    "one-change-yaml": partial(unchanged.one_change, notation="yaml"),
    "cold-yaml": partial(cold.manifest, notation="yaml"),
    "no-op-json": partial(unchanged.no_op, notation="json"),
    "one-change-json": partial(unchanged.one_change, notation="json"),
    "cold-json": partial(cold.manifest, notation="json"),
    "watch": watching.watching,
    "lint": linting.lint,
    "search": searching.search,
    "serve-start": serving.start,
    "serve-list": serving.lists,
    "serve-call": serving.calls,
    "serve-memory": serving.memory,
    "serve-reload": serving.reload,
    "start-up": starting.start_up,
    "stages": starting.stages,
}
