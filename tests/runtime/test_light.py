"""The light NamedTuple behaves as typing's does."""

from __future__ import annotations

import inspect
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


class Pair(light.NamedTuple):
    """As many fields as a point has, by other names."""

    left: str
    right: str


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


def test_each_class_knows_its_own_names() -> None:
    assert (Light(y=3, x=1), Pair("a", right="b")) == ((1, 3), ("a", "b"))
    assert str(inspect.signature(Pair)) == "(left, right)"
    with pytest.raises(TypeError, match=r"Pair.__new__\(\) missing .* 'right'"):
        Pair("a")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'x'"):
        Pair("a", x="b")  # type: ignore[call-arg]


def test_other_values_and_no_others() -> None:
    assert Light(1)._replace(y=3) == (1, 3)
    assert type(Light._make([1, 3])) is Light
    assert type(Named(1)._replace(x=2)) is Named
    with pytest.raises(TypeError, match="z"):
        Light(1)._replace(z=3)  # type: ignore[call-arg]
    for values in ([1], [1, 2, 3]):
        with pytest.raises(TypeError):
            Light._make(values)


def test_what_else_stands_in_the_class() -> None:
    assert Light.__doc__ == "A point."
    assert (Light.__module__, Light.__qualname__) == (__name__, "Light")
    assert Light(1).total == 3
    assert Light(1).moved() == (2, 2)
    assert isinstance(Named(1), Light) and Named(1).total == 3


def test_it_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(Light(1))) == Light(1)
    assert type(pickle.loads(pickle.dumps(Light(1)))) is Light
