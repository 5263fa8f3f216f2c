# toolc: generated e2307949e21bf69e
"""Contract of `fill_template`, written by toolc from tooldefs/text.toml. Edit the definition, not this file."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Protocol, TypedDict

from toolc_runtime import Context, Record, Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class FillTemplateParams:
    """Arguments of `fill_template`, valid against its schema, defaults applied.

    Attributes:
        template: The text, with placeholders like {name} (1 to 20000 characters).
        extra: Whatever else was sent, by its name on the wire.
    """

    template: str
    extra: dict[str, str | float | bool] = field(default_factory=dict)


class FillTemplateResult(TypedDict):
    text: str


class FillTemplate(Protocol):
    """Handler of `fill_template`; sync or async."""

    def __call__(
        self, params: FillTemplateParams, context: Context, /
    ) -> Reply[FillTemplateResult] | Awaitable[Reply[FillTemplateResult]]: ...


PARAMS = Record(FillTemplateParams, open=True)
