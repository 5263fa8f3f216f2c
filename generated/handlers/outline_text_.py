"""Handler of `outline-text`; the underscore in the module's name stands for the dash."""

from __future__ import annotations

from collections.abc import Iterator

from toolc_runtime import Context

from ..contracts._types import SectionResult
from ..contracts.outline_text_ import OutlineTextParams, OutlineTextResult

_FENCES = ("```", "~~~")


async def outline_text_(params: OutlineTextParams, context: Context) -> OutlineTextResult:
    """Outline a Markdown text: its headings as a tree, with the line of each."""
    top: list[SectionResult] = []
    # The way down to the section that is being read: its level, and where sections below it go.
    way: list[tuple[int, list[SectionResult]]] = [(0, top)]
    for line, level, title in _headings(params.text):
        if level > params.depth:
            continue
        while way[-1][0] >= level:
            way.pop()
        section: SectionResult = {"title": title, "line": line, "sections": []}
        way[-1][1].append(section)
        way.append((level, section["sections"]))
    return {"sections": top}


def _headings(text: str) -> Iterator[tuple[int, int, str]]:
    """Line, level and title of each heading; one inside a block of code is none."""
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if bare.startswith(_FENCES) and fence in ("", bare[:3]):
            fence = "" if fence else bare[:3]
        elif not fence and not line.startswith(("    ", "\t")):
            title = bare.lstrip("#")
            level = len(bare) - len(title)
            if 1 <= level <= 6 and title[:1] in ("", " ", "\t"):
                yield number, level, _without_closing(title)


def _without_closing(title: str) -> str:
    """A title without the #s that may close it: `C# #` is `C#`."""
    opened = title.rstrip("#")
    return (opened if opened[-1:] in ("", " ", "\t") else title).strip()
