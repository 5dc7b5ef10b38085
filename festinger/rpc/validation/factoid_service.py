"""FactoidService: candidates, which are statements that await confirmation."""

from __future__ import annotations

from festinger.api.v1 import factoid_service_pb2 as pb
from festinger.api.v1 import factoid_service_pb2_grpc
from festinger.rpc import convert
from festinger.rpc.system import paging
from festinger.rpc.system.callers import CALLER, Context
from festinger.services.validation.decisions import ConfirmCandidate, RejectCandidate
from festinger.services.world.memory import Memories


class FactoidServicer(factoid_service_pb2_grpc.FactoidServiceServicer):
    """Servicer that lists, confirms and rejects candidates."""

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    async def ListFactoids(
        self, request: pb.ListFactoidsRequest, context: Context
    ) -> pb.ListFactoidsResponse:
        """Return a page of candidates; private ones for operators only."""
        size = paging.page_size(request.page_size)
        after = paging.after_number(request.page_token)
        states = convert.from_factoid_states(request.states)
        caller = CALLER.get()
        memory = await self._memories.get(*caller.wanted)
        async with memory.store.reading(memory.tenant) as reads:
            factoids = await reads.factoids(
                states=states,
                after=after,
                limit=size + 1,
                newest=request.newest_first,
                flagged=request.flagged,
            )
        more = len(factoids) > size
        return pb.ListFactoidsResponse(
            factoids=[
                convert.to_factoid(factoid)
                for factoid in factoids[:size]
                if caller.operator or not factoid.sensitive
            ],
            next_page_token=paging.page_token(factoids[size - 1].id) if more else "",
        )

    async def ConfirmFactoid(
        self, request: pb.ConfirmFactoidRequest, context: Context
    ) -> pb.ConfirmFactoidResponse:
        """Confirm a candidate, which is then checked like any other statement."""
        caller = CALLER.get()
        memory = await self._memories.get(*caller.wanted)
        factoid, outcome, version = await memory.writer.submit(
            ConfirmCandidate(
                request.factoid_id,
                principal=caller.principal,
                request=convert.request_key(request, caller),
            )
        )
        return pb.ConfirmFactoidResponse(
            factoid=convert.to_factoid(factoid),
            outcome=convert.to_outcome(outcome),
            version=version,
        )

    async def RejectFactoid(
        self, request: pb.RejectFactoidRequest, context: Context
    ) -> pb.RejectFactoidResponse:
        """Reject a candidate."""
        caller = CALLER.get()
        memory = await self._memories.get(*caller.wanted)
        factoid, version = await memory.writer.submit(
            RejectCandidate(
                request.factoid_id,
                principal=caller.principal,
                request=convert.request_key(request, caller),
            )
        )
        return pb.RejectFactoidResponse(
            factoid=convert.to_factoid(factoid), version=version
        )
