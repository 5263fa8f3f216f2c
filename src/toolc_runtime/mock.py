"""Answers of tools whose handlers are not asked: their examples, or values made from their schemas."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from toolc_runtime.arguments import Arguments
from toolc_runtime.context import Context
from toolc_runtime.errors import ToolError
from toolc_runtime.facts import ServedExample, ServedFacts
from toolc_runtime.jsonvalue import JsonObject, JsonValue, is_same
from toolc_runtime.package import Load
from toolc_runtime.scalars import NoValueError
from toolc_runtime.tool import Implementation
from toolc_runtime.validation import compile_schema
from toolc_runtime.values import make_value

NO_MOCK_ANSWER = "NO_MOCK_ANSWER"
"""The error's code where neither an example nor the schema comes to an answer."""


def mock_code(wire: JsonObject, facts: ServedFacts, _load: Load) -> Load:
    """In the place of what imports a tool's code (see `load_package`): a handler that makes up answers.

    It answers with the result of the example that has the arguments of the call, else with that of
    the first example that has one, else with a value for the `outputSchema`, or a sentence where
    there is no schema.
    """
    name, schema = str(wire["name"]), wire["inputSchema"]
    output = wire.get("outputSchema")
    examples = [example for example in facts.examples if example.has_result]

    @cache
    def usable() -> Sequence[ServedExample]:
        if output is None or not examples:
            return examples
        validator = compile_schema(output)
        # The schema of a tool with an envelope is the envelope's, its examples are of the data.
        return [
            example
            for example in examples
            if validator.is_valid({"data": example.result} if facts.envelope else example.result)
        ]

    @cache
    def made_up() -> JsonValue:
        if output is None:
            return f"A mock answer of {name}"
        try:
            made: Any = make_value(output)
            return made["data"] if facts.envelope else made  # type: ignore[no-any-return]
        except NoValueError as error:
            raise ToolError(
                NO_MOCK_ANSWER,
                f"no answer of {name} could be made up: {error}",
                suggestion="give the tool an example with a result",
            ) from None

    def answer(arguments: JsonObject, _context: Context) -> JsonValue:
        given = _with_defaults(arguments, schema)
        for example in usable():
            known = example.arguments
            if known is not None and is_same(given, _with_defaults(known, schema)):
                return example.result
        return usable()[0].result if usable() else made_up()

    implementation = Implementation(lambda arguments: arguments, answer)
    return lambda: implementation


def _with_defaults(arguments: JsonObject, schema: JsonValue) -> JsonValue:
    return dict(Arguments(arguments, schema if isinstance(schema, dict) else {}))
