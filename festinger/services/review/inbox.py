"""Decide about items of the inbox, about others of the same statement, and undo it.

Each item is decided by the job of its own kind, in a transaction of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple
from uuid import UUID, uuid4, uuid5

from festinger.core.graph.candidates import CandidateState
from festinger.core.graph.resolution import ConflictDecision
from festinger.core.memories.feedback import FeedbackState
from festinger.core.review.inbox import InboxFilter, InboxPlace, InboxRef
from festinger.core.system.printing import done_by
from festinger.core.validation.events import EventResponse
from festinger.errors import (
    CannotUndo,
    Closed,
    DecisionNotFound,
    FestingerError,
    InvalidArgument,
    ItemNotFound,
    NotFound,
    RecordStatus,
)
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
from festinger.store.world.reads import PostgresReads

BULK_MAX: Final = 1000
"""Maximum number of items of one decision; each is a transaction."""
ALIKE_MAX: Final = 200
_CALLS: Final = UUID("5d0c7b1e-55d0-4a0b-9f1c-3a4a4c2b1f10")
"""Namespace of decisions that have a request id."""


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
    supersedes: int = 0
    bot_id: str = ""
    etag: str = ""
    request_id: str = ""


class InboxFailure(NamedTuple):
    """Item that could not be decided, and why."""

    ref: InboxRef
    error: FestingerError


class InboxResult(NamedTuple):
    """Result of a decision or of its undoing.

    Attributes:
        decision: What was done; None if nothing could be.
    """

    decision: InboxDecisionRecord | None
    failures: Sequence[InboxFailure]


async def decide(
    memory: TenantMemory, refs: Sequence[InboxRef], answer: InboxAnswer
) -> InboxResult:
    """Decide about items, and about others of the same statements.

    Raises:
        FestingerError: The only item that is named cannot be decided.
    """
    if found := await earlier(memory, answer):
        return InboxResult(found, ())
    number = _number(answer) or uuid4()
    done: dict[InboxRef, DecidedItem] = {}
    failures: list[InboxFailure] = []
    try:
        for ref in refs:
            if ref not in done:
                await _decide_with_likes(memory, ref, answer, done, failures)
    finally:
        # What was decided before an error can be undone as well.
        decision = InboxDecisionRecord(
            number,
            answer.principal,
            answer.action,
            list(done.values()),
            memory.now(),
        )
        if done:
            async with memory.store.inbox(memory.tenant) as inbox:
                await inbox.log_decision(decision)
    if failures and not done and len(refs) == 1:
        raise failures[0].error
    return InboxResult(decision if done else None, failures)


async def earlier(
    memory: TenantMemory, answer: InboxAnswer
) -> InboxDecisionRecord | None:
    """Return the decision of an earlier call with the same request id, if any."""
    if number := _number(answer):
        async with memory.store.reading(memory.tenant) as reads:
            return await reads.inbox_decision(number)
    return None


def _number(answer: InboxAnswer) -> UUID | None:
    if not answer.request_id:
        return None
    return uuid5(_CALLS, f"{answer.principal}\0{answer.request_id}")


async def decide_all(
    memory: TenantMemory, wanted: InboxFilter, answer: InboxAnswer
) -> InboxResult:
    """Decide about all items of a filter, at most `BULK_MAX`."""
    async with memory.store.reading(memory.tenant) as reads:
        items = await reads.inbox(wanted, limit=BULK_MAX)
    return await decide(memory, [item.ref for item in items], answer)


async def undo(
    memory: TenantMemory, principal: str, decision_id: str, reasoning: str = ""
) -> InboxResult:
    """Undo a decision with all its items, or else the principal's latest.

    Args:
        decision_id: The decision, or an item for the latest decision about it.

    Raises:
        DecisionNotFound: There is no such decision.
        CannotUndo: It is undone already, or all its items have changed since.
    """
    decision = await _found(memory, principal, decision_id)
    named = {"decision_id": str(decision.id)}
    if decision.undone_by:
        raise CannotUndo(f"{decision.undone_by} has undone this already", **named)
    failures = []
    for item in reversed(decision.items):
        try:
            await _undo_one(
                memory, item, InboxAction(decision.action), principal, reasoning
            )
        except FestingerError as error:
            failures.append(InboxFailure(item.ref, error))
    if len(failures) == len(decision.items):
        raise CannotUndo(str(failures[-1].error), **named)
    async with memory.store.inbox(memory.tenant) as inbox:
        await inbox.mark_undone(decision.id, by=principal, now=memory.now())
    return InboxResult(decision, failures)


async def _found(
    memory: TenantMemory, principal: str, decision_id: str
) -> InboxDecisionRecord:
    async with memory.store.reading(memory.tenant) as reads:
        if not decision_id:
            decision = await reads.last_inbox_decision(principal)
        else:
            decision = None
            with suppress(ValueError):
                decision = await reads.inbox_decision(UUID(decision_id))
            with suppress(InvalidArgument):
                decision = await _about(reads, InboxRef.parse(decision_id))
    if decision is None:
        raise DecisionNotFound(
            f"the inbox has no decision {decision_id[:40]!r}"
            if decision_id
            else f"{principal} has decided nothing here that could be undone",
            decision_id=decision_id[:40],
        )
    return decision


async def _about(reads: PostgresReads, ref: InboxRef) -> InboxDecisionRecord | None:
    """Return the latest decision about an item; for conflicts, one made elsewhere too."""
    decision = await reads.inbox_decision_about(ref)
    if decision or ref.place is not InboxPlace.CONFLICT:
        return decision
    decided = (await reads.conflict(ref.number)).decided
    return InboxDecisionRecord(
        uuid4(),
        decided.principal if decided else "",
        InboxAction.ACCEPT,
        [DecidedItem(ref)],
        (decided.resolved if decided else 0.0) or 0.0,
    )


async def _decide_with_likes(
    memory: TenantMemory,
    ref: InboxRef,
    answer: InboxAnswer,
    done: dict[InboxRef, DecidedItem],
    failures: list[InboxFailure],
) -> None:
    """Decide about an item and its likes; add each to `done` or `failures`."""
    likes: list[InboxRef] = []
    if not answer.alone:
        async with memory.store.reading(memory.tenant) as reads:
            if item := await reads.inbox_item(ref):
                likes = await reads.alike(item, ALIKE_MAX)
    try:
        done[ref] = await _decide_one(memory, ref, answer)
    except FestingerError as error:
        failures.append(InboxFailure(ref, error))
        return
    for like in likes:
        if like in done:
            continue
        try:
            done[like] = await _decide_one(memory, like, replace(answer, etag=""))
        except (Closed, RecordStatus, NotFound):
            continue  # deciding the item has decided this one along with it
        except FestingerError as error:
            failures.append(InboxFailure(like, error))


async def _decide_one(
    memory: TenantMemory, ref: InboxRef, answer: InboxAnswer
) -> DecidedItem:
    if ref.place is InboxPlace.RECORD:
        return await _decide_record(memory, ref, answer)
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
                supersedes=answer.supersedes,
                etag=answer.etag,
            )
        case InboxAction.REJECT:
            job = promotion.reject(ref.number, principal=by, etag=answer.etag)
        case InboxAction.DEFER | InboxAction.RESUME:
            resume = answer.action is InboxAction.RESUME
            job = promotion.defer(ref.number, principal=by, resume=resume)
    result = await memory.writer.submit(job)
    return DecidedItem(ref, edit=result.edits[0])


async def _decide_settled(
    memory: TenantMemory, ref: InboxRef, answer: InboxAnswer
) -> DecidedItem:
    """State what was settled against anew, or let it stay settled."""
    if answer.action is InboxAction.ACCEPT:
        async with memory.store.reading(memory.tenant) as reads:
            item = await reads.inbox_item(ref)
            triple = (await reads.outcome(ref.number)).triple if item else None
        if triple is None:
            raise await gone(memory, ref)
        await assert_fact(memory, triple, principal=answer.principal)
        return DecidedItem(ref)
    async with memory.store.inbox(memory.tenant) as inbox:
        count = await inbox.keep_settled(ref.number)
    if count is None:
        raise await gone(memory, ref)
    return DecidedItem(ref, count=count)


async def _move_feedback(
    memory: TenantMemory, ref: InboxRef, target: FeedbackState, principal: str
) -> None:
    async with memory.store.reading(memory.tenant) as reads:
        feedback = (await reads.feedback_by_id([ref.number])).get(ref.number)
    reopens = target is FeedbackState.OPEN
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


async def _undo_one(
    memory: TenantMemory,
    item: DecidedItem,
    action: InboxAction,
    principal: str,
    reasoning: str,
) -> None:
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
