"""Regular expressions that are compiled when the first text is held against them.

A linter has many, and a run that looks at one changed file needs few; to compile them all takes longer
than everything else that such a run does.
"""

from __future__ import annotations

import re

from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    expression = re.compile
else:

    class _Expression:
        """What `re.compile` gives, as soon as anything of it is asked for."""

        def __init__(self, text: str, flags: int) -> None:
            self._text, self._flags = text, flags

        def __getattr__(self, name: str) -> Any:
            found = getattr(re.compile(self._text, self._flags), name)
            setattr(self, name, found)  # the next time it is not missing
            return found

    def expression(text: str, flags: int = 0) -> _Expression:
        """`re.compile`, later."""
        return _Expression(text, flags)
