"""The light NamedTuple behaves as typing's does."""

from __future__ import annotations

import pickle
import typing

import pytest

from toolc_runtime import light


class Light(light.NamedTuple):
    """A point."""

    x: int
    y: int = 2
    """Up."""

    @property
    def total(self) -> int:
        return self.x + self.y

    def moved(self) -> Light:
        return self._replace(x=self.x + 1)


class Own(typing.NamedTuple):
    """A point."""

    x: int
    y: int = 2


class Named(Light):
    """A class below one."""


def test_it_is_no_name_for_typing_s_own() -> None:
    assert light.NamedTuple is not typing.NamedTuple


def test_fields_and_defaults() -> None:
    assert tuple(Light(1)) == tuple(Own(1)) == (1, 2)
    assert Light._fields == Own._fields
    assert Light._field_defaults == Own._field_defaults
    assert repr(Light(1)) == "Light(x=1, y=2)"
    assert Light(1)._asdict() == {"x": 1, "y": 2}
    with pytest.raises(TypeError):
        Light()  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        Light(1).x = 3  # type: ignore[misc]


def test_what_else_stands_in_the_class() -> None:
    assert Light.__doc__ == "A point."
    assert (Light.__module__, Light.__qualname__) == (__name__, "Light")
    assert Light(1).total == 3
    assert Light(1).moved() == (2, 2)
    assert isinstance(Named(1), Light) and Named(1).total == 3


def test_it_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(Light(1))) == Light(1)
    assert type(pickle.loads(pickle.dumps(Light(1)))) is Light
