"""One tool for each kind of content."""

from __future__ import annotations

from typing import Any, NoReturn

from mcp_types import (
    AudioContent,
    EmbeddedResource,
    ImageContent,
    TextContent,
    TextResourceContents,
)

from toolc_runtime import Context, ToolError

# One red pixel, and a WAV file of no samples, in base64.
_PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC"
)
_WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="

_IMAGE = ImageContent(type="image", data=_PNG, mime_type="image/png")


def simple_text(params: Any, context: Context) -> str:
    return "This is a simple text response for testing."


def image(params: Any, context: Context) -> ImageContent:
    return _IMAGE


def audio(params: Any, context: Context) -> AudioContent:
    return AudioContent(type="audio", data=_WAV, mime_type="audio/wav")


def embedded_resource(params: Any, context: Context) -> EmbeddedResource:
    return _resource("embedded-resource", "text/plain", "This is an embedded resource content.")


def multiple(params: Any, context: Context) -> list[Any]:
    json = _resource("mixed-content-resource", "application/json", '{"test":"data","value":123}')
    return [TextContent(type="text", text="Multiple content types test:"), _IMAGE, json]


def error(params: Any, context: Context) -> NoReturn:
    raise ToolError("INTENDED", "This tool intentionally returns an error for testing")


def echo_region(params: Any, context: Context) -> str:
    return f"The region is {params.region}."


def _resource(name: str, mime_type: str, text: str) -> EmbeddedResource:
    held = TextResourceContents(uri=f"test://{name}", mime_type=mime_type, text=text)
    return EmbeddedResource(type="resource", resource=held)
