# toolc: generated 6c4dba933d058b08
"""Contract of `convert_units`, written by toolc from tooldefs/convert_units.json. Edit the definition, not this file."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Literal, Protocol, TypedDict

from toolc_runtime import Context, Record, Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertUnitsParams:
    """Arguments of `convert_units`, valid against its schema, defaults applied.

    Attributes:
        value: The number, or a list of at most 100.
        source: The unit it has; `from` on the wire.
        target: The unit it should have; `to` on the wire.
        digits: Significant digits of the result (at most 15, above 0).
    """

    value: float | list[float]
    source: Literal[
        "mm",
        "cm",
        "m",
        "km",
        "in",
        "ft",
        "mi",
        "g",
        "kg",
        "oz",
        "lb",
        "ml",
        "l",
        "gal",
        "°C",
        "°F",
        "K",
    ]
    target: Literal[
        "mm",
        "cm",
        "m",
        "km",
        "in",
        "ft",
        "mi",
        "g",
        "kg",
        "oz",
        "lb",
        "ml",
        "l",
        "gal",
        "°C",
        "°F",
        "K",
    ]
    digits: int = 6


class ConvertUnitsResult(TypedDict):
    result: float | list[float]


class ConvertUnits(Protocol):
    """Handler of `convert_units`; sync or async."""

    def __call__(
        self, params: ConvertUnitsParams, context: Context, /
    ) -> Reply[ConvertUnitsResult] | Awaitable[Reply[ConvertUnitsResult]]: ...


PARAMS = Record(ConvertUnitsParams, names={"from": "source", "to": "target"})
