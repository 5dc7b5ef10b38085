"""Questions that are put to people."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from festinger.core.candidates import Lane

OPTIONS = ("Yes", "No", "Not sure")
"""The answers to click."""


class Bot(StrEnum):
    """In whose tone a question is asked."""

    BARKEEP = "barkeep"
    """Friendly, to the author."""
    CRITIC = "critic"
    """Sceptical and precise, about what contradicts a fact that is held."""
    HISTORIAN = "historian"
    """To the community, where several answers help."""


class QuestionState(StrEnum):
    """Where a question stands."""

    WAITING = "waiting"
    POSTING = "posting"
    POSTED = "posted"
    CLOSED = "closed"
    FAILED = "failed"


class ClosedBecause(StrEnum):
    """Why a question is not to be answered any more."""

    ANSWERED = "answered"
    DECIDED = "decided"
    EXPIRED = "expired"
    OPTED_OUT = "opted_out"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a candidate.

    Attributes:
        id: 0 for one that was never put.
        recipient: The principal who is asked; empty for a channel.
        channel: Where it is asked; empty for a person.
        text: One sentence, and the source sentence below it.
        why: Why we ask, in a line.
        prompt_hash: Names what was asked.
        gold_answer: What is known to be true, if it only tells of who answers (I5).
        shown: Whether its platform was told that it is closed.
        digest_id: The digest that it is part of; 0 if it stands alone.
        reference: The platform's name of the message.
        due: When it is to be posted, in seconds since the epoch.
    """

    factoid_id: int
    factoid_cid: str
    bot: Bot
    lane: Lane
    text: str
    why: str
    prompt_hash: str
    id: int = 0
    recipient: str = ""
    channel: str = ""
    gold_answer: bool | None = None
    state: QuestionState = QuestionState.WAITING
    closed_because: str = ""
    shown: bool = False
    digest_id: int = 0
    platform: str = ""
    reference: str = ""
    context_message_cid: str = ""
    attempts: int = 0
    last_error: str = ""
    due: float = 0.0
    created: float = 0.0
    posted: float | None = None
    closed: float | None = None
