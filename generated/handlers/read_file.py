"""Handler of `read_file`."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

from toolc_runtime import Context, ToolError

from ..contracts.read_file import ReadFileParams, ReadFileParamsLines
from . import _sandbox

if TYPE_CHECKING:
    from mcp_types import ImageContent

LONGEST_TEXT = 100_000
"""Characters of an answer."""

_PICTURES = (
    (b"\x89PNG\r\n\x1a\n", 0, "image/png"),
    (b"\xff\xd8\xff", 0, "image/jpeg"),
    (b"GIF87a", 0, "image/gif"),
    (b"GIF89a", 0, "image/gif"),
    (b"WEBP", 8, "image/webp"),
)
"""What such a file holds, where, and its media type."""


def read_file(params: ReadFileParams, context: Context) -> str | ImageContent:
    """Read a text file or a picture from the sandbox folder."""
    content = _sandbox.read_bytes(params.path)
    for mark, at, media_type in _PICTURES:
        if content.startswith(mark, at) and params.lines is None:
            return _picture(content, media_type)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ToolError("NOT_TEXT", f'"{params.path}" is no UTF-8 text') from None
    if params.lines is not None:
        text = _part(text, params.lines)
    if len(text) > LONGEST_TEXT:
        raise ToolError(
            "TOO_LARGE",
            f"the text has {len(text)} characters; an answer has at most {LONGEST_TEXT}",
            suggestion='ask for a part of it, like lines = {"first": 1, "last": 500}',
        )
    return text


def _part(text: str, lines: ReadFileParamsLines) -> str:
    if lines.last is not None and lines.last < lines.first:
        raise ToolError(
            "INVALID_INPUT", f"the last line, {lines.last}, is before the first, {lines.first}"
        )
    return "\n".join(text.split("\n")[lines.first - 1 : lines.last])


def _picture(content: bytes, media_type: str) -> ImageContent:
    # The SDK's types are slow to load, and a text needs none of them.
    from mcp_types import ImageContent

    return ImageContent(data=b64encode(content).decode(), mime_type=media_type)
