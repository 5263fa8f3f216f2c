"""A Python value of a caller's -> a JSON value of our own, or what in it JSON does not have."""

from __future__ import annotations

from math import isfinite

from toolc.loader.leaves import forbidden_text
from toolc.loader.limits import LEVELS_HINT, MAX_BITS, MAX_DEPTH, MAX_DIGITS, MAX_EXPANSION
from toolc.loader.problem import Problem, pointer_name, shown
from toolc.loader.text import name_forbidden
from toolc.model.document import JsonValue, Pointer, Span

_NOWHERE = Span(0, 0)


class _StopCopy(Exception):  # noqa: N818 (a signal, not an error)
    """The value is too large to go on; the problem is noted."""


def adopt(value: object) -> tuple[JsonValue, list[Problem]]:
    """A copy of `value` that later changes to it do not reach; tuples become lists.

    It means nothing where there are problems. Their spans are empty: only their pointers say where.
    """
    adoption = _Adoption()
    try:
        return adoption.copy(value, ()), adoption.problems
    except _StopCopy:
        return None, adoption.problems


class _Adoption:
    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._budget = MAX_EXPANSION
        self._around: list[object] = []  # the containers that the present value is in

    def copy(self, value: object, pointer: Pointer) -> JsonValue:
        """Recursive, and bounded by MAX_DEPTH."""
        if value is None or type(value) is bool:
            self._pay(1, pointer)
            return value
        if type(value) is str:
            self._pay(1 + len(value), pointer)
            if held := name_forbidden(value):
                self.problems.append(forbidden_text(pointer, held, _NOWHERE))
            return value
        if type(value) is int or type(value) is float:
            self._pay(1, pointer)
            return self._number(value, pointer)
        if isinstance(value, (dict, list, tuple)):
            self._pay(1, pointer)
            return self._container(value, pointer)
        self._note("L106", f"a {type(value).__name__}, which JSON does not have", pointer)
        return None

    def _number(self, value: int | float, pointer: Pointer) -> JsonValue:
        if isinstance(value, float):
            if not isfinite(value):
                self._note("L106", f"{value}, and JSON has finite numbers only", pointer)
        elif value.bit_length() > MAX_BITS:
            self._note("L106", f"an integer of more than {MAX_DIGITS} digits", pointer)
        return value

    def _container(
        self, value: dict[object, object] | list[object] | tuple[object, ...], pointer: Pointer
    ) -> JsonValue:
        if any(container is value for container in self._around):
            self._note("L106", "one of the objects or lists that it stands in", pointer)
            return None
        if len(self._around) == MAX_DEPTH:
            self._note("L109", f"deeper than {MAX_DEPTH} levels", pointer, LEVELS_HINT)
            return None
        self._around.append(value)
        copied: JsonValue
        if isinstance(value, dict):
            copied = {
                name: self.copy(child, (*pointer, name))
                for key, child in value.items()
                if (name := self._key(key, pointer)) is not None
            }
        else:
            copied = [self.copy(child, (*pointer, index)) for index, child in enumerate(value)]
        self._around.pop()
        return copied

    def _key(self, key: object, pointer: Pointer) -> str | None:
        if type(key) is not str:
            self.problems.append(
                Problem(
                    "L106",
                    f"the key {shown(repr(key))} at {pointer_name(pointer)} is not a text",
                    _NOWHERE,
                    "JSON's keys are strings",
                    pointer=pointer,
                )
            )
            return None
        self._pay(len(key), pointer)
        if held := name_forbidden(key):
            where = (*pointer, key)
            self.problems.append(forbidden_text(where, held, _NOWHERE, is_key=True))
        return key

    def _pay(self, price: int, pointer: Pointer) -> None:
        self._budget -= price
        if self._budget < 0:
            message = f"part of more than {MAX_EXPANSION:,} values and characters"
            self._note("L109", message, pointer, "pass less, and look for lists that repeat")
            raise _StopCopy

    def _note(self, code: str, what: str, pointer: Pointer, hint: str = "") -> None:
        hint = hint or "pass what json.dumps with allow_nan=False would take"
        message = f"the value at {pointer_name(pointer)} is {what}"
        self.problems.append(Problem(code, message, _NOWHERE, hint, pointer=pointer))
