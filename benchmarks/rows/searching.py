"""A search among many tools, as the server does it for `tool_search`, without the way to the server."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

from bench import Bench
from figure import Figure
from toolc_runtime.natural import NaturalRanking
from toolc_runtime.ranking import Ranking, Searched

_VERBS = """
get list create update delete search find send read write open close move copy share export import
archive restore rename merge split lock unlock assign invite approve cancel schedule tag
"""
_NOUNS = """
email invoice customer calendar event report file folder branch commit issue comment project task
user team payment refund order product stock ticket message channel contact meeting note dashboard
metric alert device
"""
_PLACES = "cloud office store mail chat drive board desk shop bank lab"

_QUERIES = {
    "a name": "create_invoice_office",
    "one word": "invoice",
    "one letter": "e",
    "three words": "send email customer",
    "a misspelt name": "creat_invioce_office",
    "a sentence": "I want to send a message about the late payment to every customer in my calendar",
}

_RANKINGS: dict[str, Callable[[list[Searched]], Ranking | NaturalRanking]] = {
    "reference": Ranking,
    "toolc": NaturalRanking,
}
"""As `[server] ranking` names them."""

_GOAL = 2.0  # milliseconds


def search(bench: Bench) -> Iterator[Figure]:
    """Each query in a ranking that has never seen its words, and then once more."""
    tools = list(itertools.islice(_tools(), bench.middle))
    for kind, ranking in _RANKINGS.items():
        yield from _searches(bench, kind, partial(ranking, tools), len(tools))


def _searches(
    bench: Bench, kind: str, make: Callable[[], Ranking | NaturalRanking], number: int
) -> Iterator[Figure]:
    making: list[float] = []
    first: dict[str, list[float]] = {name: [] for name in _QUERIES}
    again: dict[str, list[float]] = {name: [] for name in _QUERIES}
    for _ in range(bench.runs):
        for name, query in _QUERIES.items():
            start = time.perf_counter()
            ranking = make()
            making.append(time.perf_counter() - start)
            for taken in (first, again):
                start = time.perf_counter()
                ranking.search(query, 5)
                taken[name].append(time.perf_counter() - start)
    what = f"{kind}: making the index, {number:,} tools"
    yield Figure(what, "ms", statistics.median(making) * 1000)
    for name in _QUERIES:
        yield Figure(f"{kind}: {name}", "ms", statistics.median(first[name]) * 1000, goal=_GOAL)
        yield Figure(
            f"{kind}: {name}, again", "ms", statistics.median(again[name]) * 1000, goal=_GOAL
        )


def _tools() -> Iterator[Searched]:
    """Tools with names, descriptions and keywords of their own, as many as are wanted."""
    words = [text.split() for text in (_VERBS, _NOUNS, _PLACES)]
    for number in itertools.count():
        suffix = f"_{number}" if number else ""
        for verb, noun, place in itertools.product(*words):
            name = f"{verb}_{noun}_{place}{suffix}"
            description = (
                f"{verb.capitalize()} the {noun} with this id in the {place} of the workspace "
                f"ws{_number_of(name) % 997}. Use it when a person asks for one; at most "
                f"{_number_of(verb + noun) % 90} at a time (see {noun}-{place}{suffix})."
            )
            yield Searched(name, description, (noun, f"{place} {noun}s", f"{verb}{place}"))


def _number_of(text: str) -> int:
    """The same on every run, unlike `hash`."""
    return sum(byte * 31**place for place, byte in enumerate(text.encode()[:12]))
