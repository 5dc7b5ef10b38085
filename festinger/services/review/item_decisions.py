"""Decision about one item of the inbox, by the job of its kind, and its undoing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from festinger.core.graph.candidates import CandidateState
from festinger.core.graph.resolution import ConflictDecision
from festinger.core.memories.feedback import FeedbackState
from festinger.core.review.inbox import InboxPlace, InboxRef
from festinger.core.system.printing import done_by
from festinger.core.validation.events import EventResponse
from festinger.errors import ItemNotFound
from festinger.services.graph.assert_fact import assert_fact
from festinger.services.graph.resolving import Resolution
from festinger.services.graph.retract import retract_fact
from festinger.services.graph.undoing import Undoing
from festinger.services.recollection.rating import decide_feedback
from festinger.services.review import promotion
from festinger.services.validation.answers import RecordAnswer, operator_answer
from festinger.services.validation.directions import DirectCandidate, Direction
from festinger.services.validation.reference import Reference
from festinger.services.validation.responders import AnswerInput
from festinger.services.world.memory import TenantMemory
from festinger.store.review.inbox import DecidedItem, InboxDecisionRecord


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
    memory: TenantMemory, ref: InboxRef, answer: InboxAnswer
) -> DecidedItem:
    """Decide about one item by the job of its kind."""
    # Records have a state "deferred" of their own, with an edit that can be undone.
    if ref.place is InboxPlace.RECORD:
        return await _decide_record(memory, ref, answer)
    # Other items are deferred by a time in the inbox; what they are does not change.
    if answer.action in (InboxAction.DEFER, InboxAction.RESUME):
        since = memory.now() if answer.action is InboxAction.DEFER else None
        async with memory.store.inbox(memory.tenant) as inbox:
            if await inbox.defer(ref, since):
                return DecidedItem(ref)
        raise await gone(memory, ref)
    match ref.place:
        case InboxPlace.CONFLICT:
            await memory.writer.submit(_resolution(ref.number, answer))
        case InboxPlace.CANDIDATE:
            return await _decide_candidate(memory, ref, answer)
        case InboxPlace.SETTLED:
            return await _decide_settled(memory, ref, answer)
        case InboxPlace.FEEDBACK:
            accepts = answer.action is InboxAction.ACCEPT
            target = FeedbackState.UPHELD if accepts else FeedbackState.OVERRULED
            await _move_feedback(memory, ref, target, answer.principal)
    return DecidedItem(ref)


async def _decide_candidate(
    memory: TenantMemory, ref: InboxRef, answer: InboxAnswer
) -> DecidedItem:
    """Answer about a candidate; of a flagged one, take the flag down or overrule it."""
    async with memory.store.reading(memory.tenant) as reads:
        found = await reads.candidates_by_id([ref.number])
    candidate = found.get(ref.number)
    is_pending = candidate is None or candidate.state is CandidateState.PENDING
    accepts = answer.action is InboxAction.ACCEPT
    # A flagged candidate has been decided; accepting it says that the flag was wrong.
    if candidate and candidate.flagged and not is_pending and accepts:
        await memory.writer.submit(_flagging(memory, ref, Direction.UNFLAG, answer))
        return DecidedItem(ref, flag=True)
    response = EventResponse.CONFIRMED if accepts else EventResponse.REJECTED
    await memory.writer.submit(
        operator_answer(
            ref.number,
            response,
            principal=answer.principal,
            policy=memory.validation.policy,
            note=answer.reasoning,
            bot_id=answer.bot_id,
            # One that people flagged is decided again; any other only while it waits.
            pending_only=is_pending or not (candidate and candidate.flagged),
        )
    )
    return DecidedItem(ref)


def _flagging(
    memory: TenantMemory, ref: InboxRef, direction: Direction, answer: InboxAnswer
) -> DirectCandidate:
    return DirectCandidate(
        Reference(ref.number),
        direction,
        principal=answer.principal,
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


async def _decide_record(
    memory: TenantMemory, ref: InboxRef, answer: InboxAnswer
) -> DecidedItem:
    by = answer.principal
    match answer.action:
        case InboxAction.ACCEPT:
            job = promotion.promote(
                ref.number,
                principal=by,
                content=answer.content,
                supersedes=answer.supersedes,
                etag=answer.etag,
            )
        case InboxAction.REJECT:
            job = promotion.reject(ref.number, principal=by, etag=answer.etag)
        case InboxAction.DEFER | InboxAction.RESUME:
            resume = answer.action is InboxAction.RESUME
            job = promotion.defer(ref.number, principal=by, resume=resume)
    result = await memory.writer.submit(job)
    # Its first edit stands for a decision; an edit of the content is one of its own.
    return DecidedItem(ref, edit=result.edits[1 if answer.content else 0])


async def _decide_settled(
    memory: TenantMemory, ref: InboxRef, answer: InboxAnswer
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
        await assert_fact(memory, triple, principal=answer.principal)
        return DecidedItem(ref)
    async with memory.store.inbox(memory.tenant) as inbox:
        count = await inbox.keep_settled(ref.number)
    if count is None:
        raise await gone(memory, ref)
    # The count of refusals is reset; undoing puts it back.
    return DecidedItem(ref, count=count)


async def _move_feedback(
    memory: TenantMemory, ref: InboxRef, target: FeedbackState, principal: str
) -> None:
    async with memory.store.reading(memory.tenant) as reads:
        feedback = (await reads.feedback_by_id([ref.number])).get(ref.number)
    reopens = target is FeedbackState.OPEN
    # Only a change of state is a decision: what is open is closed, or the other way round.
    if feedback is None or (feedback.state is FeedbackState.OPEN) == reopens:
        raise await gone(memory, ref)
    await decide_feedback(memory, feedback, target, principal=principal)


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
    principal: str,
    reasoning: str,
) -> None:
    """Undo an action on one item."""
    # In the order of `decide_item`: how an item was decided says how it is undone.
    ref = item.ref
    if ref.place is InboxPlace.RECORD:
        await memory.writer.submit(promotion.undo_edit(item.edit, principal=principal))
    elif action in (InboxAction.DEFER, InboxAction.RESUME):
        since = memory.now() if action is InboxAction.RESUME else None
        async with memory.store.inbox(memory.tenant) as inbox:
            waits = await inbox.defer(ref, since)
        if not waits:
            raise await gone(memory, ref)
    elif ref.place is InboxPlace.CONFLICT:
        await memory.writer.submit(
            Undoing(
                ref.number,
                principal=principal,
                reasoning=reasoning,
                etag="",
                request=None,
            )
        )
    elif item.flag:
        # The flag was taken down; it goes up again.
        undoing = InboxAnswer(InboxAction.REJECT, principal)
        await memory.writer.submit(_flagging(memory, ref, Direction.FLAG, undoing))
    elif ref.place is InboxPlace.CANDIDATE:
        withdrawn = AnswerInput(principal, EventResponse.WITHDRAWN, is_operator=True)
        policy = memory.validation.policy
        await memory.writer.submit(
            RecordAnswer(Reference(ref.number), withdrawn, policy=policy)
        )
    elif ref.place is InboxPlace.FEEDBACK:
        await _move_feedback(memory, ref, FeedbackState.OPEN, principal)
    elif action is InboxAction.ACCEPT:
        async with memory.store.reading(memory.tenant) as reads:
            triple = (await reads.outcome(ref.number)).triple
        await retract_fact(memory, triple, principal=principal, why="undone")
    else:
        async with memory.store.inbox(memory.tenant) as inbox:
            again = await inbox.unkeep_settled(ref.number, item.count)
        if not again:
            raise await gone(memory, ref)
