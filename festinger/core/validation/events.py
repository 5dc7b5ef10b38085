"""Answers of people, as they are stored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from festinger.core.validation.votes import Vote, VoteAnswer, VoterRole


class EventResponse(StrEnum):
    """Kind of an answer."""

    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    ABSTAIN = "abstain"
    """The responder does not know; it replaces an earlier answer."""
    WITHDRAWN = "withdrawn"
    """The responder withdraws the last answer; the one before it counts again."""


@dataclass(frozen=True, slots=True)
class ValidationEvent:
    """An answer to a candidate. It never changes.

    Attributes:
        proposer: Proposer of the candidate; never the responder (E6).
        responder: The principal who answered.
        role: Role of the responder.
        before_visible: Whether it was given before the responder could see the outcome.
        created: Time of the answer, in seconds since the epoch.
        note: Note of the responder.
        bot_id: The bot that asked. Example: `matrix:barkeep`.
        context_message_cid: CID of the question.
        question_id: Id of the question; 0 if there was none.
        delivery: The platform's id of the answer, so that it counts once.
        prompt_hash: Prompt hash of the candidate, or of the question if it has none.
        model_version: Model version of the candidate, else its extractor or proposer.
        message_cid: CID of the candidate's message.
        cid: CID of the answer's canonical form (I1).
    """

    candidate_id: int
    candidate_cid: str
    proposer: str
    responder: str
    role: VoterRole
    response: EventResponse
    before_visible: bool
    created: float
    note: str = ""
    bot_id: str = ""  # empty: answered in the console
    context_message_cid: str = ""
    question_id: int = 0
    delivery: str = ""
    prompt_hash: str = ""
    model_version: str = ""
    message_cid: str = ""
    cid: str = ""


def votes_of(events: list[ValidationEvent]) -> list[Vote]:
    """Convert answers, oldest first, to votes; a withdrawal takes back the last one."""
    # A stack for each responder: taking back the newest vote makes the one before it count.
    standing: dict[str, list[Vote]] = {}
    withdrawn: list[Vote] = []
    for event in events:
        mine = standing.setdefault(event.responder, [])
        if event.response is EventResponse.WITHDRAWN:
            if mine:  # nobody can take back more than they said
                withdrawn.append(replace(mine.pop(), withdrawn=True))
            continue
        answer, blind = _ANSWERS[event.response], event.before_visible
        # A second click on the same answer, after the outcome was shown, is as blind as the first.
        if mine and mine[-1].answer is answer:
            blind = blind or mine[-1].before_visible
        mine.append(
            Vote(
                str(event.candidate_id),
                event.responder,
                answer,
                event.created,
                blind,
                role=event.role,
            )
        )
    return [*withdrawn, *(vote for votes in standing.values() for vote in votes)]


_ANSWERS = {
    EventResponse.CONFIRMED: VoteAnswer.YES,
    EventResponse.REJECTED: VoteAnswer.NO,
    EventResponse.ABSTAIN: VoteAnswer.ABSTAIN,
}
