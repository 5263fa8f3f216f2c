"""Rules on the tool as a whole: one job, an output, errors, examples."""

from __future__ import annotations

from collections.abc import Iterator

from toolc.lint.rule import Found, Kind, Rule, Set
from toolc.lint.subject import Subject, words_of_name
from toolc.lint.words import CREATING, DELETING, HTTP_METHODS, READING, VERBS
from toolc.model.diagnostic import Severity

_SWITCHES = frozenset({"action", "operation", "command", "method", "op", "verb", "task"})
_FEWEST_JOBS = 3


def find_several_jobs(subject: Subject) -> Iterator[Found]:
    for row in subject.parameters:
        values = row.schema.get("enum")
        if row.name.lower() not in _SWITCHES or not isinstance(values, list):
            continue
        jobs = [
            value
            for value in values
            if isinstance(value, str) and VERBS.intersection(words_of_name(value)[:1])
        ]
        if len(jobs) >= _FEWEST_JOBS and _are_different(jobs):
            shown = ", ".join(f'"{job}"' for job in jobs[:3])
            yield Found(
                (*row.pointer, "enum"),
                f'"{row.name}" switches between {len(jobs)} jobs: {shown} …',
                "make a tool of each: then each has its own parameters, hints and description",
            )


def _are_different(jobs: list[str]) -> bool:
    """Whether no hints can be right for all: some read and others change something, or some create and
    others delete. Methods of HTTP are what the request has, whatever they do."""
    if HTTP_METHODS.issuperset(jobs):
        return False
    verbs = {words_of_name(job)[0] for job in jobs}
    reading, creating, deleting = verbs & READING, verbs & CREATING, verbs & DELETING
    return bool((creating and deleting) or (reading and verbs - READING - _ANSWERED))


_ANSWERED = frozenset({"generate", "compose"})
"""What comes of these may be only an answer."""


def find_no_output(subject: Subject) -> Iterator[Found]:
    if "outputSchema" not in subject.wire:
        yield Found(
            ("outputSchema",),
            f'nothing says what "{subject.name}" answers',
            "give it an `output`: the server checks answers against it, and clients can use them",
        )


def find_no_errors(subject: Subject) -> Iterator[Found]:
    if not subject.is_listed and not subject.facts.errors:
        yield Found(
            ("errors",), f'"{subject.name}" declares no errors', "list the codes that it raises"
        )


def find_no_budget(subject: Subject) -> Iterator[Found]:
    if not subject.is_listed and subject.facts.budget is None:
        yield Found(
            ("budget",),
            f'"{subject.name}" has no budget',
            "say how many tokens an answer should weigh; the server warns above that",
        )


def find_no_examples(subject: Subject) -> Iterator[Found]:
    if not subject.is_listed and not subject.facts.examples:
        yield Found(
            ("examples",),
            f'"{subject.name}" has no examples',
            "one call shows more than three sentences; `toolc test` calls it",
        )


_RIGHT = 'description = "Find notes that contain a word"\n'

RULES = (
    Rule(
        "D501",
        "several-jobs",
        Kind.DESIGN,
        Severity.WARNING,
        "a parameter that switches between jobs",
        "Hints, descriptions and parameters are those of all its jobs at once: none of them is right.",
        wrong=_RIGHT + '\n[[parameters]]\nname = "action"\ntype = "string"\n'
        'enum = ["create", "delete", "list"]\n',
        right='name = "create_note"\n' + _RIGHT,
        look=find_several_jobs,
    ),
    Rule(
        "D502",
        "no-output",
        Kind.DESIGN,
        Severity.NOTE,
        "no output schema",
        "Clients have text to guess from, and nothing checks what the tool answers.",
        wrong=_RIGHT,
        right=_RIGHT + '\n[[output]]\nname = "notes"\ntype = "array:string"\n',
        look=find_no_output,
        set=Set.CHECKLIST,
    ),
    Rule(
        "D503",
        "no-errors",
        Kind.DESIGN,
        Severity.NOTE,
        "no declared errors",
        "A model that knows the codes can do something about them.",
        wrong=_RIGHT,
        right=_RIGHT + '\n[[errors]]\ncode = "NO_NOTES"\nwhen = "the notebook is empty"\n',
        look=find_no_errors,
        set=Set.CHECKLIST,
    ),
    Rule(
        "D504",
        "no-budget",
        Kind.DESIGN,
        Severity.NOTE,
        "no budget",
        "Answers grow with the data, and with them what every later request costs.",
        wrong=_RIGHT,
        right=_RIGHT + "budget = 400\n",
        look=find_no_budget,
        set=Set.CHECKLIST,
    ),
    Rule(
        "D505",
        "no-examples",
        Kind.DESIGN,
        Severity.NOTE,
        "no examples",
        "An error that shows a right call is put right at once.",
        wrong=_RIGHT,
        right=_RIGHT + '\n[[examples]]\nprompt = "what do I have on Delft?"\n',
        look=find_no_examples,
        set=Set.OPTIONAL,
    ),
)
