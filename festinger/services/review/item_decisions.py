"""Decision about one item of the inbox, by the job of its kind, and its undoing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from festinger.core.graph.candidates import CandidateState
from festinger.core.graph.resolution import ConflictDecision
from festinger.core.memories.feedback import FeedbackState
from festinger.core.review.inbox import InboxPlace, InboxRef
from festinger.core.system.excerpt import done_by
from festinger.core.validation.votes import EventResponse
from festinger.errors import ItemNotFound
from festinger.services.graph.facts import Forgetting, as_said
from festinger.services.graph.resolving import Resolution, Undoing
from festinger.services.recollection.rating import FeedbackJob, feedback_decision
from festinger.services.review import promotion
from festinger.services.review.decisions import RecordDecision
from festinger.services.validation.answers import RecordAnswer, operator_answer
from festinger.services.validation.directions import DirectCandidate, Direction
from festinger.services.validation.reference import CandidateReference
from festinger.services.validation.responders import AnswerInput
from festinger.services.world.jobs import Assertion, Job
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.review.inbox import DecidedItem, InboxDecisionRecord
from festinger.store.review.inbox_writes import InboxLogWrites, InboxWrites, ItemUndoing


class InboxAction(StrEnum):
    """Action of a person on an item."""

    ACCEPT = "accept"
    REJECT = "reject"
    DEFER = "defer"
    RESUME = "resume"


_DONE: Final = {
    InboxAction.ACCEPT: "accepted",
    InboxAction.REJECT: "rejected",
    InboxAction.DEFER: "put aside",
    InboxAction.RESUME: "taken up",
}


@dataclass(frozen=True, slots=True)
class InboxAnswer:
    """A person's answer.

    Attributes:
        alone: Whether other items of the same statement are left as they are.
        incoming_dimension: Dimension to which a conflict's statement moves; empty if it
            replaces the fact.
        existing_dimension: Dimension to which its fact moves; empty if it does not.
        content: Content in which a record is accepted; empty for its own.
        supersedes: Active record that an accepted one replaces; 0 for none.
        bot_id: Door by which it came, such as `console`; empty for none.
        etag: Etag of a single conflict or record; empty to skip the check.
        request_id: Makes repeating the call safe; empty for none.
    """

    action: InboxAction
    principal: str
    alone: bool = False
    reasoning: str = ""
    incoming_dimension: str = ""
    existing_dimension: str = ""
    content: str = ""
    supersedes: int = 0
    bot_id: str = ""
    etag: str = ""
    request_id: str = ""


async def decide_item(
    memory: TenantMemory,
    ref: InboxRef,
    answer: InboxAnswer,
    decision: InboxDecisionRecord,
) -> DecidedItem:
    """Decide about one item by the job of its kind, which logs it as well.

    Args:
        decision: The decision that the item is one of.
    """
    # Records have a state "deferred" of their own, with an edit that can be undone.
    if ref.place is InboxPlace.RECORD:
        job = _record_decision(ref, answer)
        # Its first edit stands for a decision; an edit of the content is one of its own.
        at = 1 if answer.content else 0
        return await _submit(
            memory, job, decision, lambda: DecidedItem(ref, job.edits[at])
        )
    # Other items are deferred by a time in the inbox; what they are does not change.
    if answer.action in (InboxAction.DEFER, InboxAction.RESUME):
        since = memory.now() if answer.action is InboxAction.DEFER else None
        async with memory.store.inbox(memory.tenant) as inbox:
            if await inbox.defer(ref, since):
                return await _log(inbox, decision, DecidedItem(ref))
        raise await gone(memory, ref)
    match ref.place:
        case InboxPlace.CANDIDATE:
            return await _decide_candidate(memory, ref, answer, decision)
        case InboxPlace.SETTLED:
            return await _decide_settled(memory, ref, answer, decision)
        case InboxPlace.FEEDBACK:
            accepts = answer.action is InboxAction.ACCEPT
            target = FeedbackState.UPHELD if accepts else FeedbackState.OVERRULED
            moving = await _feedback_move(memory, ref, target, answer.principal)
            return await _submit(memory, moving, decision, lambda: DecidedItem(ref))
    resolution = _resolution(ref.number, answer)
    return await _submit(memory, resolution, decision, lambda: DecidedItem(ref))


async def _submit(
    memory: TenantMemory,
    job: Job[Any],
    decision: InboxDecisionRecord,
    item: Callable[[], DecidedItem],
) -> DecidedItem:
    """Do the job that decides about an item, and log the item with it.

    Args:
        item: Returns the item, which may need what the job has decided.
    """
    job.also = lambda batch: batch.of(InboxLogWrites).decided.append(
        replace(decision, items=[item()])
    )
    await memory.writer.submit(job)
    return item()


async def _log(
    inbox: InboxWrites, decision: InboxDecisionRecord, item: DecidedItem
) -> DecidedItem:
    await inbox.log_decision(replace(decision, items=[item]))
    return item


async def _decide_candidate(
    memory: TenantMemory,
    ref: InboxRef,
    answer: InboxAnswer,
    decision: InboxDecisionRecord,
) -> DecidedItem:
    """Answer about a candidate; of a flagged one, take the flag down or overrule it."""
    async with memory.store.reading(memory.tenant) as reads:
        found = await reads.candidates_by_id([ref.number])
    candidate = found.get(ref.number)
    is_pending = candidate is None or candidate.state is CandidateState.PENDING
    accepts = answer.action is InboxAction.ACCEPT
    # A flagged candidate has been decided; accepting it says that the flag was wrong.
    if candidate and candidate.flagged and not is_pending and accepts:
        unflagging = _flagging(memory, ref, Direction.UNFLAG, answer.principal)
        return await _submit(
            memory, unflagging, decision, lambda: DecidedItem(ref, flag=True)
        )
    job = operator_answer(
        ref.number,
        EventResponse.CONFIRMED if accepts else EventResponse.REJECTED,
        principal=answer.principal,
        policy=memory.validation.policy,
        note=answer.reasoning,
        bot_id=answer.bot_id,
        # One that people flagged is decided again; any other only while it waits.
        pending_only=is_pending or not (candidate and candidate.flagged),
    )
    return await _submit(memory, job, decision, lambda: DecidedItem(ref))


def _flagging(
    memory: TenantMemory, ref: InboxRef, direction: Direction, principal: str
) -> DirectCandidate:
    return DirectCandidate(
        CandidateReference(ref.number),
        direction,
        principal=principal,
        ttl_seconds=memory.validation.policy.ttl_seconds,
    )


def _resolution(number: int, answer: InboxAnswer) -> Resolution:
    decision = ConflictDecision.DISMISS
    if answer.action is InboxAction.ACCEPT:
        decision = ConflictDecision.UPDATE
        if answer.incoming_dimension:
            decision = ConflictDecision.RECLASSIFY
        # With both dimensions, both statements hold (C7): the second one decides.
        if answer.existing_dimension:
            decision = ConflictDecision.DECOMPOSE
    return Resolution(
        number,
        decision,
        principal=answer.principal,
        reasoning=answer.reasoning,
        etag=answer.etag,
        request=None,
        incoming_dimension=answer.incoming_dimension,
        existing_dimension=answer.existing_dimension,
    )


def _record_decision(ref: InboxRef, answer: InboxAnswer) -> RecordDecision:
    by = answer.principal
    match answer.action:
        case InboxAction.ACCEPT:
            return promotion.promote(
                ref.number,
                principal=by,
                content=answer.content,
                supersedes=answer.supersedes,
                etag=answer.etag,
            )
        case InboxAction.REJECT:
            return promotion.reject(ref.number, principal=by, etag=answer.etag)
        case InboxAction.DEFER | InboxAction.RESUME:
            resume = answer.action is InboxAction.RESUME
            return promotion.defer(ref.number, principal=by, resume=resume)


async def _decide_settled(
    memory: TenantMemory,
    ref: InboxRef,
    answer: InboxAnswer,
    decision: InboxDecisionRecord,
) -> DecidedItem:
    """State what was settled against anew, or let it stay settled."""
    # A person's statement reopens what was settled (C5a).
    if answer.action is InboxAction.ACCEPT:
        async with memory.store.reading(memory.tenant) as reads:
            item = await reads.inbox_item(ref)
            # The item's number is the ledger row that was refused.
            triple = (await reads.outcome(ref.number)).triple if item else None
        if triple is None:
            raise await gone(memory, ref)
        job = Assertion(as_said(triple, principal=answer.principal), None)
        return await _submit(memory, job, decision, lambda: DecidedItem(ref))
    async with memory.store.inbox(memory.tenant) as inbox:
        count = await inbox.keep_settled(ref.number)
        if count is not None:
            # The count of refusals is reset; undoing puts it back.
            return await _log(inbox, decision, DecidedItem(ref, count=count))
    raise await gone(memory, ref)


async def _feedback_move(
    memory: TenantMemory, ref: InboxRef, target: FeedbackState, principal: str
) -> FeedbackJob:
    async with memory.store.reading(memory.tenant) as reads:
        feedback = (await reads.feedback_by_id([ref.number])).get(ref.number)
    reopens = target is FeedbackState.OPEN
    # Only a change of state is a decision: what is open is closed, or the other way round.
    if feedback is None or (feedback.state is FeedbackState.OPEN) == reopens:
        raise await gone(memory, ref)
    return feedback_decision(feedback, target, principal=principal)


def deed(decision: InboxDecisionRecord) -> str:
    """Return who decided what by a decision, and when."""
    done = _DONE[InboxAction(decision.action)]
    return done_by(done, decision.principal, decision.created)


async def gone(memory: TenantMemory, ref: InboxRef) -> ItemNotFound:
    """Return the error about an item that does not wait, which says who decided."""
    async with memory.store.reading(memory.tenant) as reads:
        decision = await reads.inbox_decision_about(ref)
    why = "does not wait: it is decided, or was never there"
    if decision:
        why = deed(decision)
    return ItemNotFound(f"{ref} {why}", item_id=str(ref))


async def undo_item(
    memory: TenantMemory,
    item: DecidedItem,
    action: InboxAction,
    undoing: ItemUndoing,
    reasoning: str,
) -> None:
    """Undo an action on one item, and log that in the same transaction."""
    ref, by = item.ref, undoing.by
    is_deferral = action in (InboxAction.DEFER, InboxAction.RESUME)
    keeps_settled = ref.place is InboxPlace.SETTLED and action is InboxAction.REJECT
    # What has no job was changed in the inbox only. A record's deferral has one.
    if keeps_settled or (is_deferral and ref.place is not InboxPlace.RECORD):
        since = memory.now() if action is InboxAction.RESUME else None
        async with memory.store.inbox(memory.tenant) as inbox:
            if is_deferral:
                waits = await inbox.defer(ref, since)
            else:
                waits = await inbox.unkeep_settled(ref.number, item.count)
            if waits:
                await inbox.log_undoing(undoing)
                return
        raise await gone(memory, ref)
    job = await _undoing_job(memory, item, by, reasoning)
    job.also = lambda batch: batch.of(InboxLogWrites).undone.append(undoing)
    await memory.writer.submit(job)


async def _undoing_job(
    memory: TenantMemory, item: DecidedItem, by: str, reasoning: str
) -> Job[Any]:
    """Return the job that undoes what a job decided about an item."""
    ref = item.ref
    match ref.place:
        case InboxPlace.RECORD:
            return promotion.undo_edit(item.edit, principal=by)
        case InboxPlace.CONFLICT:
            return Undoing(
                ref.number, principal=by, reasoning=reasoning, etag="", request=None
            )
        case InboxPlace.CANDIDATE:
            # The flag was taken down; it goes up again.
            if item.flag:
                return _flagging(memory, ref, Direction.FLAG, by)
            withdrawn = AnswerInput(by, EventResponse.WITHDRAWN, is_operator=True)
            policy = memory.validation.policy
            return RecordAnswer(
                CandidateReference(ref.number), withdrawn, policy=policy
            )
        case InboxPlace.FEEDBACK:
            return await _feedback_move(memory, ref, FeedbackState.OPEN, by)
    async with memory.store.reading(memory.tenant) as reads:
        triple = (await reads.outcome(ref.number)).triple
    return Forgetting(triple, principal=by, subject="", why="undone", request=None)
