"""Renderers: from diagnostics to text. They decide nothing, least of all a severity."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import import_module

from toolc.model.diagnostic import Diagnostic
from toolc.model.document import SourceFile
from toolc.report.summary import Summary
from toolc_runtime.light import TYPE_CHECKING

FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit")
"""Every format is the module of its name here, with `render`."""


if TYPE_CHECKING:
    from typing import Protocol

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


def renderer(name: str) -> Renderer:
    """The renderer of one of FORMATS; its module is imported when it is first asked for."""
    render: Renderer = import_module(f"toolc.report.{name}").render
    return render
