"""What there is to limit: a row a kind, with the values that a profile gives it, what the limit is in
words, and how a tool is held against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from toolc.lint.clients import names, schemas
from toolc.lint.clients.hit import Hit, number, texts
from toolc.lint.clients.profile import Values
from toolc.lint.subject import Index, Subject
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any


class Field(NamedTuple):
    """A value that a row of the kind gives."""

    name: str
    form: str
    """`text`, `pattern` (a regular expression for the whole of a text), `count`, `texts`."""
    choices: tuple[str, ...] = ()
    is_required: bool = True


class Kind(NamedTuple):
    """A kind of limit; its name is what `kind` says in a profile."""

    name: str
    fields: tuple[Field, ...]
    words: Callable[[Any], Iterator[str]]
    """What the limit is, a phrase for each thing that is limited."""
    look: Callable[[Subject, Any], Iterator[Hit]] | None = None
    look_at_all: Callable[[Index, Any], Iterator[Hit]] | None = None


_MOST = Field("most", "count")
_PREFIX = Field("prefix", "text", is_required=False)
_PATTERN = Field("pattern", "pattern")
_EXPECTED = Field("expected", "text")
_KEYWORDS = Field("keywords", "texts")


def _where(*choices: str) -> Field:
    return Field("where", "text", choices, is_required=False)


def _name_words(values: Values) -> Iterator[str]:
    yield f"tool names of other than {values['expected']}"


def _length_words(values: Values) -> Iterator[str]:
    prefix = f", `{values['prefix']}` before them included" if "prefix" in values else ""
    yield f"tool names of more than {values['most']} characters{prefix}"


def _keyword_words(values: Values) -> Iterator[str]:
    form = schemas.FORM_WORDS[str(values["form"])] if "form" in values else ""
    where = " inside a schema" if values.get("where") == "nested" else ""
    for keyword in texts(values["keywords"]):
        yield f"`{keyword}`{form}{where}"


def _beside_words(values: Values) -> Iterator[str]:
    if "refused" in values:
        for keyword in texts(values["refused"]):
            yield f"`{keyword}` beside `{values['keyword']}`"
    elif texts(values.get("allowed", [])):
        allowed = " or ".join(f"`{keyword}`" for keyword in texts(values["allowed"]))
        yield f"anything but {allowed} beside `{values['keyword']}`"
    else:
        yield f"anything beside `{values['keyword']}`"


def _boolean_words(values: Values) -> Iterator[str]:
    where = "a tool's own parameter" if values.get("where") == "top" else "a parameter"
    yield f"`true` or `false` as the schema of {where}"


def _untyped_words(values: Values) -> Iterator[str]:
    unless = texts(values.get("unless", []))
    besides = f" nor {', '.join(f'`{keyword}`' for keyword in unless)}" if unless else ""
    yield f"a parameter without a type{besides}"


def _parameter_words(values: Values) -> Iterator[str]:
    own = " of a tool's own" if values.get("where") == "top" else ""
    yield f"parameters{own} named in other than {values['expected']}"


def _parameter_length_words(values: Values) -> Iterator[str]:
    own = " of a tool's own" if values.get("where") == "top" else ""
    yield f"parameters{own} of more than {values['most']} characters"


def _number_words(values: Values) -> Iterator[str]:
    keywords = ", ".join(f"`{keyword}`" for keyword in texts(values["keywords"]))
    yield f"{keywords} past {number(values['most']):,}"


def _dialect_words(values: Values) -> Iterator[str]:
    for key in texts(values["of"]):
        yield f"`$schema` of the {schemas.SPOKEN[key]} other than {' and '.join(texts(values['known']))}"


def _said(*phrases: str) -> Callable[[Values], Iterator[str]]:
    """Phrases that take nothing of a row's values but `most`."""
    return lambda values: iter(
        [phrase.format(most=f"{values.get('most', 0):,}") for phrase in phrases]
    )


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("name-pattern", (_PATTERN, _EXPECTED), _name_words, names.look_at_name),
        Kind("name-length", (_MOST, _PREFIX), _length_words, names.look_at_name_length),
        Kind(
            "names-rewritten",
            (
                Field("how", "text"),
                _PREFIX,
                Field("pattern", "pattern", is_required=False),
                Field("by", "text", is_required=False),
                Field("most", "count", is_required=False),
                Field("head", "count", is_required=False),
                Field("between", "text", is_required=False),
                Field("tail", "count", is_required=False),
            ),
            lambda values: iter([f"names that become the same where {values['how']}"]),
            look_at_all=names.look_for_clashes,
        ),
        Kind(
            "tool-count", (_MOST,), _said("more than {most} tools"), look_at_all=names.look_at_count
        ),
        Kind(
            "description-length",
            (_MOST,),
            _said("descriptions of more than {most} characters"),
            names.look_at_description,
        ),
        Kind(
            "instructions-length",
            (_MOST,),
            _said("instructions of more than {most} characters"),
            look_at_all=names.look_at_instructions,
        ),
        Kind(
            "root-keyword",
            (_KEYWORDS,),
            lambda values: (f"`{keyword}` at the root" for keyword in texts(values["keywords"])),
            schemas.look_at_root,
        ),
        Kind(
            "keyword",
            (
                _KEYWORDS,
                _where("nested"),
                Field("form", "text", tuple(schemas.FORMS), is_required=False),
            ),
            _keyword_words,
            schemas.look_at_keywords,
        ),
        Kind(
            "keyword-beside",
            (
                Field("keyword", "text"),
                Field("allowed", "texts", is_required=False),
                Field("refused", "texts", is_required=False),
            ),
            _beside_words,
            schemas.look_beside,
        ),
        Kind("boolean-schema", (_where("top"),), _boolean_words, schemas.look_for_booleans),
        Kind(
            "untyped",
            (Field("unless", "texts", is_required=False),),
            _untyped_words,
            schemas.look_for_untyped,
        ),
        Kind("array-without-items", (), _said("an array without `items`"), schemas.look_for_items),
        Kind(
            "without-properties",
            (),
            _said("an input schema without `properties`"),
            schemas.look_for_properties,
        ),
        Kind("open-object", (), _said("an object that takes other keys"), schemas.look_for_open),
        Kind("optional-parameter", (), _said("optional parameters"), schemas.look_for_optional),
        Kind(
            "without-required",
            (),
            _said("a closed input schema without `required`"),
            schemas.look_for_required,
        ),
        Kind("recursion", (), _said("a schema that holds itself"), schemas.look_for_circles),
        Kind(
            "format",
            (Field("allowed", "texts"),),
            lambda values: iter(
                ["any `format` but " + ", ".join(f"`{name}`" for name in texts(values["allowed"]))]
            ),
            schemas.look_at_formats,
        ),
        Kind(
            "enum-values",
            (Field("refused", "texts", tuple(schemas.ENUM_VALUES)),),
            lambda values: (f"{form} in an `enum`" for form in texts(values["refused"])),
            schemas.look_at_enums,
        ),
        Kind(
            "pattern",
            (Field("refused", "texts", tuple(schemas.PATTERNS)),),
            lambda values: (
                f"a `pattern` with {schemas.PATTERN_WORDS[form]}"
                for form in texts(values["refused"])
            ),
            schemas.look_at_patterns,
        ),
        Kind("large-number", (_KEYWORDS, _MOST), _number_words, schemas.look_at_numbers),
        Kind(
            "parameter-pattern",
            (_PATTERN, _EXPECTED, _where("top")),
            _parameter_words,
            names.look_at_parameters,
        ),
        Kind(
            "parameter-length",
            (_MOST, _where("top")),
            _parameter_length_words,
            names.look_at_parameter_lengths,
        ),
        Kind(
            "dialect",
            (Field("known", "texts"), Field("of", "texts", ("inputSchema", "outputSchema"))),
            _dialect_words,
            schemas.look_at_dialect,
        ),
        Kind(
            "output-root",
            (),
            _said("an output schema whose root is no object"),
            schemas.look_at_output_root,
        ),
    )
}
"""What `kind` says in a profile -> the kind."""
