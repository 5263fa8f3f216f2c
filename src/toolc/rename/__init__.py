"""Renaming a tool in its author's files: the definition and the handler, edited in place.

Only the letters that say the name change; comments, order and layout stay. Every edited text is
read again and compared with what was meant: where they differ the answer is a diagnostic, and the
author makes that change.
"""

from __future__ import annotations

from toolc.rename.definition import alias_site, rename_definition
from toolc.rename.edits import Renamed
from toolc.rename.handler import rename_handler
from toolc.rename.imports import find_contract_imports

__all__ = [
    "Renamed",
    "alias_site",
    "find_contract_imports",
    "rename_definition",
    "rename_handler",
]
