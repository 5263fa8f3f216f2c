from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from toolc_runtime import main as run


def main(argv: Sequence[str] | None = None) -> int:
    return run(Path(__file__).parent, argv)
