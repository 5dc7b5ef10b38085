"""A concept that was met often and of which nothing is known: a model is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

SENTENCES_MAX = 5
"""How many of the sentences in which a concept appeared are kept: the last ones."""
ATTEMPTS_MAX = 8
"""After so many failures a model is asked no more, until the concept was met twice as
often or a person wants it."""
BACKOFF_SECONDS, BACKOFF_FACTOR, BACKOFF_SECONDS_MAX = 60.0, 4, 86_400.0
"""How long it waits after the first failure, how much longer after each, and at most."""


class InquiryState(StrEnum):
    """Where an inquiry stands."""

    WAITING = "waiting"
    """A model is to be asked."""
    DONE = "done"
    """It was asked; it may have known nothing."""
    FAILED = "failed"
    """It failed too often."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence in which a concept appeared.

    Attributes:
        text: At most 400 characters of prose.
        principal: On whose behalf it was said.
        doubt: Why it can ground no more than a candidate; empty if it may ground facts.
    """

    text: str
    principal: str
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a statement of a model's.

    Attributes:
        triple: As `gutask` writes it.
        outcome: The gate's verdict; `rejected` if it never came there.
        reason: Why it is not held, in a word; empty if it is.
    """

    triple: str
    outcome: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What is wanted to be known of a concept.

    Attributes:
        encounters: The concept's count when it was queued.
        mentions: Where it appeared, oldest first; none once it is done.
        attempts: How often asking has failed.
        last_error: Why it failed last; empty if it has not.
        created: Since when it waits, in seconds since the epoch.
        due: Before then nobody is asked.
        ended: When it was done or given up; None if it waits.
        findings: What the model said, and what became of it.
        lease: Names the right to ask; None if nobody asks.
    """

    concept_id: int
    concept: str
    encounters: int
    mentions: Sequence[Mention]
    created: float
    due: float
    state: InquiryState = InquiryState.WAITING
    attempts: int = 0
    last_error: str = ""
    ended: float | None = None
    findings: Sequence[Finding] = field(default=())
    lease: UUID | None = None


def backoff(attempts: int) -> float:
    """Seconds to wait after so many failures."""
    seconds: float = BACKOFF_SECONDS * BACKOFF_FACTOR ** (
        min(attempts, ATTEMPTS_MAX) - 1
    )
    return min(BACKOFF_SECONDS_MAX, seconds)
