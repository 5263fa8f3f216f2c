"""Handlers of `convert_units`, and of `convert_temperature`, which names its own in its definition."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import NamedTuple

from toolc_runtime import Context, ToolError

from ..contracts.convert_temperature import ConvertTemperatureParams, ConvertTemperatureResult
from ..contracts.convert_units import ConvertUnitsParams, ConvertUnitsResult


class Unit(NamedTuple):
    """`value * factor + offset` is the same in the quantity's base unit."""

    quantity: str
    factor: float
    offset: float = 0.0


UNITS: Mapping[str, Unit] = {
    "mm": Unit("length", 0.001),
    "cm": Unit("length", 0.01),
    "m": Unit("length", 1.0),
    "km": Unit("length", 1000.0),
    "in": Unit("length", 0.0254),
    "ft": Unit("length", 0.3048),
    "mi": Unit("length", 1609.344),
    "g": Unit("mass", 0.001),
    "kg": Unit("mass", 1.0),
    "oz": Unit("mass", 0.028349523125),
    "lb": Unit("mass", 0.45359237),
    "ml": Unit("volume", 0.001),
    "l": Unit("volume", 1.0),
    "gal": Unit("volume", 3.785411784),
    "°C": Unit("temperature", 1.0, 273.15),
    "°F": Unit("temperature", 5 / 9, 459.67 * 5 / 9),
    "K": Unit("temperature", 1.0),
}
"""Exact by definition: the international yard and pound of 1959, the US gallon of 231 in³."""


async def convert_units(params: ConvertUnitsParams, context: Context) -> ConvertUnitsResult:
    """Convert a number, or several at once, from one unit to another of the same quantity."""
    source, target = UNITS[params.source], UNITS[params.target]
    if source.quantity != target.quantity:
        raise ToolError(
            "INCOMPATIBLE_UNITS",
            f"{params.source} measures {source.quantity}, {params.target} {target.quantity}",
            details={"units": [n for n, u in UNITS.items() if u.quantity == source.quantity]},
        )
    if isinstance(params.value, list):
        return {"result": [_converted(v, source, target, params.digits) for v in params.value]}
    return {"result": _converted(params.value, source, target, params.digits)}


async def convert_temperature(
    params: ConvertTemperatureParams, context: Context
) -> ConvertTemperatureResult:
    """Convert degrees Celsius to degrees Fahrenheit."""
    if params.extra:
        context.log.warning("arguments without effect", names=sorted(params.extra))
    return {"fahrenheit": _converted(params.celsius, UNITS["°C"], UNITS["°F"], digits=6)}


def _converted(value: float, source: Unit, target: Unit, digits: int) -> float:
    """`value` in the target's unit, to `digits` significant digits."""
    exact = (value * source.factor + source.offset - target.offset) / target.factor
    if not isfinite(exact):
        raise ToolError("INVALID_INPUT", f"{value} is too large to convert")
    return float(f"{exact:.{digits}g}")
