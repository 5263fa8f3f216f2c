"""Whether a model finds the tools that no client lists: every tool's own prompts, asked of `tool_search`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic, Prompts
from toolc.model.document import Site
from toolc.model.tool import Tool
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

    from toolc_runtime.natural import NaturalRanking
    from toolc_runtime.ranking import Ranking

_MOST_NOTES = 20
"""Prompts of which a build tells one by one."""

_SHOWS_ALL = "`toolc search --examples` shows every prompt"

_WORDS = "put words of the prompt into the tool's keywords or its description"
_HINTS = {
    "toolc": f"{_WORDS}; {_SHOWS_ALL}",
    "reference": f'{_WORDS}, or rank with `ranking = "toolc"`, which is for prompts; {_SHOWS_ALL}',
}
"""What to do, by the project's ranking."""


class Searchable(NamedTuple):
    """What a search reads of a tool, and what its author says that people ask for it with."""

    name: str
    description: str
    keywords: tuple[str, ...]
    discoverable: bool
    prompts: tuple[tuple[int, str], ...]
    """Each with its place among the tool's examples."""


class Asked(NamedTuple):
    """A prompt, and what came of it."""

    tool: str
    """The tool whose prompt it is, and that should come first."""
    example: int
    prompt: str
    is_hidden: bool
    """Whether the tool is found in no other way."""
    found: tuple[str, ...]
    """The best tools, as far as the one that should come; the first ones, if that is none of the most
    that an answer can hold."""

    @property
    def rank(self) -> int | None:
        """The tool's place from 1; None where it does not come."""
        return len(self.found) if self.tool in self.found else None

    @property
    def is_told(self) -> bool:
        """Whether the tool is in an answer of the usual length."""
        from toolc_runtime.discovery import FEW

        return self.rank is not None and self.rank <= FEW


LAST_GOOD = 3
"""The last place at which a hidden tool is well found: a model that is told five reads the first ones."""


class Theft(NamedTuple):
    """A prompt of one tool for which another comes first."""

    thief: str
    tool: str
    prompt: str
    example: int
    """Its place among the tool's examples."""


class Report(NamedTuple):
    """How the tools of a project are found."""

    asked: tuple[Asked, ...]
    unfound: tuple[str, ...]
    """The hidden tools that have prompts, none of which tells them."""
    unreachable: tuple[str, ...]
    """The hidden tools that nothing tells: no prompt, no keyword, not the words of their name."""
    rivals: tuple[tuple[Theft, Theft], ...]
    """Pairs of tools that each come before the other on one of the other's prompts."""
    thefts: tuple[Theft, ...]
    """The rest: what came first for a prompt of another tool."""


def searchable(tool: Tool) -> Searchable:
    facts = tool.facts
    prompts = ((at, example.prompt) for at, example in enumerate(facts.examples) if example.prompt)
    return Searchable(
        tool.name, tool.description or "", facts.keywords, facts.discoverable, tuple(prompts)
    )


def searchable_of_entry(wire: Mapping[str, Any], entry: Mapping[str, Any]) -> Searchable:
    """The same of a tool as the manifest and the catalogue have it."""
    examples = enumerate(entry.get("examples", ()))
    return Searchable(
        wire["name"],
        wire.get("description", ""),
        tuple(entry.get("keywords", ())),
        entry.get("discoverable", False),
        tuple((at, example["prompt"]) for at, example in examples if "prompt" in example),
    )


def check_prompts(
    tools: Sequence[Searchable], ranking: str, place: Callable[[Asked], Site | None]
) -> Prompts:
    """Ask every prompt, where a tool is hidden; a note for each that does not tell its hidden tool.

    `ranking` is the project's, `place` says where a prompt stands.
    """
    if not (any(tool.discoverable for tool in tools) and any(tool.prompts for tool in tools)):
        return Prompts()
    asked = ask(tools, make_index(tools, ranking))
    missed = [one for one in asked if one.is_hidden and (one.rank is None or one.rank > LAST_GOOD)]
    notes = [_note(one, place(one), ranking) for one in missed[:_MOST_NOTES]]
    if len(missed) > len(notes):
        message = f"{len(missed) - len(notes):,} more prompts do not find their hidden tools"
        notes.append(Diagnostic("P610", CODES["P610"].severity, message, hint=_SHOWS_ALL))
    return Prompts(len(asked), sum(one.rank == 1 for one in asked), tuple(notes))


def _note(asked: Asked, site: Site | None, ranking: str) -> Diagnostic:
    first = f'"{asked.found[0]}" comes first' if asked.found else "nothing is"
    if asked.rank:
        outcome = f"is number {asked.rank} for its own prompt: {first}"
    else:
        outcome = f"is not found by its own prompt: {first}"
    return Diagnostic(
        "P610",
        CODES["P610"].severity,
        f'"{asked.tool}" {outcome}',
        site,
        _HINTS[ranking],
        tool=asked.tool,
    )


def make_index(tools: Iterable[Searchable], ranking: str) -> Ranking | NaturalRanking:
    """What `tool_search` ranks these tools with."""
    from toolc_runtime.discovery import make_ranking

    return make_ranking(ranking, ((tool.name, tool.description, tool) for tool in tools))


def ask(tools: Iterable[Searchable], index: Ranking | NaturalRanking) -> tuple[Asked, ...]:
    """Every prompt, in the order of the tools and of their examples."""
    from toolc_runtime.discovery import FEW, MOST

    asked = []
    for tool in tools:
        for example, prompt in tool.prompts:
            names: list[str] = []
            for limit in (FEW, MOST):  # most need not be looked for any further
                if tool.name not in names:
                    names = [hit.name for hit in index.search(prompt, limit)]
            end = names.index(tool.name) + 1 if tool.name in names else FEW
            found = tuple(names[:end])
            asked.append(Asked(tool.name, example, prompt, tool.discoverable, found))
    return tuple(asked)


def examine(tools: Sequence[Searchable], ranking: str) -> Report:
    """All there is to say of how these tools are found."""
    index = make_index(tools, ranking)
    asked = ask(tools, index)
    told = {one.tool for one in asked if one.is_told}
    untold = [tool for tool in tools if tool.discoverable and tool.name not in told]
    rivals = tuple(find_rivals(asked))
    known = {(theft.thief, theft.tool) for pair in rivals for theft in pair}
    return Report(
        asked,
        tuple(tool.name for tool in untold if tool.prompts),
        tuple(tool.name for tool in untold if not _is_reachable(tool, index)),
        rivals,
        tuple(
            Theft(one.found[0], one.tool, one.prompt, one.example)
            for one in asked
            if one.rank != 1 and one.found and (one.found[0], one.tool) not in known
        ),
    )


def _is_reachable(tool: Searchable, index: Ranking | NaturalRanking) -> bool:
    """Whether a keyword of the tool tells it, or the words of its name."""
    import re

    from toolc_runtime.discovery import FEW

    words = re.sub(r"[\W_]+|(?<=[a-z0-9])(?=[A-Z])", " ", tool.name).strip()
    queries = (words, *tool.keywords)
    return any(hit.name == tool.name for query in queries for hit in index.search(query, FEW))


def find_rivals(asked: Iterable[Asked]) -> Iterator[tuple[Theft, Theft]]:
    """Pairs of tools that each come before the other on one of the other's prompts: each pair once, by
    the first prompt on either side."""
    from toolc_runtime.discovery import FEW

    thefts: dict[tuple[str, str], Theft] = {}
    for one in asked:
        for thief in one.found[:FEW]:
            if thief == one.tool:
                break
            thefts.setdefault((thief, one.tool), Theft(thief, one.tool, one.prompt, one.example))
    for (thief, tool), theft in thefts.items():
        if thief < tool and (tool, thief) in thefts:
            yield theft, thefts[tool, thief]
