"""`toolc build --profile`: where the time of a build went."""

from __future__ import annotations

import sys
import time

from toolc.report.summary import count
from toolc.workspace import Stages
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from toolc.workspace import Call

START, REST = "start and imports", "everything else"

STAGES = (
    START,
    "opening",
    "looking",
    "reading",
    "compiling",
    "joining",
    "planning",
    "asking",
    "writing",
    "keeping",
    REST,
)
"""In the order of a build, and of the table."""


class Clock(Stages):
    """Measures the stages of a build from its making on, and the process up to there."""

    def __init__(self) -> None:
        self._spent = dict.fromkeys(STAGES, 0.0)
        # Nothing but computing comes before, and so it took the time that the processor did.
        self._spent[START] = time.process_time()
        self._under_way = [REST]
        self._since = time.perf_counter()
        self._counts: dict[str, int] = {}

    def __call__(self, name: str) -> Stages:
        self._charge()
        self._under_way.append(name)
        return self

    def __exit__(self, *_: object) -> None:
        self._charge()
        self._under_way.pop()

    def timed(self, name: str, call: Call) -> Call:
        def timed(*arguments: Any) -> Any:
            with self(name):
                return call(*arguments)

        return timed  # type: ignore[return-value]

    def count(self, what: str, number: int) -> None:
        self._counts[what] = self._counts.get(what, 0) + number

    def _charge(self) -> None:
        now = time.perf_counter()
        self._spent[self._under_way[-1]] += now - self._since
        self._since = now

    def table(self) -> str:
        """A line for each stage: its name, its milliseconds, and its share of all of them."""
        self._charge()
        total = sum(self._spent.values())
        rows = [*self._spent.items(), ("all", total)]
        lines = [f"{'':{_NAME}}        ms  share"]
        lines += [f"{name:{_NAME}} {s * 1000:9,.1f} {s / total:6.0%}" for name, s in rows]
        if self._counts:
            (what, number), *others = self._counts.items()
            said = [f"{count(number, 'file')} {what}"]
            said += [f"{number:,} {what}" for what, number in others]
            lines.append(", ".join(said))
        return "\n".join(lines) + "\n"

    def tell(self) -> None:
        """Print the table, below whatever was printed before."""
        if sys.stdout is not None:
            sys.stdout.flush()
        if sys.stderr is not None:
            sys.stderr.write(self.table())


_NAME = max(map(len, STAGES))
