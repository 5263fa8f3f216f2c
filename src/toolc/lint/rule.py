"""What a rule is, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum

from toolc.lint.clients.profile import Clients
from toolc.lint.subject import Index, Subject
from toolc.model.diagnostic import Severity
from toolc.model.document import Pointer
from toolc.model.fix import Fix
from toolc_runtime.light import NamedTuple


class Found(NamedTuple):
    """One thing that a rule found, at a place in the tool's wire form."""

    pointer: Pointer
    message: str
    hint: str = ""
    key: bool = False
    """At the key of what stands there, not at its value."""
    tool: str = ""
    """Whose; empty for the tool that the rule looked at, and from one that compares tools for the
    server's own: the pointer is then the way into the project's settings."""
    related: tuple[tuple[str, Pointer, str], ...] = ()
    """Other tools' places: the tool's name, where in it, and what it has to do with this."""
    severity: Severity | None = None
    """Lighter than the rule's own, where not all that it finds weighs the same."""
    fix: Fix | None = None
    """What would mend it; its pointers are those of the tool's wire form."""


class Kind(Enum):
    """Whose word a rule is. The kinds never look alike in a report."""

    CLIENT = "client"
    DESIGN = "design"
    SECURITY = "security"


class Set(Enum):
    """When a rule speaks."""

    DEFAULT = "default"
    """Always, unless it is ignored."""
    CHECKLIST = "checklist"
    """With `--select checklist`: what a good definition has besides."""
    OPTIONAL = "optional"
    """Only when it is selected by its code or its name."""


class Rule(NamedTuple):
    """One rule: a row of the table.

    `title` says in a few words what is wrong, `why` what comes of it. `wrong` and `right` are
    definitions in TOML: the rule finds something in the first, and nothing in the second.
    """

    code: str
    name: str
    kind: Kind
    severity: Severity
    title: str
    why: str
    wrong: str
    right: str
    look: Callable[[Subject], Iterator[Found]] | None = None
    """For a rule that looks at one tool by itself."""
    look_at_all: Callable[[Index], Iterator[Found]] | None = None
    """For a rule that compares tools; each of its findings names its tool."""
    look_for: Callable[[Subject, Clients], Iterator[Found]] | None = None
    """In the place of `look`: for one that finds what the clients that are asked for refuse or mangle."""
    look_for_all: Callable[[Index, Clients], Iterator[Found]] | None = None
    """The same, of all tools."""
    set: Set = Set.DEFAULT
    configure: str = ""
    """How a project adjusts it, if it can."""
