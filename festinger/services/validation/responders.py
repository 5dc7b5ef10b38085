"""Checks of an answer about a candidate: its responder, and if it may count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.system.excerpt import done_by
from festinger.core.system.principals import double_of, is_same
from festinger.core.validation.policy import ValidationPolicy
from festinger.core.validation.votes import EventResponse, ValidationEvent, VoterRole
from festinger.errors import CandidateClosed, PermissionDenied

ANSWERS_MAX = 50
"""Maximum number of answers of one person about one candidate, as all are stored."""


@dataclass(frozen=True, slots=True)
class AnswerInput:
    """An answer about a candidate, as it arrives.

    Attributes:
        responder: Principal who answers, as the server stamped it.
        response: The kind of answer.
        is_operator: Whether they hold an operator's credential themselves.
        question_id: Number of the question that they answer; 0 for none.
        note: Free text of the responder.
        bot_id: The bot that delivers the answer; empty for none.
        delivery: The platform's id of the answer, which makes it idempotent.
        disputed: Whether they dispute the premise of the question.
    """

    responder: str
    response: EventResponse
    is_operator: bool = False
    question_id: int = 0
    note: str = ""
    bot_id: str = ""
    delivery: str = ""
    disputed: bool = False


def check_answer(
    said: AnswerInput,
    candidate: Candidate,
    events: Sequence[ValidationEvent],
    policy: ValidationPolicy,
    *,
    now: float,
    pending_only: bool = False,
) -> None:
    """Check that an answer may count.

    Args:
        events: All answers about the candidate until now.
        pending_only: Whether a decided candidate takes no answer, even before its
            deadline.

    Raises:
        PermissionDenied: The responder may not answer.
        CandidateClosed: The candidate takes no more answers.
    """
    responder = said.responder
    # Nobody approves what they proposed (E6).
    if is_same(candidate.proposer, responder):
        raise PermissionDenied(
            f"candidate #{candidate.id} was proposed by {candidate.proposer}: another "
            "must decide",
            principal=responder,
        )
    check_name(responder, known_names(candidate, events, policy))
    # All answers are stored; the last one counts.
    mine = sum(is_same(each.responder, responder) for each in events)
    if mine >= ANSWERS_MAX:
        raise PermissionDenied(
            f"{responder} answered candidate #{candidate.id} {mine} times already: "
            "what they said last counts",
            principal=responder,
        )
    if pending_only and candidate.state is not CandidateState.PENDING:
        raise decided_before(candidate)
    if candidate.is_over(now) and not _undoes(said, candidate):
        raise closed(candidate)
    role = role_of(responder, candidate, policy, is_operator=said.is_operator)
    # Private content is shown to moderators and its author only.
    if candidate.sensitive and role is VoterRole.COMMUNITY:
        raise PermissionDenied(
            f"candidate #{candidate.id} is for moderators only", principal=responder
        )


def _undoes(said: AnswerInput, candidate: Candidate) -> bool:
    """Return whether an operator withdraws a decision that has no deadline."""
    # Nobody else is asked about such candidates, so it stays possible for ever.
    return (
        said.response is EventResponse.WITHDRAWN
        and said.is_operator
        and candidate.expires is None
        and candidate.state is not CandidateState.EXPIRED
    )


def known_names(
    candidate: Candidate, events: Sequence[ValidationEvent], policy: ValidationPolicy
) -> list[str]:
    """Return the names that a responder must not be mistaken for."""
    return [
        candidate.proposer,
        candidate.author,
        *(event.responder for event in events),
        *policy.people,
    ]


def as_spelt(name: str, known: Sequence[str]) -> str:
    """Return a responder's name as it was spelt before, so that they count once."""
    return next((each for each in known if is_same(each, name)), name)


def role_of(
    responder: str, candidate: Candidate, policy: ValidationPolicy, *, is_operator: bool
) -> VoterRole:
    """Return the role of a responder, regardless of what they say they are."""
    # An operator's credential outweighs what the policy says of the name.
    if is_operator:
        return VoterRole.MODERATOR
    # The author of the text in which it stood, or else the person whom it is about.
    authors = (
        (candidate.author,)
        if candidate.author
        else (candidate.subject, candidate.triple[0])
    )
    # Before the moderators: a moderator who wrote it answers as its author.
    if any(is_same(each, responder) for each in authors):
        return VoterRole.AUTHOR
    moderators = (name for name, person in policy.people.items() if person.moderator)
    if any(is_same(name, responder) for name in moderators):
        return VoterRole.MODERATOR
    return VoterRole.COMMUNITY


def check_name(name: str, known: list[str]) -> None:
    """Check that no principal can be mistaken for another one.

    Raises:
        PermissionDenied: The name reads like another one.
    """
    # A name with a Cyrillic a looks like `alice` (I5).
    if double := double_of(name, known):
        raise PermissionDenied(
            f"the name {name!r} reads like {double!r}, who is somebody else: answer "
            "under a name that nobody can mistake",
            principal=name,
        )


def closed(candidate: Candidate) -> CandidateClosed:
    """Return the error for an answer that comes too late."""
    name = f"candidate #{candidate.id}"
    details = {"candidate_id": str(candidate.id), "principal": candidate.decider}
    # Decided before its deadline, but the deadline is over: time is the reason.
    if candidate.state is CandidateState.PENDING or candidate.expires is not None:
        return CandidateClosed(f"the time of {name} is over", **details)
    return decided_before(candidate)


def decided_before(candidate: Candidate) -> CandidateClosed:
    """Return the error for a decision about a candidate that is decided."""
    return CandidateClosed(
        f"candidate #{candidate.id} "
        f"{done_by(candidate.state, candidate.decider, candidate.decided)}",
        candidate_id=str(candidate.id),
        principal=candidate.decider,
    )
