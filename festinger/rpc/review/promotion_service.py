"""PromotionService: review of extracted records, with undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.promotion_service_pb2_grpc import PromotionServiceServicer
from festinger.core.graph.statement import FACT_CHARACTERS_MAX
from festinger.core.review.records import MemoryRecord
from festinger.core.review.state import NAME_CHARACTERS_MAX, VALUE_CHARACTERS_MAX
from festinger.errors import RecordNotFound, SourceGone
from festinger.rpc import convert
from festinger.rpc.review import messages
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system import paging
from festinger.rpc.system.callers import CALLER, Context, RpcCaller
from festinger.services.review import promotion
from festinger.services.review.curation import StateSetting
from festinger.services.review.decisions import RecordDecision, RecordDecisionResult
from festinger.services.review.offers import OfferRecords, OfferResult, offer_again
from festinger.services.review.reader import DocumentReader
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.world.batches import RequestKey

EDITS_SHOWN_MAX = 1000
"""Maximum number of edits that are returned with a record."""


class PromotionServicer(TenantServicer, PromotionServiceServicer):
    """Servicer that reads and reviews records, and keeps projects' trusted state.

    Args:
        reader: Reads documents again; None if the server reads no documents.
    """

    def __init__(self, memories: Memories, reader: DocumentReader | None) -> None:
        super().__init__(memories)
        self._reader = reader

    async def ListRecords(
        self, request: pb.ListRecordsRequest, context: Context
    ) -> pb.ListRecordsResponse:
        """Return a page of records of both kinds, oldest first."""
        size = paging.page_size(request.page_size)
        after = paging.after_number(request.page_token)
        wanted = messages.from_list(request, CALLER.get())
        memory = await self._memory()
        async with memory.store.reading(memory.tenant) as reads:
            # One more than is returned tells whether a page follows.
            found = await reads.records(wanted, after=after, limit=size + 1)
        more = len(found) > size
        return pb.ListRecordsResponse(
            records=[messages.to_record(each, memory.now()) for each in found[:size]],
            next_page_token=paging.page_token(found[size - 1].id) if more else "",
        )

    async def GetRecord(
        self, request: pb.GetRecordRequest, context: Context
    ) -> pb.GetRecordResponse:
        """Return a record, its edits and the chain back to the text it was found in."""
        memory = await self._memory()
        async with memory.store.reading(memory.tenant) as reads:
            record = await reads.record(request.record_id)
            _need_visible(record, CALLER.get())
            # A memory that became an entity is a step of the chain.
            source = record.graduated_from
            graduated = (await reads.records_by_id([source])).get(source)
            passage = await reads.passage(record)
            edits = await reads.edits(record_id=record.id, limit=EDITS_SHOWN_MAX)
        return pb.GetRecordResponse(
            record=messages.to_record(record, memory.now()),
            chain=messages.to_chain(record, graduated, passage),
            # Read newest first, so that the limit keeps those; shown in the order of time.
            edits=map(messages.to_edit, reversed(edits)),
        )

    async def GetQueue(
        self, request: pb.GetQueueRequest, context: Context
    ) -> pb.GetQueueResponse:
        """Return the state of the review queue."""
        project = convert.checked(request.project, "project", NAME_CHARACTERS_MAX)
        memory = await self._memory()
        async with memory.store.reading(memory.tenant) as reads:
            standing = await reads.standing(project=project, now=memory.now())
        return messages.to_queue(standing)

    async def ProposeRecord(
        self, request: pb.ProposeRecordRequest, context: Context
    ) -> pb.ProposeRecordResponse:
        """Propose a candidate that was written by hand."""
        caller = CALLER.get()
        memory = await self._memory()
        # A job of the writer, since whether it is known already is decided in the transaction.
        job = OfferRecords(
            [messages.from_proposal(request, caller.principal)],
            principal=caller.principal,
            request=_key(request),
        )
        offered = await memory.writer.submit(job)
        record = await _offered_record(memory, offered)
        return pb.ProposeRecordResponse(record=messages.to_record(record, memory.now()))

    async def PromoteRecord(
        self, request: pb.PromoteRecordRequest, context: Context
    ) -> pb.PromoteRecordResponse:
        """Make a candidate active."""
        memory, decided = await self._decide(
            request, promotion.promote, supersedes=request.supersedes, etag=request.etag
        )
        outcome = decided.outcome
        return pb.PromoteRecordResponse(
            **_one(decided, memory),
            # Only if the record states a relation, which passed the gate.
            outcome=convert.to_outcome(outcome) if outcome else None,
        )

    async def RejectRecord(
        self, request: pb.RejectRecordRequest, context: Context
    ) -> pb.RejectRecordResponse:
        """Reject a candidate."""
        told = await self._decide_one(request, promotion.reject, etag=request.etag)
        return pb.RejectRecordResponse(**told)

    async def RevertRecord(
        self, request: pb.RevertRecordRequest, context: Context
    ) -> pb.RevertRecordResponse:
        """Make an active or rejected record a candidate again."""
        told = await self._decide_one(request, promotion.revert, etag=request.etag)
        return pb.RevertRecordResponse(**told)

    async def EditRecord(
        self, request: pb.EditRecordRequest, context: Context
    ) -> pb.EditRecordResponse:
        """Change the content, the type or the fact of a candidate."""
        # Checked before the queue of the writer, in which a wrong request would only wait.
        convert.checked(request.fact, "fact", FACT_CHARACTERS_MAX)
        told = await self._decide_one(
            request,
            promotion.correct,
            content=messages.from_content(request.content),
            type=messages.from_type(request.type) if request.type else None,
            # Empty keeps the relation, as in messages that do not know the field; "-" removes it.
            fact={"": None, "-": ""}.get(request.fact, request.fact),
            etag=request.etag,
        )
        return pb.EditRecordResponse(**told)

    async def DeferRecord(
        self, request: pb.DeferRecordRequest, context: Context
    ) -> pb.DeferRecordResponse:
        """Defer a candidate, or resume a deferred one."""
        told = await self._decide_one(request, promotion.defer, resume=request.resume)
        return pb.DeferRecordResponse(**told)

    async def DeleteRecord(
        self, request: pb.DeleteRecordRequest, context: Context
    ) -> pb.DeleteRecordResponse:
        """Delete a candidate, as if it had never been written."""
        memory, decided = await self._decide(
            request, promotion.delete, etag=request.etag
        )
        # The first is deleted and None; the memory it had graduated from is active again.
        _, *others = decided.records
        source = others[0] if others else None
        return pb.DeleteRecordResponse(
            # The source, if there was one.
            memory=messages.to_record(source, memory.now()) if source else None,
            edit_id=decided.edits[0],
        )

    async def GraduateRecord(
        self, request: pb.GraduateRecordRequest, context: Context
    ) -> pb.GraduateRecordResponse:
        """Propose an active memory as a candidate entity."""
        convert.checked(request.fact, "fact", FACT_CHARACTERS_MAX)
        memory, decided = await self._decide(
            request,
            promotion.graduate,
            type=messages.from_type(request.type) if request.type else None,
            fact=request.fact,
            etag=request.etag,
        )
        # In this order, see `promotion.graduate`.
        entity, source = decided.records
        return pb.GraduateRecordResponse(
            entity=messages.to_record(entity, memory.now()) if entity else None,
            memory=messages.to_record(source, memory.now()) if source else None,
            edit_id=decided.edits[0],
        )

    async def ConfirmRecord(
        self, request: pb.ConfirmRecordRequest, context: Context
    ) -> pb.ConfirmRecordResponse:
        """Confirm an active memory."""
        told = await self._decide_one(request, promotion.confirm)
        return pb.ConfirmRecordResponse(**told)

    async def ReExtractRecord(
        self, request: pb.ReExtractRecordRequest, context: Context
    ) -> pb.ReExtractRecordResponse:
        """Extract the source of a record again with the current extractors."""
        memory = await self._memory()
        offered = await offer_again(
            memory,
            self._need_reader(),
            request.record_id,
            principal=CALLER.get().principal,
            request=_key(request),
        )
        # What waits for a later cycle is written, too.
        written = (*offered.written, *offered.overflow)
        return pb.ReExtractRecordResponse(
            records=[messages.to_record(each, memory.now()) for each in written],
            # Known ones, which are counted and not repeated.
            found_again_count=len(offered.again),
        )

    async def UndoEdit(
        self, request: pb.UndoEditRequest, context: Context
    ) -> pb.UndoEditResponse:
        """Undo an edit."""
        memory = await self._memory()
        undoing = promotion.undo_edit(
            request.edit_id, principal=CALLER.get().principal, request=_key(request)
        )
        decided = await memory.writer.submit(undoing)
        return pb.UndoEditResponse(**_one(decided, memory))

    async def ListEdits(
        self, request: pb.ListEditsRequest, context: Context
    ) -> pb.ListEditsResponse:
        """Return a page of edits, newest first."""
        size = paging.page_size(request.page_size)
        before = paging.after_number(request.page_token)
        memory = await self._memory()
        async with memory.store.reading(memory.tenant) as reads:
            edits = await reads.edits(
                record_id=request.record_id, before=before, limit=size + 1
            )
        more = len(edits) > size
        return pb.ListEditsResponse(
            edits=map(messages.to_edit, edits[:size]),
            next_page_token=paging.page_token(edits[size - 1].id) if more else "",
        )

    async def SetState(
        self, request: pb.SetStateRequest, context: Context
    ) -> pb.SetStateResponse:
        """Set one item of a project's trusted state."""
        memory = await self._memory()
        item = await memory.writer.submit(
            StateSetting(
                messages.needed(request.project, "project", NAME_CHARACTERS_MAX),
                messages.needed(request.key, "key", NAME_CHARACTERS_MAX),
                # An empty value removes the item, and keeps its history.
                convert.checked(request.value.strip(), "value", VALUE_CHARACTERS_MAX),
                principal=CALLER.get().principal,
                etag=request.etag,
                request=_key(request),
            )
        )
        return pb.SetStateResponse(item=messages.to_item(item))

    async def ListState(
        self, request: pb.ListStateRequest, context: Context
    ) -> pb.ListStateResponse:
        """Return a page of a project's trusted state."""
        size = paging.page_size(request.page_size)
        after = paging.after_pair(request.page_token)
        project = convert.checked(request.project, "project", NAME_CHARACTERS_MAX)
        memory = await self._memory()
        async with memory.store.reading(memory.tenant) as reads:
            items = await reads.state(
                project=project,
                after=after,
                limit=size + 1,
                removed=request.show_removed,
            )
        last = items[size - 1] if len(items) > size else None
        return pb.ListStateResponse(
            items=map(messages.to_item, items[:size]),
            next_page_token=paging.pair_token(last.project, last.key) if last else "",
        )

    def _need_reader(self) -> DocumentReader:
        if self._reader is None:
            raise SourceGone("this server reads no documents")
        return self._reader

    async def _decide(
        self, request: Any, decision: Callable[..., RecordDecision], **parts: Any
    ) -> tuple[TenantMemory, RecordDecisionResult]:
        """Have the caller make a decision about the request's record.

        Args:
            parts: Arguments of the decision, besides record, principal and request.
        """
        by = CALLER.get().principal
        # The record is read, and checked again, in the job's transaction.
        job = decision(request.record_id, principal=by, request=_key(request), **parts)
        memory = await self._memory()
        return memory, await memory.writer.submit(job)

    async def _decide_one(
        self, request: Any, decision: Callable[..., RecordDecision], **parts: Any
    ) -> dict[str, Any]:
        """Make a decision as `_decide` does, and return the fields of the response."""
        memory, decided = await self._decide(request, decision, **parts)
        return _one(decided, memory)


def _key(request: Any) -> RequestKey | None:
    return convert.request_key(request, CALLER.get())


def _one(decided: RecordDecisionResult, memory: TenantMemory) -> dict[str, Any]:
    """Return the response fields of a decision on one record; None if deleted."""
    record = decided.records[0]
    return {
        "record": messages.to_record(record, memory.now()) if record else None,
        "edit_id": decided.edits[0],
    }


def _need_visible(record: MemoryRecord, caller: RpcCaller) -> None:
    """Require that the caller may see a record; else it is `RecordNotFound`."""
    # "" is about nobody in particular, such as a memory of a document.
    mine = ("", caller.subject or caller.principal)
    # The error of a missing record, so that others' numbers tell nothing.
    if not caller.operator and record.subject not in mine:
        raise RecordNotFound(
            f"there is no memory and no entity #{record.id}", record_id=str(record.id)
        )


async def _offered_record(memory: TenantMemory, offered: OfferResult) -> MemoryRecord:
    """Return the proposed record, or the existing one of the same content."""
    if offered.written:
        return offered.written[0]
    # Proposing a known text again is answered with the record that has it.
    async with memory.store.reading(memory.tenant) as reads:
        return await reads.record(offered.again[0] if offered.again else 0)
