"""Questions to the person in front of a client: what may be asked, and what the answer holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from toolc_runtime.errors import INVALID_INPUT, ToolError
from toolc_runtime.jsonvalue import JsonObject

T = TypeVar("T")

Action = Literal["accept", "decline", "cancel"]

_SCALARS = frozenset({"string", "integer", "number", "boolean"})

_NO_FIELDS: JsonObject = {"type": "object", "properties": {}}


class Question(NamedTuple):
    """What a person is asked: a sentence, and a form to fill in."""

    message: str
    schema: JsonObject
    """A flat object: MCP allows no more."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What a person did with a question. It is true if the person accepted.

    `data` is the form as it was filled in, None unless it was accepted. Who declines says no; who
    cancels says nothing.
    """

    action: Action
    data: T | None = None

    def __bool__(self) -> bool:
        return self.action == "accept"


class AskedError(BaseException):
    """Ends a handler whose question is the answer of its call; `result` is that answer, the SDK's.

    No Exception, so that a handler's `except Exception` lets it pass as it does a cancellation.
    """

    def __init__(self, result: Any, run: str) -> None:
        """`run` is what the run of the handler is known by to the one that has the answer."""
        super().__init__("a question for the client")
        self.result = result
        self.run = run


def first_asked(group: BaseExceptionGroup[BaseException]) -> AskedError | None:
    """The first question of a handler whose tasks asked at the same time; None where anything else
    went wrong too."""
    asked, rest = group.split(AskedError)
    if rest is not None:
        return None
    found: BaseException | None = asked
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found if isinstance(found, AskedError) else None


def can_ask(capabilities: Any, mode: str = "form") -> bool:
    """Whether a client has declared this mode of elicitation, `form` or `url`.

    One that declares elicitation without a mode has forms, as before there were modes.
    """
    declared = getattr(capabilities, "elicitation", None)
    if declared is None:
        return False
    if mode == "url":
        return declared.url is not None
    return declared.form is not None or declared.url is None


def form_schema(form: Any) -> JsonObject:
    """The JSON Schema of a form: None is one without fields, to be accepted or declined.

    `form` is a dataclass or a pydantic model whose fields are texts, numbers, booleans,
    `Literal`s of texts or lists of these, or a JSON Schema of such an object. TypeError for fields
    that no form has.
    """
    if form is None:
        return _NO_FIELDS
    if isinstance(form, Mapping):
        schema: dict[str, Any] = dict(form)
        is_form = schema.get("type", "object") == "object"
    else:
        is_form = is_dataclass(form) or hasattr(form, "model_json_schema")
    if not is_form:
        raise TypeError(f"{form!r} is no form: a form is a dataclass, a pydantic model or a schema")
    if not isinstance(form, Mapping):
        from pydantic import TypeAdapter

        schema = TypeAdapter(form).json_schema()
    shared = schema.get("$defs", {})
    fields = {
        name: _field(name, said, shared) for name, said in schema.get("properties", {}).items()
    }
    told: dict[str, Any] = {"type": "object", "properties": fields}
    nullable = {name for name, said in schema.get("properties", {}).items() if _is_nullable(said)}
    required = [name for name in schema.get("required", ()) if name not in nullable]
    if required:
        told["required"] = required
    return told


def _is_nullable(said: Any) -> bool:
    return isinstance(said, dict) and _NULL in said.get("anyOf", ())


_NULL: JsonObject = {"type": "null"}


def _field(name: str, said: Any, shared: Mapping[str, Any]) -> JsonObject:
    """A field's schema in MCP's words: no references, and an optional field is one to leave out."""
    field: dict[str, Any] = dict(said)
    if (reference := field.pop("$ref", None)) is not None:
        field = {**shared[reference.rpartition("/")[2]], **field}
    options = [option for option in field.get("anyOf", ()) if option != _NULL]
    if len(options) == 1:
        del field["anyOf"]
        field = {**options[0], **field}
    if field.get("default", "") is None:
        del field["default"]
    if "const" in field:
        field["enum"] = [field.pop("const")]
    items = field.get("items", {})
    is_choice = field.get("type") == "array" and ("enum" in items or "anyOf" in items)
    if field.get("type") not in _SCALARS and not is_choice:
        raise TypeError(
            f"the field {name!r} of a form cannot be {said!r}: it is a text, a number, a boolean, a "
            "choice (`Literal`), or a list of choices"
        )
    return field


def read_answer(form: Any, schema: JsonObject, response: Mapping[str, Any]) -> Answer[Any]:
    """What a client's `ElicitResult` says, as JSON.

    ToolError INVALID_INPUT where what was filled in does not fit the form.
    """
    action: Action = response["action"]
    if action != "accept":
        return Answer(action)
    content = {
        key: item for key, item in (response.get("content") or {}).items() if item is not None
    }
    from toolc_runtime.validation import compile_schema

    faults = [fault.message for fault in compile_schema(schema).faults(content)]
    if faults:
        raise _unfit(faults)
    if form is None or isinstance(form, Mapping):
        return Answer(action, content)
    from pydantic import TypeAdapter, ValidationError

    adapter = TypeAdapter(form)
    # What may be None and has no default is left out of a form as well.
    missing = dict.fromkeys(adapter.json_schema().get("required", ()))
    try:
        return Answer(action, adapter.validate_python({**missing, **content}))
    except ValidationError as error:  # of what the form's class checks by itself
        told = error.errors(include_url=False, include_context=False, include_input=False)
        raise _unfit([": ".join([*map(str, row["loc"]), row["msg"]]) for row in told]) from None


def _unfit(faults: Sequence[str]) -> ToolError:
    return ToolError(
        INVALID_INPUT, f"the answer to the question does not fit it: {'; '.join(faults)}"
    )
