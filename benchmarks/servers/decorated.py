"""Tools made of decorated Python functions, as many as wanted, over stdio.

    python decorated.py (mcp | fastmcp) COUNT

Each has the parameters and the result of the measured definitions. `mcp` is the SDK's MCPServer.
"""

import sys
from collections.abc import Callable
from datetime import date
from importlib import import_module
from typing import Annotated, Any, NotRequired

from pydantic import Field

# pydantic refuses `typing`'s own before Python 3.12.
from typing_extensions import TypedDict

kind, count = sys.argv[1], int(sys.argv[2])


class Note(TypedDict):
    id: str
    preview: NotRequired[Annotated[str, Field(description="The first 80 characters")]]


class Found(TypedDict):
    notes: list[Note]


def make() -> Callable[..., Any]:
    async def find_notes(
        words: Annotated[
            list[str],
            Field(
                description="Words that must all occur, in any order", min_length=1, max_length=10
            ),
        ],
        limit: Annotated[int, Field(description="How many notes to return", ge=1, le=50)] = 20,
        since: Annotated[date | None, Field(description="Only notes changed then or later")] = None,
    ) -> Found:
        """Find notes that contain all the given words. Use it before creating a note. At most 50."""
        return {"notes": [{"id": "n7", "preview": "Dentist moved to Friday"}, {"id": "n8"}]}

    return find_notes


if kind == "mcp":
    from mcp.server.mcpserver import MCPServer

    server: Any = MCPServer("decorated", log_level="WARNING")
    options: dict[str, Any] = {}
else:
    server = import_module("fastmcp").FastMCP("decorated")
    options = {"show_banner": False}

for number in range(count):
    server.tool(name=f"find_notes_{number}", title=f"Find notes {number}")(make())
server.run(transport="stdio", **options)
