"""Renderers: from diagnostics to text. They decide nothing, least of all a severity."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from toolc.model.diagnostic import Diagnostic
from toolc.model.document import SourceFile
from toolc.report import github, json, text
from toolc.report.summary import Summary


class Renderer(Protocol):
    """What every format's `render` looks like."""

    def __call__(
        self,
        diagnostics: Collection[Diagnostic],
        sources: Mapping[str, SourceFile],
        summary: Summary | None = None,
        *,
        color: bool = False,
        prefix: str = "",
    ) -> str: ...


FORMATS: dict[str, Renderer] = {
    "text": text.render,
    "json": json.render,
    "github": github.render,
}
