"""Questions to people about candidates, and about items of the inbox."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from festinger.core.graph.candidates import CandidateState, Lane

# Their order is that of the buttons.
OPTIONS = ("Yes", "No", "Not sure")
"""The answers to choose from about a candidate."""
ITEM_OPTIONS = ("Accept", "Reject", "Later")
"""The answers to choose from about an item of the inbox."""


class BotName(StrEnum):
    """Bot whose tone a question has."""

    BARKEEP = "barkeep"
    """Friendly, to a person."""
    CRITIC = "critic"
    """Sceptical and precise, about a candidate that contradicts a held fact."""
    HISTORIAN = "historian"
    """To a channel, where several people answer."""


class QuestionState(StrEnum):
    """State of a question."""

    WAITING = "waiting"
    POSTING = "posting"
    POSTED = "posted"
    CLOSED = "closed"
    FAILED = "failed"


class ClosedBecause(StrEnum):
    """Reason why a question is closed."""

    ANSWERED = "answered"
    DECIDED = "decided"
    EXPIRED = "expired"
    OPTED_OUT = "opted_out"  # the recipient, so that it must not be posted any more
    DISPUTED = "disputed"  # an audit question whose known answer was called wrong


class QuestionTarget(NamedTuple):
    """Target of a question: a person, or else a channel."""

    recipient: str = ""
    channel: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a candidate, or about an item of the inbox.

    Attributes:
        candidate_id: Id of the candidate; 0 for an item.
        candidate_cid: CID of the candidate; empty for an item.
        bot: The bot whose tone it has.
        lane: The lane that is asked.
        text: The question in one sentence, and the source sentence below it.
        why: The reason for the question, in a line.
        prompt_hash: Hash of the wording.
        id: Id of the question; 0 if it is not stored.
        item: Name of the item, such as `conflict-7`; empty for a candidate.
        recipient: The principal who is asked; empty for a channel.
        channel: The channel where it is asked; empty for a person.
        evidence: Whether it also asks for evidence.
        gold_answer: The known answer of an audit question; None for others (I5).
        closed_because: Reason of its closing (`ClosedBecause`); empty while it is open.
        shown: Whether the platform shows that it is closed.
        digest_id: Id of the digest that it is part of; 0 if it stands alone.
        platform: Name of the platform where it was posted.
        reference: The platform's id of the message.
        context_message_cid: CID of the question in the trail.
        attempts: Number of consecutive failures to post or update it.
        last_error: The error of the last failure.
        due: Time to post it, in seconds since the epoch.
        posted: Time of posting, in seconds since the epoch; None if it was not posted.
        closed: Time of closing, in seconds since the epoch; None while it is open.
        outcome: Outcome for the candidate or item, in a sentence; empty while it is open.
    """

    candidate_id: int
    candidate_cid: str
    bot: BotName
    lane: Lane
    text: str
    why: str
    prompt_hash: str  # audits and items have one too: it names the wording
    id: int = 0
    item: str = ""
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
    def options(self) -> tuple[str, ...]:
        """The answers to choose from."""
        return ITEM_OPTIONS if self.item else OPTIONS

    @property
    def spot(self) -> QuestionTarget:
        """The target of the question."""
        return QuestionTarget(self.recipient, self.channel)


def outcome_of(
    because: str, state: CandidateState, *, belief: bool = False, gold: bool = False
) -> str:
    """Return the sentence that people are shown about a closed question.

    Args:
        because: The reason of its closing, a `ClosedBecause`; empty while it is open.
        belief: Whether the candidate is held as a belief.
        gold: Whether it is an audit question, which decides nothing.
    """
    if not because:
        return ""
    if because == ClosedBecause.OPTED_OUT:
        return "You are not asked any more."
    if because == ClosedBecause.DISPUTED:
        return "You say that we are wrong: a moderator looks into it."
    if because == ClosedBecause.EXPIRED or state is CandidateState.EXPIRED:
        return "The time for answers is over."
    # Telling the known answer would give the audit away; pending has no outcome yet.
    if gold or state is CandidateState.PENDING:
        return "Thank you for your answer."
    if belief:  # before the state, which is "confirmed" for a belief, too
        return "It is held as its author's belief."
    return f"It was {state}."


def wording_hash(bot: BotName, text: str, why: str, options: Iterable[str]) -> str:
    """Return the hash of all that the reader of a question sees."""
    # An answer can be traced to the wording that was answered.
    named = "\0".join((bot, text, why, *options))
    return sha256(named.encode()).hexdigest()
