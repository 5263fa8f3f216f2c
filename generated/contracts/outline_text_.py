# toolc: generated e09129a5f10fb86e
"""Contract of `outline-text`, written by toolc from tooldefs/text.toml. Edit the definition, not this file."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Protocol, TypedDict

from toolc_runtime import Context, Record, Reply

from . import _types


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineTextParams:
    """Arguments of `outline-text`, valid against its schema, defaults applied.

    Attributes:
        text: The Markdown text (at most 100000 characters).
        depth: The lowest level of headings to show; 1 is `#` (1 to 6).
    """

    text: str
    depth: int = 3


class OutlineTextResult(TypedDict):
    sections: list[_types.SectionResult]


class OutlineText(Protocol):
    """Handler of `outline-text`; sync or async."""

    def __call__(
        self, params: OutlineTextParams, context: Context, /
    ) -> Reply[OutlineTextResult] | Awaitable[Reply[OutlineTextResult]]: ...


PARAMS = Record(OutlineTextParams)
