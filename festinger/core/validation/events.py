"""What people answer, as it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from festinger.core.validation.votes import Vote, VoteAnswer, VoterRole


class AnswerEvent(StrEnum):
    """What somebody answered."""

    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    ABSTAIN = "abstain"
    """They do not know; it takes their earlier answer back."""
    WITHDRAWN = "withdrawn"
    """They take their last answer back; the one before it counts again."""


@dataclass(frozen=True, slots=True)
class ValidationEvent:
    """An answer. Nothing of it ever changes.

    Attributes:
        proposer: Of the candidate; never the responder (E6).
        before_visible: Whether the outcome could not be seen yet by whoever answered.
        bot_id: Through whom they were asked. Example: `matrix:barkeep`.
        context_message_cid: Of the message that asked.
        question_id: 0 if there was no question.
        delivery: The platform's name of the answer, so that it counts once.
        prompt_hash: The candidate's, as the two that follow.
        created: Seconds since the epoch.
        cid: Of its canonical form (I1).
    """

    factoid_id: int
    factoid_cid: str
    proposer: str
    responder: str
    role: VoterRole
    response: AnswerEvent
    before_visible: bool
    created: float
    note: str = ""
    bot_id: str = ""
    context_message_cid: str = ""
    question_id: int = 0
    delivery: str = ""
    prompt_hash: str = ""
    model_version: str = ""
    message_cid: str = ""
    cid: str = ""


def votes_of(events: list[ValidationEvent]) -> list[Vote]:
    """The votes that answers are, oldest answer first.

    Who withdraws takes back the last vote of theirs that stands. Who says the same twice,
    as an impatient click does, knew no more the second time.
    """
    standing: dict[str, list[Vote]] = {}
    withdrawn: list[Vote] = []
    for event in events:
        mine = standing.setdefault(event.responder, [])
        if event.response is AnswerEvent.WITHDRAWN:
            if mine:
                withdrawn.append(_taken_back(mine.pop()))
            continue
        answer, blind = _ANSWERS[event.response], event.before_visible
        if mine and mine[-1].answer is answer:
            blind = blind or mine[-1].before_visible
        mine.append(
            Vote(
                str(event.factoid_id),
                event.responder,
                answer,
                event.created,
                blind,
                role=event.role,
            )
        )
    return [*withdrawn, *(vote for votes in standing.values() for vote in votes)]


def _taken_back(vote: Vote) -> Vote:
    return Vote(
        vote.task,
        vote.rater,
        vote.answer,
        vote.cast_at,
        vote.before_visible,
        withdrawn=True,
        role=vote.role,
    )


_ANSWERS = {
    AnswerEvent.CONFIRMED: VoteAnswer.YES,
    AnswerEvent.REJECTED: VoteAnswer.NO,
    AnswerEvent.ABSTAIN: VoteAnswer.ABSTAIN,
}
