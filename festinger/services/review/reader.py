"""Cut and sweep documents, apart from whoever waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from festinger.core.review.sweeping import Division, DocumentPlace, Sweep, Whole


class DocumentReader(Protocol):
    """Cuts and sweeps documents where that disturbs nobody.

    A process of its own, or what a test puts in its place.
    """

    async def divide(
        self, documents: Sequence[tuple[DocumentPlace, bytes]], bytes_max: int
    ) -> list[Division]:
        """The chunks of documents, or why they are none."""

    async def sweep(self, documents: Sequence[Whole]) -> list[Sweep]:
        """What the extractors find; what they cannot read is told, not raised."""

    async def broken(self) -> list[str]:
        """A line for each extractor of another package that cannot be used."""
