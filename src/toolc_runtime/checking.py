"""From the arguments that a client sent to those that a handler gets, or to why it gets none."""

from __future__ import annotations

from typing import NamedTuple

from toolc_runtime.errors import INVALID_INPUT, error_result
from toolc_runtime.facts import ServedFacts
from toolc_runtime.integers import narrow_integers
from toolc_runtime.jsonvalue import JsonObject, NotJsonError, survey
from toolc_runtime.oldnames import with_present_names
from toolc_runtime.subschemas import Declared
from toolc_runtime.validation import Validator
from toolc_runtime.wording import told_pointer

_MOST_WARNINGS = 20
"""Warnings that are told one by one."""


class Checked(NamedTuple):
    """Arguments that fit the schema."""

    arguments: JsonObject
    warnings: tuple[str, ...] = ()
    """What the caller should know of them: sentences for a model."""


class Refusal(NamedTuple):
    """Arguments that no handler gets to see."""

    result: JsonObject
    """What the caller is answered."""


def check_closely(
    tool: str, arguments: JsonObject, schema: JsonObject, validator: Validator, facts: ServedFacts
) -> Checked | Refusal:
    """What becomes of arguments that are not valid at first sight, or have names to speak of.

    Old names are taken as the present ones. What is not valid then is mended where the tool asks
    for that, and is taken if it is valid afterwards. If it is not, the refusal speaks of the
    arguments as they were sent.
    """
    declared = Declared(schema)
    found = survey(arguments)
    if found.fault is not None:
        fault = NotJsonError(told_pointer(found.fault.pointer, declared), found.fault.reason)
        return Refusal(error_result(INVALID_INPUT, f"{tool}: {fault}"))
    now = with_present_names(arguments, schema, declared, facts)
    taken, warnings = now.arguments, [*now.warnings]
    if now.faults or not validator.is_valid(taken):
        mended = None
        if facts.repair == "safe" and not now.faults:
            from toolc_runtime.repair import mend

            mended = mend(taken, declared, schema, names=facts.extra_parameters == "warn")
            found = survey(mended.arguments)
        if mended is None or found.fault or not validator.is_valid(mended.arguments):
            from toolc_runtime.guidance import argument_result

            faults = [*now.faults, *validator.faults(taken)]
            return Refusal(
                argument_result(
                    tool,
                    faults,
                    schema,
                    declared,
                    examples=facts.examples,
                    old_names=now.old_names,
                )
            )
        taken = mended.arguments
        warnings += mended.warnings
    if facts.extra_parameters == "warn":
        from toolc_runtime.guidance import unknown_warnings

        warnings += unknown_warnings(taken, schema, declared)
    if found.has_integral_float:
        taken = narrow_integers(taken, schema)
    return Checked(taken, _counted(warnings))


def _counted(warnings: list[str]) -> tuple[str, ...]:
    more = len(warnings) - _MOST_WARNINGS
    if more <= 0:
        return tuple(warnings)
    return (*warnings[:_MOST_WARNINGS], f"and {more} more of this kind")
