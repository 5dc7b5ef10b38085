"""PromotionService: review of extracted claims, with undo."""

from __future__ import annotations

from typing import Any

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1 import promotion_service_pb2_grpc
from festinger.core.graph.statement import FACT_CHARACTERS_MAX
from festinger.core.review.claims import Claim
from festinger.core.review.state import NAME_CHARACTERS_MAX, VALUE_CHARACTERS_MAX
from festinger.errors import ClaimNotFound, SourceGone
from festinger.rpc import convert
from festinger.rpc.review import claiming
from festinger.rpc.system import paging
from festinger.rpc.system.callers import CALLER, Context, RpcCaller
from festinger.services.review import promoting
from festinger.services.review.curating import StateSetting
from festinger.services.review.deciding import ClaimDecisionResult, Deciding
from festinger.services.review.offering import Offering, OfferResult
from festinger.services.review.reader import DocumentReader
from festinger.services.review.rereading import offer_again
from festinger.services.world.memory import Memories, TenantMemory
from festinger.store.world.batches import RequestKey

EDITS_SHOWN_MAX = 1000
"""Maximum number of edits that are returned with a claim."""


class PromotionServicer(promotion_service_pb2_grpc.PromotionServiceServicer):
    """Servicer that reads and reviews claims, and keeps projects' trusted state.

    Args:
        reader: Reads documents again; None if the server reads no documents.
    """

    def __init__(self, memories: Memories, reader: DocumentReader | None) -> None:
        self._memories = memories
        self._reader = reader

    async def ListClaims(
        self, request: pb.ListClaimsRequest, context: Context
    ) -> pb.ListClaimsResponse:
        """Return a page of claims of both kinds, oldest first."""
        size = paging.page_size(request.page_size)
        after = paging.after_number(request.page_token)
        wanted = claiming.from_list(request, CALLER.get())
        memory = await self._memory()
        async with memory.store.reading(memory.tenant) as reads:
            found = await reads.claims(wanted, after=after, limit=size + 1)
        more = len(found) > size
        return pb.ListClaimsResponse(
            claims=[claiming.to_claim(each, memory.now()) for each in found[:size]],
            next_page_token=paging.page_token(found[size - 1].id) if more else "",
        )

    async def GetClaim(
        self, request: pb.GetClaimRequest, context: Context
    ) -> pb.GetClaimResponse:
        """Return a claim, its edits and the chain back to the text it was found in."""
        memory = await self._memory()
        async with memory.store.reading(memory.tenant) as reads:
            claim = await reads.claim(request.claim_id)
            _need_visible(claim, CALLER.get())
            source = claim.graduated_from
            graduated = (await reads.claims_by_id([source])).get(source)
            passage = await reads.passage(claim)
            edits = await reads.edits(claim_id=claim.id, limit=EDITS_SHOWN_MAX)
        return pb.GetClaimResponse(
            claim=claiming.to_claim(claim, memory.now()),
            chain=claiming.to_chain(claim, graduated, passage),
            edits=map(claiming.to_edit, reversed(edits)),
        )

    async def GetQueue(
        self, request: pb.GetQueueRequest, context: Context
    ) -> pb.GetQueueResponse:
        """Return the state of the review queue."""
        project = convert.checked(request.project, "project", NAME_CHARACTERS_MAX)
        memory = await self._memory()
        async with memory.store.reading(memory.tenant) as reads:
            standing = await reads.standing(project=project, now=memory.now())
        return claiming.to_queue(standing)

    async def ProposeClaim(
        self, request: pb.ProposeClaimRequest, context: Context
    ) -> pb.ProposeClaimResponse:
        """Propose a candidate that was written by hand."""
        caller = CALLER.get()
        memory = await self._memory()
        job = Offering(
            [claiming.from_proposal(request, caller.principal)],
            principal=caller.principal,
            request=_key(request),
        )
        offered = await memory.writer.submit(job)
        claim = await _offered_claim(memory, offered)
        return pb.ProposeClaimResponse(claim=claiming.to_claim(claim, memory.now()))

    async def PromoteClaim(
        self, request: pb.PromoteClaimRequest, context: Context
    ) -> pb.PromoteClaimResponse:
        """Make a candidate active."""
        memory, decided = await self._decide(
            promoting.Promotion(
                request.claim_id,
                principal=CALLER.get().principal,
                supersedes=request.supersedes,
                etag=request.etag,
                request=_key(request),
            )
        )
        outcome = decided.outcome
        return pb.PromoteClaimResponse(
            **_one(decided, memory),
            outcome=convert.to_outcome(outcome) if outcome else None,
        )

    async def RejectClaim(
        self, request: pb.RejectClaimRequest, context: Context
    ) -> pb.RejectClaimResponse:
        """Reject a candidate."""
        memory, decided = await self._decide(
            promoting.Dismissal(
                request.claim_id,
                principal=CALLER.get().principal,
                etag=request.etag,
                request=_key(request),
            )
        )
        return pb.RejectClaimResponse(**_one(decided, memory))

    async def RevertClaim(
        self, request: pb.RevertClaimRequest, context: Context
    ) -> pb.RevertClaimResponse:
        """Make an active or rejected claim a candidate again."""
        memory, decided = await self._decide(
            promoting.Reversal(
                request.claim_id,
                principal=CALLER.get().principal,
                etag=request.etag,
                request=_key(request),
            )
        )
        return pb.RevertClaimResponse(**_one(decided, memory))

    async def EditClaim(
        self, request: pb.EditClaimRequest, context: Context
    ) -> pb.EditClaimResponse:
        """Change the content, the type or the fact of a candidate."""
        convert.checked(request.fact, "fact", FACT_CHARACTERS_MAX)
        memory, decided = await self._decide(
            promoting.Correction(
                request.claim_id,
                claiming.from_content(request.content),
                principal=CALLER.get().principal,
                type=claiming.from_type(request.type) if request.type else None,
                fact={"": None, "-": ""}.get(request.fact, request.fact),
                etag=request.etag,
                request=_key(request),
            )
        )
        return pb.EditClaimResponse(**_one(decided, memory))

    async def DeferClaim(
        self, request: pb.DeferClaimRequest, context: Context
    ) -> pb.DeferClaimResponse:
        """Defer a candidate, or resume a deferred one."""
        memory, decided = await self._decide(
            promoting.Deferral(
                request.claim_id,
                principal=CALLER.get().principal,
                resume=request.resume,
                request=_key(request),
            )
        )
        return pb.DeferClaimResponse(**_one(decided, memory))

    async def DeleteClaim(
        self, request: pb.DeleteClaimRequest, context: Context
    ) -> pb.DeleteClaimResponse:
        """Delete a candidate, as if it had never been written."""
        memory, decided = await self._decide(
            promoting.Deletion(
                request.claim_id,
                principal=CALLER.get().principal,
                etag=request.etag,
                request=_key(request),
            )
        )
        _, *others = decided.claims
        source = others[0] if others else None
        return pb.DeleteClaimResponse(
            memory=claiming.to_claim(source, memory.now()) if source else None,
            edit_id=decided.edits[0],
        )

    async def GraduateClaim(
        self, request: pb.GraduateClaimRequest, context: Context
    ) -> pb.GraduateClaimResponse:
        """Propose an active memory as a candidate entity."""
        convert.checked(request.fact, "fact", FACT_CHARACTERS_MAX)
        memory, decided = await self._decide(
            promoting.Graduation(
                request.claim_id,
                principal=CALLER.get().principal,
                type=claiming.from_type(request.type) if request.type else None,
                fact=request.fact,
                etag=request.etag,
                request=_key(request),
            )
        )
        entity, source = decided.claims
        return pb.GraduateClaimResponse(
            entity=claiming.to_claim(entity, memory.now()) if entity else None,
            memory=claiming.to_claim(source, memory.now()) if source else None,
            edit_id=decided.edits[0],
        )

    async def ConfirmClaim(
        self, request: pb.ConfirmClaimRequest, context: Context
    ) -> pb.ConfirmClaimResponse:
        """Confirm an active memory."""
        memory, decided = await self._decide(
            promoting.Refreshment(
                request.claim_id,
                principal=CALLER.get().principal,
                request=_key(request),
            )
        )
        return pb.ConfirmClaimResponse(**_one(decided, memory))

    async def ReExtractClaim(
        self, request: pb.ReExtractClaimRequest, context: Context
    ) -> pb.ReExtractClaimResponse:
        """Extract the source of a claim again with the current extractors."""
        memory = await self._memory()
        offered = await offer_again(
            memory,
            self._need_reader(),
            request.claim_id,
            principal=CALLER.get().principal,
            request=_key(request),
        )
        written = (*offered.written, *offered.overflow)
        return pb.ReExtractClaimResponse(
            claims=[claiming.to_claim(each, memory.now()) for each in written],
            found_again_count=len(offered.again),
        )

    async def DecideAlike(
        self, request: pb.DecideAlikeRequest, context: Context
    ) -> pb.DecideAlikeResponse:
        """Promote or reject all candidates of the same content."""
        memory, decided = await self._decide(
            promoting.AlikeDecision(
                request.claim_id,
                promote=request.promote,
                principal=CALLER.get().principal,
                request=_key(request),
            )
        )
        return pb.DecideAlikeResponse(
            claims=[
                claiming.to_claim(each, memory.now()) for each in decided.claims if each
            ],
            edit_ids=decided.edits,
        )

    async def UndoEdit(
        self, request: pb.UndoEditRequest, context: Context
    ) -> pb.UndoEditResponse:
        """Undo an edit."""
        memory, decided = await self._decide(
            promoting.Undo(
                request.edit_id,
                principal=CALLER.get().principal,
                request=_key(request),
            )
        )
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
                claim_id=request.claim_id, before=before, limit=size + 1
            )
        more = len(edits) > size
        return pb.ListEditsResponse(
            edits=map(claiming.to_edit, edits[:size]),
            next_page_token=paging.page_token(edits[size - 1].id) if more else "",
        )

    async def SetState(
        self, request: pb.SetStateRequest, context: Context
    ) -> pb.SetStateResponse:
        """Set one item of a project's trusted state."""
        memory = await self._memory()
        item = await memory.writer.submit(
            StateSetting(
                claiming.needed(request.project, "project", NAME_CHARACTERS_MAX),
                claiming.needed(request.key, "key", NAME_CHARACTERS_MAX),
                convert.checked(request.value.strip(), "value", VALUE_CHARACTERS_MAX),
                principal=CALLER.get().principal,
                etag=request.etag,
                request=_key(request),
            )
        )
        return pb.SetStateResponse(item=claiming.to_item(item))

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
            items=map(claiming.to_item, items[:size]),
            next_page_token=paging.pair_token(last.project, last.key) if last else "",
        )

    def _need_reader(self) -> DocumentReader:
        if self._reader is None:
            raise SourceGone("this server reads no documents")
        return self._reader

    async def _memory(self) -> TenantMemory:
        return await self._memories.get(*CALLER.get().wanted)

    async def _decide(self, job: Deciding) -> tuple[TenantMemory, ClaimDecisionResult]:
        memory = await self._memory()
        return memory, await memory.writer.submit(job)


def _key(request: Any) -> RequestKey | None:
    return convert.request_key(request, CALLER.get())


def _one(decided: ClaimDecisionResult, memory: TenantMemory) -> dict[str, Any]:
    """Return the response fields of a decision on one claim.

    The claim is None if the decision deleted it.
    """
    claim = decided.claims[0]
    return {
        "claim": claiming.to_claim(claim, memory.now()) if claim else None,
        "edit_id": decided.edits[0],
    }


def _need_visible(claim: Claim, caller: RpcCaller) -> None:
    """Require that the caller may see a claim.

    Raises:
        ClaimNotFound: It is about somebody else.
    """
    mine = ("", caller.subject or caller.principal)
    if not caller.operator and claim.subject not in mine:
        raise ClaimNotFound(
            f"there is no memory and no entity #{claim.id}", claim_id=str(claim.id)
        )


async def _offered_claim(memory: TenantMemory, offered: OfferResult) -> Claim:
    """Return the proposed claim, or the existing one of the same content."""
    if offered.written:
        return offered.written[0]
    async with memory.store.reading(memory.tenant) as reads:
        return await reads.claim(offered.again[0] if offered.again else 0)
