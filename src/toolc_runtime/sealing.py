"""The secret that seals what a client is to bring back with the answers to a question."""

from __future__ import annotations

import os
import secrets

from mcp.server.request_state import RequestStateSecurity

from toolc_runtime.package import PackageError

VARIABLE = "TOOLC_STATE_KEY"
"""In the environment of servers on several machines that stand for one: their common keys, 32
characters or more each, separated by commas. The first seals, all of them open."""


def make_key() -> str:
    """A key for one server, or for several of one machine."""
    return secrets.token_hex(32)


def state_security(key: str | None = None) -> RequestStateSecurity:
    """What the SDK seals by: the keys of the environment, else `key`, else one of its own.

    PackageError for keys that are too short.
    """
    given = [part.strip() for part in os.environ.get(VARIABLE, "").split(",")]
    try:
        return RequestStateSecurity(keys=list(filter(None, given)) or [key or make_key()])
    except ValueError as error:
        raise PackageError(f"{VARIABLE}: {error}") from None
