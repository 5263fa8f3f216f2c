"""The secret that seals what a client is to bring back with the answers to a question."""

from __future__ import annotations

import os
import secrets

from mcp.server.request_state import RequestStateSecurity

from toolc_runtime.package import PackageError

VARIABLE = "TOOLC_STATE_KEY"
"""In the environment of servers on several machines that stand for one: their common keys, 32
characters or more each, separated by commas. The first seals, all of them open."""

_SHORTEST = 32


def make_key() -> str:
    """A key for one server, or for several of one machine."""
    return secrets.token_hex(32)


def state_security(key: str | None = None) -> RequestStateSecurity:
    """What the SDK seals by: the keys of the environment, else `key`, else one of its own.

    PackageError for keys that are too short.
    """
    return RequestStateSecurity(keys=common_keys() or [key or make_key()])


def common_keys() -> list[str]:
    """The keys of the environment; PackageError for one that is too short."""
    given = [part.strip() for part in os.environ.get(VARIABLE, "").split(",")]
    keys = list(dict.fromkeys(filter(None, given)))
    for key in keys:
        if len(key) < _SHORTEST:
            raise PackageError(
                f"{VARIABLE} has a key of {len(key)} characters; {_SHORTEST} are the least"
            )
    return keys
