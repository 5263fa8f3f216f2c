# toolc: generated f1b8df3f7ab2819d
"""The server `notebook`, written by toolc."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import toolc_runtime


def main(argv: Sequence[str] | None = None) -> int:
    """Serve the tools until the client leaves; `argv` is the command line, without the program."""
    return toolc_runtime.main(Path(__file__).resolve().parent, argv)
