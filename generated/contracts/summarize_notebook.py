# toolc: generated 931d42bd4bd8360c
"""Contract of `summarize_notebook`, written by toolc from tooldefs/summarize_notebook.yaml. Edit the definition, not this file."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import NotRequired, Protocol, TypedDict

from toolc_runtime import Context, Record, Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarizeNotebookParams:
    """Arguments of `summarize_notebook`, valid against its schema, defaults applied.

    Attributes:
        notebook: Name of the notebook, in small letters (at most 40 characters, matching `^[a-z][a-z0-9-]*$`).
        minShare: Leave out tags on a smaller share of the notes than this (at least 0, below 1).
    """

    notebook: str = "main"
    minShare: float = 0.0


class SummarizeNotebookResultDueItem(TypedDict):
    id: str
    title: str
    due: str
    remindAt: NotRequired[str]


class SummarizeNotebookResult(TypedDict):
    total: int
    tags: dict[str, int]
    due: list[SummarizeNotebookResultDueItem]
    newest: str | None


class SummarizeNotebook(Protocol):
    """Handler of `summarize_notebook`; sync or async."""

    def __call__(
        self, params: SummarizeNotebookParams, context: Context, /
    ) -> Reply[SummarizeNotebookResult] | Awaitable[Reply[SummarizeNotebookResult]]: ...


PARAMS = Record(SummarizeNotebookParams)
