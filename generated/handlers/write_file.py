"""Handler of `write_file`."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

from toolc_runtime import Context, ToolError

from ..contracts.write_file import WriteFileParams, WriteFileResult
from . import _sandbox


def write_file(params: WriteFileParams, context: Context) -> WriteFileResult:
    """Write a text, or rows as CSV, to a file in the sandbox folder."""
    if isinstance(params.content, str):
        text = _front_matter(params.frontMatter or {}) + params.content
    elif params.frontMatter is None:
        text = _csv(params.content)
    else:
        raise ToolError("INVALID_INPUT", "frontMatter belongs to a text, and content is rows")
    size = _sandbox.write_bytes(params.path, text.encode(), overwrite=params.overwrite)
    context.log.info("file written", path=params.path, bytes=size)
    return {"bytes": size}


def _front_matter(members: Mapping[str, Any]) -> str:
    """YAML between lines of `---`; JSON's values are YAML too, whatever text is in them."""
    if not members:
        return ""
    lines = [
        f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}\n"
        for name, value in members.items()
    ]
    return f"---\n{''.join(lines)}---\n"


def _csv(rows: Sequence[Sequence[str | float | bool | None]]) -> str:
    """RFC 4180 with plain line ends; null is an empty cell, true and false are words."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        writer.writerow([str(cell).lower() if isinstance(cell, bool) else cell for cell in row])
    return text.getvalue()
