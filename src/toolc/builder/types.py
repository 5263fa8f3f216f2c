"""The type grammar: `array:int | null` -> an expression -> its JSON Schema.

type = term { "|" term }
term = scalar | "object" | "any" | "null" | "array:" term | "map:" term | NAME | "(" type ")"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from toolc.builder.words import nearest
from toolc.model.metadata import ArrayOf, MapOf, Named, Scalar, TypeExpression, Union

SCALARS: Mapping[str, Scalar] = {
    "string": Scalar("string"),
    "int": Scalar("integer"),
    "integer": Scalar("integer"),
    "float": Scalar("number"),
    "number": Scalar("number"),
    "bool": Scalar("boolean"),
    "boolean": Scalar("boolean"),
    "object": Scalar("object"),
    "any": Scalar("any"),
    "null": Scalar("null"),
}
"""Every word of the grammar, and what it is in JSON Schema; `any` is the schema `{}`."""

UNRESOLVED = Scalar("unresolved")
"""The type of a parameter whose own could not be read: nothing more is said of it."""

PREFIXES: Mapping[str, Callable[[TypeExpression], TypeExpression]] = {
    "array": ArrayOf,
    "map": MapOf,
}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LONGEST = 1000
_DEEPEST = 30


class TypeSyntaxError(ValueError):
    """A text that the grammar refuses; `hint` says what to write instead."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@lru_cache(maxsize=4096)
def parse_type(text: str) -> TypeExpression:
    """The expression that `text` writes, a shared type's name included.

    Raises TypeSyntaxError. Whether a name is defined is the caller's to ask.
    """
    if text in SCALARS:
        return SCALARS[text]
    if len(text) > _LONGEST:
        raise TypeSyntaxError(f"a type of {len(text)} characters", "define shared types")
    parser = _Parser(text)
    expression = parser.union(0)
    if parser.position != len(text):
        raise TypeSyntaxError(*_explain(text))
    return expression


def unite(expressions: Iterable[TypeExpression]) -> TypeExpression:
    """The union of one expression or more; unions in it are opened, and nothing stands in it twice."""
    flat: dict[TypeExpression, None] = {}
    for expression in expressions:
        branches = expression.branches if isinstance(expression, Union) else (expression,)
        flat.update(dict.fromkeys(branches))
    return Union(tuple(flat)) if len(flat) > 1 else next(iter(flat))


def names_in(expression: TypeExpression) -> Iterator[str]:
    """The shared types that an expression uses, in order."""
    if isinstance(expression, Named):
        yield expression.name
    elif isinstance(expression, ArrayOf):
        yield from names_in(expression.item)
    elif isinstance(expression, MapOf):
        yield from names_in(expression.value)
    elif isinstance(expression, Union):
        for branch in expression.branches:
            yield from names_in(branch)


class _Parser:
    """Recursive descent over one text; blanks may stand around `|` and inside parentheses only."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def union(self, depth: int) -> TypeExpression:
        branches = [self.term(depth)]
        while True:
            bar = self.position
            while self.text[bar : bar + 1] == " ":
                bar += 1
            if self.text[bar : bar + 1] != "|":
                break
            self.position = bar + 1
            self.skip_blanks()
            branches.append(self.term(depth))
        return unite(branches)

    def term(self, depth: int) -> TypeExpression:
        if depth > _DEEPEST:
            raise TypeSyntaxError("a type nested too deep", "define shared types")
        if self.text[self.position : self.position + 1] == "(":
            self.position += 1
            self.skip_blanks()
            inner = self.union(depth + 1)
            self.skip_blanks()
            if self.text[self.position : self.position + 1] != ")":
                raise TypeSyntaxError(f'unknown type "{self.text}"', 'a ")" is missing')
            self.position += 1
            return inner
        match = _NAME.match(self.text, self.position)
        if match is None:
            raise TypeSyntaxError(*_explain(self.text))
        word = match.group()
        self.position = match.end()
        prefix = PREFIXES.get(word)
        if prefix is not None:
            if self.text[self.position : self.position + 1] != ":":
                raise TypeSyntaxError(
                    f'unknown type "{self.text}"', f'say of what: "{word}:string", "{word}:any"'
                )
            self.position += 1
            return prefix(self.term(depth + 1))
        return SCALARS.get(word) or Named(word)

    def skip_blanks(self) -> None:
        while self.text[self.position : self.position + 1] == " ":
            self.position += 1


_FOREIGN: Mapping[str, str] = {
    "str": "string",
    "text": "string",
    "double": "number",
    "decimal": "number",
    "list": "array:any",
    "dict": "object",
    "map": "object",
    "none": "null",
    "nil": "null",
    "date": "string",
    "datetime": "string",
}
"""Words of other languages -> what to write."""


def _explain(text: str) -> tuple[str, str]:
    """Message and hint for a text that is no type."""
    message = f'unknown type "{text}"'
    if text != text.strip():
        return message, f'take the blanks away: "{text.strip()}"'
    if text.endswith("[]"):
        return message, f'write "array:{text[:-2]}"'
    if ": " in text:
        return message, "no blank behind the colon"
    if not text:
        return message, "the types are " + ", ".join(SCALARS) + ", array: and map: of them"
    return message, suggest_type(text)


def suggest_type(word: str, shared: Mapping[str, object] | None = None) -> str:
    """The hint for a word that names no type: a foreign word's translation, or the nearest name."""
    folded = word.casefold()
    if folded in _FOREIGN:
        translation = _FOREIGN[folded]
        extra = ' with `format = "date"`' if folded == "date" else ""
        extra = ' with `format = "date-time"`' if folded == "datetime" else extra
        return f'write "{translation}"{extra}'
    if folded in SCALARS:
        return f'types are written in small letters: "{folded}"'
    near = nearest(word, [*SCALARS, *(shared or {})])
    if near is not None:
        return f'did you mean "{near}"?'
    return "the types are " + ", ".join(SCALARS) + ", array: and map: of them, and shared types"
