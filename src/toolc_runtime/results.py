"""What a handler may return: its data, or a `Result` with more than that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from toolc_runtime.errors import ToolError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Result(Generic[T]):
    """An answer with more than its data.

    `content` are further content blocks (the SDK's, or strings), behind the text of the data;
    `meta` is the result's `_meta`. `metadata` are flags for programs (`total`, `has_more`),
    `warnings` sentences on this answer, `next_steps` says what to call next; `complete=False` puts
    `complete: false` among the metadata. `errors` are what failed of a call that did the rest; where
    nothing was done, raise instead.

    A tool with an `envelope` answers all of these in it. Without one, errors, warnings and next steps
    are texts behind the content, and the metadata go into `_meta`.
    """

    data: T
    content: Sequence[Any] = ()
    meta: Mapping[str, Any] | None = None
    metadata: Mapping[str, Any] | None = None
    warnings: Sequence[str] = ()
    next_steps: str | None = None
    complete: bool = True
    errors: Sequence[ToolError] = ()


Reply: TypeAlias = T | Result[T]
"""What a handler returns: `Reply[T]` is a `T`, or a `Result[T]` around one."""
