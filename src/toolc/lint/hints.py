"""Rules on the annotations: what a tool says that it does."""

from __future__ import annotations

from collections.abc import Iterator

from toolc.lint.rule import Found, Kind, Rule, Set
from toolc.lint.subject import Subject, words_of_name
from toolc.lint.words import CREATING, DELETING, READING
from toolc.model.diagnostic import Severity
from toolc.model.fix import Fix, Put

_ALL = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")

_SURE_CREATING = CREATING - {
    "book",
    "build",
    "compose",
    "draft",
    "generate",
    "import",
    "make",
    "open",
    "post",
    "record",
    "schedule",
    "start",
}
"""What is generated or composed may be only an answer."""

_SURE_DELETING = frozenset({"delete", "destroy", "erase", "purge", "trash", "wipe"})
"""To remove a label, reset a view or terminate a process destroys nothing that cannot be had again."""


def _leading_verb(subject: Subject) -> str:
    """The verb that a name begins with, perhaps behind the service's own name."""
    verbs = DELETING | _SURE_CREATING | READING
    return next((word for word in subject.name_words[:2] if word in verbs), "")


def _begins_with(subject: Subject, verb: str) -> bool:
    """Whether the description begins with the verb too: what a name says to create may be advice on
    how to."""
    first = next(iter(words_of_name(subject.description)), "")
    return first.startswith(verb[:-1])


def find_contradiction(subject: Subject) -> Iterator[Found]:
    hints = subject.hints
    if hints.get("readOnlyHint") is True and hints.get("destructiveHint") is True:
        yield Found(
            ("annotations", "destructiveHint"),
            "the tool is said to change nothing, and to destroy something",
            "one of the two is wrong",
        )


def find_verb_against_hint(subject: Subject) -> Iterator[Found]:
    verb, hints = _leading_verb(subject), subject.hints
    changes = verb in DELETING or (verb in _SURE_CREATING and _begins_with(subject, verb))
    if hints.get("readOnlyHint") is True and changes:
        yield Found(
            ("annotations", "readOnlyHint"),
            f'"{subject.name}" is said to change nothing, though it is to {verb}',
            "a host may run a read-only tool without asking; say `readOnly = false`",
            fix=Fix(
                "say that it changes something", (Put(("annotations", "readOnlyHint"), False),)
            ),
        )
    elif hints.get("destructiveHint") is False and verb in _SURE_DELETING:
        yield Found(
            ("annotations", "destructiveHint"),
            f'"{subject.name}" is said to destroy nothing, though it is to {verb}',
            "say `destructive = true`",
            fix=Fix("say that it destroys", (Put(("annotations", "destructiveHint"), True),)),
        )


def find_missing(subject: Subject) -> Iterator[Found]:
    missing = [name for name in _ALL if name not in subject.hints]
    if subject.hints.get("readOnlyHint") is True:
        missing = [name for name in missing if name not in ("destructiveHint", "idempotentHint")]
    if missing:
        names = ", ".join(f"`{name.removesuffix('Hint')}`" for name in missing)
        read = "destructive and open to the world" if "destructiveHint" in missing else "the worst"
        yield Found(
            ("annotations",),
            f'"{subject.name}" says nothing of {names}',
            f"hosts that are not told take {read} for true",
        )


_DESCRIBED = 'name = "delete_note"\ndescription = "Delete one note for good"\n'

RULES = (
    Rule(
        "D401",
        "contradicting-hints",
        Kind.DESIGN,
        Severity.ERROR,
        "hints that contradict each other",
        "`destructive` speaks of tools that change something; hosts differ in which of the two they "
        "believe.",
        wrong=_DESCRIBED + "readOnly = true\ndestructive = true\n",
        right=_DESCRIBED + "readOnly = false\ndestructive = true\n",
        look=find_contradiction,
    ),
    Rule(
        "D402",
        "verb-against-hint",
        Kind.DESIGN,
        Severity.WARNING,
        "a name that contradicts the hints",
        "Hosts run tools that are said to be harmless without asking anybody.",
        wrong=_DESCRIBED + "readOnly = true\n",
        right=_DESCRIBED + "readOnly = false\ndestructive = true\n",
        look=find_verb_against_hint,
    ),
    Rule(
        "D403",
        "missing-hints",
        Kind.DESIGN,
        Severity.NOTE,
        "hints that are not given",
        "What is not said is taken for the worst: destructive, and open to the world. Directories of "
        "servers ask for all of them.",
        wrong=_DESCRIBED,
        right=_DESCRIBED
        + "readOnly = false\ndestructive = true\nidempotent = true\nopenWorld = false\n",
        look=find_missing,
        set=Set.CHECKLIST,
    ),
)
