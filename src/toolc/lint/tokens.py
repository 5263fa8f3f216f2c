"""What a tool costs in every request that shows it to a model."""

from __future__ import annotations

import json
from collections.abc import Callable

from toolc.model.document import JsonObject
from toolc_runtime.light import NamedTuple
from toolc_runtime.tokens import tokens_in

ENCODING = "o200k_base"
"""The tokenizer of OpenAI's newer models. Others weigh the same texts within a few percent to a third."""


class Cost(NamedTuple):
    """The tokens of a tool's parts."""

    name: int
    description: int
    parameters: int
    """Of the input schema, as JSON without spaces."""
    output: int
    """Of the output schema, 0 without one. Few clients show it to the model."""

    @property
    def total(self) -> int:
        """What every client shows a model: all but the output schema."""
        return self.name + self.description + self.parameters


class Counter(NamedTuple):
    """Something that counts tokens."""

    is_exact: bool
    count: Callable[[str], int]


ESTIMATE = Counter(False, tokens_in)
"""What rules count with: fast, and the same on every machine."""


def best_counter() -> Counter:
    """The tokenizer of `toolc[tokens]` where it is installed, otherwise the estimate.

    The tokenizer takes half a second to begin with.
    """
    try:
        from toktok import batch_count
    except ModuleNotFoundError:
        return ESTIMATE
    return Counter(True, lambda text: batch_count([text], ENCODING, threads=1)[0])


_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def tokens_of(wire: JsonObject) -> int:
    """The estimated total of a Tool object's cost."""
    description = wire.get("description")
    text = description if isinstance(description, str) else ""
    return tokens_in(str(wire.get("name", "")), text, _compact(wire.get("inputSchema")))


def cost_of(wire: JsonObject, counter: Counter = ESTIMATE) -> Cost:
    """What a Tool object costs."""
    description, output = wire.get("description"), wire.get("outputSchema")
    return Cost(
        counter.count(str(wire.get("name", ""))),
        counter.count(description) if isinstance(description, str) else 0,
        counter.count(_compact(wire.get("inputSchema"))),
        0 if output is None else counter.count(_compact(output)),
    )
