"""Which handlers are still the stubs that toolc wrote."""

from __future__ import annotations

import pytest

from toolc.check.stubs import is_stub


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('async def f(p, c):\n    """Doc."""\n    raise NotImplementedError("f")\n', True),
        ("def f(p, c):\n    raise NotImplementedError\n", True),
        ("def f(p, c):\n    log(p)\n    raise NotImplementedError('f')\n", False),
        ("def f(p, c):\n    return 1\ndef g():\n    raise NotImplementedError\n", False),
        ("def f(p, c):\n    raise ValueError\n", False),
        ("def f(p, c): NotImplementedError(\n", False),
        ("", False),
    ],
)
def test_is_stub(text: str, expected: bool) -> None:
    assert is_stub(text, "f") is expected
