"""Content blocks beside text: images, sounds, resources, and links to them.

Each is the SDK's own block, to be returned by a handler or given to `Result(content=…)`.
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcp_types import AudioContent, EmbeddedResource, ImageContent, ResourceLink


def image(data: bytes, mime: str) -> ImageContent:
    """An image; `mime` is its media type, like `image/png`."""
    from mcp_types import ImageContent

    return ImageContent(data=_base64(data), mime_type=mime)


def audio(data: bytes, mime: str) -> AudioContent:
    """A sound; `mime` is its media type, like `audio/wav`."""
    from mcp_types import AudioContent

    return AudioContent(data=_base64(data), mime_type=mime)


def resource(uri: str, held: str | bytes, mime: str | None = None) -> EmbeddedResource:
    """What stands at `uri`, text or bytes, inside the answer."""
    from mcp_types import BlobResourceContents, EmbeddedResource, TextResourceContents

    contents: TextResourceContents | BlobResourceContents
    if isinstance(held, str):
        contents = TextResourceContents(uri=uri, text=held, mime_type=mime)
    else:
        contents = BlobResourceContents(uri=uri, blob=_base64(held), mime_type=mime)
    return EmbeddedResource(resource=contents)


def link(
    uri: str, name: str, *, description: str | None = None, mime: str | None = None
) -> ResourceLink:
    """A link to what the client may read at `uri`."""
    from mcp_types import ResourceLink

    return ResourceLink(uri=uri, name=name, description=description, mime_type=mime)


def _base64(data: bytes) -> str:
    return b64encode(data).decode("ascii")
