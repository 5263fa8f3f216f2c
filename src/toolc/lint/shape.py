"""Rules on the tool as a whole: one job, an output, errors, examples."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolc.lint.descriptions import listed_values
from toolc.lint.rule import Found, Kind, Rule, Set
from toolc.lint.subject import Property, Subject, words_of_name
from toolc.lint.words import CREATING, DELETING, HTTP_METHODS, READING, VERBS
from toolc.model.diagnostic import Severity
from toolc.model.document import JsonValue

_SWITCHES = frozenset(
    [
        "action",
        "action_type",
        "actiontype",
        "command",
        "method",
        "mode",
        "op",
        "operation",
        "operation_type",
        "operationtype",
        "subcommand",
        "sub_command",
        "task",
        "verb",
    ]
)
_FEWEST_JOBS = 3


def find_several_jobs(subject: Subject) -> Iterator[Found]:
    for row in subject.parameters:
        is_switch = row.name.lower() in _SWITCHES
        if not is_switch and "enum" not in row.schema:
            continue
        place, values = _values(row)
        jobs = [
            value
            for value in values
            if isinstance(value, str) and VERBS.intersection(words_of_name(value)[:1])
        ]
        if not is_switch and not (len(jobs) == len(values) and _creates_and_deletes(jobs)):
            continue
        if (len(jobs) >= _FEWEST_JOBS or _reads_and_deletes(jobs)) and _are_different(jobs):
            shown = ", ".join(f'"{job}"' for job in jobs[:3])
            yield Found(
                (*row.pointer, place),
                f'"{row.name}" switches between {len(jobs)} jobs: {shown}'
                + (" …" if len(jobs) > _FEWEST_JOBS else ""),
                "make a tool of each: then each has its own parameters, hints and description",
            )


def _values(row: Property) -> tuple[str, list[JsonValue]]:
    """What a parameter can be, as its schema or else its description lists it, and where."""
    values = row.schema.get("enum")
    if isinstance(values, list):
        return "enum", values
    for key in ("oneOf", "anyOf"):
        rows = row.schema.get(key)
        if isinstance(rows, list):
            return key, [one.get("const") for one in rows if isinstance(one, dict)]
    return "description", [*listed_values(row.description)]


def _creates_and_deletes(jobs: list[str]) -> bool:
    """Whether nothing else can be meant by words that may be kinds of things as well."""
    verbs = {words_of_name(job)[0] for job in jobs}
    return bool(verbs & CREATING and verbs & _SURE_DELETING)


def _reads_and_deletes(jobs: list[str]) -> bool:
    verbs = {words_of_name(job)[0] for job in jobs}
    return bool(verbs & READING and verbs & _SURE_DELETING)


_SURE_DELETING = frozenset({"delete", "destroy", "erase", "purge", "remove", "wipe"})


def _are_different(jobs: list[str]) -> bool:
    """Whether no hints can be right for all: some read and others change something, or some create and
    others delete. Methods of HTTP are what the request has, whatever they do."""
    if HTTP_METHODS.issuperset(jobs):
        return False
    verbs = {words_of_name(job)[0] for job in jobs}
    reading, creating, deleting = verbs & READING, verbs & CREATING, verbs & DELETING
    return bool((creating and deleting) or (reading and verbs - READING - _ANSWERED))


_ANSWERED = frozenset({"compose", "generate", "run"})
"""What comes of these may be only an answer: a query is run as well."""


_JOINED = (
    r"(?i)^(?:(?:this tool|a tool to|can|used to)\s+)?(\w+)(?:,\s*(\w+))*,?\s+(?:and|or)\s+(\w+)\b"
)


def find_joined_jobs(subject: Subject) -> Iterator[Found]:
    """A name that joins verbs, and a description that begins with several, some of which read and others
    change something."""
    words = subject.name_words
    for first, joint, second in zip(words, words[1:], words[2:], strict=False):
        if first not in VERBS or second not in VERBS or second == "replace":
            continue  # what is replaced has to be found
        # Verbs with `and` between them may be steps of one job.
        if joint == "or" or (joint == "and" and _are_different([first, second])):
            yield Found(
                ("name",),
                f'"{subject.name}" is to {first} {joint} to {second}',
                "make a tool of each, if a model is to choose between them",
            )
            return
    found = re.match(_JOINED, subject.description)
    said = [word.lower() for word in re.findall(r"\w+", found[0])] if found else []
    verbs = [verb for word in said for verb in (word, word.removesuffix("s")) if verb in VERBS]
    if len(set(verbs)) >= _FEWEST_JOBS and _are_different(verbs):
        yield Found(
            ("description",),
            f'"{subject.name}" has several jobs: {", ".join(dict.fromkeys(verbs))}',
            "make a tool of each: then each has its own parameters, hints and description",
        )


def find_no_output(subject: Subject) -> Iterator[Found]:
    said = subject.wire.get("outputSchema")
    if "outputSchema" in subject.wire and _says_nothing(said):
        yield Found(
            ("outputSchema",),
            f'the output schema of "{subject.name}" says nothing of what it answers',
            "give it `properties`: the server checks answers against them, and clients can use them",
        )
    elif "outputSchema" not in subject.wire:
        yield Found(
            ("outputSchema",),
            f'nothing says what "{subject.name}" answers',
            "give it an `output`: the server checks answers against it, and clients can use them",
        )


def _says_nothing(schema: JsonValue) -> bool:
    """Whether a schema takes anything, or any object."""
    if not isinstance(schema, dict):
        return schema is True or schema is None
    saying = {key for key, value in schema.items() if value} - _SAYING_NOTHING
    return not saying or (schema.get("type") == "object" and saying == {"type"})


_SAYING_NOTHING = frozenset({"$schema", "title", "description", "additionalProperties"})


def find_other_root(subject: Subject) -> Iterator[Found]:
    schema = subject.wire.get("outputSchema")
    kind = schema.get("type") if isinstance(schema, dict) else None
    if kind is not None and kind != "object":
        yield Found(
            ("outputSchema", "type"),
            f'the answer of "{subject.name}" is no object',
            "put it into one, with a name: revisions before 2026-07-28 know no other answers",
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
    Rule(
        "D506",
        "joined-jobs",
        Kind.DESIGN,
        Severity.NOTE,
        "a name or a description that joins jobs",
        "A tool that creates and deletes has hints that are wrong for one of the two.",
        wrong='name = "create_or_delete_note"\ndescription = "Create a note, or delete one"\n',
        right='name = "create_note"\ndescription = "Create a note"\n',
        look=find_joined_jobs,
        set=Set.CHECKLIST,
    ),
    Rule(
        "D507",
        "answer-no-object",
        Kind.DESIGN,
        Severity.NOTE,
        "an output schema whose root is no object",
        "MCP allows it since 2026-07-28. Clients of older revisions refuse the list of tools for it.",
        wrong=_RIGHT + '\n[outputSchema]\ntype = "array"\nitems.type = "string"\n',
        right=_RIGHT + '\n[[output]]\nname = "notes"\ntype = "array:string"\n',
        look=find_other_root,
        set=Set.CHECKLIST,
    ),
)
