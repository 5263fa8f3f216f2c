"""Headers that mirror arguments (`x-mcp-header`), in a call that `execute_tool` passes on.

In a direct call over HTTP the SDK compares them. Here a client need not send them, since it does not
have the schema that declares them; what it sends must agree with the argument all the same, as
something on the way may go by the header.
"""

from __future__ import annotations

from typing import Any

from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import (
    MCP_PARAM_HEADER_PREFIX,
    mcp_param_headers,
    validate_mcp_param_headers,
    x_mcp_header_map,
)
from starlette.datastructures import Headers

from toolc_runtime.jsonvalue import JsonObject

_PREFIX = MCP_PARAM_HEADER_PREFIX.lower()


def refuse_contradictions(sent: Headers, schema: JsonObject, arguments: JsonObject) -> None:
    """MCPError, as for a direct call, where a header that was sent is not what `arguments` say."""
    if not any(name.startswith(_PREFIX) for name in sent):
        return
    meant = mcp_param_headers(x_mcp_header_map(schema), arguments)
    added = [
        (name.lower().encode(), value.encode())
        for name, value in meant.items()
        if name.lower() not in sent
    ]
    headers: Any = Headers(raw=[*sent.raw, *added])
    refused = validate_mcp_param_headers(schema, arguments, headers)
    if refused is not None:
        raise MCPError(refused.code, refused.message)
