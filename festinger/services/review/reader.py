"""Interface to document parsing in another process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from festinger.core.review.findings import (
    DividedDocument,
    DocumentFindings,
    DocumentPlace,
    StoredDocument,
)


class DocumentReader(Protocol):
    """Parser of documents outside of the event loop: a process, or a test double."""

    async def divide(
        self, documents: Sequence[tuple[DocumentPlace, bytes]], bytes_max: int
    ) -> list[DividedDocument]:
        """Return the chunks of each document, or the problem that it has."""

    async def sweep(
        self, documents: Sequence[StoredDocument]
    ) -> list[DocumentFindings]:
        """Run the extractors; extraction errors are part of the result, not raised."""

    async def broken(self) -> list[str]:
        """Return a line for each third-party extractor that cannot be used."""
