"""What asking people needs of the database: promises that the store keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from festinger.core.graph.candidates import Factoid
from festinger.core.validation.escalation import Case
from festinger.core.validation.planning import Planned
from festinger.core.validation.policy import Policy
from festinger.core.validation.posting import Report
from festinger.core.validation.questions import Question, QuestionState, Spot
from festinger.core.validation.tones import Audience


@dataclass(frozen=True, slots=True)
class Reach:
    """Who would post questions, and where they can.

    Attributes:
        recipients: Principals that it reaches in person.
        channels: Channels that it posts in, as `PLATFORM:CHANNEL`.
        lessee: Names its process.
    """

    platform: str
    recipients: Collection[str]
    channels: Collection[str]
    lessee: str


@dataclass(frozen=True, slots=True)
class Leased:
    """Questions that somebody is to post, and messages that they are to change."""

    post: Sequence[Question]
    update: Sequence[Question]


class Questions(Protocol):
    """Keeps questions, and says who posts them.

    Every method may raise `DatabaseUnavailable`, or `Overloaded` if no connection is free.
    """

    async def take_lease(self, tenant: str, seconds: float) -> bool:
        """Takes or extends the right to make them; False if another process has it."""

    async def tenants(self, now: float) -> list[str]:
        """The memories in which somebody may have to be asked, or a question is open."""

    async def close_over(self, tenant: str, now: float, gold_before: float) -> None:
        """Closes those that nobody needs to answer any more.

        Args:
            gold_before: Those whose answer was known, if they are older than this.
        """

    async def cases(
        self, tenant: str, now: float, lately: float, limit: int
    ) -> Sequence[Case]:
        """The candidates about which somebody may be asked, the most urgent first.

        Args:
            lately: Since when the same is not asked again.
        """

    async def case(self, tenant: str, factoid: Factoid) -> Case:
        """One candidate, with whom was asked."""

    async def opted_out(self, tenant: str) -> frozenset[str]:
        """Who does not want to be asked."""

    async def breaker_open(self, tenant: str, now: float) -> bool:
        """Whether so much was reversed lately that moderators decide."""

    async def spent(self, tenant: str, since: float) -> Counter[Spot]:
        """How many were posted where since a moment, or are to be."""

    async def waiting_digests(self, tenant: str) -> Counter[tuple[Spot, float]]:
        """How many wait in digests, by where and when."""

    async def settled(
        self, tenant: str, audience: Audience, now: float, limit: int
    ) -> Sequence[Factoid]:
        """Candidates that are decided for good, and of which they know nothing."""

    async def add(self, tenant: str, planned: Sequence[Planned]) -> int:
        """Makes questions, each once; how many there were not."""

    async def lend(
        self,
        tenant: str,
        reach: Reach,
        *,
        policy: Policy,
        now: float,
        seconds: float,
        limit: int,
    ) -> Leased:
        """Gives out what is due, as far as people may be asked today."""

    async def report(
        self, tenant: str, question_id: int, lessee: str, report: Report, now: float
    ) -> Question:
        """Keeps what became of a question.

        Raises:
            QuestionNotFound: There is none.
            LeaseLost: Somebody else posts it, or has posted it.
        """

    async def find(
        self, tenant: str, platform: str, reference: str
    ) -> Sequence[Question]:
        """Those of a message, oldest first."""

    async def list(
        self,
        tenant: str,
        *,
        factoid_id: int = 0,
        states: Collection[QuestionState] = (),
        before: int = 0,
        limit: int = 50,
    ) -> Sequence[Question]:
        """Those with numbers below `before`, newest first; 0 begins with the last."""

    async def set_opt_out(
        self, tenant: str, principal: str, *, out: bool, said_by: str, now: float
    ) -> None:
        """Says whether somebody is asked; closes what is asked of whoever is not."""
