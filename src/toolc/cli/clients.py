"""`toolc clients`: what clients and providers refuse or mangle."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

from toolc.cli import UsageError
from toolc.cli.console import Console
from toolc.cli.main import FAILED, OK
from toolc.cli.options import COLOR, FORMAT, QUIET, Option
from toolc.files import read_bytes
from toolc.lint.clients.kinds import KINDS
from toolc.lint.clients.profile import Limit, Profile
from toolc.lint.clients.reader import ALL, Loaded, UnknownClient, load_clients
from toolc.loader import decode
from toolc.model.diagnostic import has_errors
from toolc.model.document import SourceFile

OPTIONS = (
    Option(
        ("names",),
        "clients, or paths of profiles, to be compared; without them, all clients are listed",
        "NAME",
        number="*",
    ),
    Option(("--json",), "print a list of objects, a client each, as JSON"),
    FORMAT,
    COLOR,
    QUIET,
)


def run(options: SimpleNamespace) -> int:
    console = Console(options)
    loaded = load_named(options.names or [ALL], os.getcwd())
    if has_errors(loaded.diagnostics):
        console.report(loaded.diagnostics, loaded.sources, None, root=os.getcwd())
        return FAILED
    profiles = loaded.profiles
    if options.json:
        rows = [_as_json(profile) for profile in profiles]
        console.emit(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
    elif not options.names:
        console.emit(_listing(profiles))
    elif len(profiles) == 1:
        console.emit(_one(profiles[0]))
    else:
        console.emit(_comparison(profiles))
        console.say("? is not sure; `toolc clients NAME` has the sources")
    return OK


def load_named(names: Iterable[str], root: str) -> Loaded:
    """The profiles of these names; relative paths among them begin at the folder `root`.
    UsageError for a name of nothing, and for a file that cannot be read."""

    def read(path: str) -> SourceFile:
        data = read_bytes(*os.path.split(os.path.join(root, path)))
        source, problems = decode(path, data) if isinstance(data, bytes) else (None, (data,))
        if source is None:
            raise UsageError(f"{path}: {problems[0].message}")
        return source

    try:
        return load_clients(names, read)
    except UnknownClient as error:
        raise UsageError(str(error)) from None


def _listing(profiles: Sequence[Profile]) -> str:
    rows = [
        (profile.name, profile.title, _count(len(profile.limits), "limit")) for profile in profiles
    ]
    return _table(rows)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _one(profile: Profile) -> str:
    """All that a profile says."""
    rows = [
        (phrase, lost(limit), limit.certainty.value, f"{limit.source} ({limit.date})")
        for limit in _in_order(profile)
        for phrase in _phrases(limit)
    ]
    head = f"{profile.title}\n{profile.about}".rstrip()
    return f"{head}\n\n{_table(rows)}"


def _comparison(profiles: Sequence[Profile]) -> str:
    """A row for each thing that one of the clients does not take."""
    cells: dict[str, dict[str, str]] = {}
    for kind in KINDS:
        for profile in profiles:
            for limit in profile.limits:
                if limit.kind == kind and not limit.until:
                    for phrase in _phrases(limit):
                        mark = limit.blast.name.lower() + ("" if limit.is_sure else "?")
                        cells.setdefault(phrase, {}).setdefault(profile.name, mark)
    head = ("", *(profile.name for profile in profiles))
    rows = [
        (phrase, *(row.get(profile.name, "·") for profile in profiles))
        for phrase, row in cells.items()
    ]
    return _table([head, *rows])


def lost(limit: Limit) -> str:
    """What becomes of what, in a few words: `request refused (HTTP 400)`."""
    remarks = ", ".join(filter(None, (limit.looks, limit.until and f"until {limit.until}")))
    return f"{limit.blast.name.lower()} {limit.effect.value}" + (f" ({remarks})" if remarks else "")


def _in_order(profile: Profile) -> list[Limit]:
    """A profile's limits, those of a kind together; what is past comes last."""
    kinds = list(KINDS)
    return sorted(profile.limits, key=lambda limit: (bool(limit.until), kinds.index(limit.kind)))


def _phrases(limit: Limit) -> list[str]:
    return [phrase.replace("`", "") for phrase in KINDS[limit.kind].words(limit.values)]


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows of as many cells each, in columns."""
    widths = [max(map(len, column), default=0) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "".join(line.rstrip() + "\n" for line in lines)


def _as_json(profile: Profile) -> dict[str, Any]:
    return {
        "name": profile.name,
        "title": profile.title,
        "about": profile.about or None,
        "limits": [
            {
                "kind": limit.kind,
                "limited": _phrases(limit),
                **limit.values,
                "blast": limit.blast.name.lower(),
                "effect": limit.effect.value,
                "looks": limit.looks or None,
                "certainty": limit.certainty.value,
                "source": limit.source,
                "date": limit.date,
                "until": limit.until or None,
                "note": limit.note or None,
            }
            for limit in _in_order(profile)
        ],
    }
