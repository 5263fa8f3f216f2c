"""How much of a model's context a text takes."""

from __future__ import annotations

_BYTES_A_TOKEN = 4


def tokens_in(*texts: str) -> int:
    """About how many tokens texts weigh together: one each 4 bytes of UTF-8.

    A rough measure, right within a third or so for English and JSON.
    """
    return -(-sum(len(text.encode()) for text in texts) // _BYTES_A_TOKEN)
