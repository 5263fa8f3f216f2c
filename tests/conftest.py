"""What all tests share: the repository's root, and the third-party data that lies beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

# No test is timed: what else the machine does is no property of the code. `make test` says the same
# twice of the same code; `make fuzz` looks further, another way each time.
settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("fuzz", deadline=None, max_examples=1_000, print_blob=True)
settings.load_profile("same")


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
