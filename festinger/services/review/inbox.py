"""Decide about items of the inbox, about others of the same statement, and undo it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple
from uuid import UUID, uuid4, uuid5

from festinger.core.review.inbox import InboxFilter, InboxPlace, InboxRef
from festinger.errors import (
    AlreadyDecided,
    CannotUndo,
    DatabaseUnavailable,
    DecisionNotFound,
    FestingerError,
    InvalidArgument,
    NotFound,
    Overloaded,
    RecordStatus,
)
from festinger.services.review.item_decisions import (
    InboxAction,
    InboxAnswer,
    decide_item,
    gone,
    undo_item,
)
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.review.inbox import DecidedItem, InboxDecisionRecord
from festinger.store.review.inbox_writes import ItemUndoing
from festinger.store.world.batches import RequestKey, request_reused
from festinger.store.world.reads import PostgresReads

BULK_MAX: Final = 1000
"""Maximum number of items of one decision; each is a transaction."""
ALIKE_MAX: Final = 200
"""Maximum number of other items that are decided along with one."""
_CALLS: Final = UUID("5d0c7b1e-55d0-4a0b-9f1c-3a4a4c2b1f10")
"""Namespace of decisions that have a request id."""


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
    decision = await earlier(memory, answer)
    if decision and decision.undone_by:
        return InboxResult(decision, ())
    # The earlier call may have been cut short: what it did not decide is decided now.
    decision = decision or InboxDecisionRecord(
        _number(answer) or uuid4(), answer.principal, answer.action, (), memory.now()
    )
    done = {item.ref: item for item in decision.items}
    failures: list[InboxFailure] = []
    # Each item is a transaction of its own, so that some may be decided when one fails.
    for ref in refs:
        # An earlier item may have decided this one as its like.
        if ref not in done:
            await _decide_with_likes(memory, ref, answer, decision, done, failures)
    # For a single item the caller wants its error; of many, the failures are listed.
    if failures and not done and len(refs) == 1:
        raise failures[0].error
    decided = replace(decision, items=list(done.values()))
    return InboxResult(decided if done else None, failures)


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
    # The same principal and request give the same number: the log is the memory of calls.
    return uuid5(_CALLS, f"{answer.principal}\0{answer.request_id}")


async def decide_all(
    memory: TenantMemory, wanted: InboxFilter, answer: InboxAnswer
) -> InboxResult:
    """Decide about all items of a filter, at most `BULK_MAX`."""
    # What came into the filter since an earlier call is not what that one named.
    if found := await earlier(memory, answer):
        return InboxResult(found, ())
    async with memory.store.reading(memory.tenant) as reads:
        # Beyond the limit people decide again: each item takes a transaction.
        items = await reads.inbox(wanted, limit=BULK_MAX)
    return await decide(memory, [item.ref for item in items], answer)


async def undo(
    memory: TenantMemory,
    principal: str,
    decision_id: str,
    reasoning: str = "",
    request: RequestKey | None = None,
) -> InboxResult:
    """Undo a decision with all its items, or else the principal's latest.

    A repeated request undoes what is left of the decision that the first one chose.

    Args:
        decision_id: The decision, or an item for the latest decision about it.

    Raises:
        DecisionNotFound: There is no such decision.
        CannotUndo: It is undone already, or all its items have changed since.
        RequestIdReused: The request's id came with another decision.
    """
    decision = await _chosen_before(memory, request)
    if decision is None:
        decision, name = await _found(memory, principal, decision_id)
        if request and not decision.undone_by:
            # Before anything is undone: "the latest" is another one afterwards.
            async with memory.store.inbox(memory.tenant) as inbox:
                is_chosen = await inbox.choose_to_undo(request, name)
            if not is_chosen:
                return await undo(memory, principal, decision_id, reasoning, request)
    elif decision.undone_by:
        left = [it.ref for it in decision.items if not it.undone]
        return InboxResult(
            decision, [InboxFailure(it, await gone(memory, it)) for it in left]
        )
    named = {"decision_id": str(decision.id)}
    if decision.undone_by:
        raise CannotUndo(f"{decision.undone_by} has undone this already", **named)
    failures = []
    for item in reversed(decision.items):
        if item.undone:
            continue  # by an earlier call that was cut short
        undoing = ItemUndoing(decision.id, item.ref, principal, memory.now())
        try:
            await undo_item(
                memory, item, InboxAction(decision.action), undoing, reasoning
            )
        except (DatabaseUnavailable, Overloaded):
            raise  # repeating the call goes on with this item
        except FestingerError as error:
            failures.append(InboxFailure(item.ref, error))
    if len(failures) == len(decision.items):
        raise CannotUndo(str(failures[-1].error), **named)
    # With the last item it is marked by itself; here it is undone except for some.
    if failures:
        async with memory.store.inbox(memory.tenant) as inbox:
            await inbox.mark_undone(decision.id, by=principal, now=memory.now())
    return InboxResult(replace(decision, undone_by=principal), failures)


async def _chosen_before(
    memory: TenantMemory, request: RequestKey | None
) -> InboxDecisionRecord | None:
    """Return the decision that an earlier call of this request undid, if any."""
    if request is None:
        return None
    async with memory.store.reading(memory.tenant) as reads:
        known = await reads.answered([request])
        if not known:
            return None
        ((before, answered),) = known.values()
        if before != request:
            raise request_reused(request)
        with suppress(ValueError):
            return await reads.inbox_decision(UUID(answered.event))
        decision = await _decided_elsewhere(reads, InboxRef.parse(answered.event))
        # It waits again: the earlier call has undone it.
        return (
            decision
            if decision.principal
            else replace(
                decision,
                items=[replace(it, undone=True) for it in decision.items],
                undone_by=request.principal,
            )
        )


async def _found(
    memory: TenantMemory, principal: str, decision_id: str
) -> tuple[InboxDecisionRecord, str]:
    """Return a decision, and what names it: its number, or the conflict it is about."""
    name = ""
    async with memory.store.reading(memory.tenant) as reads:
        if not decision_id:
            decision = await reads.last_inbox_decision(principal)
        else:
            decision = None
            # The number of a decision (a UUID), or the name of an item such as `conflict-7`.
            with suppress(ValueError):
                decision = await reads.inbox_decision(UUID(decision_id))
            with suppress(InvalidArgument):
                ref = InboxRef.parse(decision_id)
                decision = await reads.inbox_decision_about(ref)
                # Conflicts are decided elsewhere, too, as by gutask, and nothing logs that here.
                if decision is None and ref.place is InboxPlace.CONFLICT:
                    decision, name = await _decided_elsewhere(reads, ref), str(ref)
    if decision is None:
        raise DecisionNotFound(
            f"the inbox has no decision {decision_id[:40]!r}"
            if decision_id
            else f"{principal} has decided nothing here that could be undone",
            decision_id=decision_id[:40],
        )
    return decision, name or str(decision.id)


async def _decided_elsewhere(
    reads: PostgresReads, ref: InboxRef
) -> InboxDecisionRecord:
    """Return the decision about a conflict as one of the inbox; by nobody if it waits."""
    decided = (await reads.conflict(ref.number)).decided
    # A decision that was never logged, made up so that it can be undone like one.
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
    decision: InboxDecisionRecord,
    done: dict[InboxRef, DecidedItem],
    failures: list[InboxFailure],
) -> None:
    """Decide about an item and its likes; add each to `done` or `failures`."""
    likes: list[InboxRef] = []
    if not answer.alone:
        # Read before the decision, after which the item has no likes any more.
        async with memory.store.reading(memory.tenant) as reads:
            # Accepted in other words, a record is like what says those.
            if item := await reads.inbox_item(ref):
                likes = await reads.alike(item, ALIKE_MAX, content=answer.content)
    # The item itself first: if it cannot be decided, its likes are left alone.
    try:
        done[ref] = await decide_item(memory, ref, answer, decision)
    except FestingerError as error:
        failures.append(InboxFailure(ref, error))
        return
    for like in likes:
        if like in done:
            continue
        try:
            # The etag and the content are those of the named item.
            done[like] = await decide_item(
                memory, like, replace(answer, etag="", content=""), decision
            )
        except (AlreadyDecided, RecordStatus, NotFound):
            continue  # deciding the item has decided this one along with it
        except FestingerError as error:
            failures.append(InboxFailure(like, error))
