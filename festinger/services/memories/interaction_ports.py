"""What keeping interactions needs of the database: promises that the store keeps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from festinger.core.memories.interaction import (
    Found,
    Interaction,
    InteractionState,
    Rejection,
    Utterance,
)
from festinger.core.review.conversation import Case, Reading
from festinger.store.world.batches import RequestKey


@dataclass(frozen=True, slots=True)
class Captured:
    """Turns that somebody brings, and where they belong."""

    subject: str
    project: str
    session: str
    principal: str
    spoken: Sequence[Utterance]
    extract: bool


class Interactions(Protocol):
    """Keeps interactions, and says who extracts them.

    Every method may raise `DatabaseUnavailable`, or `Overloaded` if no connection is free.
    """

    async def capture(
        self, tenant: str, captured: Captured, request: RequestKey | None, now: float
    ) -> tuple[Interaction, int]:
        """Adds the turns that the session has not brought before.

        Returns:
            The interaction of the last turn, without what was said, and how many turns
            were new.

        Raises:
            RequestIdReused: The request's id came with another request.
        """

    async def extracting(self, now: float) -> list[str]:
        """The memories with a model chosen and an interaction to be extracted."""

    async def lease(
        self, tenant: str, now: float, seconds: float
    ) -> Interaction | None:
        """The next one to be extracted, for so long nobody else's; None if none is.

        From then on nothing is added to it.
        """

    async def lease_one(
        self, tenant: str, interaction_id: int, now: float, seconds: float
    ) -> Interaction:
        """This one, marked for extraction, as if it had never failed.

        Raises:
            InteractionNotFound: There is none.
            SourceGone: It was forgotten.
            Overloaded: Somebody extracts it.
        """

    async def extend(
        self, tenant: str, interaction: Interaction, seconds: float
    ) -> bool:
        """Extends a lease; False if it is another's by now."""

    async def summarise(
        self, tenant: str, interaction: Interaction, summary: str
    ) -> bool:
        """Keeps a summary; False if the lease is another's by now."""

    async def postpone(self, tenant: str, interaction: Interaction) -> None:
        """Gives a lease back, with the attempts, the error and when it is due.

        One that is not due any more has failed for good, if it has an error.
        """

    async def get(self, tenant: str, interaction_id: int) -> Interaction:
        """An interaction, with all that was said.

        Raises:
            InteractionNotFound: There is none.
        """

    async def list(
        self,
        tenant: str,
        *,
        states: Collection[InteractionState] = (),
        subject: str = "",
        after: int = 0,
        limit: int = 50,
    ) -> list[Interaction]:
        """Interactions with numbers above `after`, without what was said."""

    async def forget(self, tenant: str, interaction_id: int) -> Interaction:
        """Deletes what was said, and what was made of it but for claims.

        Raises:
            InteractionNotFound: There is none.
        """

    async def rejections(
        self,
        tenant: str,
        *,
        subject: str = "",
        interaction_id: int = 0,
        proposals_only: bool = False,
        before: int = 0,
        limit: int = 50,
    ) -> Sequence[Rejection]:
        """Rejections with numbers below `before`, newest first; 0 begins with the last."""

    async def last_findings(self, tenant: str, limit: int) -> Sequence[Found]:
        """What became of the last extractions by models, oldest first."""


class Considering(Protocol):
    """Considers what models extracted, where nobody who waits is disturbed by it."""

    async def consider(self, case: Case) -> Reading | None:
        """What is to become of it; None if it takes too long to say.

        Raises:
            Overloaded: The server stops.
        """
