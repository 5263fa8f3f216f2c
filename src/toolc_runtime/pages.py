"""The `ui://` resources of tools with a user interface, served from a folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote

from toolc_runtime.jsonvalue import JsonObject

MIME_TYPE = "text/html;profile=mcp-app"
EXTENSION = "io.modelcontextprotocol/ui"

LARGEST_PAGE = 16 * 1024 * 1024
"""Bytes of a page that is still served."""

_SCHEME = "ui://"


def page_uri(wire: JsonObject) -> str | None:
    """The `ui://` resource of a tool, if it has one."""
    meta = wire.get("_meta")
    ui = meta.get("ui") if isinstance(meta, dict) else None
    uri = ui.get("resourceUri") if isinstance(ui, dict) else None
    return uri if isinstance(uri, str) and uri.startswith(_SCHEME) else None


def page_uris(wires: Iterable[JsonObject]) -> tuple[str, ...]:
    """The `ui://` resources that tools declare, each once, sorted. No other URI is served."""
    return tuple(sorted({uri for wire in wires if (uri := page_uri(wire)) is not None}))


def page_path(uri: str, folder: Path) -> Path | None:
    """The file of a `ui://` URI: what follows the scheme, below `folder`; None for one outside it.

    `ui://notes/list.html` is `notes/list.html`, and `.html` is added where the last part has no
    suffix. A query or fragment has no part in it. The file is where it really is: a link that
    leads out of `folder` does not count.
    """
    named = uri.removeprefix(_SCHEME).partition("#")[0].partition("?")[0]
    parts = [unquote(part) for part in named.rstrip("/").split("/")]
    if any(part in ("", ".", "..") or set(part) & set("/\\:\0") for part in parts):
        return None
    path = folder.joinpath(*parts)
    if not path.suffix:
        path = path.with_name(path.name + ".html")
    try:
        real, root = path.resolve(strict=True), folder.resolve(strict=True)
    except (OSError, RuntimeError):  # not there, or links in a circle
        return None
    return real if real.is_relative_to(root) and real.is_file() else None


def read_page(uri: str, folder: Path) -> str | None:
    """The text of a page; None where there is none to serve: no file, too large, or no UTF-8."""
    path = page_path(uri, folder)
    if path is None:
        return None
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_PAGE + 1)
        return None if len(data) > LARGEST_PAGE else data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
