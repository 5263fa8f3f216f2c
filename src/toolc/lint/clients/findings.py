"""From what clients do with one place of a tool to one finding that names them all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from toolc.lint.clients.hit import Hit
from toolc.lint.clients.kinds import KINDS
from toolc.lint.clients.profile import Blast, Clients, Effect, Limit
from toolc.lint.rule import Found
from toolc.lint.subject import Index, Subject
from toolc.model.diagnostic import Severity
from toolc.model.document import Pointer
from toolc_runtime.light import NamedTuple

BLASTS = {
    Blast.REQUEST: "every request",
    Blast.SERVER: "the whole server",
    Blast.TOOL: "this tool",
    Blast.PARAMETER: "this parameter",
}
EFFECTS = {
    Effect.REFUSED: "is refused by",
    Effect.DROPPED: "is missing in",
    Effect.CUT: "loses the end of its text in",
    Effect.CHANGED: "is changed by",
    Effect.FAILS: "fails when it is called by",
    Effect.REPLACED: "takes another's place in",
}


class _Loss(NamedTuple):
    """A client, the limit of its that something is past, and how far."""

    client: str
    limit: Limit
    hit: Hit


def find(kind: str, subject: Subject, clients: Clients) -> Iterator[Found]:
    """What a tool has that is past the clients' limits of a kind: a place is told once, with all
    clients that it is lost to."""
    look = KINDS[kind].look
    assert look is not None
    yield from _joined((rows, look(subject, values)) for values, rows in clients.limits(kind))


def find_in_all(kind: str, index: Index, clients: Clients) -> Iterator[Found]:
    """The same, of all tools together."""
    look = KINDS[kind].look_at_all
    assert look is not None
    yield from _joined((rows, look(index, values)) for values, rows in clients.limits(kind))


_SHOWN = 3
"""Further places that one finding shows."""


def _joined(
    looks: Iterable[tuple[Sequence[tuple[str, Limit]], Iterator[Hit]]],
) -> Iterator[Found]:
    places: dict[tuple[str, Pointer, str], list[_Loss]] = {}
    for rows, hits in looks:
        for hit in hits:
            # Things of several names at one place (two names that clash with two others) stay apart.
            losses = places.setdefault((hit.tool, hit.pointer, hit.what), [])
            losses += [_Loss(client, limit, hit) for client, limit in rows]
    # The same thing in several places of a tool, with the same to lose, is one finding.
    things: dict[object, list[list[_Loss]]] = {}
    for (tool, _, what), losses in places.items():
        losses.sort(key=lambda loss: (not loss.limit.is_sure, -loss.limit.blast))
        held = tuple((loss.client, id(loss.limit), loss.hit.detail) for loss in losses)
        things.setdefault((tool, what, held), []).append(losses)
    for rows_of_places in things.values():
        yield _told(rows_of_places[0], [losses[0].hit for losses in rows_of_places[1:]])


def _told(losses: Sequence[_Loss], others: Sequence[Hit]) -> Found:
    """One finding: what is lost, the gravest first, and to whom; then the thing, and where else it
    stands."""
    phrases: dict[tuple[str, str], list[str]] = {}
    for loss in losses:
        limit = loss.limit
        begins = f"{BLASTS[limit.blast]} {EFFECTS[limit.effect]}"
        doubt = "" if limit.is_sure else "perhaps"
        remarks = "; ".join(filter(None, (loss.hit.detail, limit.looks, doubt)))
        names = phrases.setdefault((begins, remarks), [])
        if loss.client not in names:
            names.append(loss.client)
    lost = [
        f"{begins} {_listed(names)}" + (f" ({remarks})" if remarks else "")
        for (begins, remarks), names in phrases.items()
    ]
    worst, hit = losses[0], losses[0].hit
    alike = [loss.hit for loss in losses if loss.limit.is_sure is worst.limit.is_sure]
    rewrite = min(alike, key=lambda hit: hit.room).rewrite
    thing = f"{hit.what} {hit.where}".rstrip()
    if others:
        thing += f", and in {len(others)} more place{'s' if len(others) > 1 else ''}"
    notes = dict.fromkeys(loss.limit.note for loss in losses if loss.limit.note)
    source = f"{worst.limit.source} ({worst.limit.date})"
    also = tuple((hit.tool, other.pointer, "here too") for other in others[:_SHOWN])
    return Found(
        hit.pointer,
        f"{', '.join(lost)}: {thing}",
        "; ".join((rewrite, *notes, source)),
        key=hit.key,
        tool=hit.tool,
        related=(*hit.related, *also),
        severity=None if worst.limit.is_sure else Severity.NOTE,
    )


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
