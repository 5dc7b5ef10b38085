"""People answer: what they say is kept for ever, and decides about a candidate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from festinger.core.graph.candidates import Factoid, FactoidState
from festinger.core.graph.outcome import Outcome
from festinger.core.system.principals import double_of, is_same
from festinger.core.validation.events import AnswerEvent, ValidationEvent
from festinger.core.validation.lifecycle import VoteTally, tally_of
from festinger.core.validation.policy import ValidationPolicy
from festinger.core.validation.votes import VoterRole
from festinger.core.world.draft import Draft
from festinger.errors import FactoidClosed, InvalidArgument, PermissionDenied
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
"""Answers of one person about one candidate: each is kept for ever, and read again."""


@dataclass(frozen=True, slots=True)
class AnswerInput:
    """What somebody says of a candidate.

    Attributes:
        responder: Who, as the server stamped it.
        is_operator: Whether they hold an operator's credential themselves.
        question_id: The question that they answer; 0 for none.
        delivery: The platform's name of it, so that it counts once.
        disputed: Whether they say that what a question takes for known is wrong.
    """

    responder: str
    response: AnswerEvent
    is_operator: bool = False
    question_id: int = 0
    note: str = ""
    bot_id: str = ""
    delivery: str = ""
    disputed: bool = False


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """What an answer led to.

    Attributes:
        event: The answer as it is kept; None if the question's answer was known.
        outcome: What became of the statement, if this answer decided about it.
        tally: What the votes come to; None if they are not told.
        message: What is told whoever answered, in a sentence.
    """

    factoid: Factoid
    event: ValidationEvent | None
    outcome: Outcome | None
    tally: VoteTally | None
    version: int
    message: str


class AnswerJob(AboutCandidate[Answer]):
    """Somebody answers.

    Args:
        policy: Says who is a moderator.
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
        """Reads the candidate, and the question that is answered.

        Raises:
            InvalidArgument: The question is about another candidate, or somebody else's
                answer was delivered under that name.
        """
        said = self._said
        if said.delivery:
            self._event = await reads.event_of_delivery(said.bot_id, said.delivery)
            self._is_repeated = self._event is not None
        if self._event and not is_same(self._event.responder, said.responder):
            # Neither is it lost in silence, nor is the other's answer told.
            raise InvalidArgument(
                f"the delivery {said.delivery[:80]!r} brought somebody else's answer: "
                "each answer has a name of its own",
                field="delivery",
            )
        if self._event:
            self._reference = Reference(self._event.factoid_id)
        elif said.question_id:
            self._asked = await reads.question_asked(said.question_id)
            if not any(self._reference):
                self._reference = Reference(self._asked.factoid_id)
        await super().load(reads)
        if self._asked and self._asked.factoid_id != self.factoid.id:
            raise InvalidArgument(
                f"question #{self._asked.id} is about candidate "
                f"#{self._asked.factoid_id}",
                field="question_id",
            )

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Keeps the answer, and decides anew.

        Raises:
            FactoidClosed: Its time is over.
            PermissionDenied: Whoever answers may not answer this.
        """
        if self._is_audit:
            self._audit(batch)
        elif not self._is_repeated:
            self._hear(draft, batch)
        answered = Answered(
            factoid_id=self.factoid.id, event=self._event.cid if self._event else ""
        )
        self.remember(batch, self._entry, answered)

    def _audit(self, batch: Batch) -> None:
        """Keeps an answer that tells of whoever gives it, and of nothing else."""
        said, asked = self._said, self._asked
        assert asked is not None, "an audit has a question"
        check_name(said.responder, self._known_names())
        if (
            said.response in (AnswerEvent.CONFIRMED, AnswerEvent.REJECTED)
            or said.disputed
        ):
            yes = said.response is AnswerEvent.CONFIRMED
            batch.audits.append(
                Audit(asked.id, said.responder, yes, said.disputed, said.note)
            )
        self._end_question(batch)

    def _hear(self, draft: Draft, batch: Batch) -> None:
        self._check(draft.now)
        if not self.factoid.cid:
            # It is older than names are.
            named = batch.trail.candidate(self.factoid)
            self._factoid = replace(self.factoid, cid=named)
        event = self._new_event(draft.now)
        event = replace(event, cid=batch.trail.answer(event, len(self._events)))
        batch.events.append(event)
        self._event = event
        self._events = [*self._events, event]
        self._end_question(batch)
        self._decide(draft, batch, self._events)

    def _check(self, now: float) -> None:
        """Sees that this answer may count."""
        factoid, responder = self.factoid, self._said.responder
        if is_same(factoid.proposer, responder):
            raise PermissionDenied(
                f"candidate #{factoid.id} was proposed by {factoid.proposer}: another "
                "must decide",
                principal=responder,
            )
        check_name(responder, self._known_names())
        mine = sum(is_same(each.responder, responder) for each in self._events)
        if mine >= ANSWERS_MAX:
            raise PermissionDenied(
                f"{responder} answered candidate #{factoid.id} {mine} times already: "
                "what they said last counts",
                principal=responder,
            )
        self._check_open(now)
        if factoid.sensitive and self._role is VoterRole.COMMUNITY:
            raise PermissionDenied(
                f"candidate #{factoid.id} is for moderators only",
                principal=responder,
            )

    def _check_open(self, now: float) -> None:
        factoid = self.factoid
        if factoid.is_over(now) and not self._undoes(factoid):
            raise closed(factoid)

    def _undoes(self, factoid: Factoid) -> bool:
        """Whether an operator takes back what they decided of one without a deadline.

        Nobody else is asked about these, so it stays possible for ever.
        """
        return (
            self._said.response is AnswerEvent.WITHDRAWN
            and self._said.is_operator
            and factoid.expires is None
            and factoid.state is not FactoidState.EXPIRED
        )

    def _known_names(self) -> list[str]:
        """Whoever a name must not be taken for."""
        return [
            self.factoid.proposer,
            self.factoid.author,
            *(event.responder for event in self._events),
            *self._policy.people,
        ]

    @property
    def _role(self) -> VoterRole:
        return role_of(
            self._said.responder,
            self.factoid,
            self._policy,
            is_operator=self._said.is_operator,
        )

    def _new_event(self, now: float) -> ValidationEvent:
        factoid, said, asked = self.factoid, self._said, self._asked
        responder = self._spelt()
        before = self._events[-1].created if self._events else 0.0
        has_voted = any(each.responder == responder for each in self._events)
        # An operator sees the votes of others in the console.
        sees = has_voted or (said.is_operator and bool(self._events))
        return ValidationEvent(
            factoid_id=factoid.id,
            factoid_cid=factoid.cid,
            proposer=factoid.proposer,
            responder=responder,
            role=self._role,
            response=said.response,
            before_visible=factoid.state is FactoidState.PENDING and not sees,
            # No two of one moment: what is said last counts.
            created=max(now, round(before + 1e-6, 6)),
            note=said.note,
            bot_id=said.bot_id,
            context_message_cid=asked.context_message_cid if asked else "",
            question_id=asked.id if asked else 0,
            delivery=said.delivery,
            prompt_hash=factoid.prompt_hash or (asked.prompt_hash if asked else ""),
            model_version=factoid.model_version
            or factoid.extractor_version
            or factoid.proposer,
            message_cid=factoid.message_cid,
        )

    def _spelt(self) -> str:
        """The responder as their name was spelt before, so that they count once."""
        known = self._known_names()
        name = self._said.responder
        return next((each for each in known if is_same(each, name)), name)

    def _end_question(self, batch: Batch) -> None:
        """Ends a question that was put to whoever answers it, in person."""
        asked = self._asked
        if asked and is_same(asked.recipient, self._said.responder):
            batch.answered.append(asked.id)


class Hearing(AnswerJob[AnswerResult]):
    """Somebody answers, and is told what came of it."""

    def answer(self, committed: Committed) -> AnswerResult:
        """The candidate as it is now, and what became of it."""
        outcome = numbered(self._entry, committed) if self._entry else None
        return self._heard(outcome, committed.version)

    async def replay(self, reads: PostgresReads, answered: Answered) -> AnswerResult:
        """The same answer again, and the candidate as it is now."""
        self._reference = Reference(answered.factoid_id)
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
        factoid = self.factoid
        told = self._event is not None
        tally = tally_of(factoid, self._events, self._rated.reputations)
        return AnswerResult(
            factoid,
            self._event,
            outcome,
            tally if told else None,
            version,
            _thanks(factoid if told else None),
        )


def role_of(
    responder: str, factoid: Factoid, policy: ValidationPolicy, *, is_operator: bool
) -> VoterRole:
    """As whom somebody answers: the server decides, whatever they say.

    The author of a candidate is whose text it stood in, or, if that is nobody, whom it is
    about. A moderator who is its author answers as that.
    """
    if is_operator:
        return VoterRole.MODERATOR
    authors = (
        (factoid.author,) if factoid.author else (factoid.subject, factoid.triple[0])
    )
    if any(is_same(each, responder) for each in authors):
        return VoterRole.AUTHOR
    moderators = (name for name, person in policy.people.items() if person.moderator)
    if any(is_same(name, responder) for name in moderators):
        return VoterRole.MODERATOR
    return VoterRole.COMMUNITY


def check_name(name: str, known: list[str]) -> None:
    """Sees that nobody takes one principal for another.

    Raises:
        PermissionDenied: The name reads like another one.
    """
    if double := double_of(name, known):
        raise PermissionDenied(
            f"the name {name!r} reads like {double!r}, who is somebody else: answer "
            "under a name that nobody can mistake",
            principal=name,
        )


def closed(factoid: Factoid) -> FactoidClosed:
    """What whoever comes too late is told."""
    name = f"candidate #{factoid.id}"
    details = {"factoid_id": str(factoid.id), "principal": factoid.decider}
    if factoid.state is FactoidState.PENDING or factoid.expires is not None:
        return FactoidClosed(f"the time of {name} is over", **details)
    return FactoidClosed(f"{name} was {factoid.state} by {factoid.decider}", **details)


_BECAME: Mapping[FactoidState, str] = {
    FactoidState.CONFIRMED: "it is confirmed",
    FactoidState.REJECTED: "it is rejected",
}


def _thanks(factoid: Factoid | None) -> str:
    """What is told whoever answered; it is the same for all as long as it is open."""
    became = _BECAME.get(factoid.state, "") if factoid else ""
    return f"Thank you: {became}." if became else "Thank you, that is noted."
