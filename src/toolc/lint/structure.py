"""Rules on how an input is put together: its depth, its root, its names and its definitions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from toolc.lint.examples import DESCRIBED, WORD, schema_rule, with_word
from toolc.lint.lazy import expression
from toolc.lint.names import style_of
from toolc.lint.rule import Found
from toolc.lint.subject import Subject
from toolc.model.document import JsonObject, Pointer

DEEPEST = 4
"""How deep the parts of a parameter may lie, itself included."""


def find_deep(subject: Subject) -> Iterator[Found]:
    deepest = max(subject.inputs, key=lambda row: row.depth, default=None)
    if deepest is not None and deepest.depth > DEEPEST:
        yield Found(
            deepest.pointer,
            f'"{deepest.name}" lies {deepest.depth} levels deep',
            "take apart what a call gives: models lose their way in it, and some providers refuse it",
            key=True,
        )


def find_root_combinator(subject: Subject) -> Iterator[Found]:
    schema = subject.wire.get("inputSchema")
    for key in ("oneOf", "anyOf", "allOf", "not", "if"):
        if isinstance(schema, dict) and key in schema:
            yield Found(
                ("inputSchema", key),
                f"`{key}` stands at the root of the input schema",
                "most providers refuse it there: say it in the description, and check it in the handler",
                key=True,
            )


_STYLED = {"snake_case", "camelCase", "PascalCase", "kebab-case"}


def find_mixed_parameters(subject: Subject) -> Iterator[Found]:
    """One finding a tool, at the first parameter that is not as the others are."""
    styles = {row.name: style_of(row.name) for row in subject.parameters}
    counts = Counter(style for style in styles.values() if style in _STYLED)
    if len(counts) > 1:
        common = counts.most_common(1)[0][0]
        odd = next(row for row in subject.parameters if styles[row.name] not in ("", common))
        yield Found(
            odd.pointer,
            f'the parameter "{odd.name}" is {styles[odd.name]}, where others are {common}',
            "keep to one style; the old name can stay as one of its `aliases`",
            key=True,
        )
        return
    first: dict[str, str] = {}
    for row in subject.parameters:
        other = first.setdefault(re.sub(r"[_-]", "", row.name).casefold(), row.name)
        if other != row.name:
            yield Found(
                row.pointer,
                f'the parameters "{other}" and "{row.name}" have the same words',
                "a model takes one for the other; name the difference",
                key=True,
            )


_PLAIN_NAME = expression(r"(?a)[A-Za-z_][\w.-]{0,63}")


def find_odd_parameter(subject: Subject) -> Iterator[Found]:
    for row in subject.parameters:
        if not _PLAIN_NAME.fullmatch(row.name):
            yield Found(
                row.pointer,
                f'the parameter "{row.name[:40]}" has a name that clients refuse',
                "letters, digits and underscores, a letter first, at most 64 of them",
                key=True,
            )


def find_unused_definition(subject: Subject) -> Iterator[Found]:
    for schemas in filter(None, (subject.input_schemas, subject.output_schemas)):
        (side,), schema = schemas[0]
        for key in ("$defs", "definitions"):
            table = schema.get(key)
            if not isinstance(table, dict) or not table:
                continue
            used = _references(schemas)
            for name, part in table.items():
                anchor = isinstance(part, dict) and ("$anchor" in part or "$id" in part)
                if name not in used and not anchor:
                    yield Found(
                        (side, key, name),
                        f'nothing refers to "{name}"',
                        "take it out: it stands in every request",
                        key=True,
                    )


def _references(schemas: Iterable[tuple[Pointer, JsonObject]]) -> set[str]:
    """The last parts of all references in some schemas, and the parts before."""
    said = [ref for _, schema in schemas if isinstance(ref := schema.get("$ref"), str)]
    return {part.replace("~1", "/").replace("~0", "~") for ref in said for part in ref.split("/")}


RULES = (
    schema_rule(
        "D321",
        "deep-input",
        f"an input of more than {DEEPEST} levels",
        "The deeper it lies the more often a model leaves it out, or closes a bracket too early.",
        with_word(
            'type = "object"',
            WORD,
            "properties.a.properties.b.properties.c.properties.d = { "
            'type = "string", description = "The word" }',
        ),
        with_word('type = "string"', WORD),
        find_deep,
    ),
    schema_rule(
        "D322",
        "root-combinator",
        "`oneOf`, `anyOf` or another keyword that combines, at the root of an input schema",
        "Claude's, OpenAI's and other APIs refuse it, with every other tool of the request.",
        with_word('type = "string"', WORD, root='anyOf = [{ required = ["word"] }]\n'),
        with_word('type = "string"', WORD),
        find_root_combinator,
    ),
    schema_rule(
        "D323",
        "mixed-parameter-styles",
        "parameters in several styles",
        "Models write the name that they expect from the others.",
        DESCRIBED
        + "".join(
            f'\n[[parameters]]\nname = "{name}"\ntype = "string"\ndescription = "One of the parts"\n'
            for name in ("first_word", "lastWord")
        ),
        with_word('type = "string"', WORD),
        find_mixed_parameters,
    ),
    schema_rule(
        "D324",
        "odd-parameter-name",
        "a parameter with a name that clients refuse",
        "A space or a sign in it has some providers refuse the request, with all other tools in it.",
        f'{DESCRIBED}\n[[parameters]]\nname = "search word"\ntype = "string"\n{WORD}\n',
        with_word('type = "string"', WORD),
        find_odd_parameter,
    ),
    schema_rule(
        "D325",
        "unused-definition",
        "a definition that nothing refers to",
        "It stands in every request, and says nothing.",
        with_word('type = "string"', WORD, root='"$defs".folder.type = "string"\n'),
        with_word('"$ref" = "#/$defs/word"', root='"$defs".word.type = "string"\n'),
        find_unused_definition,
    ),
)
