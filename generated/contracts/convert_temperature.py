# toolc: generated b3f5d43ffcbcedf8
"""Contract of `convert_temperature`, written by toolc from tooldefs/convert_temperature.json. Edit the definition, not this file."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypedDict

from toolc_runtime import Context, Record, Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertTemperatureParams:
    """Arguments of `convert_temperature`, valid against its schema, defaults applied.

    Attributes:
        celsius: Degrees Celsius (at least -273.15).
        extra: Whatever else was sent, by its name on the wire.
    """

    celsius: float
    extra: dict[str, Any] = field(default_factory=dict)


class ConvertTemperatureResult(TypedDict):
    fahrenheit: float


class ConvertTemperature(Protocol):
    """Handler of `convert_temperature`; sync or async."""

    def __call__(
        self, params: ConvertTemperatureParams, context: Context, /
    ) -> (
        Reply[ConvertTemperatureResult] | Awaitable[Reply[ConvertTemperatureResult]]
    ): ...


PARAMS = Record(ConvertTemperatureParams, open=True)
