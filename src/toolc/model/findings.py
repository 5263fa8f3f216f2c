"""A pen for the diagnostics of one document: a stage writes with it and returns what stands there."""

from __future__ import annotations

from collections.abc import Iterator

from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic, Related, Severity
from toolc.model.document import Document, Pointer


class Findings:
    """The diagnostics that one stage has about one document, in the order it met them."""

    def __init__(self, document: Document, tool: str = "") -> None:
        self.document = document
        self.tool = tool
        self._found: list[Diagnostic] = []

    def add(
        self,
        code: str,
        message: str,
        pointer: Pointer,
        *,
        hint: str = "",
        key: bool = False,
        related: tuple[Related, ...] = (),
        severity: Severity | None = None,
        document: Document | None = None,
    ) -> None:
        """Note a finding at `pointer`: at its value, or with `key` at its key.

        `severity` is the code's own unless a setting of the project's decides otherwise;
        `document` is the place's document where it is another than this one (a shared file).
        """
        place = self.document if document is None else document
        self._found.append(
            Diagnostic(
                code,
                CODES[code].severity if severity is None else severity,
                message,
                place.site(pointer, key=key),
                hint,
                related,
                self.tool,
                pointer,
            )
        )

    def related(
        self, message: str, pointer: Pointer, *, key: bool = False, document: Document | None = None
    ) -> tuple[Related, ...]:
        """`pointer`'s place as a related one; empty where the document has no text."""
        site = (self.document if document is None else document).site(pointer, key=key)
        return () if site is None else (Related(message, site),)

    @property
    def has_errors(self) -> bool:
        return any(diagnostic.severity is Severity.ERROR for diagnostic in self._found)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)
