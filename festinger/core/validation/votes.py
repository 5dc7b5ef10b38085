"""Answers of people as they are stored, and their votes, each counted once (I5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

Answers = dict[str, bool]
"""Answers to one task by rater: True for yes; in the order of the raters' names."""
Tally = dict[str, Answers]
"""Answers to each task, in the order of the tasks' names; a task may have none."""


class VoteAnswer(StrEnum):
    """Answer of a vote."""

    YES = "yes"
    NO = "no"
    ABSTAIN = "abstain"
    """The rater does not know; it replaces an earlier answer."""


class VoterRole(StrEnum):
    """Role of a voter."""

    COMMUNITY = "community"
    AUTHOR = "author"
    """The voter wrote the text of the statement."""
    MODERATOR = "moderator"


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote on a task, that is, on one candidate.

    Attributes:
        rater: The principal, whatever channel the answer came by.
        cast_at: Time in seconds since the epoch, or any other increasing number.
        before_visible: Whether it was cast before the outcome was visible. A later vote
            counts, but does not affect the rater's reputation.
        withdrawn: Whether it was withdrawn; the rater's vote before it counts again.
    """

    task: str
    rater: str
    answer: VoteAnswer
    cast_at: float
    before_visible: bool = True
    withdrawn: bool = False
    role: VoterRole = VoterRole.COMMUNITY


def last_votes(votes: Iterable[Vote]) -> list[Vote]:
    """Return the last vote of each rater on each task that was not withdrawn.

    The votes may be in any order; the result is in the order of tasks and raters.
    """
    last: dict[tuple[str, str], Vote] = {}
    for vote in votes:
        if vote.withdrawn:
            continue
        key = (vote.task, vote.rater)
        known = last.get(key)
        if known is None or vote.cast_at > known.cast_at:
            last[key] = vote
        elif vote.cast_at == known.cast_at:
            last[key] = _of_two(vote, known)
    return [last[key] for key in sorted(last)]


def _of_two(one: Vote, other: Vote) -> Vote:
    """Return the one of two simultaneous votes that counts, whatever their order."""
    # Ties are broken in the same way on every server.
    if one.answer is other.answer:
        # Of the same answer, the vote of the lesser role, or after the outcome.
        return min(one, other, key=_right)
    # Of two simultaneous answers nobody can tell which was meant: it counts as none.
    silent = [each for each in (one, other) if each.answer is VoteAnswer.ABSTAIN]
    if silent:
        return silent[0]
    return Vote(one.task, one.rater, VoteAnswer.ABSTAIN, one.cast_at)


def _right(vote: Vote) -> tuple[bool, str, bool]:
    return vote.role is not VoterRole.COMMUNITY, vote.role, vote.before_visible


def tally(votes: Iterable[Vote]) -> Tally:
    """Return the answers to each task by rater; abstentions are left out."""
    found: Tally = {}
    for vote in last_votes(votes):
        # A task of abstentions only is listed, without answers.
        answers = found.setdefault(vote.task, {})
        if vote.answer is not VoteAnswer.ABSTAIN:
            answers[vote.rater] = vote.answer is VoteAnswer.YES
    return found


def together(answers: Mapping[str, bool], bloc_of: Mapping[str, str]) -> Answers:
    """Return the answers with one answer of each bloc: that of its majority.

    Args:
        answers: The answers to one task by rater.
    """
    if not bloc_of:
        return dict(answers)
    lead: defaultdict[str, int] = defaultdict(int)
    # Yes counts 1 and no -1; a bloc that is divided evenly has no answer.
    for rater, yes in answers.items():
        lead[bloc_of.get(rater, rater)] += 1 if yes else -1
    return {bloc: lead[bloc] > 0 for bloc in sorted(lead) if lead[bloc]}


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
        before_visible: Whether it was given before the responder could see the outcome.
        created: Time of the answer, in seconds since the epoch.
        bot_id: The bot that asked. Example: `matrix:barkeep`.
        question_id: Id of the question; 0 if there was none.
        delivery: The platform's id of the answer, so that it counts once.
        prompt_hash: Prompt hash of the candidate, or of the question if it has none.
        model_version: Model version of the candidate, else its extractor or proposer.
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
