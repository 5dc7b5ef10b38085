"""What asking about concepts needs of the database: promises that the store keeps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from festinger.core.curiosity import Wanted
from festinger.core.inquiry import Inquiry, InquiryState


class Inquiries(Protocol):
    """Keeps the concepts that a model is asked about, and says who asks.

    Every method may raise `DatabaseUnavailable`, or `Overloaded` if no connection is free.
    """

    async def queue(
        self, tenant: str, wanted: Sequence[Wanted], now: float
    ) -> dict[str, int]:
        """Queues concepts that have rows, each once and again when its count doubled.

        Returns:
            The counts with which they were queued last, by token; without those for
            which there was no room.
        """

    async def inquiring(self, now: float) -> list[str]:
        """The memories with a model chosen and something to ask it."""

    async def lease(self, tenant: str, now: float, seconds: float) -> Inquiry | None:
        """The next inquiry, for so long nobody else's; None if there is none."""

    async def extend(self, tenant: str, inquiry: Inquiry, seconds: float) -> bool:
        """Extends a lease; False if it is another's by now."""

    async def postpone(self, tenant: str, inquiry: Inquiry) -> None:
        """Gives an inquiry back as it is now, unless it is another's."""

    async def list(
        self,
        tenant: str,
        *,
        states: Collection[InquiryState] = (),
        after: int = 0,
        limit: int = 50,
    ) -> list[Inquiry]:
        """Inquiries about concepts with numbers above `after`, in their order."""

    async def retry(self, tenant: str, concept: str, now: float) -> Inquiry:
        """Has a model asked now, as if it had never failed.

        Raises:
            InquiryNotFound: It waits for no answer.
        """
