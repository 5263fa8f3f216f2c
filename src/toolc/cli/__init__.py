"""The command line: a module a command, imported when it is called."""

from __future__ import annotations


class UsageError(Exception):
    """A request that cannot be met as it was made; its text is for whoever made it. Exit code 2."""
