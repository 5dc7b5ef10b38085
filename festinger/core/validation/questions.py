"""Questions that are put to people."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from festinger.core.graph.candidates import FactoidState, Lane

OPTIONS = ("Yes", "No", "Not sure")
"""The answers to click."""


class BotName(StrEnum):
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


class QuestionTarget(NamedTuple):
    """Where a question goes: to a person, or else into a channel."""

    recipient: str = ""
    channel: str = ""


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
        evidence: Whether it asks for evidence besides.
        gold_answer: What is known to be true, if it only tells of who answers (I5).
        shown: Whether its platform was told that it is closed.
        digest_id: The digest that it is part of; 0 if it stands alone.
        reference: The platform's name of the message.
        due: When it is to be posted, in seconds since the epoch.
        outcome: What became of the candidate, in a sentence; empty while it is open.
    """

    factoid_id: int
    factoid_cid: str
    bot: BotName
    lane: Lane
    text: str
    why: str
    prompt_hash: str
    id: int = 0
    recipient: str = ""
    channel: str = ""
    evidence: bool = False
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
    outcome: str = ""

    @property
    def spot(self) -> QuestionTarget:
        """Where it goes."""
        return QuestionTarget(self.recipient, self.channel)


def outcome_of(
    because: str, state: FactoidState, *, belief: bool = False, gold: bool = False
) -> str:
    """What those who were asked are told of a question that is closed.

    Args:
        because: A word of `ClosedBecause`; empty while it is open.
        state: Where the candidate stands.
        gold: Whether its answer was known: then nothing was decided by it.
    """
    if not because:
        return ""
    if because == ClosedBecause.OPTED_OUT:
        return "You are not asked any more."
    if because == ClosedBecause.DISPUTED:
        return "You say that we are wrong: a moderator looks into it."
    if because == ClosedBecause.EXPIRED or state is FactoidState.EXPIRED:
        return "The time for answers is over."
    if gold or state is FactoidState.PENDING:
        return "Thank you for your answer."
    if belief:
        return "It is held as its author's belief."
    return f"It was {state}."
