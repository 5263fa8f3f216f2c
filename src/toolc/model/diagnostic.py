"""What the compiler has to say about an input: a located value, rendered elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from toolc.model.document import Pointer, Site
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from toolc.model.fix import Fix


class Severity(IntEnum):
    """How much a diagnostic weighs; the greater, the graver."""

    NOTE = 1
    WARNING = 2
    ERROR = 3


class Related(NamedTuple):
    """Another place that belongs to a diagnostic, and what it has to do with it."""

    message: str
    site: Site


class Diagnostic(NamedTuple):
    """One finding.

    `message` names the thing and the value, `hint` the action. `tool` and `pointer` say the same
    place in the reader's other terms: the tool's wire name, and the way into its document.
    """

    code: str
    severity: Severity
    message: str
    site: Site | None = None
    hint: str = ""
    related: tuple[Related, ...] = ()
    tool: str = ""
    pointer: Pointer | None = None
    fix: Fix | None = None
    """What would mend it, where `toolc lint` knows that."""

    @property
    def path(self) -> str:
        return self.site.path if self.site is not None else ""


class Prompts(NamedTuple):
    """What a build says of the prompts among the examples, where a tool is hidden."""

    number: int = 0
    first: int = 0
    """How many of them find their tool first."""
    diagnostics: tuple[Diagnostic, ...] = ()


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """By file, then by place in the file; findings of one place keep the order they came in."""

    def key(diagnostic: Diagnostic) -> tuple[str, int]:
        site = diagnostic.site
        return (diagnostic.path, site.span.start if site and site.span else -1)

    return tuple(sorted(diagnostics, key=key))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
