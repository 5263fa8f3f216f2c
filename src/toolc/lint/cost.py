"""Rules on what tools cost in every request."""

from __future__ import annotations

from collections.abc import Iterator

from toolc.lint.rule import Found, Kind, Rule
from toolc.lint.subject import Index, Subject
from toolc.lint.tokens import cost_of
from toolc.model.diagnostic import Severity

MANY_TOOLS = (40, 100, 128)
"""From how many tools on clients cut or refuse the list, and models choose worse."""

MOST_TOKENS = 3_000
"""Of one tool: as much as ten ordinary ones together."""

MOST_TOKENS_TOGETHER = 25_000
"""Of all tools that a client is shown: an eighth of a context of 200,000."""


def find_many(index: Index) -> Iterator[Found]:
    shown = [row for row in index.rows if not row.is_hidden]
    passed = [limit for limit in MANY_TOOLS if len(shown) > limit]
    if passed:
        last = shown[passed[-1]]
        yield Found(
            ("name",),
            f"clients are shown {len(shown):,} tools, more than {passed[-1]}",
            "hide the rarer ones (`discoverable = true`), or split the server",
            tool=last.name,
        )


def find_costly(subject: Subject) -> Iterator[Found]:
    if subject.tokens <= MOST_TOKENS:
        return
    cost = cost_of(subject.wire)
    part = "description" if cost.description > cost.parameters else "inputSchema"
    output = f"; its output schema weighs another {cost.output:,}" if cost.output else ""
    where = "a request that shows it" if subject.facts.discoverable else "every request"
    yield Found(
        (part,),
        f'"{subject.name}" costs about {cost.total:,} tokens in {where}: '
        f"{cost.description:,} for the description, {cost.parameters:,} for the parameters{output}",
        "keep what a model needs to choose it and to call it; a tool of several jobs can be several",
    )


def find_costly_together(index: Index) -> Iterator[Found]:
    shown = [row for row in index.rows if not row.is_hidden]
    total = sum(row.tokens for row in shown)
    if total <= MOST_TOKENS_TOGETHER:
        return
    first, *others = sorted(shown, key=lambda row: (-row.tokens, row.name))[:3]
    yield Found(
        ("name",),
        f"the {len(shown):,} tools that clients are shown cost about {total:,} tokens in every request",
        "hide the rarer ones (`discoverable = true`), or shorten the longest; "
        "`toolc show --cost` lists what each costs",
        tool=first.name,
        related=tuple(
            (row.name, ("name",), f'"{row.name}" costs about {row.tokens:,}') for row in others
        ),
    )


_TOOL = 'description = "Find notes that contain a word"\n'
_MANY = "".join(f'[[tools]]\nname = "get_{number}"\n{_TOOL}' for number in range(MANY_TOOLS[0] + 1))
_VALUES = ", ".join(f'"{at:05}"' for at in range(1100))
_WORD = '\n[[parameters]]\nname = "word"\ntype = "string"\ndescription = "A zip code"\n'
_LONG = f"{_WORD}enum = [{_VALUES}]\n"
_LONG_ONES = "".join(
    f'[[tools]]\nname = "find_{number}"\n{_TOOL}'
    + _LONG.replace("[[parameters]]", "[[tools.parameters]]")
    for number in range(7)
)

RULES = (
    Rule(
        "D701",
        "many-tools",
        Kind.DESIGN,
        Severity.WARNING,
        "more tools than models choose well from",
        "Some clients stop at 40, 100 or 128 tools; and every tool stands in every request.",
        wrong=_MANY,
        right=_TOOL,
        look_at_all=find_many,
    ),
    Rule(
        "D702",
        "costly-tool",
        Kind.DESIGN,
        Severity.WARNING,
        f"a tool of more than {MOST_TOKENS:,} tokens",
        "Its definition stands in every request: that much is paid for each time, whether a model calls it "
        "or not.",
        wrong=_TOOL + _LONG,
        right=_TOOL + _WORD + 'pattern = "^[0-9]{5}$"\n',
        look=find_costly,
    ),
    Rule(
        "D703",
        "costly-tools",
        Kind.DESIGN,
        Severity.WARNING,
        f"tools of more than {MOST_TOKENS_TOGETHER:,} tokens together",
        f"Tools that take {MOST_TOKENS_TOGETHER:,} tokens of every request leave less of a model's "
        "context for the work itself, and slow each answer down.",
        wrong=_LONG_ONES,
        right=_TOOL,
        look_at_all=find_costly_together,
    ),
)
