"""The tools of 173 real servers, given as metadata files, come back as they were on the wire."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from toolc import pipeline
from toolc.model.document import SourceFile
from toolc.model.project import Project
from toolc.model.tool import Tool

FORMAT_KEYS = frozenset(
    {
        "name",
        "title",
        "description",
        "inputSchema",
        "outputSchema",
        "annotations",
        "execution",
        "icons",
        "_meta",
    }
)
REVISION = "2025-11-25"
TO_THE_LETTER = Project(revision=REVISION, descriptions="keep")


def as_metadata(wire: dict[str, Any]) -> str:
    """A Tool as somebody would write it down: vendors' own keys go below `wire`."""
    metadata = {key: value for key, value in wire.items() if key in FORMAT_KEYS}
    further = {key: value for key, value in wire.items() if key not in FORMAT_KEYS}
    return json.dumps(metadata | ({"wire": further} if further else {}))


def corpus_tools(folder: Path) -> Iterator[tuple[str, dict[str, Any], Tool]]:
    """Each tool of the corpus: its server, its wire form, and the Tool that toolc builds."""
    for path in sorted(folder.glob("*.json")):
        for wire in json.loads(path.read_text("utf-8"))["tools"]:
            source = SourceFile(f"{path.stem}.json", as_metadata(wire))
            compiled = pipeline.compile_file(source, TO_THE_LETTER)
            assert len(compiled.tools) == 1, (path.name, wire["name"], compiled.diagnostics)
            yield path.stem, wire, compiled.tools[0]


def test_every_tool_builds_and_comes_back_equal(shared: Callable[[str], Path]) -> None:
    count = 0
    for server, wire, tool in corpus_tools(shared("corpus")):
        assert tool.to_dict(REVISION) == wire, (server, wire["name"])
        count += 1
    assert count == 5637
