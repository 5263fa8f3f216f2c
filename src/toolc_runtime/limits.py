"""What bounds the calls of one tool: their time, how many run at once, and how many in a span of time."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from math import ceil
from typing import Any

import anyio
import anyio.from_thread

from toolc_runtime.absent import Absent
from toolc_runtime.context import Clock, Context
from toolc_runtime.errors import RATE_LIMITED, TIMEOUT, ToolError
from toolc_runtime.facts import ServedFacts
from toolc_runtime.jsonvalue import JsonObject
from toolc_runtime.results import Result
from toolc_runtime.tokens import tokens_in

_UNITS = {
    "s": ("second", 1),
    "sec": ("second", 1),
    "second": ("second", 1),
    "min": ("minute", 60),
    "minute": ("minute", 60),
    "h": ("hour", 3600),
    "hour": ("hour", 3600),
    "d": ("day", 86400),
    "day": ("day", 86400),
}
"""A rate limit's units: the word for people, and the seconds."""

_MOST_ASKED = 1_000
"""How many runs of a tool's calls that ended in a question are remembered: the last ones."""


def estimate_tokens(result: JsonObject) -> int:
    """About how many tokens the texts of a `tools/call` result weigh, as `tokens_in` counts them.

    Images and sounds do not count.
    """
    blocks: Any = result.get("content", ())
    return tokens_in(*(block["text"] for block in blocks if block.get("type") == "text"))


class RateLimit:
    """So many calls in any span of time, whenever it begins; further ones are refused."""

    def __init__(self, text: str, clock: Callable[[], float] = time.monotonic) -> None:
        """`text` is a number and a unit, like `60/min`; ValueError for anything else.

        `clock` gives seconds and never goes back.
        """
        count, _, unit = text.partition("/")
        if unit not in _UNITS or not count.isdecimal() or int(count) == 0:
            raise ValueError(f"{text!r} is no rate limit")
        word, self._span = _UNITS[unit]
        self.most = int(count)
        self.words = f"{count} {'call' if self.most == 1 else 'calls'} a {word}"
        """What is allowed, like `60 calls a minute`."""
        self._clock = clock
        self._begun: deque[float] = deque(maxlen=self.most)
        self._asked: deque[str] = deque(maxlen=_MOST_ASKED)

    def take(self) -> float:
        """0 for a call that may begin, and is counted; otherwise the seconds until one may."""
        now = self._clock()
        if len(self._begun) == self.most:
            wait = self._begun[0] + self._span - now
            if wait > 0:
                return wait
        self._begun.append(now)
        return 0.0

    def expect(self, run: str) -> None:
        """Let a call that has ended in a question go on: `run` is what it will be known by."""
        self._asked.append(run)

    def goes_on(self, run: str | None) -> bool:
        """Whether a call, counted already, goes on with this run: once, however often that is sent."""
        if run is None or run not in self._asked:
            return False
        self._asked.remove(run)
        return True


class Place:
    """One of the places of a tool's calls, taken until nobody holds it any more.

    A call holds it, and the thread of its handler: a call that is given up leaves its thread behind,
    which is still at work.
    """

    __slots__ = ("_give_back", "_holders", "_lock", "_thread")

    def __init__(self, give_back: Callable[[], None] | None) -> None:
        """Made on the event loop, where `give_back` is called, once; None where nobody waits for it."""
        self._give_back = give_back
        self._holders = 1
        self._lock = threading.Lock()
        self._thread = threading.get_ident()

    def run(self, work: Callable[[], Any]) -> Any:
        """Do the work of a thread, one of anyio's, which holds the place as well.

        None, with nothing done, if the call was given up before the thread came to it.
        """
        with self._lock:
            if not self._holders:
                return None
            self._holders += 1
        try:
            return work()
        finally:
            self.leave()

    def leave(self) -> None:
        """Hold it no longer."""
        with self._lock:
            self._holders -= 1
            if self._holders:
                return
        if self._give_back is None:
            return
        if threading.get_ident() == self._thread:
            self._give_back()
            return
        with suppress(RuntimeError):  # the thread has outlived the server
            anyio.from_thread.run_sync(self._give_back)


class Limits:
    """The limits of one tool's calls, and how they stand now; a new server process begins anew."""

    def __init__(self, name: str, facts: ServedFacts, *, is_repeatable: bool = False) -> None:
        """`name` is the tool's. `is_repeatable`: no harm is done by a call that is made twice."""
        self._name = name
        self._is_repeatable = is_repeatable
        self._timeout = facts.timeout
        self._rate = None if facts.rate_limit is None else RateLimit(facts.rate_limit)
        self._free = None if facts.concurrency is None else anyio.Semaphore(facts.concurrency)

    def admit(self, context: Context) -> None:
        """Count a call, but not once more when it goes on with an answer.

        ToolError RATE_LIMITED, with the seconds to wait, for one too many.
        """
        if self._rate is None or self._rate.goes_on(context.run_before):
            return
        wait = self._rate.take()
        if not wait:
            return
        seconds = ceil(wait)
        raise ToolError(
            RATE_LIMITED,
            f"{self._name} takes at most {self._rate.words}",
            details={"retry_after": seconds},
            suggestion=f"call it again in {_seconds(seconds)}",
        )

    def expect(self, run: str) -> None:
        """A run of a call has ended in a question; the next one is known by it."""
        if self._rate is not None:
            self._rate.expect(run)

    async def run(self, work: Callable[[Place], Awaitable[Any]], context: Context) -> Any:
        """What `work` returns, begun as soon as there is a place, within the tool's time.

        When the time runs out, what the handler has put aside with `context.partial` is the answer;
        if there is nothing, ToolError TIMEOUT. The time counts from here: waiting is part of it.
        """
        if self._timeout is None:
            return await self._begin(work, context)
        with anyio.move_on_after(self._timeout) as scope:
            context.bound(Clock(scope))
            return await self._begin(work, context)
        return self._given_up(context)

    async def _begin(self, work: Callable[[Place], Awaitable[Any]], context: Context) -> Any:
        try:
            if self._free is not None:
                await self._free.acquire()
            place = Place(None if self._free is None else self._free.release)
            try:
                return await work(place)
            finally:
                place.leave()
        except anyio.get_cancelled_exc_class():
            context.end()
            raise

    def _given_up(self, context: Context) -> Result[Any]:
        assert self._timeout is not None
        span = _seconds(self._timeout)
        if not isinstance(context.put_aside, Absent):
            warning = f"{self._name} was given up after {span}: this is what it had by then"
            flags = {"partial": True}
            return Result(context.put_aside, metadata=flags, warnings=[warning], complete=False)
        if not context.has_begun:
            message = f"{self._name} did not begin within {span}: other calls came first"
            suggestion = "call it again later"
        else:
            message = f"{self._name} did not answer within {span}"
            suggestion = (
                "ask for less, or call it again later"
                if self._is_repeatable
                else "look whether it has done its work all the same before you call it again"
            )
        details = {"timeout": self._timeout, "began": context.has_begun}
        raise ToolError(TIMEOUT, message, details=details, suggestion=suggestion)


def _seconds(number: float) -> str:
    return f"{number:g} second{'' if number == 1 else 's'}"
