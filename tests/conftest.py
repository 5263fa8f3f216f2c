"""What all tests share: the repository's root, and the third-party data that lies beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

# No test is timed: what else the machine does is no property of the code.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture
def shared() -> Callable[[str], Path]:
    """A file or folder of the data beside the checkout, which is not part of the project: other
    people's definitions and servers. A test that needs it is skipped where it is absent."""

    def find(name: str) -> Path:
        path = ROOT.parent / "shared" / name
        if not path.exists():
            pytest.skip(f"the third-party data in ../shared/{name} is not here")
        return path

    return find
