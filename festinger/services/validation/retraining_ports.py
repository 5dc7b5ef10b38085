"""What learning from people needs of the outside: promises that adapters keep."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from festinger.core.graph.candidates import Factoid
from festinger.core.validation.breaker import Breaker, Reversals
from festinger.core.validation.calibration import Calibration, Label
from festinger.core.validation.drift import Count, Drift
from festinger.core.validation.events import ValidationEvent
from festinger.core.validation.karma import Decided
from festinger.core.validation.metrics import Metrics
from festinger.core.validation.policy import Policy
from festinger.core.validation.reputation import Reputation, Reputations
from festinger.core.validation.votes import Vote


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that was answered, as there is to learn from it.

    Attributes:
        votes: On candidates, and on questions whose answer is known.
        gold: Those answers, by task.
        decided: What became of candidates that were voted on.
        labels: The decided candidates of each machine, by its version.
        shadows: What rules held, and what was said of the same later.
    """

    votes: Sequence[Vote] = ()
    gold: Mapping[str, bool] = field(default_factory=dict)
    decided: Sequence[Decided] = ()
    labels: Mapping[str, Sequence[Label]] = field(default_factory=dict)
    shadows: Sequence[Count] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learnt.

    Attributes:
        votes: From how many.
        karma: By rater, for display only.
        shadows: What `drift` was made of.
        fitted: When, in seconds since the epoch.
    """

    votes: int
    reputations: Reputations
    karma: Mapping[str, float]
    calibrations: Sequence[Calibration]
    shadows: Sequence[Count]
    drift: Drift
    fitted: float


@dataclass(frozen=True, slots=True)
class Rater:
    """Somebody who answers, and what is known of them."""

    principal: str
    reputation: Reputation
    karma: float
    opted_out: bool


@dataclass(frozen=True, slots=True)
class Ratings:
    """What was learnt last of a memory's raters as a whole.

    Attributes:
        fitted: When, in seconds since the epoch; None if never.
        key: Makes the names of raters in exported examples.
    """

    fitted: float | None
    breaker: Breaker
    drift: Drift
    key: bytes


class Lessons(Protocol):
    """Keeps what people answered, and what was learnt of it.

    Every method may raise `DatabaseUnavailable`, or `Overloaded` if no connection is free.
    """

    async def take_lease(self, tenant: str, seconds: float) -> bool:
        """Takes or extends the right to learn; False if another process has it."""

    async def drop_lease(self, tenant: str) -> None:
        """Gives the right back."""

    async def tenants(self) -> list[str]:
        """The memories that have candidates, by name."""

    async def ratings(self, tenant: str) -> Ratings:
        """What was learnt last."""

    async def material(self, tenant: str, now: float) -> Material:
        """All there is to learn from."""

    async def save(self, tenant: str, lesson: Lesson) -> None:
        """Puts what was learnt in the place of what was learnt before."""

    async def raters(self, tenant: str) -> list[Rater]:
        """Those who answered, by name."""

    async def calibrations(self, tenant: str) -> list[Calibration]:
        """The last calibration of each machine, by its version."""

    async def reversals(self, tenant: str, since: float) -> Reversals:
        """What became of confirmed facts since a moment."""

    async def set_breaker(self, tenant: str, was: Breaker, now: Breaker) -> None:
        """Moves the breaker, unless somebody else did."""

    def decided(
        self, tenant: str, since: float, *, sensitive: bool
    ) -> AsyncIterator[list[tuple[Factoid, list[ValidationEvent]]]]:
        """Decided candidates with their answers, oldest decision first, by the page."""

    async def metrics(
        self, tenant: str, hours: int, policy: Policy, now: float
    ) -> Metrics:
        """How validation went over so many hours."""


class LabelFiles(Protocol):
    """Keeps the weekly export of labelled examples."""

    async def written(self, tenant: str) -> float | None:
        """When a memory's was written last; None if never."""

    async def write(
        self, tenant: str, examples: AsyncIterator[dict[str, Any]], now: float
    ) -> int:
        """Writes it anew, all at once; how many examples it has."""
