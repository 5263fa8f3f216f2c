"""How far the estimate of tokens is from a tokenizer's count, on real tools:

    python benchmarks/token_error.py ../shared/corpus

It needs `toolc[tokens]`.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from toolc.lint.tokens import Cost, best_counter, cost_of


def main(folder: Path) -> None:
    counter = best_counter()
    if not counter.is_exact:
        sys.exit('pip install "toolc[tokens]"')
    costs = [(cost_of(tool, counter), cost_of(tool)) for tool in tools_in(folder)]
    print(f"{len(costs):,} tools    all together    median    9 of 10    99 of 100")
    for part in ("description", "parameters", "output", "total"):
        print(f"{part:12}", figures(costs, part))


def tools_in(folder: Path) -> Iterator[Any]:
    """The Tool objects of the `tools/list` results in a folder."""
    for path in sorted(folder.glob("*.json")):
        value = json.loads(path.read_text(encoding="utf-8"))
        result = value.get("result", value) if isinstance(value, dict) else {"tools": value}
        yield from (tool for tool in result["tools"] if isinstance(tool, dict))


def figures(costs: Sequence[tuple[Cost, Cost]], part: str) -> str:
    """The error of all together, and of single ones of 20 tokens or more."""
    rows = [(getattr(counted, part), getattr(guessed, part)) for counted, guessed in costs]
    together = sum(guessed for _, guessed in rows) / sum(counted for counted, _ in rows) - 1
    errors = sorted(abs(guessed / counted - 1) for counted, guessed in rows if counted >= 20)
    ninth, nearly_all = (errors[int(len(errors) * share)] for share in (0.9, 0.99))
    return f"{together:+16.1%}{statistics.median(errors):10.1%}{ninth:11.1%}{nearly_all:13.1%}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
