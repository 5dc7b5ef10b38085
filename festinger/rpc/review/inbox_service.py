"""InboxService: the one list of what waits for people, and their decisions."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from festinger.api.v1 import inbox_pb2
from festinger.api.v1 import inbox_service_pb2 as pb
from festinger.api.v1.inbox_service_pb2_grpc import InboxServiceServicer
from festinger.core.graph.candidates import Candidate
from festinger.core.graph.resolution import Conflict
from festinger.core.graph.statement import to_token
from festinger.core.graph.values.dates import DAY
from festinger.core.memories.feedback import LineFeedback
from festinger.core.review.inbox import (
    InboxFilter,
    InboxItem,
    InboxKind,
    InboxMark,
    InboxRef,
    SettledAgain,
    text_of,
    why_asked,
)
from festinger.core.review.records import MemoryRecord
from festinger.errors import InvalidArgument
from festinger.rpc import convert
from festinger.rpc.convert import checked
from festinger.rpc.fields import from_numbers, members_of, message_of, to_time
from festinger.rpc.review import messages
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system import paging
from festinger.rpc.system.callers import CALLER, Context
from festinger.services.review import inbox, item_decisions
from festinger.services.review.inbox_effects import effects_of
from festinger.store.review.inbox import InboxDecisionRecord

FIELD_CHARACTERS_MAX = 200
REASONING_CHARACTERS_MAX = 1000
SAID_CHARACTERS_MAX = 2000
DAYS_MAX = 36_500
LIKES_SHOWN_MAX = 50  # likes of an item, to show how much a decision also decides
TEXTS_MAX = 8
"""Items of a decision whose texts are listed."""

_KINDS = members_of(inbox_pb2.InboxItem.Kind, InboxKind)
_ACTIONS = members_of(inbox_pb2.InboxDecision.Action, item_decisions.InboxAction)


class InboxServicer(TenantServicer, InboxServiceServicer):
    """Servicer that lists what waits for people, takes their decisions and undoes them."""

    async def ListInbox(
        self, request: pb.ListInboxRequest, context: Context
    ) -> pb.ListInboxResponse:
        """Return a page of what waits, the costliest mistakes first."""
        size = paging.page_size(request.page_size)
        after = _after(request.page_token)
        memory = await self._memory()
        wanted = _filter(request.filter, memory.now())
        async with memory.store.reading(memory.tenant) as reads:
            # One more than is returned tells whether a page follows.
            items = await reads.inbox(wanted, after=after, limit=size + 1)
        response = pb.ListInboxResponse(
            items=[to_item(item, memory.now()) for item in items[:size]]
        )
        if len(items) > size:
            response.next_page_token = _token(items[size - 1])
        return response

    async def CountInbox(
        self, request: pb.CountInboxRequest, context: Context
    ) -> pb.CountInboxResponse:
        """Return how much waits, by kind, project and answerer."""
        maximum = request.waiting_count_max
        if maximum < 0:
            raise InvalidArgument(
                "waiting_count_max must not be negative", field="waiting_count_max"
            )
        memory = await self._memory()
        async with memory.store.reading(memory.tenant) as reads:
            # A badge needs "many" only: counting stops at the maximum.
            if maximum:
                size = await reads.inbox_size(maximum)
                return pb.CountInboxResponse(waiting_count=size)
            counts, deferred = await reads.inbox_counts()
        return pb.CountInboxResponse(
            # Each item has one kind; projects and answerers would count it again, or not at all.
            waiting_count=sum(it.count for it in counts if it.name == "kind"),
            deferred_count=deferred,
            counts=[message_of(pb.CountInboxResponse.Count, it) for it in counts],
        )

    async def GetInboxItem(
        self, request: pb.GetInboxItemRequest, context: Context
    ) -> pb.GetInboxItemResponse:
        """Return an item, what a decision would change, and its likes."""
        ref = InboxRef.parse(request.item_id)
        memory = await self._memory()
        async with memory.store.reading(memory.tenant) as reads:
            item = await reads.inbox_item(ref)
            # Likes are decided along (unless `alone`), so that whoever decides sees them first.
            likes = await reads.alike(item, LIKES_SHOWN_MAX) if item else []
        # With who decided it meanwhile, since two people may look at the same item.
        if item is None:
            raise await item_decisions.gone(memory, ref)
        message = to_item(item, memory.now())
        # Computed for one item only: they compare what is told before and after.
        found = effects_of(memory.world, item.subject)
        message.effects.CopyFrom(
            message_of(
                inbox_pb2.InboxItem.Effects,
                found,
                now_lines=found.now,
                accepted_lines=found.accepted,
                rejected_lines=found.rejected,
            )
        )
        message.like_ids.extend(map(str, likes))
        return pb.GetInboxItemResponse(item=message)

    async def DecideInbox(
        self, request: pb.DecideInboxRequest, context: Context
    ) -> pb.DecideInboxResponse:
        """Decide about items, or about all of a filter."""
        # The request is checked as a whole before anything is decided.
        answer = _answer(request)
        if len(request.item_ids) > inbox.BULK_MAX:
            raise InvalidArgument(
                f"item_ids has at most {inbox.BULK_MAX} items", field="item_ids"
            )
        refs = [InboxRef.parse(each) for each in request.item_ids]
        # Neither would decide about everything, both would leave open which holds.
        if bool(refs) == request.HasField("filter"):
            raise InvalidArgument(
                "name items or a filter: one of them", field="item_ids"
            )
        memory = await self._memory()
        if refs:
            result = await inbox.decide(memory, refs, answer)
        else:
            result = await inbox.decide_all(
                memory, _filter(request.filter, memory.now()), answer
            )
        return pb.DecideInboxResponse(
            # None if no item could be decided.
            decision=to_decision(result.decision) if result.decision else None,
            failures=map(_to_failure, result.failures),
        )

    async def UndoInbox(
        self, request: pb.UndoInboxRequest, context: Context
    ) -> pb.UndoInboxResponse:
        """Undo a decision."""
        memory = await self._memory()
        principal = CALLER.get().principal
        reasoning = checked(request.reasoning, "reasoning", REASONING_CHARACTERS_MAX)
        # Each item is a transaction: some may fail to be undone, and are told by number.
        result = await inbox.undo(
            memory,
            principal,
            request.decision_id,
            reasoning,
            convert.request_key(request, CALLER.get()),
        )
        assert result.decision is not None, "what is undone was decided"
        return pb.UndoInboxResponse(
            decision=to_decision(result.decision),
            failures=map(_to_failure, result.failures),
        )

    async def ListInboxDecisions(
        self, request: pb.ListInboxDecisionsRequest, context: Context
    ) -> pb.ListInboxDecisionsResponse:
        """Return a page of decisions, the latest first."""
        size = paging.page_size(request.page_size)
        before = _before(request.page_token)
        memory = await self._memory()
        async with memory.store.reading(memory.tenant) as reads:
            found = await reads.inbox_decisions(before=before, limit=size + 1)
            # One query for the texts of the whole page.
            refs = {it.ref for each in found for it in each.items[:TEXTS_MAX]}
            texts = await reads.texts(refs)
        response = pb.ListInboxDecisionsResponse(
            decisions=[to_decision(each, texts) for each in found[:size]]
        )
        if len(found) > size:
            last = found[size - 1]
            # `repr` keeps every digit, so that a page continues exactly there.
            response.next_page_token = paging.pair_token(
                repr(last.created), str(last.id)
            )
        return response


def to_item(item: InboxItem, now: float) -> inbox_pb2.InboxItem:
    """Convert an item to a message."""
    cost = item.cost
    message = inbox_pb2.InboxItem(
        id=str(item.ref),
        kind=f"KIND_{item.kind.name}",
        cost=cost.total,
        told_count=cost.told,
        doubt=cost.doubt,
        urgency=cost.urgency,
        text=text_of(item.subject),
        why=why_asked(item),
        project=item.project,
        answerer=item.answerer,
        source_gone=item.is_gone,
        rule=item.rule,
        source=item.source,
        defer_time=to_time(item.deferred),
    )
    match item.subject:
        case Conflict() as conflict:
            message.conflict.CopyFrom(convert.to_conflict(conflict))
        case Candidate() as candidate:
            message.candidate.CopyFrom(convert.to_candidate(candidate))
        case MemoryRecord() as record:
            message.record.CopyFrom(messages.to_record(record, now))
        case SettledAgain() as settled:
            message.settled.CopyFrom(message_of(inbox_pb2.InboxItem.Settled, settled))
        case LineFeedback() as feedback:  # what somebody said of a line
            message.feedback.CopyFrom(
                message_of(inbox_pb2.InboxItem.Feedback, feedback)
            )
    return message


def to_decision(
    decision: InboxDecisionRecord, texts: Mapping[InboxRef, str] | None = None
) -> inbox_pb2.InboxDecision:
    """Convert a decision to a message, with the texts of its items if they are known."""
    # The ids are complete; texts are read for the first ones only, in the same order.
    told = [] if texts is None else decision.items[:TEXTS_MAX]
    return inbox_pb2.InboxDecision(
        id=str(decision.id),
        action=f"ACTION_{decision.action.upper()}",
        principal=decision.principal,
        item_ids=[str(item.ref) for item in decision.items],
        create_time=to_time(decision.created),
        undo_principal=decision.undone_by,
        item_texts=[(texts or {}).get(item.ref, "") for item in told],
    )


def _to_failure(failure: inbox.InboxFailure) -> pb.DecideInboxResponse.Failure:
    return pb.DecideInboxResponse.Failure(
        item_id=str(failure.ref), message=str(failure.error)
    )


def _answer(request: pb.DecideInboxRequest) -> item_decisions.InboxAnswer:
    if request.action not in _ACTIONS:
        raise InvalidArgument("action says what is to be done", field="action")
    # The fact moves apart from the statement only if that one's place is given, too.
    if request.existing_dimension and not request.incoming_dimension:
        raise InvalidArgument(
            "say in which dimension the statement belongs, too",
            field="incoming_dimension",
        )
    return item_decisions.InboxAnswer(
        _ACTIONS[request.action],
        CALLER.get().principal,
        alone=request.alone,
        reasoning=checked(request.reasoning, "reasoning", REASONING_CHARACTERS_MAX),
        incoming_dimension=_dimension(request.incoming_dimension, "incoming_dimension"),
        existing_dimension=_dimension(request.existing_dimension, "existing_dimension"),
        supersedes=request.supersedes,
        bot_id=checked(request.bot_id, "bot_id", FIELD_CHARACTERS_MAX),
        # The item must be as it was shown.
        etag=request.etag,
        request_id=checked(
            request.request_id, "request_id", convert.REQUEST_ID_CHARACTERS_MAX
        ),
    )


def _dimension(name: str, field: str) -> str:
    return to_token(name, field) if name else ""


def _filter(message: pb.InboxFilter, now: float) -> InboxFilter:
    # 0 is no kind, and narrows nothing.
    kinds = from_numbers(filter(None, message.kinds), _KINDS, "filter.kinds")
    # Blank names narrow nothing; each is compared in the database.
    names = {
        name: checked(getattr(message, name), f"filter.{name}", FIELD_CHARACTERS_MAX)
        for name in ("project", "answerer", "rule", "source", "type", "mark")
    }
    said = checked(message.said, "filter.said", SAID_CHARACTERS_MAX)
    if not 0 <= message.days_min <= DAYS_MAX:
        raise InvalidArgument(
            f"days_min is from 0 to {DAYS_MAX}", field="filter.days_min"
        )
    # 0 days: as recent as may be.
    before = now - message.days_min * DAY if message.days_min else None
    return InboxFilter(
        kinds, deferred=message.deferred, before=before, said=said, **names
    )


def _token(item: InboxItem) -> str:
    """Return the token of the page behind an item."""
    # Cost and number order the list; the table tells equal numbers of two tables apart.
    place, number = item.ref
    return paging.pair_token(repr(item.cost.total), f"{number}-{int(place)}")


def _after(token: str) -> InboxMark | None:
    cost, place = paging.after_pair(token)
    if not cost:  # the first page
        return None
    try:
        number, _, table = place.partition("-")
        return InboxMark(float(cost), int(number), int(table))
    # Also a well-formed token of another list, whose parts are no numbers.
    except ValueError:
        raise paging.bad_page_token() from None


def _before(token: str) -> tuple[float, UUID] | None:
    time, number = paging.after_pair(token)
    if not time:
        return None
    try:
        return float(time), UUID(number)
    except ValueError:
        raise paging.bad_page_token() from None
