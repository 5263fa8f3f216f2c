"""Rules on the annotations: what a tool says that it does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolc.lint.lazy import expression
from toolc.lint.rule import Found, Kind, Rule, Set
from toolc.lint.subject import Subject, words_of_name
from toolc.lint.words import CREATING, DELETING, READING, SURE_CHANGES, VERBS
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

_LEADING = DELETING | _SURE_CREATING | READING


def _leading_verb(subject: Subject) -> str:
    """The verb that a name begins with, perhaps behind the service's own name."""
    return next((word for word in subject.name_words[:2] if word in _LEADING), "")


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
    hints = subject.hints
    if not hints:
        return
    verb = _verb_of_change(subject)
    if hints.get("readOnlyHint") is True and verb:
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
    elif (
        hints.get("destructiveHint") is True
        and hints.get("readOnlyHint") is not True
        and _only_reads(subject)
    ):
        yield Found(
            ("annotations", "destructiveHint"),
            f'"{subject.name}" is said to destroy something, though by its name it only reads',
            "hosts ask before each call of it; say `readOnly = true` if it does",
        )


def _verb_of_change(subject: Subject) -> str:
    """What a tool does that changes something, by its name and by how its description begins."""
    verb = _leading_verb(subject)
    if verb in DELETING:
        return verb
    if verb in _SURE_CREATING and _begins_with(subject, verb):
        return verb
    said = _first_verb(subject)
    if said in _SURE_DELETING:
        return said
    return said if said in SURE_CHANGES and said in subject.name_words else ""


def _only_reads(subject: Subject) -> bool:
    """Whether a name and what its description says first have verbs of reading only."""
    words = subject.name_words
    if not _SURE_READING.issuperset(words[:1]) or not _CHANGES.isdisjoint(words):
        return False
    said = words_of_name(_FIRST_SENTENCE.split(subject.description, maxsplit=1)[0])
    verbs = [word if word in VERBS else word.removesuffix("s") for word in said]
    joined = {verbs[at] for at, word in enumerate(said[:-1], 1) if word in ("and", "or")}
    return verbs[:1] != [] and verbs[0] in _STAYING and joined.isdisjoint(_CHANGES)


def _first_verb(subject: Subject) -> str:
    """The verb that the description begins with, perhaps behind `this tool` or an adverb."""
    words = [word for word in words_of_name(subject.description[:_OPENING]) if word not in _BEFORE]
    word = next((word for word in words if not word.endswith("ly")), "")
    for end in ("", "s", "es"):
        verb = word.removesuffix(end)
        if verb in _SURE_DELETING or verb in SURE_CHANGES:
            return verb
    return ""


_OPENING = 80
"""Characters of a description in which it says what it does."""
_BEFORE = frozenset({"this", "tool", "the", "a", "will", "can", "function", "to", "used"})
_SURE_READING = frozenset(
    {"get", "list", "read", "search", "find", "view", "show", "count", "describe"}
)
_STAYING = READING - {"download", "export", "extract", "snapshot"}
"""Verbs of reading that leave nothing behind on a disk."""
_CHANGES = VERBS - READING
_FIRST_SENTENCE = expression(r"(?<=[.!?])\s|\n")


def find_missing(subject: Subject) -> Iterator[Found]:
    missing = [name for name in _ALL if name not in subject.hints]
    if missing:
        names = ", ".join(f"`{name.removesuffix('Hint')}`" for name in missing)
        read = "destructive and open to the world" if "destructiveHint" in missing else "the worst"
        hint = f"hosts that are not told take {read} for true"
        if subject.hints.get("readOnlyHint") is True and "openWorldHint" not in missing:
            hint = "of what only reads that follows, but directories of servers ask for all four"
        yield Found(("annotations",), f'"{subject.name}" says nothing of {names}', hint)


_FOLDED = {name.removesuffix("Hint").lower(): name for name in _ALL}


def find_unknown_hint(subject: Subject) -> Iterator[Found]:
    """Spellings of hints that no client reads, and hints that are null."""
    for key, value in subject.hints.items():
        known = _FOLDED.get(re.sub(r"[\W_]|hint$", "", key.replace("_", "").lower()))
        if known is not None and key != known:
            yield Found(
                ("annotations", key),
                f'"{key}" is no hint that a client reads',
                f'write "{known}"',
                key=True,
            )
        elif known is not None and value is None:
            yield Found(
                ("annotations", key),
                f"`{key}` is null, where the specification has true or false",
                "say which, or take it out: some clients refuse the list of tools for it",
            )


def find_cautious_reading(subject: Subject) -> Iterator[Found]:
    """Of one that is said to destroy something D402 tells."""
    hints = subject.hints
    if (
        hints.get("readOnlyHint") is False
        and hints.get("destructiveHint") is not True
        and _only_reads(subject)
    ):
        yield Found(
            ("annotations", "readOnlyHint"),
            f'"{subject.name}" is said to change something, though by its name it only reads',
            "hosts ask before each call of it; say `readOnly = true` if it does",
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
    Rule(
        "D404",
        "unknown-hint",
        Kind.DESIGN,
        Severity.WARNING,
        "a hint in another spelling, or one that is null",
        "Clients pass over hints that they do not know, and take the worst for true.",
        wrong=_DESCRIBED + "[annotations]\nreadonly = false\n",
        right=_DESCRIBED + "[annotations]\nreadOnlyHint = false\n",
        look=find_unknown_hint,
    ),
    Rule(
        "D405",
        "cautious-hint",
        Kind.DESIGN,
        Severity.NOTE,
        "a tool that only reads by its name, and is said to change something",
        "Hosts ask a person before each call of it, and some never call it on their own.",
        wrong='name = "get_note"\ndescription = "Get one note"\nreadOnly = false\n',
        right='name = "get_note"\ndescription = "Get one note"\nreadOnly = true\n',
        look=find_cautious_reading,
        set=Set.CHECKLIST,
    ),
)
