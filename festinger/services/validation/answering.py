"""Record people's answers permanently, and decide about candidates by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.graph.outcome import Outcome
from festinger.core.system.principals import double_of, is_same
from festinger.core.validation.events import EventResponse, ValidationEvent
from festinger.core.validation.lifecycle import VoteTally, tally_of
from festinger.core.validation.policy import ValidationPolicy
from festinger.core.validation.votes import VoterRole
from festinger.core.world.draft import Draft
from festinger.errors import CandidateClosed, InvalidArgument, PermissionDenied
from festinger.services.validation.ruling import AboutCandidate, Reference
from festinger.services.world.jobs import Answer, numbered
from festinger.store.world.batches import (
    Answered,
    AskedQuestion,
    Audit,
    Batch,
    Committed,
    RequestKey,
)
from festinger.store.world.reads import PostgresReads

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


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """Result of an answer.

    Attributes:
        event: The stored answer; None if the question was an audit.
        outcome: Outcome of the statement, if this answer decided about it.
        tally: Tally of the votes; None if it must not be revealed.
        version: The tenant's version after it.
        message: Sentence for the responder.
    """

    candidate: Candidate
    event: ValidationEvent | None
    outcome: Outcome | None
    tally: VoteTally | None
    version: int
    message: str


class AnswerJob(AboutCandidate[Answer]):
    """Job that records an answer.

    Args:
        policy: Policy that says who is a moderator.
    """

    def __init__(
        self,
        reference: Reference,
        said: AnswerInput,
        *,
        policy: ValidationPolicy,
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(reference, principal=said.responder, request=request)
        self._said = said
        self._policy = policy
        self._asked: AskedQuestion | None = None
        self._event: ValidationEvent | None = None
        self._is_repeated = False

    @property
    def _is_audit(self) -> bool:
        return self._asked is not None and self._asked.gold_answer is not None

    async def load(self, reads: PostgresReads) -> None:
        """Read the candidate, and the question that is answered.

        Raises:
            InvalidArgument: The question is about another candidate, or the delivery id
                belongs to an answer of somebody else.
        """
        said = self._said
        if said.delivery:
            self._event = await reads.event_of_delivery(said.bot_id, said.delivery)
            self._is_repeated = self._event is not None
        if self._event and not is_same(self._event.responder, said.responder):
            # The answer must not be dropped silently, nor the other answer revealed.
            raise InvalidArgument(
                f"the delivery {said.delivery[:80]!r} brought somebody else's answer: "
                "each answer has a name of its own",
                field="delivery",
            )
        if self._event:
            self._reference = Reference(self._event.candidate_id)
        elif said.question_id:
            self._asked = await reads.question_asked(said.question_id)
            if not any(self._reference):
                self._reference = Reference(self._asked.candidate_id)
        await super().load(reads)
        if self._asked and self._asked.candidate_id != self.candidate.id:
            raise InvalidArgument(
                f"question #{self._asked.id} is about candidate "
                f"#{self._asked.candidate_id}",
                field="question_id",
            )

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Record the answer, and decide again.

        Raises:
            CandidateClosed: The candidate's deadline is over.
            PermissionDenied: The responder may not answer this question.
        """
        if self._is_audit:
            self._audit(batch)
        elif not self._is_repeated:
            self._hear(draft, batch)
        answered = Answered(
            candidate_id=self.candidate.id, event=self._event.cid if self._event else ""
        )
        self.remember(batch, self._entry, answered)

    def _audit(self, batch: Batch) -> None:
        """Record an answer that counts for the responder's reputation only."""
        said, asked = self._said, self._asked
        assert asked is not None, "an audit has a question"
        check_name(said.responder, self._known_names())
        if (
            said.response in (EventResponse.CONFIRMED, EventResponse.REJECTED)
            or said.disputed
        ):
            yes = said.response is EventResponse.CONFIRMED
            batch.audits.append(
                Audit(asked.id, said.responder, yes, said.disputed, said.note)
            )
        self._end_question(batch)

    def _hear(self, draft: Draft, batch: Batch) -> None:
        self._check(draft.now)
        if not self.candidate.cid:
            # The candidate was written before content ids were introduced.
            named = batch.trail.candidate(self.candidate)
            self._candidate = replace(self.candidate, cid=named)
        event = self._new_event(draft.now)
        event = replace(event, cid=batch.trail.answer(event, len(self._events)))
        batch.events.append(event)
        self._event = event
        self._events = [*self._events, event]
        self._end_question(batch)
        self._decide(draft, batch, self._events)

    def _check(self, now: float) -> None:
        """Check that this answer may count."""
        candidate, responder = self.candidate, self._said.responder
        if is_same(candidate.proposer, responder):
            raise PermissionDenied(
                f"candidate #{candidate.id} was proposed by {candidate.proposer}: another "
                "must decide",
                principal=responder,
            )
        check_name(responder, self._known_names())
        mine = sum(is_same(each.responder, responder) for each in self._events)
        if mine >= ANSWERS_MAX:
            raise PermissionDenied(
                f"{responder} answered candidate #{candidate.id} {mine} times already: "
                "what they said last counts",
                principal=responder,
            )
        self._check_open(now)
        if candidate.sensitive and self._role is VoterRole.COMMUNITY:
            raise PermissionDenied(
                f"candidate #{candidate.id} is for moderators only",
                principal=responder,
            )

    def _check_open(self, now: float) -> None:
        candidate = self.candidate
        if candidate.is_over(now) and not self._undoes(candidate):
            raise closed(candidate)

    def _undoes(self, candidate: Candidate) -> bool:
        """Return whether an operator withdraws a decision that has no deadline.

        Nobody else is asked about such candidates, so it stays possible for ever.
        """
        return (
            self._said.response is EventResponse.WITHDRAWN
            and self._said.is_operator
            and candidate.expires is None
            and candidate.state is not CandidateState.EXPIRED
        )

    def _known_names(self) -> list[str]:
        """Return the names that the responder must not be mistaken for."""
        return [
            self.candidate.proposer,
            self.candidate.author,
            *(event.responder for event in self._events),
            *self._policy.people,
        ]

    @property
    def _role(self) -> VoterRole:
        return role_of(
            self._said.responder,
            self.candidate,
            self._policy,
            is_operator=self._said.is_operator,
        )

    def _new_event(self, now: float) -> ValidationEvent:
        candidate, said, asked = self.candidate, self._said, self._asked
        responder = self._spelt()
        before = self._events[-1].created if self._events else 0.0
        has_voted = any(each.responder == responder for each in self._events)
        # Operators see the votes of others in the console.
        sees = has_voted or (said.is_operator and bool(self._events))
        return ValidationEvent(
            candidate_id=candidate.id,
            candidate_cid=candidate.cid,
            proposer=candidate.proposer,
            responder=responder,
            role=self._role,
            response=said.response,
            before_visible=candidate.state is CandidateState.PENDING and not sees,
            # Times are unique, since the last answer counts.
            created=max(now, round(before + 1e-6, 6)),
            note=said.note,
            bot_id=said.bot_id,
            context_message_cid=asked.context_message_cid if asked else "",
            question_id=asked.id if asked else 0,
            delivery=said.delivery,
            prompt_hash=candidate.prompt_hash or (asked.prompt_hash if asked else ""),
            model_version=candidate.model_version
            or candidate.extractor_version
            or candidate.proposer,
            message_cid=candidate.message_cid,
        )

    def _spelt(self) -> str:
        """Return the responder's name as spelt before, so that they count once."""
        known = self._known_names()
        name = self._said.responder
        return next((each for each in known if is_same(each, name)), name)

    def _end_question(self, batch: Batch) -> None:
        """Close a question that was addressed to the responder in person."""
        asked = self._asked
        if asked and is_same(asked.recipient, self._said.responder):
            batch.answered.append(asked.id)


class Hearing(AnswerJob[AnswerResult]):
    """Job that records an answer and returns its result."""

    def answer(self, committed: Committed) -> AnswerResult:
        """Return the candidate as it is now, and the outcome."""
        outcome = numbered(self._entry, committed) if self._entry else None
        return self._heard(outcome, committed.version)

    async def replay(self, reads: PostgresReads, answered: Answered) -> AnswerResult:
        """Return the stored answer, and the candidate as it is now."""
        self._reference = Reference(answered.candidate_id)
        await AboutCandidate.load(self, reads)
        found = (event for event in self._events if event.cid == answered.event)
        self._event = next(found, None)
        outcome = (
            await reads.outcome(answered.assertion_id)
            if answered.assertion_id
            else None
        )
        return self._heard(outcome, answered.version)

    def _heard(self, outcome: Outcome | None, version: int) -> AnswerResult:
        candidate = self.candidate
        told = self._event is not None
        tally = tally_of(candidate, self._events, self._rated.reputations)
        return AnswerResult(
            candidate,
            self._event,
            outcome,
            tally if told else None,
            version,
            _thanks(candidate if told else None),
        )


def role_of(
    responder: str, candidate: Candidate, policy: ValidationPolicy, *, is_operator: bool
) -> VoterRole:
    """Return the role of a responder, regardless of what they claim.

    The author of a candidate is the author of the text in which it stood, or, if there
    is none, its subject. A moderator who is its author answers as the author.
    """
    if is_operator:
        return VoterRole.MODERATOR
    authors = (
        (candidate.author,)
        if candidate.author
        else (candidate.subject, candidate.triple[0])
    )
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
    if candidate.state is CandidateState.PENDING or candidate.expires is not None:
        return CandidateClosed(f"the time of {name} is over", **details)
    return CandidateClosed(
        f"{name} was {candidate.state} by {candidate.decider}", **details
    )


_BECAME: Mapping[CandidateState, str] = {
    CandidateState.CONFIRMED: "it is confirmed",
    CandidateState.REJECTED: "it is rejected",
}


def _thanks(candidate: Candidate | None) -> str:
    """Return a message for the responder, the same for all while it is pending."""
    became = _BECAME.get(candidate.state, "") if candidate else ""
    return f"Thank you: {became}." if became else "Thank you, that is noted."
