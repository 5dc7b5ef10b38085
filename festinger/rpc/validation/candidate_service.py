"""CandidateService: candidates, which are statements that await confirmation."""

from __future__ import annotations

from festinger.api.v1 import candidate_service_pb2 as pb
from festinger.api.v1.candidate_pb2 import Candidate
from festinger.api.v1.candidate_service_pb2_grpc import CandidateServiceServicer
from festinger.core.graph.candidates import CandidateState
from festinger.core.validation.votes import EventResponse
from festinger.rpc import convert
from festinger.rpc.fields import from_numbers, members_of
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system import paging
from festinger.rpc.system.callers import CALLER, Context
from festinger.services.validation.answers import AnswerResult, operator_answer

_STATES = members_of(Candidate.State, CandidateState)


class CandidateServicer(TenantServicer, CandidateServiceServicer):
    """Servicer that lists, confirms and rejects candidates."""

    async def ListCandidates(
        self, request: pb.ListCandidatesRequest, context: Context
    ) -> pb.ListCandidatesResponse:
        """Return a page of candidates; private ones for operators only."""
        size = paging.page_size(request.page_size)
        after = paging.after_number(request.page_token)
        states = from_numbers(request.states, _STATES, "states")
        caller = CALLER.get()
        memory = await self._memory()
        async with memory.store.reading(memory.tenant) as reads:
            candidates = await reads.candidates(
                states=states,
                after=after,
                limit=size + 1,  # one more tells whether a page follows
                newest=request.newest_first,
                flagged=request.flagged,
            )
        more = len(candidates) > size
        return pb.ListCandidatesResponse(
            candidates=[
                convert.to_candidate(candidate)
                for candidate in candidates[:size]
                # Left out after the limit: a page may be short, and goes on where it ended.
                if caller.operator or not candidate.sensitive
            ],
            # After the last that was read, shown or not, so that hidden ones do not end the list.
            next_page_token=paging.page_token(candidates[size - 1].id) if more else "",
        )

    async def ConfirmCandidate(
        self, request: pb.ConfirmCandidateRequest, context: Context
    ) -> pb.ConfirmCandidateResponse:
        """Confirm a candidate, which is then checked like any other statement."""
        # The same answer as the console's button: it leaves an event, and no second way to decide.
        made = await self._decide(request, EventResponse.CONFIRMED)
        return pb.ConfirmCandidateResponse(
            candidate=convert.to_candidate(made.candidate),
            outcome=convert.to_outcome(made.verdict),
            version=made.version,
        )

    async def RejectCandidate(
        self, request: pb.RejectCandidateRequest, context: Context
    ) -> pb.RejectCandidateResponse:
        """Reject a candidate."""
        made = await self._decide(request, EventResponse.REJECTED)
        return pb.RejectCandidateResponse(
            candidate=convert.to_candidate(made.candidate), version=made.version
        )

    async def _decide(
        self,
        request: pb.ConfirmCandidateRequest | pb.RejectCandidateRequest,
        response: EventResponse,
    ) -> AnswerResult:
        """Record the caller's answer as an operator, as `Answer` does."""
        caller = CALLER.get()
        memory = await self._memory()
        # A job: it is refused in the transaction if somebody else decided meanwhile.
        return await memory.writer.submit(
            operator_answer(
                request.candidate_id,
                response,
                principal=caller.principal,
                policy=memory.validation.policy,
                request=convert.request_key(request, caller),
            )
        )
