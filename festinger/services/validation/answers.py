"""Record people's answers permanently, and decide about candidates by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace

from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.outcome import Outcome, Verdict
from festinger.core.graph.proposal import Proposal
from festinger.core.system.principals import is_same
from festinger.core.validation.decision import DecisionRule
from festinger.core.validation.lifecycle import VoteTally, stand, tally_of
from festinger.core.validation.policy import ValidationPolicy
from festinger.core.validation.votes import EventResponse, ValidationEvent
from festinger.core.world.draft import Draft
from festinger.errors import InvalidArgument
from festinger.services.validation.cases import CandidateCase
from festinger.services.validation.reference import CandidateReference
from festinger.services.validation.responders import (
    AnswerInput,
    as_spelt,
    check_answer,
    check_name,
    known_names,
    role_of,
)
from festinger.services.world.jobs import Job
from festinger.store.provenance.trail import TrailWrites
from festinger.store.validation.answers import AnswerWrites
from festinger.store.validation.records import AskedQuestion, GoldAnswer
from festinger.store.world.batches import Batch, CallResult, RequestKey
from festinger.store.world.reads import PostgresReads


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

    @property
    def verdict(self) -> Outcome:
        """The outcome; of a candidate that still waits, what it waits for."""
        return self.outcome or Outcome(
            Verdict.CANDIDATE,
            self.candidate.triple,
            reason=DecisionRule.MODERATORS_DIFFER,
            message="moderators differ about it: it waits",
            candidate_id=self.candidate.id,
        )


@dataclass(eq=False)
class RecordAnswer(Job[AnswerResult]):
    """Job that records an answer, and decides about the candidate by all answers.

    Args:
        policy: Policy that says who is a moderator.
        pending_only: Whether the answer is refused once the candidate is decided, even
            before its deadline.
    """

    alone = True

    reference: CandidateReference
    said: AnswerInput
    _: KW_ONLY
    policy: ValidationPolicy
    pending_only: bool = False
    _case: CandidateCase | None = field(default=None, init=False)
    _entry: LedgerEntry | None = field(default=None, init=False)
    _asked: AskedQuestion | None = field(default=None, init=False)
    _event: ValidationEvent | None = field(default=None, init=False)
    _is_repeated: bool = field(default=False, init=False)

    @property
    def candidate(self) -> Candidate:
        """The candidate, after `load`."""
        return self._loaded.candidate

    @property
    def _loaded(self) -> CandidateCase:
        assert self._case is not None, "a decision follows a load"
        return self._case

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statement as confirmed by each responder, and statements it may free."""
        return self._case.proposals(self.said.responder) if self._case else ()

    @property
    def _is_audit(self) -> bool:
        return self._asked is not None and self._asked.gold_answer is not None

    async def load(self, reads: PostgresReads) -> None:
        """Read the candidate, and the question that is answered.

        Raises:
            InvalidArgument: The question is about another candidate, or the delivery id
                belongs to an answer of somebody else.
        """
        said = self.said
        # Chats deliver messages more than once: the first delivery has been recorded.
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
            self.reference = CandidateReference(self._event.candidate_id)
        elif said.question_id:
            self._asked = await reads.question_asked(said.question_id)
            if not any(self.reference):
                self.reference = CandidateReference(self._asked.candidate_id)
        await self._load_candidate(reads)
        if self._asked and self._asked.candidate_id != self.candidate.id:
            raise InvalidArgument(
                f"question #{self._asked.id} is about candidate "
                f"#{self._asked.candidate_id}",
                field="question_id",
            )

    async def _load_candidate(self, reads: PostgresReads) -> None:
        """Read the candidate, its answers, and what else its decision depends on."""
        candidate = await self.reference.read(reads)
        # Under the lock, with all answers: none can arrive between this and the decision.
        self._case = await CandidateCase.read(reads, candidate, await reads.rated())

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Record the answer, and decide again.

        Raises:
            CandidateClosed: The candidate's deadline is over.
            PermissionDenied: The responder may not answer this question.
        """
        if self._is_audit:
            # It measures the responder; the candidate was decided long ago.
            self._audit(batch)
        elif not self._is_repeated:
            self._hear(draft, batch)
        answered = CallResult(
            candidate_id=self.candidate.id, event=self._event.cid if self._event else ""
        )
        self.remember(batch, self._entry, answered)

    async def read_back(self, reads: PostgresReads) -> None:
        """Read the candidate as it is after the decision."""
        self._loaded.candidate = await reads.candidate(self.candidate.id)

    def answer(self, version: int) -> AnswerResult:
        """Return the candidate as it is now, and the outcome."""
        return self._heard(self._entry.outcome if self._entry else None, version)

    async def replay(self, reads: PostgresReads, answered: CallResult) -> AnswerResult:
        """Return the stored answer, and the candidate as it is now."""
        self.reference = CandidateReference(answered.candidate_id)
        await self._load_candidate(reads)
        found = (event for event in self._loaded.events if event.cid == answered.event)
        self._event = next(found, None)
        outcome = (
            await reads.outcome(answered.assertion_id)
            if answered.assertion_id
            else None
        )
        return self._heard(outcome, answered.version)

    def _heard(self, outcome: Outcome | None, version: int) -> AnswerResult:
        candidate = self.candidate
        # Whoever has not answered must not see others' votes (I5).
        told = self._event is not None
        reputations = self._loaded.rated.reputations
        tally = tally_of(candidate, self._loaded.events, reputations)
        return AnswerResult(
            candidate,
            self._event,
            outcome,
            tally if told else None,
            version,
            _thanks(candidate if told else None),
        )

    def _audit(self, batch: Batch) -> None:
        """Record an answer that counts for the responder's reputation only."""
        said, asked = self.said, self._asked
        assert asked is not None, "an audit has a question"
        # Impersonation is refused here, too, since audits weigh votes.
        check_name(said.responder, self._names)
        if (
            # "Don't know" and a withdrawal say nothing about the responder.
            said.response in (EventResponse.CONFIRMED, EventResponse.REJECTED)
            or said.disputed
        ):
            yes = said.response is EventResponse.CONFIRMED
            batch.of(AnswerWrites).audits.append(
                GoldAnswer(asked.id, said.responder, yes, said.disputed, said.note)
            )
        self._end_question(batch)

    def _hear(self, draft: Draft, batch: Batch) -> None:
        case = self._loaded
        check_answer(
            self.said,
            case.candidate,
            case.events,
            self.policy,
            now=draft.now,
            pending_only=self.pending_only,
        )
        if not case.candidate.cid:
            # The candidate was written before content ids were introduced.
            named = batch.of(TrailWrites).trail.candidate(case.candidate)
            case.candidate = replace(case.candidate, cid=named)
        event = self._new_event(draft.now)
        # The number of earlier answers is in the content id: repeated words are a new answer.
        event = replace(
            event, cid=batch.of(TrailWrites).trail.answer(event, len(case.events))
        )
        batch.of(AnswerWrites).events.append(event)
        self._event = event
        case.events = [*case.events, event]
        self._end_question(batch)
        standing = stand(
            case.candidate,
            case.events,
            case.rated.reputations,
            # Too much was reversed lately: only moderators decide for now.
            breaker_open=case.rated.open_until > draft.now,
        )
        self._entry = case.decide(standing, draft, batch, by=self.said.responder)

    @property
    def _names(self) -> list[str]:
        return known_names(self.candidate, self._loaded.events, self.policy)

    def _new_event(self, now: float) -> ValidationEvent:
        candidate, said, asked = self.candidate, self.said, self._asked
        events = self._loaded.events
        # In the first spelling: votes under two spellings of one name would count twice.
        responder = as_spelt(said.responder, self._names)
        before = events[-1].created if events else 0.0
        has_voted = any(each.responder == responder for each in events)
        # Operators see the votes of others in the console.
        sees = has_voted or (said.is_operator and bool(events))
        # Reputation is learnt only from answers that were given before the outcome was visible.
        return ValidationEvent(
            candidate_id=candidate.id,
            candidate_cid=candidate.cid,
            proposer=candidate.proposer,
            responder=responder,
            role=role_of(
                said.responder, candidate, self.policy, is_operator=said.is_operator
            ),
            response=said.response,
            # Later answers are stored, but teach nothing about the responder.
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

    def _end_question(self, batch: Batch) -> None:
        """Close a question that was addressed to the responder in person."""
        asked = self._asked
        if asked and is_same(asked.recipient, self.said.responder):
            batch.of(AnswerWrites).answered.append(asked.id)


def operator_answer(
    candidate_id: int,
    response: EventResponse,
    *,
    principal: str,
    policy: ValidationPolicy,
    note: str = "",
    bot_id: str = "",
    pending_only: bool = True,
    request: RequestKey | None = None,
) -> RecordAnswer:
    """Return the job by which an operator decides about a candidate."""
    return RecordAnswer(
        CandidateReference(candidate_id),
        AnswerInput(principal, response, is_operator=True, note=note, bot_id=bot_id),
        policy=policy,
        pending_only=pending_only,
        request=request,
    )


_BECAME: Mapping[CandidateState, str] = {
    CandidateState.CONFIRMED: "it is confirmed",
    CandidateState.REJECTED: "it is rejected",
}


def _thanks(candidate: Candidate | None) -> str:
    """Return a message for the responder, the same for all while it is pending."""
    # While it is pending, thanks must not tell how the vote stands.
    became = _BECAME.get(candidate.state, "") if candidate else ""
    return f"Thank you: {became}." if became else "Thank you, that is noted."
